"""Cut an archive into chunks and waves; the result of a stage and the protocol of its workers.

Entry: ``group_in_waves`` -> ``cut_in_chunks`` of each, both for ``Run``; ``WorkerPool`` calls a
stage with a chunk, and each stage returns a ``StageResult``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from prism_core.state import Chunk


@dataclass(frozen=True, slots=True)
class StageResult:
    """Counts of one call of a stage; ``again`` counts sentences that an earlier stage must redo."""

    documents: int = 0
    sentences: int = 0
    again: int = 0


class WorkerPool(Protocol):
    """The worker processes of a run; see ``open_workers``."""

    most: int
    wanted: bool

    def call(self, stage: Callable[..., StageResult], *chunk: object) -> StageResult:
        """Run ``stage`` over a chunk in a worker; safe to call from any thread."""

    def end(self) -> None:
        """End the workers, also those at work."""


def cut_in_chunks(weights: Mapping[str, int], wanted: int, most: int) -> tuple[Chunk, ...]:
    """Cut the documents, in their order, into about ``wanted`` chunks of about equal weight.

    No chunk has more than ``most`` documents.
    """
    share = sum(weights.values()) / max(wanted, 1)
    chunks: list[list[str]] = []
    weight = 0.0
    for document, own_weight in weights.items():
        if not chunks or len(chunks[-1]) >= most or weight + own_weight / 2 > share:
            chunks.append([])
            weight = 0
        chunks[-1].append(document)
        weight += own_weight
    return tuple(tuple(chunk) for chunk in chunks)


def group_in_waves(
    counts: Mapping[str, int], most_documents: int, most_sentences: int
) -> list[Chunk]:
    """Group the documents, in their order, into waves of at most ``most_documents``.

    No wave has more than ``most_sentences`` sentences, unless it is one document.
    """
    groups: list[list[str]] = []
    sentences = 0
    for document, count in counts.items():
        full = not groups or len(groups[-1]) >= most_documents
        if full or sentences + count > most_sentences:
            groups.append([])
            sentences = 0
        groups[-1].append(document)
        sentences += count
    return [tuple(group) for group in groups]
