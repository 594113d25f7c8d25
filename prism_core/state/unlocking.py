"""What every database of ours begins with: its version, its salt, and a check of the key."""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, Table, insert, select

from prism_core.errors import StateError
from prism_core.state.cipher import SALT_BYTES, Cipher

_KEY_CHECK = b"prism"


def unlock(connection: Connection, meta: Table, key: bytes, version: int) -> Cipher:
    """The database's cipher, after its version and key were checked; sets up an empty one.

    ``meta`` is its table of names and values. Raises ``WrongKey``, or ``StateError`` when another
    version of PRISM wrote it.
    """
    stored = {str(row.name): bytes(row.value) for row in connection.execute(select(meta))}
    if not stored:
        return _found(connection, meta, key, version)
    found = int(stored["schema_version"])
    if found != version:
        raise StateError(
            f"the state store has version {found}, this PRISM works with {version}; use "
            "the PRISM that wrote it, or move the .prism folder away to start afresh"
        )
    cipher = Cipher(key, stored["salt"])
    cipher.open("meta.value:key_check", stored["key_check"])
    return cipher


def _found(connection: Connection, meta: Table, key: bytes, version: int) -> Cipher:
    salt = secrets.token_bytes(SALT_BYTES)
    cipher = Cipher(key, salt)
    rows = {
        "schema_version": str(version).encode(),
        "salt": salt,
        "key_check": cipher.seal("meta.value:key_check", _KEY_CHECK),
    }
    connection.execute(insert(meta), [{"name": k, "value": v} for k, v in rows.items()])
    return cipher
