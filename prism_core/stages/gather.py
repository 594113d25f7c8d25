"""Between reading and encoding: the sentences of this run, and its documents in waves."""

from __future__ import annotations

from collections.abc import Mapping

from prism_core.stages.asking import who_may_answer
from prism_core.stages.run import Run
from prism_core.stages.workers import worker_count
from prism_core.state import Chunk, DocumentStatus

Wave = tuple[Chunk, ...]
"""Documents whose sentences are sent together, in chunks; memory is bounded by one wave."""

_LISTED = 200
_BYTES_OF_A_CHUNK = 250_000
_SENTENCES_OF_A_CHUNK = 500
"""About two seconds of work: with less, workers would cost more than they save."""
_BYTES_BESIDE = 20_000
_SENTENCES_BESIDE = 20
"""What a document costs beside its content: a process of its own, and the writing of it."""
_CHUNKS_OF_A_WORKER = 3
"""Several small chunks for each worker end closer together than one large one."""


def unread(run: Run) -> tuple[Chunk, ...]:
    """The documents to read, in chunks."""
    documents = run.store.documents
    weights: dict[str, int] = {}
    for listed in documents.chunks(run.job.run_id, [DocumentStatus.FOUND], _LISTED):
        for document, size in documents.byte_counts(listed).items():
            weights[document] = size + _BYTES_BESIDE
    return _in_chunks(run, weights, _BYTES_OF_A_CHUNK)


def waves(run: Run) -> tuple[Wave, ...]:
    """The documents that were read, in waves of chunks; their sentences join this run.

    Call it when every document of the archive is read: only then is the deny list complete.
    A wave has at most ``limits.wave_documents`` documents, and no further document when it has
    ``limits.wave_sentences`` sentences.
    """
    store, limits = run.store, run.job.settings.limits
    store.sentences.adopt(run.job.run_id, who_may_answer(run))
    groups: list[dict[str, int]] = [{}]
    sentences = 0
    for listed in store.documents.chunks(run.job.run_id, [DocumentStatus.READ], _LISTED):
        for document, count in store.documents.sentence_counts(listed).items():
            full = len(groups[-1]) >= limits.wave_documents
            if groups[-1] and (full or sentences + count > limits.wave_sentences):
                groups.append({})
                sentences = 0
            groups[-1][document] = count + _SENTENCES_BESIDE
            sentences += count
    return tuple(_in_chunks(run, group, _SENTENCES_OF_A_CHUNK) for group in groups if group)


def _in_chunks(run: Run, weights: Mapping[str, int], least: int) -> tuple[Chunk, ...]:
    """The documents in their order, in chunks of about equal weight.

    There are enough chunks for every worker, unless they would weigh less than ``least``, and none
    has more than ``limits.chunk_documents`` documents. How an archive is cut changes who does the
    work, never what comes of it.
    """
    workers, total = worker_count(run), sum(weights.values())
    wanted = min(total // least, workers * _CHUNKS_OF_A_WORKER) if workers > 1 else 1
    share = total / max(wanted, 1)
    chunks: list[list[str]] = []
    weight = 0.0
    for document, own in weights.items():
        full = not chunks or len(chunks[-1]) >= run.job.settings.limits.chunk_documents
        if full or weight + own / 2 > share:
            chunks.append([])
            weight = 0
        chunks[-1].append(document)
        weight += own
    return tuple(tuple(chunk) for chunk in chunks)
