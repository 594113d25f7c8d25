"""One run at a time over one output folder."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prism_core.errors import StateError, StoreInUse

_LOCK_NAME = "lock"
_held: set[Path] = set()
_held_guard = threading.Lock()


@contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Hold the lock of the state folder; raises ``StoreInUse`` at once when another run has it.

    The kernel lets go of it when the process ends, however it ends. It is a POSIX record lock:
    unlike ``flock`` it is not inherited by the readers and writers that run as child processes,
    which may outlive a killed run by a moment. It does not tell threads of one process apart,
    hence ``_held``.
    """
    path = folder.resolve() / _LOCK_NAME
    with _held_guard:
        if path in _held:
            raise _in_use()
        descriptor = _locked(path)
        _held.add(path)
    try:
        yield
    finally:
        with _held_guard:
            _held.discard(path)
            os.close(descriptor)


def _locked(path: Path) -> int:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StateError(f"{path} cannot be made: {error.strerror}") from None
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
    else:
        return descriptor
    raise _in_use()


def _in_use() -> StoreInUse:
    return StoreInUse(
        "another run is working on this output folder; wait for it or end it, then run again"
    )
