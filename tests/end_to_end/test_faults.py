"""A few of the drills of ``benchmarks.faults``: the real command, really disturbed."""

from __future__ import annotations

from functools import partial
from random import Random, SystemRandom

import pytest

from benchmarks import faults
from benchmarks.faults import Drill, Undisturbed, measure, undisturbed
from tests.openai_server import Fault

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def normal(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    return undisturbed(tmp_path_factory.mktemp("undisturbed"))


DRILLS: dict[str, Drill] = {
    "kill": partial(faults.kill, kills=2),
    "disk-full": partial(faults.disk_full, shares=(0.4,)),
    "garbage": faults.at_random(
        *faults.GARBLED, *faults.TRUNCATED, *faults.DUPLICATED, Fault.REORDERED, share=0.4
    ),
    "two-runs": faults.two_runs,
}


@pytest.mark.parametrize("name", DRILLS)
def test_nothing_is_lost_sent_again_changed_or_left_behind(normal: Undisturbed, name: str) -> None:
    seed = SystemRandom().randrange(10**6)
    row = measure(name, DRILLS[name], normal, Random(seed), warm=True)
    assert (row["lost"], row["resent"], row["plain"]) == (0, 0, 0), (seed, row)
    assert row["identical"], (seed, row)
