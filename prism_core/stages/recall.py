"""Settle sentences from reviews and translation memories, between reading and encoding."""

from __future__ import annotations

from itertools import chain, islice

from prism_core.alignment import Translation
from prism_core.stages.chunks import StageResult
from prism_core.stages.run import Run, stage
from prism_core.state import SentenceStatus, UserKey
from prism_core.translation_memory import normal_form, translations

_AT_ONCE = 200_000
"""Number of sentences looked up in one pass over the files: it bounds memory, not the matches."""


@stage("recall")
def recall(run: Run) -> StageResult:
    """Translate the sentences of this run that ``memory.files`` hold, so that they are not sent.

    Only sentences without an answer are settled: a stored answer stays. A sentence settled from an
    earlier memory follows the files as they are now, or goes back to be translated. Reviewed
    translations take precedence over memories and answers. Raises ``ConfigurationError`` or
    ``WrongKey`` for a file that cannot be used, before anything is sent.

    A match depends on the sentence's text alone. Therefore no sentence that waits to be sent is
    settled in documents whose mechanism bounds ε: not sending it would reveal its text.
    """
    settle_reviewed(run)
    job, recalled, keyed = run.job, run.store.recalled, run.store.cipher.keyed_id
    files, key = job.settings.memory.files, UserKey(job.settings.key).load
    bounded = job.bounded_treatments
    batches = recalled.candidates(job.run_id, all_unanswered=bool(files), bounded=bounded)
    waiting = chain.from_iterable(batches)
    settled = 0
    while batch := list(islice(waiting, _AT_ONCE)):
        ids: dict[str, list[str]] = {}
        for candidate in batch:
            form = keyed("memory", normal_form(candidate.text).encode())
            ids.setdefault(form, []).append(candidate.id)
        # The files are streamed: only the translations that are wanted are kept in memory.
        found: dict[str, Translation] = {}
        for unit in translations(files, job.source, job.target, key):
            for row_id in ids.get(keyed("memory", unit.source.encode()), ()):
                found[row_id] = Translation(unit.target)
        recalled.settle(found)
        recalled.release(
            candidate.id for candidate in batch if candidate.settled and candidate.id not in found
        )
        settled += len(found)
    return StageResult(sentences=settled)


def settle_reviewed(run: Run) -> None:
    """Give each sentence of this run that a person has reviewed that translation.

    It takes precedence over stored answers and memories, wherever the same text occurs. Under a
    bounded ε it does so when nothing of the sentence waits to be sent.
    """
    job, store = run.job, run.store
    languages, bounded = (job.source, job.target), job.bounded_treatments
    for batch in store.recalled.texts(job.run_id, bounded) if store.reviews.count() else ():
        ids = {row_id: store.reviews.id_of(text, languages) for row_id, text in batch}
        reviewed = store.reviews.find(ids.values())
        found = {i: reviewed[ids[i]].translation for i in ids if ids[i] in reviewed}
        store.recalled.settle(found, SentenceStatus.REVIEWED)
