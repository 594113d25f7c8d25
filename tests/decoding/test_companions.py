"""Articles and elisions are mended from what was learned of the translator."""

import pytest

from prism_core.decoding import decode
from prism_core.dictionary import (
    BEFORE,
    LEFT_PREFIX,
    Dictionary,
    Entry,
    Form,
    load_dictionary,
)
from prism_core.record import Encoded, Kind, Replacement, Surface
from prism_core.resources import shipped_dictionary
from tests.words import entry

FEM, MASC = ("Gender=Fem", "Number=Sing"), ("Gender=Masc", "Number=Sing")
LETTERS = "Initial=bcdfghlmp"


def noun(word: str, text: str, features: tuple[str, ...]) -> Entry:
    return Entry(word, "NN", (Form(text, 9, features),), "", 0.9, 1)


def before(word: str, *forms: Form) -> Entry:
    return Entry(word, BEFORE, forms, "", 0, 0)


LA = before("la", Form("la", 5, (*FEM, LETTERS)), Form("el", 5, (*MASC, LETTERS)))
DE_LA = before("de la", Form("de la", 5, (*FEM, LETTERS)), Form("del", 5, (*MASC, LETTERS)))
LE = before(
    "le",
    Form("le", 5, (*MASC, LETTERS)),
    Form("l'", 5, (*MASC, "Initial=ao")),
    Form("la", 5, (*FEM, LETTERS)),
)
NOUNS = (
    *(noun("house", "casa", FEM), noun("table", "mesa", FEM), noun("book", "libro", MASC)),
    *(noun("tree", "arbre", MASC), noun("hat", "chapeau", MASC)),
)


@pytest.fixture(scope="module")
def portuguese() -> Dictionary:
    return load_dictionary(shipped_dictionary("en", "pt"), "firefox")


def restored(answer: str, word: str, substitute: str, *more: Entry) -> str:
    replacement = Replacement(0, 1, word, substitute, Kind.WORD, "NN")
    dictionary = Dictionary([*NOUNS, *(more or (LA, DE_LA, LE))], {}, "test")
    return decode(Encoded("", (replacement,), ()), answer, dictionary).text


def test_an_article_is_exchanged_for_that_of_the_original() -> None:
    assert restored("Veo la casa aquí.", "book", "house") == "Veo el libro aquí."
    assert restored("La casa arde.", "book", "house") == "El libro arde."


def test_an_article_of_another_form_of_the_substitute_is_exchanged() -> None:
    citizen = Form("ciudadano", 9, MASC), Form("ciudadana", 5, FEM)
    known = (
        Entry("citizen", "NN", citizen, "el _ rojo", 0.9, 1, method="packed"),
        Entry("book", "NN", (Form("libro", 9, MASC),), "el _ rojo", 0.9, 1, method="packed"),
    )
    assert restored("la ciudadana", "book", "citizen", LA, *known) == "el libro"
    assert restored("la ciudadano", "book", "citizen", LA, *known) == "la libro"


def test_an_article_that_fits_stays() -> None:
    assert restored("Veo la casa aquí.", "table", "house") == "Veo la mesa aquí."


def test_two_words_become_their_contraction() -> None:
    assert restored("fuera de la casa", "book", "house") == "fuera del libro"


def test_an_article_is_elided_before_a_vowel() -> None:
    assert restored("voici le chapeau", "tree", "hat") == "voici l'arbre"


@pytest.mark.parametrize(
    ("word", "substitute", "tag", "answer", "expected"),
    [
        ("Monday", "Sunday", "WEEKDAY", "Vem no domingo.", "Vem na segunda-feira."),
        ("Saturday", "Friday", "WEEKDAY", "Vem na sexta-feira.", "Vem no sábado."),
        ("Monday", "Friday", "WEEKDAY", "Vem na sexta-feira.", "Vem na segunda-feira."),
        ("Friday", "Sunday", "WEEKDAY", "o último domingo", "a última sexta-feira"),
        ("Tuesdays", "Fridays", "WEEKDAYS", "nas sextas-feiras", "nas terças-feiras"),
        ("Mondays", "Sundays", "WEEKDAYS", "nos domingos", "nas segundas-feiras"),
    ],
)
def test_weekdays_of_two_genders_keep_their_words_of_grammar(
    portuguese, word, substitute, tag, answer, expected
) -> None:
    replacement = Replacement(0, 1, word, substitute, Kind.WORD, tag)
    assert decode(Encoded("", (replacement,), ()), answer, portuguese).text == expected


