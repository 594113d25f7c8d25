"""How far surrogates are consistent: the secrets they are drawn from, and generators keyed by them.

No table of surrogates is kept: a surrogate is the first that may be sent of those a generator
gives whose key is an HMAC of the identifier under the scope's secret. Whoever has the store's key
can draw it again; nobody else can tell it from one drawn by chance.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from random import Random

SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class Scope:
    """Within one scope equal identifiers get equal surrogates. Secret.

    ``identifiers`` is the secret that surrogates follow from; None draws a new one for every
    encoding of a sentence. ``dates`` is the one that dates are shifted by.
    """

    identifiers: bytes | None = None
    dates: bytes | None = None


class KeyedRandom(Random):
    """Numbers that follow from ``key`` and ``content`` alone: HMAC-SHA256 in counter mode.

    As unpredictable as the key to whoever does not have it.
    """

    def __init__(self, key: bytes, content: bytes) -> None:
        self._key = hmac.digest(key, content, "sha256")
        self._counter = 0
        self._bits = self._left = 0
        super().__init__()

    def seed(self, *_: object) -> None:
        """Nothing: the key is the seed."""

    def getrandbits(self, k: int, /) -> int:
        """The next ``k`` bits."""
        while self._left < k:
            block = hmac.digest(self._key, self._counter.to_bytes(8, "big"), "sha256")
            self._bits = self._bits << (8 * len(block)) | int.from_bytes(block, "big")
            self._left += 8 * len(block)
            self._counter += 1
        self._left -= k
        bits = self._bits >> self._left
        self._bits &= (1 << self._left) - 1
        return bits

    def random(self) -> float:
        """The next number in [0, 1), a multiple of 2⁻⁵³."""
        return self.getrandbits(53) / (1 << 53)


def secret_of(key: bytes, *names: str) -> bytes:
    """A secret of its own for what ``names`` name, under ``key``."""
    return hmac.digest(key, "\0".join(names).encode(), "sha256")
