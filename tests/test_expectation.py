"""What share of sentences a run is expected to restore."""

from __future__ import annotations

from random import Random

import pytest

from prism_core.dictionary import Dictionary
from prism_core.encoding import Encoder, Expectation, draw_shares, make_encoder
from prism_core.identifiers import DenyList
from prism_core.mechanisms import make_mechanism
from prism_core.record import Encoded
from prism_core.settings import MechanismSettings
from tests.words import dictionary, nouns, sentence


def encoder(of: Dictionary, **settings: object) -> Encoder:
    chosen = MechanismSettings.choose(**{"threshold": 0.5, "minimum_pool": 2, **settings})
    return make_encoder(of, make_mechanism(chosen, of))


def shares(used: Encoder, *words: str) -> list[float]:
    def restored(encoded: Encoded) -> float:
        return 0.5**encoded.to_restore

    return draw_shares(used, sentence(*words), DenyList(), Random(1), restored)


def test_a_sentence_is_lost_when_every_one_of_its_draws_is() -> None:
    expected = Expectation.of([[0.5, 0.5, 0.5], [1.0, 1.0, 1.0]])
    assert expected == Expectation(2, 0.75, pytest.approx(1 - 0.125 / 2))
    assert expected.withheld == pytest.approx(0.125 / 2)
    assert not expected.is_too_little


def test_less_than_half_is_too_little() -> None:
    assert Expectation.of([[0.2, 0.2], [0.2, 0.2]]).is_too_little
    assert not Expectation.of([[0.5]]).is_too_little


def test_nothing_is_expected_of_nothing() -> None:
    assert Expectation.of([]) is None
    assert Expectation.of([[], []]) is None


def test_a_sentence_is_drawn_for_as_often_as_it_may_be_sent() -> None:
    words = dictionary(*nouns(9))
    assert shares(encoder(words), "the/DT", "baak/NN", "baok/NN") == [0.25] * 3
    assert shares(encoder(words), "the/DT", "baak/NN") == [0.5] * 3
    once = encoder(words, name="prism-r", replace_probability=1.0)
    assert len(shares(once, "the/DT", "baak/NN")) == 1


def test_what_nobody_is_asked_about_counts_for_nothing() -> None:
    assert shares(encoder(dictionary(*nouns(9))), "Nora/NNP/PERSON") == []


def test_an_answer_that_is_taken_as_it_comes_is_always_restored() -> None:
    kept = encoder(dictionary(*nouns(9)), name="no-decode")
    assert shares(kept, "the/DT", "baak/NN") == [1.0] * 3
