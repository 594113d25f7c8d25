"""The benchmark of reports as a user runs it."""

import json
import subprocess
import sys

from prism_core.resources import SHIPPED


def test_a_report_is_written_and_verified_and_memory_stays_where_it_is():
    command = [sys.executable, "-m", "benchmarks.reports", "--sentences", "500", "60000", "--json"]
    done = subprocess.run(command, cwd=SHIPPED, capture_output=True, text=True, check=True)
    few, many = json.loads(done.stdout)
    assert (few["rows"], many["rows"]) == (500 + 13 + 26, 60_000 + 1_500 + 3_000)
    assert 0 < few["total_seconds"] < many["total_seconds"]
    assert many["file_mb"] > few["file_mb"]
    assert many["peak_mb"] - few["peak_mb"] < 100
