"""Stage 2: documents into sentences, and what they call people and things onto the deny list."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from prism_core.encoding import Encoder
from prism_core.errors import DocumentError, DocumentFailure, InternalFault, PrismError
from prism_core.file_names import SpokenName
from prism_core.file_names import find_words as spoken
from prism_core.formats import read_document
from prism_core.formats.base import Document, FormatOptions, Segment
from prism_core.formats.sandbox import SandboxLimits, run
from prism_core.settings.job import Job
from prism_core.stages.ahead import ahead
from prism_core.stages.boundary import Counted, stage
from prism_core.stages.folders import input_root
from prism_core.stages.judging import Refused, judge
from prism_core.stages.languages import survey
from prism_core.stages.segmentation import lay_out, with_ids
from prism_core.stages.shared import open_encoder, open_model, open_store
from prism_core.state import Chunk, DocumentStatus, Reading, StoredDocument


@stage("read")
def read(job: Job, chunk: Chunk) -> Counted:
    """Read the documents of ``chunk`` that are not read yet, each in a child process.

    A document that cannot be read becomes ``failed``, with its class, and the next one is read.
    """
    store = open_store(job)
    documents = sentences = 0
    found = [d for d in store.documents.fetch(chunk) if d.status is DocumentStatus.FOUND]
    treated = cache(partial(_Treated.of, job))
    for document, parsing in ahead(lambda one: _parsed(job, one), found):
        try:
            reading = _reading(job, treated, document, parsing.result())
            store.add_reading(job.run_id, document.id, reading)
        except Refused as error:
            store.documents.set_failed(document.id, error, error.treatment)
        except DocumentError as error:
            store.documents.set_failed(document.id, error)
        except PrismError:
            raise
        except Exception as error:  # noqa: BLE001 (whatever it provokes, the others are still read)
            store.documents.set_failed(document.id, faulty(error))
        else:
            documents += 1
            sentences += len(reading.sentences)
    return Counted(documents=documents, sentences=sentences)


def faulty(error: Exception) -> DocumentError:
    """A fault of PRISM that this document brought out, as data of its row."""
    return DocumentError(DocumentFailure.CRASHED, str(InternalFault.of(error)))


def _parsed(job: Job, stored: StoredDocument) -> Document:
    if stored.bytes > job.settings.limits.document_mb * 1_000_000:
        raise DocumentError(DocumentFailure.TOO_LARGE)
    path = input_root(job) / stored.path
    document = run(read_document, path, format_options(job), limits=sandbox_limits(job))
    if not any(segment.text.strip() for segment in document.segments):
        raise DocumentError(DocumentFailure.EMPTY)
    return document


def _reading(
    job: Job, treated: Callable[[str], _Treated], stored: StoredDocument, document: Document
) -> Reading:
    segments = (*document.segments, *_name_segment(job, stored.path))
    found = survey(segments, job)
    layout, by_text = lay_out(segments, open_model(job), str, found.copied)
    policy = job.settings.policy_for(Path(stored.path).as_posix(), document.format)
    judgement = judge(job, policy, by_text.values())
    store, under = open_store(job), treated(judgement.treatment)
    layout, sentences = with_ids(
        layout,
        by_text,
        lambda text: store.sentences.id_of(text, under.context),
    )
    return Reading(
        format=document.format,
        notices=(*document.notices, *found.notices),
        layout=layout,
        sentences=sentences,
        identifiers=frozenset(
            form for sentence in sentences.values() for form in under.encoder.identifiers(sentence)
        ),
        treatment=judgement.treatment,
        privacy_score=judgement.privacy_score,
    )


def spoken_name(job: Job, path: str) -> SpokenName | None:
    """The words in the name of the document at ``path``, if they are to be translated."""
    return spoken(path) if job.settings.documents.file_names == "translate" else None


def _name_segment(job: Job, path: str) -> Iterator[Segment]:
    """The words of a document's name as its last segment, which its format never sees."""
    name = spoken_name(job, path)
    if name is not None:
        yield Segment(name.text, "filename")


def format_options(job: Job) -> FormatOptions:
    """What the settings say about documents, as formats see it."""
    documents = job.settings.documents
    return FormatOptions(
        source=job.source,
        target=job.target,
        pdf_output=documents.pdf_output,
        ocr=documents.ocr,
        attachment_names=documents.attachment_names,
    )


def sandbox_limits(job: Job) -> SandboxLimits:
    """What the settings allow one document to use."""
    limits = job.settings.limits
    return SandboxLimits(seconds=limits.seconds, memory_mb=limits.memory_mb)


@dataclass(frozen=True, slots=True)
class _Treated:
    """How sentences are encoded under a treatment: ``context`` decides it, see ``Sentences.id_of``.

    A sentence that stands under two treatments is two: who may see it may differ.
    """

    encoder: Encoder
    context: str

    @classmethod
    def of(cls, job: Job, treatment: str) -> _Treated:
        """What ``treatment`` says; to be kept for a chunk, since files that it names are read."""
        under = job.under(treatment)
        encoder = open_encoder(under)
        mechanism = under.settings.mechanism.model_dump_json()
        decides = [job.source, job.target, encoder.version, mechanism, str(open_model(job).version)]
        return cls(encoder, json.dumps([*decides, treatment] if treatment else decides))
