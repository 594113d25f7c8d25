"""Shards on several hosts, one of which is cut off: what the benchmark measures, once and short."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.hosts import DRILLS, measure


@pytest.mark.slow
def test_a_host_that_is_cut_off_for_longer_than_its_lease_loses_nothing_and_sends_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Slow: it waits for leases to run out."""
    monkeypatch.setenv("OPENAI_API_KEY", "")
    found = measure(tmp_path, DRILLS["cut"], seconds=9, documents=8)
    assert found["identical"]
    assert (found["runs"], found["lost"], found["resent"], found["refused"]) == (1, 0, 0, 0)
