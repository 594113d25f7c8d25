"""Pace of several processes: each leases a short block of the account's time and spends it.

The meters are in a database (``Meters``). A process asks for as much time as the requests in its
queue will take, for a second or two at most, and then sends them one by one by its own clock,
without asking again. Only durations are taken from clocks of hosts, so their skew does not matter.

Guarantee for all processes together, for each stated rate, as far as the hosts' clocks run at the
same speed: in any interval of w seconds by the clock of the meters no more leaves than ``HEADROOM``
of the rate allows in w + ``CREDIT`` + ``LATE_MOST`` seconds, and one request. For a minute that is
less than the rate.

A pause that one of them records ends the blocks of all: each asks the meters before a request
leaves whether they are paused, and relies on the reply for as long as it took to come.

Entry: ``SharedPace``, called as ``Pace.take`` -> ``_book`` -> ``_is_usable`` or ``_lease_for``,
which plans a ``_Block``.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from random import Random, SystemRandom
from typing import Any, Final, Protocol, TypeVar

from prism_core.errors import PaceUnknown, StateError
from prism_core.translators import Clock, Limits, Load, Pace, seconds_taken

_Answer = TypeVar("_Answer")
Ask = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Caller of a function that may block."""

CREDIT: Final = 0.2
"""Longest backlog, in seconds, that a rate may catch up within a block while another rate was the
limiting one."""
LATE: Final = 0.3
"""Longest delay, in seconds, of a request after its planned moment; a later request has lost that
time and needs new time."""
LATE_MOST: Final = 1.0
"""Upper limit, in seconds, to which ``LATE`` grows (with three round trips, of which one asks for
the block and one whether all pause) when the meters answer slowly."""
BLOCKS: Final = (0.2, 2.0)
"""Shortest and longest block, in seconds. What is left of a block is lost when its process dies or
learns of a pause, so it must be short."""
_ROUND_TRIPS_OF_BLOCK: Final = 25
"""Length of a block in round trips to the meters: asking then takes a 25th of the time."""
_BOOK_AHEAD: Final = (0.1, 0.25)
"""Longest time, in seconds, between booking a block and its start: for a process near the meters,
and for one further away. It is the same for all of a group: a process that may book earlier would
get more of the account."""
_NEAR: Final = 0.01
"""Longest round trip to the meters, in seconds, of a process that counts as near."""
_ROUND_TRIPS_AHEAD: Final = 2.5
"""Minimum of ``_BOOK_AHEAD``, in round trips to the meters, so that a slow connection costs a
process none of its share."""
_JITTERS: Final = (0.05, 0.1)
"""Longest random delay, in seconds, of processes that wait for the same moment: near the meters,
and further away. It is less than ``_BOOK_AHEAD``, so that no time is lost."""
_CLOCK_DRIFT: Final = 0.001
"""Fraction by which the clock of the meters may run faster than ours."""
_CLOCK_ERROR: Final = 0.02
"""Seconds by which the clock of the meters may be ahead, beyond that drift, before it counts as set
forward."""
_MAX_MISSED_BLOCKS: Final = 20
"""Number of blocks in a row that ended before the reply arrived; then the meters are too far
away."""


class MeterLease(Protocol):
    """Booking of time on the meters (see ``prism_core.state``)."""

    @property
    def now(self) -> float:
        """Time by the clock of the meters when they were asked."""
        ...

    @property
    def start(self) -> float:
        """Time by that clock at which all meters are free."""
        ...

    @property
    def is_ours(self) -> bool:
        """True if the time was booked from then on."""
        ...


class Meters(Protocol):
    """Meters that processes share. Each method is one transaction and may block while it runs."""

    def lease(self, seconds: Sequence[float], ahead: float) -> MeterLease:
        """Book that many seconds of each meter, if all are free at most ``ahead`` from now."""
        ...

    def give_back(self, lease: Any, used: Sequence[float]) -> None:
        """Return the part of ``lease`` that was not ``used``, in seconds of each meter."""
        ...

    def pause(self, seconds: float) -> None:
        """Lease nothing to anybody for that many seconds from now on."""
        ...

    def is_paused(self) -> bool:
        """Return True while a pause lasts."""
        ...


def read_host_clock() -> float:
    """Return monotonic seconds, including those in which the host was suspended."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class _Block:
    """Leased time of the meters, and the used part of it; positions count from its start."""

    def __init__(self, seconds: Sequence[float]) -> None:
        self.seconds = tuple(seconds)
        self.used = (0.0,) * len(self.seconds)

    @classmethod
    def plan(cls, uses: Sequence[Sequence[float]], longest: float) -> _Block:
        """Plan a block for requests with these ``uses``: the first, and more up to ``longest``."""
        block = cls([float("inf")] * len(uses[0]))
        for number, use in enumerate(uses):
            if number and max(block.after(use)) > longest:
                break
            block.used = block.after(use)
        return cls(block.used)

    @property
    def position(self) -> float:
        """Position at which the next request may leave: all meters are free."""
        return max(self.used)

    def after(self, use: Sequence[float]) -> tuple[float, ...]:
        """Return the use of each meter after another request with that ``use`` has left."""
        caught_up = self.position - CREDIT
        return tuple(max(used, caught_up) + more for used, more in zip(self.used, use, strict=True))

    def fits(self, use: Sequence[float], lost: float) -> bool:
        """Drop the time before position ``lost``; return True if enough of each meter is left."""
        if lost > self.position:
            self.used = (lost,) * len(self.used)
        pairs = zip(self.after(use), self.seconds, strict=True)
        return all(after <= seconds + 1e-9 for after, seconds in pairs)


class _Reference:
    """Upper bound of the lead of the meters' clock over ours, unless it was set forward."""

    def __init__(self) -> None:
        self._most, self._at = float("inf"), 0.0

    def advance(self, sent: float, now: float, back: float) -> float:
        """Return the seconds by which the meters' clock was set forward.

        It read ``now`` between ``sent`` and ``back`` of our clock.
        """
        most = self._most + _CLOCK_DRIFT * (back - self._at)
        jumped = now - back - most
        if jumped <= _CLOCK_ERROR:
            self._most, self._at = min(most, now - sent), back
            return 0.0
        self._most, self._at = now - sent, back
        return jumped


