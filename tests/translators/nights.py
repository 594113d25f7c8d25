"""Runs of the batch scheduler against the loopback server, in time that passes by itself."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from prism_core.translators import Budget, Item, SendingOutcome, make_provider
from prism_core.translators.adapters.fake import mark_words
from prism_core.translators.batch_scheduler import BatchScheduler
from prism_core.translators.batches import BatchPolicy
from tests.openai_batch_server import BatchServer
from tests.translators.memory_ledger import MemoryBatchLedger

ITEMS = [Item(str(n), f"The door number {n} of the house is closed.") for n in range(12)]

MARKED = {item.id: mark_words(item.text) for item in ITEMS}

HOUR = 3_600.0


@dataclass
class Clock:
    """Time that passes when somebody waits for it. ``waits`` in seconds."""

    time: float = 0.0
    waits: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        assert len(self.waits) < 500, "it goes on for ever"
        self.waits.append(seconds)
        self.time += seconds


@dataclass
class Night:
    """Runs of the scheduler over one ledger."""

    server: BatchServer
    ledger: MemoryBatchLedger = field(default_factory=MemoryBatchLedger)
    clock: Clock = field(default_factory=Clock)

    def run(
        self,
        items: list[Item] = ITEMS,
        *,
        submit: bool = False,
        budget: Budget | None = None,
        policy: BatchPolicy | None = None,
        **settings: object,
    ) -> SendingOutcome:
        """Four items a request unless the settings say otherwise."""
        given = self.server.settings(**{"texts_per_request": 4, "poll_seconds": 160.0} | settings)

        async def main() -> SendingOutcome:
            translator = make_provider(given, "en", "es")
            scheduler = BatchScheduler(
                translator,
                "en",
                "es",
                ledger=self.ledger,
                policy=policy,
                sleep=self.clock.sleep,
                clock=self.clock,
                rng=Random(3),
                budget=budget,
            )
            try:
                return await (scheduler.submit(items) if submit else scheduler.run(items))
            finally:
                await translator.close()

        return asyncio.run(main())

    def assert_all_answered(self, outcome: SendingOutcome) -> None:
        assert (outcome.answered, outcome.failed, outcome.stopped) == (len(ITEMS), {}, None)
        assert self.ledger.answers == MARKED
        assert self.server.kept() == []
        assert not self.ledger.batches

    def asked(self) -> Counter[str]:
        return Counter(self.server.texts())
