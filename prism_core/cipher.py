"""Encryption of stored data, and ids that mean nothing without the key."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from prism_core.errors import WrongKey

SALT_BYTES = 16
DATA_KEY_BYTES = 32
HEADER_BYTES = 4
"""Length of a sealed value's header: the number of its data key, big-endian (``StoreCipher``)."""
_NONCE_BYTES = 12
_ID_BYTES = 16
_FINGERPRINT_BYTES = 8


class KeyBox:
    """AES-256-GCM under one key. A sealed value is a random nonce and the ciphertext."""

    def __init__(self, key: bytes) -> None:
        self._machine = AESGCM(key)

    def seal(self, place: str, plain: bytes) -> bytes:
        """Encrypt ``plain``, bound to ``place`` (``table.column:row``).

        A sealed value that was moved to another row or column does not open there.
        """
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._machine.encrypt(nonce, plain, place.encode())

    def open(self, place: str, sealed: bytes) -> bytes:
        """Decrypt a value of ``seal``; raise ``WrongKey`` if key, place or bytes differ."""
        try:
            nonce, content = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
            return self._machine.decrypt(nonce, content, place.encode())
        except (InvalidTag, ValueError):
            pass
        raise WrongKey(ANOTHER_KEY)


class Cipher(KeyBox):
    """AES-256-GCM for content and HMAC-SHA256 for ids, under separate keys.

    Both keys are derived (HKDF-SHA256) from the user's key and the store's random ``salt``, so two
    stores share no key, equal sentences have different ids in them, and the number of messages
    under one key stays far from the 2³² that random nonces allow.
    """

    def __init__(self, key: bytes, salt: bytes) -> None:
        super().__init__(_derive(key, salt, b"prism content 1"))
        self._id_key = _derive(key, salt, b"prism ids 1")

    def keyed_id(self, kind: str, content: bytes) -> str:
        """Return 128 bits in hex that identify ``content`` among things of one ``kind``."""
        tag = hmac.new(self._id_key, kind.encode() + b"\0" + content, hashlib.sha256)
        return tag.digest()[:_ID_BYTES].hex()

    def keyed_hash(self, kind: str) -> hmac.HMAC:
        """Start an HMAC-SHA256 of content too large for memory, such as a file."""
        return hmac.new(self._id_key, kind.encode() + b"\0", hashlib.sha256)


class StoreCipher(Cipher):
    """Cipher under random, numbered data keys: ``number`` seals, any of ``content`` opens.

    ``ids`` is for HMAC only. The user's key seals no content, but wraps these keys (``data_keys``).
    So it can be replaced at once, and destroying a data key destroys all that it sealed.
    """

    def __init__(self, content: Mapping[int, bytes], ids: bytes, number: int) -> None:
        self._number = number
        self._boxes = {key_number: KeyBox(key) for key_number, key in content.items()}
        self._id_key = ids

    def seal(self, place: str, plain: bytes) -> bytes:
        """Return the data key's number, nonce and ciphertext of ``plain``, bound to ``place``."""
        return header(self._number) + self._boxes[self._number].seal(place, plain)

    def open(self, place: str, sealed: bytes) -> bytes:
        """Open a value sealed at ``place`` under any of the data keys; else raise ``WrongKey``."""
        box = self._boxes.get(int.from_bytes(sealed[:HEADER_BYTES]))
        if box is None:
            raise WrongKey(_MISSING_DATA_KEY)
        return box.open(place, sealed[HEADER_BYTES:])


ANOTHER_KEY = (
    "the state store was written with another key, or was altered. Give the key it was made with "
    "(prism key show OUT says which), or move the .prism folder away to start over."
)
_MISSING_DATA_KEY = (
    "the state store holds data that none of its keys opens: the data key was destroyed, or the "
    "data was altered. Restore it from a backup, or move the .prism folder away to start over."
)


def header(number: int) -> bytes:
    """Return the beginning of every value sealed under the data key ``number``."""
    return number.to_bytes(HEADER_BYTES)


def wrapping(key: bytes, salt: bytes) -> KeyBox:
    """Return the box that seals data keys under the user's ``key``, in a store of this ``salt``."""
    return KeyBox(_derive(key, salt, b"prism wrapping 1"))


def fingerprint(key: bytes) -> str:
    """Return 64 bits in hex that identify a random key, and reveal nothing of it."""
    return _derive(key, b"", b"prism fingerprint 1")[:_FINGERPRINT_BYTES].hex()


def _derive(key: bytes, salt: bytes, purpose: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=purpose).derive(key)
