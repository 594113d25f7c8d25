"""An amount is sent as a number that tells nothing of its size."""

from __future__ import annotations

from random import Random

import pytest

from prism_core.encoding import Encoder, make_encoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel
from prism_core.mechanisms import make_mechanism
from prism_core.settings import MechanismSettings
from tests.words import calendar_words


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    words = calendar_words()
    return make_encoder(words, make_mechanism(MechanismSettings.choose(minimum_pool=5), words))


def sent(encoder: Encoder, text: str, seed: int) -> str:
    (sentence,) = LanguageModel.load("en", lemmas=False).sentences(text)
    return encoder.encode(sentence, DenyList(), Random(seed)).text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("two hundred", "nine hundred million"),
        ("five per cent", "99.5 percent"),
        ("half past two", "eleven o'clock"),
        ("2.5 million", "eight thousand and four"),
    ],
)
def test_two_amounts_of_one_kind_are_sent_alike(encoder: Encoder, one: str, other: str) -> None:
    """The text fixes the draw: with one seed both must be the same, and over seeds vary."""
    texts = [
        [sent(encoder, f"It was {what} of it.", n) for n in range(40)] for what in (one, other)
    ]
    assert {len(text) for both in texts for text in both} == {len(texts[0][0])}
    assert min(len(set(both)) for both in texts) > 5
    assert not any(word in text for both in texts for text in both for word in one.split())


def test_an_amount_alone_has_to_be_translated(encoder: Encoder) -> None:
    (amount,) = LanguageModel.load("en", lemmas=False).sentences("Two thousand.")
    (number,) = LanguageModel.load("en", lemmas=False).sentences("2,000.")
    assert encoder.needs_translator(amount, DenyList())
    assert not encoder.needs_translator(number, DenyList())
