"""What a child process may use; the kernel enforces it whatever the code in the child does.

Entry: ``KernelLimits.apply`` in a child: limits -> ``forbid_network``; then ``die_with_parent`` its parent,
``release_free_memory`` and ``die_first_when_memory_runs_out`` for memory.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import signal
import struct
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

CHILD_FOLDER: Final = "prism-"
"""What the name of a fenced child's temporary folder begins with."""
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_DUMPABLE: Final = 4


@dataclass(frozen=True, slots=True)
class KernelLimits:
    """Limits of a child that works on what nobody trusts.

    ``processor_seconds`` of processor time and ``clock_seconds`` by the clock, after which the
    kernel ends it with ``SIGPROF`` or ``SIGALRM``; ``memory`` bytes of address space on top of what
    is loaded when the limits go up; ``file`` bytes for any file it writes.
    """

    processor_seconds: float
    clock_seconds: float
    memory: int
    file: int

    def apply(self) -> None:
        """Set the limits of this process, for good: no network, no core dump, no debugger."""
        # the bytes of address space in use: the loaded libraries are not the document's
        handle = os.open("/proc/self/statm", os.O_RDONLY)
        loaded = int(os.read(handle, 256).split()[0]) * resource.getpagesize()
        os.close(handle)
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


def die_with_parent(parent: int) -> None:
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


def release_free_memory() -> None:
    """Let the system have what was needed to load something and is free now.

    The C library keeps it in gaps, where each forked process would come to have its own copy.
    """
    with suppress(AttributeError):  # a C library that gives it back by itself, or never
        libc().malloc_trim(0)


def private_memory_bytes() -> int:
    """Bytes that this process shares with no other; 0 where the system does not tell."""
    with suppress(OSError):
        lines = Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) * 1024
    return 0


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


_PR_SET_NO_NEW_PRIVS: Final = 38
_PR_SET_SECCOMP: Final = 22
_FILTER: Final = 2
_LOAD, _IS, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000 | errno.EACCES
_STEP: Final = struct.Struct("=HBBI")
_NUMBER, _MACHINE = 0, 4
_ARGUMENT: Final = 16
"""Offsets of ``struct seccomp_data``: call, machine, low half of the first argument."""
_LOCAL: Final = 1
"""``AF_UNIX``, by which LibreOffice talks to itself."""
_IO_URING: Final = 425
"""Opens sockets past ``socket``; no library of ours needs it."""
_OTHER_TABLE: Final = 0x40000000
"""From here on, x86 has the same calls under other numbers."""
_MACHINES: Final = {
    "x86_64": (0xC000003E, 41),
    "aarch64": (0xC00000B7, 198),
    "riscv64": (0xC00000F3, 198),
    "loongarch64": (0xC0000102, 198),
}
"""The kernel's name of a machine, and the number that ``socket`` has there."""


def forbid_network() -> bool:
    """Let no socket be opened but local ones; what is open stays. False where it cannot be had."""
    steps = network_filter()
    if steps is None:
        return False
    loaded = struct.pack("@HP", len(steps) // _STEP.size, ctypes.addressof(steps))
    if libc().prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    return bool(libc().prctl(_PR_SET_SECCOMP, _FILTER, loaded, 0, 0) == 0)


@cache
def network_filter() -> ctypes.Array[ctypes.c_char] | None:
    """What the kernel reads for each call of a process without network; None for a system whose
    calls are not known. Made in the server once, not in every child."""
    known = _MACHINES.get(os.uname().machine)
    if os.uname().sysname != "Linux" or known is None:
        return None
    machine, open_socket = known
    # (operation, steps to skip if so, if not, operand): the kernel reads it for each call
    program = [
        (_LOAD, 0, 0, _MACHINE),
        (_IS, 0, 7, machine),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 5, 0, _OTHER_TABLE),
        (_IS, 4, 0, _IO_URING),
        (_IS, 0, 2, open_socket),
        (_LOAD, 0, 0, _ARGUMENT),
        (_IS, 0, 1, _LOCAL),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]
    packed = b"".join(_STEP.pack(*step) for step in program)
    return ctypes.create_string_buffer(packed, len(packed))
