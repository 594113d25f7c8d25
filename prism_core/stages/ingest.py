"""Stage 1: find the documents, and tell which of them have changed.

Entry: ``ingest`` -> ``_sighting`` of each file -> ``_judge``. In the end of a run ``prune`` reports
what the archive has no more, and on request destroys all that was made of it.
"""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import check_tesseract
from prism_core.stages.chunks import StageResult
from prism_core.stages.run import Run, stage
from prism_core.stages.sending import check_translators
from prism_core.stages.translate_here import local_model
from prism_core.state import DocumentStatus, Sighting, StoredDocument, UserKey
from prism_core.storage import FoundFile
from prism_core.translation_memory import check_memories

_BATCH = 200
_UNREADABLE = "It cannot be read; check the disk that it is on and run again."


@stage("ingest")
def ingest(run: Run) -> StageResult:
    """Record every document of the input as part of this run.

    One whose content, settings, dictionary and language model are those of its last translation is
    ``unchanged`` as long as its output exists; one that an interrupted run has read stays
    ``read``; every other is ``found``. Memory is bounded by the largest folder's listing.

    Raises ``ConfigurationError`` for folders that overlap, for a budget that cannot be counted, for
    OCR without its program and for a memory that is none, ``Misconfigured`` for a translator or a
    local model that cannot work, and ``PaceUnknown`` for a shared pace that cannot be asked, before
    any document is opened. A rehearsal needs no budget, no translator and no pace.
    """
    job, store, folders = run.job, run.store, run.folders
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
    total, id_of = 0, store.documents.id_of

    def look(file: FoundFile) -> tuple[Sighting, DocumentStatus]:
        document = known.get(id_of(file.path))
        return _judge(run, _sighting(run, file, document, basis), document)

    with ThreadPoolExecutor(folders.archive.at_once, "prism-ingest") as threads:
        while batch := list(islice(files, _BATCH)):
            found = store.documents.fetch(id_of(file.path) for file in batch)
            known = {document.id: document for document in found}
            store.documents.record(job.run_id, list(threads.map(look, batch)))
            total += len(batch)
    return StageResult(documents=total)


def _sighting(run: Run, file: FoundFile, known: StoredDocument | None, basis: str) -> Sighting:
    """``file`` as it is now; one that is too large is not even read, nor one whose place says that
    it is what was read when it was last seen."""
    if file.error is not None:
        return Sighting(file.path, error=file.error)
    size, cipher, version = file.bytes, run.store.cipher, ""
    if file.version:
        version = cipher.keyed_id("version", file.version.encode())
    try:
        _refuse_large(run, size)
        if version and known is not None and known.content and known.version == version:
            content = known.content
        else:
            with run.folders.archive.open(file.path) as opened:
                size = os.fstat(opened.descriptor).st_size
                _refuse_large(run, size)
                content = opened.content(cipher)
    except DocumentError as refusal:
        return Sighting(file.path, size, error=refusal)
    except OSError:
        unreadable = DocumentError(DocumentFailure.RESTRICTED, _UNREADABLE)
        return Sighting(file.path, size, error=unreadable)
    fingerprint = cipher.keyed_id("fingerprint", f"{content} {basis}".encode())
    return Sighting(file.path, size, content, fingerprint, version)


def _refuse_large(run: Run, size: int) -> None:
    if size > run.job.settings.limits.document_mb * 1_000_000:
        raise DocumentError(DocumentFailure.TOO_LARGE)


def _judge(
    run: Run, sighting: Sighting, known: StoredDocument | None
) -> tuple[Sighting, DocumentStatus]:
    """``sighting`` and where the document stands; one that was in the target language still is."""
    in_target = (DocumentStatus.FAILED, DocumentFailure.IN_TARGET, sighting.fingerprint)
    if known is not None and (known.status, known.failure, known.fingerprint) == in_target:
        sighting = replace(sighting, error=DocumentError(DocumentFailure.IN_TARGET))
    return sighting, _status(run, sighting, known)


def _status(run: Run, sighting: Sighting, known: StoredDocument | None) -> DocumentStatus:
    if sighting.error is not None:
        return DocumentStatus.FAILED
    if known is None or known.fingerprint != sighting.fingerprint:
        return DocumentStatus.FOUND
    if known.status is DocumentStatus.READ:
        return DocumentStatus.READ
    settled = known.status in (DocumentStatus.WRITTEN, DocumentStatus.UNCHANGED)
    output = known.output if settled and not known.retry else None
    if output and run.folders.output.holds_document(output):
        return DocumentStatus.UNCHANGED
    return DocumentStatus.FOUND


@stage("prune")
def prune(run: Run) -> StageResult:
    """Mark the documents of earlier runs whose files are gone, or with ``documents.prune`` destroy
    their translations and what the state has of them. Where the input has the same content under
    another name, they are marked as renamed, and nothing is destroyed before that is written.

    Gone is a file of which the file system says that it is not there; not one that is excluded by
    now, or that may not be looked at. Where the input is a single document, nothing is judged, and
    where none of the documents that this run found is there any more, or none was found, nothing is
    pruned: it may not be mounted. A killed run is made good by the next: files go first, then the
    rows that know of them.
    """
    job, store, archive = run.job, run.store, run.folders.archive
    if not archive.is_archive:
        return StageResult()
    destroys = job.settings.documents.prune and any(
        not archive.is_gone(found.path) for found in store.documents.of_run(job.run_id)
    )
    elsewhere = store.documents.found_elsewhere(job.run_id)
    waiting = store.documents.found_elsewhere(job.run_id, [DocumentStatus.READ])
    count = pruned = 0
    for document in store.documents.not_of_run(job.run_id):
        if not archive.is_gone(document.path):
            continue
        count += 1
        if destroys and document.id not in waiting and _remove_outputs(run, document):
            store.prune(job.run_id, document.id, (job.source, job.target))
            pruned += 1
        else:
            renamed = document.id in elsewhere
            status = DocumentStatus.RENAMED if renamed else DocumentStatus.GONE
            store.documents.set_gone(document.id, job.run_id, status)
    if pruned:
        store.rewrite()
    return StageResult(documents=count)


def _remove_outputs(run: Run, document: StoredDocument) -> bool:
    """Remove what PRISM wrote of ``document``, and the folders that are empty then.

    False, and nothing of it is forgotten, where a file is no longer as it was written, or cannot be
    removed: what a person made of it is not ours to destroy.
    """
    output = run.folders.output
    for name in run.store.outputs.of_document(document.id):
        if not output.holds(name.path):
            continue
        if not output.remove(name.path, {name.content}, run.store.cipher):
            return False
        output.remove_empty_folders(name.path)
    return True
