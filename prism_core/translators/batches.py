"""Providers that take thousands of requests at a time and answer within hours: what a batch is.

A batch has a life of its own: it goes on while nobody asks, also when the process that handed it in
is gone. So it is named by an id of ours before it exists, by which it is found again.

Entry, the seam to providers: ``BatchTranslator``; the record of what they have: ``BatchLedger``;
the books of one run of ``BatchScheduler``: ``BatchRun``, of ``QueuedRequest`` and ``AwaitedBatch``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol, runtime_checkable

from prism_core.errors import BadAnswer, Rejected, TranslatorError
from prism_core.translators.base import Provider
from prism_core.translators.pacing import Backoff
from prism_core.translators.requests import Item, RunBooks, failure_of

Texts = Sequence[str]
Requests = Mapping[str, Texts]
"""The texts of each request by its id, which is random and says nothing."""

Results = dict[str, list[str] | TranslatorError]
"""By request the answers to its texts, in their order, or why there are none."""


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """What a batch may hold, and where and when the provider said so."""

    requests: int
    bytes: int
    source: str
    as_of: str


class BatchStanding(StrEnum):
    """How a batch stands at the provider. ``over``: nothing more will be answered of it.

    ``failed``: none of it was worked on. ``gone``: the provider does not know it any more.
    """

    WORKING = "working"
    OVER = "over"
    FAILED = "failed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Look:
    """A batch as it was seen; ``fault`` says why it ``failed``."""

    standing: BatchStanding
    fault: TranslatorError | None = None


@runtime_checkable
class BatchTranslator(Provider, Protocol):
    """A provider that is asked by the batch.

    ``limits`` are those of one request of a batch. A batch is named by ``own``, a random id of
    ours, until the provider has given it an id. Every method may raise a ``TranslatorError``;
    foreign errors never escape.
    """

    batch_limits: BatchLimits
    poll_seconds: float
    """The longest wait between two looks at a batch."""

    def size(self, texts: Texts, source: str, target: str) -> int:
        """The bytes that a request with ``texts`` takes of a batch."""
        ...

    async def submit(self, own: str, requests: Requests, source: str, target: str) -> str:
        """Hand in a batch; gives the provider's id of it.

        After any error but ``Transient`` there is no batch; after that one there may be.
        """
        ...

    async def find(self, own: str, since: float) -> str | None:
        """The provider's id of the batch that was handed in as ``own``; None when there is none.

        ``since``: it was handed in no earlier than this, in seconds since the epoch.
        """
        ...

    async def look(self, batch: str) -> Look:
        """How the batch stands."""
        ...

    async def results(self, batch: str, requests: Requests) -> Results:
        """What came of a batch that is over; a request that is missing got no answer."""
        ...

    async def cancel(self, batch: str) -> None:
        """Nobody waits for its answers any more."""
        ...

    async def discard(self, own: str, batch: str | None) -> None:
        """Let the provider delete what it keeps of a batch, or of one that never came to be."""
        ...


Marks = Mapping[str, str]
"""By item id, a mark of the text that was sent: equal for equal texts."""


class SentBatch(Protocol):
    """A batch on record. ``batch`` is the provider's id of it, empty until that is known.

    ``recorded`` in seconds since the epoch.
    """

    @property
    def id(self) -> str: ...  # noqa: D102 - see the class
    @property
    def batch(self) -> str: ...  # noqa: D102
    @property
    def recorded(self) -> float: ...  # noqa: D102
    @property
    def requests(self) -> Mapping[str, Marks]: ...  # noqa: D102


class BatchLedger(Protocol):
    """What a ``BatchScheduler`` writes down; the state store is one.

    Each method returns only when its fact would survive ``kill -9``. They are called from one
    thread, one at a time.
    """

    def mark(self, text: str) -> str:
        """The mark of ``text``."""
        ...

    def submitting(self, batch: str, requests: Mapping[str, Mapping[str, str]]) -> None:
        """A batch is about to leave: by request, the text of each item by its id."""
        ...

    def submitted(self, batch: str, provider_id: str) -> None:
        """The provider has it, under this id."""
        ...

    def under_way(self) -> Iterable[SentBatch]:
        """The batches that this translator has been handed and that are not closed, oldest first.

        Those of earlier runs count as this run's from now on.
        """
        ...

    def unwanted(self) -> Iterable[SentBatch]:
        """Batches at this provider that are not closed and that nobody waits for.

        They were handed in under other settings, or all of their items are settled.
        """
        ...

    def texts(self, batch: str) -> Mapping[str, Mapping[str, str]]:
        """What ``submitting`` was told of a batch, without requests of which a text has changed."""
        ...

    def answered(self, request_id: str, answers: Mapping[str, str]) -> None:
        """See ``Ledger``; an item that is answered already stays as it is."""
        ...

    def failed(self, request_id: str, ids: Sequence[str], failure: str) -> None:
        """See ``Ledger``."""
        ...

    def closed(self, batch: str, failure: str) -> None:
        """Nothing more comes of it; ``failure`` is that of its requests without an answer."""
        ...

    def leftovers(self) -> Iterable[SentBatch]:
        """The batches that are closed, and of which the provider may keep something."""
        ...

    def forgotten(self, batch: str) -> None:
        """The provider keeps nothing of it any more, or nobody can ask it to let go."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchPolicy(Backoff):
    """How long to go on hoping.

    A sentence is in ``rounds`` batches at most, and one whose answers cannot be used in
    ``answer_attempts``, after the first alone. While the provider cannot be reached it is asked
    again for ``patience`` seconds. A batch that is not found within ``settling_seconds`` of being
    recorded is looked for once more. What the provider does not know any more after
    ``kept_seconds`` is asked anew.
    """

    rounds: int = 4
    answer_attempts: int = 2
    patience: float = 3_600.0
    ceiling: float = 300.0
    settling_seconds: float = 120.0
    kept_seconds: float = 7 * 86_400.0


