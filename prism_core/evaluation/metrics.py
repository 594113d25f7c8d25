"""Metrics that compare translations with references: the one list of them, ``METRICS``.

Each counts a text in numbers that add up, so that any choice of documents has its score. Counts and
formulas are sacrebleu's (the optional extra ``lab``). Tables, stored columns and intervals follow
from ``METRICS``; another metric changes ``COLUMNS`` of ``results``, so stored results are made
again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prism_core.errors import ConfigurationError

Counts = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Metric:
    """Metric of sacrebleu, whose score is in [0, 100].

    ``name`` is that of columns and figures, ``label`` what people call it, ``counts`` the number of
    counts that it is computed from.
    """

    name: str
    label: str
    counts: int

    def count(self, texts: Sequence[str], references: Sequence[str]) -> Counts:
        """Count over ``texts`` and their references: ``counts`` numbers that add up."""
        if not texts:
            return np.zeros(self.counts)
        found = self._scorer._extract_corpus_statistics(list(texts), [list(references)])
        counts: Counts = np.asarray(found, dtype=np.float64).sum(0)
        return counts

    def score(self, counts: Counts) -> float:
        """Return the score of ``counts``; nan if there is nothing to compare."""
        if not counts[1]:
            return float("nan")
        whole = [int(count) for count in counts]
        return float(self._scorer._compute_score_from_stats(whole).score)

    def compare(self, texts: Sequence[str], references: Sequence[str]) -> float:
        """Return the score of ``texts``; nan if there is nothing to compare."""
        return self.score(self.count(texts, references))

    def signature(self) -> str:
        """Return sacrebleu's signature with one reference."""
        self.count([""], [""])  # from which sacrebleu knows the number of references
        return str(self._scorer.get_signature())

    @property
    def _scorer(self) -> Any:
        return _load_scorer(self.label.upper())


CHRF = Metric("chrf", "chrF", 18)
"""chrF2, from the n-grams of the translation, of the reference and of both, for 1 to 6 characters.
"""
BLEU = Metric("bleu", "BLEU", 10)
"""BLEU-4, from the lengths of both, and the right n-grams and all, for one to four words."""
METRICS = (CHRF, BLEU)


def signatures() -> dict[str, str]:
    """Return sacrebleu's signature of each metric, by its label."""
    return {metric.label: metric.signature() for metric in METRICS}


@cache
def _load_scorer(name: str) -> Any:
    try:
        from sacrebleu import metrics
    except ModuleNotFoundError:
        raise ConfigurationError(
            "The evaluation counts with sacrebleu, which is optional. Install it: "
            "pip install 'prism-translate[lab]'"
        ) from None
    return getattr(metrics, name)()
