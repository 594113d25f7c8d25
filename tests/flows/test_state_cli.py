"""``prism state``: what it shows, how it goes on, and that what it destroys is gone."""

from __future__ import annotations

import io
import json
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from prism_core.errors import ExitCode
from prism_core.state import StatePlace
from prism_core.state.schema import SCHEMA_VERSION
from tests.end_to_end.canary import Searcher
from tests.flows.conftest import PLANTED, Archive, Prism
from tests.flows.search import files_with
from tests.openai_server import Fault, OpenAIServer, sent_texts
from tests.postgres import PostgresServer

DISTINCT = 6


def translated(prism: Prism, archive: Archive) -> Archive:
    ended = prism("translate", archive.input, archive.output, "--translator", "fake", "--quiet")
    assert ended.code == ExitCode.OK, ended
    return archive


def shown(prism: Prism, archive: Archive) -> dict[str, object]:
    ended = prism("state", "show", archive.output, "--json")
    assert ended.code == ExitCode.OK, ended
    content: dict[str, object] = json.loads(ended.out)
    return content


@pytest.mark.parametrize("command", [(), ("show",), ("purge",)])
def test_help_teaches(prism: Prism, command: tuple[str, ...]) -> None:
    ended = prism("state", *command, "--help")
    assert ended.code == ExitCode.OK
    if command:
        assert f"prism state {command[0]} contracts-es/" in ended.out
        assert {"0", "2", "5"} <= {
            line.split()[0] for line in ended.out.splitlines() if line.strip()
        }


def test_show_counts_and_shows_no_text(prism: Prism, stored: Archive) -> None:
    translated(prism, stored)
    content = shown(prism, stored)
    assert content["documents"] == {"written": 2}
    assert isinstance(content["sentences"], dict)
    assert sum(content["sentences"].values()) == DISTINCT
    assert (content["documents_waiting"], content["sentences_waiting"]) == (0, 0)
    assert content["version"] == SCHEMA_VERSION
    assert isinstance(content["bytes"], int)
    assert content["bytes"] > 10_000
    [run] = content["runs"]  # type: ignore[misc]
    assert run["outcome"] == "complete"
    ended = prism("state", "show", stored.output)
    assert "nothing" in ended.out
    for word in (PLANTED, "letter", "doctor", "named"):
        assert word not in ended.out


