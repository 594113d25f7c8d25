"""Between reading and encoding: the sentences of this run, and its documents in waves."""

from __future__ import annotations

from prism_core.job import Job
from prism_core.stages.shared import open_store
from prism_core.stages.translate import destination
from prism_core.state.documents import Chunk
from prism_core.state.schema import DocumentStatus

Wave = tuple[Chunk, ...]
"""Documents whose sentences are sent together, in chunks; memory is bounded by one wave."""


def unread(job: Job) -> tuple[Chunk, ...]:
    """The documents to read, in chunks."""
    limits = job.settings.limits
    return tuple(
        open_store(job).documents.chunks(job.run_id, [DocumentStatus.FOUND], limits.chunk_documents)
    )


def waves(job: Job) -> tuple[Wave, ...]:
    """The documents that were read, in waves of chunks; their sentences join this run.

    Call it when every document of the archive is read: only then is the deny list complete.
    A wave has at most ``limits.wave_documents`` documents, and no further document when it has
    ``limits.wave_sentences`` sentences.
    """
    store, limits = open_store(job), job.settings.limits
    store.sentences.adopt(job.run_id, destination(job).translator)
    groups: list[list[str]] = [[]]
    sentences = 0
    for chunk in store.documents.chunks(job.run_id, [DocumentStatus.READ], 200):
        for document, count in store.documents.sentence_counts(chunk).items():
            full = len(groups[-1]) >= limits.wave_documents
            if groups[-1] and (full or sentences + count > limits.wave_sentences):
                groups.append([])
                sentences = 0
            groups[-1].append(document)
            sentences += count
    return tuple(_in_chunks(group, limits.chunk_documents) for group in groups if group)


def _in_chunks(group: list[str], size: int) -> Wave:
    return tuple(tuple(group[start : start + size]) for start in range(0, len(group), size))
