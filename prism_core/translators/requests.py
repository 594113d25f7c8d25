"""What a scheduler moves: items packed into requests, the record of it, and what came of it.

A request holds texts that are sent together; a provider that takes many requests at a time takes
them as a batch (``batches``).

Entry: ``pack_requests``; what leaves is on the ``Ledger``; what came of it stands in
``RunBooks`` meanwhile and is an ``Outcome`` in the end.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Protocol

from prism_core.alignment import Alignment
from prism_core.errors import (
    BadAnswer,
    Misconfigured,
    QuotaExhausted,
    RateLimited,
    Rejected,
    TimedOut,
    Transient,
    TranslatorError,
)
from prism_core.settings import Marks
from prism_core.translators.alignment_tags import words_to_mark
from prism_core.translators.base import Limits, Load, Price
from prism_core.translators.checks import AnswerFault
from prism_core.translators.pacing import Pace

TOO_LONG = "too-long"
NO_ANSWER = "no-answer"
INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Item:
    """One text to translate; ``id`` is the caller's and never leaves the machine.

    ``marks``: how many of its words are marked where it is sent with marks; with 0 it is not.
    ``lost``: an answer to the same text without marks did not serve.
    """

    id: str
    text: str
    marks: int = 0
    lost: bool = False

    @classmethod
    def to_mark(cls, row_id: str, text: str, source: str, *, lost: bool) -> Item:
        """One whose words, in the language ``source``, may be marked."""
        return cls(row_id, text, len(words_to_mark(text, source)), lost)

    def marked(self, when: Marks) -> Item:
        """It as one is asked for it who is asked with marks ``when``."""
        marked = when == "always" or (when == "lost" and self.lost)
        return self if marked or not self.marks else replace(self, marks=0)


Request = Sequence[Item]
"""What one request asks for."""


class Ledger(Protocol):
    """The durable record of what was sent and answered; the state store is one.

    Every attempt is a request of its own with its own ``request_id``, also when it resends the
    same bytes. Each method returns only when its fact would survive ``kill -9``. They are called
    from one thread, one at a time, and must be quick (a commit, not a computation).
    """

    def sending(self, request_id: str, ids: Sequence[str], marks: int = 0) -> None:
        """The request is about to leave. Called before the first byte does.

        ``marks``: billed characters of marks in it, beside those of its texts.
        """
        ...

    def answered(
        self,
        request_id: str,
        answers: Mapping[str, str],
        links: Mapping[str, Alignment] | None = None,
    ) -> None:
        """These checked answers came, by item id. Called before anybody uses them.

        ``links``, of answers to marked texts: which characters stand for which of the text.
        """
        ...

    def failed(self, request_id: str, ids: Sequence[str], failure: str) -> None:
        """The request brought no usable answer for ``ids``; ``failure`` is a class, no text.

        Not the end of these items: they may be sent again, in this run or the next.
        """
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run of the scheduler.

    ``failed`` maps the id of each item given up on to the class of its failure. An item that is
    in neither ``answered_ids`` nor ``failed`` was not dealt with because the run ``stopped``.
    ``requests`` counts every attempt, ``retries`` those after the first of the same texts,
    ``characters`` those of the texts in all of them (code points).
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
        """How many items have an answer."""
        return len(self.answered_ids)

    @classmethod
    def merge(cls, outcomes: Iterable[Outcome]) -> Outcome:
        """Several outcomes for different items as one; the first that ended early says why."""
        total = cls()
        for outcome in outcomes:
            stopped = total.stopped or outcome.stopped
            total = replace(total.add(outcome), stopped=stopped)
        return total

    def add(self, later: Outcome) -> Outcome:
        """Both together, where ``later`` was asked for some of what this one did not answer."""
        answered = self.answered_ids | later.answered_ids
        failed = {**self.failed, **later.failed}
        return Outcome(
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
    """What a run of a scheduler asks for and gets, counted while it goes on. See ``Outcome``."""

    answered: set[str] = field(default_factory=set)
    failed: dict[str, str] = field(default_factory=dict)
    requests: int = 0
    retries: int = 0
    characters: int = 0
    stopped: TranslatorError | None = None

    def count(self, items: Request, *, retry: bool) -> None:
        """A request with ``items`` leaves."""
        self.requests += 1
        self.retries += retry
        self.characters += sum(len(item.text) for item in items)

    def give_up(self, items: Request, failure: str) -> None:
        """Nothing more is asked of these."""
        self.failed.update({item.id: failure for item in items})

    def stop(self, reason: TranslatorError) -> None:
        """The run ends early; the first reason counts."""
        if self.stopped is None:
            self.stopped = reason.with_traceback(None)  # whose frames hold texts

    def outcome(self, seconds: float) -> Outcome:
        """What came of it, in ``seconds``."""
        return Outcome(
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
    """The books of a run of ``Scheduler``, which its workers share (one thread, so no lock)."""

    pace: Pace
    progress: Callable[[int], None]
    halt: asyncio.Event = field(default_factory=asyncio.Event)
    line: asyncio.Lock = field(default_factory=asyncio.Lock)
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
        """No further request leaves; those in flight are waited for. The first reason counts."""
        super().stop(reason)
        self.halt.set()

    def note(self, fault: TranslatorError) -> None:
        """A request, or a part of one, got no answer because of ``fault``."""
        self.last_fault = fault.with_traceback(None)
        self.faults += 1

    def conclude(self) -> None:
        """All that was asked is settled. Where nothing was answered, the provider is down.

        A text that is refused, or answered with what is no translation, is no sign of that; nor is
        one text alone whose answers cannot be read, or do not come.
        """
        fault = self.last_fault
        alone = isinstance(fault, BadAnswer | TimedOut) and len(self.failed) == 1
        if isinstance(fault, Transient) and not (alone or self.answered or self.doubted):
            self.stop(fault)

    def give_up(self, items: Request, failure: str) -> None:
        """Nothing more is asked of these: they are settled."""
        super().give_up(items, failure)
        self.progress(len(items))

    def count_answers(self, answers: Mapping[str, str]) -> None:
        """These are settled: what came for them is on record."""
        self.dead_answers = 0
        self.answered.update(answers)
        self.progress(len(answers))


def pack_requests(
    items: Iterable[Item], limits: Limits, too_long: Callable[[Item], None]
) -> Iterator[list[Item]]:
    """Fill requests in order up to the limits, reading no further ahead than one item.

    An item that is over the limits by itself goes to ``too_long`` instead; one that is so with its
    marks is sent without. All items of a request are marked, or none.
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
    """How many words of ``request`` are marked."""
    return sum(item.marks for item in request)


