"""Kernel limits of a child process, in force whatever the code in the child does.

Entry: ``KernelLimits.apply`` in a child sets limits and calls ``forbid_network``;
``die_with_parent`` ends it with its parent; ``release_free_memory`` and ``set_oom_score`` are about
memory.
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
"""Beginning of the names of the temporary folders of limited children."""
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_DUMPABLE: Final = 4


@dataclass(frozen=True, slots=True)
class KernelLimits:
    """Limits of a child that processes untrusted input.

    ``processor_seconds`` is processor time and ``clock_seconds`` wall time, after which the kernel
    ends the child with ``SIGPROF`` or ``SIGALRM``; ``memory`` is bytes of address space in addition
    to what is loaded when the limits are applied; ``file`` is the largest size in bytes of a file
    it writes.
    """

    processor_seconds: float
    clock_seconds: float
    memory: int
    file: int

    def apply(self) -> None:
        """Limit this process permanently: also no network, no core dump, no debugger."""
        # the bytes of address space in use: the loaded libraries are not the document's
        handle = os.open("/proc/self/statm", os.O_RDONLY)
        loaded = int(os.read(handle, 256).split()[0]) * resource.getpagesize()
        os.close(handle)
        set_oom_score(1000)
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

    Raises ``ProcessLookupError`` when the parent has already ended. Between a fork and an exec it
    only makes system calls, provided that ``libc`` was called before.
    """
    libc().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        raise ProcessLookupError


@cache
def libc() -> ctypes.CDLL:
    """Load the C library; the server does so once, instead of every child."""
    return ctypes.CDLL(None)


def release_free_memory() -> None:
    """Return free memory to the system, which each forked process would copy."""
    with suppress(AttributeError):  # a C library that gives it back by itself, or never
        libc().malloc_trim(0)


def private_memory_bytes() -> int:
    """Return the bytes that this process shares with no other; 0 where the system does not tell."""
    with suppress(OSError):
        lines = Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) * 1024
    return 0


def set_oom_score(score: int) -> None:
    """Let the kernel kill this process before others without memory: 1000 is before all."""
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
_INSTRUCTION: Final = struct.Struct("=HBBI")
_NUMBER, _MACHINE = 0, 4
_ARGUMENT: Final = 16
"""Offsets in ``struct seccomp_data``: call, machine, low half of the first argument."""
_LOCAL: Final = 1
"""``AF_UNIX``, by which LibreOffice talks to itself."""
_IO_URING: Final = 425
"""System call that opens sockets without ``socket``; no library of PRISM needs it."""
_X32_CALLS: Final = 0x40000000
"""Number from which x86 has the same calls again."""
_MACHINES: Final = {
    "x86_64": (0xC000003E, 41),
    "aarch64": (0xC00000B7, 198),
    "riscv64": (0xC00000F3, 198),
    "loongarch64": (0xC0000102, 198),
}
"""Kernel's name of a machine, and the number of ``socket`` on it."""


def forbid_network() -> bool:
    """Forbid new sockets except local ones; open ones stay. Return False if not supported."""
    steps = network_filter()
    if steps is None:
        return False
    loaded = struct.pack("@HP", len(steps) // _INSTRUCTION.size, ctypes.addressof(steps))
    if libc().prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    return bool(libc().prctl(_PR_SET_SECCOMP, _FILTER, loaded, 0, 0) == 0)


@cache
def network_filter() -> ctypes.Array[ctypes.c_char] | None:
    """Build the seccomp filter against network, once; None for an unknown system."""
    known = _MACHINES.get(os.uname().machine)
    if os.uname().sysname != "Linux" or known is None:
        return None
    machine, open_socket = known
    # (operation, instructions to skip if true, if false, operand); run for each system call
    program = [
        (_LOAD, 0, 0, _MACHINE),
        (_IS, 0, 7, machine),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 5, 0, _X32_CALLS),
        (_IS, 4, 0, _IO_URING),
        (_IS, 0, 2, open_socket),
        (_LOAD, 0, 0, _ARGUMENT),
        (_IS, 0, 1, _LOCAL),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]
    packed = b"".join(_INSTRUCTION.pack(*step) for step in program)
    return ctypes.create_string_buffer(packed, len(packed))
