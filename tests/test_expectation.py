"""What share of sentences a run is expected to restore."""

from __future__ import annotations

from random import Random

import pytest

from prism_core.dictionary import Dictionary
from prism_core.encoding import Encoder, Expectation, draw_shares, is_told_by, make_encoder
from prism_core.identifiers import DenyList
from prism_core.mechanisms import make_mechanism
from prism_core.settings import MechanismSettings
from tests.words import dictionary, nouns, sentence


def encoder(of: Dictionary, **settings: object) -> Encoder:
    chosen = MechanismSettings.choose(**{"threshold": 0.5, "minimum_pool": 2, **settings})
    return make_encoder(of, make_mechanism(chosen, of))


def shares(used: Encoder, *words: str) -> list[float]:
    return draw_shares(used, sentence(*words), DenyList(), Random(1), lambda _: 0.5)


def test_what_is_not_back_after_the_last_draw_is_lost() -> None:
    expected = Expectation.of([[0.5, 0.75, 0.875], [1.0, 1.0, 1.0]])
    assert expected == Expectation(2, 0.75, pytest.approx(1 - 0.125 / 2), 0.375)
    assert expected.withheld == pytest.approx(0.125 / 2)
    assert not expected.is_too_little


def test_what_may_not_be_sent_again_is_lost_too() -> None:
    shares = [[0.5, 0.75, 0.875]]  # .75 further encodings a sentence restore .375 more
    assert Expectation.of(shares, redraws=0.25) == Expectation(1, 0.5, 0.625, 0.75, 0.25)
    assert Expectation.of(shares, redraws=0.0) == Expectation(1, 0.5, 0.5, 0.75, 0.0)
    assert Expectation.of(shares, redraws=0.75)[:4] == Expectation.of(shares)[:4]


def test_less_than_half_is_too_little() -> None:
    assert Expectation.of([[0.2, 0.2], [0.2, 0.2]]).is_too_little
    assert not Expectation.of([[0.5]]).is_too_little


def test_nothing_is_expected_of_nothing() -> None:
    assert Expectation.of([]) is None
    assert Expectation.of([[], []]) is None


def test_only_what_was_lost_is_drawn_for_again_and_of_four_words_one() -> None:
    words = dictionary(*nouns(9))
    assert shares(encoder(words), "the/DT", "baak/NN") == [0.5, 0.75, 0.875]
    two = shares(encoder(words), "the/DT", "baak/NN", "baok/NN")
    assert two == [0.25, 0.25 + 2 * 0.5 * 0.25, 0.25 + 2 * 0.5 * 0.375]
    once = encoder(words, name="prism-r", replace_probability=1.0)
    assert len(shares(once, "the/DT", "baak/NN")) == 1


def test_what_nobody_is_asked_about_counts_for_nothing() -> None:
    assert shares(encoder(dictionary(*nouns(9))), "Nora/NNP/PERSON") == []


def test_an_answer_that_is_taken_as_it_comes_is_always_restored() -> None:
    kept = encoder(dictionary(*nouns(9)), name="no-decode")
    assert shares(kept, "the/DT", "baak/NN") == [1.0] * 3


def test_sentences_that_are_alike_tell_a_share_sooner_than_others() -> None:
    assert is_told_by([[0.5, 0.75, 0.875]] * 2, error=0.0)
    mixed = [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]  # deviation .5, of further encodings 1
    assert not is_told_by(mixed * 128, error=0.031)
    assert is_told_by(mixed * 128, error=0.032)
    assert not is_told_by([[0.5], []], error=1.0)
