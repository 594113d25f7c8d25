"""From what became of each sentence to the row that is printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace

import sacrebleu

from benchmarks.quality.corpora import Corpus
from benchmarks.quality.methods import Method, Outcome
from prism_core.evaluation import (
    privacy_score,
    quality_score,
    surviving_identifiers,
    untranslated_words,
)


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one method at one setting on one corpus.

    ``pps`` and ``qs`` are None where nothing is asked. ``chrf`` and ``bleu`` (0 to 100) compare
    what the reader gets with T(x_pri), over every sentence of the corpus: one that was withheld
    or never restored counts as its source, which is what stands in the output. ``restore_rate``
    is the share of sent sentences that the first answer restored, ``untranslated`` the share of
    content words that stand in the source language, ``surviving_identifiers`` the share of names
    and numbers to be read in what was sent.
    """

    dataset: str
    method: str
    setting: str
    pps: float | None
    qs: float | None
    chrf: float
    bleu: float
    restore_rate: float
    untranslated: float
    surviving_identifiers: float

    def as_dict(self) -> dict[str, object]:
        """The row for printing."""
        return asdict(self)


def mean(rows: Iterable[Row]) -> Row:
    """The row with the mean of every figure; the rows are of one method at one setting."""
    found = list(rows)
    figures = {
        field.name: _mean([getattr(row, field.name) for row in found])
        for field in fields(Row)
        if field.name not in ("dataset", "method", "setting")
    }
    return replace(found[0], **figures)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def score(corpus: Corpus, method: Method, outcomes: Sequence[Outcome]) -> Row:
    """The row of ``outcomes``, one a sentence of ``corpus``."""
    sent = [" ".join(outcome.sent) for outcome in outcomes]
    texts = [outcome.text for outcome in outcomes]
    first = [outcome.restored_at_once for outcome in outcomes if outcome.sent]
    triples = zip(corpus.private, texts, corpus.direct, strict=True)
    surviving = surviving_identifiers(zip(corpus.private, sent, strict=True), corpus.names)
    pps = qs = None
    if corpus.asked:
        pps = privacy_score(corpus.adversary, corpus.by_document(sent), corpus.asked)
        qs = quality_score(corpus.reader, corpus.by_document(texts), corpus.asked_in_target)
    return Row(
        dataset=corpus.name,
        method=method.name,
        setting=method.setting,
        pps=pps,
        qs=qs,
        chrf=sacrebleu.corpus_chrf(texts, [list(corpus.direct)]).score,
        bleu=sacrebleu.corpus_bleu(texts, [list(corpus.direct)]).score,
        restore_rate=sum(first) / len(first) if first else 1.0,
        untranslated=untranslated_words(triples, corpus.names.rare),
        surviving_identifiers=surviving.share,
    )
