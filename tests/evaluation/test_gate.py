"""The gate: quality, restoring and privacy are no worse than they were, and worse is noticed.

The bounds in ``gate.json`` are made by ``python -m benchmarks.gate --write``, over many seeds.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from benchmarks.gate import (
    Bench,
    Bound,
    bounds_of,
    default_mechanism,
    measure,
    objections,
    read_bounds,
)
from benchmarks.role_gate import RoleBench
from prism_core.evaluation.further_mechanisms.no_decode import NoDecode
from prism_core.mechanisms import Selection
from prism_core.mechanisms.kinds.prism_star import PrismStarThreshold
from prism_core.settings import load_settings

BOUNDS = read_bounds(Path(__file__).with_name("gate.json"))
ROLES = read_bounds(Path(__file__).with_name("gate.json"), "roles")
SEED = 4711


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench.load()


def named(bench: Bench, mechanism, part: str = "leakage") -> set[str]:
    """The figures of ``part`` that the gate objects to."""
    figures = measure(bench, mechanism, Random(SEED), [part])
    found = objections(figures, {name: BOUNDS[name] for name in figures})
    return {one.partition(" ")[0].rstrip(":") for one in found}


class InOrder(PrismStarThreshold):
    """Deals what was drawn out by confidence, as the paper's rule does: the gate must object."""

    def choose(self, sentence, identifiers, forbidden, rng):
        selection = super().choose(sentence, identifiers, forbidden, rng)
        record = list(selection.record)
        by_tag = {}
        for place, one in enumerate(record):
            by_tag.setdefault((one.kind, one.tag, one.pool), []).append(place)
        for places in by_tag.values():
            tag = record[places[0]].tag
            drawn = sorted((record[i].substitute for i in places), key=lambda w: self.rank(w, tag))
            by_confidence = sorted(places, key=lambda i: self.rank(record[i].word, tag))
            for place, substitute in zip(by_confidence, drawn, strict=True):
                record[place] = record[place]._replace(substitute=substitute)
        return Selection(tuple(record), selection.withheld)

    def rank(self, word: str, tag: str) -> float:
        found = self.dictionary.find(word, tag)
        return -found.confidence if found else 0.0


class OwnWordLikelier(PrismStarThreshold):
    """Draws the word itself in one case out of ten more: the weight hangs on what is hidden."""

    def choose(self, sentence, identifiers, forbidden, rng):
        selection = super().choose(sentence, identifiers, forbidden, rng)
        record = tuple(
            one._replace(substitute=one.word)
            if rng.random() < 0.1 and one.word.isalpha()  # no phrase is ever drawn
            else one
            for one in selection.record
        )
        return Selection(record, selection.withheld)


def threshold(bench: Bench, kind=PrismStarThreshold, **changes):
    settings = load_settings(flags={f"mechanism.{k}": v for k, v in changes.items()}).mechanism
    rules = settings.threshold, settings.minimum_pool, "source"
    made = kind(bench.dictionary, *rules, hidden_words=settings.hidden_words)
    made.dictionary = bench.dictionary
    return made


def test_nothing_has_become_worse(bench: Bench) -> None:
    found = objections(measure(bench, default_mechanism(bench.dictionary), Random(SEED)), BOUNDS)
    assert not found, "\n".join(found)


def test_the_gate_objects_to_a_mechanism_that_keeps_the_order_of_confidence(bench: Bench) -> None:
    assert {"order@draw", "who-strong@draw"} & named(bench, threshold(bench, InOrder))


def test_the_gate_objects_to_a_draw_that_prefers_the_hidden_word(bench: Bench) -> None:
    assert {"who-itself", "repeat-stored"} <= named(bench, threshold(bench, OwnWordLikelier))


class PoolForEachWord(PrismStarThreshold):
    """Shows which word it is by the pool that it draws from."""

    def shown_class(self, replacement):
        return replacement.word


def test_the_gate_objects_to_pools_that_tell_their_word(bench: Bench) -> None:
    assert "rebuild-genre@1" in named(bench, threshold(bench, PoolForEachWord))


def test_the_gate_objects_to_words_in_clear(bench: Bench) -> None:
    assert "in-clear" in named(bench, threshold(bench, hidden_words="telling"))


def test_the_gate_objects_to_answers_that_are_not_decoded(bench: Bench) -> None:
    assert {"chrf", "restored"} <= named(bench, NoDecode(threshold(bench)), "quality")


def test_neural_translators_words_are_found_as_often_as_they_were() -> None:
    """For each dictionary that ships, in what two translators made of lines it was not built from.

    With new dictionaries: ``python -m benchmarks.gate --only roles --write …/gate.json``.
    """
    found = objections(RoleBench.load().measure(SEED), ROLES)
    assert not found, "\n".join(found)


def test_the_gate_objects_to_fewer_words_found_and_to_more_wrong_forms() -> None:
    figures = {name: bound.mean for name, bound in ROLES.items()}
    assert objections(figures, ROLES) == []
    worse = {"en-es/google/words_found": 0.5, "en-de/microsoft/wrong_form": 0.5}
    assert {one.partition(" ")[0] for one in objections({**figures, **worse}, ROLES)} == set(worse)


def test_a_figure_without_a_bound_is_an_objection() -> None:
    bounds = bounds_of([{"chrf": 90.0, "in-clear": 0.5}, {"chrf": 91.0, "in-clear": 0.5}])
    assert bounds["chrf"].worst < 88
    assert bounds["in-clear"] == Bound(0.5, 0.0, 0.51)
    assert objections({"chrf": 80.0, "in-clear": 0.5, "new": 1.0}, bounds) == [
        "new: there is no bound",
        "chrf is 80.0000: worse than 86.9645 (it was 90.5000, with a standard deviation of 0.7071 "
        "over seeds)",
    ]
