"""What every database of ours begins with: its version, its salt, and a check of the key."""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, Table, insert, inspect, select, update

from prism_core.errors import StateError
from prism_core.state.cipher import SALT_BYTES, Cipher
from prism_core.state.migrations import Steps, check_version, migrate

_KEY_CHECK = b"prism"
_VERSION = "schema_version"
_NO_STEPS: Steps = {}


def unlock(
    connection: Connection, meta: Table, key: bytes, version: int, steps: Steps = _NO_STEPS
) -> Cipher:
    """The database's cipher, after its version and key were checked; sets up an empty one.

    ``meta`` is its table of names and values. What an earlier version wrote is brought up to date
    by ``steps``, all of it or nothing. Raises ``WrongKey``, or ``StateError`` when they do not
    lead from its version to this one.
    """
    stored = {str(row.name): bytes(row.value) for row in connection.execute(select(meta))}
    if not stored:
        return _found(connection, meta, key, version)
    found = int(stored[_VERSION])
    check_version(found, version, steps)
    cipher = Cipher(key, stored["salt"])
    cipher.open("meta.value:key_check", stored["key_check"])
    if found < version:
        migrate(connection, found, version, steps)
        connection.execute(
            update(meta).where(meta.c.name == _VERSION).values(value=str(version).encode())
        )
    return cipher


def check_not_empty(connection: Connection, meta: Table) -> None:
    """Raise ``StateError`` when the run that was to make the store was stopped before it had."""
    if not inspect(connection).has_table(meta.name):
        raise StateError(
            "the state store is empty: the run that made it was stopped at once; run it again"
        )


def _found(connection: Connection, meta: Table, key: bytes, version: int) -> Cipher:
    salt = secrets.token_bytes(SALT_BYTES)
    cipher = Cipher(key, salt)
    rows = {
        _VERSION: str(version).encode(),
        "salt": salt,
        "key_check": cipher.seal("meta.value:key_check", _KEY_CHECK),
    }
    connection.execute(insert(meta), [{"name": k, "value": v} for k, v in rows.items()])
    return cipher
