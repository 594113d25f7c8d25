"""Collection of the sentences of a run that a person may review.

Entry: ``collect_units``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import chain
from math import ceil

from prism_core.alignment import Span, Translation
from prism_core.cat.review import NO_CAUSES, Reason, ReviewUnit, find_causes
from prism_core.formats import project_looks
from prism_core.record import TO_LOOK_AT
from prism_core.settings import Job
from prism_core.stages import Run, classify_for_review, read_texts
from prism_core.state import SegmentLayout, SentencePlace, SentenceStatus, UserKey
from prism_core.translation_memory import (
    TranslationUnit,
    find_matches,
    is_writable,
    translations,
)

_AROUND = 3
"""Number of sentences that are shown before, and after, one to review."""


def collect_units(
    job: Job, run_id: str, only: Collection[Reason], pattern: str = "*", worst: int = 0
) -> list[ReviewUnit]:
    """Return the units with a reason of ``only``, with the matches of memories and reviews.

    The ``worst`` so many percent of all are among them, by their estimated quality.
    """
    with Run.view(job) as view:
        found = _list_units(view, run_id, pattern)
    rated = sorted((unit for unit in found if unit.quality is not None), key=ReviewUnit.rank)
    bad = {unit.id for unit in rated[: ceil(len(found) * worst / 100)]}
    units = [unit for unit in found if unit.reason in only or unit.id in bad]
    memory, key = job.settings.memory, UserKey(job.settings.key).load
    files = [file for file in memory.files if file.exists()]  # a suggestion is worth no refusal
    reviewed = (unit for unit in found if unit.detail == SentenceStatus.REVIEWED)
    known = chain(
        translations(files, job.source, job.target, key),
        (TranslationUnit(unit.source, unit.translation) for unit in reviewed),
    )
    matches = find_matches(
        {unit.id: unit.source for unit in units},
        (unit for unit in known if is_writable(unit.source, unit.target)),
        memory.fuzzy_threshold,
        memory.machine_penalty,
        memory.unreviewed_penalty,
    )
    return [replace(unit, match=matches.get(unit.id)) for unit in units]


def _list_units(view: Run, run_id: str, pattern: str) -> list[ReviewUnit]:
    """Return every sentence, once, of the documents that the run wrote or found unchanged."""
    store, found, other_documents = view.store, dict[str, ReviewUnit](), dict[str, int]()
    for document in store.documents.of_run(run_id):
        if not document.status.is_translated or not fnmatchcase(document.path, pattern):
            continue
        stored = store.sentences.of_document(document.id, encodings=False)
        reasons = {row_id: classify_for_review(sentence) for row_id, sentence in stored.items()}
        doubted = [row_id for row_id, (reason, _) in reasons.items() if reason in TO_LOOK_AT]
        doubts = store.sentences.of_document(document.id, doubted)
        texts = read_texts(view, document)
        places = [
            (f"{segment.kind} {number}", place.sentence, looks)
            for number, segment in enumerate(store.documents.layout(document.id), 1)
            if segment.kind != "filename"
            for place, looks in _locate_looks(segment, texts)
        ]
        ids = [row_id for _, row_id, _ in places]
        for row_id in found.keys() & ids:
            other_documents[row_id] = other_documents.get(row_id, 0) + 1
        for at, (where, row_id, looks) in enumerate(places):
            if row_id not in found:
                source, translation = texts[row_id]
                shown = translation or Translation("")
                doubt = doubts.get(row_id)
                found[row_id] = ReviewUnit(
                    row_id,
                    document.path,
                    where,
                    source,
                    shown.text,
                    *reasons[row_id],
                    looks=looks,
                    shown=project_looks(source, looks, shown),
                    causes=find_causes(doubt, source, shown, view.job.target)
                    if doubt
                    else NO_CAUSES,
                    quality=stored[row_id].quality,
                    around=tuple(dict.fromkeys(ids[max(at - _AROUND, 0) : at + _AROUND + 1])),
                )
    return [replace(unit, others=other_documents.get(unit.id, 0)) for unit in found.values()]


def _locate_looks(
    segment: SegmentLayout, texts: Mapping[str, tuple[str, Translation | None]]
) -> Iterator[tuple[SentencePlace, tuple[Span, ...]]]:
    """Yield the sentences of ``segment`` and the spans of each with a deviating appearance."""
    position = 0
    for piece in segment.pieces:
        if isinstance(piece, str):
            position += len(piece)
            continue
        length = len(texts[piece.sentence][0])
        inside = [
            (max(start - position, 0), min(end - position, length)) for start, end in segment.looks
        ]
        yield (
            piece,
            tuple(
                (start, end) for start, end in inside if start < end or 0 < start == end < length
            ),
        )
        position += length + len(piece.trailing)
