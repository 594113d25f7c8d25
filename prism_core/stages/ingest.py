"""Stage 1: find the documents, and determine which of them have changed.

Entry: ``ingest`` -> ``_take_sighting`` of each file -> ``_find_status``. At the end of a run
``prune`` reports documents that are gone from the archive, and on request destroys all data about
them.
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

    A document is ``unchanged`` if its content, settings, dictionary and language model are those of
    its last translation, as long as its output exists. A document that an interrupted run has read
    stays ``read``; every other is ``found``. Memory is bounded by the largest folder's listing.

    Raises, before any document is opened: ``ConfigurationError`` for folders that overlap, for a
    budget that cannot be counted, for OCR without its program and for an invalid translation
    memory; ``Misconfigured`` for a translator or a local model that cannot work; ``PaceUnknown``
    for a shared pace that cannot be queried. A dry run needs no budget, no translator and no pace.
    """
    job, store, folders = run.job, run.store, run.folders
    folders.check()
    if job.settings.documents.ocr:
        check_tesseract(job.source)
    key = UserKey(job.settings.key).load
    check_memories(job.settings.memory.files, job.source, job.target, key)
    if job.temporary_state is None:
        check_translators(job.under(run.first_pair), paces=True)
        if (job.settings.translates_here or job.settings.stays) and not job.settings.in_clear:
            local_model(job)
        folders.remove_partial()
    memory = run.job.settings.memory_digest()
    # Everything that decides a translation besides the document's content; only used keyed.
    basis = json.dumps([run.settings_digest(), *run.versions, *([memory] if memory else [])])
    files = folders.found_files()
    total, id_of = 0, store.documents.id_of

    def compare(file: FoundFile) -> tuple[Sighting, DocumentStatus]:
        document = known.get(id_of(file.path))
        sighting = _take_sighting(run, file, document, basis)
        in_target = (DocumentStatus.FAILED, DocumentFailure.IN_TARGET, sighting.fingerprint)
        if document and (document.status, document.failure, document.fingerprint) == in_target:
            # a document that was in the target language still counts as such
            sighting = replace(sighting, error=DocumentError(DocumentFailure.IN_TARGET))
        return sighting, _find_status(run, sighting, document)

    with ThreadPoolExecutor(folders.archive.at_once, "prism-ingest") as threads:
        while batch := list(islice(files, _BATCH)):
            found = store.documents.fetch(id_of(file.path) for file in batch)
            known = {document.id: document for document in found}
            store.documents.record(job.run_id, list(threads.map(compare, batch)))
            total += len(batch)
    return StageResult(documents=total)


def _take_sighting(run: Run, file: FoundFile, known: StoredDocument | None, basis: str) -> Sighting:
    """Describe ``file`` as it is now, with the keyed hash of its content.

    A file that is too large is not read. Neither is one whose storage location states that it is
    the version that was read last time.
    """
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


def _find_status(run: Run, sighting: Sighting, known: StoredDocument | None) -> DocumentStatus:
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
    """Mark the documents of earlier runs whose files are gone, or destroy their data.

    With ``documents.prune`` their translations and everything in the state about them is destroyed.
    Where the input has the same content under another name, they are marked as renamed, and nothing
    is destroyed before that document is written.

    A file is gone if the file system says that it does not exist; not if it is excluded by now, or
    may not be looked at. Where the input is a single document, no document is marked. Where none of
    the documents that this run found still exists, or none was found, nothing is pruned: the input
    may not be mounted. The next run completes a prune that was killed: files are removed first,
    then the rows that know of them.
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
    """Remove the files that PRISM wrote for ``document``, and the folders that become empty.

    Returns False, and keeps the document's rows, where a file was changed since it was written or
    cannot be removed: a person's edits are not PRISM's to destroy.
    """
    output = run.folders.output
    for name in run.store.outputs.of_document(document.id):
        if not output.holds(name.path):
            continue
        if not output.remove(name.path, {name.content}, run.store.cipher):
            return False
        output.remove_empty_folders(name.path)
    return True
