"""Sandbox: runs a format's code on one document in a child process that may fail without harm.

Entry: `Sandbox.call`; `_run_request` in the child.

A small single-threaded server process (`processes`) keeps the format libraries loaded and forks a
new child for each call: warm start-up, no memory kept between documents, and no way for one
document to affect the next. Short documents of nothing but text share one (`call_warm`). The child
has limits of time, memory and file size, no network, no core dumps, no output, a temporary folder
that is removed when it ends, and of the caller's environment only what Python needs. It dies with
the server, and the server with the caller.
"""

from __future__ import annotations

import errno
import gc
import io
import math
import os
import pickle
import signal
import struct
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from prism_core.errors import DocumentError, DocumentFailure, OutputError
from prism_core.processes import Child, ForkServer, KernelLimits, ServerLostError

Result = TypeVar("Result")

_MEBIBYTE: Final = 1024 * 1024
_CLOCK_FACTOR: Final = 3
_BYTES_IN_TIME: Final = 20_000_000
"""Document size in bytes above which the time limit grows in proportion."""
_SENTENCES_OF_A_MEGABYTE: Final = 1000
"""Sentences for which a megabyte of result is allowed; one of news has six times as many."""
_GRACE: Final = 10.0
"""Seconds past a child's own time limit after which the caller stops waiting for it."""
_DOCUMENTS_OF_A_CHILD: Final = 100
"""Documents that one warm child handles before another takes its place."""
_ENVIRONMENT: Final = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "LD_LIBRARY_PATH")
_SAFE_BUILTINS: Final = frozenset({"set", "frozenset", "complex", "bytearray", "range", "slice"})
_SIZE: Final = struct.Struct("!Q")
"""Format of the greatest size of a reply in bytes, which precedes each request."""
_DEATHS: Final[Mapping[int | None, DocumentFailure]] = {
    -signal.SIGALRM: DocumentFailure.TIMED_OUT,
    -signal.SIGPROF: DocumentFailure.TIMED_OUT,
    -signal.SIGKILL: DocumentFailure.OUT_OF_MEMORY,  # only the kernel kills a child
}
"""Failure by the exit code of a child that gives no whole reply; any other code is a crash."""
_UNREADABLE: Final = "The file cannot be opened; check its permissions."


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    """Limits for one document.

    ``seconds`` of processor time, so that a busy machine does not change what fails, and three
    times as much clock time; ``memory_mb`` on top of the loaded libraries; ``file_mb`` for any file
    the child writes; ``result_mb`` for the result it returns.
    """

    seconds: float = 60.0
    memory_mb: int = 1024
    file_mb: int = 1024
    result_mb: int = 128

    def for_sizes(self, document_mb: float, sentences: int) -> SandboxLimits:
        """Return these limits, raised for the sizes of output and result of large documents."""
        file_mb = max(self.file_mb, math.ceil(2 * document_mb))
        result_mb = max(self.result_mb, math.ceil(sentences / _SENTENCES_OF_A_MEGABYTE))
        return replace(self, file_mb=file_mb, result_mb=result_mb)


@dataclass(frozen=True, slots=True)
class _WarmChild:
    """An idle child, of the process ``owner``, that has handled ``documents``."""

    child: Child
    owner: int
    documents: int = 1


