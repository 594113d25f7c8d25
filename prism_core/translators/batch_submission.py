"""Handing in: requests packed into batches, on record before they leave, and never there twice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import uuid4

from prism_core.errors import BudgetReached, Misconfigured, Rejected, Transient, TranslatorError
from prism_core.translators.batch_ledger import BatchLedger
from prism_core.translators.batch_parts import Awaited, BatchPolicy, BatchRun, Part
from prism_core.translators.batch_provider import BatchTranslator
from prism_core.translators.batches import failure_of
from prism_core.translators.budget import Budget
from prism_core.translators.pacing import Clock
from prism_core.translators.patience import Patience


@dataclass(frozen=True, slots=True)
class Submission:
    """Hands in what a run has queued. ``now`` is in seconds since the epoch."""

    translator: BatchTranslator
    languages: tuple[str, str]
    ledger: BatchLedger
    policy: BatchPolicy
    patience: Patience
    now: Clock
    budget: Budget | None = None

    async def hand_in(self, run: BatchRun) -> None:
        """Hand in what is queued; one batch at a time while the provider has little room."""
        while run.queue and not run.is_stopped:
            parts = self._next_batch(run)
            if parts:
                await self._hand_in_batch(parts, run)
            if run.held_since is not None:
                return

    def _next_batch(self, run: BatchRun) -> list[Part]:
        """As much of the queue as fits, and as the budget allows."""
        limits, parts, size = self.translator.batch_limits, list[Part](), 0
        while run.queue and len(parts) < min(run.most, limits.requests):
            part = run.queue[0]
            size += self.translator.size([item.text for item in part.items], *self.languages)
            if parts and size > limits.bytes:
                break
            try:
                self._book(part)
            except BudgetReached as end:
                run.stop(end)
                break
            parts.append(run.queue.popleft())
        return parts

    def _book(self, part: Part) -> None:
        if self.budget is not None:
            self.budget.book(part.items)

    async def _hand_in_batch(self, parts: list[Part], run: BatchRun) -> None:
        own, requests = uuid4().hex, {uuid4().hex: part for part in parts}
        recorded = self.now()
        texts = {
            request: {item.id: item.text for item in part.items}
            for request, part in requests.items()
        }
        self.ledger.submitting(own, texts)
        run.count(parts)
        try:
            batch = await self._handed_in(own, recorded, texts)
        except Transient as fault:
            run.stop(fault, broken=True)  # it may be there: the next run looks
        except Rejected as fault:
            self.ledger.closed(own, failure_of(fault))
            self._ask_for_less(parts, fault, run)
        except TranslatorError as end:
            self.ledger.closed(own, failure_of(end))
            run.stop(end, broken=isinstance(end, Misconfigured))
        else:
            self.ledger.submitted(own, batch)
            run.awaited[own] = Awaited(own, batch, recorded, requests)
            run.look_soon()

    async def _handed_in(
        self, own: str, recorded: float, texts: Mapping[str, Mapping[str, str]]
    ) -> str:
        """Hand in a batch until the provider says that it has it; never twice."""
        requests = {request: list(items.values()) for request, items in texts.items()}
        again = False

        async def hand_in() -> str:
            nonlocal again
            if again:
                found = await self.translator.find(own, recorded)
                if found is not None:
                    return found
                await self.translator.discard(own, None)
            again = True
            return await self.translator.submit(own, requests, *self.languages)

        return await self.patience.insist(hand_in)

    def _ask_for_less(self, parts: list[Part], fault: Rejected, run: BatchRun) -> None:
        """The provider refuses a batch as it stands: in halves, then without the one at fault."""
        if len(parts) > 1:
            run.most = len(parts) // 2
            run.queue.extendleft(reversed(parts))
        else:
            run.again(parts[0], fault, self.policy)
