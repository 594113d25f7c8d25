"""User's key: 32 random bytes, kept away from the state that it protects, and its successor.

Losing it loses only what is in flight; the output does not depend on it. Anybody with the key and
the state store can undo every replacement, so the two do not belong into one backup.

When the key is replaced, the new one waits in ``FILE.next`` until every store opens with it; then
it replaces the old one in one step, and the old one is kept as ``FILE.FINGERPRINT``: other archives
may need it.

Entry: ``UserKey.load_for_state``, or ``load``; for a rotation ``prepare_successor`` -> ``replace``;
at the end ``destroy``.
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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prism_core.cipher import fingerprint
from prism_core.errors import ConfigurationError
from prism_core.files import create_if_absent, overwrite_and_remove
from prism_core.settings import KeySettings
from prism_core.state.location import StatePlace

KEY_BYTES = 32
KEY_VARIABLE = "PRISM_KEY"
KEY_FILE_VARIABLE = "PRISM_KEY_FILE"
_KEYRING_SERVICE = "prism-translate"
_KEYRING_USER = "state-key"
_UNLOCK_ADVICE = "unlock it, or set key.source to file or env"
_FINGERPRINT = re.compile("[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class UserKey:
    """User's key, and where it is kept.

    ``PRISM_KEY`` (base64) takes precedence over everything; then the OS keyring if the settings
    name it; else the file that the settings or ``PRISM_KEY_FILE`` name, or the default one.
    ``environment`` is ``os.environ`` unless given. Every method raises ``ConfigurationError`` with
    the fix; no message shows a key.
    """

    settings: KeySettings
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)

    @classmethod
    def in_file(cls, file: Path) -> UserKey:
        """Return a key in ``file``, whatever the environment says."""
        return cls(KeySettings(source="file", file=file), {})

    @staticmethod
    def random() -> bytes:
        """Return a new random key, which is written nowhere."""
        return secrets.token_bytes(KEY_BYTES)

    @property
    def file(self) -> Path | None:
        """File that holds the key; None when it is in the environment or the keyring."""
        if self._is_in_environment or self.settings.source == "keyring":
            return None
        if self.settings.file is not None:
            return self.settings.file
        if named := self.environment.get(KEY_FILE_VARIABLE):
            return Path(named).expanduser()
        state_home = self.environment.get("XDG_STATE_HOME") or "~/.local/state"
        return Path(state_home).expanduser() / "prism" / "key"

    @property
    def place(self) -> str:
        """Location of the key, for people."""
        if self._is_in_environment:
            return f"the environment variable {KEY_VARIABLE}"
        return "the OS keyring" if self.file is None else str(self.file)

    @property
    def _is_in_environment(self) -> bool:
        return bool(self.environment.get(KEY_VARIABLE)) or self.settings.source == "env"

    def load_for_state(self, state: StatePlace) -> bytes:
        """Return the key to open ``state`` with, making it only where there is no state yet.

        A new key would open nothing, and take the place of the right one. Raises ``StateError``,
        too, for a state that cannot be read.
        """
        key = self.find()
        if key is not None:
            return key
        if not self._is_in_environment and not state.is_empty:
            raise ConfigurationError(
                f"{state.folder.parent} holds a state, and its key is missing ({self.place}); no "
                "new key was made. Restore the key from your copy, or name its file in "
                f"key.file or {KEY_FILE_VARIABLE}. Without it nothing in the state can be read: "
                f"prism state purge {state.folder.parent} --all destroys it, and the next run "
                "sends everything again"
            )
        return self.load()

    def load(self) -> bytes:
        """Return the key, made on first use unless it comes from the environment."""
        key = self.find()
        if key is None:
            self.make()
            key = self.find()
        if key is None:
            raise ConfigurationError(f"{self.place} keeps no key; name another place for it")
        return key

    def find(self) -> bytes | None:
        """Return the key; None, and none is made, where there is none."""
        if encoded := self.environment.get(KEY_VARIABLE):
            return _decode(encoded, KEY_VARIABLE)
        if self.settings.source == "env":
            return None
        if self.file is not None:
            return _read_file(self.file)
        # Importing it asks the desktop, so only when it is wanted.
        with _open_keyring(_UNLOCK_ADVICE) as keyring:
            stored = keyring.get_password(_KEYRING_SERVICE, _KEYRING_USER)
        return None if stored is None else _decode(stored, "the entry in the OS keyring")

    def make(self) -> bool:
        """Make a new key in one step; return False when there is one, which stays as it is.

        Of two runs that race, both use the first's.
        """
        if self._is_in_environment:
            raise ConfigurationError(
                f"{KEY_VARIABLE} is not set, and key.source says the key is there. Set it to 32 "
                "random bytes in base64, the same ones each time: openssl rand -base64 32"
            )
        encoded = base64.b64encode(self.random())
        if self.file is None:
            with _open_keyring(_UNLOCK_ADVICE) as keyring:
                if keyring.get_password(_KEYRING_SERVICE, _KEYRING_USER) is not None:
                    return False
                keyring.set_password(_KEYRING_SERVICE, _KEYRING_USER, encoded.decode())
            return True
        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            return create_if_absent(self.file, encoded + b"\n", 0o600)
        except OSError as error:
            raise ConfigurationError(
                f"key file {self.file} cannot be made: {error.strerror}. Name another place in "
                f"key.file or {KEY_FILE_VARIABLE}, or give the key in {KEY_VARIABLE}."
            ) from None

    def check_destroyable(self) -> None:
        """Raise ``ConfigurationError`` for a key in the environment: its owner removes it."""
        if self._is_in_environment:
            raise ConfigurationError(
                f"the key is in {KEY_VARIABLE}; take it out of wherever that is set, and of its "
                "backups"
            )

    def destroy(self) -> None:
        """Destroy the key: every store that was written with it can never be opened again."""
        self.check_destroyable()
        if self.file is None:
            _delete_entry(_KEYRING_USER)
        elif self.file.exists():
            overwrite_and_remove(self.file)

    def prepare_successor(self) -> bytes:
        """Return the next key; after a rotation that was killed, the key that it made.

        Raises ``ConfigurationError`` when the key is in the environment, which cannot be changed
        here.
        """
        if self._is_in_environment:
            raise ConfigurationError(
                f"the key is in {KEY_VARIABLE}, which only its owner can change: make a key with "
                "prism key new FILE, rotate with --to FILE, and put its content there afterwards"
            )
        if self.file is None:
            return self.random()
        return UserKey.in_file(_sibling(self.file, "next")).load()

    def replace(self, old: bytes, new: bytes) -> str:
        """Replace ``old`` by ``new``, from ``prepare_successor``; return where ``old`` is kept."""
        file, named = self.file, fingerprint(old)
        if file is None:
            with _open_keyring() as keyring:
                stored = keyring.get_password(_KEYRING_SERVICE, _KEYRING_USER) or ""
                keyring.set_password(_KEYRING_SERVICE, f"{_KEYRING_USER}-{named}", stored)
                encoded = base64.b64encode(new).decode()
                keyring.set_password(_KEYRING_SERVICE, _KEYRING_USER, encoded)
            return f"{named} in the OS keyring"
        kept = _sibling(file, named)
        try:
            if not kept.exists():
                kept.hardlink_to(file)
            _sibling(file, "next").replace(file)
            folder = os.open(file.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise ConfigurationError(
                f"key file {file} cannot be replaced: {error.strerror}"
            ) from None
        return str(kept)

    def destroy_earlier(self, old: bytes) -> None:
        """Destroy ``old`` where ``replace`` has kept it."""
        if self.file is None:
            _delete_entry(f"{_KEYRING_USER}-{fingerprint(old)}")
        else:
            overwrite_and_remove(_sibling(self.file, fingerprint(old)))

    def earlier(self) -> list[bytes]:
        """Return the keys that rotations kept beside the key file; unreadable ones are left out."""
        found: list[bytes] = []
        if self.file is None:
            return found
        for kept in sorted(self.file.parent.glob(f"{self.file.name}.*")):
            if _FINGERPRINT.fullmatch(kept.name.removeprefix(f"{self.file.name}.")):
                with suppress(ConfigurationError):
                    found += filter(None, [_read_file(kept)])
        return found


def _sibling(file: Path, name: str) -> Path:
    return file.with_name(f"{file.name}.{name}")


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


def _read_file(path: Path) -> bytes | None:
    """Return the key in ``path``, None when there is no file.

    A file that others may read is refused, since it may have been read.
    """
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            content = file.read(1024)
    except FileNotFoundError:
        return None
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


@contextmanager
def _open_keyring(advice: str = "unlock it and try again") -> Iterator[Any]:
    """Import the keyring module; map its errors to ours, with ``advice``."""
    import keyring
    import keyring.errors

    try:
        yield keyring
    except keyring.errors.KeyringError:
        raise ConfigurationError(f"the OS keyring cannot be used; {advice}") from None


def _delete_entry(user: str) -> None:
    with _open_keyring() as keyring:
        if keyring.get_password(_KEYRING_SERVICE, user) is not None:
            keyring.delete_password(_KEYRING_SERVICE, user)
