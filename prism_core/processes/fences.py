"""What a child process may use; the kernel enforces it whatever the code in the child does."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Final

from prism_core.processes.network import forbid_network

CHILD_FOLDER: Final = "prism-"
"""What the name of a fenced child's temporary folder begins with."""
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_DUMPABLE: Final = 4


@dataclass(frozen=True, slots=True)
class Fences:
    """Limits of a child that works on what nobody trusts.

    ``processor_seconds`` of processor time and ``clock_seconds`` by the clock, after which the
    kernel ends it with ``SIGPROF`` or ``SIGALRM``; ``memory`` bytes of address space on top of what
    is loaded when the fences go up; ``file`` bytes for any file it writes.
    """

    processor_seconds: float
    clock_seconds: float
    memory: int
    file: int

    def put_up(self) -> None:
        """Set the limits of this process, for good: no network, no core dump, no debugger."""
        loaded = _address_space()
        die_first_when_memory_runs_out(1000)
        libc().prctl(_PR_SET_DUMPABLE, 0)
        forbid_network()
        _limit(resource.RLIMIT_CORE, 0)
        _limit(resource.RLIMIT_FSIZE, self.file)
        _limit(resource.RLIMIT_AS, self.memory + loaded)
        for number in (signal.SIGALRM, signal.SIGPROF):
            signal.signal(number, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, self.processor_seconds)
        signal.setitimer(signal.ITIMER_REAL, self.clock_seconds)


def die_with(parent: int) -> None:
    """Let the kernel end this process with its ``parent``.

    Raises ``ProcessLookupError`` when that is gone already. Between a fork and an exec it calls the
    kernel alone, where ``libc`` was called before.
    """
    libc().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        raise ProcessLookupError


@cache
def libc() -> ctypes.CDLL:
    """The C library; loaded in the server once, not in every child."""
    return ctypes.CDLL(None)


def die_first_when_memory_runs_out(score: int) -> None:
    """Let the kernel take this process before others: ``score`` of 1000 before all."""
    with suppress(OSError):
        handle = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(handle, str(score).encode("ascii"))
        os.close(handle)


def _limit(what: int, value: int) -> None:
    hard = resource.getrlimit(what)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(what, (value, value))


def _address_space() -> int:
    """The bytes of address space in use: the loaded libraries are not the document's."""
    handle = os.open("/proc/self/statm", os.O_RDONLY)
    pages = int(os.read(handle, 256).split()[0])
    os.close(handle)
    return pages * resource.getpagesize()
