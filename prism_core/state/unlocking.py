"""What a database of ours without data keys begins with: version, salt, a check of the key."""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, Table, insert, inspect, select

from prism_core.cipher import SALT_BYTES, Cipher
from prism_core.errors import StateError
from prism_core.state.migrations import check_version

_KEY_CHECK = b"prism"
_VERSION = "schema_version"


def unlock(connection: Connection, meta: Table, key: bytes, version: int) -> Cipher:
    """The database's cipher, after its version and key were checked; sets up an empty one.

    ``meta`` is its table of names and values. For what is short-lived: its content is sealed under
    the user's key itself. Raises ``WrongKey``, or ``StateError`` for another version.
    """
    stored = {str(row.name): bytes(row.value) for row in connection.execute(select(meta))}
    if not stored:
        return _found(connection, meta, key, version)
    check_version(int(stored[_VERSION]), version, {})
    cipher = Cipher(key, stored["salt"])
    cipher.open("meta.value:key_check", stored["key_check"])
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
