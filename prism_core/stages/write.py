"""Stage 6: documents rebuilt with their translations, each put in place in one step."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from prism_core.errors import DocumentError, DocumentFailure, PrismError
from prism_core.formats import write_document
from prism_core.formats.base import Document, Segment
from prism_core.formats.sandbox import run
from prism_core.job import Job
from prism_core.stages.ahead import ahead
from prism_core.stages.boundary import Counted, stage
from prism_core.stages.folders import input_root, output_path, partial_path, put_in_place
from prism_core.stages.ingest import content_hash
from prism_core.stages.joining import joined
from prism_core.stages.read import faulty, format_options, sandbox_limits
from prism_core.stages.shared import open_store
from prism_core.state.documents import Chunk, StoredDocument
from prism_core.state.schema import DocumentStatus
from prism_core.state.store import Store

_CHANGED = "It was changed while it was being translated; run again."


@stage("write")
def write(job: Job, chunk: Chunk) -> Counted:
    """Write the documents of ``chunk`` whose sentences are all settled.

    A sentence without a translation stays in the source language, and is counted. One that still
    waits for an answer keeps its document, for a later call or the next run; ``again`` in the
    result counts such documents.
    """
    store = open_store(job)
    read = [d for d in store.documents.fetch(chunk) if d.status is DocumentStatus.READ]
    settled = [document for document in read if not store.sentences.is_pending(document.id)]
    written = 0
    for document, writing in ahead(lambda one: _write(job, store, one), settled):
        try:
            notices, left = writing.result()
        except DocumentError as error:
            store.documents.set_failed(document.id, error)
        except PrismError:
            raise
        except Exception as error:  # noqa: BLE001 (whatever it provokes, the others are written)
            store.documents.set_failed(document.id, faulty(error))
        else:
            retry = store.sentences.has_failed(document.id)
            store.documents.set_written(document.id, notices, left, retry=retry)
            written += 1
    return Counted(documents=written, again=len(read) - len(settled))


@dataclass(frozen=True, slots=True)
class _Joined:
    """The segments of a document in both languages, and the sentences that stayed as they were."""

    segments: tuple[Segment, ...]
    translations: tuple[str, ...]
    left: int


def _write(job: Job, store: Store, stored: StoredDocument) -> tuple[list[str], int]:
    """Gives the notices of reader and writer, and how many sentences stayed as they were."""
    source = input_root(job) / stored.path
    final = output_path(job, stored.output or stored.path)
    _check_unchanged(store, stored, source)
    joined = _join(store, stored.id)
    document = Document(source, stored.format, joined.segments, stored.notices)
    partial = partial_path(job, stored.id, final)
    partial.unlink(missing_ok=True)
    try:
        notices = run(
            write_document,
            document,
            joined.translations,
            partial,
            format_options(job),
            limits=sandbox_limits(job),
        )
        if not partial.is_file():
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
        put_in_place(partial, source, final)
    finally:
        partial.unlink(missing_ok=True)
    return list(dict.fromkeys([*stored.notices, *notices])), joined.left


def _check_unchanged(store: Store, stored: StoredDocument, source: Path) -> None:
    """Raise ``DocumentError`` unless the file still is what was read: its layout would not fit."""
    try:
        content, _ = content_hash(source, store.cipher)
    except OSError:
        content = ""
    if content != stored.content:
        raise DocumentError(DocumentFailure.CORRUPT, _CHANGED)


def _join(store: Store, document: str) -> _Joined:
    layout = store.documents.layout(document)
    texts = store.sentences.texts(document)
    pairs = [joined(segment, texts) for segment in layout]
    segments = tuple(
        Segment(source, segment.kind) for segment, (source, _) in zip(layout, pairs, strict=True)
    )
    translations = tuple(translation for _, translation in pairs)
    places = (place.sentence for segment in layout for place in segment.places())
    left = sum(texts[sentence][1] is None for sentence in places)
    return _Joined(segments, translations, left)
