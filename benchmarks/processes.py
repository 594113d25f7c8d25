"""What a command and everything it starts use: time by the clock, processor time, memory."""

from __future__ import annotations

import contextlib
import ctypes
import math
import os
import resource
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36
_SAMPLE_SECONDS = 0.2
_KCMP, _KCMP_VM = 312, 1
"""The call that compares two processes (x86_64), and their memory among what it compares."""


@dataclass(frozen=True)
class Usage:
    """How a command ended and what it used.

    ``cpu_seconds`` (user and system) are those of all its processes, also of those that outlived
    their parents; ``peak_mb`` is the most memory they all had at one moment, each shared page
    counted once (PSS, five samples a second), ``peak_processes`` the most there were.
    ``largest_mb`` is the most that any one of them ever had: the kernel's own mark (VmHWM), which
    misses no moment, with all its shared pages.
    ``first_line`` is the time from its start to its first line of ``errors``, infinite without one.
    """

    code: int
    errors: str
    seconds: float
    first_line: float
    cpu_seconds: float
    peak_mb: float
    peak_processes: int
    largest_mb: float


def measured(command: Sequence[str], variables: dict[str, str] | None = None) -> Usage:
    """Run ``command`` with ``variables`` added to the environment. Linux only."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
    before, started = cpu_of_children(), time.monotonic()
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=os.environ | (variables or {}),
    )
    watch = _Watch()
    watch.start()
    assert process.stderr is not None  # noqa: S101 (it is a pipe)
    errors = process.stderr.readline()
    first_line = time.monotonic() - started if errors else math.inf
    errors += process.stderr.read()
    process.wait()
    seconds = time.monotonic() - started
    watch.over.set()
    watch.join()
    _await_orphans()
    return Usage(
        code=process.returncode,
        errors=errors.decode("utf-8", "replace"),
        seconds=seconds,
        first_line=first_line,
        cpu_seconds=cpu_of_children() - before,
        peak_mb=watch.peak_kb / 1024,
        peak_processes=watch.peak_processes,
        largest_mb=watch.largest_kb / 1024,
    )


class _Watch(threading.Thread):
    """Samples the memory of all descendants of this process."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.over = threading.Event()
        self.peak_kb = 0
        self.peak_processes = 0
        self.largest_kb = 0

    def run(self) -> None:
        while not self.over.wait(_SAMPLE_SECONDS):
            descendants = _descendants(os.getpid())
            self.peak_kb = max(self.peak_kb, sum(map(_pss_kb, descendants)))
            self.largest_kb = max(self.largest_kb, *map(_high_water_kb, descendants), 0)
            self.peak_processes = max(self.peak_processes, len(descendants))


def _descendants(root: int) -> list[int]:
    """Those below ``root``, but for one that is about to become another program.

    Until then it borrows the memory of its parent, which would count twice.
    """
    found, waiting = [], [root]
    while waiting:
        parent = waiting.pop()
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{parent}/task").iterdir():
                children = map(int, (task / "children").read_text().split())
                waiting += (child for child in children if not _borrows(child, parent))
        found.append(parent)
    return found[1:]


def _borrows(child: int, parent: int) -> bool:
    """Whether both have one memory; False where the kernel does not say."""
    return ctypes.CDLL(None).syscall(_KCMP, child, parent, _KCMP_VM, 0, 0) == 0


def _pss_kb(process: int) -> int:
    return _kilobytes(process, "smaps_rollup", "Pss:")


def _high_water_kb(process: int) -> int:
    return _kilobytes(process, "status", "VmHWM:")


def _kilobytes(process: int, file: str, name: str) -> int:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/{file}").read_text(errors="replace").splitlines():
            if line.startswith(name):
                return int(line.split()[1])
    return 0


def cpu_of_children() -> float:
    """Processor seconds of the children of this process that it has awaited, and of theirs."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _await_orphans() -> None:
    """Whatever lost its parent became ours, and counts when it is awaited."""
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
