"""How fast to send: evenly up to the stated rate, slower when told so, and back up again.

Providers count requests and characters a minute in ways they do not tell. Even spacing satisfies
all of them; bursts do not.

Entry, the seam: ``Pacing``; one process by itself: ``Pace``; several that count together at
``Meters``: ``SharedPace``. What refusals tell of the pace is in ``Refusals``, of which both are.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from random import Random, SystemRandom
from typing import Protocol, TypeVar

from prism_core.errors import PaceUnknown, StateError
from prism_core.translators.base import Limits, Load
from prism_core.translators.waiting import Clock

_Result = TypeVar("_Result")

HEADROOM = 0.98
"""Share of a stated rate that is used: requests leave evenly but do not arrive so."""
CREDIT_SECONDS = 0.5
"""How much lost time may be caught up with; more would be a burst."""
SLOW_DOWN = 2.0
SLOW_DOWN_STATED = 1.3
"""A refusal at a stated rate is a matter of moments more often than of the rate."""
SPEED_UP = 0.97
SLOWEST = 64.0
"""A pace is never stretched further than this; waiting longer is the job of Retry-After."""
_UNSTATED_FLOOR = 0.005
"""Seconds between requests under which a provider without a stated rate counts as unpaced."""
_RECENT = 16
_JITTER = 0.2
_MOST_JITTER = 0.05
"""Seconds by which those who wait for the same moment come late at most. Far less than the credit,
so that no turn is lost by it."""


class Pacing(Protocol):
    """When requests may leave. Not aware of tasks: the caller sleeps and asks again.

    One that is counted elsewhere and cannot be asked raises ``PaceUnknown``: nothing may leave.
    """

    async def take(self, load: Load) -> float:
        """0 when a request of such a load may leave now: it is booked. Else seconds to wait."""
        ...

    async def slow_down(self, pause: float, sent_at: float) -> None:
        """Nobody sends for ``pause`` seconds, then more slowly.

        ``sent_at`` is when the request that was refused left, by the scheduler's clock.
        """
        ...

    def speed_up(self) -> None:
        """A request went well: come back towards the stated pace, in small steps."""
        ...

    @property
    def refused_in_a_row(self) -> int:
        """Refusals since a request last went well, those under way together counted once."""
        ...


def seconds_taken(load: Load, limits: Limits, requests: int = 1) -> list[float]:
    """How much of each stated rate ``requests`` with that load use up, in seconds at that rate.

    Requests, characters, tokens; 0 where no rate is stated.
    """
    rates = limits.requests_per_minute, limits.characters_per_minute, limits.tokens_per_minute
    amounts = requests, load.characters, load.tokens
    return [
        60.0 * amount / (rate * HEADROOM) if rate else 0.0
        for amount, rate in zip(amounts, rates, strict=True)
    ]


class Refusals:
    """What refusals tell of the pace: a pause, and how much slower than stated to go after it.

    ``stretch`` multiplies what a request uses up of the stated rates; where none is ``stated``, a
    gap is kept between requests instead. All times are of one clock, in seconds.
    """

    refused_in_a_row = 0
    """See ``Pacing``."""

    def __init__(self, *, stated: bool) -> None:
        self.stretch = 1.0
        self._stated = stated
        self._gap = 0.0
        self._gap_until = float("-inf")
        self._paused_until = float("-inf")
        self._slowed_at = float("-inf")
        self._sent: deque[float] = deque(maxlen=_RECENT)

    def wait(self, now: float) -> float:
        """Seconds until the pause and the gap are over."""
        return max(0.0, self._paused_until - now, self._gap_until - now)

    def note_sent(self, now: float) -> None:
        """A request leaves now."""
        self._gap_until = now + self._gap
        self._sent.append(now)

    def note_refusal(self, pause: float, sent_at: float, now: float) -> None:
        """Pause, then go at half the pace.

        Requests that were under way together and are refused together (``sent_at`` before the
        last slow-down) count once. Refusals with no success between them tell nothing more of the
        pace: a provider that refuses everything for a minute would be asked once a minute for the
        rest of the night.
        """
        self._paused_until = max(self._paused_until, now + pause)
        if sent_at < self._slowed_at:
            return
        self._slowed_at = now
        self.refused_in_a_row += 1
        if self.refused_in_a_row > 1:
            return
        if self._stated:
            self.stretch = min(self.stretch * SLOW_DOWN_STATED, SLOWEST)
        else:
            self._gap = min(max(self._gap, self._recent_gap(now)) * SLOW_DOWN, SLOWEST)

    def speed_up(self) -> None:
        """See ``Pacing``: a small step back towards the stated pace."""
        self.refused_in_a_row = 0
        self.stretch = max(1.0, self.stretch * SPEED_UP)
        self._gap = self._gap * SPEED_UP if self._gap > _UNSTATED_FLOOR else 0.0

    def _recent_gap(self, now: float) -> float:
        """Mean seconds between the latest requests: what turned out to be too fast."""
        return max((now - self._sent[0]) / len(self._sent), _UNSTATED_FLOOR) if self._sent else 1.0


class _Meter:
    """One quantity a minute, by virtual scheduling: each use books the time it takes up."""

    def __init__(self) -> None:
        self._free_at = float("-inf")

    def wait(self, now: float) -> float:
        return max(0.0, self._free_at - now)

    def book(self, seconds: float, now: float) -> None:
        first = self._free_at == float("-inf")
        self._free_at = seconds + (now if first else max(self._free_at, now - CREDIT_SECONDS))


class Pace(Refusals):
    """The pace of one process by itself, kept in memory."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        super().__init__(stated=limits.is_paced)
        self._limits = limits
        self._clock = clock
        self._meters = _Meter(), _Meter(), _Meter()

    async def take(self, load: Load) -> float:
        """See ``Pacing``."""
        now = self._clock()
        wait = max(self.wait(now), *(meter.wait(now) for meter in self._meters))
        if wait > 0:
            return wait
        for meter, seconds in zip(self._meters, seconds_taken(load, self._limits), strict=True):
            meter.book(seconds * self.stretch, now)
        self.note_sent(now)
        return 0.0

    async def slow_down(self, pause: float, sent_at: float) -> None:
        """See ``Pacing``."""
        self.note_refusal(pause, sent_at, self._clock())


