"""Write the tables of a report.

``REPORT/run=<id>/{documents,sentences,identifiers,requests,run}.parquet``: a folder a run, written
under another name and renamed when complete, so a reader never sees half a report. A report that
is there is never written over: of a run that goes on under its id, the next one is
``run=<id>.2``. Each row carries the SHA-256 of the previous row's hash and its own content, the
run carries the hash of the run before it: see ``canonical`` and ``succession``.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from prism_core.errors import OutputError
from prism_core.report.canonical import chained, genesis, row_bytes
from prism_core.report.rows import (
    Row,
    RunFacts,
    RunSeal,
    RunSummary,
    RunTotals,
)
from prism_core.report.schema import TABLES, checked_columns, schema_of
from prism_core.report.signing import Signer
from prism_core.report.succession import BEGINNING, PREFIX, Link, appending, last_link
from prism_core.report.table import BATCH_ROWS, Table
from prism_core.report.totals import Tally

_TABLE_OF = {row_type: table for table, row_type in TABLES.items()}
RUN_COLUMNS = (RunFacts, RunTotals, RunSeal)
"""What the one row of ``run.parquet`` is made of."""


@dataclass(frozen=True, slots=True)
class Written:
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
) -> Written:
    """Check the rows and write them to a new folder of ``report``, called after the run.

    ``rows`` are of any table and in any order, that of each table kept; they are streamed.
    ``remembered`` is the last report that was written here as far as is known elsewhere: should it
    be gone, the new one follows it nevertheless, so that its absence shows. Raises ``OutputError``
    when a row does not fit its schema (naming the column, never the value) or the folder cannot be
    written.
    """
    checked_columns(RunFacts, [facts])
    partial = report / f".run={facts.run_id}.partial"
    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        with ExitStack() as closing:
            tally = Tally(partial, closing)
            tables = {
                name: closing.enter_context(Table(partial, name, row_type, facts.run_id))
                for name, row_type in TABLES.items()
            }
            _store(chain.from_iterable(rows), tables, tally)
            totals = tally.totals()
        with appending(report):
            name = _free_name(report, facts.run_id)
            previous = max(last_link(report), remembered, key=lambda link: link.sequence)
            run = _Run(facts, totals, name, previous)
            seal = _sealed(run, tables, signer)
            pq.write_table(_run_table(run, seal), partial / "run.parquet")
            partial.rename(report / f"{PREFIX}{name}")
    except OSError as error:
        raise OutputError(f"the report cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    link = Link(name, seal.sequence, seal.run_head, previous.name, previous.head)
    return Written(report / f"{PREFIX}{name}", link, run.summary(seal))


@dataclass(frozen=True, slots=True)
class _Run:
    """A run that is about to be sealed, and the one that it follows."""

    facts: RunFacts
    totals: RunTotals
    name: str
    previous: Link

    def summary(self, seal: RunSeal) -> RunSummary:
        heads = [(table, getattr(seal, f"{table}_chain_head")) for table in TABLES]
        return RunSummary(
            facts=self.facts, totals=self.totals, chain_heads=(*heads, ("run", seal.run_head))
        )


def _store(rows: Iterator[Row], tables: Mapping[str, Table], tally: Tally) -> None:
    """Put each row into the table it is of, and count it."""
    while some := list(islice(rows, BATCH_ROWS)):
        for row_type in dict.fromkeys(map(type, some)):
            of_type = [row for row in some if type(row) is row_type]
            tables[_TABLE_OF[row_type]].add(of_type)
            tally.add(of_type)


def _sealed(run: _Run, tables: Mapping[str, Table], signer: Signer | None) -> RunSeal:
    seal: dict[str, Any] = {
        "report": int(run.name.partition(".")[2] or 1),
        "sequence": run.previous.sequence + 1,
        "previous_run": run.previous.name or None,
        "previous_head": run.previous.head,
        "signature_key": signer.key_id if signer else None,
    }
    for name, table in tables.items():
        seal |= {f"{name}_rows": table.rows, f"{name}_chain_head": table.head}
    head = run_head(_run_table(run, RunSeal(**seal, run_head="", signature=None)))
    signature = signer.sign(head) if signer else None
    sealed = RunSeal(**seal, run_head=head, signature=signature)
    checked_columns(RunTotals, [run.totals])
    checked_columns(RunSeal, [sealed])
    return sealed


def run_head(run: pa.Table) -> str:
    """The hash over everything in ``run.parquet`` that stands before ``run_head``.

    Raises ``KeyError`` or ``ValueError`` for a table that is no such thing.
    """
    covered = run.select(run.schema.names[: run.schema.names.index("run_head")])
    (batch,) = covered.combine_chunks().to_batches()
    row = batch.to_pylist()[0]
    version = (run.schema.metadata or {})[b"prism.schema_version"].decode()
    first = genesis(version, "run", row["run_id"], covered.schema, row["previous_head"])
    return chained(first, row_bytes(batch))[-1]


def _run_table(run: _Run, seal: RunSeal) -> pa.Table:
    row = asdict(run.facts) | asdict(run.totals) | asdict(seal)
    return pa.Table.from_pylist([row], schema_of(*RUN_COLUMNS))


def _free_name(report: Path, run_id: str) -> str:
    names = (f"{run_id}.{number}" if number > 1 else run_id for number in range(1, 10_000))
    return next(name for name in names if not (report / f"{PREFIX}{name}").exists())
