"""Slowing down after refusals that depend on the pace, and only after those.

A provider with a limit of R requests a second answers R of r, so it refuses the share p = 1 - R/r,
and nothing at the pace r (1 - p). One that is overloaded, or whose account others use, refuses the
same share at every pace: noise. So after a refusal the pace falls to r (1 - p), and the share s
that is refused there decides:

* *rate*, if s is nearer to 1 - (1 - p) r/r', which a limit predicts for the lower pace r', than to
  p. The pace stays, and rises by time: after t seconds by exp((t / ``_RISE``)^3).
  Where the test before found one too, and neither lower pace was refused, the rise takes twice
  as long: a fast one overshoots.
* *noise* otherwise. The pace is again what it was, and a request that is refused waits alone. The
  test begins anew when the log-likelihood ratio of a share of 2s + .1 to s, summed from its lowest
  point, exceeds ``_ALARM``.
* *unknown*, if s is more than twice p, or too large to be noise at first sight: p was estimated
  from too few requests, and the pace falls further.

Entry: ``Throttle``, which ``Pace`` tells of requests, answers and refusals.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

LONGEST_STRETCH: Final = 8.0
_WINDOW: Final = 64.0
"""Most requests from which the share of refusals is estimated: older ones count less."""
_FEWEST: Final = 16.0
"""Requests that a share is taken of at least, so that one refusal of two lowers the pace little."""
_MOST_CUT: Final = 0.5
"""Largest part of the pace that one step takes away."""
_SHORTEST_TEST: Final = 12.0
_EXPECTED: Final = 2.0
"""Refusals more than by known noise that a test must expect if they are noise."""
_MOST_NOISE: Final = 0.35
"""Share of refusals that is noise only if it does not fall at ``_LEVELS`` lower paces."""
_LEVELS: Final = 3
_STORM: Final = 3
"""Refusals in a row, without an answer, beyond which they say nothing about a share."""
_ALARM: Final = 6.0
"""Log-likelihood ratio so high that needless tests are rare."""
_RISE: Final = 60.0


@dataclass
class _Counts:
    """Requests that left at one pace, and what became of them."""

    sent: float = 0.0
    refused: float = 0.0
    answered: float = 0.0

    @property
    def share(self) -> float:
        """Share of refusals."""
        return min(self.refused / max(self.sent, 1.0), 1.0)

    @property
    def most(self) -> float:
        """Share of refusals with half a refusal added, as few requests show few."""
        return min((self.refused + 0.5) / (max(self.sent, _FEWEST) + 0.5), 1.0)

    def add(self, other: _Counts) -> _Counts:
        """Return both together."""
        return _Counts(self.sent + other.sent, self.refused + other.refused)

    def fade(self) -> None:
        """Let older requests count less."""
        if self.sent > _WINDOW:
            self.refused *= _WINDOW / self.sent
            self.sent = _WINDOW


@dataclass
class Throttle:
    """Factor by which requests take longer, as answers and refusals show. Times are in seconds."""

    longest: float = LONGEST_STRETCH
    noise: float = 0.0
    is_testing: bool = False
    _stretch: float = 1.0
    _before: float = 1.0
    _full: float = 1.0
    _tests: int = 0
    _rates_in_a_row: int = 0
    _since: float = float("-inf")
    _evidence: float = 0.0
    _counts: _Counts = field(default_factory=_Counts)
    _faster: _Counts = field(default_factory=_Counts)

    @property
    def is_noisy(self) -> bool:
        """True while refusals count as noise."""
        return self.noise > 0 and not self.is_testing

    def stretch(self, now: float) -> float:
        """Return the factor at the time ``now``: 1 at full pace."""
        if self.is_testing or self._stretch == 1.0:
            return self._stretch
        rise = 2.0 * _RISE if self._rates_in_a_row > 1 else _RISE
        return max(1.0, self._stretch * math.exp(-(((now - self._since) / rise) ** 3)))

    def count_sent(self) -> None:
        """Count a request that leaves."""
        self._counts.sent += 1
        if not self.is_testing:
            self._counts.fade()
            self._evidence = max(0.0, self._evidence + self._weigh(is_refused=False))

    def count_answer(self, sent_at: float, now: float) -> None:
        """Count an answer; it may end a test."""
        if self.is_testing and sent_at >= self._since:
            self._counts.answered += 1
            self._check(now)

    def count_refusal(self, sent_at: float, now: float, in_a_row: int, *, may_test: bool) -> bool:
        """Count a refusal and return True if it is noise.

        It is number ``in_a_row`` without an answer. Nothing is tested before ``may_test``.
        """
        if self.is_testing and sent_at < self._since:
            self._faster.refused += 1
            self._stretch = self._slow_down(self._before, self._faster)
        elif self.is_testing:
            self._counts.refused += in_a_row <= _STORM
            self._check(now)
        else:
            self._counts.refused += 1
            self._evidence += self._weigh(is_refused=True) - self._weigh(is_refused=False)
            if self._evidence <= _ALARM:
                return True
            if may_test and in_a_row <= _STORM:
                self._full, self._tests = self.stretch(now), 0
                self._test(now)
        return False

    def _weigh(self, *, is_refused: bool) -> float:
        """Return what a request adds to the evidence of refusals that are no noise."""
        if not self.noise:
            return math.inf if is_refused else 0.0
        other = min(2.0 * self.noise + 0.1, 0.95)
        if is_refused:
            return math.log(other / self.noise)
        return math.log((1.0 - other) / (1.0 - self.noise))

    def _test(self, now: float) -> None:
        """Lower the pace to what was answered, and see what is refused there."""
        self._before, self._tests = self.stretch(now), self._tests + 1
        self._stretch = self._slow_down(self._before, self._counts)
        self._faster, self._counts = self._counts, _Counts()
        self.is_testing, self._since, self._evidence = True, now, 0.0

    def _slow_down(self, stretch: float, counts: _Counts) -> float:
        return max(stretch, min(stretch / (1.0 - min(counts.most, _MOST_CUT)), self.longest))

    def _check(self, now: float) -> None:
        """End a test that has seen enough."""
        slower, faster = self._counts, self._faster
        most = 2.0 * faster.share
        if self._tests < _LEVELS:
            most = min(most, max(_MOST_NOISE, 1.3 * self.noise))
        if slower.refused >= _STORM and slower.share > most:
            self._counts = slower.add(faster)
            self._test(now)
            return
        seen = slower.answered + slower.refused
        excess = max(faster.share - self.noise, 0.01)
        if seen < max(_SHORTEST_TEST, _EXPECTED / excess):
            return
        limited = 1.0 - (1.0 - faster.share) * self._stretch / self._before
        if slower.share >= (max(limited, self.noise) + faster.share) / 2.0:
            self._stretch, self._rates_in_a_row = self._full, 0
            self._counts = slower.add(faster)
            self.noise = self._counts.share
        else:
            self._rates_in_a_row = 0 if slower.refused else self._rates_in_a_row + 1
            self.noise = min(self.noise, slower.most)
        self.is_testing, self._since = False, now