def test_show_needs_no_key_and_changes_nothing(
    prism: Prism, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    translated(prism, archive)
    before = (archive.output / ".prism" / "state.db").read_bytes()
    monkeypatch.setenv("PRISM_KEY_FILE", "/nowhere/key")
    with StatePlace(archive.output / ".prism").hold():
        shown(prism, archive)
    assert (archive.output / ".prism" / "state.db").read_bytes() == before


@pytest.mark.parametrize("command", ["show", "purge --all --yes"])
def test_where_there_is_no_state_there_is_nothing_to_do(
    prism: Prism, archive: Archive, command: str
) -> None:
    name, *options = command.split()
    ended = prism("state", name, archive.output, *options)
    assert ended.code == ExitCode.BAD_CONFIGURATION
    assert "holds no state" in ended.err
    assert not archive.output.exists()


def test_state_in_a_database_is_not_taken_for_none(
    prism: Prism, archive: Archive, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRISM_STATE__URL", postgres.url())
    translated(prism, archive)
    monkeypatch.delenv("PRISM_STATE__URL")
    ended = prism("state", "show", archive.output)
    assert ended.code == ExitCode.BAD_CONFIGURATION
    assert "PRISM_STATE__URL" in ended.err


def test_no_second_state_is_begun_beside_one_in_a_database(
    prism: Prism, archive: Archive, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRISM_STATE__URL", postgres.url())
    translated(prism, archive)
    monkeypatch.delenv("PRISM_STATE__URL")
    for command in ("translate", "plan"):
        ended = prism(command, archive.input, archive.output, "--translator", "fake")
        assert ended.code == ExitCode.BAD_CONFIGURATION
        assert "PRISM_STATE__URL" in ended.err
    assert not (archive.output / ".prism" / "state.db").exists()


def test_no_second_state_is_begun_beside_one_in_a_file(
    prism: Prism, archive: Archive, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    translated(prism, archive)
    monkeypatch.setenv("PRISM_STATE__URL", postgres.url())
    for command in ("translate", "plan"):
        ended = prism(command, archive.input, archive.output, "--translator", "fake")
        assert ended.code == ExitCode.BAD_CONFIGURATION
        assert "state.db" in ended.err
    assert not (archive.output / ".prism" / "schema").exists()


def test_the_same_command_goes_on_after_a_quota_ended(
    prism: Prism, stored: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenAIServer() as server:
        server.fail(*[Fault.QUOTA] * 5)
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        settings = tmp_path / "job.toml"
        settings.write_text(
            f'target = "es"\n[translator]\nname = "openai"\nbase_url = "{server.base_url}"\n'
        )
        monkeypatch.chdir(tmp_path)
        stopped = prism("translate", "in", "out", "--settings", "job.toml", "--quiet")
        assert stopped.code == ExitCode.QUOTA_EXHAUSTED, stopped
        content = shown(prism, stored)
        assert content["sentences_waiting"] == DISTINCT
        assert "the next run continues" in prism("state", "show", stored.output).out
        server._faults.clear()
        ended = prism("translate", "in", "out", "--settings", "job.toml", "--json")
        assert ended.code == ExitCode.OK, ended
        assert json.loads(ended.out)["totals"]["documents_translated"] == 2
        assert len(set(sent_texts(server))) == DISTINCT
        assert shown(prism, stored)["sentences_waiting"] == 0


def test_a_run_goes_on_where_the_output_folder_was_moved(
    prism: Prism, archive: Archive, tmp_path: Path
) -> None:
    translated(prism, archive)
    archive.output.rename(tmp_path / "moved")
    (archive.input / "new.txt").write_text("The quiet patient opened the window.\n")
    again = ("translate", archive.input, tmp_path / "moved", "--translator", "fake", "--json")
    ended = prism(*again)
    assert ended.code == ExitCode.OK, ended
    totals = json.loads(ended.out)["totals"]
    assert (totals["documents_unchanged"], totals["documents_translated"]) == (1, 1)
    assert (tmp_path / "moved" / "new.txt").exists()
    assert not archive.output.exists()


def test_what_the_run_was_told_is_sealed(prism: Prism, archive: Archive) -> None:
    translated(prism, archive)
    assert files_with(str(archive.input), archive.output / ".prism") == []


def test_purge_wants_to_know_what_and_asks_first(prism: Prism, archive: Archive) -> None:
    translated(prism, archive)
    for options in ([], ["--all", "--documents-older-than", "1"], ["--with-key"]):
        assert prism("state", "purge", archive.output, *options).code == ExitCode.BAD_CONFIGURATION
    ended = prism("state", "purge", archive.output, "--all")
    assert ended.code == ExitCode.BAD_CONFIGURATION
    assert "nothing was destroyed" in ended.err
    assert "2 translated documents are no longer known" in ended.err
    assert shown(prism, archive)["documents"] == {"written": 2}


def test_purge_waits_for_no_run(prism: Prism, archive: Archive) -> None:
    translated(prism, archive)
    with StatePlace(archive.output / ".prism").hold():
        ended = prism("state", "purge", archive.output, "--all", "--yes")
    assert ended.code == ExitCode.STATE_UNUSABLE
    assert shown(prism, archive)["documents"] == {"written": 2}


def test_purge_of_everything_leaves_translations_reports_and_nothing_else(
    prism: Prism, stored: Archive
) -> None:
    translated(prism, stored)
    before = stored.translated()
    ended = prism("state", "purge", stored.output, "--all", "--yes")
    assert ended.code == ExitCode.OK, ended
    assert stored.translated() == before
    assert (stored.output / "prism-report" / "index.html").exists()
    assert [path.name for path in (stored.output / ".prism").iterdir()] == ["lock"]
    assert prism("state", "show", stored.output).code == ExitCode.BAD_CONFIGURATION
    translated(prism, stored)
    assert shown(prism, stored)["documents"] == {"written": 2}


def test_purge_of_everything_needs_no_key_and_no_readable_state(
    prism: Prism, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    translated(prism, archive)
    (archive.output / ".prism" / "state.db").write_bytes(b"no database" * 1000)
    monkeypatch.setenv("PRISM_KEY_FILE", "/nowhere/key")
    ended = prism("state", "purge", archive.output, "--all", "--yes")
    assert ended.code == ExitCode.OK, ended
    assert "cannot be read" in ended.err
    assert not (archive.output / ".prism" / "state.db").exists()


def test_purge_destroys_the_key_only_when_it_is_told_to(prism: Prism, archive: Archive) -> None:
    key = Path(archive.environment["PRISM_KEY_FILE"])
    translated(prism, archive)
    prism("state", "purge", archive.output, "--all", "--yes")
    assert key.exists()
    translated(prism, archive)
    ended = prism("state", "purge", archive.output, "--all", "--with-key", "--yes")
    assert ended.code == ExitCode.OK, ended
    assert "never be opened again" in ended.err
    assert not key.exists()


def test_a_key_in_the_environment_stops_a_purge_before_it_begins(
    prism: Prism, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    translated(prism, archive)
    monkeypatch.setenv("PRISM_KEY", "A" * 43 + "=")
    ended = prism("state", "purge", archive.output, "--all", "--with-key", "--yes")
    assert ended.code == ExitCode.BAD_CONFIGURATION
    monkeypatch.delenv("PRISM_KEY")
    assert shown(prism, archive)["documents"] == {"written": 2}


def test_old_documents_lose_their_mappings_and_are_still_skipped(
    prism: Prism, stored: Archive
) -> None:
    translated(prism, stored)
    time.sleep(0.1)
    untouched = prism("state", "purge", stored.output, "--documents-older-than", "1", "--yes")
    assert "nothing to destroy" in untouched.out
    purged = prism("state", "purge", stored.output, "--documents-older-than", "0", "--yes")
    assert purged.code == ExitCode.OK, purged
    assert f"{DISTINCT} sentences of 2 documents" in purged.out
    assert shown(prism, stored)["sentences"] == {}
    ended = prism("translate", stored.input, stored.output, "--translator", "fake", "--json")
    totals = json.loads(ended.out)["totals"]
    assert (totals["documents_unchanged"], totals["requests"]) == (1, 0)
    (stored.output / "letter.txt").unlink()
    ended = prism("translate", stored.input, stored.output, "--translator", "fake", "--json")
    assert json.loads(ended.out)["totals"]["documents_translated"] == 1
    assert stored.translated()


def test_sentences_that_a_newer_document_shares_stay(
    prism: Prism, stored: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as two_days_ago:
        clock = SimpleNamespace(time=lambda: time.time() - 2 * 86_400)
        two_days_ago.setattr("prism_core.state.documents.time", clock)
        translated(prism, stored)
    shared = "The doctor opened the window.\n"
    (stored.input / "new.txt").write_text(shared)
    translated(prism, stored)
    purged = prism("state", "purge", stored.output, "--documents-older-than", "1", "--yes")
    assert purged.code == ExitCode.OK, purged
    assert "1 of their sentences stay" in purged.err
    assert shown(prism, stored)["sentences"] == {"done": 1}


def test_no_byte_of_what_was_purged_is_left_in_the_file(prism: Prism, archive: Archive) -> None:
    translated(prism, archive)
    folder = archive.output / ".prism"
    with closing(sqlite3.connect(folder / "state.db")) as connection:
        query = "SELECT annotated, encoded, answer, decoded FROM sentences"
        sealed = [value for row in connection.execute(query) for value in row if value]
        query = "SELECT layout FROM documents"
        sealed += [row[0] for row in connection.execute(query)]
    assert len(sealed) >= 20
    # The nonce and the first bytes: the rest of a long value may stand on another page.
    parts = {f"value {n}": value[:28] for n, value in enumerate(sealed)}
    searcher = Searcher([], parts)
    assert len({one.canary for one in searcher.in_folder(folder)}) == len(parts)
    prism("state", "purge", archive.output, "--documents-older-than", "0", "--yes")
    left = b"".join(path.read_bytes() for path in folder.iterdir())
    assert not [name for name, part in parts.items() if part in left]


def test_what_the_person_answers_counts(
    prism: Prism, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    translated(prism, archive)
    for answer, code in (("", 2), ("n\n", 2), ("y\n", 0)):
        monkeypatch.setattr(sys, "stdin", io.StringIO(answer))
        assert prism("state", "purge", archive.output, "--all").code == code
        assert (archive.output / ".prism" / "state.db").exists() is (code != 0)
