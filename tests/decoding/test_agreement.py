"""What is put back agrees with what it stands beside, as the translator was seen to write."""

from prism_core.decoding import SearchStrategy, decode
from prism_core.decoding.agreement import describe_noun
from prism_core.dictionary import ASSOCIATED, BEFORE, Dictionary, Entry, Form
from prism_core.record import Encoded, Kind, Replacement

FEM, MASC = ("Gender=Fem",), ("Gender=Masc",)
SING, PLUR = ("Number=Sing",), ("Number=Plur",)
CONSONANTS, VOWELS = "Initial=bcdfghlmnp", "Initial=aeiou"


def asked(word: str, tag: str, agreement: str, *forms: Form) -> Entry:
    return Entry(word, tag, forms, agreement, 0.9, 1, "apertium", "packed")


def adjective(word: str, stem: str) -> Entry:
    return asked(
        word,
        "JJ",
        "la casa _ era allí .",
        Form(f"{stem}o", 9, (*MASC, *SING, "book")),
        Form(f"{stem}a", 9, (*FEM, *SING, "house")),
        Form(f"{stem}os", 9, (*MASC, *PLUR, "books")),
        Form(f"{stem}as", 9, ("houses",)),
    )


def noun(word: str, text: str, around: str, *features: str) -> Entry:
    return asked(word, "NN", f"{around} era allí .", Form(text, 9, ("noun", *features)))


ENTRIES = (
    *(adjective(*both) for both in (("red", "roj"), ("long", "larg"), ("high", "alt"))),
    noun("mountain", "montaña", "la _ roja", *FEM, *SING),
    noun("walk", "paseo", "el _ rojo", *MASC, *SING),
    noun("homework", "deberes", "los _ rojos", *PLUR),  # its gender is told by the frame alone
    noun("government", "gobierno", "el _ rojo", *MASC, *SING),
    Entry("su", BEFORE, (Form("sus", 7, (*MASC, *PLUR, VOWELS)),), "", 0, 0),
    asked("wets", "VBZ", "", Form("moja", 9, ("she", "Mood=Ind", *SING, "Person=3"))),
    asked("wets", "NNS", "", Form("moja", 9, ("noun", *FEM, *SING))),
    asked("spends", "VBZ", "", Form("pasa", 9, ("she", "Mood=Ind", *SING, "Person=3"))),
    asked("spends", "NNS", "", Form("pasada", 9, ("noun", *FEM, *SING))),
    asked("covers", "VBZ", "", Form("cubiertas", 9, ("she",))),
    asked("covers", "NNS", "", Form("cubiertas", 9, ("noun", *FEM, *PLUR))),
    asked("limits", "VBZ", "", Form("limita", 9, ("she",))),
    asked("limits", "NNS", "", Form("límites", 9, ("noun", *MASC, *PLUR))),
    *(
        asked(word, "VB", "", *(Form(text, 9, told) for text, told in forms.items()))
        for word, forms in {
            "represent": {
                "representar": ("infinitive",),
                "representará": ("will_she", *SING, "Tense=Fut"),
            },
            "come": {"venir": ("infinitive",), "vendrá": ("will_she", *SING, "Tense=Fut")},
        }.items()
    ),
    asked("reading", "VBG", "", Form("leyendo", 9, ("progressive",))),
    asked("sending", "VBG", "", Form("enviando", 9, ("progressive",))),
)


def restored(
    answer: str,
    *record: tuple[str, str, str],
    entries: tuple[Entry, ...] = (),
    sent: str = "",
) -> str:
    """Decode ``answer``; words of ``record`` stand where ``sent`` has them, or one by one."""
    tokens = sent.split()
    replacements = tuple(
        Replacement(
            tokens.index(substitute) if sent else at, 1, word, substitute, Kind.WORD, tag, 5
        )
        for at, (word, substitute, tag) in enumerate(record)
    )
    dictionary = Dictionary([*ENTRIES, *entries], {"target": "es"}, "test")
    return decode(Encoded(sent, replacements, ()), answer, dictionary).text


def test_an_adjective_agrees_with_the_noun_that_is_put_back_beside_it() -> None:
    both = ("walk", "mountain", "NN"), ("long", "high", "JJ")
    assert restored("una montaña alta", *both) == "una paseo largo"
    assert restored("la montaña más alta", *both) == "la paseo más largo"
    assert restored("una alta montaña", *both) == "una largo paseo"


def test_adjectives_that_follow_each_other_agree_with_the_noun() -> None:
    words = ("walk", "mountain", "NN"), ("long", "high", "JJ"), ("high", "red", "JJ")
    assert restored("una montaña alta y roja", *words) == "una paseo largo y alto"
    assert restored("una alta roja montaña", *words) == "una largo alto paseo"


def test_a_predicate_agrees_with_its_subject_and_not_with_the_noun_before_it() -> None:
    street = noun("street", "calle", "la _ roja", *FEM, *SING)
    words = ("street", "street", "NN"), ("walk", "mountain", "NN"), ("long", "high", "JJ")
    answer, sent = "la montaña de la calle era alta", "the street mountain was high"
    assert (
        restored(answer, *words, entries=(street,), sent=sent) == "la paseo de la calle era largo"
    )


