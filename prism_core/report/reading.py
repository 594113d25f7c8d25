"""The tables of reports as they are stored, and the reports of a folder in their order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from prism_core.report.chain import PREFIX, link_of, name_of, run_folders
from prism_core.report.rows import DocumentRow, IdentifierRow

_BATCH_ROWS = 1000


@dataclass(frozen=True, slots=True)
class Receiver:
    """A translator, and what it was sent; ``cost`` None where it is not known of all requests."""

    provider: str
    host: str
    requests: int
    unanswered: int
    texts: int
    characters: int
    cost: float | None


def document_row(stored: dict[str, Any]) -> DocumentRow:
    """A row of the table of documents."""
    row: DocumentRow = record_of(DocumentRow, stored | {"notices": tuple(stored["notices"])})
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


def identifiers_by_class(folder: Path, document: str | None = None) -> list[IdentifierRow]:
    """What the run, or one document, had of each class, in the order of the classes' names."""
    counts = ("detected", "replaced", "remaining")
    named = ["document_id"] if document else []
    stored = table_of(folder / "identifiers.parquet", [*named, "identifier_class", *counts])
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


def receivers_of(folder: Path) -> list[Receiver]:
    """Who was sent something in the run, the most requests first."""
    keys = ["provider", "endpoint_host"]
    columns = [*keys, "texts", "characters", "cost", "answered_at"]
    stored = table_of(folder / "requests.parquet", columns)
    sums = stored.group_by(keys).aggregate(
        [
            ("texts", "count"),
            ("texts", "sum"),
            ("characters", "sum"),
            ("answered_at", "count"),
            ("cost", "count"),
            ("cost", "sum"),
        ]
    )
    return [
        Receiver(
            provider=row["provider"],
            host=row["endpoint_host"],
            requests=row["texts_count"],
            unanswered=row["texts_count"] - row["answered_at_count"],
            texts=row["texts_sum"],
            characters=row["characters_sum"],
            cost=row["cost_sum"] if row["cost_count"] == row["texts_count"] else None,
        )
        for row in sorted(sums.to_pylist(), key=lambda row: -row["texts_count"])
    ]


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


def _number(folder: Path) -> int:
    number = folder.name.rpartition(".")[2]
    return int(number) if number.isdecimal() and (folder / "run.parquet").exists() else 0


def record_of(row_type: Any, stored: Mapping[str, Any]) -> Any:
    """A row of ``row_type`` of what is stored of it."""
    return row_type(**{column.name: stored[column.name] for column in fields(row_type)})
