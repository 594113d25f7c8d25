"""The shared pace as a user meets it: a setting of the command."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from prism_core.building.jobs.build import BuildWatch, open_query_session
from prism_core.errors import ExitCode
from prism_core.settings import KeySettings, Settings, TranslatorSettings


@pytest.fixture
def pace(tmp_path: Path) -> Path:
    return tmp_path / "shared" / "pace.db"


def accounts_used(pace: Path) -> list[str]:
    """Those for which a request was booked."""
    with closing(sqlite3.connect(pace)) as connection:
        rows = connection.execute("SELECT account FROM pace_accounts WHERE seen > 0")
        return [account for (account,) in rows]


@pytest.mark.parametrize(("account", "used"), [(None, "fake@localhost"), ("team", "team")])
def test_a_translation_is_paced_by_what_the_settings_share(
    prism, archive, pace: Path, monkeypatch, account: str | None, used: str
) -> None:
    monkeypatch.setenv("PRISM_TRANSLATOR__SHARED_PACE", str(pace))
    monkeypatch.setenv("PRISM_TRANSLATOR__ACCOUNT", account or "")
    ended = prism("translate", archive.input, archive.output, "--translator", "fake", "--to", "es")
    assert ended.code == ExitCode.OK, ended.err
    assert accounts_used(pace) == [used]


def test_a_pace_that_cannot_be_asked_ends_the_run_before_a_document_is_opened(
    prism, archive, pace: Path, monkeypatch
) -> None:
    pace.parent.mkdir()
    pace.write_text("something else, and longer than the head of a database " * 9)
    monkeypatch.setenv("PRISM_TRANSLATOR__SHARED_PACE", str(pace))
    ended = prism("translate", archive.input, archive.output, "--translator", "fake", "--to", "es")
    assert ended.code == ExitCode.STATE_UNUSABLE
    assert "translator.shared_pace" in ended.err
    assert str(pace) in ended.err.replace("\n", "")
    assert not list(archive.output.rglob("*.txt"))


def test_a_rehearsal_needs_no_pace(prism, archive, pace: Path, monkeypatch) -> None:
    pace.parent.mkdir()
    pace.write_text("something else, and longer than the head of a database " * 9)
    monkeypatch.setenv("PRISM_TRANSLATOR__SHARED_PACE", str(pace))
    ended = prism(
        "translate",
        archive.input,
        archive.output,
        "--translator",
        "fake",
        "--to",
        "es",
        "--dry-run",
    )
    assert ended.code == ExitCode.OK, ended.err


def test_a_dictionary_is_built_at_the_same_pace(tmp_path: Path, pace: Path) -> None:
    settings = Settings(
        translator=TranslatorSettings.choose(name="fake", shared_pace=pace),
        key=KeySettings(file=tmp_path / "key"),
    )
    with open_query_session(tmp_path / "en-es.parquet", settings, BuildWatch()) as (ask, _):
        assert all(ask(["The house is red.", "The door is green."]))
        assert accounts_used(pace) == ["fake@localhost"]
