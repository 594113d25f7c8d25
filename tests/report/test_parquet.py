from __future__ import annotations

import tomllib
from dataclasses import fields, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from prism_core.errors import OutputError
from prism_core.report import rows as module_of_rows
from prism_core.report.parquet_schema import RUN_COLUMNS, TABLES
from prism_core.report.reading import find_run_folder, read_rows, read_run_rows
from prism_core.report.rows import SCHEMA_VERSION, DocumentRow, Outcome, describe
from prism_core.report.writing import WrittenReport, write_tables
from tests.report.sample_rows import (
    DOCUMENTS,
    FACTS,
    IDENTIFIERS,
    REQUESTS,
    RUN,
    SENTENCES,
    TRANSLATED,
)


@pytest.fixture
def written(tmp_path: Path) -> WrittenReport:
    return write_tables(tmp_path, FACTS, DOCUMENTS, SENTENCES, IDENTIFIERS, REQUESTS)


ROWS = {
    "documents": DOCUMENTS,
    "sentences": SENTENCES,
    "identifiers": IDENTIFIERS,
    "requests": REQUESTS,
}


@pytest.mark.parametrize("table", TABLES)
def test_rows_come_back_as_they_were_written(written: WrittenReport, table: str) -> None:
    stored = pq.read_table(written.folder / f"{table}.parquet").to_pylist()
    assert len(stored) == len(ROWS[table])
    for row, original in zip(stored, ROWS[table], strict=True):
        for column in fields(original):
            value = getattr(original, column.name)
            assert row[column.name] == (list(value) if isinstance(value, tuple) else value)


@pytest.mark.parametrize("table", TABLES)
def test_every_column_is_described_and_the_version_is_stated(
    written: WrittenReport, table: str
) -> None:
    schema = pq.read_schema(written.folder / f"{table}.parquet")
    assert schema.metadata[b"prism.schema_version"] == SCHEMA_VERSION.encode()
    for column in schema:
        assert column.metadata[b"description"]


def test_what_was_not_evaluated_is_null_and_not_zero(written: WrittenReport) -> None:
    table = pq.read_table(written.folder / "documents.parquet")
    assert table["privacy_score"].null_count == len(DOCUMENTS)
    assert table["identifiers_remaining"].null_count == len(DOCUMENTS)
    assert table["pool_smallest"].to_pylist() == [21, None]


def test_an_unbounded_epsilon_is_stored_as_infinity(written: WrittenReport) -> None:
    run = pq.read_table(written.folder / "run.parquet").to_pylist()[0]
    assert run["epsilon_word"] == float("inf")


def test_totals_are_counted_over_the_rows(written: WrittenReport) -> None:
    run = pq.read_table(written.folder / "run.parquet").to_pylist()[0]
    assert (run["documents"], run["documents_translated"], run["documents_failed"]) == (2, 1, 1)
    assert (run["sentences"], run["sentences_distinct"]) == (4, 3)
    assert (run["requests"], run["retries"], run["characters"]) == (2, 1, 480)
    assert run["tokens_kept"] == 13
    assert (run["words_to_restore"], run["words_restored"], run["words_near"]) == (27, 27, 2)
    assert run["cost"] is None
    assert run["identifiers_detected"] is None


def test_totals_of_what_may_be_null_are_over_the_rows_that_know(tmp_path: Path) -> None:
    knows = replace(TRANSLATED, identifiers_detected=7, identifiers_replaced=5)
    totals = write_tables(tmp_path, FACTS, (knows, knows, *DOCUMENTS), (), ()).summary.totals
    assert (totals.identifiers_detected, totals.identifiers_replaced) == (14, 10)
    assert totals.identifiers_remaining is None


def test_runs_are_partitions_that_read_as_one_dataset(tmp_path: Path) -> None:
    write_tables(tmp_path, FACTS, DOCUMENTS, SENTENCES, REQUESTS)
    second = replace(FACTS, run_id="run-second")
    write_tables(tmp_path, second, (replace(TRANSLATED, run_id="run-second"),), (), ())
    files = sorted(tmp_path.glob("run=*/documents.parquet"))
    assert (
        pa.concat_tables([pq.read_table(file, partitioning=None) for file in files]).num_rows == 3
    )


