"""What the archive has no more: it is reported, and on request all that was made of it goes.

Entry: ``prune``, when everything else of a run is done -> ``_remove_outputs``.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from prism_core.stages.folders import Folders, is_file_with
from prism_core.stages.run import Counted, Run, stage
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
    job, store = run.job, run.store
    root = Folders(job).root
    if not job.input.is_dir():
        return Counted()
    destroys = job.settings.documents.prune and any(
        not _is_gone(root / found.path) for found in store.documents.of_run(job.run_id)
    )
    elsewhere = store.documents.found_elsewhere(job.run_id)
    waiting = store.documents.found_elsewhere(job.run_id, [DocumentStatus.READ])
    count = pruned = 0
    for document in store.documents.not_of_run(job.run_id):
        if not _is_gone(root / document.path):
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


def _is_gone(path: Path) -> bool:
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def _remove_outputs(run: Run, document: StoredDocument) -> bool:
    """Remove what PRISM wrote of ``document``, and the folders that are empty then.

    False, and nothing of it is forgotten, where a file is no longer as it was written, or cannot be
    removed: what a person made of it is not ours to destroy.
    """
    output = run.job.output
    for name in run.store.outputs.of_document(document.id):
        path = output / name.path
        if not os.path.lexists(path):
            continue
        if not is_file_with(path, {name.content}, run.store.cipher):
            return False
        try:
            path.unlink()
        except OSError:
            return False
        with suppress(OSError):  # the first that is not empty
            for folder in path.parents:
                if folder == output:
                    break
                folder.rmdir()
    return True
