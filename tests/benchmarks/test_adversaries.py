"""What the benchmark of adversaries stores is what it reads, joins and draws."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.adversaries.__main__ import METHODS
from benchmarks.adversaries.plot import draw
from benchmarks.adversaries.results import Results, joined, read, row
from prism_core.evaluation import Finding
from prism_core.evaluation.adversaries.base import DECOYS, MIXING
from prism_core.evaluation.adversaries.cases import Sending
from prism_core.evaluation.findings import read_attacks

FOUND = Finding("link@10", 0.5, 0.1, 40, 40)


def results(method: str) -> Results:
    rows = [
        row(method, "r=.5", Sending(), {MIXING, DECOYS}, FOUND),
        row(method, "r=.5", Sending(mixing=False), {MIXING}, FOUND),
        row(method, "r=.5", Sending(), set(), FOUND),
    ]
    return Results(rows, {"seed": 1, "methods": [method]})


def test_a_row_says_what_of_the_sending_mattered() -> None:
    said = [(one["mixing"], one["decoys"]) for one in results("ratio").rows]
    assert said == [("on", "0"), ("off", "either"), ("either", "either")]


def test_results_are_stored_joined_and_read_again(tmp_path: Path) -> None:
    for method in ("ratio", "threshold"):
        results(method).write(tmp_path / f"{method}.json")
    both = joined([read(tmp_path / "ratio.json"), read(tmp_path / "threshold.json")])
    assert [one["method"] for one in both.rows] == ["ratio"] * 3 + ["threshold"] * 3
    assert both.measured == {"seed": 1, "methods": ["ratio", "threshold"]}


def test_rows_for_the_evaluation_are_those_of_the_usual_sending(tmp_path: Path) -> None:
    results("ratio").write(tmp_path / "attacks.jsonl")
    assert [one.method for one in read_attacks(tmp_path)] == ["ratio", "ratio"]


def test_stored_results_are_drawn(tmp_path: Path) -> None:
    for suffix, beginning in ((".svg", b"<?xml"), (".png", b"\x89PNG")):
        draw(results("ratio"), tmp_path / f"bars{suffix}")
        assert (tmp_path / f"bars{suffix}").read_bytes().startswith(beginning)


def test_the_stored_results_of_the_project_are_of_every_method() -> None:
    stored = Path(__file__).parents[2] / "docs/evaluation/adversaries.json"
    found = json.loads(stored.read_text("utf-8"))
    assert {one["method"] for one in found["rows"]} == set(METHODS)
    assert {"seed", "machine", "date", "numpy"} <= set(found["measured"])