def test_nothing_changes_where_a_word_stands_between_or_the_article_is_not_known() -> None:
    assert restored("la gran casa", "book", "house") == "la gran libro"
    assert restored("esta casa", "book", "house") == "esta libro"


def test_an_article_that_does_not_fit_what_came_back_is_another_word() -> None:
    assert restored("Veo la libro.", "house", "book") == "Veo la casa."
    assert restored("quien la libro mira", "tree", "book") == "quien la arbre mira"


def test_a_word_that_keeps_its_article_keeps_it() -> None:
    keeps = before("la", *LA.forms, Form("la", 5, ("Word=libro",)))
    assert restored("Veo la casa.", "book", "house", keeps) == "Veo la libro."


def test_without_learned_companions_nothing_is_mended() -> None:
    assert restored("Veo la casa.", "book", "house", NOUNS[0]) == "Veo la libro."


def test_a_phrase_that_another_row_knows_is_replaced_whole() -> None:
    other = Entry("more", "RB", (Form("cada vez más", 1),), "", 0.9, 1, "apertium")
    more = Entry("more", "RB", (Form("cada", 1),), "", 0.9, 1, "google", others=(other,))
    less = Entry("less", "RB", (Form("menos", 1),), "", 0.9, 1)
    replacement = Replacement(0, 1, "less", "more", Kind.WORD, "RB")
    dictionary = Dictionary([more, less], {}, "test")
    encoded = Encoded("", (replacement,), ())
    assert decode(encoded, "es cada vez más caro", dictionary).text == "es menos caro"
    assert decode(encoded, "cada más", dictionary).text == "menos más"


def test_a_phrase_that_adds_function_words_alone_is_not_taken() -> None:
    the = Entry("the", "FUNCTION", (Form("la", 1),), "", 0.9, 1)
    other = Entry("house", "NN", (Form("la casa", 1),), "", 0.9, 1, "apertium")
    house = NOUNS[0]._replace(others=(other,))
    replacement = Replacement(0, 1, "table", "house", Kind.WORD, "NN")
    dictionary = Dictionary([house, NOUNS[1], the], {}, "test")
    assert decode(Encoded("", (replacement,), ()), "la casa", dictionary).text == "la mesa"


def test_a_conjunction_fits_the_sound_of_the_original() -> None:
    into_spanish = Dictionary(
        [entry("identified", "VBD", ["identificó"]), entry("checked", "VBD", ["comprobó"])],
        {"target": "es"},
        "test",
    )

    def undo(word: str, substitute: str, answer: str) -> str:
        record = (Replacement(0, 1, word, substitute, Kind.WORD, "VBD", 5),)
        return decode(Encoded("", record, ()), answer, into_spanish).text

    assert undo("checked", "identified", "Vino e identificó todo.") == "Vino y comprobó todo."
    assert undo("identified", "checked", "Vino y comprobó todo.") == "Vino e identificó todo."


def adjective(word: str, text: str, around: str) -> Entry:
    return Entry(word, "JJ", (Form(text, 9, ("house",)),), around, 0.9, 1)


def participle(word: str, text: str, after: str) -> Entry:
    return Entry(word, "VBN", (Form(text, 9, ("perfect",)),), f"ha _ | {after} | v", 0.9, 1)


ENTRIES = (
    adjective("wooden", "madera", "la casa de _"),
    adjective("red", "rojo", "la casa _"),
    adjective("normal", "normal", "la casa era _ ."),
    adjective("calm", "tranquilo", "la casa _ estaba allí ."),
    participle("refused", "rechazado", "_ ir allí ."),
    participle("decided", "decidido", "_ para ir allí ."),
    participle("tried", "intentado", "_ de ir allí ."),
)


