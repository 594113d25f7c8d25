"""Stages that a test lets worker processes run: found there by their names."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from prism_core.errors import QuotaExhausted
from prism_core.language import identification
from prism_core.stages import Run, StageResult
from prism_core.state.stage_records import Chunk


def own_process(run: Run, chunk: Chunk) -> StageResult:
    """Counts the id of the process it runs in."""
    return StageResult(documents=os.getpid())


def grown(run: Run, chunk: Chunk) -> StageResult:
    """Keeps more memory than an idle worker may; counts the id of the process it runs in."""
    vars(run)["kept"] = b"x" * 200_000_000
    return StageResult(documents=os.getpid())


def has_identifier(run: Run, chunk: Chunk) -> StageResult:
    """Counts what tells languages apart, if this process has it without having asked for it."""
    return StageResult(documents=identification._identifier.cache_info().currsize)


def at_the_same_time(run: Run, chunk: Chunk) -> StageResult:
    """Waits until two of its kind are under way."""
    _mark(run, chunk).touch()
    until = time.monotonic() + 60
    while len(list(run.job.input.iterdir())) < 2:
        assert time.monotonic() < until, "alone"
        time.sleep(0.01)
    return StageResult(documents=1)


def killed_once(run: Run, chunk: Chunk) -> StageResult:
    """Is killed the first time, as the kernel does when memory runs out."""
    mark = _mark(run, chunk)
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return StageResult(documents=1)


def always_killed(run: Run, chunk: Chunk) -> StageResult:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("unreachable")


def refused(run: Run, chunk: Chunk) -> StageResult:
    raise QuotaExhausted("no more")


def quoting(run: Run, chunk: Chunk) -> StageResult:
    raise ValueError("cannot handle 'Dear Zorbanquist'")


def endless(run: Run, chunk: Chunk) -> StageResult:
    """Says which process it runs in, and never comes back."""
    _mark(run, chunk).write_text(str(os.getpid()))
    while True:
        time.sleep(1)


def _mark(run: Run, chunk: Chunk) -> Path:
    return run.job.input / chunk[0]
