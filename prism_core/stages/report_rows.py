"""Build the rows of a run's report from its state: counts and classes, never text.

Entry: ``document_rows`` (a document -> its sentences, added up in a ``_Tally`` -> its identifiers)
and ``request_rows``.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from functools import cache
from itertools import count, islice
from statistics import fmean, median
from typing import Any

from prism_core import decoding, encoding
from prism_core.accounting import compose, epsilon_of_sends
from prism_core.errors import DocumentFailure
from prism_core.identifiers import DenyList, count_detected, count_replaced
from prism_core.mechanisms import Mechanism
from prism_core.record import Encoded, Fate
from prism_core.report import (
    ABSENT,
    NOT_REACHED,
    PICTURE,
    DocumentRow,
    IdentifierRow,
    Outcome,
    ReportFolder,
    RequestRow,
    SentenceRow,
    count_places,
)
from prism_core.settings import IdentifierClass
from prism_core.stages.decode import ADDED
from prism_core.stages.encode import POLICY
from prism_core.stages.gate import describe_losses, gate_columns
from prism_core.stages.run import Run
from prism_core.stages.sending import list_translators
from prism_core.stages.write import count_to_look_at
from prism_core.state import (
    DocumentStatus,
    SentenceStatus,
    StoredDocument,
    StoredSentence,
)
from prism_core.translators import FAILURES_UNANSWERED, FAILURES_UNBILLED, Sent

UNSURE_SENTENCES, ADDED_SENTENCES = "sentences:unsure", "sentences:added"
_NOT_REACHED_ADVICE = "The run was stopped before it was done; run again to go on."
_FAILED_ADVICE = "The translator failed before it was done (see above); run again to go on."
_LOSING_ADVICE = "The run was stopped: the translator lost far more words than expected."
_SHOWABLE_NOTICE = re.compile(r"[A-Za-z0-9_.:+-]{0,80}")
_AT_ONCE = 1000
"""Number of sentences of a document that are in memory at a time, with their encodings."""
_NOTHING = Encoded("", (), ())
_NOT_OURS = (SentenceStatus.RECALLED, SentenceStatus.REVIEWED)
_IDENTIFIERS = ("detected", "replaced", "remaining")
_FATES = {
    "tokens_replaced": Fate.REPLACED,
    "tokens_identifier": Fate.IDENTIFIER,
    "tokens_unknown": Fate.UNKNOWN,
    "kept_marks": Fate.MARK,
    "kept_grammar": Fate.GRAMMAR,
    "kept_words": Fate.KEPT,
}
_SUMMED = (
    "tokens",
    "tokens_kept",
    *_FATES,
    *(column.name for column in fields(SentenceRow) if column.name.startswith("words_")),
)
"""Columns of a sentence that its document sums under the same name."""


class _Tally:
    """Totals over the sentences of one document, repeats included.

    Identifiers are ``detected`` in the original text and ``replaced`` in the text that was sent.
    The ``remaining`` ones are looked for in each text that was sent, as it is stored, against
    everything that the archive knows by now: also a name that was learned after the text had been
    sent. If a sentence was sent in several encodings, the last one is stored. Where the encoder
    does not look for identifiers, nothing is known and nothing is counted. ``pools`` are the sizes
    of all sets that were drawn from, ``bits`` the information of each pool; ``terms`` counts terms
    of the user's glossary.
    """

    def __init__(self, deny_list: Callable[[], DenyList]) -> None:
        self._deny_list = deny_list
        self._looks = False
        self._found = {name: Counter[IdentifierClass]() for name in _IDENTIFIERS}
        self.pools: list[int] = []
        self.bits: list[float] = []
        self.terms = 0

    def add(self, encoder: encoding.Encoder, encoded: Encoded, *, sent: bool) -> None:
        """Count one occurrence of a sentence; ``sent`` is True if any encoding of it was sent."""
        self.pools += [replacement.pool for replacement in encoded.record if replacement.pool]
        self.bits += encoder.class_bits(encoded)
        is_term = encoder.dictionary.glossary.entry_of
        self.terms += sum(is_term(r.word, r.tag) is not None for r in encoded.record)
        self._looks = encoder.looks_for_identifiers
        if not self._looks:
            return
        self._found["detected"].update(count_detected(encoded))
        if sent:
            self._found["replaced"].update(count_replaced(encoded))
            self._found["remaining"].update(encoder.remaining(encoded, self._deny_list()))

    def totals(self) -> dict[str, Any]:
        """Return the totals of all classes, by the columns of a document; empty if not counted."""
        if not self._looks:
            return {}
        return {f"identifiers_{name}": found.total() for name, found in self._found.items()}

    def rows(self, run: str, document: str) -> Iterator[IdentifierRow]:
        """Yield one row for each class with any count, in the order of the rule."""
        for label in IdentifierClass:
            counts = {name: found[label] for name, found in self._found.items()}
            if counts["detected"] or counts["remaining"]:
                yield IdentifierRow(
                    run_id=run, document_id=document, identifier_class=label.value, **counts
                )


def document_rows(run: Run) -> Iterator[DocumentRow | IdentifierRow | SentenceRow]:
    """Yield the rows of each document of the run.

    Each document has its own row. A document that was read in this run also has one row for each
    sentence and for each class of identifiers, even if it could not be written: its sentences may
    have been sent.
    """
    job, store = run.job, run.store
    deny_list = cache(lambda: run.deny_list)  # most nights need none
    not_reached = _FAILED_ADVICE if run.stopped else _NOT_REACHED_ADVICE
    if describe_losses(run):
        not_reached = _LOSING_ADVICE
    to_look_at = count_to_look_at(run)
    for document in store.documents.of_run(job.run_id):
        rows: list[SentenceRow] = []
        tally = _Tally(deny_list)
        # A document that could not be read has no sentences.
        was_written = document.status in (DocumentStatus.WRITTEN, DocumentStatus.READ)
        if was_written or (document.status is DocumentStatus.FAILED and document.sentences):
            rows = list(_sentence_rows(run, document, tally))
        row = _document_row(run, document, rows, tally, not_reached)
        places = 0 if row.outcome in ABSENT else count_places(row.notices)
        row = replace(row, sentences_to_look_at=to_look_at[document.id], places_to_look_at=places)
        if document.status is DocumentStatus.UNCHANGED and document.left_in_source:  # has no rows
            stored = store.sentences.of_document(document.id, encodings=False).values()
            counts = Counter(map(_sentence_outcome, stored))
            row = replace(
                row,
                sentences_withheld=counts["withheld"],
                sentences_unrestored=counts["unrestored"] + counts["failed"],
            )
        yield row
        yield from tally.rows(job.run_id, document.id)
        yield from rows


def request_rows(run: Run) -> Iterator[RequestRow]:
    """Yield one row for each request, also of interrupted runs before that wrote no report."""
    job, store = run.job, run.store
    listed = reversed(list_translators(run, run.first_pair))
    asked = {(a.to.provider, a.to.endpoint): a.translator for a in listed}
    for run_id in reversed(store.runs.list_continued(job.run_id)):
        if run_id != job.run_id and ReportFolder(job.report_folder).has(run_id):
            continue  # the run was killed after its report was written
        for request in store.requests.of_run(run_id):
            cost = unanswered = None
            translator = asked.get((request.provider, request.endpoint))
            if translator is not None and (price := translator.price) is not None:
                sent = Sent(1, request.texts, request.characters)
                cost, unanswered = sent.cost(price, translator.limits), 0.0
                if request.status in FAILURES_UNBILLED:
                    cost = 0.0
                elif request.status in {"unanswered", *FAILURES_UNANSWERED}:
                    cost, unanswered = 0.0, cost
            is_reported = request.status in ("answered", "unanswered", "rejected")
            yield RequestRow(
                run_id=job.run_id,
                request_id=request.id,
                provider=request.provider,
                endpoint_host=request.endpoint,
                texts=request.texts,
                characters=request.characters,
                attempts=2 if request.again else 1,
                outcome=request.status if is_reported else "failed",
                failure=None if request.status in ("answered", "unanswered") else request.status,
                recorded_at=_time(request.recorded),
                answered_at=_time(request.answered) if request.answered else None,
                cost=cost,
                cost_unanswered=unanswered,
            )


def _document_row(
    run: Run,
    document: StoredDocument,
    rows: list[SentenceRow],
    tally: _Tally,
    not_reached: str,
) -> DocumentRow:
    qualities = [row.quality for row in rows if row.quality is not None]
    pools, sources = tally.pools, Counter(row.source for row in rows)
    mechanism = _encoder_of(run, document).mechanism if rows else None
    # Equal sentences are sent once, so each id counts once.
    losses = {row.sentence_id: row.epsilon for row in rows if row.epsilon is not None}
    added = sum(row.reason.startswith(ADDED) for row in rows)
    sent = [row for row in rows if row.sends]
    sent_words = sum(row.tokens - row.kept_marks for row in sent)
    sent_in_clear = sum(row.kept_grammar + row.kept_words for row in sent)
    # A sentence that a stopped run did not reach was not sent.
    reached = [r for r in rows if r.sends > 0 or document.status is DocumentStatus.WRITTEN]
    return DocumentRow(
        run_id=run.job.run_id,
        document_id=document.id,
        format=document.format,
        source=document.source or None,
        languages=tuple(f"{source}:{count}" for source, count in sorted(sources.items())),
        **_outcome_columns(document, not_reached),
        notices=(
            *map(redact_free_text, document.notices),
            *((PICTURE,) if document.failure == DocumentFailure.PICTURE else ()),
            *((UNSURE_SENTENCES,) if any(row.unsure for row in rows) else ()),
            *((f"{ADDED_SENTENCES}:{added}",) if added else ()),
        ),
        bytes=document.bytes,
        segments=document.segments,
        sentences=len(rows),
        sentences_withheld=sum(row.outcome == "withheld" for row in rows),
        sentences_unrestored=sum(row.outcome in ("unrestored", "failed") for row in reached),
        sentences_from_memory=sum(row.from_memory for row in rows),
        sentences_reviewed=sum(row.reviewed for row in rows),
        sentences_by_local_model=sum(row.by_local_model for row in rows),
        glossary_terms=tally.terms,
        reviewers=_reviewers(run, document, [row.sentence_id for row in rows if row.reviewed]),
        sentences_unsure=sum(row.unsure for row in rows),
        sentences_to_look_at=0,
        places_to_look_at=0,
        quality=fmean(qualities) if qualities else None,
        sentences_in_clear=sum(row.sends > 0 and row.tokens_kept == row.tokens for row in rows),
        **{name: sum(getattr(row, name) for row in rows) for name in _SUMMED},
        tokens_withheld=sum(row.tokens for row in rows if not row.sends),
        **(tally.totals() if rows else {}),
        pool_smallest=min(pools, default=None),
        pool_median=median(pools) if pools else None,
        pool_mean=fmean(pools) if pools else None,
        class_bits_mean=fmean(tally.bits) if tally.bits else None,
        epsilon_word=mechanism.epsilon_word if mechanism else None,
        epsilon_distance=mechanism.distance if mechanism else None,
        unchanged_share=sent_in_clear / sent_words if sent_words else None,
        epsilon_document=compose(losses.values()) if rows else None,
        privacy_score=document.privacy_score,
        **gate_columns(document, rows),
        treatment=document.treatment or None,
        finished_at=_time(document.finished) if document.finished else datetime.now(UTC),
    )


def _reviewers(run: Run, document: StoredDocument, sentences: Sequence[str]) -> str | None:
    """Return the names of the reviewers of ``sentences`` of ``document``."""
    if not sentences:
        return None
    texts = run.store.sentences.texts(document.id, frozenset(sentences))
    languages = (run.job.source, run.job.target)
    ids = {run.store.reviews.id_of(source, languages) for source, _ in texts.values()}
    found = run.store.reviews.find(ids).values()
    return ", ".join(sorted({review.reviewer for review in found}))


def _outcome_columns(document: StoredDocument, not_reached: str) -> dict[str, Any]:
    """Return outcome, class of failure and advice, ``not_reached`` being one of the advices."""
    outcome, failure, advice = Outcome.FAILED, document.failure, document.advice
    match document.status:
        case DocumentStatus.WRITTEN | DocumentStatus.UNCHANGED if document.left_in_source:
            outcome, failure, advice = Outcome.PARTLY, "", ""
        case DocumentStatus.WRITTEN:
            outcome, failure, advice = Outcome.TRANSLATED, "", ""
        case DocumentStatus.FAILED if document.failure == DocumentFailure.IN_TARGET:
            outcome, failure, advice = Outcome.IN_TARGET, "", ""
        case DocumentStatus.FAILED if DocumentFailure(document.failure).is_nothing:
            outcome, failure = Outcome.EMPTY, ""
        case DocumentStatus.UNCHANGED:
            outcome, failure, advice = Outcome.UNCHANGED, "", ""
        case DocumentStatus.GONE | DocumentStatus.RENAMED | DocumentStatus.PRUNED:
            outcome, failure, advice = Outcome(document.status.value), "", ""
        case DocumentStatus.FOUND | DocumentStatus.READ:
            failure, advice = NOT_REACHED, not_reached
    return {"outcome": outcome, "failure": failure, "advice": " ".join(advice.split())}


def _encoder_of(run: Run, document: StoredDocument, source: str = "") -> encoding.Encoder:
    """Return the encoder for sentences of ``document`` in ``source``.

    An empty ``source`` stands for the language of most of the document.
    """
    pair = run.pair_of(document)
    return run.encoder(document.treatment.in_source(pair.source and (source or pair.source)))


def _sentence_rows(run: Run, document: StoredDocument, tally: _Tally) -> Iterator[SentenceRow]:
    """Yield the rows of a document's sentences in their order; adds each to ``tally``."""
    ordinal = count()
    places = (
        (segment.kind, place.sentence)
        for segment in run.store.documents.layout(document.id)
        for place in segment.places()
    )
    while batch := list(islice(places, _AT_ONCE)):
        stored = run.store.sentences.of_document(document.id, {row_id for _, row_id in batch})
        for kind, row_id in batch:
            sentence = stored[row_id]
            encoded = sentence.encoded or _NOTHING
            if sentence.status in _NOT_OURS and not sentence.draws:
                encoded = _NOTHING
            encoder = _encoder_of(run, document, sentence.source)
            tally.add(encoder, encoded, sent=bool(sentence.draws))
            outcome = _sentence_outcome(sentence)
            fates = Counter(encoded.fates if sentence.draws else ())
            pools = [replacement.pool for replacement in encoded.record if replacement.pool]
            yield SentenceRow(
                run_id=run.job.run_id,
                document_id=document.id,
                sentence_id=sentence.id,
                ordinal=next(ordinal),
                source=sentence.source,
                segment_kind=redact_free_text(kind),
                outcome=outcome,
                reason=sentence.reason,
                from_memory=int(sentence.status is SentenceStatus.RECALLED),
                reviewed=int(sentence.status is SentenceStatus.REVIEWED),
                by_local_model=int(sentence.status is SentenceStatus.LOCAL),
                unsure=int(sentence.unsure and outcome == "translated"),
                quality=sentence.quality,
                tokens=len(encoded.fates),
                tokens_kept=sum(n for fate, n in fates.items() if fate.in_clear),
                **{name: fates[fate] for name, fate in _FATES.items()},
                pool_smallest=min(pools, default=None),
                sends=sentence.draws,
                epsilon=_epsilon_of_sentence(sentence, encoder.mechanism),
                words_to_restore=sentence.to_restore,
                words_restored=sentence.restored,
                **{
                    f"words_{strategy}": sentence.ways.get(strategy, 0)
                    for strategy in decoding.SearchStrategy
                },
                words_untranslated=sentence.untranslated,
            )


