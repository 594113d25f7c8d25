"""The seam to providers that take thousands of requests at a time and answer within hours.

Such a batch has a life of its own: it goes on while nobody asks, also when the process that handed
it in is gone. So it is named by an id of ours before it exists, by which it is found again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from prism_core.errors import TranslatorError
from prism_core.translators.base import Provider

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


class Standing(StrEnum):
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

    standing: Standing
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
