"""Target forms get their categories from a treebank, from frames, and from their translations."""

import pytest

from prism_core.building import Endings, add_attested_forms, annotate_features, drop_misread_entries
from prism_core.dictionary import ASSOCIATED, Entry, Form
from prism_core.errors import ConfigurationError

FINITE = frozenset({"Number=Sing", "Person=3", "VerbForm=Fin"})
MALE = frozenset({"Gender=Masc"})
PARTICIPLE = frozenset({"Gender=Fem", "Number=Plur", "VerbForm=Part"})


def endings(*more) -> Endings:
    verbs = [(f"{stem}aba", "VERB", FINITE) for stem in "cant habl mir lleg entr pas".split()]
    verbs += [(f"{stem}adas", "VERB", PARTICIPLE) for stem in "cant mir dict pint usadx".split()]
    return Endings([*verbs, *more])


def entry(word, tag, *forms, method="packed") -> Entry:
    return Entry(word, tag, forms, "", 0.9, 1, "t", method)


def test_a_form_has_the_features_of_the_words_that_end_so() -> None:
    assert endings().find_features("lavaba", "VBD") == ("Number=Sing", "Person=3", "VerbForm=Fin")


def test_a_word_that_is_another_part_of_speech_alone_is_described_as_that() -> None:
    house = ("casa", "NOUN", frozenset({"Gender=Fem", "Number=Sing"}))
    assert endings(house).find_features("casa", "VB") == ("Gender=Fem", "Number=Sing")
    assert endings(("sobraba", "ADP", frozenset())).find_features("sobraba", "VBD") == ()


def test_a_word_seen_once_is_not_told_by_a_category_in_which_its_ending_differs() -> None:
    cases = ["Nom", "Acc", "Dat"]
    seen = [(f"{s}ten", "ADJ", frozenset({f"Case={cases[i % 3]}"})) for i, s in enumerate("abcdef")]
    once = Endings([*seen, ("roten", "ADJ", frozenset({"Case=Acc", "Number=Plur"}))])
    often = Endings([*seen, *[("roten", "ADJ", frozenset({"Case=Acc"}))] * 3])
    assert once.find_features("roten", "JJ") == ("Number=Plur",)
    assert often.find_features("roten", "JJ") == ("Case=Acc",)


def test_a_frame_tells_what_an_ending_leaves_open() -> None:
    (described,) = annotate_features([entry("hope", "VBP", Form("espero", 1, ("i",)))], endings())
    assert described.forms[0].features == ("i", "Number=Sing", "Person=1")


def test_a_frame_that_was_asked_for_wins_over_an_ending_of_another_word() -> None:
    asked = entry("say", "VBP", Form("dicaba", 1, ("we",)))
    read = entry("tell", "VBP", Form("contaba", 1, ("we",)), method="corpus")
    of_asked, of_read = annotate_features([asked, read], endings())
    assert of_asked.forms[0].features == ("we", "Number=Plur", "Person=1")
    assert of_read.forms[0].features == ("we", "Number=Sing", "Person=3", "VerbForm=Fin")


def test_a_verb_with_a_person_has_no_gender_where_no_word_has_both() -> None:
    (described,) = annotate_features([entry("say", "VBP", Form("dicadas", 1, ("you",)))], endings())
    assert described.forms[0].features == ("you", "Number=Plur", "Person=2", "VerbForm=Part")


def test_a_frame_of_a_class_tells_nothing_of_one_form() -> None:
    red = [
        entry(f"red{i}", "JJ", Form(f"roj{i}a", 1, ("s0",)), Form(f"roj{i}o", 1, ("s1",)))
        for i in range(30)
    ]
    assert all("=" not in f for e in annotate_features(red, endings()) for f in e.forms[0].features)


def test_the_class_of_a_noun_tells_its_gender_before_its_ending_does() -> None:
    stems = "bcdfghlmnprst"
    ends = [(f"{s}{t}ung", "NOUN", frozenset({"Gender=Fem"})) for s in stems for t in "ae"]
    known = Endings([*ends, *((w.replace("ung", "er"), k, MALE) for w, k, _ in ends)])
    nouns = [entry(w, "NN", Form(w, 1, ("class0",)), method="corpus") for w, *_ in ends]
    ship = entry("leap", "NN", Form("Sprung", 1, ("class1",)), method="corpus")
    others = [
        entry(w, "NN", Form(w.replace("ung", "er"), 1, ("class1",)), method="corpus")
        for w, *_ in ends
    ]
    *_, described = annotate_features([*nouns, *others, ship], known)
    assert described.forms[0].features == ("class1", "Gender=Masc")


TREEBANK = """
1 schöne schön ADJ _ Case=Nom|Degree=Pos|Gender=Fem|Number=Sing _ _ _ _
2 schönen schön ADJ _ Case=Acc|Degree=Pos|Gender=Masc|Number=Sing _ _ _ _
3 schöner schön ADJ _ Case=Nom|Degree=Pos|Gender=Masc|Number=Sing _ _ _ _
4 Zeitung Zeitung NOUN _ Case=Nom|Gender=Fem|Number=Sing _ _ _ _
5 Leitung Leitung NOUN _ Case=Nom|Gender=Fem|Number=Sing _ _ _ _
6 bringt bringen VERB _ VerbForm=Fin _ _ _ _
"""


