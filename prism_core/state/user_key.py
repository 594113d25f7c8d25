"""The user's key: 32 random bytes, kept away from the state that it protects, and its successor.

Losing it loses only what is in flight; the output does not depend on it. Whoever has the key and
the state store can undo every replacement, so the two do not belong into one backup.

When the key is replaced, the new one waits in ``FILE.next`` until every store opens with it; then
it takes the place of the old one in one step, and the old one goes on as ``FILE.FINGERPRINT``:
other archives may need it.

Entry: ``load_key``; for a rotation ``next_key`` -> ``replace_key``; at the end ``destroy_key``.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from prism_core.cipher import fingerprint
from prism_core.errors import ConfigurationError
from prism_core.settings import KeySettings
from prism_core.state.files import make_first, overwrite_and_remove

KEY_BYTES = 32
KEY_VARIABLE = "PRISM_KEY"
KEY_FILE_VARIABLE = "PRISM_KEY_FILE"
_KEYRING_SERVICE = "prism-translate"
_KEYRING_USER = "state-key"
_FINGERPRINT = re.compile("[0-9a-f]{16}")


def load_key(settings: KeySettings, environment: Mapping[str, str] | None = None) -> bytes:
    """The key, made on first use unless it comes from the environment.

    ``PRISM_KEY`` (base64) wins over everything; then the OS keyring if the settings name it; else
    the file that the settings or ``PRISM_KEY_FILE`` name, or the default one. ``environment`` is
    ``os.environ`` unless given. Raises ``ConfigurationError`` with the fix; no message shows a key.
    """
    environment = os.environ if environment is None else environment
    encoded = environment.get(KEY_VARIABLE)
    if encoded:
        return _decode(encoded, KEY_VARIABLE)
    if settings.source == "env":
        raise ConfigurationError(
            f"{KEY_VARIABLE} is not set, and key.source says the key is there. Set it to 32 random "
            "bytes in base64, the same ones each time: openssl rand -base64 32"
        )
    if settings.source == "keyring":
        return _from_keyring() or b""
    file = settings.file or _default_file(environment)
    try:
        return read_key_file(file)
    except FileNotFoundError:
        make_key_file(file)
        return read_key_file(file)


def existing_key(
    settings: KeySettings, environment: Mapping[str, str] | None = None
) -> bytes | None:
    """The key where ``load_key`` would find it; None, and none is made, where there is none."""
    environment = os.environ if environment is None else environment
    if environment.get(KEY_VARIABLE):
        return load_key(settings, environment)
    if settings.source == "env":
        return None
    if settings.source == "keyring":
        return _from_keyring(make=False)
    try:
        return read_key_file(settings.file or _default_file(environment))
    except FileNotFoundError:
        return None


def key_file(settings: KeySettings, environment: Mapping[str, str] | None = None) -> Path | None:
    """The file that ``load_key`` reads; None when the key is in the environment or the keyring."""
    environment = os.environ if environment is None else environment
    if environment.get(KEY_VARIABLE) or settings.source != "file":
        return None
    return settings.file or _default_file(environment)


def key_place(settings: KeySettings, environment: Mapping[str, str] | None = None) -> str:
    """Where ``load_key`` finds the key, for people."""
    environment = os.environ if environment is None else environment
    if environment.get(KEY_VARIABLE) or settings.source == "env":
        return f"the environment variable {KEY_VARIABLE}"
    return (
        "the OS keyring" if settings.source == "keyring" else f"{key_file(settings, environment)}"
    )


def _default_file(environment: Mapping[str, str]) -> Path:
    if named := environment.get(KEY_FILE_VARIABLE):
        return Path(named).expanduser()
    state_home = environment.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state_home).expanduser() / "prism" / "key"


def _decode(encoded: str, origin: str) -> bytes:
    try:
        key = base64.b64decode(encoded.strip(), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        raise ConfigurationError(
            f"{origin} does not hold a key: 32 bytes in base64 are expected. Restore it, or set it "
            "aside and a new key is made; what was in flight is then translated afresh."
        )
    return key


def read_key_file(path: Path) -> bytes:
    """The key in ``path``; refuses a file that others may read, since it may have been read.

    Raises ``FileNotFoundError``, else ``ConfigurationError`` with the fix.
    """
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            content = file.read(1024)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ConfigurationError(f"key file {path} cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(status.st_mode) or status.st_mode & 0o077:
        raise ConfigurationError(
            f"key file {path} is open to other users (mode {stat.S_IMODE(status.st_mode):o}); "
            f"if you trust who could read it: chmod 600 {path}"
        )
    if os.geteuid() not in (0, status.st_uid):
        raise ConfigurationError(f"key file {path} belongs to another user; make it your own")
    return _decode(content.decode("ascii", errors="replace"), f"key file {path}")


def make_key_file(path: Path) -> bool:
    """Make ``path`` with a new key in one step; False when there is a file: it stays as it is.

    Of two runs that race, both use the first's.
    """
    key = base64.b64encode(secrets.token_bytes(KEY_BYTES)) + b"\n"
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return make_first(path, key, 0o600)
    except OSError as error:
        raise ConfigurationError(
            f"key file {path} cannot be made: {error.strerror}. Name another place in key.file or "
            f"{KEY_FILE_VARIABLE}, or give the key in {KEY_VARIABLE}."
        ) from None


def _from_keyring(*, make: bool = True) -> bytes | None:
    """The key in the OS keyring; importing it asks the desktop, so only when it is wanted.

    None when there is none and none is to be made.
    """
    with _keyring("unlock it, or set key.source to file or env") as keyring:
        stored = keyring.get_password(_KEYRING_SERVICE, _KEYRING_USER)
        if stored is None and not make:
            return None
        if stored is None:
            stored = base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()
            keyring.set_password(_KEYRING_SERVICE, _KEYRING_USER, stored)
    return _decode(stored, "the entry in the OS keyring")


@contextmanager
def _keyring(advice: str = "unlock it and try again") -> Iterator[Any]:
    """The module of that name; what it raises is typed, with ``advice``."""
    import keyring
    import keyring.errors

    try:
        yield keyring
    except keyring.errors.KeyringError:
        raise ConfigurationError(f"the OS keyring cannot be used; {advice}") from None


def check_destroyable(settings: KeySettings, environment: Mapping[str, str] | None = None) -> None:
    """Raise ``ConfigurationError`` when the key is in the environment: its owner takes it out."""
    environment = os.environ if environment is None else environment
    if environment.get(KEY_VARIABLE) or settings.source == "env":
        raise ConfigurationError(
            f"the key is in {KEY_VARIABLE}; take it out of wherever that is set, and of its backups"
        )


def destroy_key(settings: KeySettings, environment: Mapping[str, str] | None = None) -> str:
    """Destroy the key where ``load_key`` finds it; says where that was.

    Every store that was written with it can never be opened again. Raises ``ConfigurationError``.
    """
    environment = os.environ if environment is None else environment
    check_destroyable(settings, environment)
    if settings.source == "keyring":
        forget_in_keyring()
        return "the OS keyring"
    path = settings.file or _default_file(environment)
    if path.exists():
        overwrite_and_remove(path)
    return str(path)


def forget_in_keyring(old_name: str = "") -> None:
    """Remove the key from the OS keyring, or the old one that goes under ``old_name`` there."""
    user = f"{_KEYRING_USER}-{old_name}" if old_name else _KEYRING_USER
    with _keyring() as keyring:
        if keyring.get_password(_KEYRING_SERVICE, user) is not None:
            keyring.delete_password(_KEYRING_SERVICE, user)


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


def replace_key(
    settings: KeySettings, old: bytes, new: bytes, environment: Mapping[str, str] | None = None
) -> Path | None:
    """Put ``new``, from ``next_key``, in the place of ``old``.

    Gives the file in which the old one is kept; None when that is the keyring.
    """
    file = key_file(settings, environment)
    if file is None:
        with _keyring() as keyring:
            stored = keyring.get_password(_KEYRING_SERVICE, _KEYRING_USER) or ""
            earlier = f"{_KEYRING_USER}-{fingerprint(old)}"
            keyring.set_password(_KEYRING_SERVICE, earlier, stored)
            encoded = base64.b64encode(new).decode()
            keyring.set_password(_KEYRING_SERVICE, _KEYRING_USER, encoded)
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