def fitted(word: str, substitute: str, tag: str, sent: str, answer: str) -> str:
    replacement = Replacement(0, 1, word, substitute, Kind.WORD, tag)
    dictionary = Dictionary(ENTRIES, {}, "test")
    return decode(Encoded(sent, (replacement,), ()), answer, dictionary).text


def test_an_adjective_has_the_company_of_its_own_class() -> None:
    assert fitted("wooden", "red", "JJ", "a red boat", "un bote rojo") == "un bote de madera"
    assert fitted("red", "wooden", "JJ", "a wooden boat", "un bote de madera") == "un bote rojo"


def test_an_adjective_brings_no_verb_of_its_frame() -> None:
    sent = "the boat was calm"
    assert fitted("normal", "calm", "JJ", sent, "el bote estaba tranquilo").endswith(
        "estaba normal"
    )
    assert fitted("calm", "normal", "JJ", sent, "el bote era normal").endswith("era tranquilo")


def test_before_an_infinitive_stands_the_preposition_of_the_original() -> None:
    def undone(word: str, substitute: str, answer: str, sent: str = "") -> str:
        return fitted(word, substitute, "VBN", sent or f"has {substitute} to go", answer)

    assert undone("refused", "decided", "ha decidido para ir") == "ha rechazado ir"
    assert undone("decided", "refused", "ha rechazado ir") == "ha decidido para ir"
    assert undone("tried", "decided", "ha decidido para ir") == "ha intentado de ir"
    assert undone("refused", "decided", "ha decidido para todos", "has decided for all") == (
        "ha rechazado para todos"
    )
    for whom in ("the man", "Oscar", "him"):  # no infinitive
        said = f"ha decidido para {whom}"
        assert undone("refused", "decided", said, f"has decided to {whom}") == (
            f"ha rechazado para {whom}"
        )


def verb(word: str, text: str, that: str, to: str = "_ para ir allí .") -> Entry:
    forms = (Form(text, 9, ("she", "Number=Sing", "Person=3")),)
    return Entry(word, "VBZ", forms, f"_ allí . | {to} / {that} | v", 0.9, 1)


@pytest.mark.parametrize(
    ("sent", "answer", "expected"),
    [
        ("He hides she is there.", "Esconde es allí.", "Piensa que es allí."),
        ("He hides the man is there.", "Esconde el hombre es.", "Piensa que el hombre es."),
        ("He hides the man.", "Esconde el hombre.", "Piensa el hombre."),
        ("He hides if she is there.", "Esconde si es allí.", "Piensa si es allí."),
        ("He hides that she is there.", "Esconde que es allí.", "Piensa que es allí."),
    ],
)
def test_before_a_clause_stands_the_conjunction_of_the_original(
    sent: str, answer: str, expected: str
) -> None:
    thinks = verb("thinks", "piensa", "_ que era allí .")
    words = Dictionary([thinks, verb("hides", "esconde", "_ era allí .")], {}, "test")
    replacement = Replacement(1, 1, "thinks", "hides", Kind.WORD, "VBZ")
    assert decode(Encoded(sent, (replacement,), ()), answer, words).text == expected


def test_a_verb_whose_substitute_was_taken_for_a_noun_keeps_its_own_number() -> None:
    sums = Entry(
        "sums", "NNS", (Form("sumas", 9, ("Number=Plur",)),), "las _ | _ / _ para ir allí .", 0.9, 1
    )
    likes = verb("likes", "le gusta", "_ era allí .", "_ ir allí .")
    liked = Form("les gustó", 5, ("they", "Number=Plur"))
    likes = likes.replace_forms([*likes.forms, liked])
    replacement = Replacement(1, 1, "likes", "sums", Kind.WORD, "VBZ")
    encoded = Encoded("Riley sums to sleep", (replacement,), ())
    result = decode(encoded, "Riley sumas para dormir", Dictionary([sums, likes], {}, "test"))
    assert result.text == "Riley le gusta dormir"