@dataclass(frozen=True, slots=True)
class QueuedRequest:
    """A request to be: its items, the rounds they were asked in, its unusable answers.

    ``doubt`` is what was wrong with the last answer of its one item.
    """

    items: tuple[Item, ...]
    tried: int = 0
    unusable: int = 0
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class AwaitedBatch:
    """A batch at the provider, with those of its requests that this run waits for."""

    id: str
    batch: str
    recorded: float
    requests: Mapping[str, QueuedRequest]


@dataclass(kw_only=True)
class BatchRun(RunBooks):
    """The books of one run of ``BatchScheduler``.

    ``held`` requests found no room in the provider's queue; ``live`` is how many batches of ours
    were in it when they were last counted, None before. ``most`` is the most requests of a batch.
    Once it is stopped nothing more is handed in; when the run is ``broken`` too, nothing can be
    collected either.
    """

    waiting: dict[str, Item]
    policy: BatchPolicy
    most: int
    began: float
    queue: deque[QueuedRequest] = field(default_factory=deque)
    held: list[QueuedRequest] = field(default_factory=list)
    held_since: float | None = None
    live: int | None = None
    awaited: dict[str, AwaitedBatch] = field(default_factory=dict)
    unreachable_since: float | None = None
    looks: int = 0
    broken: bool = False

    @property
    def is_stopped(self) -> bool:
        """Whether nothing more may be handed in."""
        return self.stopped is not None

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to hand in or to wait for."""
        to_hand_in = bool(self.queue or self.held) and not self.is_stopped
        return self.broken or not (self.awaited or to_hand_in)

    def stop(self, reason: TranslatorError, *, broken: bool = False) -> None:
        """Hand in nothing more; the first reason counts."""
        super().stop(reason)
        self.broken = self.broken or broken

    def ask_again(self, request: QueuedRequest, fault: TranslatorError) -> None:
        """Queue what is to be asked after ``fault``: it again, or each of its items, if anything.

        What is not asked again is given up on.
        """
        tried, refused = request.tried + 1, isinstance(fault, Rejected)
        unusable = request.unusable + isinstance(fault, BadAnswer)
        over = tried >= self.policy.rounds or unusable >= self.policy.answer_attempts
        if over or (refused and len(request.items) == 1):
            self.give_up(request.items, request.doubt or failure_of(fault))
        elif refused or unusable > request.unusable:
            self.queue.extend(QueuedRequest((item,), tried, unusable) for item in request.items)
        else:
            self.queue.append(replace(request, tried=tried))

    def ask_alone(self, request: QueuedRequest, item: Item, doubt: str) -> None:
        """Queue ``item``, whose answer failed a check, by itself, or give it up."""
        tried, unusable = request.tried + 1, request.unusable + 1
        if tried >= self.policy.rounds or unusable >= self.policy.answer_attempts:
            self.give_up([item], doubt)
        else:
            self.queue.append(QueuedRequest((item,), tried, unusable, doubt))

    def hold(self, awaited: AwaitedBatch, now: float) -> None:
        """There was no room for a batch; ``now`` by the clock that the run ``began`` by."""
        self.held.extend(awaited.requests.values())
        self.held_since = now if self.held_since is None else self.held_since
        self.live = None
        self.most = min(self.most, len(awaited.requests))

    def look_soon(self) -> None:
        """Something has happened; while there is no room, nothing that happens does so soon."""
        if self.held_since is None:
            self.looks = 0
