"""Supervisor of a foreign program that must leave nothing behind.

Usage: ``-m … CPU CLOCK FOLDER PROGRAM …``.

The program gets no network, ``CPU`` seconds of processor time and ``CLOCK`` seconds by the clock.
All processes that it started are killed when it ends, when its time is up, or when the caller
closes our standard input, however the caller ended; in the last case ``FOLDER`` is removed too. The
exit status is 0 when the program succeeded, ``TIMED_OUT`` when its time was up, and ``NOT_ALONE``
when the kernel would not deny it the network: then it was not started.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from prism_core.processes import CHILD_FOLDER, forbid_network

TIMED_OUT: Final = 3
NOT_ALONE: Final = 4
FAILED: Final = 1
_PR_SET_CHILD_SUBREAPER: Final = 36
_PLACE_OF_SOCKETS: Final = Path("/tmp")  # noqa: S108 (LibreOffice's, whatever TMPDIR says)
_SOCKETS: Final = "OSL_PIPE_*"
_ENDED_BY_LIMIT: Final = (-signal.SIGXCPU, 128 + signal.SIGXCPU)


def supervise(cpu: int, clock: float, folder: str, command: list[str]) -> int:
    """Run ``command`` as the module describes and return the exit status."""
    if not forbid_network():
        return NOT_ALONE
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    before = set(_PLACE_OF_SOCKETS.glob(_SOCKETS))
    program = subprocess.Popen(  # noqa: S603 (a program that the user installed, no shell)
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    handle = os.pidfd_open(program.pid)
    poll = select.poll()
    poll.register(0, select.POLLIN)
    poll.register(handle, select.POLLIN)
    given_up = 0 in dict(poll.poll(max(0, clock) * 1000))  # the caller is gone
    os.close(handle)
    status = program.poll()
    _end_all()
    for left in set(_PLACE_OF_SOCKETS.glob(_SOCKETS)) - before:
        with socket.socket(socket.AF_UNIX) as probe, suppress(OSError):
            try:
                probe.connect(str(left))
            except ConnectionRefusedError:  # nobody listens to the socket any more
                left.unlink()
    if given_up:
        shutil.rmtree(folder, ignore_errors=True)
        made_for = Path(folder).parent  # of the child; its remover may have run
        if made_for.name.startswith(CHILD_FOLDER):  # while files were still being made
            with suppress(OSError):
                made_for.rmdir()
    if status is None or status in _ENDED_BY_LIMIT:
        return TIMED_OUT
    return 0 if status == 0 else FAILED


def _end_all() -> None:
    """Kill every process below this one, also those that their parents left to us."""
    while True:
        children = list[int]()
        for task in Path("/proc/self/task").iterdir():
            with suppress(OSError):
                children += map(int, (task / "children").read_text().split())
        if not children:
            return
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, 0)[0]:
                pass


if __name__ == "__main__":
    arguments = sys.argv[1:]
    sys.exit(supervise(int(arguments[0]), float(arguments[1]), arguments[2], arguments[3:]))
