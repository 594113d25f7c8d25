"""Puts a new key where the user's key is, and keeps the old one beside it.

The new key waits in ``FILE.next`` until every store opens with it; then it takes the place of the
old one in one step, and the old one goes on as ``FILE.FINGERPRINT``: other archives may need it.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from prism_core.cipher import fingerprint
from prism_core.errors import ConfigurationError
from prism_core.settings.sections import KeySettings
from prism_core.state.key import (
    KEY_BYTES,
    KEY_VARIABLE,
    key_file,
    make_key_file,
    read_key_file,
    replace_in_keyring,
)

_FINGERPRINT = re.compile("[0-9a-f]{16}")


def next_key(settings: KeySettings, environment: Mapping[str, str] | None = None) -> bytes:
    """The key that is to be the next; of a rotation that was killed the one that it made.

    Raises ``ConfigurationError`` when the key is in the environment: nobody here can change that.
    """
    file = key_file(settings, environment)
    if file is not None:
        make_key_file(_waiting(file))
        return read_key_file(_waiting(file))
    environment = os.environ if environment is None else environment
    if environment.get(KEY_VARIABLE) or settings.source == "env":
        raise ConfigurationError(
            f"the key is in {KEY_VARIABLE}, which only its owner can change: make a key with "
            "prism key new FILE, rotate with --to FILE, and put its content there afterwards"
        )
    return secrets.token_bytes(KEY_BYTES)


def succeed(
    settings: KeySettings, old: bytes, new: bytes, environment: Mapping[str, str] | None = None
) -> Path | None:
    """Put ``new``, from ``next_key``, in the place of ``old``.

    Gives the file in which the old one is kept; None when that is the keyring.
    """
    file = key_file(settings, environment)
    if file is None:
        replace_in_keyring(new, fingerprint(old))
        return None
    kept = file.with_name(f"{file.name}.{fingerprint(old)}")
    try:
        if not kept.exists():
            kept.hardlink_to(file)
        _waiting(file).replace(file)
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise ConfigurationError(f"key file {file} cannot be replaced: {error.strerror}") from None
    return kept


def _waiting(file: Path) -> Path:
    return file.with_name(f"{file.name}.next")


def earlier_keys(settings: KeySettings) -> list[bytes]:
    """The keys that rotations have put beside the key file; what cannot be read is left out."""
    file = key_file(settings)
    if file is None:
        return []
    found = []
    for kept in sorted(file.parent.glob(f"{file.name}.*")):
        if _FINGERPRINT.fullmatch(kept.name.removeprefix(f"{file.name}.")):
            with suppress(OSError, ConfigurationError):
                found.append(read_key_file(kept))
    return found
