"""A source language is one data file: a miniature one works by the same rules."""

from pathlib import Path

import pytest

from prism_core.dictionary import Dictionary
from prism_core.errors import ConfigurationError
from prism_core.identifiers import DenyList, IdentifierFinder, LeakCheck
from prism_core.language import Sentence, Token, join_letters
from prism_core.language.boundaries import BoundaryRules, Guess
from prism_core.languages import load_language, source_languages
from prism_core.mechanisms.word_classes import GRAMMAR, UNKNOWN, classify
from tests.languages.miniature import FOLDER, XX
from tests.words import ENGLISH, entry, names


def dictionary() -> Dictionary:
    months = [entry(month, "MONTH", [f"{month}x"]) for month in XX.dates.months]
    return Dictionary([*months, entry("domo"), *names()], {}, "xx", XX)


def sentence(*words: str) -> Sentence:
    return Sentence(tuple(Token(word, " ", "NN") for word in words))


def found(*words: str) -> set[tuple[str, str]]:
    cut, identifiers = IdentifierFinder(dictionary()).find(sentence(*words))
    return {(one.text_in(cut), one.label) for one in identifiers}


def test_a_language_is_found_by_its_file() -> None:
    assert XX.code == "xx"
    assert source_languages() == ("de", "en", "es", "fr")


def test_a_language_without_a_file_is_refused_and_those_there_are_are_named() -> None:
    with pytest.raises(ConfigurationError, match="'zz': set source to one of de, en, es, fr"):
        load_language("zz")


def test_the_language_of_a_dictionary_is_that_of_its_provenance() -> None:
    assert Dictionary([], {"source": "en"}, "").language is ENGLISH
    with pytest.raises(ConfigurationError, match="'zz'"):
        _ = Dictionary([], {"source": "zz"}, "").language


def test_its_months_are_found_as_dates() -> None:
    dates = {("14", "DATE"), ("marto", "DATE"), ("2019", "DATE")}
    assert dates <= found("Li", "venis", "la", "14", "de", "marto", "2019", ".")
    assert ("march", "DATE") not in found("Li", "venis", "la", "14", "de", "march", "2019", ".")


def test_its_labels_and_ages_are_found() -> None:
    assert ("AB12345", "PLAN") in found("la", "poliso", "AB12345", "estas", "nova")
    assert ("94", "AGE") in found("la", "94-jara", "akuzanto")


def test_its_function_words_are_kept_and_those_of_another_language_are_not() -> None:
    assert classify(Token("kaj", " ", "CC"), dictionary()) is GRAMMAR
    assert classify(Token("and", " ", "CC"), dictionary()) is UNKNOWN
    english = Dictionary([], {}, "")
    assert classify(Token("kaj", " ", "CC"), english) is UNKNOWN


def test_what_follows_its_honorifics_is_a_name() -> None:
    assert ("Domo", "NAME") in found("doktoro", "Domo", "venis")
    assert ("Domo", "NAME") not in found("la", "Domo", "venis")


def test_numbers_in_its_words_are_a_leak() -> None:
    text = "La numero estas kvin kvin sep"
    assert LeakCheck(XX).find_leaks(text, ["557"], DenyList(), lambda _word: False)
    assert not LeakCheck(ENGLISH).find_leaks(text, ["557"], DenyList(), lambda _word: False)


def test_no_sentence_ends_with_its_abbreviations() -> None:
    guesses = [Guess("d-ro.", True, True), Guess("Kovacs", True, True)]
    assert BoundaryRules(XX).mend(guesses) == [True, False]
    assert BoundaryRules(ENGLISH).mend(guesses) == [True, True]


def test_what_the_tokenizer_cuts_off_stays_apart_as_the_language_says() -> None:
    cut = Sentence((Token("do", "", "VBP"), Token("n't", "", "RB")))
    assert len(join_letters(cut, ENGLISH).tokens) == 2
    assert len(join_letters(cut, XX).tokens) == 1


@pytest.mark.parametrize(
    "change",
    [
        ('of = "de"', 'of = "de"\nunknown = "de"'),
        ('name = "Miniature"', ""),
        ("usual_ordinals = []", 'usual_ordinals = ["many"]'),
    ],
)
def test_a_data_file_that_is_no_language_is_refused(
    change: tuple[str, str], tmp_path: Path
) -> None:
    content = (FOLDER / "xx.toml").read_text()
    assert content.count(change[0]) >= 1
    (tmp_path / "xx.toml").write_text(content.replace(*change))
    with pytest.raises(ValueError, match="validation error"):
        load_language("xx", tmp_path)
