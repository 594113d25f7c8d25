from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks.dx_privacy import EPSILONS, WORD_EPSILONS, WORDS, Forest, measure, write_tables
from prism_core.evaluation.near_words.word_draws import NearestRow
from tests.mechanisms.points import scatter, write_points


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dx")
    points = scatter([*WORDS, *(f"word{number}" for number in range(80))], 40)
    measure(write_points(folder / "words.txt", points), folder / "dx.json", 8, 40, draws=4)
    return json.loads((folder / "dx.json").read_text())


def test_every_table_has_its_rows(results) -> None:
    text = write_tables(results)
    for word in WORDS:
        assert text.count(f"| {word} |") == len(WORD_EPSILONS)
    assert sum(line.startswith("| 25 |") for line in text.splitlines()) == len(WORDS) + 2


def test_no_attacker_does_better_than_the_bound_allows(results) -> None:
    """Where it is known what the best one reaches."""
    assert len(results["strength"]) == 3 * len(EPSILONS)
    exact = [row for row in results["strength"] if row["way"] == "truncated"]
    assert all(0 < row["advantage"] <= row["bound"] for row in exact)


def test_the_forest_finds_some_nearest_words_and_misses_others() -> None:
    make = np.random.default_rng(1)
    table = make.normal(size=(600, 12)).astype(np.float32)
    points = table[:60] + make.normal(size=(60, 12)) / 3
    share = (Forest(table, 10, make).find(points) == NearestRow(table).find(points)).mean()
    assert 0.05 < share < 0.95
