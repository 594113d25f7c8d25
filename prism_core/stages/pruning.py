"""What the archive has no more: it is reported, and on request all that was made of it goes.

Entry: ``prune``, when everything else of a run is done -> ``_remove_outputs``.
"""

from __future__ import annotations

from prism_core.stages.chunks import Counted
from prism_core.stages.run import Run, stage
from prism_core.state import DocumentStatus, StoredDocument


@stage("prune")
def prune(run: Run) -> Counted:
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
        return Counted()
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
    return Counted(documents=count)


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
