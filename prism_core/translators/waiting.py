"""How long to wait: before what has failed is tried again, and because a provider asks for it."""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from random import Random
from typing import TypeVar

from prism_core.errors import Transient

Sleep = Callable[[float], Awaitable[object]]
Clock = Callable[[], float]

DEFAULT_PAUSE = 5.0
"""Seconds to wait after a 429 that does not say how long."""

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """``base * 2^n`` seconds up to ``ceiling``, or down to half of that, drawn uniformly.

    Those who wait do not all come back at once, and yet a provider that is down for a minute is
    waited for. ``patience`` seconds after the first attempt there is no other.
    """

    base: float = 1.0
    ceiling: float = 60.0
    patience: float = 900.0

    def backoff(self, attempt: int, rng: Random) -> float:
        """Seconds to wait after failed attempt number ``attempt`` (from 1)."""
        longest = self.backoff_ceiling(attempt)
        return rng.uniform(longest / 2, longest)

    def backoff_ceiling(self, attempt: int) -> float:
        """The longest wait after failed attempt number ``attempt`` (from 1)."""
        return min(self.ceiling, self.base * 2.0 ** (attempt - 1))


@dataclass(frozen=True, slots=True)
class Patience:
    """For calls that can be made again: those that only look, or that check before they act."""

    policy: Backoff
    sleep: Sleep
    clock: Clock
    rng: Random

    async def insist(self, call: Callable[[], Awaitable[_Answer]]) -> _Answer:
        """Call until it works, or the fault is not one that may pass, or patience ends."""
        attempt, deadline = 1, self.clock() + self.policy.patience
        while True:
            try:
                return await call()
            except Transient as fault:
                wait = max(self.policy.backoff(attempt, self.rng), fault.retry_after or 0.0)
                if self.clock() + wait > deadline:
                    raise
            attempt += 1
            await self.sleep(wait)


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds that the provider asks to wait: milliseconds, seconds, a date, or None.

    ``headers`` finds names in lower case. ``now`` is seconds since the epoch, for tests. Nonsense
    and moments in the past count as unsaid.
    """
    for name, divisor in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        seconds = _number(headers.get(name))
        if seconds is not None:
            return seconds / divisor if seconds > 0 else None
    try:
        moment = parsedate_to_datetime(headers["retry-after"]).timestamp()
    except (KeyError, ValueError, TypeError, OverflowError):
        return None
    wait = moment - (time.time() if now is None else now)
    return wait if wait > 0 else None


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) else None
