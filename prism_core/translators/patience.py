"""Calling a provider that may be away for a while."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from prism_core.errors import Transient
from prism_core.translators.backoff import Sleep
from prism_core.translators.batch_parts import BatchPolicy
from prism_core.translators.pacing import Clock

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class Patience:
    """For calls that can be made again: those that only look, or that check before they act."""

    policy: BatchPolicy
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
