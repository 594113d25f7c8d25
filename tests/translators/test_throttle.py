"""Nights at providers that refuse at random, or beyond a rate that nobody stated (virtual time)."""

from __future__ import annotations

from dataclasses import replace
from statistics import median

import pytest

from benchmarks.scale_simulation import World, simulate

SEEDS = (1, 2, 3)
FREE = World(1, 600, None, 4, 1.0, is_shared=False)
STATED = replace(FREE, per_minute=120)


def ratio(world: World, refusing: float) -> float:
    """Median of the time with refusals at random by that without."""
    worlds = [replace(world, seed=seed) for seed in SEEDS]
    return median(
        simulate(replace(each, refusing=refusing))["seconds"] / simulate(each)["seconds"]
        for each in worlds
    )


@pytest.mark.parametrize(
    ("world", "refusing", "most"),
    [(FREE, 0.05, 1.3), (FREE, 0.2, 2.0), (STATED, 0.05, 1.15), (STATED, 0.2, 1.5)],
)
def test_refusals_at_random_leave_the_pace_as_it_is(
    world: World, refusing: float, most: float
) -> None:
    assert ratio(world, refusing) <= most


@pytest.mark.parametrize(("per_minute", "concurrency"), [(120, 4), (120, 16)])
def test_a_limit_that_nobody_stated_is_used_and_most_requests_are_answered(
    per_minute: int, concurrency: int
) -> None:
    world = World(1, 10 * per_minute, per_minute, concurrency, is_shared=False, stated=None)
    for seed in SEEDS:
        found = simulate(replace(world, seed=seed))
        assert found["seconds"] / world.ideal_seconds <= 1.05
        assert found["refused"] <= world.requests / 2
