"""Read the stored tables of reports, and the reports of a folder in their order.

Entry: ``read_rows`` a few at a time, ``take_rows`` by their places, ``read_table`` whole columns;
``read_run_rows`` for all reports.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from prism_core.report.chain import PREFIX, read_link, report_name, run_folders
from prism_core.report.rows import DocumentRow, IdentifierRow

_BATCH_ROWS = 1000


@dataclass(frozen=True, slots=True)
class Receiver:
    """A translator and its requests; ``cost`` is None where it is not known for all requests.

    ``failures`` counts requests that failed by class.
    """

    provider: str
    host: str
    requests: int
    unanswered: int
    texts: int
    characters: int
    cost: float | None
    failures: Mapping[str, int]


def make_document_row(stored: dict[str, Any]) -> DocumentRow:
    """Make a row of the table of documents from its stored values."""
    row: DocumentRow = make_record(DocumentRow, stored | {"notices": tuple(stored["notices"])})
    return row


def read_batches(file: Path, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a table in Arrow, some at a time."""
    with pq.ParquetFile(file) as parquet:
        yield from parquet.iter_batches(_BATCH_ROWS, columns=columns and list(columns))


def read_rows(file: Path, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table as they are stored."""
    for batch in read_batches(file, columns):
        yield from batch.to_pylist()


def take_rows(file: Path, indexes: Sequence[int]) -> list[dict[str, Any]]:
    """Return the rows of a table at ``indexes``, in their order, with a part of it in memory."""
    found, start = dict[int, dict[str, Any]](), 0
    for batch in read_batches(file):
        inside = [index for index in indexes if start <= index < start + batch.num_rows]
        rows = batch.take(pa.array([index - start for index in inside], pa.int64())).to_pylist()
        found.update(zip(inside, rows, strict=True))
        start += batch.num_rows
    return [found[index] for index in indexes]


def read_table(file: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """Read a table, or ``columns`` of it, with one thread and no dataset reader.

    With both it takes three times the memory.
    """
    with pq.ParquetFile(file) as parquet:
        return parquet.read(columns and list(columns), use_threads=False)


def identifiers_by_class(folder: Path) -> list[IdentifierRow]:
    """Return the identifiers of the run by class, in the order of names."""
    counts = ("detected", "replaced", "remaining")
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for batch in read_batches(folder / "identifiers.parquet", ["identifier_class", *counts]):
        classes = pa.Table.from_batches([batch]).group_by("identifier_class")
        for row in classes.aggregate([(name, "sum") for name in counts]).to_pylist():
            sums[row["identifier_class"]].update({name: row[f"{name}_sum"] for name in counts})
    return [
        IdentifierRow(
            run_id=report_name(folder), document_id="all", identifier_class=name, **sums[name]
        )
        for name in sorted(sums)
    ]


def read_receivers(folder: Path) -> list[Receiver]:
    """Return the receivers of requests in the run, the most requests first."""
    keys = ["provider", "endpoint_host"]
    columns = [*keys, "texts", "characters", "cost", "answered_at", "failure"]
    stored = read_table(folder / "requests.parquet", columns)
    failures: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for row in stored.group_by([*keys, "failure"]).aggregate([("texts", "count")]).to_pylist():
        if row["failure"]:
            failures[row["provider"], row["endpoint_host"]][row["failure"]] = row["texts_count"]
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
            failures=failures[row["provider"], row["endpoint_host"]],
        )
        for row in sorted(sums.to_pylist(), key=lambda row: -row["texts_count"])
    ]


def find_run_folder(report: Path, run_id: str) -> Path:
    """Return the folder of the last report of the run, existing or not."""
    first = report / f"{PREFIX}{run_id}"
    again = [folder for folder in report.glob(f"{PREFIX}{run_id}.*") if _report_number(folder)]
    return max(again, key=_report_number, default=first)


def read_run_rows(report: Path) -> list[tuple[Path, dict[str, Any]]]:
    """Return ``run.parquet`` of every readable report, in the order in which they were written.

    If a run was reported again, only the last report counts: it covers the whole run.
    """
    found: dict[str, tuple[tuple[Any, ...], Path, dict[str, Any]]] = {}
    for folder in run_folders(report):
        link = read_link(folder)
        if link is None:
            continue
        row = pq.ParquetFile(folder / "run.parquet").read().to_pylist()[0]
        order = (link.sequence, row["finished_at"], link.name)
        if row["run_id"] not in found or found[row["run_id"]][0] < order:
            found[row["run_id"]] = order, folder, row
    return [(folder, row) for _, folder, row in sorted(found.values(), key=itemgetter(0))]


def _report_number(folder: Path) -> int:
    number = folder.name.rpartition(".")[2]
    return int(number) if number.isdecimal() and (folder / "run.parquet").exists() else 0


def make_record(row_type: Any, stored: Mapping[str, Any]) -> Any:
    """Make a row of ``row_type`` from its stored values."""
    return row_type(**{column.name: stored[column.name] for column in fields(row_type)})
