"""Batches: many requests submitted together, which a provider answers within hours.

A batch goes on while nobody asks, also when the process that submitted it is gone. So it is named
by an id of ours before it exists, by which it is found again.

Entry: ``BatchTranslator`` is the interface to providers, ``BatchLedger`` the record of batches,
``BatchRun`` the state of one run of ``BatchScheduler``, with ``QueuedRequest`` and
``AwaitedBatch``.
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
"""Texts of each request by its id, which is random and says nothing."""

Results = dict[str, list[str] | TranslatorError]
"""Answers to the texts of each request, in their order, or the error of the request."""


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """Limits of a batch, and where and when the provider stated them."""

    requests: int
    bytes: int
    source: str
    as_of: str


class BatchStanding(StrEnum):
    """Status of a batch at the provider.

    ``over``: nothing more of it will be answered. ``failed``: the provider worked on none of it.
    ``gone``: the provider does not know it any more.
    """

    WORKING = "working"
    OVER = "over"
    FAILED = "failed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Look:
    """Result of polling a batch; ``fault`` says why it ``failed``."""

    standing: BatchStanding
    fault: TranslatorError | None = None


@runtime_checkable
class BatchTranslator(Provider, Protocol):
    """Provider that is called by the batch.

    ``limits`` are those of one request of a batch. A batch is named by ``own``, a random id of
    ours, until the provider has given it an id. Every method may raise a ``TranslatorError``;
    foreign errors never escape.
    """

    batch_limits: BatchLimits
    poll_seconds: float
    """Longest wait, in seconds, between two polls of a batch."""

    def size(self, texts: Texts, source: str, target: str) -> int:
        """Return the bytes that a request with ``texts`` takes in a batch."""
        ...

    async def submit(self, own: str, requests: Requests, source: str, target: str) -> str:
        """Submit a batch and return the provider's id of it.

        After any error but ``Transient`` there is no batch; after that one there may be.
        """
        ...

    async def find(self, own: str, since: float) -> str | None:
        """Return the provider's id of the batch submitted as ``own``; None when there is none.

        ``since``: it was submitted no earlier than this, in seconds since the epoch.
        """
        ...

    async def look(self, batch: str) -> Look:
        """Return the status of the batch."""
        ...

    async def results(self, batch: str, requests: Requests) -> Results:
        """Return the results of a batch that is over; a missing request got no answer."""
        ...

    async def cancel(self, batch: str) -> None:
        """Cancel a batch whose answers nobody waits for any more."""
        ...

    async def discard(self, own: str, batch: str | None) -> None:
        """Delete what the provider keeps of a batch, or of one whose submission failed."""
        ...


Marks = Mapping[str, str]
"""Hashes of the texts that were sent, by item id: equal for equal texts."""


class SentBatch(Protocol):
    """Batch on record. ``batch`` is the provider's id of it, empty until that is known.

    ``recorded`` is in seconds since the epoch.
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
    """Record that a ``BatchScheduler`` keeps; the state store implements it.

    Each method returns only when its fact would survive ``kill -9``. The methods are called from
    one thread, one at a time.
    """

    def mark(self, text: str) -> str:
        """Return the hash of ``text``."""
        ...

    def submitting(self, batch: str, requests: Mapping[str, Mapping[str, str]]) -> None:
        """Record that a batch is about to leave: by request, the text of each item by its id."""
        ...

    def submitted(self, batch: str, provider_id: str) -> None:
        """Record that the provider has the batch, under this id."""
        ...

    def under_way(self) -> Iterable[SentBatch]:
        """Return the batches not closed of this translator, oldest first, as those of this run."""
        ...

    def unwanted(self) -> Iterable[SentBatch]:
        """Return the batches not closed of other settings, or whose items are all settled."""
        ...

    def texts(self, batch: str) -> Mapping[str, Mapping[str, str]]:
        """Return the texts given to ``submitting``, without requests with a changed text."""
        ...

    def answered(self, request_id: str, answers: Mapping[str, str]) -> None:
        """Record checked answers (see ``Ledger``); an item that has an answer keeps it."""
        ...

    def failed(self, request_id: str, ids: Sequence[str], failure: str) -> None:
        """Record that a request brought no usable answer; see ``Ledger``."""
        ...

    def closed(self, batch: str, failure: str) -> None:
        """Close a batch; ``failure`` is recorded for its requests without an answer."""
        ...

    def leftovers(self) -> Iterable[SentBatch]:
        """Return the closed batches of which the provider may keep something."""
        ...

    def forgotten(self, batch: str) -> None:
        """Record that the provider keeps nothing of a batch, or cannot be asked to delete it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchPolicy(Backoff):
    """Limits of retrying.

    A sentence is in ``rounds`` batches at most; one with unusable answers in ``answer_attempts``,
    after the first alone. While the provider cannot be reached it is called again for ``patience``
    seconds. A batch that is not found within ``settling_seconds`` of being recorded is looked for
    once more. A batch that the provider does not know any more after ``kept_seconds`` is submitted
    anew.
    """

    rounds: int = 4
    answer_attempts: int = 2
    patience: float = 3_600.0
    ceiling: float = 300.0
    settling_seconds: float = 120.0
    kept_seconds: float = 7 * 86_400.0


@dataclass(frozen=True, slots=True)
class QueuedRequest:
    """Request to be submitted: its items, the rounds they were in, its unusable answers.

    ``doubt`` is the fault of the last answer of its one item.
    """

    items: tuple[Item, ...]
    tried: int = 0
    unusable: int = 0
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class AwaitedBatch:
    """Batch at the provider, with those of its requests that this run waits for."""

    id: str
    batch: str
    recorded: float
    requests: Mapping[str, QueuedRequest]


@dataclass(kw_only=True)
class BatchRun(RunBooks):
    """State of one run of ``BatchScheduler``.

    ``held`` requests found no room in the provider's queue; ``live`` is the number of our batches
    in it when they were last counted, None before. ``most`` is the maximum of requests in a batch.
    Once the run is stopped nothing more is submitted; when it is ``broken`` too, nothing can be
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
        """True if nothing more may be submitted."""
        return self.stopped is not None

    @property
    def is_over(self) -> bool:
        """True if nothing is left to submit or to await."""
        to_hand_in = bool(self.queue or self.held) and not self.is_stopped
        return self.broken or not (self.awaited or to_hand_in)

    def stop(self, reason: TranslatorError, *, broken: bool = False) -> None:
        """Submit nothing more; the first reason counts."""
        super().stop(reason)
        self.broken = self.broken or broken

    def ask_again(self, request: QueuedRequest, fault: TranslatorError) -> None:
        """Queue the request after ``fault`` again, whole or item by item, or give it up."""
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
        """Hold the requests of a batch that found no room at ``now``, by the run's clock."""
        self.held.extend(awaited.requests.values())
        self.held_since = now if self.held_since is None else self.held_since
        self.live = None
        self.most = min(self.most, len(awaited.requests))

    def reset_polling(self) -> None:
        """Poll soon again after a change; while there is no room, no change is expected soon."""
        if self.held_since is None:
            self.looks = 0
