"""Runs a format's code on one document in a child process that may fail without harm.

entry: `run`; then `_call` in the caller, `_answer` in the child, and `_open_reply` in the caller.

A small single-threaded server process (`processes`) keeps the format libraries loaded and forks a
fresh child for each call: warm start-up, no memory kept between documents, and no way for one
document to touch the next. The child has limits of time, memory and file size, no network, no core
dumps, no output, a temporary folder of its own that goes when it ends, and none of the caller's
environment but what Python needs. It dies with the server, and the server with the caller.
"""

from __future__ import annotations

import atexit
import errno
import gc
import io
import os
import pickle
import signal
import struct
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from prism_core.errors import DocumentError, DocumentFailure, OutputError
from prism_core.processes import Child, Fences, ForkServer, ServerLostError

Result = TypeVar("Result")

MEBIBYTE: Final = 1024 * 1024
CLOCK_FACTOR: Final = 3
_GRACE: Final = 10.0
"""Seconds past a child's own time limit after which the caller stops waiting for it."""
_ENVIRONMENT: Final = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "LD_LIBRARY_PATH")
_SAFE_BUILTINS: Final = frozenset({"set", "frozenset", "complex", "bytearray", "range", "slice"})
_OUTPUT_ERRORS: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})
_SIZE: Final = struct.Struct("!Q")
"""The most bytes of a reply, before each request."""
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

    def fences(self) -> Fences:
        """What of it the kernel enforces."""
        clock = self.seconds * CLOCK_FACTOR
        return Fences(self.seconds, clock, self.memory_mb * MEBIBYTE, self.file_mb * MEBIBYTE)


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
    request = _SIZE.pack(limits.result_mb * MEBIBYTE)
    request += pickle.dumps((function, args, _folder()), pickle.HIGHEST_PROTOCOL)
    try:
        return _call(request, limits)  # type: ignore[no-any-return]
    except ServerLostError:  # it is started again, once
        with suppress(ServerLostError):
            return _call(request, limits)  # type: ignore[no-any-return]
    raise DocumentError(DocumentFailure.CRASHED)


def _folder() -> str:
    """Where relative paths start; empty when the folder is gone."""
    try:
        return str(Path.cwd())
    except OSError:
        return ""


def _call(request: bytes, limits: SandboxLimits) -> Any:
    with closing(_SERVER.connect(limits.fences())) as child:
        child.limit_waiting(limits.seconds * CLOCK_FACTOR + _GRACE)
        try:
            child.connection.send_bytes(request)
            reply = child.connection.recv_bytes(limits.result_mb * MEBIBYTE + 1024)
        except BlockingIOError:  # leaving ends the child
            raise DocumentError(DocumentFailure.TIMED_OUT) from None
        except (OSError, EOFError):
            raise DocumentError(_cause_of_death(child)) from None
        return _open_reply(reply)


def _cause_of_death(child: Child) -> DocumentFailure:
    """The class for a child that ended without a whole reply, by the way it ended."""
    code = child.exit_code(_GRACE)
    if code in (-signal.SIGALRM, -signal.SIGPROF):
        return DocumentFailure.TIMED_OUT
    if code == -signal.SIGKILL:  # nobody else kills a child: the kernel ran out of memory
        return DocumentFailure.OUT_OF_MEMORY
    return DocumentFailure.CRASHED


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


def _answer(request: bytes) -> bytes:
    """Run ``request`` in the child; the pickled outcome."""
    size, message = request[: _SIZE.size], memoryview(request)[_SIZE.size :]
    try:
        reply = pickle.dumps(_outcome(message), pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        gc.collect()
        return _failure(DocumentFailure.OUT_OF_MEMORY)
    return reply if len(reply) <= _SIZE.unpack(size)[0] else _failure(DocumentFailure.TOO_LARGE)


def _failure(failure: DocumentFailure) -> bytes:
    return pickle.dumps(("failure", (failure.value, None)), pickle.HIGHEST_PROTOCOL)


def _outcome(request: memoryview) -> tuple[str, Any]:
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


def _environment() -> dict[str, str]:
    """No key or token of the caller's."""
    kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    return kept | {"PYTHONWARNINGS": "ignore"}


_SERVER: Final = ForkServer(_answer, _environment)
SERVER_NAME: Final = _SERVER.name
"""What its command line ends with."""
atexit.register(_SERVER.stop)
