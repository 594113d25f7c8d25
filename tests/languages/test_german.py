"""German as a source language: its words, nouns with capitals, and what agrees in what is sent."""

from random import Random

import pytest

from prism_core.building import find_candidates, lend_entries, lowercase_nouns
from prism_core.dictionary import Dictionary
from prism_core.encoding import make_encoder
from prism_core.errors import ConfigurationError
from prism_core.identifiers import DenyList, IdentifierFinder
from prism_core.identifiers.disguises import SpelledNumbers
from prism_core.identifiers.spans import SpanFinder
from prism_core.language import Sentence, Token, penn_tag
from prism_core.language.boundaries import BoundaryRules, Guess
from prism_core.language.sentence import correct_noun_tags
from prism_core.languages import load_language, require_source
from prism_core.mechanisms import make_mechanism
from prism_core.mechanisms.word_classes import GRAMMAR, classify
from prism_core.settings import MechanismSettings
from tests.words import ENGLISH, entry, names, nouns

GERMAN = load_language("de")
SPANS = SpanFinder(GERMAN)


def sentence(*words: tuple[str, str]) -> Sentence:
    return Sentence(tuple(Token(word, " ", tag) for word, tag in words))


def named(*words: tuple[str, str]) -> set[str]:
    dictionary = Dictionary([entry("haus", "NN-N"), *names()], {}, "de", GERMAN)
    cut, identifiers = IdentifierFinder(dictionary).find(sentence(*words))
    return {one.text_in(cut) for one in identifiers}


def test_german_is_refused_unless_it_is_accepted_as_experimental() -> None:
    with pytest.raises(ConfigurationError, match=r"German is experimental.*--experimental"):
        require_source("de", experimental=False)
    require_source("de", experimental=True)


@pytest.mark.parametrize("word", "im zum beim ans zur an zurück Herr Sie würde z.B.".split())
def test_contractions_and_what_stands_apart_from_a_verb_are_kept(word: str) -> None:
    dictionary = Dictionary([], {}, "de", GERMAN)
    assert classify(Token(word, " ", "JJ-E"), dictionary) is GRAMMAR


@pytest.mark.parametrize("initial", "A B. D. H. U. Z.".split())
def test_no_initial_of_a_name_is_a_word_of_grammar(initial: str) -> None:
    assert not GERMAN.is_function_word(initial)


def test_the_capital_of_a_noun_makes_it_no_name() -> None:
    words = (
        ("Die", "DT"), ("Krankenhausleitung", "NN-F"), ("hat", "VBP-3S"), ("den", "DT"),
        ("Vertrag", "NN-M"), ("mit", "IN"), ("Brzoska", "NNP"), (".", "."),
    )  # fmt: skip
    assert named(*words) == {"Brzoska"}


@pytest.mark.parametrize(
    ("words", "hidden"),
    [
        ((("Herr", "NN-M"), ("Koch", "NN-M"), ("schrieb", "VBD-S")), {"Koch"}),
        ((("Frau", "NN-F"), ("Dr.", "NN-M"), ("Vogel", "NN-M"), ("kam", "VBD-S")), {"Vogel"}),
        ((("als", "IN"), ("Wolf", "NNP"), ("kam", "VBD-S")), {"Wolf"}),
        ((("Patient", "NN-M"), (":", ":"), ("Klein", "JJ"), (",", ","), ("Rosa", "NN")),
         {"Klein", "Rosa"}),
    ],
)  # fmt: skip
def test_a_name_that_is_a_word_too_is_found_where_title_form_or_tag_tell(
    words: tuple[tuple[str, str], ...], hidden: set[str]
) -> None:
    assert hidden <= named(*words)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("am 3. März 1998 kam er", {"3", "1998"}),
        ("vom 3. bis zum 5. Januar", {"3", "5"}),
        ("Patientin, 94 Jahre alt", {"94"}),
        ("der 94-jährige Mann", {"94"}),
        ("Az. 12 O 345/19", {"12 O 345/19"}),
    ],
)
def test_dates_ages_and_numbers_are_found_as_german_writes_them(
    text: str, hidden: set[str]
) -> None:
    found = {text[span.start : span.end] for span in SPANS.find(text)}
    assert hidden <= {part for piece in found for part in (piece, *piece.replace(".", "").split())}


@pytest.mark.parametrize(
    ("abbreviation", "after"),
    [("Dr.", "Garnier"), ("Nr.", "Sieben"), ("bzw.", "Frau"), ("z.B.", "Holz"), ("Abs.", "Zwei")],
)
def test_no_sentence_ends_after_an_abbreviation(abbreviation: str, after: str) -> None:
    guesses = [Guess(abbreviation, True, True), Guess(after, True, True)]
    assert BoundaryRules(GERMAN).mend(guesses) == [True, False]


def test_a_number_in_german_words_is_read() -> None:
    numbers = SpelledNumbers(GERMAN)
    assert numbers.replace_number_words(["einundzwanzig"]) == ["21"]
    assert numbers.replace_number_words("zwei hundert fünfzehn".split()) == ["215"]


