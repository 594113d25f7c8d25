"""What share of sentences a run is expected to restore."""

from __future__ import annotations

from random import Random

import pytest

from prism_core.dictionary import Dictionary
from prism_core.encoding import Encoder, make_encoder
from prism_core.identifiers import DenyList
from prism_core.mechanisms import make_mechanism
from prism_core.recovery import Forecast, Trials
from prism_core.settings import MechanismSettings
from tests.words import dictionary, nouns, sentence


def encoder(of: Dictionary, **settings: object) -> Encoder:
    chosen = MechanismSettings.choose(**{"threshold": 0.5, "minimum_pool": 2, **settings})
    return make_encoder(of, make_mechanism(chosen, of))


def shares(used: Encoder, *words: str) -> list[float]:
    trials = Trials(used, lambda _: 0.5)
    return trials.restored_by_send(sentence(*words), DenyList(), Random(1))


def test_what_is_not_back_after_the_last_draw_is_lost() -> None:
    forecast = Forecast.from_sentences([[0.5, 0.75, 0.875], [1.0, 1.0, 1.0]])
    assert (forecast.sentences, forecast.first_send, forecast.further) == (2, 0.75, 0.375)
    assert forecast.restored == pytest.approx(1 - 0.125 / 2)
    assert forecast.withheld == pytest.approx(0.125 / 2)
    assert not forecast.is_too_little


@pytest.mark.parametrize(
    ("redraws", "restored"), [(0.25, 0.625), (0.0, 0.5), (0.75, 0.875), (9.0, 0.875)]
)
def test_what_may_not_be_sent_again_is_lost_too(redraws: float, restored: float) -> None:
    shares = [[0.5, 0.75, 0.875]]  # .75 further encodings a sentence restore .375 more
    forecast = Forecast.from_sentences(shares, redraws)
    assert (forecast.first_send, forecast.restored, forecast.further) == (0.5, restored, 0.75)


def test_less_than_half_is_too_little() -> None:
    assert Forecast.from_sentences([[0.2, 0.2], [0.2, 0.2]]).is_too_little
    assert not Forecast.from_sentences([[0.5]]).is_too_little


def test_nothing_is_expected_of_nothing() -> None:
    for nothing in ([], [[], []]):
        forecast = Forecast.from_sentences(nothing)
        assert forecast.unknown == "not-sent"
        assert not forecast.is_too_little


def test_one_unknown_part_makes_a_document_unknown() -> None:
    known, unknown = Forecast(9, 0.9, 2.0, 1.0), Forecast(3, unknown="mechanism")
    assert Forecast.join([known, unknown]) is unknown
    assert Forecast.join([]).unknown == "too-few-sentences"
    both = Forecast.join([known, Forecast(3, 0.5, 6.0, 2.0)])
    assert both[:4] == pytest.approx((12, 0.8, 3.0, 1.25))


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
