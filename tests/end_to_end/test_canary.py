"""The most important test of the product: nothing that was planted is found outside.

Documents of every type, with planted names, numbers and phrases, go through the whole job as the
``prism`` command in a process of its own. Then every byte is searched that the translator
received or that the job left anywhere but in the translated documents.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from prism_core.errors import ExitCode
from prism_core.formats import FORMATS
from tests.end_to_end import planted
from tests.end_to_end.aftermath import (
    SECRETS,
    names_of,
    prepared,
    received,
    searched_once,
    short_numbers_sent,
    suffixes,
)
from tests.end_to_end.canary import Finding, Searcher
from tests.end_to_end.job import Workplace
from tests.openai_server import Fault, OpenAIServer, by_apertium, sent_texts

pytestmark = pytest.mark.slow

GARBAGE = (Fault.SERVER_ERROR, Fault.NOT_JSON, Fault.TRUNCATED_BODY, Fault.UNKNOWN_ID)
TERMINAL = "printed/1.out"


@pytest.fixture(scope="module")
def server() -> Iterator[OpenAIServer]:
    """A translator that fails at first."""
    with OpenAIServer(by_apertium(), faults=GARBAGE) as server:
        yield server


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, server: OpenAIServer) -> Workplace:
    """After a run with ``--engine local``."""
    workplace, _ = prepared(tmp_path_factory.mktemp("local"), server)
    planted.write_legacy(workplace.input)
    assert workplace.run() == ExitCode.SOME_DOCUMENTS_FAILED, workplace.printed()
    return workplace


@pytest.fixture(scope="module")
def found(done: Workplace, server: OpenAIServer) -> dict[str, set[Finding]]:
    return searched_once(done, server)


def test_everything_planted_is_found_in_the_input(done: Workplace) -> None:
    assert names_of(SECRETS.in_folder(done.input)) == set(planted.ALL)


def test_a_document_of_every_format_is_in_the_archive(done: Workplace) -> None:
    formats = {row["format"] for row in done.rows("documents") if row["outcome"] != "failed"}
    assert formats == set(FORMATS)


def test_names_and_numbers_are_found_in_the_output(done: Workplace) -> None:
    assert suffixes(done.documents()) == suffixes(planted.TRANSLATED | planted.LEGACY)
    places = (done.output / name for name in done.documents())
    found = names_of(set().union(*map(SECRETS.in_file, places)))
    translated = {"17 October 1968"}
    expected = {*planted.NAMES, *planted.NUMBERS, *planted.MSG_CANARIES} - translated
    assert expected - found == set()
    left_in_english = found.intersection(planted.PHRASES)
    assert len(left_in_english) <= 2, "sentences are translated, but for what cannot be restored"


def test_names_of_files_are_translated_and_who_is_named_in_them_stays(done: Workplace) -> None:
    [letter] = (name for name in done.documents() if name.startswith("Obrecastle/"))
    assert "Obrecastle" in letter.partition("/")[2]
    kept = planted.TRANSLATED & set(done.documents())
    assert len(kept) <= len(planted.TRANSLATED) // 2, "but for names that cannot be restored"


def test_the_translator_received_nothing_planted(done: Workplace, server: OpenAIServer) -> None:
    assert len(set(sent_texts(server))) > 30
    assert received(server) == set()
    assert short_numbers_sent(server) == set()


def test_nothing_planted_is_left_behind(found: dict[str, set[Finding]]) -> None:
    assert {one for one in found["planted"] if one.place != TERMINAL} == set()


def test_the_terminal_shows_nothing_but_the_names_of_failed_files(done: Workplace) -> None:
    printed = done.printed()
    for name in planted.FAILED:
        assert name in printed
        printed = printed.replace(name, "")
    assert SECRETS.in_bytes(printed.encode(), TERMINAL) == set()


def test_nothing_that_was_sent_is_left_behind(found: dict[str, set[Finding]]) -> None:
    assert found["sent"] == set()


def test_the_key_is_nowhere_but_in_its_file(found: dict[str, set[Finding]]) -> None:
    assert found["key"] == set()


def test_the_translator_did_not_receive_the_key(done: Workplace, server: OpenAIServer) -> None:
    key = Searcher([done.key_file.read_text()], {"as bytes": done.key()})
    assert received(server, key) == set()


def test_failed_documents_are_rows_with_their_class(done: Workplace) -> None:
    rows = done.rows_by_path()
    failed = {path: row["failure"] for path, row in rows.items() if row["outcome"] == "failed"}
    assert failed == planted.FAILED
    assert len(rows) == len(planted.TRANSLATED | planted.LEGACY) + len(planted.FAILED)


def test_temporary_folder_and_working_folder_are_left_empty(done: Workplace) -> None:
    assert list((done.root / "temporary").iterdir()) == []
    assert list((done.root / "started-in").iterdir()) == []


@pytest.fixture(scope="module")
def asked(done: Workplace, tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Path]:
    """What is printed for an officer and about a memory, and the folder of what is written."""
    folder = tmp_path_factory.mktemp("asked")
    copies = (("--csv", folder / "inside"), ("--csv", folder / "outside", "--external"))
    commands = [("verify", "--json"), ("show",), ("show", "--json"), ("summary", "--json")]
    every = (*commands, *(("export", *copy) for copy in copies))
    printed = run_commands(
        done,
        folder,
        *(("audit", command, done.output, *options) for command, *options in every),
        ("memory", "export", done.output, folder / "kept.tmx"),
        ("memory", "open", folder / "kept.tmx.sealed", folder / "opened.tmx"),
    )
    return printed, folder


def test_a_memory_of_the_run_shows_nothing_planted_until_it_is_opened(
    asked: tuple[bytes, Path],
) -> None:
    printed, folder = asked
    assert SECRETS.in_bytes(printed, "printed") == set()
    assert SECRETS.in_file(folder / "kept.tmx.sealed") == set()
    assert names_of(SECRETS.in_file(folder / "opened.tmx"))


def test_what_an_officer_is_shown_and_given_holds_nothing_planted(
    asked: tuple[bytes, Path],
) -> None:
    printed, folder = asked
    assert SECRETS.in_bytes(printed, "printed") == set()
    written = [file for copy in ("inside", "outside") for file in (folder / copy).iterdir()]
    assert len(written) == 9
    assert {finding for file in written for finding in SECRETS.in_file(file)} == set()


_EACH_IN_TURN = """
import json, sys
from flows.command import cli
for words in json.loads(sys.argv[1]):
    sys.argv = ["prism", *words]
    try:
        cli.main()
    except SystemExit as ended:
        assert not ended.code, (words[:2], ended.code)
"""


def run_commands(workplace: Workplace, folder: Path, *commands: tuple[object, ...]) -> bytes:
    """What ``prism`` prints, errors too, for commands that end well, all in one process."""
    ended = subprocess.run(
        [sys.executable, "-c", _EACH_IN_TURN, json.dumps([[str(w) for w in c] for c in commands])],
        env=workplace.environment(),
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return ended.stdout + ended.stderr
