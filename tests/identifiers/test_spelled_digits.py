"""*one one one one* is a PIN, *one by one* is none."""

from __future__ import annotations

from random import Random

import pytest

from prism_core.encoding import make_encoder
from prism_core.identifiers import DenyList
from prism_core.identifiers.detectors.spelled import SpelledDigitDetector
from prism_core.language import LanguageModel
from prism_core.mechanisms import make_mechanism
from prism_core.settings import MechanismSettings
from tests.languages.miniature import XX
from tests.words import ENGLISH, calendar_words

NUMBERS = {
    "the code is one one one one": "one one one one",
    "One-One-Two, please": "One-One-Two",
    "dial one one, now": "one one",
    "it is ONE, TWO, ONE": "ONE, TWO, ONE",
    "ends in oh one seven": "oh one seven",
    "ends in double one five": "double one five",
}
NONE = [
    "one by one",
    "one-on-one",
    "one",
    "one or two",
    "the one, once",
    "one of the one hundred",
    "one second, one first",
    "none one",
    "one two-year lease",
]


@pytest.mark.parametrize("text", NUMBERS)
def test_ones_in_a_row_are_a_number(text) -> None:
    found = [text[one.start : one.end] for one in SpelledDigitDetector(ENGLISH).find(text)]
    assert found == [NUMBERS[text]]


@pytest.mark.parametrize("text", NONE)
def test_a_one_by_itself_is_none(text) -> None:
    assert not list(SpelledDigitDetector(ENGLISH).find(text))


def test_a_language_of_other_words_is_read_by_these() -> None:
    (word,) = (word for word in XX.numbers.digits if XX.numbers.up_to_9[word] == 1)
    assert list(SpelledDigitDetector(XX).find(f"{word} {word}"))
    assert not list(SpelledDigitDetector(XX).find("one one"))


def test_it_is_sent_as_digits_and_comes_back_as_its_own() -> None:
    words = calendar_words()
    encoder = make_encoder(words, make_mechanism(MechanismSettings.choose(minimum_pool=5), words))
    (sentence,) = LanguageModel.load("en", lemmas=False).sentences("It was of one one two one.")
    sent = {encoder.encode(sentence, DenyList(), Random(seed)).text for seed in range(30)}
    assert len(sent) > 25
    assert all("one" not in text and text[10:14].isdigit() for text in sent)
    encoded = encoder.encode(sentence, DenyList(), Random(1))
    assert encoder.decode(encoded, encoded.text).text == "It was of 1121."