class SharedPace(Pace):
    """Pace of all processes that use the same ``meters``.

    A pause is shared; a slower pace after a refusal stays with the process that was refused: it
    sends more slowly for a while, and every request that it then books counts for more at the
    meters.

    ``clock`` is this process's own; ``rng`` draws the jitter of the waits. The meters are called
    through ``ask``, in a thread, so that nothing else of the process waits for their database.

    A block is taken to begin at the latest moment at which it can have begun, and each request
    leaves within ``LATE`` of its place by the earliest. A process that is held up for longer, or
    suspended, has lost that time. When the clock of the meters was set forward, blocks that others
    leased before may still run: nothing leaves until they are over.
    """

    def __init__(
        self,
        limits: Limits,
        meters: Meters,
        clock: Clock = read_host_clock,
        rng: Random | None = None,
        ask: Ask = asyncio.to_thread,
    ) -> None:
        super().__init__(limits, clock)
        self._meters = meters
        self._rng = rng or SystemRandom()
        self._ask = ask
        self._reference = _Reference()
        self._round_trip = 0.0
        self._missed = 0
        self._block: _Block | None = None
        self._lease: MeterLease | None = None
        self._soonest = self._latest = self._heard_until = 0.0

    async def count_refusal(self, pause: float, took: float) -> float:
        """Count a refusal as ``Pace`` does; where all wait, so do the others who use the meters.

        They wait once for a test of the pace, not for each refusal in it: if it is noise, each of
        them would wait for the tests of all.
        """
        was_testing = self.throttle.is_testing
        alone = await super().count_refusal(pause, took)
        if not alone:
            self._block = None
            if not was_testing:
                await self._ask_meters(lambda: self._meters.pause(pause))
        return alone

    def close(self) -> None:
        """Give back the rest of the block, as far as the meters can be reached."""
        block, self._block = self._block, None
        if block is not None and block.used != block.seconds:
            with suppress(StateError):
                self._meters.give_back(self._lease, block.used)

    async def _book(self, load: Load, behind: Sequence[Load]) -> float:
        use = self._use(load)
        block = self._block
        if block is None or not await self._is_usable(block, use):
            wait = await self._lease_for([use, *map(self._use, behind)])
            block = self._block
            if block is None:
                return wait
        wait = self._soonest + block.position - self._clock()
        if wait <= 0:
            block.used = block.after(use)
        return max(0.0, wait)

    async def _is_usable(self, block: _Block, use: Sequence[float]) -> bool:
        """Return True if enough of ``block`` is left and no pause has ended it.

        The meters are asked when the request is due, unless their last reply is recent.
        """
        if not block.fits(use, self._clock() - self._latest):
            return False
        sent = self._clock()
        if sent >= max(self._soonest + block.position, self._heard_until):
            if await self._ask_meters(self._meters.is_paused):
                return False
            self._heard_until = 2 * self._clock() - sent
        return self._block is block and block.fits(use, self._clock() - self._latest)

    async def _lease_for(self, uses: Sequence[Sequence[float]]) -> float:
        """Lease a block for ``uses`` and return 0; without one, the seconds until the next try."""
        shortest, longest = BLOCKS
        self._block = None
        block = _Block.plan(
            uses, min(max(shortest, _ROUND_TRIPS_OF_BLOCK * self._round_trip), longest)
        )
        is_far = self._round_trip > _NEAR
        ahead = max(_BOOK_AHEAD[is_far], _ROUND_TRIPS_AHEAD * self._round_trip)
        sent = self._clock()
        lease = await self._ask_meters(lambda: self._meters.lease(block.seconds, ahead))
        back = self._clock()
        trip = back - sent
        self._heard_until = back + trip
        self._round_trip = 0.8 * self._round_trip + 0.2 * trip if self._round_trip else trip
        jumped = self._reference.advance(sent, lease.now, back)
        wait = lease.start - lease.now
        if not lease.is_ours:
            wait = max(wait - ahead, 0.0)
            return wait + self._rng.uniform(0, _JITTERS[is_far])
        if jumped or back < self._paused_until:
            return max(min(jumped, longest + max(block.seconds) + ahead), self._paused_until - back)
        late = min(max(LATE, 3 * self._round_trip), LATE_MOST)
        if trip > late:
            return self._count_missed_block()
        self._missed = 0
        self._block, self._lease = block, lease
        self._soonest, self._latest = back + wait, sent + wait + late
        return 0.0

    def _count_missed_block(self) -> float:
        """Count a block that may be over before its reply arrived; return the seconds to wait."""
        self._missed += 1
        if self._missed == _MAX_MISSED_BLOCKS:
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
