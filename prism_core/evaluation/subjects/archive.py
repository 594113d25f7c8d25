"""Data subjects of a finished run, and what was really sent of them, as the state has it.

Entry: ``observe_subjects``. Each document stands for one subject.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from prism_core.dictionary import Dictionary
from prism_core.evaluation.subjects.records import (
    Sent,
    Subject,
    as_request,
    fold_words,
)
from prism_core.evaluation.surviving import LANGUAGE, GoldNames, listed_names
from prism_core.stages import Run
from prism_core.state import StoredDocument


def observe_subjects(
    view: Run, run_id: str, dictionary: Dictionary
) -> tuple[list[Subject], list[Sent]]:
    """Return the subjects of ``run_id`` of whom anything was sent, and what that was.

    Every encoding that was ever sent of a sentence counts. Names of an English archive are found
    without any of the detectors that protect; of another only links are tried.
    """
    texts: dict[str, Mapping[str, str]] = {}
    sent: list[Sent] = []
    for document in view.store.documents.of_run(run_id):
        if requests := _requests(view, document):
            texts[document.id] = dict(view.store.sentences.source_texts(document.id))
            sent.append(requests)
    names = GoldNames.of(
        chain(*(each.values() for each in texts.values())),
        frozenset(entry.word for entry in dictionary) | LANGUAGE.words.titles,
        listed_names(dictionary),
    )
    is_read = dictionary.language.code == LANGUAGE.code
    subjects = [
        Subject(
            name,
            tuple(lines.values()),
            frozenset(fold_words(word) for text in lines.values() for word in names.within(text))
            if is_read
            else frozenset(),
        )
        for name, lines in texts.items()
    ]
    return subjects, sent


def _requests(view: Run, document: StoredDocument) -> Sent:
    stored = view.store.sentences.of_document(document.id)
    sent = {key: each for key, each in stored.items() if each.draws and each.encoded}
    earlier = view.store.sentences.earlier(key for key, each in sent.items() if each.draws > 1)
    encodings = [encoded for draws in earlier.values() for encoded, _ in draws]
    encodings += [each.encoded for each in sent.values() if each.encoded]
    return [as_request(encoded.text, encoded.drawn) for encoded in encodings if encoded.text]
