"""Why a person should look at a sentence, and what the documents say of it.

Entry: ``why_look`` for one sentence; ``marks_in`` for all of a document, by the settings.
"""

from __future__ import annotations

from collections.abc import Mapping

from prism_core.record import Reason
from prism_core.report import REASONS
from prism_core.stages.decode import ADDED
from prism_core.stages.run import Run
from prism_core.state import SentenceStatus, StoredSentence


def why_look(sentence: StoredSentence) -> tuple[Reason, str]:
    """Why it should be looked at, and what more there is to say: a class or a count."""
    if not sentence.status.is_translated:
        return Reason.WITHHELD, sentence.reason
    if sentence.status is SentenceStatus.LOCAL:
        return Reason.LOCAL, sentence.reason
    if sentence.untranslated:
        return Reason.UNTRANSLATED, f"words {sentence.untranslated}"
    if sentence.unsure or sentence.reason.startswith(ADDED):
        return Reason.UNSURE, sentence.reason
    if sentence.status is SentenceStatus.REVIEWED:
        return Reason.TRANSLATED, "reviewed"
    return Reason.TRANSLATED, ""


def marks_in(run: Run, document: str) -> Mapping[str, str]:
    """What is to be said in ``document`` of its sentences, by id; nothing unless the settings ask
    for it."""
    if not run.job.settings.documents.mark_untranslated:
        return {}
    stored = run.store.sentences.of_document(document, encodings=False)
    said = {row_id: _say(sentence) for row_id, sentence in stored.items()}
    return {row_id: words for row_id, words in said.items() if words}


def _say(sentence: StoredSentence) -> str:
    """In words what ``why_look`` says; nothing where nothing is known against it."""
    reason, detail = why_look(sentence)
    if reason is Reason.WITHHELD:
        why = REASONS.get(detail)
        return f"Not translated. {why}" if why else f"Not translated: {detail.replace('-', ' ')}."
    if reason is Reason.LOCAL:
        return "Translated by the model on this machine, not by the translator."
    if reason is Reason.UNTRANSLATED:
        return f"Words left in the source language: {sentence.untranslated}."
    if reason is Reason.UNSURE:
        added = detail.startswith(ADDED)
        return f"Unsure. {'Something may have been added' if added else 'A word may be wrong'}."
    return ""
