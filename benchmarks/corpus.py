"""The main job over a folder of real files: does it end, what became of each, how fast, how large.

    python -m benchmarks.corpus [FOLDER] [--json] [--translator apertium] [--output OUT]

Runs the ``prism`` command as a user would and reads its report. Rows of ``outcome, failure,
count`` and one of totals: documents a minute, peak memory of the largest process, exit code.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import pyarrow.dataset as ds

from benchmarks.measure import show

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))


def main() -> None:
    """Run the job and print what its report says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED / "documents")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--translator", default="apertium")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        output = arguments.output or Path(folder) / "out"
        started = time.monotonic()
        code, errors = run(arguments.folder, output, arguments.translator)
        seconds = time.monotonic() - started
        show(rows(output, seconds, code, errors), as_json=arguments.json)


def run(folder: Path, output: Path, translator: str) -> tuple[int, str]:
    """The exit code and the standard error of the job."""
    command = [
        *(sys.executable, "-m", "flows.cli", "translate", str(folder), str(output)),
        *("--to", "es", "--engine", "local", "--translator", translator, "--quiet"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def rows(output: Path, seconds: float, code: int, errors: str) -> list[dict[str, object]]:
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
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    totals: dict[str, object] = {
        "documents": len(documents),
        "minutes": seconds / 60,
        "documents_per_minute": 60 * len(documents) / seconds,
        "peak_mb": peak,
        "exit_code": code,
        "tracebacks": errors.count("Traceback"),
    }
    return [*counts, totals]


if __name__ == "__main__":
    main()
