"""The process behind `sandbox`: loads the format libraries once, forks a child for each document.

It has one thread, so forking is safe. It ends when the caller's end of its control socket closes,
however the caller ended; its children are killed with it.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import gc
import importlib
import os
import pickle
import resource
import select
import shutil
import signal
import socket
import struct
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from prism_core.errors import DocumentError, DocumentFailure, OutputError
from prism_core.formats.no_network import forbid_network
from prism_core.formats.sandbox import CHILD_FOLDER, CLOCK_FACTOR, receive

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_DUMPABLE: Final = 4
_OUTPUT_ERRORS: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})
_UNREADABLE: Final = "The file cannot be opened; check its permissions."
_MESSAGE: Final = struct.Struct("!dQQQ")


@dataclass(frozen=True, slots=True)
class _Limits:
    """Seconds of processor time, and bytes of memory, of any file written, of the result."""

    seconds: float
    memory: int
    file: int
    result: int


@dataclass(frozen=True, slots=True)
class _Child:
    """A child at work, the pipe on which its end is told, and its temporary folder."""

    pid: int
    status: int
    folder: str
    learned: int


def serve(control: socket.socket) -> None:
    """Fork a child for each request on ``control`` until it closes."""
    _libc()  # loaded here once, not in every child
    gc.freeze()
    children: dict[int, _Child] = {}
    wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(wake_read, select.POLLIN)
    try:
        while True:
            ready = dict(poll.poll())
            if wake_read in ready:
                with contextlib.suppress(BlockingIOError):
                    os.read(wake_read, 4096)
                _reap(children, poll)
            for child in [child for child in children.values() if child.status in ready]:
                os.kill(child.pid, signal.SIGKILL)  # the caller gave up on it
                poll.unregister(child.status)
            if control.fileno() in ready and not _accept(control, children, poll):
                return
    finally:
        for child in children.values():
            os.kill(child.pid, signal.SIGKILL)
            shutil.rmtree(child.folder, ignore_errors=True)


def _accept(control: socket.socket, children: dict[int, _Child], poll: select.poll) -> bool:
    """Take one request and fork its child; False when the caller is gone."""
    message, handles, _, _ = socket.recv_fds(control, _MESSAGE.size, 2)
    if len(message) < _MESSAGE.size or len(handles) < 2:
        return False
    data, status = handles
    folder = tempfile.mkdtemp(prefix=CHILD_FOLDER)
    learned_read, learned_write = os.pipe2(os.O_NONBLOCK)
    pid = os.fork()
    if pid == 0:
        control.close()
        for other in children.values():
            os.close(other.status)
            os.close(other.learned)
        _become_child(data, learned_write, folder, _Limits(*_MESSAGE.unpack(message)))
    os.close(data)
    os.close(learned_write)
    children[pid] = _Child(pid, status, folder, learned_read)
    poll.register(status, 0)
    return True


def _reap(children: dict[int, _Child], poll: select.poll) -> None:
    """Tell the callers of the children that ended how they did, and clear up after them."""
    while children:
        try:
            pid, wait_status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        child = children.pop(pid)
        with contextlib.suppress(KeyError):
            poll.unregister(child.status)
        with contextlib.suppress(OSError):
            os.write(child.status, struct.pack("!i", os.waitstatus_to_exitcode(wait_status)))
        os.close(child.status)
        shutil.rmtree(child.folder, ignore_errors=True)
        _learn(child.learned)


def _learn(handle: int) -> None:
    """Load the format modules a child had to load, so that the next child finds them."""
    with open(handle, "rb", buffering=0) as pipe:
        names = (pipe.read(65_536) or b"").decode("ascii", "ignore").split()
    for name in names:
        if name.startswith("prism_core.") and name not in sys.modules:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
    if names:
        gc.freeze()


def _become_child(data: int, learned: int, folder: str, limits: _Limits) -> None:
    """Answer one request and end; never returns."""
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        tempfile.tempdir = folder
        _restrict(limits)
        with socket.socket(fileno=data) as connection:
            known = len(sys.modules)
            reply = _answer(connection, limits)
            os.write(learned, " ".join(_loaded_since(known)).encode("ascii"))
            connection.sendall(struct.pack("!Q", len(reply)) + reply)
        code = 0
    finally:
        os._exit(code)


def _loaded_since(known: int) -> list[str]:
    """Our modules beyond the first ``known``.

    Where there are none, no name is touched: each would cost a copy of its page of memory.
    """
    if len(sys.modules) == known:
        return []
    return [name for name in list(sys.modules)[known:] if name.startswith("prism_core.")]


def _restrict(limits: _Limits) -> None:
    """Set the limits of this process; the kernel enforces them whatever the libraries do."""
    loaded = _address_space()
    _libc().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    with contextlib.suppress(OSError):
        handle = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(handle, b"1000")  # the child is the first to go when memory runs out
        os.close(handle)
    _libc().prctl(_PR_SET_DUMPABLE, 0)
    forbid_network()
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, limits.file)
    _limit(resource.RLIMIT_AS, limits.memory + loaded)
    for number in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, limits.seconds)
    signal.setitimer(signal.ITIMER_REAL, limits.seconds * CLOCK_FACTOR)


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)


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


def _answer(connection: socket.socket, limits: _Limits) -> bytes:
    """Run the request that ``connection`` brings; the pickled outcome."""
    header = receive(connection, 8)
    request = receive(connection, struct.unpack("!Q", header)[0]) if header else None
    if request is None:
        os._exit(1)
    try:
        reply = pickle.dumps(_outcome(request), pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        gc.collect()
        return _failure(DocumentFailure.OUT_OF_MEMORY)
    return reply if len(reply) <= limits.result else _failure(DocumentFailure.TOO_LARGE)


def _outcome(request: bytes) -> tuple[str, Any]:
    """``("result", value)`` or ``("failure", (class, advice))`` or ``("output", errno)``."""
    try:
        function, args, folder = pickle.loads(request)  # noqa: S301 (from our own caller)
        if folder:
            os.chdir(folder)
        return "result", function(*args)
    except DocumentError as error:
        return "failure", (error.failure.value, error.advice)
    except MemoryError:
        return "failure", (DocumentFailure.OUT_OF_MEMORY.value, None)
    except RecursionError:
        return "failure", (DocumentFailure.CRASHED.value, None)
    except OutputError:
        return "output", 0
    except OSError as error:
        return _os_outcome(error)
    except Exception:  # noqa: BLE001 (whatever a library raises; its text may quote the document)
        return "failure", (DocumentFailure.CORRUPT.value, None)


def _os_outcome(error: OSError) -> tuple[str, Any]:
    if error.errno in _OUTPUT_ERRORS:
        return "output", error.errno
    if error.errno == errno.EFBIG:
        return "failure", (DocumentFailure.TOO_LARGE.value, None)
    if error.errno == errno.ENOMEM:
        return "failure", (DocumentFailure.OUT_OF_MEMORY.value, None)
    if isinstance(error, (PermissionError, FileNotFoundError)):
        return "failure", (DocumentFailure.CORRUPT.value, _UNREADABLE)
    return "failure", (DocumentFailure.CORRUPT.value, None)


def _failure(failure: DocumentFailure) -> bytes:
    return pickle.dumps(("failure", (failure.value, None)), pickle.HIGHEST_PROTOCOL)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
