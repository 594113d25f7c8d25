"""chrF and BLEU as sums over documents, so that any choice of documents has its score.

The counts and both formulas are sacrebleu's (the optional extra ``evaluation``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prism_core.errors import ConfigurationError

Counts = NDArray[np.float64]
CHRF_COUNTS = 18
"""n-grams of the translation, of the reference and of both, for one to six characters."""
BLEU_COUNTS = 10
"""Length of the translation and of the reference, right n-grams and all, for one to four words."""


def chrf_counts(texts: Sequence[str], references: Sequence[str]) -> Counts:
    """What chrF counts over ``texts``, a reference each: ``CHRF_COUNTS`` numbers that add up."""
    return _counts(_chrf(), texts, references, CHRF_COUNTS)


def bleu_counts(texts: Sequence[str], references: Sequence[str]) -> Counts:
    """What BLEU counts over ``texts``, a reference each: ``BLEU_COUNTS`` numbers that add up."""
    return _counts(_bleu(), texts, references, BLEU_COUNTS)


def chrf(counts: Counts) -> float:
    """chrF2, in [0, 100]; nan where there is nothing to compare."""
    return _score(_chrf(), counts) if counts[1] else float("nan")


def bleu(counts: Counts) -> float:
    """BLEU-4, in [0, 100]; nan where there is nothing to compare."""
    return _score(_bleu(), counts) if counts[1] else float("nan")


def _counts(metric: Any, texts: Sequence[str], references: Sequence[str], length: int) -> Counts:
    if not texts:
        return np.zeros(length)
    found = metric._extract_corpus_statistics(list(texts), [list(references)])
    counts: Counts = np.asarray(found, dtype=np.float64).sum(0)
    return counts


def _score(metric: Any, counts: Counts) -> float:
    return float(metric._compute_score_from_stats([int(count) for count in counts]).score)


@lru_cache(maxsize=1)
def _chrf() -> Any:
    return _library().CHRF()


@lru_cache(maxsize=1)
def _bleu() -> Any:
    return _library().BLEU()


def _library() -> Any:
    try:
        from sacrebleu import metrics
    except ModuleNotFoundError:
        raise ConfigurationError(
            "The evaluation counts with sacrebleu, which is optional. Install it: "
            "pip install 'prism-translate[evaluation]'"
        ) from None
    return metrics
