"""One pace for several processes: each leases a short stretch of the account's time, and spends it.

The meters stand in a database (``Meters``). A process asks for as much time as the requests that
stand in its line will take, for a second or two at most, and then lets them go one by one by its
own clock, without asking again. Only durations are taken from clocks of hosts, so their skew does
not matter. Guaranteed for all processes together, of each rate that is stated, as far as the hosts'
clocks run at the same speed: in any stretch of w seconds by the clock of the meters no more leaves
than ``HEADROOM`` of the rate lets through in w + ``CREDIT`` + ``LATE_MOST`` seconds, and one
request. For a minute that is less than the rate.

Entry: ``SharedPace``, asked as ``Pace.take`` -> ``_book`` -> ``_lease_for``, which plans a
``_Block``.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from random import Random, SystemRandom
from typing import Any, Final, Protocol, TypeVar

from prism_core.errors import PaceUnknown, StateError
from prism_core.translators.base import Limits, Load
from prism_core.translators.pacing import Clock, Pace, seconds_taken

_Answer = TypeVar("_Answer")
Ask = Callable[[Callable[[], Any]], Awaitable[Any]]
"""How a call that may block is made."""

CREDIT: Final = 0.2
"""Seconds of a rate that was not the scarce one which may be caught up with inside a block."""
LATE: Final = 0.3
"""Seconds by which a request may leave after its moment; then its time is lost."""
LATE_MOST: Final = 1.0
"""The same where the way to the meters takes longer than usual."""
BLOCKS: Final = (0.2, 2.0)
"""Seconds of the shortest and the longest block: others learn of a pause when theirs is over."""
_TRIPS: Final = 25
"""A block lasts for so many ways to the meters and back: what asking costs is a 25th of it."""
_SOON: Final = (0.1, 0.25)
"""Seconds before its start that a block can be booked: by processes beside the meters, and by those
further away, all the same: who could book sooner would have more of the account."""
_BESIDE: Final = 0.01
"""Seconds within which meters answer that are beside the process."""
_TRIPS_AHEAD: Final = 2.5
_JITTERS: Final = (0.05, 0.1)
"""Seconds by which those who wait for the same moment come late at most, for the same two. Less
than ``_SOON``, so that no time is lost by it."""
_FASTER: Final = 0.001
"""The share by which the clock of the meters may run faster than ours."""
_CLOCK_ERROR: Final = 0.02
"""Seconds by which it may be ahead beyond that without being taken to be set forward."""
_TOO_OFTEN: Final = 20
"""Blocks in a row that are over before we know of them: the meters are too far away."""


class Lease(Protocol):
    """What was booked (see ``prism_core.state``)."""

    @property
    def now(self) -> float:
        """What the clock of the meters said."""
        ...

    @property
    def start(self) -> float:
        """When all meters are free, by that clock."""
        ...

    @property
    def is_ours(self) -> bool:
        """Whether it was booked from then on."""
        ...


class Meters(Protocol):
    """Meters that processes share. Each method is one transaction, and may block for its time."""

    def lease(self, seconds: Sequence[float], ahead: float) -> Lease:
        """Book so many seconds of each meter, if all are free no later than ``ahead`` from now."""
        ...

    def give_back(self, lease: Any, used: Sequence[float]) -> None:
        """Of ``lease`` only so many seconds were used."""
        ...

    def pause(self, seconds: float) -> None:
        """Nothing is leased for so many seconds from now on."""
        ...


def clock_of_host() -> float:
    """Seconds, monotonic, those in which the host was suspended included."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class _Block:
    """Time of the meters that is ours, and what of it is used; positions count from its start."""

    def __init__(self, seconds: Sequence[float]) -> None:
        self.seconds = tuple(seconds)
        self.used = (0.0,) * len(self.seconds)

    @classmethod
    def plan(cls, uses: Sequence[Sequence[float]], longest: float) -> _Block:
        """As long as requests with these ``uses`` take: the first, and more up to ``longest``."""
        block = cls([float("inf")] * len(uses[0]))
        for number, use in enumerate(uses):
            if number and max(block.after(use)) > longest:
                break
            block.used = block.after(use)
        return cls(block.used)

    @property
    def position(self) -> float:
        """When the next request may leave: all meters are free."""
        return max(self.used)

    def after(self, use: Sequence[float]) -> tuple[float, ...]:
        """What is used of each meter when another request has left with such a ``use``."""
        caught_up = self.position - CREDIT
        return tuple(max(used, caught_up) + more for used, more in zip(self.used, use, strict=True))

    def skip(self, position: float) -> None:
        """Time before ``position`` is lost."""
        self.used = tuple(max(used, position) for used in self.used)

    def fits(self, use: Sequence[float]) -> bool:
        """Whether so much is left of each meter."""
        pairs = zip(self.after(use), self.seconds, strict=True)
        return all(after <= seconds + 1e-9 for after, seconds in pairs)


