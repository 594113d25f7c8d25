"""Lock by which one run at a time works on an output folder, with no workers of an earlier one."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prism_core.errors import StateError, StoreInUse
from prism_core.state.database import Database
from prism_core.state.postgres import lock_key

_LOCK_NAME = "lock"
_RUN, _WORKERS = 0, 1
"""Bytes of the lock file: the first is held by a run, the second shared by its workers while they
work."""
_WORKERS_END = 10.0
"""Seconds allowed for the workers of a killed run to end."""
_SESSION_END = 5.0
"""Seconds allowed for a database server to notice that a killed run is gone."""
_NOTICE_LOSS = (
    "SET tcp_keepalives_idle TO 30; SET tcp_keepalives_interval TO 10; "
    "SET tcp_keepalives_count TO 3"
)
"""Keepalive settings by which a machine that lost its power is noticed in a minute, not in the two
hours of the default."""
_held: set[Path] = set()
_held_guard = threading.Lock()


@contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Hold a state folder for one run of this machine; raise ``StoreInUse`` at once.

    The kernel releases it when the process ends, however it ends. It is a POSIX record lock: unlike
    ``flock`` it is not inherited by the readers and writers that run as child processes, which may
    outlive a killed run by a moment. It does not distinguish threads of one process, hence
    ``_held``.

    Workers of a run that was killed may live on for a moment; this waits for them, so that nothing
    of theirs is written into this run.
    """
    path = folder.resolve() / _LOCK_NAME
    with _held_guard:
        if path in _held:
            raise _make_refusal()
        descriptor = _open(path)
        if not (_lock_byte(descriptor, _RUN) and _lock_byte(descriptor, _WORKERS, _WORKERS_END)):
            os.close(descriptor)
            raise _make_refusal()
        fcntl.lockf(descriptor, fcntl.LOCK_UN, 1, _WORKERS)
        _held.add(path)
    try:
        yield
    finally:
        with _held_guard:
            _held.discard(path)
            os.close(descriptor)


@contextmanager
def hold_schema(database: Database) -> Iterator[None]:
    """Hold a lock of the database session; the server releases it when the process ends."""
    with database.outside() as connection:
        connection.exec_driver_sql(_NOTICE_LOSS)
        until = time.monotonic() + _SESSION_END
        take = f"SELECT pg_try_advisory_lock({lock_key(database.schema or '', 'run')})"
        while not connection.exec_driver_sql(take).scalar_one():
            if time.monotonic() > until:
                raise _make_refusal()
            time.sleep(0.1)
        yield


@contextmanager
def share_folder(folder: Path) -> Iterator[None]:
    """Join the run that holds ``folder`` as a worker; for processes with one working thread."""
    descriptor = _open(folder.resolve() / _LOCK_NAME)
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_SH, 1, _WORKERS)
        yield
    finally:
        os.close(descriptor)


def _open(path: Path) -> int:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StateError(
            f"the state folder {path.parent} cannot be made or written: {error.strerror}; check "
            "the permissions and the free space of the output folder, or choose another one"
        ) from None


def _lock_byte(descriptor: int, byte: int, seconds: float = 0.0) -> bool:
    """Lock ``byte`` of the lock file for this process alone; return False if it is locked."""
    until = time.monotonic() + seconds
    while True:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
        except OSError:
            if time.monotonic() >= until:
                return False
            time.sleep(0.05)
        else:
            return True


def _make_refusal() -> StoreInUse:
    return StoreInUse(
        "another run is working on this output folder; wait for it or end it, then run again"
    )