def billed_marks(request: Request, limits: Limits, price: Price | None) -> int:
    """The characters of the marks of ``request`` that are billed like text."""
    billed = price is None or price.bills_marks
    return count_marks(request) * limits.characters_per_mark if billed else 0


def divide_request(request: Request, fault: TranslatorError) -> tuple[Request, Request]:
    """A request of two or more as two: the text that ``fault`` names and the rest, or halves."""
    index = fault.index if isinstance(fault, Rejected) else None
    if index is not None and 0 <= index < len(request):
        return [request[index]], [*request[:index], *request[index + 1 :]]
    middle = len(request) // 2
    return request[:middle], request[middle:]


_FAILURES: dict[type[TranslatorError], str] = {
    RateLimited: "rate-limited",
    BadAnswer: "bad-answer",
    Transient: "transient",
    QuotaExhausted: "quota-exhausted",
    Rejected: "rejected",
    Misconfigured: "misconfigured",
}


FAILURES_OF_PROVIDER = frozenset({"transient", "rate-limited", INTERRUPTED})
"""They say nothing of the text: it may be answered later."""
FAILURES_IN_DOUBT = frozenset(
    {"rejected", "bad-answer", NO_ANSWER, *AnswerFault} - {AnswerFault.UNTRANSLATED}
)
"""Of a text alone: another run may cure them, once. Any failure of neither set is final."""


def failure_of(fault: TranslatorError) -> str:
    """The class of a fault, as the ledger and the report name it."""
    known = (kind for kind in type(fault).__mro__ if kind in _FAILURES)
    return _FAILURES[next(known, Transient)]
