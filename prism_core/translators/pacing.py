"""Rate limiting: how fast to send, and how long to wait after a failure or on request.

Providers count requests and characters a minute in ways they do not document. Even spacing
satisfies all of them; bursts do not. So requests leave evenly up to the stated rate, more slowly
after a refusal, and then speed up again.

Entry: ``Pace.take`` -> ``_book``; for processes that share a rate ``SharedPace`` of
``prism-fleet``. Waits: ``Backoff``, ``Patience`` for a call that can be repeated, ``retry_after``
of a reply.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from random import Random
from typing import TypeVar

from prism_core.errors import Transient
from prism_core.translators.base import Limits, Load
from prism_core.translators.throttle import Throttle

Sleep = Callable[[float], Awaitable[object]]
Clock = Callable[[], float]

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """Exponential backoff: ``base * 2^n`` seconds up to ``ceiling``, less up to half at random.

    The jitter keeps waiting clients from returning all at once; the growth outlasts a provider that
    is down for a minute. No attempt begins later than ``patience`` seconds after the first.
    """

    base: float = 1.0
    ceiling: float = 60.0
    patience: float = 900.0

    def backoff(self, attempt: int, rng: Random) -> float:
        """Return the seconds to wait after failed attempt number ``attempt`` (from 1)."""
        longest = self.backoff_ceiling(attempt)
        return rng.uniform(longest / 2, longest)

    def backoff_ceiling(self, attempt: int) -> float:
        """Return the longest wait, in seconds, after failed attempt number ``attempt`` (from 1)."""
        return min(self.ceiling, self.base * 2.0 ** (attempt - 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy(Backoff):
    """Limits of retrying.

    A request is sent at most ``attempts`` times (waits that the provider asks for do not count) and
    for at most ``patience`` seconds. A text whose answer is unusable is sent ``answer_attempts``
    times, after the first alone. A request whose answer is late is sent as often, then split.

    The provider counts as down in these cases:

    - ``dead_requests`` whole requests in a row got no answer. Where it does reply, but refuses the
      texts or writes unusable answers, those requests must hold ``dead_texts`` texts. After
      ``attempts`` failures in a row, or ``first_attempts`` before any answer, each of them is sent
      once.
    - ``dead_texts`` texts in a row were given up because of their answers.
    - It asks to wait for longer than ``patience``.
    - A run too short for these limits ends without any answer.
    """

    attempts: int = 8
    first_attempts: int = 6
    answer_attempts: int = 2
    dead_requests: int = 3
    dead_texts: int = 12


@dataclass(frozen=True, slots=True)
class Patience:
    """Retry loop for calls that can be repeated: they only read, or check before they act."""

    policy: Backoff
    sleep: Sleep
    clock: Clock
    rng: Random

    async def retry(self, call: Callable[[], Awaitable[_Answer]]) -> _Answer:
        """Call until success, a fault that is not transient, or the end of patience."""
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
    """Return the seconds that the provider asks to wait (milliseconds, seconds or a date), or None.

    ``headers`` finds names in lower case. ``now`` is seconds since the epoch, for tests. Malformed
    values and moments in the past count as unstated.
    """
    for name, divisor in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        with suppress(ValueError):
            seconds = float(headers.get(name) or "")
            if math.isfinite(seconds):
                return seconds / divisor if seconds > 0 else None
    try:
        moment = parsedate_to_datetime(headers["retry-after"]).timestamp()
    except (KeyError, ValueError, TypeError, OverflowError):
        return None
    wait = moment - (time.time() if now is None else now)
    return wait if wait > 0 else None


HEADROOM = 0.98
"""Share of a stated rate that is used: requests leave evenly but do not arrive so."""
CREDIT_SECONDS = 0.5
"""Seconds of lost time that may be caught up; more would be a burst."""
LONGEST_GAP = 10.0
LONGEST_STRETCH = 8.0
"""Slowest pace: seconds between requests where no rate is stated, or part of a stated rate. Longer
waits are the job of Retry-After."""
_SHORTEST_GAP = 0.005
_RECENT = 16


def seconds_taken(load: Load, limits: Limits, requests: int = 1) -> list[float]:
    """Return how much of each stated rate ``requests`` with that load use, in seconds at that rate.

    The order is requests, characters, tokens; 0 where no rate is stated.
    """
    rates = limits.requests_per_minute, limits.characters_per_minute, limits.tokens_per_minute
    amounts = requests, load.characters, load.tokens
    return [
        60.0 * amount / (rate * HEADROOM) if rate else 0.0
        for amount, rate in zip(amounts, rates, strict=True)
    ]


class Pace:
    """Departure times of requests, as counted by one process for itself, in memory.

    Not aware of tasks: the caller sleeps and asks again. A refusal that is no noise (``Throttle``)
    causes a pause and a slower pace after it: the use of the stated rates is stretched; where none
    is stated, so is the mean gap between the latest requests, which was too short. ``clock`` gives
    seconds, monotonic.
    """

    refused_in_a_row = 0
    """Refusals since the last answer; those of requests that were in flight together count once."""

    def __init__(self, limits: Limits, clock: Clock = time.monotonic) -> None:
        self.throttle = Throttle()
        self._limits = limits
        self._clock = clock
        self._free_at = [float("-inf")] * 3
        self._usual_gap = 0.0
        self._gap_until = float("-inf")
        self._paused_until = float("-inf")
        self._slowed_at = float("-inf")
        self._sent: deque[float] = deque(maxlen=max(_RECENT, 2 * limits.concurrency))

    @property
    def is_in_doubt(self) -> bool:
        """True if the latest requests were refused, and not by chance."""
        return self.refused_in_a_row > 0 and not self.throttle.is_noisy

    @property
    def stretch(self) -> float:
        """Factor by which requests take longer than the stated rates say."""
        return self.throttle.stretch(self._clock())

    async def take(self, load: Load, behind: Sequence[Load] = ()) -> float:
        """Return 0 and book a request with ``load`` if it may leave now, else the seconds to wait.

        ``behind`` are the loads that will ask next. Raises ``PaceUnknown`` where a shared count
        cannot be read: nothing may leave.
        """
        now = self._clock()
        wait = max(self._paused_until - now, self._gap_until - now)
        if wait <= 0:
            wait = await self._book(load, behind)
        if wait > 0:
            return wait
        now = self._clock()
        if not self._limits.is_paced and self.stretch > 1.0:
            self._gap_until = now + self._usual_gap * self.stretch
        self._sent.append(now)
        self.throttle.count_sent()
        return 0.0

    async def count_refusal(self, pause: float, took: float) -> float:
        """Count the refusal of a request ``took`` seconds after it left; return its wait alone.

        0 means that all requests wait for ``pause`` seconds, as they do unless refusals are noise.
        """
        now = self._clock()
        sent_at = now - took
        if sent_at >= self._slowed_at:
            self.refused_in_a_row += 1
        if not self._limits.is_paced and self.stretch == 1.0:
            self._usual_gap = max((now - self._sent[0]) / len(self._sent), _SHORTEST_GAP)
            self.throttle.longest = max(LONGEST_GAP / self._usual_gap, 1.0)
        is_known = self._limits.is_paced or len(self._sent) == self._sent.maxlen
        if self.throttle.count_refusal(sent_at, now, self.refused_in_a_row, may_test=is_known):
            return pause
        self._slowed_at = now
        self._paused_until = max(self._paused_until, now + pause)
        return 0.0

    def count_answer(self, took: float) -> None:
        """Count an answer that came ``took`` seconds after its request left."""
        self.refused_in_a_row = 0
        now = self._clock()
        self.throttle.count_answer(now - took, now)

    async def _book(self, load: Load, _behind: Sequence[Load]) -> float:
        """Book the use of each stated rate for ``load`` and return 0 if all are free; else a wait.

        Virtual scheduling: each use takes up its time, and a little of lost time is caught up.
        """
        now = self._clock()
        wait = max(self._free_at) - now
        if wait > 0:
            return wait
        self._free_at = [
            use * self.stretch
            + (max(free_at, now - CREDIT_SECONDS) if math.isfinite(free_at) else now)
            for use, free_at in zip(seconds_taken(load, self._limits), self._free_at, strict=True)
        ]
        return 0.0
