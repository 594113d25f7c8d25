"""The scheduler for providers that answer by the batch: hands in, waits, collects, asks again.

Order of facts for each batch: recorded, handed in, its id recorded, looked at until it is over,
every answer of it checked and recorded, closed, deleted at the provider. So whatever ends the
process, the next run finds every batch that may exist, and hands in nothing that is being answered.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from random import Random, SystemRandom
from typing import Final

from prism_core.errors import (
    Misconfigured,
    QuotaExhausted,
    RateLimited,
    Transient,
    TranslatorError,
)
from prism_core.translators.backoff import Sleep
from prism_core.translators.batch_ledger import BatchLedger, SentBatch
from prism_core.translators.batch_parts import Awaited, BatchPolicy, BatchRun, Part
from prism_core.translators.batch_provider import BatchTranslator, Look, Standing
from prism_core.translators.batch_submission import Submission
from prism_core.translators.batches import INTERRUPTED, TOO_LONG, Item, Outcome, failure_of, packed
from prism_core.translators.budget import Budget
from prism_core.translators.checks import AnswerChecks, first_unsendable
from prism_core.translators.pacing import Clock
from prism_core.translators.patience import Patience

_DOUBLINGS: Final = 4
"""The first look comes after a sixteenth of the longest wait."""
_FORGET_AFTER: Final = 30 * 86_400.0


class BatchScheduler:
    """Runs items through one ``BatchTranslator``; one call at a time.

    ``sleep``, ``clock`` (seconds, monotonic) and ``now`` (seconds since the epoch) are injected by
    tests; ``rng`` draws the jitter, nothing private. Cancellation loses nothing: what is handed in
    goes on at the provider, and is on record.
    """

    def __init__(
        self,
        translator: BatchTranslator,
        source: str,
        target: str,
        *,
        ledger: BatchLedger,
        policy: BatchPolicy | None = None,
        checks: AnswerChecks | None = None,
        sleep: Sleep = asyncio.sleep,
        clock: Clock = time.monotonic,
        now: Clock = time.time,
        rng: Random | None = None,
        budget: Budget | None = None,
    ) -> None:
        self._translator = translator
        self._languages = (source, target)
        self._ledger = ledger
        self._policy = policy or BatchPolicy()
        self._checks = checks or AnswerChecks()
        self._sleep = sleep
        self._clock = clock
        self._now = now
        self._rng = rng or SystemRandom()
        self._patience = Patience(self._policy, sleep, clock, self._rng)
        self._budget = budget
        self._submission = Submission(
            translator, self._languages, ledger, self._policy, self._patience, now, budget
        )

    async def submit(self, items: Sequence[Item]) -> Outcome:
        """Hand in every item that is in no batch yet, and wait for none of them."""
        run = await self._begun(items)
        await self._submission.hand_in(run)
        await self._tidy_up()
        return run.outcome(self._clock())

    async def run(self, items: Sequence[Item]) -> Outcome:
        """Hand in every item that is in no batch yet, and get all of them answered or given up on.

        Raises no ``TranslatorError``: the one that ended the run early is in ``Outcome.stopped``.
        After a budget or a quota that is used up, what is under way is still collected.
        """
        run = await self._begun(items)
        while not run.broken:
            await self._make_room(run)
            await self._submission.hand_in(run)
            if run.is_over:
                break
            await self._rest(run)
            await self._look(run)
        await self._tidy_up()
        return run.outcome(self._clock())

    async def _begun(self, items: Sequence[Item]) -> BatchRun:
        """The books, with what is under way taken over, and the rest queued."""
        waiting = {item.id: item for item in items}
        run = BatchRun(waiting, self._translator.batch_limits.requests, self._clock())
        try:
            await self._patience.insist(self._abandon)
            await self._patience.insist(self._find_lost)
        except TranslatorError as fault:
            run.stop(fault, broken=True)
            return run
        in_a_batch: set[str] = set()
        for sent in self._ledger.under_way():
            in_a_batch |= self._take_over(sent, run)
        self._queue((item for item in items if item.id not in in_a_batch), run)
        return run

    def _take_over(self, sent: SentBatch, run: BatchRun) -> set[str]:
        """Wait for ``sent`` if it holds an item of this run as it is now; gives those items."""
        parts: dict[str, Part] = {}
        for request, marks in sent.requests.items():
            known = (run.waiting[row_id] for row_id in marks if row_id in run.waiting)
            ours = tuple(item for item in known if self._ledger.mark(item.text) == marks[item.id])
            if ours:
                parts[request] = Part(ours)
        if parts:
            run.awaited[sent.id] = Awaited(sent.id, sent.batch, sent.recorded, parts)
        return {item.id for part in parts.values() for item in part.items}

    def _queue(self, items: Iterable[Item], run: BatchRun) -> None:
        sendable = []
        for item in items:
            if first_unsendable([item.text]) is None:
                sendable.append(item)
            else:
                run.tally.give_up([item], "rejected")
        limits = self._translator.limits
        for request in packed(sendable, limits, lambda item: run.tally.give_up([item], TOO_LONG)):
            run.queue.append(Part(tuple(request)))

    async def _abandon(self) -> None:
        """End what nobody waits for: handed in with other settings, or settled before a kill."""
        for sent in self._ledger.unwanted():
            batch = sent.batch or await self._translator.find(sent.id, sent.recorded)
            if batch:
                await self._translator.cancel(batch)
                self._ledger.submitted(sent.id, batch)
            self._ledger.closed(sent.id, INTERRUPTED)

    async def _find_lost(self) -> None:
        """A run that was ended while it handed in a batch does not know whether there is one."""
        for sent in self._ledger.under_way():
            if sent.batch:
                continue
            found = await self._translator.find(sent.id, sent.recorded)
            if found is None and self._now() - sent.recorded < self._policy.settling_seconds:
                await self._sleep(self._first_wait())
                found = await self._translator.find(sent.id, sent.recorded)
            if found is None:
                self._ledger.closed(sent.id, INTERRUPTED)
            else:
                self._ledger.submitted(sent.id, found)

    async def _rest(self, run: BatchRun) -> None:
        """Wait for the next look: longer and longer, and as long as the provider asks for."""
        longest = self._translator.poll_seconds
        wait = min(longest, self._first_wait() * 2.0**run.looks)
        run.looks = min(run.looks + 1, _DOUBLINGS)
        await self._sleep(wait * self._rng.uniform(0.9, 1.1))

    def _first_wait(self) -> float:
        return self._translator.poll_seconds / 2.0**_DOUBLINGS

    async def _look(self, run: BatchRun) -> None:
        """Look at every batch that is waited for, and collect those that are over."""
        for awaited in list(run.awaited.values()):
            try:
                look = await self._translator.look(awaited.batch)
                if look.standing is not Standing.WORKING:
                    await self._collect(awaited, look, run)
            except Transient as fault:
                await self._endure(fault, run)
                return
            except TranslatorError as end:
                run.stop(end, broken=True)
                return
            run.unreachable_since = None

    async def _endure(self, fault: Transient, run: BatchRun) -> None:
        """The provider cannot be asked now: it goes on all the same, so it is worth waiting."""
        since = run.unreachable_since
        run.unreachable_since = since = self._clock() if since is None else since
        pause = fault.retry_after or 0.0
        if self._clock() + pause - since > self._policy.patience:
            run.stop(fault, broken=True)
            return
        await self._sleep(pause)

    async def _collect(self, awaited: Awaited, look: Look, run: BatchRun) -> None:
        """Record all that came of a batch, then close it; may raise before anything is closed."""
        fault: TranslatorError | None = look.fault
        if look.standing is Standing.GONE:
            fault = self._lost(awaited)
        if look.standing is Standing.OVER:
            await self._record_results(awaited, run)
        elif fault is not None:
            self._turned_down(awaited, fault, run)
        self._ledger.closed(awaited.id, failure_of(fault) if fault else INTERRUPTED)
        del run.awaited[awaited.id]
        run.look_soon()

    def _lost(self, awaited: Awaited) -> TranslatorError:
        """What to think of a batch that the provider does not know; raises it if it must know."""
        if self._now() - awaited.recorded > self._policy.kept_seconds:
            return Transient("The provider does not know the batch any more.")
        raise Misconfigured(
            "The provider does not know a batch that was handed in to it. The key may be that of "
            "another account or project: use the one that the batch was handed in with."
        )

    def _turned_down(self, awaited: Awaited, fault: TranslatorError, run: BatchRun) -> None:
        """None of a batch was worked on."""
        if isinstance(fault, RateLimited):
            self._hold(awaited, run)
        elif isinstance(fault, Transient):
            for part in awaited.parts.values():
                run.again(part, fault, self._policy)
        else:
            run.stop(fault, broken=isinstance(fault, Misconfigured))

    async def _record_results(self, awaited: Awaited, run: BatchRun) -> None:
        texts = self._ledger.texts(awaited.id)
        asked = {request: list(items.values()) for request, items in texts.items()}
        results = await self._translator.results(awaited.batch, asked)
        for request, items in texts.items():
            result = results.get(request) or Transient("The batch has no answer to a request.")
            part = awaited.parts.get(request, Part(()))
            if isinstance(result, TranslatorError):
                self._record_fault(request, items, part, result, run)
            else:
                answers = dict(zip(items, result, strict=True))
                self._record_answers(request, items, part, answers, run)
        for request in awaited.parts.keys() - texts.keys():
            run.again(awaited.parts[request], Transient("A text has changed."), self._policy)
        run.held_since = self._clock() if run.held else None

    def _record_fault(
        self,
        request: str,
        items: Mapping[str, str],
        part: Part,
        fault: TranslatorError,
        run: BatchRun,
    ) -> None:
        self._ledger.failed(request, list(items), failure_of(fault))
        if isinstance(fault, QuotaExhausted | Misconfigured):
            run.stop(fault)
        elif part.items:
            run.again(part, fault, self._policy)

    def _record_answers(
        self,
        request: str,
        items: Mapping[str, str],
        part: Part,
        answers: Mapping[str, str],
        run: BatchRun,
    ) -> None:
        faults = {row_id: self._checks.fault_of(items[row_id], answers[row_id]) for row_id in items}
        good = {row_id: answers[row_id] for row_id, fault in faults.items() if fault is None}
        if good:
            self._ledger.answered(request, good)
        for row_id, fault in faults.items():
            if fault is not None:
                self._ledger.failed(request, [row_id], fault.value)
        for item in part.items:
            doubt = faults[item.id]
            if doubt is None:
                run.tally.answered.add(item.id)
            else:
                run.doubt(part, item, doubt.value, self._policy)

    def _hold(self, awaited: Awaited, run: BatchRun) -> None:
        """There was no room for a batch, and nothing of it was billed."""
        run.held.extend(awaited.parts.values())
        run.held_since = self._clock() if run.held_since is None else run.held_since
        run.live = None
        run.most = min(run.most, len(awaited.parts))
        if self._budget is not None:
            for part in awaited.parts.values():
                self._budget.give_back(part.items)

    async def _make_room(self, run: BatchRun) -> None:
        """Let held parts go when a batch of ours has ended since; smaller if there was none."""
        if not run.held or run.held_since is None:
            return
        within = self._translator.limits.answered_within or 0.0
        if not run.is_stopped and self._clock() - run.held_since > within:
            run.stop(RateLimited("More is queued than the account may have, for a day by now."))
        if run.is_stopped:
            run.held.clear()
            return
        try:
            live = await self._patience.insist(self._count_live)
        except TranslatorError as fault:
            run.stop(fault, broken=True)
            return
        first = run.live is None
        if live == 0 and first:
            run.most = max(1, run.most // 2)
        if live == 0 or (run.live is not None and live < run.live):
            run.queue.extendleft(reversed(run.held))
            run.held.clear()
        run.live = live

    async def _count_live(self) -> int:
        """Batches of ours that the provider works on, those of other waves too."""
        looks = [await self._translator.look(sent.batch) for sent in self._ledger.under_way()]
        return sum(look.standing is Standing.WORKING for look in looks)

    async def _tidy_up(self) -> None:
        """Let the provider delete what is stored here; what cannot be is tried by the next run."""
        for sent in list(self._ledger.leftovers()):
            try:
                await self._translator.discard(sent.id, sent.batch or None)
            except TranslatorError:
                if self._now() - sent.recorded < _FORGET_AFTER:
                    return
            self._ledger.forgotten(sent.id)
