"""Scheduler for providers that answer by the batch: submits, polls, collects and retries.

Entry: ``BatchScheduler.run``; then ``_begin`` -> ``_submit_queued`` -> ``_poll`` and ``_collect``
until no batch is awaited -> ``_tidy_up``.

Order of facts for each batch: recorded, submitted, its id recorded, polled until it is over, every
answer of it checked and recorded, closed, deleted at the provider. So whatever ends the process,
the next run finds every batch that may exist, and submits nothing that is being answered.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from random import Random, SystemRandom
from typing import Final
from uuid import uuid4

from prism_core.errors import (
    BudgetReached,
    Misconfigured,
    QuotaExhausted,
    RateLimited,
    Rejected,
    Transient,
    TranslatorError,
)
from prism_core.translators.batches import (
    AwaitedBatch,
    BatchLedger,
    BatchPolicy,
    BatchRun,
    BatchStanding,
    BatchTranslator,
    Look,
    QueuedRequest,
    SentBatch,
)
from prism_core.translators.checks import AnswerChecks, first_unsendable
from prism_core.translators.cost import Budget
from prism_core.translators.pacing import Clock, Patience, Sleep
from prism_core.translators.requests import (
    INTERRUPTED,
    TOO_LONG,
    Item,
    SendingOutcome,
    failure_of,
    pack_requests,
)

_DOUBLINGS: Final = 4
"""Doublings of the wait between polls: the first poll comes after a sixteenth of the longest
wait."""
_FORGET_AFTER: Final = 30 * 86_400.0
_UNKNOWN_BATCH: Final = (
    "The provider does not know a batch that was submitted to it. The key may be that of another "
    "account or project: use the key that the batch was submitted with."
)


class BatchScheduler:
    """Scheduler that sends items to one ``BatchTranslator``; one call at a time.

    ``sleep``, ``clock`` (seconds, monotonic) and ``now`` (seconds since the epoch) are injected by
    tests; ``rng`` draws the jitter, nothing private. Cancellation loses nothing: a submitted batch
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
        self._first_wait = translator.poll_seconds / 2.0**_DOUBLINGS

    async def submit(self, items: Sequence[Item]) -> SendingOutcome:
        """Submit every item that is in no batch yet, and wait for none of them."""
        run = await self._begin(items)
        await self._submit_queued(run)
        await self._tidy_up()
        return run.outcome(self._clock() - run.began)

    async def run(self, items: Sequence[Item]) -> SendingOutcome:
        """Submit every item that is in no batch yet, and have all answered or given up on.

        Raises no ``TranslatorError``: the one that ended the run early is in ``stopped``.
        After a budget or a quota is used up, batches in progress are still collected.
        """
        run = await self._begin(items)
        while not run.broken:
            await self._release_held(run)
            await self._submit_queued(run)
            if run.is_over:
                break
            # Longer and longer until the next look.
            wait = min(self._translator.poll_seconds, self._first_wait * 2.0**run.looks)
            run.looks = min(run.looks + 1, _DOUBLINGS)
            await self._sleep(wait * self._rng.uniform(0.9, 1.1))
            await self._poll(run)
        await self._tidy_up()
        return run.outcome(self._clock() - run.began)

    async def _begin(self, items: Sequence[Item]) -> BatchRun:
        """Begin a run: take over the batches in progress, and queue the remaining items."""
        run = BatchRun(
            provider=self._translator,
            waiting={item.id: item for item in items},
            policy=self._policy,
            most=self._translator.batch_limits.requests,
            began=self._clock(),
        )
        try:
            await self._patience.retry(self._settle_earlier)
        except TranslatorError as fault:
            run.stop(fault, broken=True)
            return run
        in_a_batch = {n for sent in self._ledger.under_way() for n in self._take_over(sent, run)}
        to_send = []
        for item in items:
            if item.id in in_a_batch:
                continue
            if first_unsendable([item.text]) is None:
                to_send.append(item.marked("never"))
            else:
                run.give_up([item], "rejected")
        limits = self._translator.limits
        for request in pack_requests(to_send, limits, lambda it: run.give_up([it], TOO_LONG)):
            run.queue.append(QueuedRequest(tuple(request)))
        return run

    def _take_over(self, sent: SentBatch, run: BatchRun) -> set[str]:
        """Await ``sent`` if it holds an item of this run in its present form; return those ids."""
        waited_for: dict[str, QueuedRequest] = {}
        for request, marks in sent.requests.items():
            known = (run.waiting[row_id] for row_id in marks if row_id in run.waiting)
            unchanged = tuple(
                item for item in known if self._ledger.mark(item.text) == marks[item.id]
            )
            if unchanged:
                waited_for[request] = QueuedRequest(unchanged)
        if waited_for:
            run.awaited[sent.id] = AwaitedBatch(sent.id, sent.batch, sent.recorded, waited_for)
        return {item.id for queued in waited_for.values() for item in queued.items}

    async def _submit_queued(self, run: BatchRun) -> None:
        """Submit the queue; one batch at a time while the provider has little room.

        A batch takes as much of the queue as fits into it and the budget.
        """
        limits = self._translator.batch_limits
        while run.queue and not run.is_stopped:
            chosen, size = list[QueuedRequest](), 0
            while run.queue and len(chosen) < min(run.most, limits.requests):
                queued = run.queue[0]
                texts = [item.text for item in queued.items]
                size += self._translator.size(texts, *self._languages)
                if chosen and size > limits.bytes:
                    break
                try:
                    if self._budget is not None:
                        self._budget.book(queued.items)
                except BudgetReached as end:
                    run.stop(end)
                    break
                chosen.append(run.queue.popleft())
            if chosen:
                await self._submit_batch(chosen, run)
            if run.held_since is not None:
                return

    async def _submit_batch(self, chosen: list[QueuedRequest], run: BatchRun) -> None:
        batch_id, requests = uuid4().hex, {uuid4().hex: queued for queued in chosen}
        recorded = self._now()
        texts = {
            request: {item.id: item.text for item in queued.items}
            for request, queued in requests.items()
        }
        self._ledger.submitting(batch_id, texts)
        for queued in chosen:
            run.count(queued.items, retry=queued.tried > 0)
        try:
            batch = await self._submit_once(batch_id, recorded, texts)
        except Transient as fault:
            run.stop(fault, broken=True)  # the batch may exist: the next run looks for it
        except Rejected as fault:
            self._ledger.closed(batch_id, failure_of(fault))
            if len(chosen) > 1:  # in halves, then without the one at fault
                run.most = len(chosen) // 2
                run.queue.extendleft(reversed(chosen))
            else:
                run.ask_again(chosen[0], fault)
        except TranslatorError as end:
            self._ledger.closed(batch_id, failure_of(end))
            run.stop(end, broken=isinstance(end, Misconfigured))
        else:
            self._ledger.submitted(batch_id, batch)
            run.awaited[batch_id] = AwaitedBatch(batch_id, batch, recorded, requests)
            run.reset_polling()

    async def _submit_once(
        self, batch_id: str, recorded: float, texts: Mapping[str, Mapping[str, str]]
    ) -> str:
        """Submit a batch until the provider confirms that it has it; never twice."""
        requests = {request: list(items.values()) for request, items in texts.items()}
        again = False

        async def submit() -> str:
            nonlocal again
            if again:
                found = await self._translator.find(batch_id, recorded)
                if found is not None:
                    return found
                await self._translator.discard(batch_id, None)
            again = True
            return await self._translator.submit(batch_id, requests, *self._languages)

        return await self._patience.retry(submit)

    async def _settle_earlier(self) -> None:
        """Cancel batches that nobody waits for, and find those whose submission was interrupted.

        Nobody waits for a batch of other settings, or one that was settled before a kill.
        """
        for sent in self._ledger.unwanted():
            batch = sent.batch or await self._translator.find(sent.id, sent.recorded)
            if batch:
                await self._translator.cancel(batch)
                self._ledger.submitted(sent.id, batch)
            self._ledger.closed(sent.id, INTERRUPTED)
        for sent in self._ledger.under_way():
            if sent.batch:
                continue
            found = await self._translator.find(sent.id, sent.recorded)
            if found is None and self._now() - sent.recorded < self._policy.settling_seconds:
                await self._sleep(self._first_wait)
                found = await self._translator.find(sent.id, sent.recorded)
            if found is None:
                self._ledger.closed(sent.id, INTERRUPTED)
            else:
                self._ledger.submitted(sent.id, found)

    async def _poll(self, run: BatchRun) -> None:
        """Poll every awaited batch, and collect those that are over."""
        for awaited in list(run.awaited.values()):
            try:
                look = await self._translator.look(awaited.batch)
                if look.standing is not BatchStanding.WORKING:
                    await self._collect(awaited, look, run)
            except Transient as fault:  # its batches go on meanwhile
                if run.unreachable_since is None:
                    run.unreachable_since = self._clock()
                pause = fault.retry_after or 0.0
                if self._clock() + pause - run.unreachable_since > self._policy.patience:
                    run.stop(fault, broken=True)
                else:
                    await self._sleep(pause)
                return
            except TranslatorError as end:
                run.stop(end, broken=True)
                return
            run.unreachable_since = None

    async def _collect(self, awaited: AwaitedBatch, look: Look, run: BatchRun) -> None:
        """Record all results of a batch, then close it; may raise before anything is closed.

        Raises ``Misconfigured`` for a batch that the provider must know and does not.
        """
        fault: TranslatorError | None = look.fault
        if look.standing is BatchStanding.GONE:
            if self._now() - awaited.recorded <= self._policy.kept_seconds:
                raise Misconfigured(_UNKNOWN_BATCH)
            fault = Transient("The provider does not know the batch any more.")
        if look.standing is BatchStanding.OVER:
            await self._record_results(awaited, run)
        elif isinstance(fault, RateLimited):
            run.hold(awaited, self._clock())
            if self._budget is not None:  # nothing of it was billed
                for queued in awaited.requests.values():
                    self._budget.give_back(queued.items)
        elif isinstance(fault, Transient):
            for queued in awaited.requests.values():
                run.ask_again(queued, fault)
        elif fault is not None:
            run.stop(fault, broken=isinstance(fault, Misconfigured))
        self._ledger.closed(awaited.id, failure_of(fault) if fault else INTERRUPTED)
        del run.awaited[awaited.id]
        run.reset_polling()

    async def _record_results(self, awaited: AwaitedBatch, run: BatchRun) -> None:
        texts = self._ledger.texts(awaited.id)
        asked = {request: list(items.values()) for request, items in texts.items()}
        results = await self._translator.results(awaited.batch, asked)
        for request, items in texts.items():
            result = results.get(request) or Transient("The batch has no answer to a request.")
            queued = awaited.requests.get(request, QueuedRequest(()))
            if not isinstance(result, TranslatorError):
                self._record_answers(request, items, queued, result, run)
                continue
            self._ledger.failed(request, list(items), failure_of(result))
            if isinstance(result, QuotaExhausted | Misconfigured):
                run.stop(result)
            elif queued.items:
                run.ask_again(queued, result)
        for request in awaited.requests.keys() - texts.keys():
            run.ask_again(awaited.requests[request], Transient("A text has changed."))
        run.held_since = self._clock() if run.held else None

    def _record_answers(
        self,
        request: str,
        items: Mapping[str, str],
        queued: QueuedRequest,
        answers: Sequence[str],
        run: BatchRun,
    ) -> None:
        faults = dict(zip(items, self._checks.faults_of([*items.values()], answers), strict=True))
        given = zip(items, answers, strict=True)
        good = {row_id: answer for row_id, answer in given if faults[row_id] is None}
        if good:
            self._ledger.answered(request, good)
        for row_id, fault in faults.items():
            if fault is not None:
                self._ledger.failed(request, [row_id], fault.value)
        for item in queued.items:
            if (doubt := faults[item.id]) is None:
                run.answered.add(item.id)
            else:
                run.ask_alone(queued, item, doubt.value)

    async def _release_held(self, run: BatchRun) -> None:
        """Requeue held requests once a batch of ours has ended; smaller ones if none is live."""

        async def count_live() -> int:
            """Count our batches that the provider works on, those of other waves too."""
            looks = [await self._translator.look(sent.batch) for sent in self._ledger.under_way()]
            return sum(look.standing is BatchStanding.WORKING for look in looks)

        if not run.held or run.held_since is None:
            return
        within = self._translator.limits.answered_within or 0.0
        if not run.is_stopped and self._clock() - run.held_since > within:
            run.stop(RateLimited("More is queued than the account may have, for a day by now."))
        if run.is_stopped:
            run.held.clear()
            return
        try:
            live = await self._patience.retry(count_live)
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

    async def _tidy_up(self) -> None:
        """Delete stored batches at the provider; what fails is left to the next run."""
        for sent in list(self._ledger.leftovers()):
            try:
                await self._translator.discard(sent.id, sent.batch or None)
            except TranslatorError:
                if self._now() - sent.recorded < _FORGET_AFTER:
                    return
            self._ledger.forgotten(sent.id)
