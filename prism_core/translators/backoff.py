"""How long to wait before what has failed is tried again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random

Sleep = Callable[[float], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """``base * 2^n`` seconds up to ``ceiling``, or down to half of that, drawn uniformly.

    Those who wait do not all come back at once, and yet a provider that is down for a minute is
    waited for.
    """

    base: float = 1.0
    ceiling: float = 60.0

    def backoff(self, attempt: int, rng: Random) -> float:
        """Seconds to wait after failed attempt number ``attempt`` (from 1)."""
        longest = self.backoff_ceiling(attempt)
        return rng.uniform(longest / 2, longest)

    def backoff_ceiling(self, attempt: int) -> float:
        """The longest wait after failed attempt number ``attempt`` (from 1)."""
        return min(self.ceiling, self.base * 2.0 ** (attempt - 1))
