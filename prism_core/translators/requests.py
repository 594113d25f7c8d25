"""Work items of a scheduler: items packed into requests, their record, and their outcome.

A request holds texts that are sent together; a provider that takes many requests at a time takes
them as a batch (``batches``).

Entry: ``pack_requests``; a request that leaves is recorded in the ``Ledger``; results are counted
in ``RunBooks`` and become a ``SendingOutcome`` in the end.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol

from prism_core.alignment import Alignment
from prism_core.errors import (
    BadAnswer,
    BudgetReached,
    Misconfigured,
    PaceUnknown,
    QuotaExhausted,
    RateLimited,
    Rejected,
    TimedOut,
    Transient,
    TranslatorError,
    Unreachable,
    describe_failures,
)
from prism_core.settings import Marks
from prism_core.translators.alignment_tags import words_to_mark
from prism_core.translators.base import Limits, Load, Price, Provider
from prism_core.translators.checks import AnswerFault
from prism_core.translators.pacing import Pace

TOO_LONG = "too-long"
NO_ANSWER = "no-answer"
INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Item:
    """Text to translate; ``id`` is the caller's and never leaves the machine.

    ``marks`` is the number of its words that are marked when it is sent with marks; 0 means
    without. ``lost``: an answer to the same text without marks lost a substitute.
    """

    id: str
    text: str
    marks: int = 0
    lost: bool = False

    @classmethod
    def to_mark(cls, row_id: str, text: str, source: str, *, lost: bool) -> Item:
        """Make an item whose words, in the language ``source``, may be marked."""
        return cls(row_id, text, len(words_to_mark(text, source)), lost)

    def marked(self, when: Marks) -> Item:
        """Return the item as a translator gets it whose setting for marks is ``when``."""
        marked = when == "always" or (when == "lost" and self.lost)
        return self if marked or not self.marks else replace(self, marks=0)


Request = Sequence[Item]
"""Items that one request asks for."""


class Ledger(Protocol):
    """Durable record of requests and answers; the state store implements it.

    Every attempt is a request of its own with its own ``request_id``, even if it resends the same
    bytes. Each method returns only when its fact would survive ``kill -9``. The methods are called
    from one thread, one at a time, and must be quick (a commit, not a computation).
    """

    def sending(self, request_id: str, ids: Sequence[str], marks: int = 0) -> None:
        """Record that the request is about to leave, before its first byte does.

        ``marks``: billed characters of marks in it, beside those of its texts.
        """
        ...

    def answered(
        self,
        request_id: str,
        answers: Mapping[str, str],
        links: Mapping[str, Alignment] | None = None,
    ) -> None:
        """Record checked answers, by item id, before anybody uses them.

        ``links`` aligns the characters of answers to marked texts with those of the texts.
        """
        ...

    def failed(self, request_id: str, ids: Sequence[str], failure: str) -> None:
        """Record a ``failure`` (a class, never text) for ``ids``, which may be sent again."""
        ...


@dataclass(frozen=True, slots=True)
class SendingOutcome:
    """Outcome of a run of the scheduler.

    ``failed`` maps the id of each item given up on to the class of its failure. An item in neither
    ``answered_ids`` nor ``failed`` was not handled because the run ``stopped``. ``requests`` counts
    every attempt, ``retries`` those after the first of the same texts, ``characters`` those of the
    texts in all of them (code points).
    """

    answered_ids: AbstractSet[str] = frozenset()
    failed: Mapping[str, str] = field(default_factory=dict)
    requests: int = 0
    retries: int = 0
    characters: int = 0
    seconds: float = 0.0
    stopped: TranslatorError | None = None

    @property
    def answered(self) -> int:
        """Number of items with an answer."""
        return len(self.answered_ids)

    @classmethod
    def merge(cls, outcomes: Iterable[SendingOutcome]) -> SendingOutcome:
        """Merge outcomes for different items; the first that ended early gives the reason."""
        total = cls()
        for outcome in outcomes:
            stopped = total.stopped or outcome.stopped
            total = replace(total.add(outcome), stopped=stopped)
        return total

    def add(self, later: SendingOutcome) -> SendingOutcome:
        """Add the ``later`` outcome of a run over some of the items that this left unanswered."""
        answered = self.answered_ids | later.answered_ids
        failed = {**self.failed, **later.failed}
        return SendingOutcome(
            answered_ids=answered,
            failed={row_id: why for row_id, why in failed.items() if row_id not in answered},
            requests=self.requests + later.requests,
            retries=self.retries + later.retries,
            characters=self.characters + later.characters,
            seconds=self.seconds + later.seconds,
            stopped=later.stopped,
        )


@dataclass(kw_only=True)
class RunBooks:
    """Counts of a scheduler's run while it goes on. See ``SendingOutcome``.

    ``failures`` counts requests without a usable answer by class.
    """

    provider: Provider
    answered: set[str] = field(default_factory=set)
    failed: dict[str, str] = field(default_factory=dict)
    requests: int = 0
    retries: int = 0
    characters: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    stopped: TranslatorError | None = None

    def count(self, items: Request, *, retry: bool) -> None:
        """Count a request with ``items`` that leaves."""
        self.requests += 1
        self.retries += retry
        self.characters += sum(len(item.text) for item in items)

    def give_up(self, items: Request, failure: str) -> None:
        """Give up on ``items``: nothing more is sent for them."""
        self.failed.update({item.id: failure for item in items})

    def stop(self, reason: TranslatorError) -> None:
        """End the run early; the first reason counts."""
        if self.stopped is None:
            self.stopped = reason.with_traceback(None)  # whose frames hold texts

    def outcome(self, seconds: float) -> SendingOutcome:
        """Return the outcome of the run, which took ``seconds``; its end names the provider."""
        if self.stopped is not None and not isinstance(self.stopped, BudgetReached | PaceUnknown):
            why = f"{self.provider.name} at {self.provider.endpoint}"
            if isinstance(self.stopped, Transient | Rejected) and self.failures:
                failed = f" gave no usable answer to {self.requests:,}"
                if self.answered:
                    failed = f" failed {self.failures.total():,} of {self.requests:,}"
                why += f"{failed} requests ({describe_failures(self.failures)})"
            self.stopped.explain(f"{why}:")
        return SendingOutcome(
            answered_ids=self.answered,
            failed=self.failed,
            requests=self.requests,
            retries=self.retries,
            characters=self.characters,
            seconds=seconds,
            stopped=self.stopped,
        )


@dataclass(kw_only=True)
class SchedulerRun(RunBooks):
    """State of a run of ``Scheduler``, shared by its workers (one thread, so no lock).

    ``in_doubt``: the last request failed, so that one leaves at a time (``probe``) until one is
    answered. ``failed_at`` and ``refused_at`` are when the last failure was noticed, and when the
    first refusal in a row was.
    """

    pace: Pace
    progress: Callable[[int], None]
    halt: asyncio.Event = field(default_factory=asyncio.Event)
    line: asyncio.Lock = field(default_factory=asyncio.Lock)
    probe: asyncio.Lock = field(default_factory=asyncio.Lock)
    in_doubt: asyncio.Event = field(default_factory=asyncio.Event)
    failed_at: float = float("-inf")
    refused_at: float = float("inf")
    waiting: list[Load] = field(default_factory=list)
    last_fault: TranslatorError | None = None
    faults: int = 0
    unanswered_in_a_row: int = 0
    unanswered: list[Request] = field(default_factory=list)
    is_isolating: bool = False
    dead_requests: int = 0
    dead_texts: int = 0
    doubted: bool = False
    doubts: dict[str, str] = field(default_factory=dict)
    unusable: Counter[str] = field(default_factory=Counter)
    dead_answers: int = 0

    def stop(self, reason: TranslatorError) -> None:
        """Send no further request; requests in flight are awaited. The first reason counts."""
        super().stop(reason)
        self.halt.set()

    @asynccontextmanager
    async def alone_in_doubt(self) -> AsyncIterator[None]:
        """Keep other requests back while the provider is in doubt."""
        async with AsyncExitStack() as held:
            if self.in_doubt.is_set():
                await held.enter_async_context(self.probe)
                if not self.in_doubt.is_set():  # it was answered meanwhile
                    await held.aclose()
            yield

    def count_success(self, took: float) -> None:
        """Record that the provider answered a request, ``took`` seconds after it left."""
        self.pace.count_answer(took)
        self.in_doubt.clear()
        self.unanswered_in_a_row, self.refused_at = 0, float("inf")

    def count_failure(self, fault: TranslatorError, sent_at: float, now: float) -> None:
        """Record that a request that left at ``sent_at`` failed.

        Failures of requests that were in flight together count once in a row, but for those of a
        provider that is slow. A reply, though useless, shows that the provider is there.
        """
        self.failures[failure_of(fault)] += 1
        if isinstance(fault, Rejected | BadAnswer | RateLimited):
            self.unanswered_in_a_row = 0
        elif isinstance(fault, TimedOut) or sent_at >= self.failed_at:
            self.unanswered_in_a_row += 1
        self.failed_at = now
        if isinstance(fault, RateLimited):
            self.refused_at = min(self.refused_at, now)
            doubtful = self.in_doubt.is_set() or self.pace.is_in_doubt
        elif isinstance(fault, BadAnswer):
            doubtful = not (self.answered or self.doubted)
        else:
            doubtful = not isinstance(fault, Rejected | TimedOut)
        (self.in_doubt.set if doubtful else self.in_doubt.clear)()

    def note(self, fault: TranslatorError) -> None:
        """Record that a request, or a part of one, got no answer because of ``fault``."""
        self.last_fault = fault.with_traceback(None)
        self.faults += 1

    def conclude(self) -> None:
        """Conclude the run when all items are settled; without any answer the provider is down.

        A text that is refused, or whose answer is no translation, does not count as a sign of that;
        nor does a single text whose answers cannot be read or do not come.
        """
        fault = self.last_fault
        alone = isinstance(fault, BadAnswer | TimedOut) and len(self.failed) == 1
        if isinstance(fault, Transient) and not (alone or self.answered or self.doubted):
            self.stop(fault)

    def give_up(self, items: Request, failure: str) -> None:
        """Give up on ``items``: nothing more is sent for them, they are settled."""
        super().give_up(items, failure)
        self.progress(len(items))

    def count_answers(self, answers: Mapping[str, str]) -> None:
        """Count items as settled whose answers are on record."""
        self.dead_answers = 0
        self.answered.update(answers)
        self.progress(len(answers))


def pack_requests(
    items: Iterable[Item], limits: Limits, too_long: Callable[[Item], None]
) -> Iterator[list[Item]]:
    """Pack items into requests in order, up to the limits, reading at most one item ahead.

    An item that is over the limits by itself goes to ``too_long`` instead; one that is over them
    only with its marks is sent without. All items of a request are marked, or none.
    """
    request: list[Item] = []
    characters = 0
    for given in items:
        most, item = limits.characters_per_request, given
        size = len(item.text) + item.marks * limits.characters_per_mark
        if size > most and item.marks:
            item, size = replace(item, marks=0), len(item.text)
        if size > most:
            too_long(item)
            continue
        full = len(request) == limits.texts_per_request or characters + size > most
        if request and (full or bool(request[0].marks) != bool(item.marks)):
            yield request
            request, characters = [], 0
        request.append(item)
        characters += size
    if request:
        yield request


def count_marks(request: Request) -> int:
    """Count the marked words of ``request``."""
    return sum(item.marks for item in request)


def billed_marks(request: Request, limits: Limits, price: Price | None) -> int:
    """Count the characters of marks in ``request`` that are billed like text."""
    billed = price is None or price.bills_marks
    return count_marks(request) * limits.characters_per_mark if billed else 0


def divide_request(request: Request, fault: TranslatorError) -> tuple[Request, Request]:
    """Split a request of several items: the text that ``fault`` names and the rest, or halves."""
    index = fault.index if isinstance(fault, Rejected) else None
    if index is not None and 0 <= index < len(request):
        return [request[index]], [*request[:index], *request[index + 1 :]]
    middle = len(request) // 2
    return request[:middle], request[middle:]


_FAILURES: dict[type[TranslatorError], str] = {
    RateLimited: "rate-limited",
    BadAnswer: "bad-answer",
    TimedOut: "timed-out",
    Unreachable: "no-reply",
    Transient: "server-error",
    QuotaExhausted: "quota-exhausted",
    Rejected: "rejected",
    Misconfigured: "misconfigured",
}


FAILURES_OF_PROVIDER = frozenset(
    {"server-error", "no-reply", "timed-out", "rate-limited", INTERRUPTED}
)
"""Failures that say nothing about the text: it may be answered later."""
FAILURES_UNBILLED = frozenset({"server-error", "rate-limited", "quota-exhausted", "misconfigured"})
"""Failures of requests that the provider said it would not answer: it bills nothing for them."""
FAILURES_UNANSWERED = frozenset({"no-reply", "timed-out", "rejected", INTERRUPTED})
"""Failures of requests that the provider may have worked on, and bill."""
FAILURES_IN_DOUBT = frozenset(
    {"rejected", "bad-answer", NO_ANSWER, *AnswerFault} - {AnswerFault.UNTRANSLATED}
)
"""Failures of a text that another run may cure, once. Any failure in neither set is final."""


def failure_of(fault: TranslatorError) -> str:
    """Return the class of a fault, as the ledger and the report name it."""
    known = (kind for kind in type(fault).__mro__ if kind in _FAILURES)
    return _FAILURES[next(known, Transient)]
