"""Export sentences for review to a file, and put the reviewed translations in place.

Entry: ``export_review``; ``import_review`` and ``serve_review`` -> ``OpenReview``: ``take`` the
corrections that fit, and ``finish``: ``_rebuild_documents`` writes the documents.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from prism_core.alignment import Translation
from prism_core.cat.jobs.review_collection import collect_units
from prism_core.cat.review import (
    Correction,
    ProposedTerm,
    Reason,
    ReviewUnit,
    check_review_file,
    check_terms_file,
    fit_correction,
    propose_term,
    read_review,
    write_review,
    write_terms,
)
from prism_core.errors import ConfigurationError, DocumentError
from prism_core.jobs import last_job, last_report
from prism_core.record import TO_LOOK_AT
from prism_core.settings import AUTO, Job, new_run_id
from prism_core.stages import (
    Folders,
    Run,
    check_unchanged,
    report,
    settle_reviewed,
    write,
)
from prism_core.state import (
    Reviewed,
    StatePlace,
    StoredDocument,
    UserKey,
)
from prism_core.translation_memory import SUFFIX

_NAME = re.compile(r"[^\x00-\x1f\x7f]{1,80}")
_AT_ONCE = 50
_SEVERAL = "mul"
"""Code of ISO 639 for several languages."""
NOTHING_ACCEPTED = "Nothing was accepted since the documents were written, so nothing is written"


@dataclass(frozen=True, slots=True)
class ExportedReview:
    """Counts of an export: the ``units`` written, their ``documents`` and the units ``left_out``.

    Units are left out if they hold characters that XML cannot. ``in_clear`` is True if whoever can
    read the file can read the texts. ``places`` are those that the report names beside sentences.
    """

    units: int
    documents: int
    left_out: int
    places: int
    in_clear: bool


@dataclass(frozen=True, slots=True)
class ImportedReview:
    """Counts and findings of an import.

    ``corrected`` and ``confirmed`` units are accepted. ``misfits`` (ids) belong to no sentence of
    the archive as it is now; the formatting marks of the ``broken`` are invalid. The ``unmarked``
    are accepted, but came back without their marks. ``terms`` follow from corrections. ``rebuilt``
    documents hold the accepted translations; ``changed`` ones (their paths) wait for the next run,
    because their sources are not the ones that were translated.
    """

    corrected: int
    confirmed: int
    misfits: tuple[str, ...]
    broken: tuple[str, ...]
    unmarked: tuple[str, ...]
    terms: tuple[ProposedTerm, ...]
    rebuilt: int
    changed: tuple[str, ...]

    @property
    def summary(self) -> str:
        """Line that says what was written, and what was not."""
        accepted = f"{self.corrected:,} sentence{'s' * (self.corrected != 1)} corrected"
        written = f"{self.rebuilt:,} document{'s' * (self.rebuilt != 1)} written"
        waiting = f". Left to the next run, since the source changed: {', '.join(self.changed)}"
        return f"{accepted}, {self.confirmed:,} confirmed; {written}{waiting * bool(self.changed)}"


def parse_reasons(text: str) -> frozenset[Reason]:
    """Return the reasons in ``text``, separated by commas; ``ConfigurationError`` for others."""
    names = {name.strip() for name in text.split(",")}
    if unknown := sorted(names.difference(Reason)):
        raise ConfigurationError(f"{unknown[0]!r} is not one of {', '.join(Reason)}")
    return frozenset(map(Reason, names))


def export_review(
    job: Job,
    file: Path,
    *,
    only: Collection[Reason] = TO_LOOK_AT,
    documents: str = "*",
    worst: int = 0,
    newest: bool = False,
    replace: bool = False,
) -> ExportedReview:
    """Write the sentences of the last run over ``job.output`` that need a review to ``file``.

    These are sentences with a reason of ``only``, in documents whose path matches the pattern
    ``documents``, each once, and the ``worst`` so many percent of all sentences there, by their
    estimated quality. The file is in clear, unless its name ends in ``.sealed``: then it is
    sealed under the key of the state. Raises ``ConfigurationError`` when nothing is to be reviewed
    or ``file`` exists already, ``OutputError`` and ``StateError``.
    """
    sealed = file.suffix == SUFFIX
    check_review_file(file)
    run = last_report(job).row
    units = collect_units(last_job(job), run["run_id"], only, documents, worst)
    if not units:
        raise ConfigurationError(f"{job.output} holds nothing to review that matches the options")
    key = UserKey(job.settings.key).load() if sealed else None
    several = run["source"] == AUTO
    languages = _SEVERAL if several else run["source"], run["target"]
    left_out = write_review(file, units, languages, key=key, replace=replace, newest=newest)
    document_count = len({unit.document for unit in units})
    places = run["places_to_look_at"]
    return ExportedReview(
        len(units) - left_out, document_count, left_out, places, in_clear=not sealed
    )


def import_review(job: Job, file: Path, reviewer: str, terms: Path | None = None) -> ImportedReview:
    """Accept the changes that a person made in ``file``, and rewrite the documents that hold them.

    Units that were changed or marked as approved are accepted. They take precedence over every
    stored answer, now and in later runs, wherever the same sentence occurs. Nothing is sent. The
    report of this run says which documents were reviewed, by ``reviewer``, a name. The terms that
    follow from corrections are written to ``terms`` in clear, a new glossary that nothing uses.
    Raises ``ConfigurationError`` for a file, a name or settings that cannot be used, before
    anything is changed, and ``StateError``.
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
    """Let ``reviewer`` review in a browser on this machine, until Ctrl-C.

    The documents are written at the end, if they are not yet. ``announce`` is called with the
    address. Nothing leaves the machine. Returns the result of the last writing; None where nothing
    was written. Raises as ``import_review``, and ``ConfigurationError`` where there is nothing to
    review or ``port`` is taken.
    """
    from prism_core.cat.review import web_server  # imported here: its libraries serve this command

    review = OpenReview(job, reviewer)
    units = sorted(review.units(frozenset(Reason)), key=ReviewUnit.rank)
    if not units:
        raise ConfigurationError(f"{job.output} holds nothing to review")

    def take(correction: Correction) -> None:
        review.take(iter([correction]))

    def finish() -> str:
        return review.finish().summary if review.has_more else NOTHING_ACCEPTED

    web_server.serve(units, take, finish, port, announce)
    return review.finish() if review.has_more else None


