"""Lets the kernel refuse the network to this process and to all that it starts, for good.

A document format never fetches anything: not a picture, not a template, not a schema. Its libraries
are told so; this holds even where one does not heed it, or a document has taken over.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from typing import Final

_PR_SET_NO_NEW_PRIVS: Final = 38
_PR_SET_SECCOMP: Final = 22
_FILTER: Final = 2
_LOAD, _IS, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000 | errno.EACCES
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
    known = _MACHINES.get(os.uname().machine)
    if os.uname().sysname != "Linux" or known is None:
        return False
    program = b"".join(struct.pack("=HBBI", *step) for step in _program(*known))
    steps = ctypes.create_string_buffer(program, len(program))
    loaded = struct.pack("@HP", len(program) // 8, ctypes.addressof(steps))
    libc = ctypes.CDLL(None)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    return bool(libc.prctl(_PR_SET_SECCOMP, _FILTER, loaded, 0, 0) == 0)


def _program(machine: int, socket: int) -> list[tuple[int, int, int, int]]:
    """``(operation, steps to skip if so, if not, operand)``: the kernel reads it for each call."""
    return [
        (_LOAD, 0, 0, _MACHINE),
        (_IS, 0, 7, machine),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 5, 0, _OTHER_TABLE),
        (_IS, 4, 0, _IO_URING),
        (_IS, 0, 2, socket),
        (_LOAD, 0, 0, _ARGUMENT),
        (_IS, 0, 1, _LOCAL),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]
