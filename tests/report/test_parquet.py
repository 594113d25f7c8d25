from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from prism_core.errors import OutputError
from prism_core.report.parquet import Written, broken_rows, write_tables
from prism_core.report.rows import SCHEMA_VERSION
from prism_core.report.schema import TABLES
from tests.report.sample_rows import DOCUMENTS, FACTS, REQUESTS, RUN, SENTENCES, TRANSLATED


@pytest.fixture
def written(tmp_path: Path) -> Written:
    return write_tables(tmp_path, FACTS, DOCUMENTS, SENTENCES, REQUESTS)


ROWS = {"documents": DOCUMENTS, "sentences": SENTENCES, "requests": REQUESTS}


@pytest.mark.parametrize("table", TABLES)
def test_rows_come_back_as_they_were_written(written: Written, table: str) -> None:
    stored = pq.read_table(written.folder / f"{table}.parquet").to_pylist()
    assert len(stored) == len(ROWS[table])
    for row, original in zip(stored, ROWS[table], strict=True):
        for column in fields(original):
            value = getattr(original, column.name)
            assert row[column.name] == (list(value) if isinstance(value, tuple) else value)


@pytest.mark.parametrize("table", TABLES)
def test_every_column_is_described_and_the_version_is_stated(written: Written, table: str) -> None:
    schema = pq.read_schema(written.folder / f"{table}.parquet")
    assert schema.metadata[b"prism.schema_version"] == SCHEMA_VERSION.encode()
    for column in schema:
        assert column.metadata[b"description"]


def test_what_was_not_evaluated_is_null_and_not_zero(written: Written) -> None:
    table = pq.read_table(written.folder / "documents.parquet")
    assert table["privacy_score"].null_count == len(DOCUMENTS)
    assert table["identifiers_remaining"].null_count == len(DOCUMENTS)
    assert table["pool_smallest"].to_pylist() == [21, None]


def test_an_unbounded_epsilon_is_stored_as_infinity(written: Written) -> None:
    run = pq.read_table(written.folder / "run.parquet").to_pylist()[0]
    assert run["epsilon_word"] == float("inf")


def test_totals_are_counted_over_the_rows(written: Written) -> None:
    run = pq.read_table(written.folder / "run.parquet").to_pylist()[0]
    assert (run["documents"], run["documents_translated"], run["documents_failed"]) == (2, 1, 1)
    assert (run["sentences"], run["sentences_distinct"]) == (4, 3)
    assert (run["requests"], run["retries"], run["characters"]) == (2, 1, 480)
    assert run["tokens_kept"] == 13
    assert (run["words_to_restore"], run["words_restored"], run["words_fallback"]) == (27, 27, 3)
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


def test_a_run_written_again_replaces_its_folder_and_nothing_is_left_over(tmp_path: Path) -> None:
    write_tables(tmp_path, FACTS, DOCUMENTS, SENTENCES, REQUESTS)
    write_tables(tmp_path, FACTS, (TRANSLATED,), (), ())
    assert [path.name for path in tmp_path.iterdir()] == [f"run={RUN}"]
    assert pq.read_table(tmp_path / f"run={RUN}" / "documents.parquet").num_rows == 1


def test_an_untouched_report_verifies(written: Written) -> None:
    assert broken_rows(written.folder) == []


def test_an_untouched_report_of_an_earlier_schema_verifies(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as earlier:
        for module in ("parquet", "schema"):
            earlier.setattr(f"prism_core.report.{module}.SCHEMA_VERSION", "1.0")
        written = write_tables(tmp_path, FACTS, DOCUMENTS, SENTENCES, REQUESTS)
    assert broken_rows(written.folder) == []
    _rewrite(written.folder / "sentences.parquet", lambda rows: rows[1:])
    assert broken_rows(written.folder) != []


def test_a_report_that_states_no_version_is_refused(written: Written) -> None:
    run = written.folder / "run.parquet"
    pq.write_table(pq.ParquetFile(run).read().replace_schema_metadata(None), run)
    with pytest.raises(OutputError, match="complete report"):
        broken_rows(written.folder)


def test_more_rows_than_a_batch_verify_too(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("prism_core.report.parquet._BATCH_ROWS", 3)
    written = write_tables(tmp_path, FACTS, DOCUMENTS, SENTENCES * 3, REQUESTS)
    assert broken_rows(written.folder) == []


def _rewrite(file: Path, change) -> None:
    """Store ``change(rows)`` in place of the rows of ``file``."""
    schema = pq.read_schema(file)
    rows = pq.read_table(file).to_pylist()
    pq.write_table(pa.Table.from_pylist(change(rows), schema), file)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda rows: [rows[0] | {"tokens_kept": 0}, *rows[1:]], "row 1 was changed"),
        (lambda rows: [*rows[:2], rows[2] | {"outcome": "translated"}, *rows[3:]], "row 3"),
        (lambda rows: [rows[1], rows[0], *rows[2:]], "row 1"),
        (lambda rows: rows[1:], "row 1"),
        (lambda rows: [rows[0], *rows[2:]], "row 2"),
        (lambda rows: rows[:-1], "missing at the end"),
        (lambda rows: rows[:0], "missing at the end"),
        (lambda rows: [*rows, rows[-1]], "row 5"),
    ],
)
def test_the_chain_shows_a_row_changed_moved_removed_or_added(written, change, said) -> None:
    _rewrite(written.folder / "sentences.parquet", change)
    problems = broken_rows(written.folder)
    assert len(problems) == 1
    assert said in problems[0]


def test_a_table_of_another_run_does_not_verify(tmp_path: Path, written: Written) -> None:
    other = write_tables(tmp_path, replace(FACTS, run_id="other"), DOCUMENTS, SENTENCES, REQUESTS)
    (other.folder / "documents.parquet").replace(written.folder / "documents.parquet")
    assert broken_rows(written.folder) != []


def test_a_folder_without_a_report_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="complete report"):
        broken_rows(tmp_path)


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
