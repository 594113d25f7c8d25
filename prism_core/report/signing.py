"""The signature under the last hash of a run: who lacks the key cannot make one.

The hashes of a report show what was altered to whoever noted the last one. Who can rewrite the
folder can also compute all hashes anew, but not sign the last.
"""

from __future__ import annotations

import hmac
from hashlib import sha256

_PURPOSE = b"prism report signature 1"
_KEY_ID_DIGITS = 16


class Signer:
    """HMAC-SHA-256 under a key of its own, derived from the key of the state store.

    It needs no state store, so that a report can be checked when that is gone, and nothing that is
    encrypted can be read with what signs.
    """

    def __init__(self, key: bytes) -> None:
        self._key = hmac.digest(key, _PURPOSE, sha256)
        self.key_id = hmac.digest(self._key, b"name", sha256).hex()[:_KEY_ID_DIGITS]
        """Tells this key from another, and nothing else about it."""

    def sign(self, head: str) -> str:
        """The signature of a run's last hash, 64 hex digits."""
        return hmac.digest(self._key, b"head\0" + head.encode(), sha256).hex()

    def has_signed(self, head: str, signature: str) -> bool:
        """Whether ``signature`` is this key's, of that very hash."""
        return hmac.compare_digest(self.sign(head), signature)
