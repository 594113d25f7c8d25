"""How far surrogates are consistent: the secrets they are drawn from, and generators keyed by them.

No table of surrogates is kept: a surrogate is the first that may be sent of those a generator
gives that is keyed by the scope's secret and the identifier. Whoever has the store's key
can draw it again; nobody else can tell it from one drawn by chance.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b
from random import Random
from typing import Self

SECRET_BYTES = 32
RandomFactory = Callable[[str], Random]
"""Gives the generator that the surrogate of an identifier is drawn from, by its normal form."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Within one scope equal identifiers get equal surrogates. Secret.

    ``identifiers`` is the secret that surrogates follow from; None draws a new one for every
    encoding of a sentence. ``dates`` is the one that dates are shifted by.
    """

    identifiers: bytes | None = None
    dates: bytes | None = None

    def for_retry(self, draws: int) -> Scope:
        """The scope of a sentence that was sent ``draws`` times in vain: with other surrogates,
        since it was one of these that got lost."""
        if not draws or self.identifiers is None:
            return self
        return replace(self, identifiers=derive_secret(self.identifiers, "draw", str(draws)))

    def random_for(self, attempt: int, rng: Random) -> RandomFactory:
        """What the surrogates of one attempt are drawn from: another one after one that leaked."""
        if self.identifiers is None:
            return lambda _name: rng
        return KeyedRandom(derive_secret(self.identifiers, "attempt", str(attempt))).restart_for


class KeyedRandom(Random):
    """Numbers that follow from ``key`` (at most 64 bytes) and ``content`` alone.

    BLAKE2b with a key (RFC 7693) in counter mode: as unpredictable as the key to whoever does not
    have it.
    """

    def __new__(cls, *_: object) -> Self:
        """An object; the state of the generator that this one stands on is never used."""
        return super().__new__(cls, 0)  # type: ignore[call-arg] # typeshed knows no seed here

    def __init__(self, key: bytes, content: bytes = b"") -> None:
        super().__init__()
        self._secret = key
        self._restart(content)

    def restart_for(self, name: str) -> Self:
        """This generator, at the beginning of the numbers that follow from ``name``."""
        self._restart(name.encode("utf-8", "surrogatepass"))
        return self

    def _restart(self, content: bytes) -> None:
        """Begin with the numbers that follow from ``content``."""
        self._content = content
        self._counter = 0
        self._bits = self._left = 0

    def seed(self, *_: object) -> None:
        """Nothing: the key is the seed."""

    def getrandbits(self, k: int, /) -> int:
        """The next ``k`` bits."""
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
        """The next number in [0, 1), a multiple of 2⁻⁵³."""
        return self.getrandbits(53) / (1 << 53)


def derive_secret(key: bytes, *names: str) -> bytes:
    """A secret of its own for what ``names`` name, under ``key``."""
    return hmac.digest(key, "\0".join(names).encode(), "sha256")