def test_the_article_fits_the_sound_of_the_original() -> None:
    water = noun("water", "agua", FEM)
    a_la = before("a la", Form("a la", 5, (*FEM, LETTERS + "a")), Form("al", 5, (*MASC, LETTERS)))
    al = before("al", Form("al", 5, (*MASC, LETTERS)), Form("a la", 5, (*FEM, LETTERS + "a")))
    la = before("la", Form("la", 5, (*FEM, LETTERS + "a")), Form("el", 5, (*MASC, LETTERS)))
    known = Dictionary([*NOUNS, water, a_la, al, la], {"target": "es"}, "test")

    def undo(substitute: str, answer: str) -> str:
        record = (Replacement(0, 1, "water", substitute, Kind.WORD, "NN"),)
        return decode(Encoded("", record, ()), answer, known).text

    assert undo("house", "la casa es") == "el agua es"
    assert undo("house", "va a la casa") == "va al agua"
    assert undo("book", "va al libro") == "va al agua"


def test_a_comparative_has_its_company_where_the_translator_left_the_substitute_alone() -> None:
    sooner = Entry("later", "RBR", (Form("tarde", 9, ("adverb",)),), "corrió más _ .", 0.9, 1)
    there = Entry("there", "RB", (Form("allí", 9, ("adverb",)),), "corrió _ .", 0.9, 1)
    left = entry("diplomat", tag=f"{LEFT_PREFIX}NN", forms=["diplomat"])
    record = (Replacement(1, 1, "later", "diplomat", Kind.UNKNOWN, "RBR", 9, Surface(left.tag)),)
    words = Dictionary([sooner, there, left], {}, "test")
    assert (
        decode(Encoded("two diplomat", record, ()), "dos diplomat", words).text == "dos más tarde"
    )


def test_where_both_words_are_not_known_the_last_alone_is_exchanged() -> None:
    plural = ("Gender=Masc", "Number=Plur")
    los = before("los", Form("los", 5, (*plural, LETTERS)), LA.forms[0], LA.forms[1])
    both = before("de los", Form("de los", 5, (*plural, LETTERS)))
    known = (noun("man", "hombre", plural), both, DE_LA, los)
    la = before("los", Form("los", 5, (*plural, "Initial=h")), Form("la", 5, (*FEM, LETTERS)))
    assert restored("fuera de los hombre", "house", "man", *known[:3], la) == "fuera de la casa"
    # *de el* is never written
    assert restored("fuera de los hombre", "book", "man", *known) == "fuera de los libro"


def pair(*texts: str) -> list[Entry]:
    """Return words before nouns of each gender and number, which know each other."""
    kinds = [(g, f"Number={n}") for g in (FEM[0], MASC[0]) for n in ("Sing", "Plur")]
    forms = [Form(text, 5, (*kind, LETTERS)) for text, kind in zip(texts, kinds, strict=True)]
    return [before(text, *forms) for text in texts]


def test_words_before_the_noun_change_up_to_the_first_that_is_not_known() -> None:
    words = (
        *pair("outra", "outras", "outro", "outros"),
        *pair("a outra", "as outras", "o outro", "os outros"),
        *pair("toda a", "todas as", "todo o", "todos os"),
        *pair("para a", "para as", "para o", "para os"),
    )
    assert restored("todo o outro libro", "house", "book", *words) == "toda a outra casa"
    assert restored("para o outro libro", "house", "book", *words) == "para a outra casa"
    assert restored("contra o outro libro", "house", "book", *words) == "contra a outra casa"


def test_an_article_changes_although_the_translator_gave_the_substitute_another_gender() -> None:
    def told(word: str, text: str, frame: str, *features: str) -> Entry:
        return Entry(word, "NN", (Form(text, 9, features),), frame, 0.9, 1, method="packed")

    adjectives = Form("roja", 9, (*FEM, "house")), Form("rojo", 9, (*MASC, "book"))
    known = (
        Entry("red", "JJ", adjectives, "", 0.9, 1, method="packed"),
        told("capital", "capital", "la _ roja", *FEM),
        told("street", "calle", "la _ roja", *FEM),
        told("streets", "calles", "las _ rojas", FEM[0], "Number=Plur"),
        *pair("de la", "de las", "del", "de los"),
        *pair("una", "unas", "un", "unos"),
    )
    assert restored("fuera del capital", "street", "capital", *known) == "fuera de la calle"
    assert restored("unos capital", "street", "capital", *known) == "unos calle"
