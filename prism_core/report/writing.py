"""Write the tables of a report, and its page.

``REPORT/run=<id>/{documents,sentences,identifiers,requests,run}.parquet`` and ``index.html``:
a folder for each run,
written under another name and renamed when complete, so a reader never sees half a report. An
existing report is never overwritten: if a run continues under its id, the next report is
``run=<id>.2``. Each row carries the SHA-256 of the previous row's hash and its own content, and the
run carries the hash of the run before it: see ``chain``.

Entry: ``write_tables`` -> ``_TableWriter.add`` for rows -> ``_seal_run``.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import chain, count, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from prism_core.errors import OutputError
from prism_core.files import make_folder
from prism_core.report.chain import (
    BEGINNING,
    PREFIX,
    Link,
    Signer,
    chain_hashes,
    genesis,
    last_link,
    lock_for_append,
    row_bytes,
    run_head,
)
from prism_core.report.page import NO_HEAD, complete_page, write_page
from prism_core.report.parquet_schema import (
    HASH,
    PROOF,
    RUN_COLUMNS,
    TABLES,
    check_columns,
    make_batch,
    make_schema,
)
from prism_core.report.rows import SCHEMA_VERSION, Row, RunFacts, RunSeal
from prism_core.report.totals import RunSummary, RunTotals, TotalsCounter

_BATCH_ROWS = 1_000
"""Number of rows of a table that are processed at a time."""
_GROUP_ROWS = 2_000
"""Number of rows of a row group: a reader that looks for one document reads a group, and a group is
held in memory until it is written."""
_NEARLY_UNIQUE = ("sentence_id", "request_id", HASH.name)
"""Columns whose values repeat too seldom for dictionary encoding to be of use."""
_TABLE_OF = {row_type: table for table, row_type in TABLES.items()}


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """A report on disk: its folder, its place among the runs, and the numbers for a summary."""

    folder: Path
    link: Link
    summary: RunSummary


def write_tables(
    report: Path,
    facts: RunFacts,
    *rows: Iterable[Row],
    signer: Signer | None = None,
    remembered: Link = BEGINNING,
    proof: bytes | None = None,
) -> WrittenReport:
    """Check the rows and write them to a new folder of ``report``, named after the run.

    ``rows`` are of any table and in any order; the order within each table is kept. They are
    streamed. ``remembered`` is the last report that was written here as far as is known elsewhere:
    if it is missing, the new one follows it nevertheless, so that its absence is detected. A
    ``proof`` is written beside the tables, and its digest into the chain. Raises
    ``OutputError`` when a row does not fit its schema (naming the column, never the value) or the
    folder cannot be written.
    """
    check_columns(RunFacts, [facts])
    partial = report / f".run={facts.run_id}.partial"
    try:
        shutil.rmtree(partial, ignore_errors=True)
        make_folder(partial)
        tables, totals = _write_rows(partial, facts.run_id, rows)
        heads = tuple((table, writer.head) for table, writer in tables.items())
        summary = RunSummary(facts=facts, totals=totals, chain_heads=(*heads, ("run", NO_HEAD)))
        hashes: dict[str, Any] = {"page_hash": write_page(partial, summary)}
        if proof is not None:
            (partial / PROOF).write_bytes(proof)
            hashes["proof_hash"] = sha256(proof).hexdigest()
        with lock_for_append(report):
            numbered_names = (f"{facts.run_id}.{number}" for number in count(2))
            names = chain([facts.run_id], numbered_names)
            name = next(n for n in names if not (report / f"{PREFIX}{n}").exists())
            previous = max(last_link(report), remembered, key=lambda link: link.sequence)
            run = _UnsealedRun(facts, totals, name, previous)
            seal = _seal_run(run, tables, hashes, signer)
            pq.write_table(_run_table(run, seal), partial / "run.parquet")
            complete_page(partial, seal.run_head)
            partial.rename(report / f"{PREFIX}{name}")
    except OSError as error:
        raise OutputError(f"the report cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    link = Link(name, seal.sequence, seal.run_head, previous.name, previous.head)
    summary = replace(summary, chain_heads=(*heads, ("run", seal.run_head)))
    return WrittenReport(report / f"{PREFIX}{name}", link, summary)


def _write_rows(
    folder: Path, run_id: str, rows: Iterable[Iterable[Row]]
) -> tuple[dict[str, _TableWriter], RunTotals]:
    """Write every row to its table in ``folder``; return the closed tables and the totals."""
    with ExitStack() as closing:
        tally = TotalsCounter(folder, closing)
        tables = {
            name: closing.enter_context(_TableWriter(folder, name, row_type, run_id))
            for name, row_type in TABLES.items()
        }
        arriving = chain.from_iterable(rows)
        while batch := list(islice(arriving, _BATCH_ROWS)):
            for row_type in dict.fromkeys(map(type, batch)):
                same_type = [row for row in batch if type(row) is row_type]
                tables[_TABLE_OF[row_type]].add(same_type)
                tally.add(same_type)
        return tables, tally.totals()


@dataclass(frozen=True, slots=True)
class _UnsealedRun:
    """A run that is about to be sealed, and the run that it follows."""

    facts: RunFacts
    totals: RunTotals
    name: str
    previous: Link


class _TableWriter:
    """A table while it is written; ``rows`` and ``head``, its last hash, grow with it.

    The hash is over the row as Arrow stores it, so that a reader gets the same value.
    """

    def __init__(self, folder: Path, name: str, row_type: type, run_id: str) -> None:
        self._row_type, self._schema = row_type, make_schema(row_type)
        self._stored = self._schema.append(HASH)
        self._file = folder / f"{name}.parquet"
        self._waiting: list[pa.RecordBatch] = []
        self.rows, self.head = 0, genesis(SCHEMA_VERSION, name, run_id, self._schema)

    def __enter__(self) -> _TableWriter:
        self._writer = pq.ParquetWriter(
            self._file,
            self._stored,
            compression="zstd",
            use_dictionary=[n for n in self._schema.names if n not in _NEARLY_UNIQUE],
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._write_group()
        self._writer.close()

    def add(self, rows: Sequence[Row]) -> None:
        """Check, chain and store ``rows``, which are of this table; at least one."""
        batch = make_batch(check_columns(self._row_type, rows), self._schema)
        hashes = chain_hashes(self.head, row_bytes(batch))
        self.rows, self.head = self.rows + len(rows), hashes[-1]
        self._waiting.append(
            pa.record_batch([*batch.columns, pa.array(hashes, HASH.type)], self._stored)
        )
        if sum(batch.num_rows for batch in self._waiting) >= _GROUP_ROWS:
            self._write_group()

    def _write_group(self) -> None:
        if self._waiting:
            self._writer.write_table(pa.Table.from_batches(self._waiting, self._stored))
            self._waiting = []


def _seal_run(
    run: _UnsealedRun,
    tables: Mapping[str, _TableWriter],
    hashes: Mapping[str, Any],
    signer: Signer | None,
) -> RunSeal:
    seal: dict[str, Any] = {
        "report": int(run.name.partition(".")[2] or 1),
        "sequence": run.previous.sequence + 1,
        "previous_run": run.previous.name or None,
        "previous_head": run.previous.head,
        "signature_key": signer.key_id if signer else None,
        **hashes,
    }
    for name, table in tables.items():
        seal |= {f"{name}_rows": table.rows, f"{name}_chain_head": table.head}
    head = run_head(_run_table(run, RunSeal(**seal, run_head="", signature=None)))
    signature = signer.sign(head) if signer else None
    sealed = RunSeal(**seal, run_head=head, signature=signature)
    check_columns(RunTotals, [run.totals])
    check_columns(RunSeal, [sealed])
    return sealed


def _run_table(run: _UnsealedRun, seal: RunSeal) -> pa.Table:
    row = asdict(run.facts) | asdict(run.totals) | asdict(seal)
    return pa.Table.from_pylist([row], make_schema(*RUN_COLUMNS))