class _Reference:
    """How far the clock of the meters may be ahead of ours, as far as it only ever ran."""

    def __init__(self) -> None:
        self._most, self._at = float("inf"), 0.0

    def advance(self, sent: float, now: float, back: float) -> float:
        """Seconds by which it was set forward: it said ``now`` between ``sent`` and ``back``."""
        most = self._most + _FASTER * (back - self._at)
        jumped = now - back - most
        if jumped <= _CLOCK_ERROR:
            self._most, self._at = min(most, now - sent), back
            return 0.0
        self._most, self._at = now - sent, back
        return jumped


class SharedPace(Pace):
    """The pace of all processes that ask the same ``meters``.

    What refusals tell of the pace beyond their pause stays with the process that was refused: it
    sends more slowly for a while, and every request that it then books counts for more at the
    meters of all.

    ``clock`` is this process's own; ``rng`` draws the jitter of the waits. The meters are asked by
    ``ask``: in a thread, so that nothing else of the process waits for their database.

    A block is taken to begin at the latest moment at which it can have begun, and each request
    leaves within ``LATE`` of its place by the earliest. Whoever is held up for longer, or
    suspended, has lost that time. When the clock of the meters was set forward, what others have
    leased before may still be under way: nothing leaves until that is over.
    """

    def __init__(
        self,
        limits: Limits,
        meters: Meters,
        clock: Clock = clock_of_host,
        rng: Random | None = None,
        ask: Ask = asyncio.to_thread,
    ) -> None:
        super().__init__(limits, clock)
        self._meters = meters
        self._rng = rng or SystemRandom()
        self._ask = ask
        self._reference = _Reference()
        self._trip = 0.0
        self._missed = 0
        self._block: _Block | None = None
        self._lease: Lease | None = None
        self._soonest = self._latest = 0.0

    async def slow_down(self, pause: float, sent_at: float) -> None:
        """See ``Pace``. What is left of the block lies in the pause."""
        await super().slow_down(pause, sent_at)
        self._block = None
        await self._ask_meters(lambda: self._meters.pause(pause))

    def close(self) -> None:
        """Give back what is left of the block, as far as the meters can be asked."""
        block, self._block = self._block, None
        if block is not None and block.used != block.seconds:
            with suppress(StateError):
                self._meters.give_back(self._lease, block.used)

    async def _book(self, load: Load, behind: Sequence[Load]) -> float:
        use = self._use(load)
        block = self._block
        if block is not None:
            block.skip(self._clock() - self._latest)
        if block is None or not block.fits(use):
            wait = await self._lease_for([use, *map(self._use, behind)])
            block = self._block
            if block is None:
                return wait
        wait = self._soonest + block.position - self._clock()
        if wait <= 0:
            block.used = block.after(use)
        return max(0.0, wait)

    async def _lease_for(self, uses: Sequence[Sequence[float]]) -> float:
        """Lease a block for ``uses``; where there is none, the seconds until one is to be asked
        for."""
        shortest, longest = BLOCKS
        self._block = None
        block = _Block.plan(uses, min(max(shortest, _TRIPS * self._trip), longest))
        is_far = self._trip > _BESIDE
        ahead = max(_SOON[is_far], _TRIPS_AHEAD * self._trip)
        sent = self._clock()
        lease = await self._ask_meters(lambda: self._meters.lease(block.seconds, ahead))
        back = self._clock()
        trip = back - sent
        self._trip = 0.8 * self._trip + 0.2 * trip if self._trip else trip
        jumped = self._reference.advance(sent, lease.now, back)
        wait = lease.start - lease.now
        if not lease.is_ours:
            wait = max(wait - ahead, 0.0)
            return wait + self._rng.uniform(0, _JITTERS[is_far])
        if jumped or back < self._paused_until:
            return max(min(jumped, longest + max(block.seconds) + ahead), self._paused_until - back)
        late = min(max(LATE, 2 * self._trip), LATE_MOST)
        if trip > late:
            return self._miss()
        self._missed = 0
        self._block, self._lease = block, lease
        self._soonest, self._latest = back + wait, sent + wait + late
        return 0.0

    def _miss(self) -> float:
        """A block that may be over before we knew of it; seconds until another is asked for."""
        self._missed += 1
        if self._missed == _TOO_OFTEN:
            raise PaceUnknown(
                "the database of translator.shared_pace takes longer than a second to answer, and "
                "nothing is sent without it; use one that is nearer"
            )
        return self._rng.uniform(0, _JITTERS[True])

    def _use(self, load: Load) -> Sequence[float]:
        return [use * self.stretch for use in seconds_taken(load, self._limits)]

    async def _ask_meters(self, call: Callable[[], _Answer]) -> _Answer:
        try:
            answer: _Answer = await self._ask(call)
        except StateError as error:
            fault = PaceUnknown(str(error))
        else:
            return answer
        raise fault
