"""``prism plan --strengths``: every strength tried on this machine, and nothing sent or left."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console
from sacrebleu.metrics.chrf import CHRF

from flows.command.plan import print_strengths
from prism_core.errors import ExitCode
from prism_core.settings import Settings, without_strength
from prism_core.stages import StrengthTrial
from prism_core.stages.strength_frontier import LOCAL, STRENGTHS, measure_chrf
from tests.flows.conftest import Prism

TEXT = """Oliver Bennett visited the old hospital in Lisbon and paid the doctor.

The patient suffers from diabetes and opened the small window.

The farmer sold 14 green tables to the teacher.
"""


@pytest.fixture
def letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "letter.txt").write_text(TEXT, encoding="utf-8")
    return folder


def test_stronger_ones_send_fewer_words_in_clear_and_nothing_is_left(
    prism: Prism, letters: Path, tmp_path: Path
) -> None:
    before = set(tmp_path.rglob("*"))
    ended = prism("plan", letters, "--to", "pt", "--strengths", "--json", "--quiet")
    assert ended.code == ExitCode.OK, ended
    local, *others = json.loads(ended.out)["strengths"]
    assert (local["strength"], local["in_clear"], local["chrf"]) == (LOCAL, 0, None)
    assert [trial["strength"] for trial in others] == [*STRENGTHS]
    assert {trial["sentences"] for trial in others} == {3}
    clear = [trial["in_clear"] / trial["words"] for trial in others]
    assert clear == sorted(clear, reverse=True)
    assert clear[0] > 0.5
    assert clear[-1] < 0.1
    assert all(trial["restored"] >= 2 for trial in others)
    assert all(50 < trial["chrf"] <= 100 for trial in others)
    assert set(tmp_path.rglob("*")) == before


def test_without_a_model_it_says_how_to_add_one(
    prism: Prism, letters: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRISM_MODELS", str(tmp_path / "none"))
    ended = prism("plan", letters, "--to", "pt", "--translator", "deepl", "--strengths")
    assert ended.code == ExitCode.BAD_CONFIGURATION
    assert "prism models add en-pt" in " ".join(ended.err.split())


def test_the_table_begins_with_what_does_not_leave() -> None:
    console = Console(record=True, width=120)
    trials = StrengthTrial(LOCAL, 8, 8, 50, 0, None), StrengthTrial("light", 8, 6, 50, 20, 87.04)
    print_strengths(console, trials)
    rows = [line.split() for line in console.export_text().splitlines()]
    assert ["local", "nothing", "leaves", "the", "measure"] in rows
    assert ["light", "40%", "75%", "87.0"] in rows


def test_chrf_is_that_of_sacrebleu() -> None:
    texts = ["O médico abriu a janela.", "Não.", "Uma casa pequena e verde, 14 mesas."]
    references = ["A médica abriu as janelas.", "Não!", "As casas pequenas e verdes; 14 mesas."]
    measured = measure_chrf(texts, references)
    assert measured == pytest.approx(CHRF().corpus_score(texts, [references]).score)
    assert measure_chrf(["ab"], ["xy"]) == 0.0
    assert measure_chrf([], []) is None


def test_the_words_of_a_strength_give_way_to_those_of_another() -> None:
    light = Settings(strength="light").mechanism
    for strength in ("strongest", "standard"):
        table = {"strength": strength, "mechanism": without_strength(light)}
        assert Settings.model_validate(table).mechanism.model_dump()["hidden_words"] == "all"
