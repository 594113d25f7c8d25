"""Read reports back: for the summary at the end of a run, for an auditor, and for tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from prism_core.errors import OutputError
from prism_core.report.chain import PREFIX, link_of, name_of, run_folders
from prism_core.report.rows import DocumentRow, IdentifierRow, Outcome, RunFacts
from prism_core.report.schema import check_version
from prism_core.report.totals import RunTotals

_BATCH_ROWS = 1000


@dataclass(frozen=True, slots=True)
class RunReport:
    """One run as its report tells it."""

    folder: Path
    facts: RunFacts
    totals: RunTotals
    documents: tuple[DocumentRow, ...]

    @property
    def failures(self) -> tuple[DocumentRow, ...]:
        """Those that failed."""
        return tuple(row for row in self.documents if row.outcome == Outcome.FAILED)

    @property
    def partly(self) -> tuple[DocumentRow, ...]:
        """Those with sentences that stayed in the source language."""
        return tuple(row for row in self.documents if row.outcome == Outcome.PARTLY)


@dataclass(frozen=True, slots=True)
class DocumentDetails:
    """One document as its report tells it; ``sentences`` counts by outcome and reason."""

    row: DocumentRow
    identifiers: list[IdentifierRow]
    sentences: dict[tuple[str, str], int]


@dataclass(frozen=True, slots=True)
class WholeRun:
    """One run for somebody who looks at it: its row as stored, identifiers by class, failures."""

    run: dict[str, Any]
    identifiers: list[IdentifierRow]
    failures: Counter[str]


def whole_run(folder: Path) -> WholeRun:
    """The report in ``folder``. Raises ``OutputError`` when it cannot be read."""
    try:
        check_version(folder / "run.parquet")
        (run,) = rows_of(folder / "run.parquet")
        failed = Counter(row["failure"] for row in rows_of(folder / "documents.parquet"))
        identifiers = identifiers_by_class(folder)
    except (OSError, pa.ArrowException, LookupError, ValueError):
        raise OutputError(
            f"{folder} does not hold a complete report; prism audit verify says what is missing"
        ) from None
    del failed[""]
    return WholeRun(run, identifiers, failed)


def read_report(report: Path, run_id: str) -> RunReport | None:
    """The run ``run_id`` in the folder ``report``, or None when there is no complete report.

    Raises ``OutputError`` for one of another version.
    """
    folder = folder_of(report, run_id)
    try:
        check_version(folder / "run.parquet")
        run = pq.ParquetFile(folder / "run.parquet").read().to_pylist()[0]
        documents = tuple(read_documents(folder))
    except (OSError, pa.ArrowException, LookupError):
        return None
    return RunReport(
        folder=folder,
        facts=_record(RunFacts, run),
        totals=_record(RunTotals, run),
        documents=documents,
    )


def read_documents(folder: Path) -> Iterator[DocumentRow]:
    """The documents of the report in ``folder``, in the order in which they are stored."""
    return map(document_row, rows_of(folder / "documents.parquet"))


def document_row(stored: dict[str, Any]) -> DocumentRow:
    """A row of the table of documents."""
    row: DocumentRow = _record(DocumentRow, stored | {"notices": tuple(stored["notices"])})
    return row


def rows_of(file: Path, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """The rows of a table as they are stored."""
    with pq.ParquetFile(file) as parquet:
        for batch in parquet.iter_batches(_BATCH_ROWS, columns=columns and list(columns)):
            yield from batch.to_pylist()


def table_of(file: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """A table, or ``columns`` of it, by one thread and without what reads folders of files: with
    both it takes thrice the memory."""
    with pq.ParquetFile(file) as parquet:
        return parquet.read(columns and list(columns), use_threads=False)


def one_document(folder: Path, document: str) -> DocumentDetails | None:
    """The document with that id; None when the report has none."""
    wanted = [("document_id", "=", document)]
    found = _matching(folder / "documents.parquet", wanted)
    if not found:
        return None
    of_document = _matching(folder / "sentences.parquet", wanted)
    return DocumentDetails(
        row=document_row(found[0]),
        identifiers=identifiers_by_class(folder, document),
        sentences=dict(Counter((row["outcome"], row["reason"]) for row in of_document)),
    )


def identifiers_by_class(folder: Path, document: str | None = None) -> list[IdentifierRow]:
    """What the run, or one document, had of each class, in the order of the classes' names."""
    counts = ("detected", "replaced", "remaining")
    stored = table_of(folder / "identifiers.parquet", ["document_id", "identifier_class", *counts])
    if document:
        stored = stored.filter(pc.equal(stored["document_id"], document))
    sums = stored.group_by("identifier_class").aggregate([(name, "sum") for name in counts])
    return [
        IdentifierRow(
            run_id=name_of(folder),
            document_id=document or "all",
            identifier_class=row["identifier_class"],
            **{name: row[f"{name}_sum"] for name in counts},
        )
        for row in sums.sort_by("identifier_class").to_pylist()
    ]


def _matching(file: Path, filters: list[tuple[str, str, str]] | None) -> list[dict[str, Any]]:
    stored = pq.read_table(file, filters=filters, partitioning=None)
    rows: list[dict[str, Any]] = stored.to_pylist()
    return rows


def folder_of(report: Path, run_id: str) -> Path:
    """Where the last report of the run is, or would be."""
    first = report / f"{PREFIX}{run_id}"
    again = [folder for folder in report.glob(f"{PREFIX}{run_id}.*") if _number(folder)]
    return max(again, key=_number, default=first)


def run_rows(report: Path) -> list[tuple[Path, dict[str, Any]]]:
    """``run.parquet`` of every report that can be read, in the order in which they were written.

    Of a run that was reported again, the last report alone: it holds the whole run.
    """
    found: dict[str, tuple[tuple[Any, ...], Path, dict[str, Any]]] = {}
    for folder in run_folders(report):
        link = link_of(folder)
        if link is None:
            continue
        row = pq.ParquetFile(folder / "run.parquet").read().to_pylist()[0]
        order = (link.sequence, row["finished_at"], link.name)
        if row["run_id"] not in found or found[row["run_id"]][0] < order:
            found[row["run_id"]] = order, folder, row
    return [(folder, row) for _, folder, row in sorted(found.values(), key=lambda one: one[0])]


def latest_run(report: Path) -> str | None:
    """The run that finished last of those in the folder ``report``; None when there is none."""
    rows = [row for _, row in run_rows(report)]
    last = max(rows, key=lambda row: row["finished_at"], default=None)
    return None if last is None else str(last["run_id"])


def languages_of(report: Path, run_id: str) -> tuple[str, str]:
    """From which language the run translated into which, ISO 639."""
    file = folder_of(report, run_id) / "run.parquet"
    run = pq.ParquetFile(file).read(["source", "target"]).to_pylist()[0]
    return run["source"], run["target"]


def _number(folder: Path) -> int:
    number = folder.name.rpartition(".")[2]
    return int(number) if number.isdecimal() and (folder / "run.parquet").exists() else 0


def _record(row_type: Any, stored: dict[str, Any]) -> Any:
    """A row of ``row_type`` of what is stored of it."""
    return row_type(**{column.name: stored[column.name] for column in fields(row_type)})