def test_an_adjective_agrees_where_the_translator_gave_its_noun_another_gender() -> None:
    capital = noun("capital", "capital", "la _ roja", *FEM, *SING)
    both = ("long", "high", "JJ"), ("mountain", "capital", "NN")
    assert restored("el capital alto", *both, entries=(capital,)) == "el montaña larga"


def test_a_phrase_has_the_gender_of_its_article() -> None:
    """The adjective of its frame agrees with the last noun: *el dolor de espalda roja*."""
    articles = adjective("the", "l"), asked("el", "JJ", "", Form("el", 9, (*MASC, *SING, "book")))
    back = noun("back pain", "dolor de espalda", "el _ roja", *SING)
    dictionary = Dictionary([*ENTRIES, *articles, back], {"target": "es"}, "test")
    assert "Gender=Masc" in describe_noun("dolor de espalda", "back pain", "NN", dictionary)


def test_an_infinitive_whose_substitute_was_taken_for_a_noun_is_an_infinitive() -> None:
    forms = {"pesquisa": ("does_she",), "pesquisar": ("infinitive",)}
    research = asked("research", "VB", "", *(Form(text, 9, told) for text, told in forms.items()))
    survey = asked("research", "NN", "", Form("pesquisa", 9, ("noun", *FEM, *SING)))
    speaks = asked(
        "talk", "VB", "", Form("habla", 9, ("does_she",)), Form("hablar", 9, ("infinitive",))
    )
    known = research, survey, speaks
    word = ("talk", "research", "VB")
    assert restored("para pesquisa", word, entries=known, sent="to research") == "para hablar"
    assert restored("ella pesquisa", word, entries=known, sent="does she research") == "ella habla"


def test_an_adjective_before_its_noun_agrees_where_the_substitute_has_no_gender() -> None:
    heir = noun("heir", "heredero", "_", *SING)
    both = ("long", "high", "JJ"), ("mountain", "heir", "NN")
    assert restored("un heredero alto", *both, entries=(heir,)) == "un montaña larga"
    apart = ("mountain", "heir", "NN"), ("long", "high", "JJ")
    assert restored("un heredero alto", *apart, entries=(heir,)) == "un montaña largo"


def test_an_adjective_that_did_not_agree_or_stands_elsewhere_stays_as_it_came() -> None:
    both = ("walk", "mountain", "NN"), ("long", "high", "JJ")
    assert restored("una montaña alto", *both) == "una paseo largo"
    assert restored("una montaña que parece alta", *both) == "una paseo que parece larga"


def test_an_adjective_agrees_although_its_substitute_has_one_form_for_both_genders() -> None:
    big = asked("big", "JJ", "la casa _ era allí .", Form("grande", 9, (*SING, "house", "book")))
    street = noun("street", "calle", "la _ roja", *FEM, *SING)
    both = ("mountain", "street", "NN"), ("long", "big", "JJ")
    assert restored("la calle grande", *both, entries=(big, street)) == "la montaña larga"


def test_an_adjective_of_the_next_noun_stays_as_it_came() -> None:
    three = ("walk", "mountain", "NN"), ("long", "high", "JJ"), ("mountain", "walk", "NN")
    assert restored("la montaña y alta paseo", *three) == "la paseo y larga montaña"


def test_a_noun_is_found_in_the_other_number_and_put_back_in_it() -> None:
    months = (
        asked("month", "NN", "", Form("mes", 9, ("noun", *MASC, *SING))),
        asked("months", "NNS", "", Form("meses", 9, ("noun", *MASC, *PLUR))),
        asked("year", "NN", "", Form("año", 9, ("noun", *MASC, *SING))),
        asked("years", "NNS", "", Form("años", 9, ("noun", *MASC, *PLUR))),
    )
    age = restored("una niña de 7 meses", ("year", "month", "NN"), entries=months)
    assert age == "una niña de 7 años"


def test_what_the_frame_tells_of_a_noun_decides_on_its_article() -> None:
    assert restored("olvida su gobierno", ("homework", "government", "NN")) == "olvida su deberes"
    su = Entry(
        "su",
        BEFORE,
        (Form("sus", 7, (*MASC, *PLUR, VOWELS)), Form("su", 7, (*MASC, *SING, CONSONANTS))),
        "",
        0,
        0,
    )
    changed = restored("olvida su gobierno", ("homework", "government", "NN"), entries=(su,))
    assert changed == "olvida sus deberes"


def test_no_letter_is_taken_for_another_where_words_are_elided() -> None:
    le = Entry(
        "su",
        BEFORE,
        (Form("l'", 7, (*MASC, *PLUR, VOWELS)), Form("su", 7, (*MASC, *SING, CONSONANTS))),
        "",
        0,
        0,
    )
    kept = restored("olvida su gobierno", ("homework", "government", "NN"), entries=(le,))
    assert kept == "olvida su deberes"


