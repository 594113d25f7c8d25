"""The durable record of batches: without it, a run that ends would forget what it has paid for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

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