class Meters(Protocol):
    """Meters that processes share. Each method is one transaction, and may block for its time."""

    def take(self, seconds: Sequence[float], credit: float) -> float:
        """Book so many seconds at each meter if all are free, and give 0; else seconds to wait.

        Of the time that a meter was free, ``credit`` seconds can be caught up with at most.
        """
        ...

    def pause(self, seconds: float) -> None:
        """No turn is given for so many seconds from now on."""
        ...


class SharedPace(Refusals):
    """The pace of all processes that ask the same ``meters``. See ``Pacing``.

    What refusals tell of the pace beyond their pause stays with the process that was refused: it
    sends more slowly for a while, and every request that it then books counts for more at the
    meters of all.

    ``clock`` is this process's own (seconds, monotonic); ``rng`` draws the jitter of the waits. The
    meters are asked in a thread, so that nothing else of the process waits for their database.
    """

    def __init__(
        self,
        limits: Limits,
        meters: Meters,
        clock: Clock = time.monotonic,
        rng: Random | None = None,
    ) -> None:
        super().__init__(stated=limits.is_paced)
        self._limits = limits
        self._meters = meters
        self._clock = clock
        self._rng = rng or SystemRandom()

    async def take(self, load: Load) -> float:
        """See ``Pacing``."""
        wait = self.wait(self._clock())
        if wait > 0:
            return wait
        seconds = [s * self.stretch for s in seconds_taken(load, self._limits)]
        wait = await _ask_meters(lambda: self._meters.take(seconds, CREDIT_SECONDS))
        if wait > 0:
            return wait + self._rng.uniform(0, min(_JITTER * wait, _MOST_JITTER))
        self.note_sent(self._clock())
        return 0.0

    async def slow_down(self, pause: float, sent_at: float) -> None:
        """See ``Pacing``."""
        self.note_refusal(pause, sent_at, self._clock())
        await _ask_meters(lambda: self._meters.pause(pause))


async def _ask_meters(ask: Callable[[], _Result]) -> _Result:
    try:
        return await asyncio.to_thread(ask)
    except StateError as error:
        fault = PaceUnknown(str(error))
    raise fault
