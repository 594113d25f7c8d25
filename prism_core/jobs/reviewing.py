"""A review: what should be looked at, written to a file; and what came back, put in place.

Entry: ``export_review``; ``import_review`` and ``serve_review`` -> ``OpenReview``: ``take`` what
fits, and ``finish``: ``_rebuild`` writes the documents.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path

from prism_core.alignment import Span, Translation
from prism_core.errors import ConfigurationError, DocumentError
from prism_core.formats import project_looks
from prism_core.jobs.translation import last_job, last_report
from prism_core.review import (
    Correction,
    Reason,
    ReviewUnit,
    Term,
    check_review_file,
    check_terms_file,
    fit_correction,
    propose_term,
    read_review,
    write_review,
    write_terms,
)
from prism_core.settings import AUTO, Job, new_run_id
from prism_core.stages import (
    Folders,
    Run,
    check_unchanged,
    classify_for_review,
    read_texts,
    report,
    settle_reviewed,
    write,
)
from prism_core.state import (
    DocumentStatus,
    Reviewed,
    SegmentLayout,
    SentencePlace,
    StatePlace,
    StoredDocument,
    UserKey,
)
from prism_core.translation_memory import SUFFIX

TO_LOOK_AT = (Reason.WITHHELD, Reason.LOCAL, Reason.UNTRANSLATED, Reason.UNSURE)
_DONE = (DocumentStatus.WRITTEN, DocumentStatus.UNCHANGED)
_NAME = re.compile(r"[^\x00-\x1f\x7f]{1,80}")
_AT_ONCE = 50
_SEVERAL = "mul"
"""ISO 639 for several languages."""
_NONE = "Nothing was accepted since the documents were written."


@dataclass(frozen=True, slots=True)
class ExportedReview:
    """``units`` were written, of ``documents``; ``left_out`` more hold what XML cannot.

    ``in_clear``: whoever can read the file reads them.
    """

    units: int
    documents: int
    left_out: int
    in_clear: bool


@dataclass(frozen=True, slots=True)
class ImportedReview:
    """Of the units, ``corrected`` and ``confirmed`` are taken; ``misfits`` (their ids) belong to no
    sentence of the archive as it is now, and the formatting marks of the ``broken`` are no good.
    ``unmarked`` are taken, but came back without their marks. ``terms`` follow from corrections.
    ``rebuilt`` documents hold what was taken, ``changed`` ones (their paths) wait for the next run,
    since their sources are not what was translated."""

    corrected: int
    confirmed: int
    misfits: tuple[str, ...]
    broken: tuple[str, ...]
    unmarked: tuple[str, ...]
    terms: tuple[Term, ...]
    rebuilt: int
    changed: tuple[str, ...]


def reasons(said: str) -> frozenset[Reason]:
    """The reasons that ``said`` names, commas between; raises ``ConfigurationError`` for others."""
    names = {name.strip() for name in said.split(",")}
    if unknown := sorted(names.difference(Reason)):
        raise ConfigurationError(f"{unknown[0]!r} is none of {', '.join(Reason)}")
    return frozenset(map(Reason, names))


def export_review(
    job: Job,
    file: Path,
    *,
    only: Collection[Reason] = TO_LOOK_AT,
    documents: str = "*",
    newest: bool = False,
    replace: bool = False,
) -> ExportedReview:
    """Write the sentences of the last run over ``job.output`` that are to be reviewed to ``file``.

    Those with a reason of ``only``, in documents whose path matches the pattern ``documents``, each
    once. In clear, unless its name ends in ``.sealed``: then sealed under the key of the state.
    Raises ``ConfigurationError`` when nothing is to be reviewed or ``file`` is there already,
    ``OutputError`` and ``StateError``.
    """
    sealed = file.suffix == SUFFIX
    check_review_file(file)
    run = last_report(job).row
    with Run.view(job) as view:
        units = [u for u in _units(view, run["run_id"], documents) if u.reason in only]
    if not units:
        raise ConfigurationError(f"{job.output} holds nothing to review that this asks for")
    key = UserKey(job.settings.key).load() if sealed else None
    several = run["source"] == AUTO
    languages = _SEVERAL if several else run["source"], run["target"]
    left = write_review(file, units, languages, key=key, replace=replace, newest=newest)
    documents_held = len({unit.document for unit in units})
    return ExportedReview(len(units) - left, documents_held, left, in_clear=not sealed)


def import_review(job: Job, file: Path, reviewer: str, terms: Path | None = None) -> ImportedReview:
    """Take what a person made of ``file``, and write the documents that hold it anew.

    Taken is what was changed, or is marked as approved. It wins over every stored answer, now and
    in later runs, wherever the same sentence stands. Nothing is sent. The report of this run says
    which documents were reviewed, by ``reviewer``, a name. The terms that follow from corrections
    are written to ``terms`` in clear, a new glossary that nothing uses. Raises
    ``ConfigurationError`` for a file, a name or settings that cannot be used, before anything is
    changed, and ``StateError``.
    """
    if terms is not None:
        check_terms_file(terms)
    review = OpenReview(job, reviewer)
    review.take(read_review(file, UserKey(job.settings.key).load))
    done = review.finish()
    if terms is not None and done.terms:
        write_terms(terms, done.terms)
    return done


def serve_review(
    job: Job, reviewer: str, port: int, announce: Callable[[str], object]
) -> ImportedReview | None:
    """Let ``reviewer`` review in a browser on this machine, until Ctrl-C; then the documents are
    written, if they are not yet. ``announce`` is told the address.

    Nothing leaves the machine. Gives what was written at the end; None where nothing was. Raises as
    ``import_review``, and ``ConfigurationError`` where there is nothing to review or ``port`` is
    taken.
    """
    from prism_core.review import web_server  # and its libraries: no other command needs them

    review = OpenReview(job, reviewer)
    units = sorted(review.units(), key=ReviewUnit.rank)
    if not units:
        raise ConfigurationError(f"{job.output} holds nothing to review")

    def take(correction: Correction) -> str:
        review.take(iter([correction]))
        return ""

    def finish() -> str:
        return f"{review.finish().rebuilt:,} documents were written." if review.has_more else _NONE

    web_server.serve(units, take, finish, port, announce)
    return review.finish() if review.has_more else None


class OpenReview:
    """What one person, ``reviewer``, reviews of the last run over ``job.output``.

    ``take`` what they say, at once or one after the other; ``finish`` writes the documents. What
    was taken is kept whatever happens then: documents that were not written are by the next run.
    Raises ``ConfigurationError`` for a name that is none or where nothing was translated.
    """

    def __init__(self, job: Job, reviewer: str) -> None:
        if not _NAME.fullmatch(reviewer.strip()):
            raise ConfigurationError("say in --reviewer who reviewed it: up to 80 characters")
        self._reviewer = reviewer.strip()
        last_report(job)
        self._job = last_job(job)
        self._accepted: dict[str, bool] = {}
        self._misfits: list[str] = []
        self._broken: list[str] = []
        self._unmarked: list[str] = []
        self._terms: list[Term] = []

    @property
    def has_more(self) -> bool:
        """Whether something was taken that is in no document yet."""
        return bool(self._accepted)

    def units(self, only: Collection[Reason] = TO_LOOK_AT) -> list[ReviewUnit]:
        """What is to be reviewed."""
        last: str = last_report(self._job).row["run_id"]
        with Run.view(self._job) as view:
            return [unit for unit in _units(view, last, "*") if unit.reason in only]

    def take(self, corrections: Iterator[Correction]) -> None:
        """Store those of ``corrections`` that fit the archive as it is now and say something."""
        languages = self._job.source, self._job.target
        with StatePlace.of(self._job).hold(), Run.open(self._job) as run:
            while batch := {c.id: c for c in islice(corrections, 500)}:
                known = run.store.recalled.fetch(batch)
                given: dict[str, Reviewed] = {}
                accepted: dict[str, bool] = {}
                for row_id, correction in batch.items():
                    source, translation = known.get(row_id, ("", Translation("")))
                    if not source or correction.source.split() != source.split():
                        self._misfits.append(row_id)
                        continue
                    fitted = fit_correction(correction, source, translation)
                    if fitted is None:
                        self._broken.append(row_id)
                        continue
                    said, unmarked = fitted
                    if said != translation or correction.approved:
                        review_id = run.store.reviews.id_of(source, languages)
                        given[review_id] = Reviewed(said, self._reviewer)
                        accepted[row_id] = said != translation
                        term = propose_term(source, translation, said.text)
                        self._terms += [term] if term else []
                        if unmarked:
                            self._unmarked.append(row_id)
                run.store.reviews.record(given, accepted)
                self._accepted |= accepted

    def finish(self) -> ImportedReview:
        """Write the documents that hold what was taken, and the report."""
        job, accepted = self._job, self._accepted
        with StatePlace.of(job).hold(), Run.open(job) as run:
            run.store.runs.begin(job.run_id)
            # Not what it was when the review began: a night may have passed since.
            rebuilt, changed = _rebuild(run, last_report(job).row["run_id"], accepted)
            report(run)
            run.store.runs.end(job.run_id, "complete")
        Folders(job).remove_partial()
        corrected = sum(accepted.values())
        done = ImportedReview(
            corrected,
            len(accepted) - corrected,
            tuple(self._misfits),
            tuple(self._broken),
            tuple(self._unmarked),
            tuple(dict.fromkeys(self._terms)),
            rebuilt,
            changed,
        )
        self._job = job.model_copy(update={"run_id": new_run_id()})
        self._accepted, self._misfits, self._broken = {}, [], []
        self._unmarked, self._terms = [], []
        return done


def _units(view: Run, run_id: str, pattern: str) -> list[ReviewUnit]:
    """Every sentence of the documents that the run wrote, or found as they were, once."""
    store, found, others = view.store, dict[str, ReviewUnit](), dict[str, int]()
    for document in store.documents.of_run(run_id):
        if document.status not in _DONE or not fnmatchcase(document.path, pattern):
            continue
        stored = store.sentences.of_document(document.id, encodings=False)
        texts = read_texts(view, document)
        seen = set()
        for number, segment in enumerate(store.documents.layout(document.id), 1):
            if segment.kind == "filename":
                continue
            for place, looks in _looks(segment, texts):
                row_id = place.sentence
                if row_id in found and row_id not in seen:
                    others[row_id] = others.get(row_id, 0) + 1
                seen.add(row_id)
                if row_id not in found:
                    source, translation = texts[row_id]
                    said = translation or Translation("")
                    found[row_id] = ReviewUnit(
                        row_id,
                        document.path,
                        f"{segment.kind} {number}",
                        source,
                        said.text,
                        *classify_for_review(stored[row_id]),
                        looks=looks,
                        shown=project_looks(source, looks, said),
                    )
    return [replace(unit, others=others.get(unit.id, 0)) for unit in found.values()]


def _looks(
    segment: SegmentLayout, texts: Mapping[str, tuple[str, Translation | None]]
) -> Iterator[tuple[SentencePlace, tuple[Span, ...]]]:
    """The sentences of ``segment`` and where each looks otherwise than most of the segment."""
    at = 0
    for piece in segment.pieces:
        if isinstance(piece, str):
            at += len(piece)
            continue
        length = len(texts[piece.sentence][0])
        inside = [(max(a - at, 0), min(b - at, length)) for a, b in segment.looks]
        yield piece, tuple((a, b) for a, b in inside if a < b or 0 < a == b < length)
        at += length + len(piece.trailing)


def _rebuild(run: Run, last: str, sentences: Collection[str]) -> tuple[int, tuple[str, ...]]:
    """Write the documents that hold ``sentences`` anew, without a translator; all others of the
    run ``last`` stay as they are. Gives how many, and the paths of those that cannot be."""
    store = run.store
    theirs = [d for d in store.documents.of_run(last) if d.status in _DONE]
    holding = store.documents.with_sentences(sentences)
    fitting = {d.id: _fits(run, d) for d in theirs if d.id in holding}
    store.reopen(run.job.run_id, last, [row_id for row_id, fits in fitting.items() if fits])
    settle_reviewed(run)
    rebuilt = iter([row_id for row_id, fits in fitting.items() if fits])
    written = 0
    while chunk := tuple(islice(rebuilt, _AT_ONCE)):
        written += write(run, chunk).documents
    return written, tuple(d.path for d in theirs if not fitting.get(d.id, True))


def _fits(run: Run, document: StoredDocument) -> bool:
    """Whether the source of ``document`` is what was translated."""
    try:
        with run.folders.archive.open(document.path) as source:
            check_unchanged(source, document, run.store.cipher)
    except (DocumentError, OSError):
        return False
    return True
