"""Locks by which one run at a time, and one state, works on an output.

One run holds the state folder, or a session of the database (``hold_folder``, ``hold_schema``); its
workers share the folder, so that no worker of an earlier run is at work. A marker in a bucket names
the state that an output there belongs to (``claim``): two states for one output would send
everything twice, in fresh encodings that can be compared. A state in a folder of this machine is
named by the object ``.prism/folder`` and by a file in the folder; a state in a database by
``.prism/schema``, which names its schema.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from prism_core.errors import ConfigurationError, StateError, StoreInUse
from prism_core.state.database import Database
from prism_core.state.postgres import SCHEMA_FILE, lock_key
from prism_core.storage import (
    ObjectAddress,
    ObjectStore,
    claim_marker,
    has_marker,
    read_marker,
    remove_marker,
)

_MARK: Final = "folder"
"""Object that names the state, and the file in its folder that names both state and output."""
_PROBE: Final = "probe"
_NO_VERSION: Final = '"00000000000000000000000000000000"'
_OVERWRITES: Final = (
    "the provider of {place} overwrites objects although it is asked not to (it does not support "
    "If-None-Match or If-Match), so that files which are not PRISM's could be lost; use a provider "
    "that supports them, or write to a folder"
)
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


def check_claim(bucket: ObjectAddress, folder: Path, url: str | None) -> None:
    """Raise ``ConfigurationError`` unless the settings name a state that ``bucket`` may have."""
    marks = bucket / ".prism"
    if url is not None:
        if has_marker(marks, _MARK):
            raise ConfigurationError(
                f"the state of {bucket} is in a folder, and state.url names a database: give "
                "state.folder, or another output"
            )
        return
    if has_marker(marks, SCHEMA_FILE):
        raise ConfigurationError(
            f"the state of {bucket} is in a PostgreSQL database; give the settings that name it: "
            "--settings prism.toml, or PRISM_STATE__URL"
        )
    own_name, stored_name = _read_own_name(bucket, folder), read_marker(marks, _MARK)
    if stored_name is not None and stored_name != own_name:
        raise ConfigurationError(
            f"the state of {bucket} is in another folder than {folder}; name that folder as "
            "state.folder, restore it from a backup, or choose another output"
        )


def claim(bucket: ObjectAddress, folder: Path, url: str | None) -> None:
    """Record in ``bucket`` which state it belongs to; call it while the state is held.

    Raises ``ConfigurationError``, also for a provider that would overwrite what it should not. That
    is tried with a test object in each run, since a gateway may have come between.
    """
    check_claim(bucket, folder, url)
    marks = bucket / ".prism"
    store, content = ObjectStore(marks), b"PRISM tries here whether objects are overwritten.\n"
    store.put_if_absent(_PROBE, content)
    stored = store.head(_PROBE)  # None if it was deleted a moment ago; the next run tries again
    if stored is not None:
        other = replace(stored, tag=_NO_VERSION, generation="1" if stored.generation else "")
        if store.put_if_absent(_PROBE, content) or store.put_if_same(_PROBE, content, other):
            raise ConfigurationError(_OVERWRITES.format(place=bucket))
    if url is not None:
        return
    if _read_own_name(bucket, folder) is None:
        claim_marker(folder, _MARK, f"{secrets.token_hex(16)} {bucket}")
    if not claim_marker(marks, _MARK, _read_own_name(bucket, folder) or ""):
        check_claim(bucket, folder, url)


def release(bucket: ObjectAddress, folder: Path) -> None:
    """Remove the record of a state from ``bucket``."""
    remove_marker(bucket / ".prism", _MARK)
    remove_marker(folder, _MARK)


def _read_own_name(bucket: ObjectAddress, folder: Path) -> str | None:
    """Return the name of the state in ``folder``; None before it has one."""
    content = read_marker(folder, _MARK)
    if content is None:
        return None
    name, _, output = content.partition(" ")
    if output != str(bucket):
        raise ConfigurationError(
            f"state.folder {folder} holds the state of {output}; give each output one of its own"
        )
    return name