@dataclass(frozen=True, slots=True)
class Sandbox:
    """Process pool of one child per call, within ``limits``; it may be used from any thread."""

    limits: SandboxLimits = SandboxLimits()
    server: ForkServer = field(default_factory=lambda: ForkServer(_run_request, _make_environment))
    warm: list[_WarmChild] = field(default_factory=list)

    def call(self, function: Callable[..., Result], *args: Any) -> Result:
        """Call ``function(*args)`` in a child process and return its result.

        ``function`` is found by its name, so it must belong to a module (or to an object that can
        be pickled); the result may be made of plain data, paths and the dataclasses of `formats`.
        The calling thread waits. Raises the ``DocumentError`` or ``OutputError`` that ``function``
        raised, else ``DocumentError``: timed out, out of memory, too large (result or file),
        crashed, or corrupt for any other exception, whose text is dropped because it may quote the
        document.
        """
        clock = self.limits.seconds * _CLOCK_FACTOR
        request, most = self._pack(function, args)
        for _ in range(2):  # a lost server is restarted once
            with suppress(ServerLostError), closing(self._connect()) as child:
                child.limit_waiting(clock + _GRACE)
                try:
                    child.connection.send_bytes(request)
                    reply = child.connection.recv_bytes(most)
                except BlockingIOError:  # leaving ends the child
                    raise DocumentError(DocumentFailure.TIMED_OUT) from None
                except (OSError, EOFError):
                    code = child.exit_code(_GRACE)
                    raise DocumentError(_DEATHS.get(code, DocumentFailure.CRASHED)) from None
                return _open_reply(reply)  # type: ignore[no-any-return]
        raise DocumentError(DocumentFailure.CRASHED)

    def call_warm(self, function: Callable[..., Result], *args: Any) -> Result | None:
        """Call ``function(*args)`` in a child that did so for other documents before.

        It is for code that no document can take over. The limits of time are those of the child's
        whole life. Returns None where the call fails in any way, and the child is given up.
        """
        request, most = self._pack(function, args)
        with suppress(ServerLostError, DocumentError, OutputError, OSError, EOFError):
            own = [kept for kept in self.warm if kept.owner == os.getpid()]
            try:
                kept = own.pop()
                self.warm.remove(kept)
            except (IndexError, ValueError):  # none is idle
                kept = _WarmChild(self._connect(), os.getpid())
                kept.child.limit_waiting(self.limits.seconds)
            try:
                kept.child.connection.send_bytes(request)
                result: Result = _open_reply(kept.child.connection.recv_bytes(most))
            except BaseException:
                kept.child.close()
                raise
            if kept.documents < _DOCUMENTS_OF_A_CHILD:
                self.warm.append(replace(kept, documents=kept.documents + 1))
            else:
                kept.child.close()
            return result
        return None

    def _pack(self, function: Callable[..., object], args: Sequence[Any]) -> tuple[bytes, int]:
        """Return the request to call ``function``, and the most bytes of the reply."""
        folder = ""  # where relative paths start, unless it is gone
        with suppress(OSError):
            folder = str(Path.cwd())
        most = self.limits.result_mb * _MEBIBYTE
        request = pickle.dumps((function, args, folder), pickle.HIGHEST_PROTOCOL)
        return _SIZE.pack(most) + request, most + 1024

    def _connect(self) -> Child:
        limits = self.limits
        memory, file = limits.memory_mb * _MEBIBYTE, limits.file_mb * _MEBIBYTE
        clock = limits.seconds * _CLOCK_FACTOR
        return self.server.connect(KernelLimits(limits.seconds, clock, memory, file))

    def with_time_for_size(self, size: int, times: float = 1.0) -> Sandbox:
        """Return a sandbox with ``times`` as many seconds, and more for a large document."""
        seconds = times * max(1.0, size / _BYTES_IN_TIME) * self.limits.seconds
        return replace(self, limits=replace(self.limits, seconds=seconds))

    def close(self) -> None:
        """End the server and its children; a later call starts another."""
        while self.warm:
            self.warm.pop().child.close()
        self.server.stop()


def _open_reply(reply: bytes) -> Any:
    """Return the result, or raise the error of the child; a malformed reply is a crash."""
    try:
        outcome, value = ResultReader(io.BytesIO(reply)).load()
    except Exception:  # noqa: BLE001 (the bytes come from a process that a document may have taken over)
        raise DocumentError(DocumentFailure.CRASHED) from None
    if outcome == "result":
        return value
    if outcome == "output":
        raise OutputError(f"The output cannot be written ({errno.errorcode.get(value, 'error')}).")
    failure, advice = value
    raise DocumentError(DocumentFailure(failure), advice)


class ResultReader(pickle.Unpickler):
    """Unpickler for plain data, paths and the types of the formats; refuses what could run code."""

    def find_class(self, module: str, name: str) -> Any:
        """Return the type called ``name`` if it is allowed; raise ``UnpicklingError`` otherwise."""
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


def _run_request(request: bytes) -> bytes:
    """Run ``request`` in the child; return the pickled result, failure, or errno of output."""
    most = _SIZE.unpack(request[: _SIZE.size])[0]
    try:
        function, args, folder = pickle.loads(memoryview(request)[_SIZE.size :])  # noqa: S301 (from our own caller)
        if folder:
            os.chdir(folder)
        reply = pickle.dumps(("result", function(*args)), pickle.HIGHEST_PROTOCOL)
        if len(reply) <= most:
            return reply
        outcome = _describe_error(DocumentError(DocumentFailure.TOO_LARGE))
    except Exception as error:  # noqa: BLE001 (whatever a library raises; its text may quote the document)
        outcome = _describe_error(error)
    gc.collect()  # memory may have run out
    return pickle.dumps(outcome, pickle.HIGHEST_PROTOCOL)


def _describe_error(error: Exception) -> tuple[str, Any]:
    failure, advice = DocumentFailure.CORRUPT, None
    match error:
        case DocumentError():
            failure, advice = error.failure, error.advice
        case MemoryError() | OSError(errno=errno.ENOMEM):
            failure = DocumentFailure.OUT_OF_MEMORY
        case RecursionError():
            failure = DocumentFailure.CRASHED
        case OutputError():
            return "output", 0
        case OSError(errno=errno.ENOSPC | errno.EDQUOT | errno.EROFS):
            return "output", error.errno
        case OSError(errno=errno.EFBIG):
            failure = DocumentFailure.TOO_LARGE
        case PermissionError() | FileNotFoundError():
            advice = _UNREADABLE
    return "failure", (failure.value, advice)


def _make_environment() -> dict[str, str]:
    """Return the child's environment, which holds no key or token of the caller."""
    kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    return kept | {"PYTHONWARNINGS": "ignore"}
