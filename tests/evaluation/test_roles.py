"""Swapped roles: figures that are known beforehand, and those of real output."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from prism_core.decoding import SearchStrategy
from prism_core.dictionary import Dictionary, Entry, Form
from prism_core.encoding import Encoder, make_encoder
from prism_core.errors import ConfigurationError
from prism_core.evaluation import read_answered, role_row
from prism_core.evaluation.recovery_fitting import FittedRates
from prism_core.evaluation.role_swap import (
    FormCategories,
    Swapped,
    SwappedPlace,
    fit_rates,
    swap,
    swap_roles,
)
from prism_core.evaluation.roles import AnsweredText, RoleFigures, load_roles_encoder, measure_roles
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence
from prism_core.mechanisms import make_mechanism
from prism_core.record import Kind, Replacement
from prism_core.recovery import Rate
from prism_core.settings import MechanismSettings, load_settings
from tests.shared_data import shared
from tests.words import dictionary, entry, sentence

NOUNS = {"house": "casa", "table": "mesa", "letter": "carta", "window": "ventana"}
LEFT = ("frobnicator", "gizmo", "doodad", "widget")


def row(
    word: str, tag: str, forms: dict[str, str], translator: str, *, confidence: float = 0.95
) -> Entry:
    """An entry with a feature for each form; a form of feature ``-`` was seen in no frame."""
    made = [
        Form(text, 1.0, () if feature == "-" else (feature,)) for text, feature in forms.items()
    ]
    return Entry(word, tag, made, "g", confidence, 1, translator)


def words() -> Dictionary:
    left = [entry(word, "LEFT-NN", [word], agreement="") for word in LEFT]
    return dictionary(*(entry(word, "NN", [form]) for word, form in NOUNS.items()), *left)


def encoder(of: Dictionary | None = None) -> Encoder:
    """Draws are uniform: so what is to be expected is easily worked out."""
    of = of or words()
    settings = MechanismSettings.choose(threshold=0.5, minimum_pool=2, draws="uniform")
    return make_encoder(of, make_mechanism(settings, of))


def the(*nouns: str) -> Sentence:
    """*the house the table*, and so on."""
    return sentence(*(token for noun in nouns for token in ("the/DT", f"{noun}/NN")))


def text(*pairs: tuple[Sentence, str], public: bool = False) -> AnsweredText:
    lines = [(sentence,) for sentence, _ in pairs]
    return AnsweredText("mine", "theirs", lines, [answer for _, answer in pairs], public)


def before(word: str, *forms: Form) -> Entry:
    return Entry(word, "BEFORE", forms, "", 0, 0)


def place(word: str, shown: str | None, tag: str = "NN", kind: Kind = Kind.WORD) -> SwappedPlace:
    return SwappedPlace(Replacement(0, 1, "drawn", word, kind, tag), shown)


def fitted(places: list[SwappedPlace]) -> FittedRates:
    return fit_rates([Swapped(tuple(places), False, False)], words())


def measured(*pairs: tuple[Sentence, str]) -> RoleFigures:
    return measure_roles(encoder(), text(*pairs), Random(1))


def test_the_words_of_the_text_become_the_substitutes_and_are_looked_for() -> None:
    source = the("house", "table")
    encoded = encoder().encode(source, DenyList(), Random(1))
    swapped = swap_roles(encoded, source.text.strip())
    assert swapped.text == "the house the table"
    assert [one.substitute for one in swapped.record] == ["house", "table"]
    assert [one.word for one in swapped.record] == [one.substitute for one in encoded.record]


def test_words_and_sentences_found_are_counted() -> None:
    figures = measured(
        (the("house", "table"), "la casa la mesa"),
        (the("house", "letter"), "la vivienda la carta"),
    )
    assert figures.words_found == 3 / 4
    assert figures.sentences_found == figures.sentences_found_elimination == 1 / 2


def test_a_line_is_looked_at_as_a_whole_and_sent_by_its_sentences() -> None:
    lines = AnsweredText("mine", "theirs", [(the("house"), the("table"))], ["la mesa la cosa"])
    figures = measure_roles(encoder(), lines, Random(1), drawn_for=[the("house"), the("table")])
    assert (figures.words_found, figures.sentences_found) == (1 / 2, 0)
    assert figures == measure_roles(encoder(), lines, Random(1))


def test_sentences_without_a_word_to_be_found_are_not_counted() -> None:
    figures = measured(
        (the("house"), "la casa"), (sentence("the/DT", "of/IN"), "el de"), (the("xylem"), "xilema")
    )
    assert (figures.words_found, figures.sentences_found) == (1, 1)


def test_numbers_count_and_names_do_not() -> None:
    source = sentence("the/DT", "house/NN", "of/IN", "Nora/NNP/PERSON", "has/VBZ", "25/CD", "./.")
    swapped = swap(encoder(), source, "la casa de Eleonora tiene 25 .", Random(1))
    assert swapped is not None
    assert {one.replacement.substitute for one in swapped.counted} == {"house", "25"}
    assert swapped.all_found
    assert not swap(encoder(), source, "la casa de Nora tiene 26 .", Random(1)).all_found


def test_with_all_found_a_run_is_expected_to_restore_all() -> None:
    pairs = [(the(word), f"la {form}") for word, form in NOUNS.items()]
    figures = measured(*pairs)
    assert figures.expected_first_send == figures.expected_three_draws == 1
    assert figures.precision_sample is None


def test_with_nothing_found_a_run_is_expected_to_restore_nothing() -> None:
    figures = measured(*((the(word), "nada") for word in NOUNS))
    assert figures.words_found == figures.expected_first_send == figures.expected_three_draws == 0


def test_each_word_of_a_group_has_the_same_weight_however_often_it_is_seen() -> None:
    often = [place("house", "casa")] * 98
    rates = fitted([*often, place("table", None), place("letter", None)])
    (of_all,) = rates.by_group.values()
    assert of_all.share == pytest.approx(1 / 3)
    assert rates.rate_of(place("window", None).replacement) == pytest.approx(1 / 3)
    assert rates.rate_of(often[0].replacement) > 0.98
    assert rates.rate_of(place("table", None).replacement) == pytest.approx(2 / 9)


def test_what_is_expected_follows_from_the_rates_of_what_is_drawn() -> None:
    """Half of the words are found always, half never: a draw of two words comes back as 2/12, and
    lacks one as 8/12, for which another two are drawn."""
    pairs = [(the(w), f"la {NOUNS[w]}") for w in ("house", "table")] * 400
    pairs += [(the(w), "nada") for w in ("letter", "window")] * 400
    asked = [the("house", "window")] * 600
    figures = measure_roles(encoder(), text(*pairs), Random(5), drawn_for=asked)
    assert figures.words_found == 1 / 2
    assert figures.expected_first_send == pytest.approx(1 / 6, abs=0.05)
    assert figures.expected_three_draws == pytest.approx(1 / 6 + 2 / 3 * 3 / 4, abs=0.05)


def test_stand_ins_count_as_often_as_they_are_left_alone() -> None:
    """An unknown word becomes one that the dictionary says is left alone, and here never is."""
    known = [(the("house"), "la casa")] * 10
    seen = [(the(word), "cosa") for word in LEFT]
    figures = measure_roles(encoder(), text(*known, *seen), Random(1), drawn_for=[the("xylem")])
    assert figures.words_found == 1
    assert figures.expected_first_send == 0


def test_names_count_by_the_list_they_are_drawn_from() -> None:
    found = [place("Perth", "Perth", "PLACE", Kind.NAME), place("Leeds", None, "PLACE", Kind.NAME)]
    rates = fitted([*found, place("Smith", None, "PERSON", Kind.NAME)])
    assert rates.by_group == {("name", "PLACE"): Rate(pytest.approx(1 / 2), 2)}
    for name in ("Denver", "DENVER", "Q", "Nora Perth"):
        assert rates.rate_of(place(name, None, "PERSON", Kind.NAME).replacement) == pytest.approx(
            1 / 2
        )
    assert rates.rate_of(place("17", None, "CARDINAL", Kind.NUMBER).replacement) == 1


def test_a_form_of_another_category_is_wrong_and_one_of_unknown_category_is_not_judged() -> None:
    asked = row("begin", "VBD", {"comenzó": "she", "comenzaron": "they"}, "apertium")
    seen = row("move", "VBD", {"mudó": "-", "mudaron": "-", "mudara": "-"}, "google")
    moved = row("move", "VBD", {"mudó": "she", "mudaron": "they"}, "apertium")
    known = FormCategories(dictionary(asked, seen._replace(others=(moved,))))
    assert known.differ("comenzaron", "mudó") is True
    assert known.differ("Comenzaron", "mudaron") is False
    assert known.differ("comenzaron", "mudara") is None


def test_a_noun_of_the_other_gender_is_a_wrong_form_where_both_are_known() -> None:
    nouns = [
        Entry("house", "NN", [Form("casa", 1, ("noun", "class0"))], "g", 0.9, 1),
        Entry("book", "NN", [Form("libro", 1, ("noun", "class1"))], "g", 0.9, 1),
        Entry("bridge", "NN", [Form("puente", 1, ("noun",))], "g", 0.9, 1),
        Entry("houses", "NNS", [Form("casas", 1, ("noun",))], "g", 0.9, 1),
    ]
    known = FormCategories(dictionary(*nouns))
    assert known.differ("casa", "libro") is True
    assert known.differ("casa", "puente") is False
    assert known.differ("libro", "puente") is False
    assert known.differ("casa", "casas") is True


def test_participles_agree_by_gender_and_number_and_declined_adjectives_by_their_ending() -> None:
    worn = ("passive_she", "Gender=Masc", "Number=Sing", "VerbForm=Part")
    given = ("perfect", "Gender=Masc", "Number=Sing", "VerbForm=Part")
    made = ("passive_she", "Gender=Fem", "Number=Sing", "VerbForm=Part")
    known = FormCategories(
        dictionary(
            Entry("worn", "VBN", [Form("porté", 1, worn)], "g", 0.9, 1),
            Entry("given", "VBN", [Form("donné", 1, given)], "g", 0.9, 1),
            Entry("made", "VBN", [Form("faite", 1, made)], "g", 0.9, 1),
            Entry("young", "JJ", [Form("jungen", 1, ("s3", "Ending=en"))], "g", 0.9, 1),
            Entry("old", "JJ", [Form("alten", 1, ("p1", "Ending=en"))], "g", 0.9, 1),
            Entry("new", "JJ", [Form("neue", 1, ("p1", "Ending=e"))], "g", 0.9, 1),
            Entry("sad", "JJ", [Form("triste", 1, ("s0", "Number=Sing"))], "g", 0.9, 1),
            Entry("high", "JJ", [Form("haute", 1, ("s1", "Gender=Fem"))], "g", 0.9, 1),
        )
    )
    assert known.differ("porté", "donné") is False
    assert known.differ("faite", "donné") is True
    assert known.differ("jungen", "alten") is False
    assert known.differ("alten", "neue") is True
    assert known.differ("haute", "triste") is False  # the same beside either gender


def test_plurals_have_a_gender_where_the_language_has_plurals_of_one() -> None:
    def differ(target: str) -> bool | None:
        rows = [
            Entry(text, "NNS", [Form(text, 1, ("noun", f"class{n}"))], "g", 0.9, 1)
            for n, text in enumerate(("Tage", "Wochen"))
        ]
        return FormCategories(Dictionary(rows, {"target": target}, "t")).differ("Tage", "Wochen")

    assert differ("de") is False
    assert differ("fr") is True


def test_persons_that_a_verb_writes_alike_are_one_category_and_tenses_are_not() -> None:
    past = ("Mood=Ind", "Number=Sing", "Person=3", "Tense=Past", "VerbForm=Fin")
    known = FormCategories(
        dictionary(
            Entry("went", "VBD", [Form("ging", 1, ("i", *past))], "g", 0.9, 1),
            Entry("came", "VBD", [Form("kam", 1, ("she", *past))], "g", 0.9, 1),
            Entry("comes", "VBZ", [Form("kommt", 1, ("she", "Tense=Pres"))], "g", 0.9, 1),
        )
    )
    assert known.differ("ging", "kam") is False
    assert known.differ("ging", "kommt") is True


@pytest.mark.parametrize(("answer", "share"), [("la casa", 0), ("la casa blanca", 0.5)])
def test_a_noun_of_the_other_gender_is_right_where_all_beside_it_agrees(
    answer: str, share: float
) -> None:
    fem, masc = ("Gender=Fem", "Number=Sing"), ("Gender=Masc", "Number=Sing")
    nouns = [
        Entry("house", "NN", [Form("casa", 1, ("noun", "class0", *fem))], "g", 0.9, 1),
        Entry("book", "NN", [Form("libro", 1, ("noun", "class1", *masc))], "g", 0.9, 1),
        Entry("white", "JJ", [Form("blanca", 1, ("house", *fem))], "g", 0.1, 1),
        before("la", Form("la", 5, (*fem, "Initial=c")), Form("el", 5, (*masc, "Initial=l"))),
        before("el", Form("el", 5, (*masc, "Initial=l"))),
    ]
    figures = measure_roles(
        encoder(dictionary(*nouns)), text(*[(the("house"), answer)] * 100), Random(3)
    )
    assert figures.wrong_form == pytest.approx(share, abs=0.2 * share)


def test_wrong_forms_are_a_share_of_the_restored_words() -> None:
    verbs = [
        row("began", "VBD", {"comenzó": "she", "comenzaron": "they"}, "apertium"),
        row("moved", "VBD", {"mudó": "she"}, "apertium"),
    ]
    encoder_of_verbs = encoder(dictionary(*verbs))
    pairs = [
        (sentence("they/PRP", "began/VBD"), "ellos comenzaron"),
        (sentence("they/PRP", "began/VBD"), "ella comenzó"),
    ]
    figures = measure_roles(encoder_of_verbs, text(*pairs * 200), Random(3))
    assert figures.wrong_form == pytest.approx(1 / 4, abs=0.06)


def test_words_are_shown_only_of_public_text_and_only_when_asked() -> None:
    pairs = [(the("house"), "la casa"), (the("window"), "la ventanas")]
    shown = measure_roles(encoder(), text(*pairs, public=True), Random(1), sample=9)
    assert shown.precision_sample is not None
    assert set(shown.precision_sample) == {
        ("house", "casa", SearchStrategy.FORM),
        ("window", "ventanas", SearchStrategy.NEAR),
    }
    with pytest.raises(ConfigurationError, match="not known to be public"):
        measure_roles(encoder(), text(*pairs), Random(1), sample=9)


def test_answers_that_are_not_line_by_line_are_refused(tmp_path: Path) -> None:
    source, answers = tmp_path / "a.en", tmp_path / "a.google.es"
    source.write_text("One.\nTwo.\n")
    answers.write_text("Uno.\n")
    with pytest.raises(ConfigurationError, match="2 lines"):
        read_answered(source, answers, LanguageModel.load("en"))


def test_so_many_lines_are_evenly_spread(tmp_path: Path) -> None:
    source, answers = tmp_path / "a.en", tmp_path / "a.google.es"
    source.write_text("".join(f"Word {number}.\n" for number in range(10)))
    answers.write_text("".join(f"Palabra {number}.\n" for number in range(10)))
    found = read_answered(source, answers, LanguageModel.load("en"), most=3)
    assert list(found.translations) == ["Palabra 0.", "Palabra 3.", "Palabra 6."]
    assert (found.corpus, found.answers, found.public) == ("a", "a.google.es", False)


def test_a_mechanism_without_pools_is_refused() -> None:
    settings = load_settings(flags={"mechanism.name": "prism-r"})
    with pytest.raises(ConfigurationError, match="prism-star"):
        load_roles_encoder(settings, "google")


@pytest.fixture(scope="module")
def real() -> AnsweredText:
    folder = shared("wmt/en-es")
    source, answers = folder / "wmt13.en", folder / "wmt13.google.es"
    return read_answered(source, answers, LanguageModel.load("en"), most=150)


def row_at(real: AnsweredText, **flags: float) -> dict[str, object]:
    settings = load_settings(flags={f"mechanism.{name}": value for name, value in flags.items()})
    return role_row(settings, real, "google")


@pytest.fixture(scope="module")
def low(real: AnsweredText) -> dict[str, object]:
    return row_at(real, threshold=0.2)


def test_real_output_has_most_words_and_surer_draws_come_back_more(real: AnsweredText, low) -> None:
    unsure = row_at(real, threshold=0.2, draw_from=0.0)
    assert list(low) == [
        *("pair", "corpus", "answers", "tau", "words_found", "sentences_found"),
        *("sentences_found_elimination", "expected_first_send", "expected_three_draws"),
        *("wrong_form", "precision_sample"),
    ]
    assert (low["pair"], low["corpus"], low["tau"]) == ("en-es", "wmt13", 0.2)
    assert 0.8 < low["words_found"] < 1
    assert 0.3 < low["sentences_found"] < low["sentences_found_elimination"] < 1
    assert unsure["expected_first_send"] < low["expected_first_send"]
    assert low["expected_first_send"] < low["expected_three_draws"] < 1
    assert 0 < low["wrong_form"] < 0.25


def test_the_same_seed_gives_the_same_figures(real: AnsweredText, low) -> None:
    assert row_at(real, threshold=0.2) == low
