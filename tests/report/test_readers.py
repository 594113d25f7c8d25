"""What others read the tables with."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from prism_core.report.parquet_schema import TABLES
from prism_core.report.writing import write_tables
from tests.report.altering import write_week
from tests.report.sample_rows import DOCUMENTS, FACTS, IDENTIFIERS, REQUESTS, SENTENCES

ROWS = {
    "documents": DOCUMENTS,
    "sentences": SENTENCES,
    "identifiers": IDENTIFIERS,
    "requests": REQUESTS,
}
KNOWN_TO_SPARK = {
    ("INT64", "NONE"),
    ("INT64", "TIMESTAMP"),
    ("DOUBLE", "NONE"),
    ("BYTE_ARRAY", "STRING"),
}
"""Spark 3.2 and later: org.apache.spark.sql.execution.datasources.parquet maps these to long,
timestamp, double and string."""


_ASK = """
import duckdb, json, sys
query, files = json.loads(sys.argv[1])
print(json.dumps(duckdb.execute(query, files).fetchall(), default=str))
"""


def asked(query: str, files: list[str]) -> list[list[object]]:
    """What DuckDB answers, in a process of its own: it ends with a page of warnings."""
    command = [sys.executable, "-c", _ASK, json.dumps([query, files])]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    rows: list[list[object]] = json.loads(done.stdout)
    return rows


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    write_week(folder)
    return folder


@pytest.mark.parametrize("table", TABLES)
def test_pandas_reads_every_table_with_its_types(report: Path, table: str) -> None:
    frame = pd.read_parquet(report / "run=run-monday" / f"{table}.parquet")
    assert len(frame) == len(ROWS[table])
    for name, value in asdict(ROWS[table][0]).items():
        stored = frame[name].iloc[0]
        if name == "run_id":
            assert stored == "run-monday"
        elif value is None:
            assert pd.isna(stored)
        elif isinstance(value, tuple):
            assert list(stored) == list(value)
        else:
            assert stored == value


@pytest.mark.parametrize("table", [*TABLES, "run"])
def test_duckdb_reads_all_runs_as_one_table(report: Path, table: str) -> None:
    files = f"{report}/run=*/{table}.parquet"
    (rows,) = asked("select count(*) from read_parquet(?)", [files])
    assert rows[0] == 3 * len(ROWS.get(table, (FACTS,)))


def test_duckdb_sums_what_the_totals_say(report: Path) -> None:
    documents = f"{report}/run=*/documents.parquet"
    runs = f"{report}/run=*/run.parquet"
    summed = asked(
        """select run_id, count(*), sum(tokens_kept) from
        read_parquet(?, hive_partitioning = true) group by run_id order by run_id""",
        [documents],
    )
    stated = asked(
        "select run_id, documents, tokens_kept from read_parquet(?) order by run_id", [runs]
    )
    assert summed == stated != []


def test_infinity_and_null_come_through(tmp_path: Path) -> None:
    endless = replace(DOCUMENTS[0], epsilon_document=float("inf"), epsilon_word=None)
    written = write_tables(tmp_path, FACTS, (endless,))
    file = written.folder / "documents.parquet"
    query = "select epsilon_document, epsilon_word, finished_at from read_parquet(?)"
    ((document, word, finished),) = asked(query, [str(file)])
    assert (document, word) == (float("inf"), None)
    assert datetime.fromisoformat(finished) == endless.finished_at
    frame = pd.read_parquet(file)
    assert frame["epsilon_document"].iloc[0] == float("inf")
    assert str(frame["finished_at"].dt.tz) == "UTC"


@pytest.mark.parametrize("table", [*TABLES, "run"])
def test_only_what_spark_reads_too_is_used(report: Path, table: str) -> None:
    with pq.ParquetFile(report / "run=run-monday" / f"{table}.parquet") as file:
        metadata = file.metadata
        columns = [file.schema.column(i) for i in range(len(file.schema))]
        types = {(one.physical_type, one.logical_type.type) for one in columns}
        assert types <= KNOWN_TO_SPARK
        times = [str(one.logical_type) for one in columns if one.logical_type.type == "TIMESTAMP"]
        assert all("isAdjustedToUTC=true, timeUnit=microseconds" in one for one in times)
        for group in range(metadata.num_row_groups):
            for column in range(metadata.num_columns):
                chunk = metadata.row_group(group).column(column)
                assert set(chunk.encodings) <= {"PLAIN", "RLE", "RLE_DICTIONARY"}
                assert chunk.compression in ("ZSTD", "SNAPPY")
    paths = {one.path for one in columns}
    named = (
        *("notices", "languages", "other_translators", "cautions", "policies", "pairs"),
        *("local_models", "margins"),
    )
    lists = {f"{name}.list.element" for name in named}
    assert {path for path in paths if "." in path} <= lists
