"""Runs a format's code on one document in a child process that may fail without harm.

A small single-threaded server process (`sandbox_server`) keeps the format libraries loaded and
forks a fresh child for each call: warm start-up, no memory kept between documents, and no way for
one document to touch the next. The child has limits of time, memory and file size, no core dumps,
no output, a temporary folder of its own that goes when it ends, and none of the caller's
environment but what Python needs. It dies with the server, and the server with the caller.
"""

from __future__ import annotations

import array
import atexit
import contextlib
import errno
import io
import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from prism_core.errors import DocumentError, DocumentFailure, OutputError

Result = TypeVar("Result")

MEBIBYTE: Final = 1024 * 1024
CLOCK_FACTOR: Final = 3
CHILD_FOLDER: Final = "prism-"
"""What the name of a child's temporary folder begins with."""
_GRACE: Final = 10.0
"""Seconds past a child's own time limit after which the caller stops waiting for it."""
_ENVIRONMENT: Final = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "LD_LIBRARY_PATH")
SERVER_MODULE: Final = "prism_core.formats.sandbox_server"
"""The program that forks the children."""
_SAFE_BUILTINS: Final = frozenset({"set", "frozenset", "complex", "bytearray", "range", "slice"})


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    """What one document may use.

    ``seconds`` of processor time, so that a busy machine does not change what fails, and three
    times as much by the clock; ``memory_mb`` on top of the loaded libraries; ``file_mb`` for
    any file the child writes; ``result_mb`` for what it gives back.
    """

    seconds: float = 60.0
    memory_mb: int = 1024
    file_mb: int = 1024
    result_mb: int = 128


DEFAULT_LIMITS: Final = SandboxLimits()


def run(
    function: Callable[..., Result], *args: Any, limits: SandboxLimits = DEFAULT_LIMITS
) -> Result:
    """Call ``function(*args)`` in a child process and give its result.

    ``function`` is found by its name, so it must belong to a module (or to an object that can be
    pickled); the result may be made of plain data, paths and the dataclasses of `formats`. Safe to
    call from any thread; the calling thread waits. Raises the ``DocumentError`` or ``OutputError``
    that ``function`` raised, else ``DocumentError``: timed out, out of memory, too large (result
    or file), crashed, or corrupt for any other exception, whose text is dropped because it may
    quote the document.
    """
    request = pickle.dumps((function, args, _folder()), pickle.HIGHEST_PROTOCOL)
    try:
        return _call(request, limits)  # type: ignore[no-any-return]
    except _ServerLostError:  # it is started again, once
        with contextlib.suppress(_ServerLostError):
            return _call(request, limits)  # type: ignore[no-any-return]
    raise DocumentError(DocumentFailure.CRASHED)


class _ServerLostError(Exception):
    """The server process ended before it could say what became of the child."""


def _call(request: bytes, limits: SandboxLimits) -> Any:
    data, remote_data = socket.socketpair()
    status_read, status_write = os.pipe()
    with data, os.fdopen(status_read, "rb", buffering=0) as status:
        try:
            _SERVER.submit(remote_data.fileno(), status_write, limits)
        finally:
            remote_data.close()
            os.close(status_write)
        data.settimeout(limits.seconds * CLOCK_FACTOR + _GRACE)
        try:
            reply = _exchange(data, request, limits)
        except TimeoutError:  # leaving closes the status pipe, and the server kills the child
            raise DocumentError(DocumentFailure.TIMED_OUT) from None
        except ConnectionError:
            reply = None
        if reply is None:
            raise _cause_of_death(status)
        return _open_reply(reply)


def _exchange(data: socket.socket, request: bytes, limits: SandboxLimits) -> bytes | None:
    """Send the request and read the whole reply; None when the child ended without one."""
    data.sendall(struct.pack("!Q", len(request)) + request)
    header = receive(data, 8)
    if header is None:
        return None
    (size,) = struct.unpack("!Q", header)
    if size > limits.result_mb * MEBIBYTE + 1024:
        raise DocumentError(DocumentFailure.TOO_LARGE)
    return receive(data, size)


def receive(connection: socket.socket, size: int) -> bytes | None:
    """Exactly ``size`` bytes from ``connection``, or None when it ends before."""
    content = bytearray()
    while len(content) < size:
        chunk = connection.recv(min(size - len(content), MEBIBYTE))
        if not chunk:
            return None
        content += chunk
    return bytes(content)


