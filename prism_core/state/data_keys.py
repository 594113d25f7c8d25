"""Data keys of a store: random, each wrapped by the user's key.

``ids`` names documents and sentences; it is the same for the life of a store, so that unchanged
content is recognised. ``content`` seals what outlives a run (paths, names, the deny list). ``run``
seals what one run makes of documents: text, encodings, answers, translations, layouts.

To put a store under another user's key is quick, since only its data keys are wrapped anew. It
takes two steps, so that the key can be replaced in its own location in between: first both keys
open the store (``admit_key``), then the new one alone (``drop_other_keys``). A store that is killed
in between opens with whichever key is in its location, and opening it removes the other key.

Entry: ``make_keys`` or ``unlock_store``; then ``Unlocked.add_run`` -> ``Unlocked.cipher``.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from sqlalchemy import Connection, delete, func, insert, select

from prism_core.cipher import (
    ANOTHER_KEY,
    DATA_KEY_BYTES,
    SALT_BYTES,
    KeyBox,
    StoreCipher,
    fingerprint,
    wrapping,
)
from prism_core.errors import WrongKey
from prism_core.state.schema import SCHEMA_VERSION, VERSION, check_version, data_keys, meta

_SALT = "salt"
_LARGEST_NUMBER = 2**31 - 1


class Purpose(StrEnum):
    """Purposes of a data key; see the top of this module."""

    IDS = "ids"
    CONTENT = "content"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class DataKey:
    """Data key, unwrapped; ``run`` is empty unless it is the key of a run."""

    number: int
    purpose: Purpose
    run: str
    made: float
    key: bytes


@dataclass(frozen=True, slots=True)
class Unlocked:
    """All data keys of a store by number, unwrapped by the user's key named ``fingerprint``."""

    box: KeyBox
    fingerprint: str
    keys: Mapping[int, DataKey]

    def cipher(self, run: str | None = None) -> StoreCipher:
        """Return a cipher that seals under the key for content, or under that of ``run``.

        Raises ``KeyError`` when there is no such key.
        """
        number = {(key.purpose, key.run): key.number for key in self.keys.values()}
        ids = number[Purpose.IDS, ""]
        content = {n: key.key for n, key in self.keys.items() if n != ids}
        sealing = number[(Purpose.CONTENT, "") if run is None else (Purpose.RUN, run)]
        return StoreCipher(content, self.keys[ids].key, sealing)

    def add_run(self, connection: Connection, run: str) -> Unlocked:
        """Return the keys with one for ``run``, which is made unless there is one."""
        if any(key.purpose is Purpose.RUN and key.run == run for key in self.keys.values()):
            return self
        made = _new_key(Purpose.RUN, self.keys, run)
        self.store(connection, made)
        return replace(self, keys={**self.keys, made.number: made})

    def store(self, connection: Connection, *keys: DataKey) -> None:
        """Store ``keys`` wrapped by the user's key."""
        rows = [
            {
                "number": data_key.number,
                "fingerprint": self.fingerprint,
                "purpose": data_key.purpose,
                "run": data_key.run,
                "made": data_key.made,
                "since": time.time(),
                "wrapped": self.box.seal(
                    _associated_data(data_key.purpose, data_key.number), data_key.key
                ),
            }
            for data_key in keys
        ]
        connection.execute(insert(data_keys), rows)


def make_keys(connection: Connection, key: bytes) -> Unlocked:
    """Make the keys of a new store, in the transaction that made its empty tables."""
    salt = secrets.token_bytes(SALT_BYTES)
    stored = {VERSION: str(SCHEMA_VERSION).encode(), _SALT: salt}
    connection.execute(insert(meta), [{"name": n, "value": v} for n, v in stored.items()])
    content = _new_key(Purpose.CONTENT, {})
    ids = _new_key(Purpose.IDS, {content.number: content})
    keys = {content.number: content, ids.number: ids}
    made = Unlocked(wrapping(key, salt), fingerprint(key), keys)
    made.store(connection, *keys.values())
    return made


def unlock_store(connection: Connection, key: bytes) -> Unlocked:
    """Return the keys of a store; raise ``StateError`` for another version, or ``WrongKey``."""
    check_version(connection)
    box, named = wrapping(key, _read_salt(connection)), fingerprint(key)
    keys = {}
    for row in connection.execute(select(data_keys).where(data_keys.c.fingerprint == named)):
        plain = box.open(_associated_data(row.purpose, row.number), row.wrapped)
        keys[row.number] = DataKey(row.number, Purpose(row.purpose), row.run, row.made, plain)
    if not keys:
        raise WrongKey(ANOTHER_KEY)
    return Unlocked(box, named, keys)


def drop_other_keys(connection: Connection, key: bytes) -> None:
    """Remove every user's key but ``key``, which must open the store."""
    others = data_keys.c.fingerprint != fingerprint(key)
    connection.execute(delete(data_keys).where(others))


def admit_key(connection: Connection, key: bytes, new: bytes) -> None:
    """Let ``new`` open the store as ``key`` does; do nothing when it does already."""
    try:
        unlock_store(connection, new)
    except WrongKey:
        found = unlock_store(connection, key)
        drop_other_keys(connection, key)
        box = wrapping(new, _read_salt(connection))
        Unlocked(box, fingerprint(new), found.keys).store(connection, *found.keys.values())


@dataclass(frozen=True, slots=True)
class KeyOverview:
    """User's key that opens a store, ``since`` a time in seconds since the epoch."""

    fingerprint: str
    since: float


def list_user_keys(connection: Connection) -> list[KeyOverview]:
    """List the user's keys that open the store, read without any: one, or two in a rotation."""
    named, since = data_keys.c.fingerprint, func.min(data_keys.c.since)
    rows = connection.execute(select(named, since).group_by(named).order_by(since))
    return [KeyOverview(*row) for row in rows]


def _read_salt(connection: Connection) -> bytes:
    query = select(meta.c.value).where(meta.c.name == _SALT)
    return bytes(connection.execute(query).scalar_one())


def _new_key(purpose: Purpose, known: Mapping[int, object], run: str = "") -> DataKey:
    """Make a random data key, under a number that none of ``known`` has."""
    number = secrets.randbelow(_LARGEST_NUMBER) + 1
    while number in known:
        number = secrets.randbelow(_LARGEST_NUMBER) + 1
    return DataKey(number, purpose, run, time.time(), secrets.token_bytes(DATA_KEY_BYTES))


def _associated_data(purpose: str, number: int) -> str:
    return f"data_keys.wrapped:{purpose}:{number}"
