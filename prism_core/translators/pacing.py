"""How fast to send: evenly up to the stated rate, slower when told so, and back up again.

Providers count requests and characters a minute in ways they do not tell. Even spacing satisfies
all of them; bursts do not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from prism_core.translators.base import Limits, Load

Clock = Callable[[], float]

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


class _Meter:
    """One quantity a minute, by virtual scheduling: each use books the time it takes up."""

    def __init__(self, per_minute: int | None) -> None:
        self._seconds_each = 60.0 / (per_minute * HEADROOM) if per_minute else 0.0
        self._free_at: float | None = None

    def wait(self, now: float) -> float:
        return 0.0 if self._free_at is None else max(0.0, self._free_at - now)

    def book(self, amount: int, now: float, stretch: float) -> None:
        start = now if self._free_at is None else max(self._free_at, now - CREDIT_SECONDS)
        self._free_at = start + amount * self._seconds_each * stretch


class Pace:
    """When the next request may leave. Not aware of tasks: the caller sleeps and asks again."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._clock = clock
        self._requests = _Meter(limits.requests_per_minute)
        self._characters = _Meter(limits.characters_per_minute)
        self._tokens = _Meter(limits.tokens_per_minute)
        self._stated = limits.is_paced
        self._stretch = 1.0
        self._gap = 0.0
        self._gap_until = float("-inf")
        self._paused_until = float("-inf")
        self._slowed_at = float("-inf")
        self._refused = 0
        self._sent: deque[float] = deque(maxlen=_RECENT)

    def wait(self) -> float:
        """Seconds until a request may leave; 0 when it may leave now."""
        now = self._clock()
        waits = (self._paused_until - now, self._gap_until - now)
        meters = (self._requests, self._characters, self._tokens)
        return max(0.0, *waits, *(meter.wait(now) for meter in meters))

    def book(self, load: Load) -> float:
        """Note that a request of such a load leaves now; gives the time it leaves."""
        now = self._clock()
        self._requests.book(1, now, self._stretch)
        self._characters.book(load.characters, now, self._stretch)
        self._tokens.book(load.tokens, now, self._stretch)
        self._gap_until = now + self._gap
        self._sent.append(now)
        return now

    def slow_down(self, pause: float, sent_at: float) -> None:
        """Nobody sends for ``pause`` seconds, then at half the pace.

        Requests that were under way together and are refused together (``sent_at`` before the
        last slow-down) count once. Refusals with no success between them tell nothing more of the
        pace: a provider that refuses everything for a minute would be asked once a minute for the
        rest of the night.
        """
        now = self._clock()
        self._paused_until = max(self._paused_until, now + pause)
        if sent_at < self._slowed_at:
            return
        self._slowed_at = now
        self._refused += 1
        if self._refused > 1:
            return
        if self._stated:
            self._stretch = min(self._stretch * SLOW_DOWN_STATED, SLOWEST)
        else:
            self._gap = min(max(self._gap, self._recent_gap(now)) * SLOW_DOWN, SLOWEST)

    def speed_up(self) -> None:
        """A request went well: come back towards the stated pace, in small steps."""
        self._refused = 0
        self._stretch = max(1.0, self._stretch * SPEED_UP)
        self._gap = self._gap * SPEED_UP if self._gap > _UNSTATED_FLOOR else 0.0

    @property
    def refused_in_a_row(self) -> int:
        """Refusals since a request last went well, those under way together counted once."""
        return self._refused

    def _recent_gap(self, now: float) -> float:
        """Mean seconds between the latest requests: what turned out to be too fast."""
        return max((now - self._sent[0]) / len(self._sent), _UNSTATED_FLOOR) if self._sent else 1.0