def test_a_report_is_never_written_over_and_the_next_of_its_run_stands_beside_it(
    tmp_path: Path,
) -> None:
    write_tables(tmp_path, FACTS, DOCUMENTS, SENTENCES, REQUESTS)
    first = {file: file.read_bytes() for file in tmp_path.rglob("*.parquet")}
    written = write_tables(tmp_path, FACTS, (TRANSLATED,), (), ())
    assert {path.name for path in tmp_path.iterdir()} == {f"run={RUN}", f"run={RUN}.2"}
    assert first == {file: file.read_bytes() for file in first}
    (run,) = read_rows(written.folder / "run.parquet")
    assert (run["run_id"], run["report"], run["documents"]) == (RUN, 2, 1)
    assert find_run_folder(tmp_path, RUN) == written.folder
    assert [row["report"] for _, row in read_run_rows(tmp_path)] == [2]


def test_rows_of_all_tables_may_come_in_one_stream(tmp_path: Path) -> None:
    mixed = [*SENTENCES[:2], *REQUESTS, *DOCUMENTS, *SENTENCES[2:], *IDENTIFIERS]
    written = write_tables(tmp_path / "mixed", FACTS, mixed)
    apart = write_tables(tmp_path, FACTS, DOCUMENTS, SENTENCES, IDENTIFIERS, REQUESTS)
    assert written.summary == apart.summary


def test_what_is_written_at_once_and_in_batches_has_the_same_hashes(tmp_path, monkeypatch) -> None:
    once = write_tables(tmp_path / "once", FACTS, SENTENCES * 7)
    monkeypatch.setattr("prism_core.report.writing._BATCH_ROWS", 3)
    monkeypatch.setattr("prism_core.report.writing._GROUP_ROWS", 8)
    batches = write_tables(tmp_path / "batches", FACTS, SENTENCES * 7)
    assert once.summary == batches.summary
    assert batches.summary.totals.sentences_distinct == 3


@pytest.mark.parametrize(
    "fault",
    [
        {"document_id": "Contract with Alice.docx"},
        {"format": "a sentence"},
        {"notices": ("attachment:ok", "Dear Alice")},
        {"failure": "Could not read: Dear Alice"},
        {"tokens": -1},
        {"tokens": 1.5},
        {"tokens": True},
        {"tokens": None},
        {"pool_mean": float("nan")},
        {"finished_at": FACTS.started_at.replace(tzinfo=None)},
    ],
)
def test_a_row_that_does_not_fit_its_columns_is_refused_unquoted(tmp_path: Path, fault) -> None:
    row = replace(TRANSLATED, **fault)
    with pytest.raises(OutputError) as caught:
        write_tables(tmp_path, FACTS, (row,), (), ())
    assert "Alice" not in str(caught.value)
    assert next(iter(fault)) in str(caught.value)
    assert list(tmp_path.iterdir()) == [], "a refused report must leave nothing behind"


def test_a_disk_that_refuses_is_an_output_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        write_tables(tmp_path / "file", FACTS, DOCUMENTS, SENTENCES, REQUESTS)


def test_what_is_described_is_there_and_the_outcomes_are_named() -> None:
    tables = tomllib.loads(
        (Path(module_of_rows.__file__).parent / "columns.toml").read_text("utf-8")
    )
    rows = {row.__name__: row for row in (*TABLES.values(), *RUN_COLUMNS)}
    assert tables.keys() == {"patterns", "shared", "page", "overview", *rows}
    of_run = {column.name for row in RUN_COLUMNS for column in fields(row)}
    assert all(of_run.issuperset(trend["columns"]) for trend in tables["overview"]["trends"])
    every = [{column.name for column in fields(row)} for row in rows.values()]
    for name, row in rows.items():
        assert tables[name].keys() <= {column.name for column in fields(row)}
    assert all(sum(name in row for row in every) > 1 for name in tables["shared"])
    assert describe(DocumentRow, "outcome").meaning == f"{', '.join(Outcome)}."