def test_a_singular_is_no_plural_noun_that_a_verb_was_taken_for() -> None:
    assert restored("Moja todo.", ("spends", "wets", "VBZ")) == "Pasa todo."
    assert restored("Cubiertas todo.", ("limits", "covers", "VBZ")) == "Límites todo."


def test_a_noun_that_was_taken_for_an_adjective_goes_in_as_that() -> None:
    schools = (
        noun("school", "escuela", "la _ roja", *FEM, *SING),
        adjective("school", "escolástic"),
    )
    sores = (noun("sore", "llaga", "la _ roja", *FEM, *SING), adjective("sore", "dolorid"))
    seen = Form("dolorido", 1, (*MASC, *SING))  # in running text alone
    sores = (sores[0].replace_forms((*sores[0].forms, seen)), sores[1])
    entries = (*schools, *sores)
    assert restored("Un dolorido.", ("school", "sore", "NN"), entries=entries) == "Un escolástico."
    assert restored("Una llaga.", ("school", "sore", "NN"), entries=entries) == "Una escuela."
    assert restored("Un dolorido.", ("walk", "sore", "NN"), entries=entries) == "Un paseo."


def test_another_person_of_a_verb_keeps_its_ending() -> None:
    assert restored("Representarás todo.", ("come", "represent", "VB")) == "Vendrás todo."


def test_a_verb_before_its_pronouns_has_their_accent() -> None:
    assert restored("Está leyéndote algo.", ("sending", "reading", "VBG")) == (
        "Está enviándote algo."
    )


def test_a_place_is_chosen_in_order_where_a_kept_word_is_translated_by_the_same_form() -> None:
    last = Entry("last", "JJ", (Form("último", 9),), "", 0.9, 1)
    latter = Entry("latter", "JJ", (Form("último", 9),), "", 0.9, 1)
    new = Entry("new", "JJ", (Form("nuevo", 9),), "", 0.9, 1)
    record = (Replacement(2, 1, "new", "latter", Kind.WORD, "JJ", 5),)
    dictionary = Dictionary([last, latter, new], {"target": "es"}, "test")
    sent = Encoded("last book, latter one", record, ())
    assert decode(sent, "último libro, último un", dictionary).text == "último libro, nuevo un"
    alone = Encoded("big book, latter one", record, ())
    assert decode(alone, "último libro, último un", dictionary).text == "nuevo libro, último un"


def test_of_a_translator_that_was_asked_a_word_of_grammar_is_no_form_of_a_verb() -> None:
    that = Entry("that", "FUNCTION", (Form("que", 9),), "", 0.9, 1)
    involve = Entry("involve", "VBP", (Form("involucran", 9), Form("que", 2)), "", 0.9, 1)
    meet = Entry("meet", "VBP", (Form("cumplen", 9),), "", 0.9, 1)
    record = (Replacement(0, 1, "meet", "involve", Kind.WORD, "VBP", 5),)
    dictionary = Dictionary([that, involve, meet], {"target": "es"}, "test")
    assert decode(Encoded("", record, ()), "así que implican", dictionary).unrestored == 1
    read_off = Dictionary([that, involve, meet], {"target": "es"}, "test", is_asked=False)
    found = decode(Encoded("", record, ()), "así que implican", read_off)
    assert (found.unrestored, found.strategies) == (
        0,
        {0: SearchStrategy.ASSOCIATION},
    )  # so it is marked unsure


def test_a_feminine_is_no_form_with_a_pronoun_glued_to_it() -> None:
    mayor = Entry("mayor", "NN", (Form("alcalde", 9),), "", 0.9, 1)
    drug = Entry("drug", "NN", (Form("fármaco", 9),), "", 0.9, 1)
    record = (Replacement(0, 1, "drug", "mayor", Kind.WORD, "NN", 5),)
    dictionary = Dictionary([mayor, drug], {"target": "es"}, "test")
    assert decode(Encoded("", record, ()), "la alcaldesa", dictionary).text == "la fármaco"


def test_an_adjective_of_both_genders_tells_nothing_of_its_noun() -> None:
    genders = (Form("grande", 9, (*SING, "house")), Form("grande", 9, (*SING, "book")))
    entries = (
        *ENTRIES,
        asked("big", "JJ", "la casa _ era allí .", *genders),
        noun("bridge", "puente", "el _ grande"),
    )
    dictionary = Dictionary(entries, {"target": "es"}, "test")
    assert describe_noun("puente", "bridge", "NN", dictionary) == ()
    assert "Gender=Masc" in describe_noun("paseo", "walk", "NN", dictionary)


def test_a_word_that_stands_for_itself_stays_as_the_translator_wrote_it() -> None:
    history = noun("history", "historia", "la _ roja", *FEM, *SING)
    associates = Entry("history", ASSOCIATED, (Form("historial", 0.9),), "", 0.9, 1, "text")
    known = history, associates
    assert restored("un historial", ("history", "history", "NN"), entries=known) == "un historial"
    assert restored("un historial", ("walk", "history", "NN"), entries=known) == "un paseo"