def test_adjectives_that_have_cases_are_told_by_their_endings(tmp_path) -> None:
    (tmp_path / "de.conllu").write_text(TREEBANK.replace(" ", "\t"), encoding="utf-8")
    known = Endings.learn(tmp_path / "de.conllu")
    rows = [
        entry("open", "JJ", Form("offen", 1), Form("offene", 1), Form("offenen", 1)),
        entry("given", "VBN", Form("gegeben", 1), Form("gegebene", 1)),
        entry("guidance", "VB", Form("Leitung", 1)),
    ]
    given = {
        form.text: [one for one in form.features if "=" in one]
        for row in annotate_features(rows, known)
        for form in row.forms
    }
    assert given["offen"] == given["gegeben"] == ["Ending=none"]
    assert given["offene"] == given["gegebene"] == ["Ending=e"]
    assert given["offenen"] == ["Ending=en"]
    assert given["Leitung"] == ["Case=Nom", "Gender=Fem", "Number=Sing"]  # no verb


def test_an_inflection_that_stands_in_translations_becomes_the_last_form() -> None:
    sung = entry("sing", "VBD", Form("cantaba", 4, ("she", "Number=Sing", "VerbForm=Fin")))
    beside = entry("sing", ASSOCIATED, Form("cantadas", 0.3), Form("llegaba", 0.3))
    added, same = add_attested_forms([sung, beside], endings())
    assert added.forms.texts == ("cantaba", "cantadas")
    assert added.forms[1] == Form("cantadas", 2, ("Gender=Fem", "Number=Plur", "VerbForm=Part"))
    assert same is beside


def test_no_inflection_is_added_to_a_noun_or_from_a_known_noun() -> None:
    song = entry("song", "NN", Form("cantaba", 4, ("noun",)))
    beside = entry("song", ASSOCIATED, Form("cantadas", 0.3))
    assert next(iter(add_attested_forms([song, beside], endings()))) is song
    sung = entry("sing", "VBD", Form("cantaba", 4, ("she",)))
    noun = entry("songs", "NNS", Form("cantadas", 4, ("noun",)))
    beside = entry("sing", ASSOCIATED, Form("cantadas", 0.3))
    assert next(iter(add_attested_forms([sung, noun, beside], endings()))) is sung


SPOKEN = """
1 ging gehen VERB _ Mood=Ind|Number=Sing|Tense=Past|VerbForm=Fin _ _ _ _
1 gingen gehen VERB _ Mood=Ind|Number=Plur|Tense=Past|VerbForm=Fin _ _ _ _
1 gegangen gehen VERB _ VerbForm=Part _ _ _ _
1 Stunden Stunde NOUN _ Number=Plur _ _ _ _
1 Tage Tag NOUN _ Case=Nom|Number=Plur _ _ _ _
1 Tagen Tag NOUN _ Case=Dat|Number=Plur _ _ _ _
1 Tages Tag NOUN _ Case=Gen|Number=Sing _ _ _ _
1 schöne schön ADJ _ Case=Nom|Degree=Pos|Gender=Fem|Number=Sing _ _ _ _
1 verurteilt verurteilen VERB _ Mood=Ind|Tense=Pres|VerbForm=Fin _ _ _ _
"""  # one ending of adjectives is enough for a language to have some


@pytest.fixture
def spoken(tmp_path) -> Endings:
    lines = SPOKEN.strip().replace(" ", "\t")
    (tmp_path / "de.conllu").write_text("\n".join([lines] * 4), encoding="utf-8")
    return Endings.learn(tmp_path / "de.conllu")


def test_what_a_treebank_has_as_the_same_word_becomes_a_form(spoken) -> None:
    went = entry("went", "VBD", Form("ging", 4, ("she",)), method="corpus")
    days = entry("days", "NNS", Form("Tage", 4, ("noun",)), method="corpus")
    asked = entry("went", "VBD", Form("ging", 4, ("she",)), method="packed")
    verb, noun, same = add_attested_forms(annotate_features([went, days, asked], spoken), spoken)
    assert verb.forms.texts == ("ging", "gingen", "gegangen")
    assert noun.forms.texts == ("Tage", "Tagen")  # of its number alone
    assert same.forms.texts == ("ging",)


def test_a_participle_that_looks_like_a_present_is_one_and_a_past_is_none(spoken) -> None:
    assert spoken.find_features("verurteilt", "VBN") == ()
    assert "VerbForm=Fin" in spoken.find_features("ging", "VBN")


def test_a_reading_that_no_form_bears_out_goes_or_becomes_a_noun(spoken) -> None:
    taken = entry("overtime", "JJ", Form("Stunden", 4), method="corpus")
    noun = entry("overtime", "NN", Form("Stunden", 4), method="corpus")
    assert list(drop_misread_entries([taken, noun], spoken)) == [noun]
    assert [one.tag for one in drop_misread_entries([taken], spoken)] == ["NN"]
    asked = taken._replace(method="packed")
    assert list(drop_misread_entries([asked, noun], spoken)) == [asked, noun]


def test_what_is_no_treebank_is_an_error_of_the_user(tmp_path) -> None:
    (tmp_path / "text").write_text("no columns")
    for name in ("text", "missing"):
        with pytest.raises(ConfigurationError):
            Endings.learn(tmp_path / name)