def _cause_of_death(status: io.FileIO) -> Exception:
    """The error for the way a child ended, as the server reports it."""
    report = status.read(4)
    if not report or len(report) < 4:
        return _ServerLostError()
    (code,) = struct.unpack("!i", report)
    if -code in (signal.SIGALRM, signal.SIGPROF):
        return DocumentError(DocumentFailure.TIMED_OUT)
    if -code == signal.SIGKILL:  # nobody else kills a child: the kernel ran out of memory
        return DocumentError(DocumentFailure.OUT_OF_MEMORY)
    return DocumentError(DocumentFailure.CRASHED)


def _open_reply(reply: bytes) -> Any:
    """The result, or raise what the child reports; a malformed reply counts as a crash."""
    try:
        outcome, value = _ResultReader(io.BytesIO(reply)).load()
    except Exception:  # noqa: BLE001 (the bytes come from a process that a document may have taken over)
        raise DocumentError(DocumentFailure.CRASHED) from None
    if outcome == "result":
        return value
    if outcome == "output":
        raise OutputError(f"The output cannot be written ({errno.errorcode.get(value, 'error')}).")
    failure, advice = value
    raise DocumentError(DocumentFailure(failure), advice)


class _ResultReader(pickle.Unpickler):
    """Reads plain data, paths and the types of the formats; nothing that could run code."""

    def find_class(self, module: str, name: str) -> Any:
        allowed = (
            module.startswith("prism_core.formats.")
            or (module.startswith("pathlib") and name in ("PosixPath", "PurePosixPath", "Path"))
            or (module == "builtins" and name in _SAFE_BUILTINS)
        )
        if not allowed or "." in name:
            raise pickle.UnpicklingError(name)
        found = super().find_class(module, name)
        if not isinstance(found, type):
            raise pickle.UnpicklingError(name)
        return found


class _Server:
    """The caller's end of the server process: started when first used, again when lost."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._owner = 0

    def submit(self, data: int, status: int, limits: SandboxLimits) -> None:
        """Ask for a child that serves ``data`` and whose end is told on ``status``."""
        message = struct.pack("!dQQQ", limits.seconds, *_in_bytes(limits))
        handles = array.array("i", [data, status])
        with self._lock:
            for _ in range(2):
                try:
                    self._started().sendmsg(
                        [message], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, handles)]
                    )
                    return
                except OSError:  # it ended since the last call
                    self._discard()
        raise _ServerLostError

    def stop(self) -> None:
        """End the server and its children; the next call starts another."""
        with self._lock:
            self._discard()

    def _discard(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None and self._owner == os.getpid():
            _end(self._process)
        self._process = self._control = None

    def _started(self) -> socket.socket:
        forked = self._owner != os.getpid()
        alive = self._process is not None and not forked and self._process.poll() is None
        if self._control is None or not alive:
            self._discard()
            self._start()
        assert self._control is not None  # noqa: S101 (_start sets it)
        return self._control

    def _start(self) -> None:
        control, remote = socket.socketpair()
        with remote:
            self._process = subprocess.Popen(  # noqa: S603 (our own module, no shell)
                # -P: nothing is imported from the folder PRISM is started in
                [sys.executable, "-P", "-m", SERVER_MODULE, str(remote.fileno())],
                pass_fds=(remote.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                start_new_session=True,  # Ctrl-C is for the caller, who then closes the socket
            )
        self._control, self._owner = control, os.getpid()


def _folder() -> str:
    """Where relative paths start; empty when the folder is gone."""
    try:
        return str(Path.cwd())
    except OSError:
        return ""


def _in_bytes(limits: SandboxLimits) -> tuple[int, int, int]:
    return (
        limits.memory_mb * MEBIBYTE,
        limits.file_mb * MEBIBYTE,
        limits.result_mb * MEBIBYTE,
    )


def _environment() -> dict[str, str]:
    """What Python needs to find our modules, and no key or token of the caller's."""
    kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    folders = [folder or os.getcwd() for folder in sys.path]  # noqa: PTH109 (a plain string)
    return kept | {"PYTHONPATH": os.pathsep.join(folders), "PYTHONWARNINGS": "ignore"}


def _end(process: subprocess.Popen[bytes]) -> None:
    """Let the server notice the closed socket, then insist."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=2)
        return
    process.kill()
    process.wait()


_SERVER: Final = _Server()
atexit.register(_SERVER.stop)
