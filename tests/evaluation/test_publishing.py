from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from prism_core.errors import ConfigurationError
from prism_core.evaluation.findings import FILE as ATTACKS
from prism_core.evaluation.metrics import CHRF
from prism_core.evaluation.publishing import publish
from prism_core.evaluation.results import Results, span
from prism_core.evaluation.summary import OURS
from tests.evaluation.measured import FRAME, result, run, sweep

SWEPT = [
    *FRAME,
    *sweep(OURS, ("τ=0.1", 0.7, 0.6), ("τ=0.5", 0.5, 0.7)),
    *sweep("prism-r", ("r=0.1", 0.4, 0.6), ("r=0.5", 0.6, 0.4)),
]
ATTACK = {"method": "prism-r", "setting": "r=0.5", "attack": "who-weak", "n": 9}
ATTACK |= {"value": 0.5, "chance": 0.1, "low": 0.4, "high": 0.6}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    results = Results(folder)
    for one in SWEPT:
        results.add(one)
    (folder / ATTACKS).write_text(json.dumps({**ATTACK, "dataset": "mctest"}) + "\n")
    publish(folder)
    return folder


def test_every_figure_is_there_as_a_picture_and_as_a_drawing(folder: Path) -> None:
    pictures = {path.stem.removeprefix("mctest-mc160.test-") for path in folder.glob("*.png")}
    assert pictures == {"privacy-quality", "attacks"}
    for picture in folder.glob("*.png"):
        assert picture.read_bytes()[:4] == b"\x89PNG"
        assert "<svg" in picture.with_suffix(".svg").read_text("utf-8")


def test_the_long_tables_of_a_corpus_have_a_page_of_their_own(folder: Path) -> None:
    overview = (folder / "results.md").read_text("utf-8")
    page = (folder / "mctest-mc160.test-settings.md").read_text("utf-8")
    assert "](mctest-mc160.test-settings.md)" in overview
    assert "](results.md)" in page
    for title in ("quality at equal privacy", "less each other method"):
        assert (title in overview, title in page) == (True, False)
    for title in ("every setting", "errors in 100 sentences"):
        assert (f": {title}" in overview, f": {title}" in page) == (False, True)


def test_what_frames_the_others_has_tables_and_no_figures_alone(tmp_path: Path) -> None:
    results = Results(tmp_path)
    for one in FRAME:
        results.add(one)
    written = publish(tmp_path)
    assert {path.suffix for path in written} == {".md", ".json"}
    assert "empty text" in (tmp_path / "results.md").read_text("utf-8")


def test_a_single_document_is_said_to_have_no_intervals(tmp_path: Path) -> None:
    Results(tmp_path).add(result(run(documents=1), [0.5], [0.5]))
    publish(tmp_path, draw=False)
    written = (tmp_path / "results.md").read_text("utf-8")
    assert "No intervals: there is a single document. Substitutes" in written
    assert "bootstrap" not in written


def test_a_method_with_nothing_to_compare_is_left_out_of_that_figure(tmp_path: Path) -> None:
    results = Results(tmp_path)
    for one in [*FRAME, *sweep("prism-r", ("r=0.1", 0.4, 0.6))]:
        table = one.table.copy()
        table[:, span(CHRF)] = 0
        results.add(replace(one, table=table))
    drawn = {path.stem.rpartition("test-")[2] for path in publish(tmp_path)}
    assert "privacy-quality" in drawn


def test_the_figure_names_each_method_and_the_floor(folder: Path) -> None:
    drawing = (folder / "mctest-mc160.test-privacy-quality.svg").read_text("utf-8")
    for label in ("PRISM* threshold (default)", "PRISM-R", "empty text", "typical 95 % interval"):
        assert label in drawing


def test_the_page_says_over_what(folder: Path) -> None:
    page = (folder / "results.md").read_text("utf-8")
    assert page.count("![") == 2
    for word in ("4 documents, 40 questions", "0.750", "a machine", "seeds 1"):
        assert word in page


def test_the_same_results_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    written = publish(folder, tmp_path)
    for path in written:
        assert path.read_bytes() == (folder / path.name).read_bytes(), path.name


def test_a_folder_without_results_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="holds no results"):
        publish(tmp_path)


def test_rows_that_are_no_attacks_are_told(folder: Path, tmp_path: Path) -> None:
    for one in SWEPT:
        Results(tmp_path).add(one)
    (tmp_path / ATTACKS).write_text('{"method": "prism-r"}\n')
    with pytest.raises(ConfigurationError, match=r"attacks\.jsonl"):
        publish(tmp_path)


def test_two_panels_over_one_corpus_have_files_of_their_own(tmp_path: Path) -> None:
    results = Results(tmp_path)
    for one in SWEPT:
        results.add(one)
        results.add(replace(one, run=replace(one.run, panel="ranker, reader swd")))
    page = publish(tmp_path)
    assert len({path.name for path in page}) == len(page)
