from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from prism_core.errors import OutputError
from prism_core.report import ReportFolder, RunReport
from prism_core.report.chain import BEGINNING, Link, Signer, last_link, read_link
from prism_core.report.csv_export import export_csv
from prism_core.report.parquet_schema import TABLES
from prism_core.report.rows import SCHEMA_VERSION
from prism_core.report.verifying import Signed, verify_report, verify_run
from prism_core.report.writing import WrittenReport, write_tables
from tests.report.altering import (
    ALTERATIONS,
    KEY,
    RUNS,
    at_random,
    forge,
    reseal,
    rewrite,
    write_week,
)
from tests.report.sample_rows import DOCUMENTS, FACTS, IDENTIFIERS, REQUESTS, SENTENCES


@pytest.fixture(scope="module")
def week(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("week")
    write_week(folder)
    return folder


@pytest.fixture
def report(week: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(week, tmp_path / "report"))


def _end(report: Path) -> Link:
    return last_link(report)


def test_untouched_reports_verify_and_every_row_is_looked_at(report: Path) -> None:
    verdict = verify_report(report, [KEY], _end(report))
    assert verdict.findings == ()
    assert verdict.runs == len(RUNS)
    assert verdict.signed == (Signed.VALID,) * 3
    tables = (DOCUMENTS, SENTENCES, IDENTIFIERS, REQUESTS)
    assert verdict.rows == len(RUNS) * sum(map(len, tables))


@pytest.mark.parametrize("seed", range(120))
def test_whatever_is_altered_is_found(report: Path, seed: int) -> None:
    end = _end(report)
    done = at_random(report, random.Random(seed))
    assert verify_report(report, [], end).findings, done


@pytest.mark.parametrize("alteration", ALTERATIONS, ids=lambda one: one.__name__.strip("_"))
@pytest.mark.parametrize("run", RUNS)
def test_every_kind_of_alteration_is_found_in_every_run(report: Path, alteration, run) -> None:
    end = _end(report)
    alteration(report / f"run={run}", random.Random(1))
    assert verify_report(report, [], end).findings


@pytest.mark.parametrize("table", [*reversed(TABLES), "run"])
def test_every_column_is_covered(report: Path, table: str) -> None:
    file = report / f"run={RUNS[0]}" / f"{table}.parquet"
    whole, schema = file.read_bytes(), pq.read_schema(file)
    first, *others = pq.ParquetFile(file).read().to_pylist()
    for column in schema:
        value = first[column.name]
        changed = _some_value(column) if value is None else _other(value)
        altered = [first | {column.name: changed}, *others]
        rewrite(file, lambda _, altered=altered: altered)
        findings = verify_run(file.parent, [KEY]).findings
        assert findings, column.name
        assert table in {one.table for one in findings}
        file.write_bytes(whole)


def _some_value(column: pa.Field) -> object:
    if pa.types.is_timestamp(column.type):
        return FACTS.started_at
    return "x" if pa.types.is_string(column.type) else 1


def _other(value: object) -> object:
    if isinstance(value, int | float):
        return 1 if value == float("inf") else value + 1
    if isinstance(value, str):
        return f"{value}x"
    return [*value, "x"] if isinstance(value, list) else FACTS.started_at.replace(year=2020)


@pytest.mark.parametrize(
    ("change", "row", "said"),
    [
        (lambda rows: [rows[0] | {"tokens_kept": 0}, *rows[1:]], 1, "was changed"),
        (lambda rows: [*rows[:2], rows[2] | {"outcome": "failed"}, *rows[3:]], 3, "was changed"),
        (lambda rows: [rows[1], rows[0], *rows[2:]], 1, "moved; so do 2 more"),
        (lambda rows: rows[1:], 1, "removed"),
        (lambda rows: [rows[0], *rows[2:]], 2, "removed"),
        (lambda rows: [*rows, rows[-1]], 5, "added"),
        (lambda rows: rows[:-1], None, "some are missing"),
        (lambda rows: rows[:0], None, "some are missing"),
    ],
)
def test_the_table_and_the_first_row_are_named(report: Path, change, row, said) -> None:
    rewrite(report / f"run={RUNS[1]}" / "sentences.parquet", change)
    first, *_ = verify_report(report).findings
    assert (first.run, first.table, first.row) == (RUNS[1], "sentences", row)
    assert said in first.problem


def test_an_edited_page_of_a_run_is_named(report: Path) -> None:
    """Its last hash may be noted on paper, so it stands on the page that it covers."""
    page = report / f"run={RUNS[1]}" / "index.html"
    link = read_link(page.parent)
    assert link is not None
    assert page.read_text("utf-8").count(link.head) == 1
    page.write_text(page.read_text("utf-8").replace("were replaced before", "were all replaced"))
    (finding,) = verify_report(report).findings
    assert str(finding) == f"run {RUNS[1]}, index.html: was changed since it was written"
    page.unlink()
    (finding,) = verify_report(report).findings
    assert "is missing" in finding.problem


def test_an_edited_page_over_all_runs_is_found_with_the_key(tmp_path: Path) -> None:
    folder = ReportFolder(tmp_path)
    for run in RUNS:
        folder.write(replace(FACTS, run_id=run), signer=KEY)
    assert folder.verify([KEY]).findings == ()
    page = tmp_path / "index.html"
    page.write_text(page.read_text("utf-8").replace("<h1>", "<h1>All well. "))
    assert [str(finding) for finding in folder.verify([KEY]).findings] == [
        "index.html: was changed since it was written"
    ]
    assert folder.verify([]).findings == (), "without the key nobody can tell"


def test_a_row_far_down_is_named_by_its_place_in_the_whole_file(tmp_path: Path) -> None:
    written = write_tables(tmp_path, FACTS, SENTENCES * 6_000)
    rewrite(
        written.folder / "sentences.parquet",
        lambda rows: [*rows[:20_500], rows[20_500] | {"tokens": 1}, *rows[20_501:]],
    )
    (finding,) = verify_run(written.folder).findings
    assert (finding.table, finding.row) == ("sentences", 20_501)


@pytest.mark.parametrize("gone", RUNS)
def test_a_run_that_is_missing_shows(report: Path, gone: str) -> None:
    end = _end(report)
    shutil.rmtree(report / f"run={gone}")
    findings = verify_report(report, [KEY], end).findings
    assert len(findings) == 1
    assert "missing" in findings[0].problem


def test_what_was_cut_off_at_the_end_stays_missing_when_the_next_run_comes(report: Path) -> None:
    end = _end(report)
    shutil.rmtree(report / f"run={RUNS[-1]}")
    assert not verify_report(report, [KEY]).findings, "only who remembers the end can miss it"
    write_tables(report, FACTS, SENTENCES, signer=KEY, remembered=end)
    (finding,) = verify_report(report, [KEY]).findings
    assert finding.run == FACTS.run_id
    assert "1 run before it is missing" in finding.problem


def test_two_runs_that_follow_the_same_one_show(report: Path, tmp_path: Path) -> None:
    shutil.copytree(report, tmp_path / "other")
    write_tables(report, replace(FACTS, run_id="run-one"), SENTENCES)
    other = write_tables(tmp_path / "other", replace(FACTS, run_id="run-other"), SENTENCES)
    shutil.copytree(other.folder, report / other.folder.name)
    assert any("one was added" in one.problem for one in verify_report(report).findings)


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("table", TABLES)
def test_hashes_that_were_all_made_anew_are_betrayed_by_the_signature(
    report: Path, table: str, run: str
) -> None:
    folder = report / f"run={run}"
    forge(folder, table, lambda rows: rows[:-1])
    assert not verify_run(folder).findings, "the forged hashes are those of the forged rows"
    verdict = verify_run(folder, [KEY])
    assert verdict.signed == (Signed.WRONG,)
    assert "signature" in verdict.findings[0].problem
    following = RUNS[RUNS.index(run) + 1 :]
    shown = {one.run for one in verify_report(report).findings}
    assert shown == set(following[:1]), "the run after it had noted the true hash"


@pytest.mark.parametrize("signature", [None, "0" * 64])
def test_a_signature_that_was_taken_out_or_made_up_shows(report: Path, signature) -> None:
    file = report / f"run={RUNS[0]}" / "run.parquet"
    rewrite(file, lambda rows: [rows[0] | {"signature": signature}])
    assert verify_report(report, [KEY]).findings
    assert not verify_report(report).findings, "only the key can tell"


def test_another_key_has_signed_nothing_and_an_earlier_one_may_be_given_too(report: Path) -> None:
    other = Signer(b"b" * 32)
    assert len(verify_report(report, [other]).findings) == len(RUNS)
    assert not verify_report(report, [other, KEY]).findings
    write_tables(report, FACTS, SENTENCES, signer=other)
    assert not verify_report(report, [other, KEY]).findings


def test_facts_and_totals_are_covered_too(report: Path) -> None:
    folder = report / f"run={RUNS[0]}"
    for column, value in (("provider", "other"), ("tokens_kept", 0), ("purpose", "")):
        whole = (folder / "run.parquet").read_bytes()
        change = {column: value}
        rewrite(folder / "run.parquet", lambda rows, change=change: [rows[0] | change])
        (finding,) = verify_run(folder).findings
        assert "facts, totals" in finding.problem
        (folder / "run.parquet").write_bytes(whole)


def test_a_run_that_was_sealed_anew_breaks_the_run_after_it(report: Path) -> None:
    folder = report / f"run={RUNS[0]}"
    rewrite(folder / "run.parquet", lambda rows: [rows[0] | {"provider": "other"}])
    reseal(folder)
    (finding,) = verify_report(report).findings
    assert finding.run == RUNS[1]
    assert "does not follow" in finding.problem


def test_a_report_without_rows_verifies(tmp_path: Path) -> None:
    written = write_tables(tmp_path, FACTS)
    assert not verify_report(tmp_path, (), written.link).findings


def test_a_report_of_another_version_is_refused_with_what_to_do(report: Path) -> None:
    file = report / f"run={RUNS[1]}" / "run.parquet"
    stored = pq.ParquetFile(file).read()
    metadata = {**stored.schema.metadata, b"prism.schema_version": b"2.1"}
    pq.write_table(stored.replace_schema_metadata(metadata), file)
    (finding,) = verify_run(file.parent, [KEY]).findings
    assert finding.problem == (
        f"it is of schema version 2.1, and this PRISM knows version {SCHEMA_VERSION} alone: use "
        "the PRISM that wrote it"
    )
    for read in (
        lambda: RunReport.read(file.parent),
        lambda: ReportFolder(report).find(RUNS[1]),
        lambda: export_csv([file.parent], report / "csv"),
    ):
        with pytest.raises(OutputError, match=r"schema version 2\.1"):
            read()


def test_a_folder_without_a_readable_run_is_found(report: Path) -> None:
    (report / f"run={RUNS[2]}" / "run.parquet").write_bytes(b"PAR1")
    assert read_link(report / f"run={RUNS[2]}") is None
    (finding,) = verify_report(report).findings
    assert (finding.run, finding.table) == (RUNS[2], "run")


def test_the_chain_begins_where_there_is_no_report(tmp_path: Path, report: Path) -> None:
    assert last_link(tmp_path / "empty") == BEGINNING
    written: WrittenReport = write_tables(tmp_path / "new", FACTS, SENTENCES)
    assert (written.link.sequence, written.link.previous_run) == (1, "")
    assert last_link(report).sequence == len(RUNS)


def test_a_table_in_a_folder_of_a_run_shows_whatever_it_is_called(report: Path) -> None:
    run = report / f"run={RUNS[1]}"
    (run / "more").mkdir()
    shutil.copy(run / "documents.parquet", run / "more" / "documents.parquet")
    (found,) = verify_report(report, [KEY]).findings
    assert (found.run, found.table) == (RUNS[1], "more/documents.parquet")


def test_a_report_that_is_called_the_second_of_its_run_and_is_the_first_shows(report: Path) -> None:
    run = report / f"run={RUNS[-1]}"
    run.rename(f"{run}.2")
    assert [str(one) for one in verify_report(report, [KEY]).findings] == [
        f"run {RUNS[-1]}.2, run: its folder has another name"
    ]


def test_what_a_destroyed_key_signed_is_held_by_the_reports_after_it(report: Path) -> None:
    """Who replaces a key and destroys the old one is not told for ever that nights were forged."""
    new = Signer(b"c" * 32)
    assert len(verify_report(report, [new]).findings) == len(RUNS)
    assert not verify_report(report, [new], _end(report)).findings, "the store holds them"
    write_tables(report, FACTS, SENTENCES, signer=new)
    verdict = verify_report(report, [new])
    assert not verdict.findings
    assert sorted(verdict.signed) == [Signed.HELD] * len(RUNS) + [Signed.VALID]


@pytest.mark.parametrize("run", RUNS)
def test_what_was_altered_under_a_destroyed_key_shows(report: Path, run: str) -> None:
    new, anybody = Signer(b"c" * 32), Signer(b"d" * 32)
    write_tables(report, FACTS, SENTENCES, signer=new)
    forge(report / f"run={run}", "documents", lambda rows: rows[:-1])
    file = report / f"run={run}" / "run.parquet"
    rewrite(file, lambda rows: [rows[0] | {"signature_key": anybody.key_id}])
    reseal(file.parent)
    rewrite(file, lambda rows: [rows[0] | {"signature": anybody.sign(rows[0]["run_head"])}])
    assert not verify_run(file.parent, [anybody]).findings, "whole under the key of whoever did it"
    assert verify_report(report, [new]).findings