class OpenReview:
    """A review of the last run over ``job.output`` by one person, ``reviewer``.

    ``take`` their corrections, at once or one after the other; ``finish`` writes the documents.
    Accepted corrections are kept in any case: documents that were not written are written by the
    next run. Raises ``ConfigurationError`` for an invalid name or where nothing was translated.
    """

    def __init__(self, job: Job, reviewer: str) -> None:
        if not _NAME.fullmatch(reviewer.strip()):
            raise ConfigurationError("name the reviewer with --reviewer: up to 80 characters")
        self._reviewer = reviewer.strip()
        last_report(job)
        self._job = last_job(job)
        self._accepted: dict[str, bool] = {}
        self._misfits: list[str] = []
        self._broken: list[str] = []
        self._unmarked: list[str] = []
        self._terms: list[ProposedTerm] = []

    @property
    def has_more(self) -> bool:
        """True if a correction was accepted that is in no document yet."""
        return bool(self._accepted)

    def units(self, only: Collection[Reason] = TO_LOOK_AT) -> list[ReviewUnit]:
        """Return the units to review."""
        return collect_units(self._job, last_report(self._job).row["run_id"], only)

    def take(self, corrections: Iterator[Correction]) -> None:
        """Store the corrections that fit the archive as it is and change or approve something."""
        languages = self._job.source, self._job.target
        with StatePlace.of(self._job).hold(), Run.open(self._job) as run:
            while batch := {correction.id: correction for correction in islice(corrections, 500)}:
                known = run.store.recalled.fetch(batch)
                reviewed: dict[str, Reviewed] = {}
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
                    corrected, unmarked = fitted
                    if corrected != translation or correction.approved:
                        review_id = run.store.reviews.id_of(source, languages)
                        reviewed[review_id] = Reviewed(corrected, self._reviewer)
                        accepted[row_id] = corrected != translation
                        term = propose_term(source, translation, corrected.text)
                        self._terms += [term] if term else []
                        if unmarked:
                            self._unmarked.append(row_id)
                run.store.reviews.record(reviewed, accepted)
                self._accepted |= accepted

    def finish(self) -> ImportedReview:
        """Write the documents that hold accepted corrections, and the report."""
        job, accepted = self._job, self._accepted
        with StatePlace.of(job).hold(), Run.open(job) as run:
            run.store.runs.begin(job.run_id)
            # Another run may have ended since the review began, so the report is read again.
            rebuilt, changed = _rebuild_documents(run, last_report(job).row["run_id"], accepted)
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


def _rebuild_documents(
    run: Run, last: str, sentences: Collection[str]
) -> tuple[int, tuple[str, ...]]:
    """Rewrite the documents that hold ``sentences``, without a translator.

    All other documents of the run ``last`` stay as they are. Returns the number of documents, and
    the paths of those that cannot be rewritten.
    """
    store = run.store
    done = [document for document in store.documents.of_run(last) if document.status.is_translated]
    holding = store.documents.with_sentences(sentences)
    fitting = {
        document.id: _has_same_source(run, document) for document in done if document.id in holding
    }
    store.reopen(run.job.run_id, last, [row_id for row_id, fits in fitting.items() if fits])
    settle_reviewed(run)
    rebuilt = iter([row_id for row_id, fits in fitting.items() if fits])
    written = 0
    while chunk := tuple(islice(rebuilt, _AT_ONCE)):
        written += write(run, chunk).documents
    return written, tuple(document.path for document in done if not fitting.get(document.id, True))


def _has_same_source(run: Run, document: StoredDocument) -> bool:
    """Return True if the source of ``document`` is the one that was translated."""
    try:
        with run.folders.archive.open(document.path) as source:
            check_unchanged(source, document, run.store.cipher)
    except (DocumentError, OSError):
        return False
    return True
