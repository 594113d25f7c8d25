"""Scheduler of every translator: it packs, paces, retries, checks and records requests.

Entry: ``Scheduler.run``; then workers ``_work`` -> ``_settle`` a request -> ``_retry`` until its
answer -> ``_send``, and ``_split_failed_batch`` or ``_ask_alone`` where there is no usable answer;
last the texts at which the provider fails.

Order of facts for each request: recorded as sent, sent, answer checked, answer recorded, answer
counted. So whatever ends the process, the next run sees everything that may have left the machine.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random, SystemRandom
from uuid import uuid4

from prism_core.alignment import Alignment, Translation
from prism_core.errors import (
    BadAnswer,
    Misconfigured,
    PaceUnknown,
    QuotaExhausted,
    RateLimited,
    Rejected,
    TimedOut,
    Transient,
    TranslatorError,
)
from prism_core.translators.base import Aligner, Translator
from prism_core.translators.checks import AnswerChecks, AnswerFault
from prism_core.translators.cost import Budget
from prism_core.translators.pacing import Clock, Pace, RetryPolicy, Sleep
from prism_core.translators.requests import (
    FAILURES_UNBILLED,
    INTERRUPTED,
    NO_ANSWER,
    TOO_LONG,
    Item,
    Ledger,
    Request,
    SchedulerRun,
    SendingOutcome,
    billed_marks,
    count_marks,
    divide_request,
    failure_of,
    pack_requests,
)

_MARKS_SPOILT = "marks-spoilt"
"""Failure of a request whose answer cannot be trusted because of its marks."""

_ALL_UNUSABLE = (
    "No answer to many texts in a row could be used. Check translator.base_url, then run again."
)
_BAD_ANSWER = failure_of(BadAnswer(""))
_PROVIDER_AWAY = failure_of(Transient(""))
_FATAL = (QuotaExhausted, Misconfigured, PaceUnknown)
"""Errors after which no further request leaves."""


class Scheduler:
    """Scheduler that sends items to one translator. One ``run`` at a time; reusable after it.

    ``sleep`` and ``clock`` (seconds, monotonic) are injected by tests; ``rng`` draws the jitter,
    nothing private. ``budget`` counts every attempt, and ends the run like a quota when the next
    one would exceed it. ``pace`` is shared with other processes; None means one of this run's own.
    On cancellation a request in flight is recorded as interrupted and an answer that arrived as
    answered; then ``CancelledError`` goes on to the caller.
    """

    def __init__(
        self,
        translator: Translator,
        source: str,
        target: str,
        *,
        ledger: Ledger,
        policy: RetryPolicy | None = None,
        checks: AnswerChecks | None = None,
        sleep: Sleep = asyncio.sleep,
        clock: Clock = time.monotonic,
        rng: Random | None = None,
        budget: Budget | None = None,
        pace: Pace | None = None,
    ) -> None:
        self._translator = translator
        self._marks = translator.marks if isinstance(translator, Aligner) else "never"
        self._languages = (source, target)
        self._ledger = ledger
        self._policy = policy or RetryPolicy()
        self._checks = checks or AnswerChecks.for_translator(translator)
        self._sleep = sleep
        self._clock = clock
        self._rng = rng or SystemRandom()
        self._budget = budget
        self._pace = pace

    async def run(
        self, items: Iterable[Item], progress: Callable[[int], None] | None = None
    ) -> SendingOutcome:
        """Translate every item that can be; ``items`` is read as fast as requests leave.

        ``progress`` gets the number of items settled (answered or given up on), as it happens.
        Raises no ``TranslatorError``: the one that ended the run early is in ``stopped``.
        """
        limits = self._translator.limits
        pace = self._pace or Pace(limits, self._clock)
        run = SchedulerRun(
            provider=self._translator, pace=pace, progress=progress or (lambda _settled: None)
        )
        asked = (item.marked(self._marks) for item in items)
        requests = pack_requests(asked, limits, lambda item: run.give_up([item], TOO_LONG))
        started = self._clock()
        try:
            async with asyncio.TaskGroup() as workers:
                for _ in range(limits.concurrency):
                    workers.create_task(self._work(requests, run))
        except BaseExceptionGroup as group:
            # Not a translator's fault: a ledger that cannot be written, say. One is enough.
            raise group.exceptions[0] from None
        # What got no answer is sent once more, after all else, in ever smaller parts: a single text
        # may be why a provider that answers others fails. One that answered nothing is away.
        run.is_isolating, run.unanswered_in_a_row = True, 0
        for request in run.unanswered:
            if run.answered and not run.halt.is_set():
                await self._settle(request, run)
            else:
                run.give_up(request, _PROVIDER_AWAY)
        run.conclude()
        return run.outcome(self._clock() - started)

    async def _work(self, requests: Iterator[list[Item]], run: SchedulerRun) -> None:
        while not run.halt.is_set() and (request := next(requests, None)) is not None:
            faults = run.faults
            await self._settle(request, run)
            if any(item.id in run.answered for item in request):
                run.dead_requests = run.dead_texts = 0
            elif run.faults > faults:
                run.dead_requests += 1
                run.dead_texts += len(request)
            fault, policy = run.last_fault, self._policy
            replies = isinstance(fault, Rejected | BadAnswer) and run.dead_texts < policy.dead_texts
            if fault is not None and not replies and run.dead_requests >= policy.dead_requests:
                run.stop(fault)

    async def _settle(self, request: Request, run: SchedulerRun) -> None:
        """Settle every item of ``request``, in parts where needed unless the provider is away."""
        parts = deque([request])
        while parts and not run.halt.is_set():
            part = parts.popleft()
            if part is not request and self._seems_away(run):
                run.give_up(part, _PROVIDER_AWAY)
            else:
                parts.extend(await self._ask(part, run))

    async def _ask(self, request: Request, run: SchedulerRun) -> Sequence[Request]:
        """Send ``request`` until answered or given up on; return the requests to send instead."""
        try:
            doubtful = await self._retry(request, run)
        except _FATAL as end:
            run.stop(end)
        except (Rejected, Transient) as fault:
            if isinstance(fault, Rejected | BadAnswer | TimedOut) and count_marks(request):
                return [_remove_marks(request)]
            run.note(fault)
            if isinstance(fault, BadAnswer):
                await self._ask_alone(request, run)
            elif isinstance(fault, Rejected | TimedOut) or run.is_isolating:
                return self._split_failed_batch(request, fault, run)
            elif isinstance(fault, RateLimited):
                run.give_up(request, failure_of(fault))
            else:
                run.unanswered.append(request)
        else:
            if doubtful and count_marks(request):
                return [_remove_marks(doubtful)]
            run.doubted = run.doubted or bool(doubtful)
            if len(doubtful) == len(request) > 1:
                run.note(BadAnswer("No answer of a whole request passes the checks."))
            await self._ask_alone(doubtful, run)
        return []

    def _split_failed_batch(
        self, request: Request, fault: TranslatorError, run: SchedulerRun
    ) -> Sequence[Request]:
        """Halve a failing batch until the offending text is alone, then reject that text."""
        if len(request) > 1:
            return divide_request(request, fault)
        run.give_up(request, failure_of(fault) if isinstance(fault, Rejected) else NO_ANSWER)
        return []

    async def _ask_alone(self, items: Request, run: SchedulerRun) -> None:
        """Send each of ``items``, whose answers were unusable, alone as often as is still allowed.

        A provider that writes only unusable answers is down: nothing more is sent to it.
        """
        for item in items:
            why = run.doubts.pop(item.id, _BAD_ANSWER)
            while run.unusable[item.id] < self._policy.answer_attempts and not run.halt.is_set():
                try:
                    doubtful = await self._retry([item], run)
                except _FATAL as end:
                    run.stop(end)
                except BadAnswer:
                    why = _BAD_ANSWER
                except TranslatorError as fault:
                    run.give_up([item], failure_of(fault))
                    break
                else:
                    if not doubtful:
                        break
                    why = run.doubts.pop(item.id)
            else:
                if not run.halt.is_set():
                    run.give_up([item], why)
                    run.dead_answers += why != AnswerFault.UNTRANSLATED  # that may be correct
                    if run.dead_answers >= self._policy.dead_texts:
                        run.stop(BadAnswer(_ALL_UNUSABLE))

    async def _retry(self, request: Request, run: SchedulerRun) -> list[Item]:
        """Send the same bytes until an answer comes or patience ends; return the doubtful items.

        Raises the last ``TranslatorError``; returns no items when the run was stopped meanwhile.
        """
        deadline = float("inf")
        attempt, sent = 1, 0
        while True:
            async with run.alone_in_doubt():
                if not await self._take_turn(request, run):
                    return []
                if self._budget is not None:
                    self._budget.book(request)
                sent_at = self._clock()
                if sent == 0:  # waiting for the first turn does not count as patience
                    deadline = sent_at + self._policy.patience
                try:
                    retry = sent > 0 or run.unusable[request[0].id] > 0
                    doubtful = await self._send(request, run, retry=retry)
                except TranslatorError as fault:
                    run.count_failure(fault, sent_at, self._clock())
                    if self._budget is not None and failure_of(fault) in FAILURES_UNBILLED:
                        self._budget.give_back(request)
                    if isinstance(fault, RateLimited):
                        await self._pause_for(fault, sent_at, deadline, run)
                    elif isinstance(fault, Transient):
                        await self._back_off(fault, attempt, deadline, run)
                        attempt += 1
                    else:
                        raise
                else:
                    run.count_success(self._clock() - sent_at)
                    return doubtful
                sent += 1

    def _seems_away(self, run: SchedulerRun) -> bool:
        """Return True after so many failures in a row that no request is repeated."""
        policy = self._policy
        most = policy.attempts if run.answered else min(policy.first_attempts, policy.attempts)
        return run.unanswered_in_a_row >= most

    async def _take_turn(self, request: Request, run: SchedulerRun) -> bool:
        """Wait for a turn and take it; return False when the run was stopped meanwhile.

        One worker at a time asks the pace, and the others queue: a shared pace is asked by one
        worker of each process, for all of them.
        """
        texts = [item.text for item in request]
        load = self._translator.limits.load(texts, count_marks(request))
        run.waiting.append(load)
        try:
            async with run.line:  # first come, first served
                while not run.halt.is_set():
                    wait = await run.pace.take(load, run.waiting[1:])
                    if wait <= 0:
                        return not run.halt.is_set()
                    await self._sleep_unless_stopped(wait, run)
            return False
        finally:
            run.waiting.remove(load)

    async def _pause_for(
        self, fault: RateLimited, sent_at: float, deadline: float, run: SchedulerRun
    ) -> None:
        """Have all requests wait, or this one; raise ``fault`` if that takes too long."""
        pause = fault.retry_after
        if pause is None:
            pause = self._policy.backoff(run.pace.refused_in_a_row + 1, self._rng)
        if pause > self._policy.patience:
            run.stop(fault)
        elif self._clock() + pause > min(deadline, run.refused_at + self._policy.patience):
            raise fault
        # A little later, so that clients told the same do not return all at once.
        pause += self._rng.uniform(0, 0.1 * min(pause, 10.0))
        took = self._clock() - sent_at
        await self._sleep_unless_stopped(await run.pace.count_refusal(pause, took), run)

    async def _back_off(
        self, fault: Transient, attempt: int, deadline: float, run: SchedulerRun
    ) -> None:
        """Wait before the next attempt, or raise ``fault`` when there is to be none."""
        few = run.is_isolating or isinstance(fault, TimedOut)
        allowed = self._policy.answer_attempts if few else self._policy.attempts
        if isinstance(fault, BadAnswer) or attempt >= allowed or self._seems_away(run):
            raise fault
        failures = max(attempt, run.unanswered_in_a_row)
        wait = max(self._policy.backoff(failures, self._rng), fault.retry_after or 0.0)
        if self._clock() + wait > deadline:
            raise fault
        await self._sleep_unless_stopped(wait, run)

    async def _sleep_unless_stopped(self, seconds: float, run: SchedulerRun) -> None:
        """Sleep, but no longer than until the run is stopped."""
        nap = asyncio.ensure_future(self._sleep(seconds))
        halt = asyncio.ensure_future(run.halt.wait())
        try:
            await asyncio.wait({nap, halt}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            nap.cancel()
            halt.cancel()

    async def _send(self, request: Request, run: SchedulerRun, *, retry: bool) -> list[Item]:
        """Send one request, recorded before and after; return the items with a doubtful answer."""
        request_id, ids = uuid4().hex, [item.id for item in request]
        marks = billed_marks(request, self._translator.limits, self._translator.price)
        self._ledger.sending(request_id, ids, marks)
        run.count(request, retry=retry)
        try:
            asked = [item.text for item in request], *self._languages
            answers: Sequence[str | Translation | None]
            if count_marks(request) and isinstance(self._translator, Aligner):
                answers = await self._translator.align(*asked)
            else:
                answers = await self._translator.translate(*asked)
            if len(answers) != len(request):
                raise BadAnswer(f"{len(answers)} answers came for {len(request)} texts")
        except TranslatorError as fault:
            self._ledger.failed(request_id, ids, failure_of(fault))
            if isinstance(fault, BadAnswer) and not count_marks(request):
                run.unusable.update(ids)
            raise
        except asyncio.CancelledError:
            self._ledger.failed(request_id, ids, INTERRUPTED)
            raise
        return self._accept(request_id, request, answers, run)

    def _accept(
        self,
        request_id: str,
        request: Request,
        answers: Sequence[str | Translation | None],
        run: SchedulerRun,
    ) -> list[Item]:
        """Record the answers that pass the checks; return the items whose answers do not."""
        good: dict[str, str] = {}
        links: dict[str, Alignment] = {}
        doubts: dict[str, list[Item]] = {}
        texts = [got.text if isinstance(got, Translation) else got for got in answers]
        faults = self._checks.faults_of([item.text for item in request], texts)
        for item, answer, text, fault in zip(request, answers, texts, faults, strict=True):
            if text is None or fault is not None:
                run.doubts[item.id] = why = str(fault or _MARKS_SPOILT)
                doubts.setdefault(why, []).append(item)
                run.unusable[item.id] += not item.marks
                continue
            good[item.id] = text
            if isinstance(answer, Translation):
                links[item.id] = tuple(answer.matches)
        if good:
            self._ledger.answered(request_id, good, links or None)
            run.count_answers(good)
        for failure, items in doubts.items():
            self._ledger.failed(request_id, [item.id for item in items], failure)
        return [item for items in doubts.values() for item in items]


def _remove_marks(request: Request) -> Request:
    return [replace(item, marks=0) for item in request]
