"""Puts a store under another key of the user's: quick, since only one small value is sealed anew.

In two steps, so that the key's own place can be changed in between: first both keys open the store,
then the new one alone. Killed in between, it opens with whichever key is in its place, and the
opening takes the other one out. Call either while ``exclusive`` is held.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, inspect, select

from prism_core.cipher import fingerprint
from prism_core.errors import WrongKey
from prism_core.state.data_keys import (
    Purpose,
    drop_other_masters,
    salt_of,
    store_master,
    unlock_store,
    unlocked,
)
from prism_core.state.database import open_database
from prism_core.state.migrations import MIGRATIONS
from prism_core.state.schema import SCHEMA_VERSION, data_keys, meta
from prism_core.state.unlocking import check_not_empty


def admit(folder: Path, url: str | None, key: bytes, new: bytes) -> None:
    """Let ``new`` open the store as ``key`` does; a store of an earlier version is brought up to
    date. Nothing happens when only ``new`` opens it already. Raises ``WrongKey``."""
    database = open_database(folder, url)
    try:
        with database.writing() as connection:
            check_not_empty(connection, meta)
            if not _opens(connection, new):
                found = unlock_store(connection, key, SCHEMA_VERSION, MIGRATIONS)
                drop_other_masters(connection, key)
                store_master(connection, found.salt, new, found.master)
    finally:
        database.close()


def dismiss_others(folder: Path, url: str | None, key: bytes) -> None:
    """Let no key but ``key`` open the store, and leave no byte of what opened with others."""
    database = open_database(folder, url)
    try:
        with database.writing() as connection:
            unlocked(connection, key, salt_of(connection))
            drop_other_masters(connection, key)
        database.forget_deleted(data_keys)
    finally:
        database.close()


@dataclass(frozen=True, slots=True)
class KeyOverview:
    """The key of a store: ``since`` in seconds since the epoch; what it wraps, by purpose."""

    fingerprint: str
    since: float


def keys_of(folder: Path, url: str | None) -> list[KeyOverview]:
    """Which keys of the user's open the store, read without any: one, or two during a rotation.

    None are told of a store of an earlier version. Raises ``StateError``.
    """
    database = open_database(folder, url, read_only=True)
    try:
        with database.reading() as connection:
            check_not_empty(connection, meta)
            if not inspect(connection).has_table(data_keys.name):
                return []
            query = select(data_keys).where(data_keys.c.purpose == Purpose.MASTER)
            rows = connection.execute(query.order_by(data_keys.c.made)).all()
            return [KeyOverview(row.fingerprint, row.made) for row in rows]
    finally:
        database.close()


def _opens(connection: Connection, key: bytes) -> bool:
    """Whether ``key`` opens the store as it is."""
    if not inspect(connection).has_table(data_keys.name):
        return False
    named = select(data_keys.c.number).where(data_keys.c.fingerprint == fingerprint(key))
    if connection.execute(named).first() is None:
        return False
    try:
        unlocked(connection, key, salt_of(connection))
    except WrongKey:
        return False
    return True
