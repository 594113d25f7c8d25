"""The quality benchmark as a user runs it, on two documents, with the real Apertium."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from prism_core.resources import PROJECT
from tests.shared_data import SHARED_DATA

KEYS = [
    *("dataset", "method", "setting", "pps", "qs", "chrf", "bleu", "restore_rate"),
    *("untranslated", "surviving_identifiers"),
]


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("picture") / "quality.svg"


@pytest.fixture(scope="module")
def rows(picture: Path) -> list[dict[str, object]]:
    command = [
        *(sys.executable, "-m", "benchmarks.quality", "--json", "--stories", "1"),
        *("--methods", "plain", "threshold", "nodecode", "--plot", str(picture)),
    ]
    environment = {**os.environ, "PRISM_SHARED_DATA": str(SHARED_DATA)}
    done = subprocess.run(
        command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    assert isinstance(found, list)
    return found


def test_every_row_has_exactly_the_promised_keys(rows) -> None:
    assert {tuple(row) for row in rows} == {tuple(KEYS)}


def test_only_what_has_questions_is_scored_by_them(rows) -> None:
    scored = {row["dataset"]: (row["pps"] is None, row["qs"] is None) for row in rows}
    assert scored == {"mctest": (False, False), "clinspen": (True, True)}


def test_sending_the_source_keeps_all_of_the_translation_and_none_of_the_privacy(rows) -> None:
    for row in (row for row in rows if row["method"] == "plain"):
        assert row["chrf"] == pytest.approx(100)
        assert row["bleu"] == pytest.approx(100)
        assert (row["untranslated"], row["surviving_identifiers"]) == (0, 1)


def test_protected_text_shows_no_identifier_and_beats_what_is_not_decoded(rows) -> None:
    by_setting = {(r["dataset"], r["method"], r["setting"]): r for r in rows}
    for dataset in ("mctest", "clinspen"):
        ours = by_setting[dataset, "threshold", "tau=0.7"]
        raw = by_setting[dataset, "nodecode", "tau=0.7"]
        assert ours["surviving_identifiers"] == 0
        assert ours["chrf"] > raw["chrf"] + 20
        assert raw["restore_rate"] == 0 < ours["restore_rate"]


def test_the_figure_is_a_labelled_drawing(rows, picture: Path) -> None:
    drawing = picture.read_text("utf-8")
    assert drawing.lstrip().startswith("<?xml")
    for label in ("PRISM* threshold", "NoDecode", "PPS", "chrF"):
        assert label in drawing
