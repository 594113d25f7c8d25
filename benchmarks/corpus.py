"""The main job over a folder of real files: does it end, what became of each, how fast, how large.

    python -m benchmarks.corpus [FOLDER] [--json] [--types] [--translator apertium] [--workers 1 2]

Runs the ``prism`` command as a user would, once for each number of workers, and reads its report.
Rows of ``outcome, failure, count`` (``--types``: also ``type``, the folder a file is in) and one of
totals: documents a minute, processor time, memory of all processes together, exit code.
"""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import pyarrow.dataset as ds

from benchmarks.measure import argument_parser, show
from benchmarks.processes import Usage, measured

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
_SECONDS = 120
"""For the list of names."""


def main() -> None:
    """Run the job and print what its report says."""
    parser = argument_parser(__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED / "documents")
    parser.add_argument("--types", action="store_true")
    parser.add_argument("--translator", default="apertium")
    parser.add_argument("--workers", type=int, nargs="+", default=[len(os.sched_getaffinity(0))])
    arguments = parser.parse_args()
    results = []
    for workers in arguments.workers:
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "out"
            usage = run(arguments.folder, output, arguments.translator, workers)
            results += [{"workers": workers, **row} for row in rows(output, usage, arguments.types)]
    show(results, as_json=arguments.json)


def run(folder: Path, output: Path, translator: str, workers: int) -> Usage:
    """How the job ended and what it used."""
    command = [
        *(sys.executable, "-m", "flows.command", "translate", str(folder), str(output)),
        *("--to", "es", "--engine", "local", "--translator", translator, "--quiet"),
    ]
    return measured(command, {"PRISM_LIMITS__WORKERS": str(workers)})


def rows(output: Path, usage: Usage, by_type: bool) -> list[dict[str, object]]:
    """Counts by outcome and failure class, of each type of file if asked; then the totals."""
    documents = ds.dataset(
        [str(path) for path in (output / "prism-report").glob("run=*/documents.parquet")]
    ).to_table()
    types = _types(output) if by_type else {}
    found = Counter(
        (types.get(row["document_id"], ""), str(row["outcome"]), str(row["failure"] or ""))
        for row in documents.to_pylist()
    )
    counts: list[dict[str, object]] = [
        ({"type": kind} if by_type else {})
        | {"outcome": outcome, "failure": failure, "count": count}
        for (kind, outcome, failure), count in sorted(found.items())
    ]
    totals: dict[str, object] = {
        "documents": len(documents),
        "minutes": usage.seconds / 60,
        "documents_per_minute": 60 * len(documents) / usage.seconds,
        "cpu_seconds": usage.cpu_seconds,
        "peak_mb": usage.peak_mb,
        "exit_code": usage.code,
        "tracebacks": usage.errors.count("Traceback"),
    }
    return [*counts, totals]


def names_by_id(output: Path) -> dict[str, str]:
    """The path of each document of the run into ``output``, by its keyed id."""
    listed = subprocess.run(
        [sys.executable, "-m", "flows.command", "audit", "names", str(output)],
        check=True,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=_SECONDS,
    ).stdout
    return dict(list(csv.reader(io.StringIO(listed)))[1:])


def _types(output: Path) -> dict[str, str]:
    """The type of each document, by its keyed id: the folder that it is in, or its suffix."""
    return {document: _type(Path(path)) for document, path in names_by_id(output).items()}


def _type(path: Path) -> str:
    return path.parts[0] if len(path.parts) > 1 else path.suffix.lower()[1:]


if __name__ == "__main__":
    main()
