"""Encryption of what is stored, and ids that mean nothing without the key."""

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
"""A sealed value of a ``StoreCipher`` begins with the number of its data key, big-endian."""
_NONCE_BYTES = 12
_ID_BYTES = 16
_FINGERPRINT_BYTES = 8


class KeyBox:
    """AES-256-GCM under one key. A sealed value is a random nonce and the ciphertext."""

    def __init__(self, key: bytes) -> None:
        self._machine = AESGCM(key)

    def seal(self, place: str, plain: bytes) -> bytes:
        """``plain`` sealed, bound to ``place`` (``table.column:row``).

        A sealed value that was moved to another row or column does not open there.
        """
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._machine.encrypt(nonce, plain, place.encode())

    def open(self, place: str, sealed: bytes) -> bytes:
        """The inverse of ``seal``; raises ``WrongKey`` when key, place or bytes differ."""
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
        """128 bits in hex that name ``content`` among things of one ``kind``."""
        tag = hmac.new(self._id_key, kind.encode() + b"\0" + content, hashlib.sha256)
        return tag.digest()[:_ID_BYTES].hex()

    def keyed_hash(self, kind: str) -> hmac.HMAC:
        """A running HMAC-SHA256 for content too large to hold, such as a file."""
        return hmac.new(self._id_key, kind.encode() + b"\0", hashlib.sha256)


class StoreCipher(Cipher):
    """A cipher under random data keys ``content``, by number; ``number`` seals, any of them opens.

    ``ids`` is for HMAC alone. The user's key seals no content: it wraps these (``data_keys``). So
    it can be replaced at once, and a data key that is gone takes with it all that it sealed.
    """

    def __init__(self, content: Mapping[int, bytes], ids: bytes, number: int) -> None:
        self._number = number
        self._boxes = {each: KeyBox(key) for each, key in content.items()}
        self._id_key = ids

    def seal(self, place: str, plain: bytes) -> bytes:
        """Number of the data key, nonce and ciphertext of ``plain``, bound to ``place``."""
        return header(self._number) + self._boxes[self._number].seal(place, plain)

    def open(self, place: str, sealed: bytes) -> bytes:
        """What was sealed at ``place`` under any of the data keys; else raises ``WrongKey``."""
        box = self._boxes.get(int.from_bytes(sealed[:HEADER_BYTES]))
        if box is None:
            raise WrongKey(_KEY_IS_GONE)
        return box.open(place, sealed[HEADER_BYTES:])


ANOTHER_KEY = (
    "the state store was written with another key, or was altered. Give the key it was made with "
    "(prism key show OUT says which), or move the .prism folder away to start afresh."
)
_KEY_IS_GONE = (
    "the state store holds what no key of it opens: its data key was destroyed, or it was altered. "
    "Restore it from a backup, or move the .prism folder away to start afresh."
)


def header(number: int) -> bytes:
    """What every value begins with that was sealed under the data key ``number``."""
    return number.to_bytes(HEADER_BYTES)


def wrapping(key: bytes, salt: bytes) -> KeyBox:
    """What seals data keys under the user's ``key``, in a store with this ``salt``."""
    return KeyBox(_derive(key, salt, b"prism wrapping 1"))


def fingerprint(key: bytes) -> str:
    """64 bits in hex that tell a random key from others, and nothing of the key itself."""
    return _derive(key, b"", b"prism fingerprint 1")[:_FINGERPRINT_BYTES].hex()


def _derive(key: bytes, salt: bytes, purpose: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=purpose).derive(key)
