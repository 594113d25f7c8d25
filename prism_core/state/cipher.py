"""Encryption of what is stored, and ids that mean nothing without the key."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from prism_core.errors import WrongKey

SALT_BYTES = 16
_NONCE_BYTES = 12
_ID_BYTES = 16


class Cipher:
    """AES-256-GCM for content and HMAC-SHA256 for ids, under separate keys.

    Both keys are derived (HKDF-SHA256) from the user's key and the store's random ``salt``, so two
    stores share no key, equal sentences have different ids in them, and the number of messages
    under one key stays far from the 2³² that random nonces allow.
    """

    def __init__(self, key: bytes, salt: bytes) -> None:
        self._content = AESGCM(_derive(key, salt, b"prism content 1"))
        self._id_key = _derive(key, salt, b"prism ids 1")

    def seal(self, place: str, plain: bytes) -> bytes:
        """Nonce and ciphertext of ``plain``, bound to ``place`` (``table.column:row``).

        A sealed value that was moved to another row or column does not open there.
        """
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._content.encrypt(nonce, plain, place.encode())

    def open(self, place: str, sealed: bytes) -> bytes:
        """What was sealed at ``place``; raises ``WrongKey`` when key, place or bytes differ."""
        try:
            return self._content.decrypt(
                sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], place.encode()
            )
        except (InvalidTag, ValueError):
            pass
        raise WrongKey(
            "the state store was written with another key, or was altered. Give the key it was "
            "made with, or move the .prism folder away to start afresh."
        )

    def keyed_id(self, kind: str, content: bytes) -> str:
        """128 bits in hex that name ``content`` among things of one ``kind``."""
        tag = hmac.new(self._id_key, kind.encode() + b"\0" + content, hashlib.sha256)
        return tag.digest()[:_ID_BYTES].hex()

    def keyed_hash(self, kind: str) -> hmac.HMAC:
        """A running HMAC-SHA256 for content too large to hold, such as a file."""
        return hmac.new(self._id_key, kind.encode() + b"\0", hashlib.sha256)


def _derive(key: bytes, salt: bytes, purpose: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=purpose).derive(key)
