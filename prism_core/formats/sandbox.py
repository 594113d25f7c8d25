"""Runs a format's code on one document in a child process that may fail without harm.

entry: `Sandbox.call`; then `_answer` in the child (`_report` of what it raised), and `_open_reply`
in the caller.

A small single-threaded server process (`processes`) keeps the format libraries loaded and forks a
fresh child for each call: warm start-up, no memory kept between documents, and no way for one
document to touch the next. The child has limits of time, memory and file size, no network, no core
dumps, no output, a temporary folder of its own that goes when it ends, and none of the caller's
environment but what Python needs. It dies with the server, and the server with the caller.
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
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from prism_core.errors import DocumentError, DocumentFailure, OutputError
from prism_core.processes import ForkServer, KernelLimits, ServerLostError

Result = TypeVar("Result")

_MEBIBYTE: Final = 1024 * 1024
_CLOCK_FACTOR: Final = 3
_BYTES_IN_TIME: Final = 20_000_000
"""A larger document is given as many times more time."""
_SENTENCES_OF_A_MEGABYTE: Final = 1000
"""Of news they are six times as many; with the looks of their letters a document has fewer."""
_GRACE: Final = 10.0
"""Seconds past a child's own time limit after which the caller stops waiting for it."""
_ENVIRONMENT: Final = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "LD_LIBRARY_PATH")
_SAFE_BUILTINS: Final = frozenset({"set", "frozenset", "complex", "bytearray", "range", "slice"})
_SIZE: Final = struct.Struct("!Q")
"""The most bytes of a reply, before each request."""
_DEATHS: Final[Mapping[int | None, DocumentFailure]] = {
    -signal.SIGALRM: DocumentFailure.TIMED_OUT,
    -signal.SIGPROF: DocumentFailure.TIMED_OUT,
    -signal.SIGKILL: DocumentFailure.OUT_OF_MEMORY,  # nobody else kills a child: the kernel did
}
"""How a child ends that gives no whole reply, by its exit code; else it crashed."""
_UNREADABLE: Final = "The file cannot be opened; check its permissions."


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

    def for_sizes(self, document_mb: float, sentences: int) -> SandboxLimits:
        """These, with as much more to write and to give back as documents of such sizes need: a
        file may become twice as large, and a sentence is some hundred bytes."""
        file_mb = max(self.file_mb, math.ceil(2 * document_mb))
        result_mb = max(self.result_mb, math.ceil(sentences / _SENTENCES_OF_A_MEGABYTE))
        return replace(self, file_mb=file_mb, result_mb=result_mb)


@dataclass(frozen=True, slots=True)
class Sandbox:
    """Where documents are read and rebuilt, each call within ``limits``; for any thread.

    The server starts with the first call, and ends with this process or when it is closed.
    """

    limits: SandboxLimits = SandboxLimits()
    server: ForkServer = field(default_factory=lambda: ForkServer(_answer, _environment))

    def call(self, function: Callable[..., Result], *args: Any) -> Result:
        """Call ``function(*args)`` in a child process and give its result.

        ``function`` is found by its name, so it must belong to a module (or to an object that can
        be pickled); the result may be made of plain data, paths and the dataclasses of `formats`.
        The calling thread waits. Raises the ``DocumentError`` or ``OutputError`` that ``function``
        raised, else ``DocumentError``: timed out, out of memory, too large (result or file),
        crashed, or corrupt for any other exception, whose text is dropped because it may quote the
        document.
        """
        folder = ""  # where relative paths start, unless it is gone
        with suppress(OSError):
            folder = str(Path.cwd())
        limits, clock = self.limits, self.limits.seconds * _CLOCK_FACTOR
        sizes = (limits.memory_mb, limits.file_mb, limits.result_mb)
        memory, file, most = (megabytes * _MEBIBYTE for megabytes in sizes)
        request = _SIZE.pack(most)
        request += pickle.dumps((function, args, folder), pickle.HIGHEST_PROTOCOL)
        fences = KernelLimits(limits.seconds, clock, memory, file)
        for _ in range(2):  # a server that was lost is started again, once
            with suppress(ServerLostError), closing(self.server.connect(fences)) as child:
                child.limit_waiting(clock + _GRACE)
                try:
                    child.connection.send_bytes(request)
                    reply = child.connection.recv_bytes(most + 1024)
                except BlockingIOError:  # leaving ends the child
                    raise DocumentError(DocumentFailure.TIMED_OUT) from None
                except (OSError, EOFError):
                    code = child.exit_code(_GRACE)
                    raise DocumentError(_DEATHS.get(code, DocumentFailure.CRASHED)) from None
                return _open_reply(reply)  # type: ignore[no-any-return]
        raise DocumentError(DocumentFailure.CRASHED)

    def lasting_for(self, size: int, times: float = 1.0) -> Sandbox:
        """This one, with so many ``times`` as many seconds for each call, and more for a document
        of a large ``size`` in bytes: an honest one takes them, a hostile one has to be so large."""
        seconds = times * max(1.0, size / _BYTES_IN_TIME) * self.limits.seconds
        return replace(self, limits=replace(self.limits, seconds=seconds))

    def close(self) -> None:
        """End the server and its children; a later call starts another."""
        self.server.stop()


def _open_reply(reply: bytes) -> Any:
    """The result, or raise what the child reports; a malformed reply counts as a crash."""
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
    """Reads plain data, paths and the types of the formats; nothing that could run code."""

    def find_class(self, module: str, name: str) -> Any:
        """The type called ``name``, if it is one of these; else raises ``UnpicklingError``."""
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


def _answer(request: bytes) -> bytes:
    """Run ``request`` in the child; what comes of it, pickled.

    That is ``("result", value)``, ``("failure", (class, advice))`` or ``("output", errno)``.
    """
    most = _SIZE.unpack(request[: _SIZE.size])[0]
    try:
        function, args, folder = pickle.loads(memoryview(request)[_SIZE.size :])  # noqa: S301 (from our own caller)
        if folder:
            os.chdir(folder)
        reply = pickle.dumps(("result", function(*args)), pickle.HIGHEST_PROTOCOL)
        if len(reply) <= most:
            return reply
        outcome = _report(DocumentError(DocumentFailure.TOO_LARGE))
    except Exception as error:  # noqa: BLE001 (whatever a library raises; its text may quote the document)
        outcome = _report(error)
    gc.collect()  # memory may have run out
    return pickle.dumps(outcome, pickle.HIGHEST_PROTOCOL)


def _report(error: Exception) -> tuple[str, Any]:
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


def _environment() -> dict[str, str]:
    """No key or token of the caller's."""
    kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    return kept | {"PYTHONWARNINGS": "ignore"}
