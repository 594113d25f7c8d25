"""Process behind ``ForkServer``: it loads what children need, and forks one per connection.

Entry: ``serve``; then ``_fork``, ``_become_child`` in the child, and ``_finish_if_ended`` after it.
The process has one thread, so forking is safe. It ends when its control connection closes.
"""

from __future__ import annotations

import gc
import importlib
import os
import select
import shutil
import signal
import struct
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Final

from prism_core.processes.fork_server import take_child
from prism_core.processes.kernel_limits import (
    CHILD_FOLDER,
    KernelLimits,
    die_with_parent,
    libc,
    network_filter,
    release_free_memory,
    set_oom_score,
)

_OWN_PACKAGE: Final = "prism_core."
_NEW_OBJECTS: Final = 50_000
"""New objects that start a garbage collection in the children, as in the command itself."""
LOADER: Final = "load_shared"
"""Name of a module's function that loads what all children share, such as fonts."""

Handler = Callable[[bytes], bytes]


@dataclass(frozen=True, slots=True)
class _Child:
    """A running child.

    ``status`` is a pipe on which the caller receives the exit code; when the caller closes it, the
    child is killed. ``lifeline`` is a pipe that only the child holds open, so that its end is
    visible here; the child writes the names of modules it had to load. ``folder`` is for its
    temporary files.
    """

    pid: int
    status: int
    lifeline: int
    folder: str | None


def serve(control: Connection) -> None:
    """Fork a child for each connection of ``control``; a child reports what cannot be loaded."""
    load, answer = control.recv()
    libc()
    network_filter()
    if load is not None:
        with suppress(Exception):
            load()
    gc.collect()
    release_free_memory()
    gc.freeze()  # a collection in a child would write to every shared page
    gc.set_threshold(_NEW_OBJECTS)
    children: list[_Child] = []
    poll = select.poll()
    poll.register(control, select.POLLIN)
    try:
        while True:
            ready = dict(poll.poll())
            children = [child for child in children if not _finish_if_ended(child, ready, poll)]
            if control.fileno() in ready:
                started = _fork(control, answer, children)
                if started is None:
                    return
                children.append(started)
                poll.register(started.status, 0)
                poll.register(started.lifeline, 0)
    finally:
        for child in children:
            os.kill(child.pid, signal.SIGKILL)
        for child in children:  # when this process has ended, none of them is at work any more
            _clean_up(child)


def _finish_if_ended(child: _Child, ready: Mapping[int, int], poll: select.poll) -> bool:
    """Clean up after ``child`` if it ended, and load what it had to; kill it if abandoned."""
    if child.lifeline not in ready:
        if child.status in ready:
            poll.unregister(child.status)
            os.kill(child.pid, signal.SIGKILL)
        return False
    for handle in (child.status, child.lifeline):
        with suppress(KeyError):
            poll.unregister(handle)
    loaded = b""
    with suppress(BlockingIOError):
        loaded = os.read(child.lifeline, 65_536)
    os.kill(child.pid, signal.SIGKILL)  # it may only have closed its lifeline; else it is too late
    _clean_up(child, tell=True)
    names = loaded.decode("ascii", "ignore").split()
    ours = [name for name in names if name.startswith(_OWN_PACKAGE) and name not in sys.modules]
    for name in ours:  # the next child finds what this one had to load
        with suppress(Exception, SystemExit):
            module = importlib.import_module(name)
            if hasattr(module, LOADER):
                getattr(module, LOADER)()
    if names:
        gc.freeze()
    return True


def _clean_up(child: _Child, tell: bool = False) -> None:
    """Wait for the end of ``child``, send its exit code if ``tell``, and remove its files."""
    _, wait_status = os.waitpid(child.pid, 0)
    if tell:
        with suppress(OSError):
            os.write(child.status, struct.pack("!i", os.waitstatus_to_exitcode(wait_status)))
    os.close(child.status)
    os.close(child.lifeline)
    if child.folder:
        try:
            os.rmdir(child.folder)  # noqa: PTH106 (each object touched costs a page of memory)
        except OSError:
            shutil.rmtree(child.folder, ignore_errors=True)


def _fork(control: Connection, answer: Handler, children: list[_Child]) -> _Child | None:
    """Accept one connection and fork its child; return None when the caller is gone."""
    try:
        limits, connection, status = take_child(control)
    except (EOFError, OSError):
        return None
    folder = None
    if limits:  # private, for the temporary files of this child
        folder = f"{tempfile.gettempdir()}/{CHILD_FOLDER}{os.urandom(8).hex()}"
        os.mkdir(folder, 0o700)  # noqa: PTH102 (as above)
    lifeline, loaded = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    server = os.getpid()
    pid = os.fork()
    if pid == 0:
        others = [handle for child in children for handle in (child.status, child.lifeline)]
        foreign = (control.fileno(), status, lifeline, *others)
        _become_child(Connection(connection), loaded, answer, server, limits, folder, foreign)
    os.close(connection)
    os.close(loaded)
    return _Child(pid, status, lifeline, folder)


def _become_child(
    connection: Connection,
    loaded: int,
    answer: Handler,
    server: int,
    limits: KernelLimits | None,
    folder: str | None,
    foreign: Iterable[int],
) -> None:
    """Close ``foreign`` handles, answer requests until the caller is gone; never return."""
    code = 1
    try:
        for handle in foreign:
            os.close(handle)
        die_with_parent(server)
        if limits:
            tempfile.tempdir = folder
            limits.apply()
        else:
            set_oom_score(500)
        known = len(sys.modules)
        with suppress(EOFError):
            while True:
                reply = answer(connection.recv_bytes())
                if len(sys.modules) > known:  # else no name is touched: each costs a page of memory
                    names = [
                        name for name in list(sys.modules)[known:] if name.startswith(_OWN_PACKAGE)
                    ]
                    known = len(sys.modules)
                    with suppress(BlockingIOError):
                        os.write(loaded, (" ".join(names) + " ").encode("ascii"))
                connection.send_bytes(reply)
        code = 0
    finally:
        os._exit(code)


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
    os._exit(0)  # nothing is left to be closed; to take apart what was loaded takes a while
