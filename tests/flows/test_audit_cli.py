from __future__ import annotations

import csv
import json
import os
import shutil
from pathlib import Path

import pytest

from prism_core.errors import ExitCode
from tests.flows.conftest import PLANTED, Archive, make_archive, run_command
from tests.report.altering import rewrite

CODED = "The farmer closed the window of 4471023.\n"


@pytest.fixture(scope="module")
def after_two_nights(tmp_path_factory: pytest.TempPathFactory, small_dictionary: Path) -> Path:
    """A folder with an archive, its key, and two runs over it; in the second one a document is new,
    and one is damaged."""
    folder = tmp_path_factory.mktemp("nights")
    with pytest.MonkeyPatch.context() as variables:
        made = make_archive(folder, small_dictionary, variables)
        (made.input / "mail" / "code.txt").write_text(CODED, encoding="utf-8")
        command = ("translate", made.input, made.output, "--translator", "fake", "--quiet")
        assert run_command(variables, *command) == ExitCode.OK
        (made.input / "damaged.docx").write_bytes(b"PK\x03\x04 not a document")
        (made.input / "late.txt").write_text("The farmer closed the window.\n", encoding="utf-8")
        assert run_command(variables, *command) == ExitCode.SOME_DOCUMENTS_FAILED
    return folder


@pytest.fixture
def nights(archive: Archive, after_two_nights: Path) -> Archive:
    """The archive after two nights, for one test to alter."""
    shutil.copytree(after_two_nights, archive.input.parent, dirs_exist_ok=True)
    return archive


def report_of(archive: Archive) -> Path:
    return archive.output / "prism-report"


def runs_of(prism, archive: Archive) -> list[str]:
    listed = json.loads(prism("audit", "summary", archive.output, "--json").out)
    return [row["run_id"] for row in listed]


def refused(word: str) -> None:
    raise AssertionError(f"{word} is no JSON")


def test_an_unbounded_epsilon_is_json_that_every_reader_takes(prism, nights: Archive) -> None:
    for name in ("summary", "show"):
        told = prism("audit", name, nights.output, "--json")
        assert told.code == ExitCode.OK
        assert '"infinity"' in told.out
        json.loads(told.out, parse_constant=refused)


def test_untouched_reports_verify_from_every_place_that_can_be_named(prism, nights) -> None:
    report = report_of(nights)
    for place in (nights.output, report, *report.glob("run=*")):
        ended = prism("audit", "verify", place)
        assert (ended.code, ended.err) == (ExitCode.OK, "")
        assert "every row is as it was written" in ended.out
        assert "signed with this key" in ended.out
    assert prism("audit", "verify", report, "--quiet") == (ExitCode.OK, "", "")


def test_an_altered_report_ends_with_8_and_says_where(prism, nights: Archive) -> None:
    first, second = runs_of(prism, nights)
    file = report_of(nights) / f"run={first}" / "sentences.parquet"
    rewrite(file, lambda rows: [*rows[:1], rows[1] | {"ordinal": 99}, *rows[2:]])
    ended = prism("audit", "verify", nights.output, "--json")
    said = json.loads(ended.out)
    assert ended.code == ExitCode.REPORT_ALTERED
    assert [(one["run"], one["table"], one["row"]) for one in said["findings"]] == [
        (first, "sentences", 2)
    ]
    assert said["signatures"] == {"valid": 2, "not-checked": 0, "none": 0, "held": 0, "wrong": 0}
    quiet = prism("audit", "verify", nights.output, "--quiet")
    assert quiet.code == ExitCode.REPORT_ALTERED
    assert f"run {first}, sentences, row 2" in quiet.out
    assert second not in quiet.out


def test_a_run_that_was_cut_off_at_the_end_is_missed(prism, nights: Archive) -> None:
    _, second = runs_of(prism, nights)
    shutil.rmtree(report_of(nights) / f"run={second}")
    ended = prism("audit", "verify", nights.output)
    assert ended.code == ExitCode.REPORT_ALTERED
    assert f"run {second}: is missing" in ended.out
    assert prism("audit", "verify", nights.output, "--no-key").code == ExitCode.OK


def test_a_report_is_verified_on_a_machine_without_a_key_and_no_key_is_made(
    prism, nights: Archive, tmp_path: Path, monkeypatch
) -> None:
    copy = Path(shutil.copytree(report_of(nights), tmp_path / "elsewhere"))
    monkeypatch.setenv("PRISM_KEY_FILE", str(tmp_path / "no" / "key"))
    ended = prism("audit", "verify", copy)
    assert ended.code == ExitCode.OK
    assert "not checked: there is no key here" in ended.out
    assert "whether runs are missing at the end" in ended.out
    assert not (tmp_path / "no").exists()


