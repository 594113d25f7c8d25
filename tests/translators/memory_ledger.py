"""A ledger in memory that insists on the order of facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class MemoryLedger:
    """``events`` in order; ``answers`` by item id; ``open`` requests have no outcome yet."""

    def __init__(self) -> None:
        self.events: list[tuple[str, str, tuple[str, ...], str]] = []
        self.answers: dict[str, str] = {}
        self.open: dict[str, set[str]] = {}

    def sending(self, request_id: str, ids: Sequence[str]) -> None:
        assert request_id not in {event[1] for event in self.events}, "a request id was used twice"
        assert not set(ids) & self.answers.keys(), "an answered item is sent again"
        self.open[request_id] = set(ids)
        self.events.append(("sending", request_id, tuple(ids), ""))

    def answered(self, request_id: str, answers: Mapping[str, str]) -> None:
        self._settle(request_id, set(answers))
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