def _epsilon_of_sentence(sentence: StoredSentence, mechanism: Mechanism) -> float | None:
    """Return ε of all that was sent of a sentence; None when nothing was sent and nothing shows it.

    Where ε is bounded, a draw decides whether a sentence is withheld. Its absence is a result of
    the draw and costs as much as sending it, also when a memory has its translation by now.
    """
    encoded = sentence.encoded or _NOTHING
    tokens = len(encoded.fates)
    withheld = sentence.status is SentenceStatus.WITHHELD or bool(encoded.withheld)
    drawn = withheld and encoded.withheld != POLICY and math.isfinite(mechanism.epsilon_word)
    sends = max(sentence.draws, 1) if drawn else sentence.draws
    return epsilon_of_sends(mechanism.epsilon_word, tokens, sends) if sends else None


def _sentence_outcome(sentence: StoredSentence) -> str:
    """Return the outcome of a sentence; one that was ever sent does not count as withheld."""
    if sentence.status.is_translated:
        return "translated"
    if sentence.status is SentenceStatus.WITHHELD:
        return "unrestored" if sentence.draws else "withheld"
    return "failed"


def redact_free_text(text: str) -> str:
    """Return ``text`` if it has the form of a class or a version, else "other"."""
    return text if _SHOWABLE_NOTICE.fullmatch(text) else "other"


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