def test_a_changed_key_is_told_and_the_earlier_one_may_be_given(
    prism, nights: Archive, tmp_path: Path, monkeypatch
) -> None:
    shutil.copy(tmp_path / "key", tmp_path / "earlier")
    os.chmod(tmp_path / "earlier", 0o600)  # noqa: PTH101
    monkeypatch.setenv("PRISM_KEY", "q" * 43 + "=")
    report = report_of(nights)
    assert prism("audit", "verify", report).code == ExitCode.REPORT_ALTERED
    earlier = ("--key-file", tmp_path / "earlier")
    assert prism("audit", "verify", report, *earlier).code == ExitCode.OK
    missing = prism("audit", "verify", report, "--key-file", tmp_path / "none")
    assert missing.code == ExitCode.BAD_CONFIGURATION
    assert "does not exist" in missing.err


def test_a_table_that_is_missing_or_swapped_is_found_and_not_a_crash(prism, nights) -> None:
    (folder, _) = sorted(report_of(nights).glob("run=*"))
    (folder / "sentences.parquet").write_bytes((folder / "documents.parquet").read_bytes())
    assert prism("audit", "verify", folder).code == ExitCode.REPORT_ALTERED
    (folder / "run.parquet").unlink()
    assert prism("audit", "verify", folder).code == ExitCode.REPORT_ALTERED
    shown = prism("audit", "show", folder)
    assert shown.code == ExitCode.OUTPUT_UNWRITABLE
    assert "complete report" in shown.err


@pytest.mark.parametrize("command", ["verify", "show", "summary", "names"])
def test_a_place_without_a_report_is_said(prism, tmp_path: Path, command: str) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        ended = prism("audit", command, place)
        assert ended.code == ExitCode.BAD_CONFIGURATION
        assert "holds no report" in ended.err
    assert list(tmp_path.iterdir()) == []


def test_the_summary_lists_the_nights_in_their_order(prism, nights: Archive) -> None:
    ended = prism("audit", "summary", nights.output)
    first, second = runs_of(prism, nights)
    assert ended.out.index(first) < ended.out.index(second)
    rows = json.loads(prism("audit", "summary", report_of(nights), "--json").out)
    assert [row["documents"] for row in rows] == [3, 5]
    assert [row["identifiers_remaining"] for row in rows] == [0, 0]


def test_a_run_is_shown_with_its_identifiers_by_class(prism, nights: Archive) -> None:
    first, second = runs_of(prism, nights)
    shown = json.loads(prism("audit", "show", nights.output, "--run", first, "--json").out)
    assert shown["run"]["run_id"] == first
    assert shown["identifiers"] == [  # the small dictionary has no name to send for the planted one
        {"identifier_class": "name", "detected": 2, "replaced": 0, "remaining": 0},
        {"identifier_class": "other", "detected": 1, "replaced": 1, "remaining": 0},
    ]
    last = prism("audit", "show", nights.output)
    assert second in last.out
    assert "corrupt" in last.out
    assert PLANTED not in last.out


def test_a_run_that_is_not_there_is_said(prism, nights: Archive) -> None:
    ended = prism("audit", "show", nights.output, "--run", "no-such-run")
    assert ended.code == ExitCode.BAD_CONFIGURATION


def test_names_behind_the_ids_are_listed_of_any_run(prism, nights: Archive) -> None:
    first, _ = runs_of(prism, nights)
    both = {"letter.txt", "mail/named.txt", "mail/code.txt"}
    all_of_them = {*both, "damaged.docx", "late.txt"}
    for arguments, expected in ((("--run", first), both), ((), all_of_them)):
        listed = prism("audit", "names", nights.output, *arguments).out
        rows = list(csv.DictReader(listed.splitlines()))
        assert {row["path"] for row in rows} == expected
        assert all(len(row["document_id"]) == 32 for row in rows)


def test_names_are_known_only_where_the_state_is(prism, nights: Archive, tmp_path: Path) -> None:
    copy = shutil.copytree(report_of(nights), tmp_path / "elsewhere")
    ended = prism("audit", "names", copy)
    assert ended.code == ExitCode.BAD_CONFIGURATION
    assert "state store" in ended.err
    assert prism("audit", "show", copy).code == ExitCode.OK


def test_tables_are_exported_inside_and_outside(prism, nights: Archive, tmp_path: Path) -> None:
    first, second = runs_of(prism, nights)
    ended = prism("audit", "export", nights.output, "--csv", tmp_path / "all")
    assert (ended.code, ended.err) == (ExitCode.OK, "")
    exported = (tmp_path / "all" / "runs.csv").read_text(encoding="utf-8")
    assert first in exported
    assert second in exported
    outside = ("--csv", tmp_path / "outside", "--external", "--run", first, "-q")
    assert prism("audit", "export", nights.output, *outside) == (ExitCode.OK, "", "")
    told = (tmp_path / "outside" / "documents.csv").read_text(encoding="utf-8")
    assert "1 to 10" in told
    assert first not in told
    assert not (tmp_path / "outside" / "sentences.csv").exists()
    again = prism("audit", "export", nights.output, "--csv", tmp_path / "all")
    assert again.code == ExitCode.OUTPUT_UNWRITABLE
