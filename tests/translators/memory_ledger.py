"""A ledger in memory that insists on the order of facts."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prism_core.alignment import Alignment


class MemoryLedger:
    """``events`` in order; ``answers`` by item id, and their ``links``; ``open`` requests have no
    outcome yet; ``marks`` are the billed characters of marks."""

    def __init__(self) -> None:
        self.events: list[tuple[str, str, tuple[str, ...], str]] = []
        self.answers: dict[str, str] = {}
        self.links: dict[str, Alignment] = {}
        self.marks = 0
        self.open: dict[str, set[str]] = {}

    def sending(self, request_id: str, ids: Sequence[str], marks: int = 0) -> None:
        self.marks += marks
        assert request_id not in {event[1] for event in self.events}, "a request id was used twice"
        assert not set(ids) & self.answers.keys(), "an answered item is sent again"
        self.open[request_id] = set(ids)
        self.events.append(("sending", request_id, tuple(ids), ""))

    def answered(
        self,
        request_id: str,
        answers: Mapping[str, str],
        links: Mapping[str, Alignment] | None = None,
    ) -> None:
        self._settle(request_id, set(answers))
        self.links.update(links or {})
        self.answers.update(answers)
        self.events.append(("answered", request_id, tuple(answers), ""))

    def failed(self, request_id: str, ids: Sequence[str], failure: str) -> None:
        self._settle(request_id, set(ids))
        self.events.append(("failed", request_id, tuple(ids), failure))

    def failures(self) -> list[str]:
        return [failure for kind, _, _, failure in self.events if kind == "failed"]

    def _settle(self, request_id: str, ids: set[str]) -> None:
        assert ids <= self.open[request_id], "an outcome for items that were not sent"
        self.open[request_id] -= ids
        if not self.open[request_id]:
            del self.open[request_id]


@dataclass
class MemoryBatch:
    """A batch in memory, as ``SentBatch`` has it; ``texts`` are what was sent."""

    id: str
    recorded: float
    texts: dict[str, dict[str, str]]
    batch: str = ""
    failure: str | None = None

    @property
    def requests(self) -> dict[str, dict[str, str]]:
        """A text is its own mark here."""
        return self.texts


class MemoryBatchLedger(MemoryLedger):
    """The same for batches: ``batches`` until they are forgotten, ``closings`` by failure."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: dict[str, MemoryBatch] = {}
        self.closings: list[str] = []
        self.stale: list[str] = []

    def mark(self, text: str) -> str:
        return text

    def submitting(self, batch: str, requests: Mapping[str, Mapping[str, str]]) -> None:
        assert batch not in self.batches, "a batch id was used twice"
        in_flight = {row_id for ids in self.open.values() for row_id in ids}
        for request, texts in requests.items():
            assert not in_flight & texts.keys(), "what is in a batch is handed in again"
            self.sending(request, list(texts))
        copied = {request: dict(texts) for request, texts in requests.items()}
        self.batches[batch] = MemoryBatch(batch, time.time(), copied)

    def submitted(self, batch: str, provider_id: str) -> None:
        self.batches[batch].batch = provider_id

    def under_way(self) -> list[MemoryBatch]:
        return [one for one in self.batches.values() if one.failure is None]

    def unwanted(self) -> list[MemoryBatch]:
        return [one for one in self.under_way() if one.id in self.stale]

    def texts(self, batch: str) -> dict[str, dict[str, str]]:
        return self.batches[batch].texts

    def closed(self, batch: str, failure: str) -> None:
        for request in self.batches[batch].texts:
            if request in self.open:
                self.failed(request, list(self.open[request]), failure)
        self.batches[batch].failure = failure
        self.closings.append(failure)

    def leftovers(self) -> list[MemoryBatch]:
        return [one for one in self.batches.values() if one.failure is not None]

    def forgotten(self, batch: str) -> None:
        del self.batches[batch]
