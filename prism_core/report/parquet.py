"""Write and verify the tables of a report.

``REPORT/run=<id>/{documents,sentences,requests,run}.parquet``: a folder a run, written under
another name and renamed when complete, so a reader never sees half a report. Each row carries the
SHA-256 of the previous row's hash and its own content. The chain shows a row that was changed,
removed, added or moved, as long as the last hash was noted elsewhere: whoever can rewrite the
whole folder can also rewrite the whole chain.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from prism_core.errors import OutputError
from prism_core.report.rows import (
    SCHEMA_VERSION,
    DocumentRow,
    RequestRow,
    RunFacts,
    RunSummary,
    RunTotals,
    SentenceRow,
)
from prism_core.report.schema import HASH, TABLES, check_row, schema_of
from prism_core.report.totals import Tally

_BATCH_ROWS = 10_000
"""Rows held in memory at a time."""


@dataclass(frozen=True, slots=True)
class Written:
    """A report on disk: its folder, and the numbers for a summary."""

    folder: Path
    summary: RunSummary
    documents: tuple[DocumentRow, ...]


def write_tables(
    report: Path,
    facts: RunFacts,
    documents: Iterable[DocumentRow],
    sentences: Iterable[SentenceRow],
    requests: Iterable[RequestRow],
) -> Written:
    """Check the rows and write ``report/run=<facts.run_id>/``; an existing one is replaced.

    Sentences and requests are streamed. Raises ``OutputError`` when a row does not fit its schema
    (naming the column, never the value) or the folder cannot be written.
    """
    check_row(facts)
    folder = report / f"run={facts.run_id}"
    partial = report / f".run={facts.run_id}.partial"
    tally = Tally()
    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        kept = tuple(documents)
        heads = (
            _write_chained(partial, "documents", facts.run_id, tally.documents(kept)),
            _write_chained(partial, "sentences", facts.run_id, tally.sentences(sentences)),
            _write_chained(partial, "requests", facts.run_id, tally.requests(requests)),
        )
        summary = RunSummary(facts=facts, totals=tally.totals(), chain_heads=heads)
        _write_run(partial / "run.parquet", summary)
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    except OSError as error:
        raise OutputError(f"the report cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return Written(folder, summary, kept)


def broken_rows(folder: Path) -> list[str]:
    """What the chain of the run in ``folder`` shows to be altered; empty when nothing is.

    One line a table: the first row whose hash does not follow, or a chain that does not end where
    ``run.parquet`` says. A report of an earlier schema is checked by the version that it states.
    Raises ``OutputError`` when the folder holds no report.
    """
    try:
        stored = pq.read_table(folder / "run.parquet")
        run, metadata = stored.to_pylist()[0], stored.schema.metadata or {}
        version = metadata[b"prism.schema_version"].decode()
        firsts = {table: _genesis(table, run["run_id"], version) for table in TABLES}
        return [
            problem
            for table, first in firsts.items()
            if (problem := _broken(folder, table, first, run[f"{table}_chain_head"]))
        ]
    except (OSError, pa.ArrowException, IndexError, KeyError):
        raise OutputError(f"{folder} does not hold a complete report") from None


def _broken(folder: Path, table: str, previous: str, head: str) -> str:
    for number, row in enumerate(_stored_rows(folder / f"{table}.parquet"), start=1):
        stated = row.pop(HASH.name)
        previous = _next_hash(previous, row)
        if previous != stated:
            return f"{table}: row {number} was changed, removed, added or moved"
    return "" if previous == head else f"{table}: rows are missing at the end"


def _stored_rows(file: Path) -> Iterator[dict[str, Any]]:
    with pq.ParquetFile(file) as parquet:
        for batch in parquet.iter_batches(_BATCH_ROWS):
            yield from batch.to_pylist()


def _write_chained(
    folder: Path, table: str, run_id: str, rows: Iterable[DocumentRow | SentenceRow | RequestRow]
) -> tuple[str, str]:
    """Write one table and give ``(table, last hash)``.

    What is hashed is the row as Arrow stores it, so that a reader gets the same value.
    """
    schema = schema_of(TABLES[table])
    previous = _genesis(table, run_id, SCHEMA_VERSION)
    remaining = map(_checked, rows)
    stored_schema = schema.append(HASH)
    with pq.ParquetWriter(folder / f"{table}.parquet", stored_schema, compression="zstd") as writer:
        while batch := list(islice(remaining, _BATCH_ROWS)):
            stored = pa.Table.from_pylist(batch, schema)
            hashes = []
            for row in stored.to_pylist():
                previous = _next_hash(previous, row)
                hashes.append(previous)
            writer.write_table(stored.append_column(HASH, pa.array(hashes, HASH.type)))
    return table, previous


def _checked(row: DocumentRow | SentenceRow | RequestRow) -> dict[str, Any]:
    check_row(row)
    return asdict(row)


def _write_run(file: Path, summary: RunSummary) -> None:
    """One row: facts, totals, and the last hash of each chain."""
    check_row(summary.totals)
    heads = {f"{table}_chain_head": head for table, head in summary.chain_heads}
    schema = pa.schema(
        [*schema_of(RunFacts), *schema_of(RunTotals)]
        + [pa.field(name, pa.string(), nullable=False) for name in heads],
        metadata={"prism.schema_version": SCHEMA_VERSION},
    )
    row = asdict(summary.facts) | asdict(summary.totals) | heads
    pq.write_table(pa.Table.from_pylist([row], schema), file)


def _genesis(table: str, run_id: str, version: str) -> str:
    """What the first row follows; ``version`` is that of the report's schema."""
    return hashlib.sha256(f"prism-report {version} {table} {run_id}".encode()).hexdigest()


def _next_hash(previous: str, row: dict[str, Any]) -> str:
    canonical = json.dumps(row, sort_keys=True, separators=(",", ":"), default=_plain)
    return hashlib.sha256(f"{previous}{canonical}".encode()).hexdigest()


def _plain(value: object) -> str:
    """A time as text; a row holds nothing else that JSON does not know."""
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(type(value).__name__)
