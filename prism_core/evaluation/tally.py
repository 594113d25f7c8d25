"""What one method did to one corpus, in numbers that add up over documents.

Everything that is said of a method (shares, chrF, BLEU) is worked out from such sums. So what is
stored of a run holds no text, and an interval is a matter of adding up other documents: any choice
of them has its chrF and BLEU. Their counts and formulas are sacrebleu's (the optional extra
``evaluation``).

Entry: ``tally`` counts, a row a document, ``chrf_counts`` and ``bleu_counts`` among it; ``span``
finds the columns that ``chrf`` and ``bleu`` score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prism_core.errors import ConfigurationError
from prism_core.evaluation.corpora import Corpus, CorpusDocument
from prism_core.evaluation.error_classes import ERRORS, count_untranslated, errors_of
from prism_core.evaluation.methods import SentenceOutcome
from prism_core.evaluation.panels import Panel, PanelVerdict
from prism_core.evaluation.surviving import surviving_identifiers

Counts = NDArray[np.float64]
CHRF_COUNTS = 18
"""n-grams of the translation, of the reference and of both, for one to six characters."""
BLEU_COUNTS = 10
"""Length of the translation and of the reference, right n-grams and all, for one to four words."""


def chrf_counts(texts: Sequence[str], references: Sequence[str]) -> Counts:
    """What chrF counts over ``texts``, a reference each: ``CHRF_COUNTS`` numbers that add up."""
    return _counts("CHRF", texts, references, CHRF_COUNTS)


def bleu_counts(texts: Sequence[str], references: Sequence[str]) -> Counts:
    """What BLEU counts over ``texts``, a reference each: ``BLEU_COUNTS`` numbers that add up."""
    return _counts("BLEU", texts, references, BLEU_COUNTS)


def chrf(counts: Counts) -> float:
    """chrF2, in [0, 100]; nan where there is nothing to compare."""
    return _score("CHRF", counts)


def bleu(counts: Counts) -> float:
    """BLEU-4, in [0, 100]; nan where there is nothing to compare."""
    return _score("BLEU", counts)


def _counts(name: str, texts: Sequence[str], references: Sequence[str], length: int) -> Counts:
    if not texts:
        return np.zeros(length)
    found = _metric(name)._extract_corpus_statistics(list(texts), [list(references)])
    counts: Counts = np.asarray(found, dtype=np.float64).sum(0)
    return counts


def _score(name: str, counts: Counts) -> float:
    if not counts[1]:
        return float("nan")
    return float(_metric(name)._compute_score_from_stats([int(count) for count in counts]).score)


@cache
def _metric(name: str) -> Any:
    try:
        from sacrebleu import metrics
    except ModuleNotFoundError:
        raise ConfigurationError(
            "The evaluation counts with sacrebleu, which is optional. Install it: "
            "pip install 'prism-translate[evaluation]'"
        ) from None
    return getattr(metrics, name)()


Table = NDArray[np.float64]
"""A row a document, a column for each of ``COLUMNS``."""

VERSION = "3"
"""Raised when the same outcomes would be counted differently."""

_SENTENCES = ("sentences", "sent", "sends", "restored_at_once", "left", "withheld", "characters")
_QUESTIONS = ("questions", "adversary_right", "adversary_unread", "reader_right", "reader_unread")
_WORDS = ("content_words", "untranslated_words", "identifiers", "surviving_identifiers")


def _numbered(name: str, count: int) -> tuple[str, ...]:
    return tuple(f"{name}_{i}" for i in range(count))


_COMPARISONS = (
    *_numbered("chrf", CHRF_COUNTS),
    *_numbered("bleu", BLEU_COUNTS),
    *_numbered("human_chrf", CHRF_COUNTS),
    *_numbered("human_bleu", BLEU_COUNTS),
)
COLUMNS = (*_QUESTIONS, *_SENTENCES, *_WORDS, *_COMPARISONS, "sentences_with_errors", *ERRORS)
PLACES: Mapping[str, int] = {name: place for place, name in enumerate(COLUMNS)}


def span(name: str, count: int) -> slice:
    """The columns of a comparison: ``span("chrf", CHRF_COUNTS)``."""
    first = PLACES[f"{name}_0"]
    return slice(first, first + count)


def tally(corpus: Corpus, outcomes: Sequence[SentenceOutcome], panel: Panel) -> Table:
    """What ``outcomes``, one a sentence of ``corpus``, come to, a row a document."""
    verdicts = panel.verdicts(corpus, outcomes)
    left, direct = iter(outcomes), iter(corpus.direct)
    rows = []
    for document, verdict in zip(corpus.documents, verdicts, strict=True):
        own = list(islice(left, len(document.sentences)))
        theirs = list(islice(direct, len(own)))
        rows.append(_row(document, own, theirs, verdict, corpus))
    return np.array(rows)


def _row(
    document: CorpusDocument,
    outcomes: Sequence[SentenceOutcome],
    direct: Sequence[str],
    verdict: PanelVerdict,
    corpus: Corpus,
) -> list[float]:
    row, texts = np.zeros(len(COLUMNS)), [outcome.text for outcome in outcomes]
    numbers = {**_count(document, outcomes, direct, corpus), **verdict.counts()}
    for name, number in numbers.items():
        row[PLACES[name]] = number
    row[span("chrf", CHRF_COUNTS)] = chrf_counts(texts, direct)
    row[span("bleu", BLEU_COUNTS)] = bleu_counts(texts, direct)
    if document.references:
        left = iter(texts)
        lines = [" ".join(islice(left, len(line))) for line in document.lines]
        row[span("human_chrf", CHRF_COUNTS)] = chrf_counts(lines, document.references)
        row[span("human_bleu", BLEU_COUNTS)] = bleu_counts(lines, document.references)
    return row.tolist()


def _count(
    document: CorpusDocument,
    outcomes: Sequence[SentenceOutcome],
    direct: Sequence[str],
    corpus: Corpus,
) -> dict[str, float]:
    """Sentences, words, identifiers and errors, by column."""
    private = [sentence.text.strip() for sentence in document.sentences]
    names = corpus.names
    triples = list(zip(private, [outcome.text for outcome in outcomes], direct, strict=True))
    content, untranslated = count_untranslated(triples, names.rare)
    sent = [" ".join(outcome.sent) for outcome in outcomes]
    surviving = surviving_identifiers(zip(private, sent, strict=True), names)
    errors = [errors_of(*triple, names) for triple in triples]
    return {
        "sentences": len(outcomes),
        "sent": sum(bool(o.sent) for o in outcomes),
        "sends": sum(len(o.sent) for o in outcomes),
        "restored_at_once": sum(o.restored_at_once for o in outcomes),
        "left": sum(
            bool(o.sent) and o.text == own for o, own in zip(outcomes, private, strict=True)
        ),
        "withheld": sum(o.withheld for o in outcomes),
        "characters": sum(map(len, sent)),
        "content_words": content,
        "untranslated_words": untranslated,
        "identifiers": surviving.names + surviving.numbers,
        "surviving_identifiers": surviving.names_visible + surviving.numbers_visible,
        "sentences_with_errors": sum(bool(found) for found in errors),
        **{name: sum(found[name] for found in errors) for name in ERRORS},
    }
