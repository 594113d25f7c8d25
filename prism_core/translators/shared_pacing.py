"""One pace for several processes: they count together what they send, and pause together.

What is counted, and where, is behind ``Meters``; the arithmetic of rates is here. What refusals
tell of the pace beyond their pause stays with the process that was refused: it sends more slowly
for a while, and every request that it then books counts for more at the meters of all.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from random import Random, SystemRandom
from typing import Protocol, TypeVar

from prism_core.errors import PaceUnknown, StateError
from prism_core.translators.base import Limits, Load
from prism_core.translators.pacing import CREDIT_SECONDS, Clock, Refusals, seconds_taken

_Result = TypeVar("_Result")

_JITTER = 0.2
_MOST_JITTER = 0.05
"""Seconds by which those who wait for the same moment come late at most. Far less than the credit,
so that no turn is lost by it."""


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


class SharedPace:
    """The pace of all processes that ask the same ``meters``. See ``Pacing``.

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
        self._limits = limits
        self._meters = meters
        self._clock = clock
        self._rng = rng or SystemRandom()
        self._refusals = Refusals(stated=limits.is_paced)

    async def take(self, load: Load) -> float:
        """See ``Pacing``."""
        wait = self._refusals.wait(self._clock())
        if wait > 0:
            return wait
        seconds = [s * self._refusals.stretch for s in seconds_taken(load, self._limits)]
        wait = await _asked(lambda: self._meters.take(seconds, CREDIT_SECONDS))
        if wait > 0:
            return wait + self._rng.uniform(0, min(_JITTER * wait, _MOST_JITTER))
        self._refusals.sent(self._clock())
        return 0.0

    async def slow_down(self, pause: float, sent_at: float) -> None:
        """See ``Pacing``."""
        self._refusals.refused(pause, sent_at, self._clock())
        await _asked(lambda: self._meters.pause(pause))

    def speed_up(self) -> None:
        """See ``Pacing``."""
        self._refusals.accepted()

    @property
    def refused_in_a_row(self) -> int:
        """See ``Pacing``."""
        return self._refusals.in_a_row


async def _asked(ask: Callable[[], _Result]) -> _Result:
    try:
        return await asyncio.to_thread(ask)
    except StateError as error:
        fault = PaceUnknown(str(error))
    raise fault
