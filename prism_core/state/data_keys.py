"""The data keys of a store: random, wrapped by a master key, which the user's key wraps.

``master``: wraps the others; there are two rows of it while the user's key is being replaced.
``ids``: names documents and sentences; one for the life of a store, so that what has not changed
is recognised. ``content``: seals what outlives a run (paths, names, the deny list). ``run``: seals
what one run makes of documents: text, encodings, answers, translations, layouts. ``earlier``: what
was sealed before there were data keys. ``retired``: sealed until all was to be encrypted anew.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from sqlalchemy import Connection, delete, insert, select, update

from prism_core.cipher import (
    ANOTHER_KEY,
    DATA_KEY_BYTES,
    SALT_BYTES,
    Cipher,
    DataKeys,
    StoreCipher,
    Wrapping,
    derived_keys,
    fingerprint,
)
from prism_core.errors import WrongKey
from prism_core.state.migrations import Steps, check_version, migrate
from prism_core.state.schema import data_keys, meta

VERSION, SALT, KEY_CHECK = "schema_version", "salt", "key_check"
_NO_STEPS: Steps = {}
UNNUMBERED = 0
"""The number of the ``earlier`` key: what it sealed bears none."""
_LARGEST_NUMBER = 2**31 - 1


class Purpose(StrEnum):
    """What a data key is for; see the top of this module."""

    MASTER = "master"
    IDS = "ids"
    CONTENT = "content"
    RUN = "run"
    EARLIER = "earlier"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class DataKey:
    """A row of the table, unwrapped; ``run`` is empty unless it is the key of a run."""

    number: int
    purpose: Purpose
    run: str
    made: float
    key: bytes
    successor: int | None = None


@dataclass(frozen=True, slots=True)
class Unlocked:
    """The master key and all data keys, by number."""

    salt: bytes
    master: bytes
    keys: Mapping[int, DataKey]

    def cipher(self) -> StoreCipher:
        """A cipher under the key for content."""
        ids = next(one for one in self.keys.values() if one.purpose is Purpose.IDS)
        content = {n: one.key for n, one in self.keys.items() if one is not ids}
        keys = DataKeys(
            content=content,
            ids=ids.key,
            unnumbered=UNNUMBERED if UNNUMBERED in self.keys else None,
            successors={n: one.successor for n, one in self.keys.items() if one.successor},
        )
        return StoreCipher(keys, self.current(Purpose.CONTENT).number)

    def current(self, purpose: Purpose, run: str = "") -> DataKey:
        """The one key of ``purpose`` and ``run``; raises ``KeyError`` when there is none."""
        for one in self.keys.values():
            if one.purpose is purpose and one.run == run:
                return one
        raise KeyError(purpose)

    def with_run(self, connection: Connection, run: str) -> Unlocked:
        """The same with a key for ``run``, which is made unless there is one."""
        if any(one.purpose is Purpose.RUN and one.run == run for one in self.keys.values()):
            return self
        made = new_key(Purpose.RUN, self.keys, run)
        store_key(connection, self.salt, self.master, made)
        return Unlocked(self.salt, self.master, {**self.keys, made.number: made})


def unlock_store(
    connection: Connection, key: bytes, version: int, steps: Steps = _NO_STEPS
) -> Unlocked:
    """The keys of a store, after its version was checked; sets up an empty one.

    What an earlier version wrote is brought up to date by ``steps``, all of it or nothing: call it
    within a transaction. Raises ``WrongKey``, or ``StateError`` when they do not lead from its
    version to this one.
    """
    stored = {str(row.name): bytes(row.value) for row in connection.execute(select(meta))}
    fresh = not stored
    if fresh:
        stored = {VERSION: str(version).encode(), SALT: secrets.token_bytes(SALT_BYTES)}
        connection.execute(insert(meta), [{"name": n, "value": v} for n, v in stored.items()])
    found = int(stored[VERSION])
    check_version(found, version, steps)
    if KEY_CHECK in stored:
        Cipher(key, stored[SALT]).open(f"meta.value:{KEY_CHECK}", stored[KEY_CHECK])
    if found < version:
        migrate(connection, found, version, steps)
        newer = update(meta).where(meta.c.name == VERSION)
        connection.execute(newer.values(value=str(version).encode()))
    if fresh or KEY_CHECK in stored:
        _found(connection, key, stored[SALT], adopt=KEY_CHECK in stored)
        connection.execute(delete(meta).where(meta.c.name == KEY_CHECK))
    return unlocked(connection, key, stored[SALT])


def unlocked(connection: Connection, key: bytes, salt: bytes) -> Unlocked:
    """The keys of a store that has some; raises ``WrongKey``."""
    rows = connection.execute(select(data_keys)).all()
    by_key = Wrapping(key, salt)
    masters = (by_key.unwrap(Purpose.MASTER, r.wrapped) for r in rows if _is_master(r.purpose))
    master = next((one for one in masters if one is not None), None)
    if master is None:
        raise WrongKey(ANOTHER_KEY)
    by_master, keys = Wrapping(master, salt), {}
    for row in rows:
        if not _is_master(row.purpose):
            plain = by_master.unwrap(_place(row.number), row.wrapped)
            if plain is None:
                raise WrongKey(ANOTHER_KEY)
            purpose = Purpose(row.purpose)
            keys[row.number] = DataKey(row.number, purpose, row.run, row.made, plain, row.successor)
    return Unlocked(salt, master, keys)


def salt_of(connection: Connection) -> bytes:
    """The salt of a store."""
    return bytes(connection.execute(select(meta.c.value).where(meta.c.name == SALT)).scalar_one())


def new_key(purpose: Purpose, known: Mapping[int, object], run: str = "") -> DataKey:
    """A random data key, under a number that none of ``known`` has."""
    number = secrets.randbelow(_LARGEST_NUMBER) + 1
    while number in known:
        number = secrets.randbelow(_LARGEST_NUMBER) + 1
    return DataKey(number, purpose, run, time.time(), secrets.token_bytes(DATA_KEY_BYTES))


def store_key(connection: Connection, salt: bytes, master: bytes, key: DataKey) -> None:
    """Store ``key`` wrapped, in the place of the one with its number if there is one."""
    connection.execute(delete(data_keys).where(data_keys.c.number == key.number))
    connection.execute(
        insert(data_keys).values(
            number=key.number,
            purpose=key.purpose,
            run=key.run,
            made=key.made,
            fingerprint="",
            successor=key.successor,
            wrapped=Wrapping(master, salt).wrap(_place(key.number), key.key),
        )
    )


def store_master(connection: Connection, salt: bytes, key: bytes, master: bytes) -> None:
    """Let ``key`` open the store too; a wrapping that is there by the same key is replaced."""
    is_master = data_keys.c.purpose == Purpose.MASTER
    mine = data_keys.c.fingerprint == fingerprint(key)
    connection.execute(delete(data_keys).where(is_master, mine))
    known = set(connection.execute(select(data_keys.c.number)).scalars())
    row = new_key(Purpose.MASTER, dict.fromkeys(known))
    connection.execute(
        insert(data_keys).values(
            number=row.number,
            purpose=Purpose.MASTER,
            run="",
            made=row.made,
            fingerprint=fingerprint(key),
            wrapped=Wrapping(key, salt).wrap(Purpose.MASTER, master),
        )
    )


def drop_other_masters(connection: Connection, key: bytes) -> int:
    """Let no user's key but ``key`` open the store, which it must; how many others did."""
    others = data_keys.c.fingerprint != fingerprint(key)
    gone = delete(data_keys).where(data_keys.c.purpose == Purpose.MASTER, others)
    return connection.execute(gone).rowcount


def _found(connection: Connection, key: bytes, salt: bytes, *, adopt: bool) -> None:
    """Make the keys of a store; with ``adopt`` those that ``Cipher(key, salt)`` had go on."""
    master = secrets.token_bytes(DATA_KEY_BYTES)
    content = new_key(Purpose.CONTENT, {})
    ids = new_key(Purpose.IDS, {content.number: content})
    keys = {content.number: content, ids.number: ids}
    if adopt:
        old_content, old_ids = derived_keys(key, salt)
        keys[UNNUMBERED] = DataKey(UNNUMBERED, Purpose.EARLIER, "", time.time(), old_content)
        keys[ids.number] = replace(ids, key=old_ids)
    for one in keys.values():
        store_key(connection, salt, master, one)
    store_master(connection, salt, key, master)


def _is_master(purpose: str) -> bool:
    return purpose == Purpose.MASTER


def _place(number: int) -> str:
    return f"data_keys.wrapped:{number}"
