"""Encrypts all that a store holds anew, under data keys that no earlier copy of it has.

A new master key and new data keys are made in one transaction; then values are sealed anew, a batch
at a time. The old data keys open what is left, so that a store in between is as good as any; when
nothing is left they are destroyed. Killed at any point, it goes on when it is called again. The
key for ids stays: by them what has not changed is recognised.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, Table, delete, select, true, update

from prism_core.cipher import DATA_KEY_BYTES, StoreCipher
from prism_core.state.data_keys import (
    DataKey,
    Purpose,
    Unlocked,
    new_key,
    store_key,
    store_master,
    unlock_store,
)
from prism_core.state.database import Database, open_database, update_each
from prism_core.state.migrations import MIGRATIONS
from prism_core.state.schema import KEPT, SCHEMA_VERSION, Sealed, data_keys, meta, metadata
from prism_core.state.unlocking import check_not_empty

_BATCH = 250
"""Rows of a transaction; a layout may be some megabytes."""
_OWN = (meta, data_keys)
Done = Callable[[int], None]


def encrypt_anew(folder: Path, url: str | None, key: bytes, done: Done | None = None) -> int:
    """Seal every value under a new data key, and destroy the old ones; how many were sealed anew.

    ``done`` is told how many after each batch. Call it while ``exclusive`` is held. Raises
    ``WrongKey``, or another ``StateError``.
    """
    database = open_database(folder, url)
    try:
        with database.writing() as connection:
            check_not_empty(connection, meta)
            found = unlock_store(connection, key, SCHEMA_VERSION, MIGRATIONS)
            if not _retired(found):
                found = _succeeded(connection, key, found)
        count = 0
        for resealed in _reseal_all(database, found.cipher()):
            count += resealed
            if done is not None:
                done(count)
        with database.writing() as connection:
            old = data_keys.c.number.in_(_retired(found))
            connection.execute(delete(data_keys).where(old))
        database.rewrite()
        return count
    finally:
        database.close()


def needs_it(folder: Path, url: str | None) -> bool:
    """Whether values are sealed with what an old key of the user's gives by itself, or with keys
    that were to be replaced: read without any key."""
    database = open_database(folder, url, read_only=True)
    try:
        with database.reading() as connection:
            wanted = data_keys.c.purpose.in_([Purpose.EARLIER, Purpose.RETIRED])
            return connection.execute(select(data_keys.c.number).where(wanted)).first() is not None
    finally:
        database.close()


def _retired(found: Unlocked) -> list[int]:
    return [n for n, one in found.keys.items() if one.purpose is Purpose.RETIRED]


def _succeeded(connection: Connection, key: bytes, found: Unlocked) -> Unlocked:
    """Give every key that seals a successor, and wrap all of them by a new master key."""
    keys = dict(found.keys)
    content = _succeed(keys, found.current(Purpose.CONTENT))
    for one in found.keys.values():
        if one.purpose is Purpose.RUN:
            _succeed(keys, one)
        elif one.purpose is Purpose.EARLIER:
            keys[one.number] = replace(one, purpose=Purpose.RETIRED, successor=content.number)
    master = secrets.token_bytes(DATA_KEY_BYTES)
    for one in keys.values():
        store_key(connection, found.salt, master, one)
    connection.execute(delete(data_keys).where(data_keys.c.purpose == Purpose.MASTER))
    store_master(connection, found.salt, key, master)
    return Unlocked(found.salt, master, keys)


def _succeed(keys: dict[int, DataKey], old: DataKey) -> DataKey:
    new = replace(new_key(old.purpose, keys, old.run), made=old.made)
    keys[new.number] = new
    keys[old.number] = replace(old, purpose=Purpose.RETIRED, successor=new.number)
    return new


def _reseal_all(database: Database, cipher: StoreCipher) -> Iterator[int]:
    """How many values each batch sealed anew, of every table with sealed columns."""
    for name in KEPT:
        yield _reseal_kept(database, cipher, name)
    for table in metadata.sorted_tables:
        columns = [column.name for column in table.columns if isinstance(column.type, Sealed)]
        if table in _OWN or not columns:
            continue
        last = ""
        while True:
            query = select(table.c.id, *(table.c[name] for name in columns))
            query = query.where(table.c.id > last).order_by(table.c.id).limit(_BATCH)
            with database.writing() as connection:
                rows = connection.execute(query).all()
                changes = [_resealed(cipher, table, row, columns) for row in rows]
                count = _update(connection, table, changes)
            yield count
            if not rows:
                break
            last = rows[-1].id


def _resealed(
    cipher: StoreCipher, table: Table, row: Row[Any], columns: list[str]
) -> dict[str, bytes]:
    """The values of ``row`` that had to be sealed anew, by column."""
    sealed = {name: getattr(row, name) for name in columns}
    fresh = {
        name: cipher.resealed(f"{table.name}.{name}:{row.id}", value)
        for name, value in sealed.items()
        if value is not None
    }
    changed = {name: value for name, value in fresh.items() if value is not None}
    return {"id": row.id, **changed} if changed else {}


def _update(connection: Connection, table: Table, changes: list[dict[str, bytes]]) -> int:
    """Store ``changes``, those of the same columns at once; how many values they are."""
    by_columns: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for change in changes:
        if change:
            by_columns.setdefault(tuple(change), []).append(change)
    for rows in by_columns.values():
        update_each(connection, table, true(), rows)
    return sum(len(change) - 1 for change in changes if change)


def _reseal_kept(database: Database, cipher: StoreCipher, name: str) -> int:
    """One of the sealed values among names and values."""
    mine = meta.c.name == name
    with database.writing() as connection:
        sealed = connection.execute(select(meta.c.value).where(mine)).scalar()
        fresh = None if sealed is None else cipher.resealed(f"meta.value:{name}", sealed)
        if fresh is None:
            return 0
        connection.execute(update(meta).where(mine).values(value=fresh))
    return 1
