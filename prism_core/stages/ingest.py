"""Stage 1: find the documents, and tell which of them have changed."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from itertools import islice

from prism_core.cipher import Cipher
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.files import open_regular
from prism_core.formats import check_tesseract
from prism_core.settings import Job
from prism_core.stages.asking import check_translators
from prism_core.stages.folders import (
    Folders,
    FoundFile,
    content_hash,
)
from prism_core.stages.run import Counted, Run, stage
from prism_core.stages.translate_here import local_model
from prism_core.state import DocumentStatus, Sighting, StoredDocument, UserKey
from prism_core.translation_memory import check_memories

_BATCH = 200
_UNREADABLE = "It cannot be read; check the disk that it is on and run again."


@stage("ingest")
def ingest(run: Run) -> Counted:
    """Record every document of the input as part of this run.

    One whose content, settings, dictionary and language model are those of its last translation is
    ``unchanged`` as long as its output exists; one that an interrupted run has read stays
    ``read``; every other is ``found``. Memory is bounded by the largest folder's listing.

    Raises ``ConfigurationError`` for folders that overlap, for a budget that cannot be counted, for
    OCR without its program and for a memory that is none, ``Misconfigured`` for a translator or a
    local model that cannot work, and ``PaceUnknown`` for a shared pace that cannot be asked, before
    any document is opened. A rehearsal needs no budget, no translator and no pace.
    """
    job, store = run.job, run.store
    folders = Folders(job)
    folders.check()
    if job.settings.documents.ocr:
        check_tesseract(job.source)
    key = UserKey(job.settings.key).load
    check_memories(job.settings.memory.files, job.source, job.target, key)
    if job.temporary_state is None:
        check_translators(job.under(run.first_pair), paces=True)
        if job.settings.translates_here:
            local_model(job)
        folders.remove_partial()
    memory = run.job.settings.memory_digest()
    versions = [
        version
        for pair in run.pairs
        for version in (run.encoder_facts(pair).version, str(run.model_version(pair.source)))
    ]
    # All that decides a translation beside the document's own content; it is only used keyed.
    basis = json.dumps([run.settings_digest(), *versions, *([memory] if memory else [])])
    files = folders.found_files()
    total = 0
    while batch := list(islice(files, _BATCH)):
        sightings = [_sighting(folders, file, store.cipher, basis) for file in batch]
        known = {
            document.id: document
            for document in store.documents.fetch(store.documents.id_of(s.path) for s in sightings)
        }
        store.documents.record(
            job.run_id,
            [_judge(job, s, known.get(store.documents.id_of(s.path))) for s in sightings],
        )
        total += len(batch)
    return Counted(documents=total)


def _sighting(folders: Folders, file: FoundFile, cipher: Cipher, basis: str) -> Sighting:
    """``file`` as it is now; one that is too large is not even read."""
    if file.error is not None:
        return Sighting(file.path, error=file.error)
    size = 0
    try:
        with open_regular(folders.root, file.path) as opened:
            size = os.fstat(opened).st_size
            if size > folders.job.settings.limits.document_mb * 1_000_000:
                raise DocumentError(DocumentFailure.TOO_LARGE)
            content = content_hash(opened, cipher)
    except DocumentError as refusal:
        return Sighting(file.path, size, error=refusal)
    except OSError:
        unreadable = DocumentError(DocumentFailure.RESTRICTED, _UNREADABLE)
        return Sighting(file.path, size, error=unreadable)
    fingerprint = cipher.keyed_id("fingerprint", f"{content} {basis}".encode())
    return Sighting(file.path, size, content, fingerprint)


def _judge(
    job: Job, sighting: Sighting, known: StoredDocument | None
) -> tuple[Sighting, DocumentStatus]:
    """``sighting`` and where the document stands; one that was in the target language still is."""
    in_target = (DocumentStatus.FAILED, DocumentFailure.IN_TARGET, sighting.fingerprint)
    if known is not None and (known.status, known.failure, known.fingerprint) == in_target:
        sighting = replace(sighting, error=DocumentError(DocumentFailure.IN_TARGET))
    return sighting, _status(job, sighting, known)


def _status(job: Job, sighting: Sighting, known: StoredDocument | None) -> DocumentStatus:
    if sighting.error is not None:
        return DocumentStatus.FAILED
    if known is None or known.fingerprint != sighting.fingerprint:
        return DocumentStatus.FOUND
    if known.status is DocumentStatus.READ:
        return DocumentStatus.READ
    settled = known.status in (DocumentStatus.WRITTEN, DocumentStatus.UNCHANGED)
    if settled and not known.retry and known.output and (job.output / known.output).is_file():
        return DocumentStatus.UNCHANGED
    return DocumentStatus.FOUND
