from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
import typer.main

from flows.command import cli
from prism_core.building import archive_words, word_candidates
from prism_core.building.jobs import extend as plan
from prism_core.dictionary import read_dictionary, save_dictionary
from prism_core.evaluation.adversaries import cases
from prism_core.evaluation.adversaries import extension as attack
from prism_core.recovery import MeasuredRates, Rate, write_rates
from prism_core.settings import Job
from tests.adapters import put_in_place_for_a_test
from tests.flows.small_dictionary import write_small_dictionary
from tests.openai_server import OpenAIServer
from tests.postgres import PostgresServer
from tests.stages.archive import Backwards, make_job, write_archive

LETTER = """The doctor opened the window. The farmer closed the small garden.

The patient followed the old bridge. The quiet doctor washed the green table.
"""
PLANTED = "Zorbanquist"
"""A name that stands nowhere else, to be searched for afterwards."""


@dataclass(frozen=True)
class Archive:
    """An archive of two letters, where its translation goes, and an environment for ``prism``."""

    input: Path
    output: Path
    environment: dict[str, str]

    def translated(self, name: str = "letter.txt") -> str:
        return (self.output / name).read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def small_dictionary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_dictionary(tmp_path_factory.mktemp("dictionary") / "en-es.parquet")


@pytest.fixture
def archive(tmp_path: Path, small_dictionary: Path, monkeypatch) -> Archive:
    return make_archive(tmp_path, small_dictionary, monkeypatch)


def make_archive(
    tmp_path: Path, small_dictionary: Path, monkeypatch: pytest.MonkeyPatch
) -> Archive:
    """The archive in a folder, and its environment set."""
    source = tmp_path / "in"
    (source / "mail").mkdir(parents=True)
    (source / "letter.txt").write_text(LETTER, encoding="utf-8")
    named = f"{PLANTED} opened the window. The doctor closed the contract with {PLANTED}.\n"
    (source / "mail" / "named.txt").write_text(named, encoding="utf-8")
    environment = {
        "PRISM_KEY_FILE": str(tmp_path / "key"),
        "PRISM_DICTIONARY__PATH": str(small_dictionary),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "HOME": str(tmp_path),
        "COLUMNS": "200",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return Archive(source, tmp_path / "out", environment)


@pytest.fixture(params=["file", "postgresql"])
def stored(
    request: pytest.FixtureRequest, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> Archive:
    """The archive, its state in a file or in a database."""
    if request.param == "postgresql":
        postgres: PostgresServer = request.getfixturevalue("postgres")
        monkeypatch.setenv("PRISM_STATE__URL", postgres.url())
    return archive


@pytest.fixture(scope="session", autouse=True)
def _public_words_grouped_once() -> Iterator[None]:
    """Let all tests of this process read the shipped list of words once, and part it once.

    It has 86,000 words, and follows from nothing of a test; most of an extension was that.
    """
    read = cache(word_candidates.read_shipped_word_list)
    grouped = cache(archive_words.group_words)
    with pytest.MonkeyPatch.context() as patching:
        for user in (attack, plan):
            patching.setattr(user, "read_shipped_word_list", read)
        patching.setattr(
            archive_words, "group_words", lambda words, size: grouped(tuple(words), size)
        )
        yield


@pytest.fixture(scope="session", autouse=True)
def _commands_made_once() -> Iterator[None]:
    """Let all tests of this process have one command line, as one process of the command has.

    To make the sub-commands with all their options is a fifth of a small run, or more.
    """
    with pytest.MonkeyPatch.context() as patching:
        patching.setattr(typer.main, "get_command", cache(typer.main.get_command))
        yield


@pytest.fixture
def few_controls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attacks on few nights and made-up texts, with one other archive for chance: rough figures.

    For tests of what is attacked and where it is said: the figures take most of the time.
    """
    monkeypatch.setattr(cases, "CONTROLS", 1)
    monkeypatch.setattr(cases, "NIGHTS", 3)
    monkeypatch.setattr(attack, "TRAINED_ON", 2)
    for name, few in (("observe_closed_sets", 1), ("observe_articles", 20)):
        observe = getattr(cases, name)
        monkeypatch.setattr(cases, name, lambda seen, observe=observe, few=few: observe(seen, few))


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the translator that spells backwards received: while the test lasts, it is the fake one.

    A test may install another; that is undone too.
    """
    log = tmp_path / "received.jsonl"
    translator = Backwards(log)
    put_in_place_for_a_test(monkeypatch, "fake", lambda *_: translator)
    return log


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """A job over the invented archive of ``tests.stages.archive``."""
    write_archive(tmp_path / "in")
    return make_job(tmp_path)


class Ended(NamedTuple):
    code: int
    out: str
    err: str


Prism = Callable[..., Ended]
"""The command with its arguments, as the fixture ``prism`` runs it."""


@pytest.fixture
def prism(monkeypatch, capfd) -> Prism:
    """The command in this process, so that a language model is loaded once for all tests."""

    def run(*arguments: object) -> Ended:
        code = run_command(monkeypatch, *arguments)
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return Ended(code, out, err)

    return run


def run_command(patching: pytest.MonkeyPatch, *arguments: object) -> int:
    """The exit code of the command in this process."""
    patching.setattr(sys, "argv", ["prism", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


@pytest.fixture
def openai_server(monkeypatch) -> Iterator[OpenAIServer]:
    with OpenAIServer() as running:
        monkeypatch.setenv("OPENAI_API_KEY", running.key)
        monkeypatch.setenv("PRISM_TRANSLATOR__BASE_URL", running.base_url)
        yield running


def measured(small_dictionary: Path, path: Path, share: float) -> Path:
    """The small dictionary, in which so many words were found with the model."""
    stored = read_dictionary(small_dictionary)
    rates = {"openai": MeasuredRates(("news, 9 lines",), {("word", "6", "agree"): Rate(share, 9)})}
    save_dictionary(stored.entries, {**stored.provenance, **write_rates(rates)}, path)
    return path


@pytest.fixture
def poor(small_dictionary: Path, tmp_path: Path, archive: Archive, monkeypatch) -> Archive:
    """The archive, with a dictionary whose words the model hardly ever writes."""
    path = measured(small_dictionary, tmp_path / "poor.parquet", 0.05)
    monkeypatch.setenv("PRISM_DICTIONARY__PATH", str(path))
    return archive
