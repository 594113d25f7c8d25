"""What a build will cost, before anything is sent."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from prism_core.translators import Limits, Price, Sent, cost


@dataclass(frozen=True, slots=True)
class Volume:
    """So many texts with so many characters (code points) in all."""

    texts: int = 0
    characters: int = 0

    @classmethod
    def of(cls, texts: Iterable[str], times: int = 1) -> Volume:
        """The volume of ``texts``, each sent ``times`` times."""
        lengths = [len(text) for text in texts]
        return cls(len(lengths) * times, sum(lengths) * times)

    def __add__(self, other: Volume) -> Volume:
        return Volume(self.texts + other.texts, self.characters + other.characters)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a build for ``words`` words is expected to send.

    ``seconds`` is the shortest time that the configured rates allow, None when no rate is set;
    ``cost`` is by the translator's list price, None when it states none.
    """

    words: int
    texts: int
    characters: int
    requests: int
    seconds: float | None
    cost: float | None
    currency: str = ""


def estimate(words: int, volume: Volume, limits: Limits, price: Price | None) -> Estimate:
    """What ``volume`` comes to with a translator of those ``limits`` and that ``price``."""
    requests = max(
        math.ceil(volume.texts / limits.texts_per_request),
        math.ceil(volume.characters / limits.characters_per_request),
    )
    return Estimate(
        words=words,
        texts=volume.texts,
        characters=volume.characters,
        requests=requests,
        seconds=_seconds(requests, volume.characters, limits),
        cost=None
        if price is None
        else cost(Sent(requests, volume.texts, volume.characters), price, limits),
        currency="" if price is None else price.currency,
    )


def _seconds(requests: int, characters: int, limits: Limits) -> float | None:
    rates = ((requests, limits.requests_per_minute), (characters, limits.characters_per_minute))
    times = [60.0 * amount / rate for amount, rate in rates if rate]
    return max(times) if times else None
