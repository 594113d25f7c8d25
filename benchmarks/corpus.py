"""The main job over a folder of real files: does it end, what became of each, how fast, how large.

    python -m benchmarks.corpus [FOLDER] [--json] [--translator apertium] [--workers 1 2]

Runs the ``prism`` command as a user would, once for each number of workers, and reads its report.
Rows of ``outcome, failure, count`` and one of totals: documents a minute, processor time, memory of
all processes together, exit code.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

import pyarrow.dataset as ds

from benchmarks.measure import show
from benchmarks.processes import Usage, measured

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))


def main() -> None:
    """Run the job and print what its report says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED / "documents")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--translator", default="apertium")
    parser.add_argument("--workers", type=int, nargs="+", default=[len(os.sched_getaffinity(0))])
    arguments = parser.parse_args()
    results = []
    for workers in arguments.workers:
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "out"
            usage = run(arguments.folder, output, arguments.translator, workers)
            results += [{"workers": workers, **row} for row in rows(output, usage)]
    show(results, as_json=arguments.json)


def run(folder: Path, output: Path, translator: str, workers: int) -> Usage:
    """How the job ended and what it used."""
    command = [
        *(sys.executable, "-m", "flows.cli", "translate", str(folder), str(output)),
        *("--to", "es", "--engine", "local", "--translator", translator, "--quiet"),
    ]
    return measured(command, {"PRISM_LIMITS__WORKERS": str(workers)})


def rows(output: Path, usage: Usage) -> list[dict[str, object]]:
    """Counts by outcome and failure class, then the totals."""
    documents = ds.dataset(
        [str(path) for path in (output / "prism-report").glob("run=*/documents.parquet")]
    ).to_table()
    pairs = zip(documents["outcome"].to_pylist(), documents["failure"].to_pylist(), strict=True)
    counts: list[dict[str, object]] = [
        {"outcome": outcome, "failure": failure or "", "count": count}
        for (outcome, failure), count in sorted(
            Counter((str(o), str(f or "")) for o, f in pairs).items()
        )
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


if __name__ == "__main__":
    main()
