"""``prism evaluate`` as a person types it, with the real Apertium over the first stories."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from prism_core.errors import ExitCode
from prism_core.evaluation import SweepPlan
from prism_core.evaluation.corpora import READERS, read_texts
from prism_core.evaluation.methods import (
    BY_VECTORS,
    FOR_REPRODUCTION,
    METHODS,
    PROBABILITIES,
    TABLE_PROBABILITIES,
    THRESHOLDS,
)
from prism_core.evaluation.results import Results
from prism_core.evaluation.summary import BASELINE
from tests.flows.conftest import Archive, Ended
from tests.flows.search import files_with
from tests.openai_server import OpenAIServer
from tests.shared_data import SHARED_DATA, shared

Evaluate = Callable[..., Ended]
FRAME = 2
"""Runs of plain and of the empty text."""


@pytest.fixture
def evaluate(prism, archive: Archive, tmp_path: Path, monkeypatch) -> Evaluate:
    """The command on the first story alone, into ``tmp_path/out``."""
    shared("mctest")
    monkeypatch.setenv("PRISM_SHARED_DATA", str(SHARED_DATA))
    monkeypatch.delenv("PRISM_DICTIONARY__PATH")
    monkeypatch.chdir(tmp_path)
    return lambda *more: prism("evaluate", "--stories", 1, "--out", "out", *more)


def test_help_names_every_corpus_and_method_and_shows_examples(prism) -> None:
    shown = prism("evaluate", "--help").out
    assert all(f"  {name} " in shown for name in READERS)
    assert all(name in shown for name in METHODS)
    assert shown.count("  prism evaluate") >= 6
    assert "  prism evaluate figures" in prism("evaluate", "figures", "--help").out


def test_a_sweep_gives_a_table_a_page_and_results_and_no_text(
    evaluate: Evaluate, prism, tmp_path: Path
) -> None:
    ended = evaluate("--methods", "prism-star-threshold", "--repeats", 2)
    assert ended.code == ExitCode.OK, ended
    assert "PRISM*" in ended.out
    assert "1 documents, 4 questions" in ended.out
    assert "empty text has PPS 0.750" in ended.out
    assert len(list(Results(tmp_path / "out"))) == FRAME + 2 * len(THRESHOLDS)
    page = tmp_path / "out" / "results.md"
    assert "privacy-quality.png" in page.read_text("utf-8")
    story = read_texts("mctest", SHARED_DATA, "en", "es").documents[0]
    for words in (story.lines[0][:40], story.questions[0].text[:30]):
        assert files_with(words, tmp_path / "out") == []

    ended = prism("evaluate", "figures", "out", "--out", "elsewhere")
    assert ended.code == ExitCode.OK, ended
    assert (tmp_path / "elsewhere" / "results.md").read_bytes() == page.read_bytes()
    assert "elsewhere" in ended.out


def test_what_is_known_is_not_measured_again_and_more_is_added(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    what = ["--repeats", 1, "--no-figures", "--json", "--methods"]
    first = json.loads(evaluate(*what, "identifiers-only").out)
    before = (tmp_path / "out" / "results.jsonl").read_bytes()
    (second,) = json.loads(evaluate(*what, "identifiers-only,mixture").out)
    after = (tmp_path / "out" / "results.jsonl").read_bytes()
    assert after.startswith(before)
    assert after.count(b"\n") == before.count(b"\n") + len(TABLE_PROBABILITIES)
    methods = {one["method"]: one for one in second["methods"]}
    assert [methods[one["method"]] for one in first[0]["methods"]] == first[0]["methods"]


def test_a_sweep_that_was_killed_goes_on_and_measures_nothing_twice(
    evaluate: Evaluate, archive: Archive, tmp_path: Path
) -> None:
    what = ["--methods", "prism-r", "--no-figures", "--quiet"]
    code = "import sys; sys.argv[0] = 'prism'; from flows.command import main; main()"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    process = subprocess.Popen(
        [sys.executable, "-c", code, "evaluate", "--stories", "1", "--out", "out", *what],
        cwd=tmp_path,
        env=environment,
    )
    path = tmp_path / "out" / "results.jsonl"
    while process.poll() is None and not (path.exists() and path.read_bytes().count(b"\n") >= 4):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = path.read_bytes()
    assert evaluate(*what).code == ExitCode.OK
    assert path.read_bytes().startswith(before[: before.rindex(b"\n")])
    keys = [json.loads(line)["key"] for line in path.read_bytes().splitlines() if b'"key"' in line]
    assert len(keys) == len(set(keys)) == FRAME + 3 * len(PROBABILITIES)


def test_a_language_model_judges_and_is_asked_everything_once(
    evaluate: Evaluate, monkeypatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "loopback-key")
    with OpenAIServer(lambda texts: ["1. A\n2. B\n3. C\n4. D" for _ in texts]) as server:
        command = [
            "--evaluator",
            "llm",
            "--endpoint",
            server.base_url,
            "--methods",
            "identifiers-only",
        ]
        ended = evaluate(*command, "--repeats", 1, "--no-figures", "--json")
        asked = len(server.bodies)
        assert evaluate(*command, "--repeats", 2, "--no-figures", "--quiet").code == ExitCode.OK
        assert asked < len(server.bodies) <= asked + 2
    (summary,) = json.loads(ended.out)
    assert summary["panel"].startswith("llm gpt-4.1-mini")
    assert summary["questions"] == 4


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--methods", "zip"], "There is no method zip"),
        (["--corpus", "news"], "There is no corpus news"),
        (["--corpus", "mctest/mc500.test"], "mc500.test.tsv is missing"),
        (["--data", "/nowhere"], "--data or PRISM_SHARED_DATA"),
        (["--model", "gpt"], "add --evaluator llm"),
        (["--evaluator", "llm"], "OPENAI_API_KEY"),
        (["--settings", "/nowhere.toml"], "/nowhere.toml"),
        (["--evaluator-settings", "model.toml"], "add --evaluator llm"),
        (["--strength", "strong"], "--strength cannot be given without --archive"),
        (["--embeddings", "model"], "--embeddings cannot be given without --archive"),
        (["--archive", "."], "--stories cannot be given together with --archive"),
        (["figures", "out"], "--stories, --out cannot be given before figures"),
    ],
)
def test_what_cannot_be_measured_ends_with_one_message(
    evaluate: Evaluate, monkeypatch, arguments: list[str], told: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    ended = evaluate(*arguments)
    assert ended.code == ExitCode.BAD_CONFIGURATION
    assert told in ended.err
    assert ended.out == ""


def test_a_missing_apertium_is_told_with_what_to_do(evaluate: Evaluate, monkeypatch) -> None:
    monkeypatch.setenv("PRISM_TRANSLATOR__PROGRAM", "/nowhere/apertium")
    ended = evaluate()
    assert ended.code == ExitCode.BAD_CONFIGURATION
    assert "apertium" in ended.err.lower()


def test_stories_that_nobody_published_go_to_nobody_else(
    evaluate: Evaluate, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    shutil.copytree(shared("mctest"), tmp_path / "mine" / "mctest")
    (tmp_path / "mine" / "wmt").symlink_to(shared("wmt"))
    stories = tmp_path / "mine" / "mctest" / "mc160.test.tsv"
    stories.write_text(stories.read_text("utf-8").replace(" dog", " patient"), "utf-8")
    away = ["--evaluator", "llm", "--endpoint", "https://model.invalid/v1"]
    ended = evaluate("--data", "mine", *away)
    assert ended.code == ExitCode.BAD_CONFIGURATION
    assert "not known to be public" in ended.err
    assert not (tmp_path / "out" / "results.jsonl").exists()


def test_all_methods_are_measured_when_none_is_named() -> None:
    usual = [name for name in METHODS if name not in (*BY_VECTORS, *FOR_REPRODUCTION, BASELINE)]
    assert SweepPlan((), (), SHARED_DATA).all_methods == usual
