"""Scopes of consistency for surrogates: their secrets, and generators keyed by them.

No table of surrogates is kept. A surrogate is the first acceptable draw of a generator that is
keyed by the scope's secret and the identifier. Whoever has the store's key can draw it again;
nobody else can distinguish it from a random draw.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from random import Random
from typing import Self

SECRET_BYTES = 32
RandomFactory = Callable[[str], Random]
"""Function that returns the generator for an identifier's surrogate, given its normal form."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Scope within which equal identifiers get equal surrogates. Secret.

    ``secret`` determines the surrogates; with None every encoding of a sentence draws new ones.
    """

    secret: bytes | None = None

    def for_retry(self, draws: int) -> Scope:
        """Return the scope for a sentence that was sent ``draws`` times without success.

        It gives other surrogates, since one of the earlier surrogates was lost.
        """
        if not draws or self.secret is None:
            return self
        return Scope(derive_secret(self.secret, "draw", str(draws)))

    def random_for(self, attempt: int, rng: Random) -> RandomFactory:
        """Return the generators for one attempt; an attempt after a leak gets other ones."""
        if self.secret is None:
            return lambda _name: rng
        return KeyedRandom(derive_secret(self.secret, "attempt", str(attempt))).restart_for


class KeyedRandom(Random):
    """Random generator whose numbers depend only on ``key`` (at most 64 bytes) and ``content``.

    It is keyed BLAKE2b (RFC 7693) in counter mode: without the key the numbers are unpredictable.
    """

    def __new__(cls, *_: object) -> Self:
        """Create an object; the state of the base class generator is never used."""
        return super().__new__(cls, 0)  # type: ignore[call-arg] # typeshed knows no seed here

    def __init__(self, key: bytes, content: bytes = b"") -> None:
        super().__init__()
        self._secret = key
        self._restart(content)

    def restart_for(self, name: str) -> Self:
        """Restart the generator with the numbers for ``name``, and return it."""
        self._restart(name.encode("utf-8", "surrogatepass"))
        return self

    def _restart(self, content: bytes) -> None:
        """Start the numbers that follow from ``content``."""
        self._content = content
        self._counter = 0
        self._bits = self._left = 0

    def seed(self, *_: object) -> None:
        """Ignore the seed: the key takes its place."""

    def getrandbits(self, k: int, /) -> int:
        """Return the next ``k`` bits."""
        while self._left < k:
            counted = self._counter.to_bytes(8, "big") + self._content
            block = blake2b(counted, key=self._secret).digest()
            self._bits = self._bits << (8 * len(block)) | int.from_bytes(block, "big")
            self._left += 8 * len(block)
            self._counter += 1
        self._left -= k
        bits = self._bits >> self._left
        self._bits &= (1 << self._left) - 1
        return bits

    def random(self) -> float:
        """Return the next number in [0, 1), a multiple of 2⁻⁵³."""
        return self.getrandbits(53) / (1 << 53)


def derive_secret(key: bytes, *names: str) -> bytes:
    """Derive the secret for ``names`` from ``key``."""
    return hmac.digest(key, "\0".join(names).encode(), "sha256")
