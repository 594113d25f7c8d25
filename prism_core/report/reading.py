"""Read a report back, for the summary at the end of a run and for tests."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from prism_core.report.rows import DocumentRow, Outcome, RunFacts, RunTotals


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


def read_report(report: Path, run_id: str) -> RunReport | None:
    """The run ``run_id`` in the folder ``report``, or None when there is no complete report."""
    folder = report / f"run={run_id}"
    try:
        run = pq.ParquetFile(folder / "run.parquet").read().to_pylist()[0]
        rows = pq.ParquetFile(folder / "documents.parquet").read().to_pylist()
    except (OSError, pa.ArrowException, IndexError):
        return None
    documents = [_record(DocumentRow, row | {"notices": tuple(row["notices"])}) for row in rows]
    return RunReport(
        folder=folder,
        facts=_record(RunFacts, run),
        totals=_record(RunTotals, run),
        documents=tuple(documents),
    )


def latest_run(report: Path) -> str | None:
    """The run that finished last of those in the folder ``report``; None when there is none."""
    finished = {}
    for file in report.glob("run=*/run.parquet"):
        try:
            run = pq.ParquetFile(file).read(["run_id", "finished_at"]).to_pylist()[0]
        except (OSError, pa.ArrowException, IndexError):
            continue
        finished[run["run_id"]] = run["finished_at"]
    return max(finished, key=lambda run: finished[run], default=None)


def languages_of(report: Path, run_id: str) -> tuple[str, str]:
    """From which language the run translated into which, ISO 639; also of an earlier schema."""
    file = report / f"run={run_id}" / "run.parquet"
    run = pq.ParquetFile(file).read(["source", "target"]).to_pylist()[0]
    return run["source"], run["target"]


def _record(row_type: Any, stored: dict[str, Any]) -> Any:
    return row_type(**{column.name: stored[column.name] for column in fields(row_type)})