@pytest.mark.parametrize(
    ("tag", "ending", "fits"),
    [("JJ-EN", "en", "den |zorken |Turm"), ("JJ-ES", "es", "ein |zorkes ")],
)
def test_an_adjective_is_replaced_by_one_of_the_same_ending(
    tag: str, ending: str, fits: str
) -> None:
    stems = [one.word for one in nouns(20)]
    same = [entry(stem + ending, tag) for stem in stems]
    others = [entry(f"{stem}er", "JJ-ER") for stem in stems]
    words = Dictionary([entry(f"zork{ending}", tag), *same, *others, *names()], {}, "de", GERMAN)
    encoder = make_encoder(words, make_mechanism(MechanismSettings.choose(minimum_pool=5), words))
    article, adjective = fits.split("|")[:2]
    tokens = (Token(article.strip(), " ", "DT"), Token(adjective.strip(), " ", tag))
    texts = [encoder.encode(Sentence(tokens), DenyList(), Random(seed)).text for seed in range(30)]
    assert all(text.startswith(article) and text.strip().endswith(ending) for text in texts)
    assert sum("zork" in text for text in texts) < 8, "one of 21 is drawn for itself"


def test_a_noun_with_its_capital_is_replaced_by_one_with_a_capital() -> None:
    made = [entry(f"b{one.word}", "NN-N") for one in nouns(20)]
    words = Dictionary([entry("haus", "NN-N"), *made, *names()], {}, "de", GERMAN)
    encoder = make_encoder(words, make_mechanism(MechanismSettings.choose(minimum_pool=5), words))
    house = sentence(("das", "DT"), ("Haus", "NN-N"))
    texts = {encoder.encode(house, DenyList(), Random(seed)).text for seed in range(9)}
    drawn = {text.split()[1] for text in texts} - {"Haus"}
    assert drawn
    assert all(word.startswith("B") for word in drawn)


@pytest.mark.parametrize(
    ("words", "slot"),
    [
        ((("das", "DT"), ("Virus", "NN-M")), "NN-N"),
        ((("im", "IN"), ("alten", "JJ-EN"), ("Wagen", "NNS")), "NN-M"),
        ((("die", "DT"), ("alten", "JJ-EN"), ("Straßen", "NN-F")), "NNS"),
        ((("des", "DT"), ("Jungen", "NNS")), "NN-W"),
        ((("eine", "DT"), ("Kranke", "NN-AE")), "NN-AE"),
        ((("das", "DT"), ("Virus", "NNP")), "NNP"),
        ((("mit", "IN"), ("Freude", "NN-F")), "NN-F"),
    ],
)
def test_the_words_before_a_noun_tell_its_slot(
    words: tuple[tuple[str, str], ...], slot: str
) -> None:
    assert correct_noun_tags(sentence(*words), GERMAN).tokens[-1].tag == slot
    assert correct_noun_tags(sentence(*words), ENGLISH) == sentence(*words)


def test_a_noun_in_another_slot_than_the_dictionary_knows_goes_as_one_that_fits() -> None:
    singular = [entry(f"b{one.word}", "NN-N") for one in nouns(20)]
    plural = [entry(f"d{one.word}", "NNS") for one in nouns(20)]
    words = Dictionary([entry("messer", "NNS"), *singular, *plural, *names()], {}, "de", GERMAN)
    encoder = make_encoder(words, make_mechanism(MechanismSettings.choose(minimum_pool=5), words))
    for tag, start in (("NN-N", "B"), ("NNS", "D")):
        one = sentence(("kein", "DT"), ("Messer", tag))
        assert encoder.encode(one, DenyList(), Random(1)).text.split()[1].startswith(start)


def test_nouns_become_entries_and_names_do_not() -> None:
    text = sentence(
        ("Der", "DT"), ("Vertrag", "NN-M"), ("der", "DT"), ("Kundenbank", "NN-F"),
        ("von", "IN"), ("Brzoska", "NN-M"), ("sang", "VBD-S"),
    )  # fmt: skip
    small = lowercase_nouns([text, text], GERMAN)
    found = {(one.word, one.tag) for one in find_candidates(small, GERMAN) if one.count}
    assert found == {("vertrag", "NN-M"), ("kundenbank", "NN-F"), ("sang", "VBD-S")}
    assert lowercase_nouns([text], ENGLISH) == [text]


def test_a_plural_in_n_or_s_stands_in_the_dative_too() -> None:
    entries = [entry("frauen", "NNS"), entry("häuser", "NNS"), entry("autos", "NNS")]
    lent = lend_entries([*entries, entry("autos", "NNS-D")], GERMAN)
    assert [(one.word, one.tag) for one in lent] == [("frauen", "NNS-D")]


def test_german_tags_are_penn_tags_before_their_hyphen() -> None:
    known = {"MONTH", "WEEKDAY"} | {penn_tag(tag) for tag in ENGLISH.frames.of_tags}
    assert {penn_tag(tag) for tag in GERMAN.frames.of_tags} <= known
