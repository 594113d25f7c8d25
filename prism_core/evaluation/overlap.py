"""Overlap of translations with a person's: BLEU and chrF with intervals, and gains over others.

Entry: ``measure_overlap``. Intervals are percentile bootstraps over groups (documents, or sentences
where there are none); what two translators are judged on is the same draws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from prism_core.evaluation.results import Counts, bleu, bleu_counts, chrf, chrf_counts
from prism_core.evaluation.summary import DRAWS, BoundedFigure, estimate, weights

Count = Callable[[Sequence[str], Sequence[str]], Counts]

_METRICS: Mapping[str, tuple[Count, Callable[[Counts], float]]] = {
    "bleu": (bleu_counts, bleu),
    "chrf": (chrf_counts, chrf),
}


def measure_overlap(
    texts: Sequence[str],
    references: Sequence[str],
    *,
    groups: Sequence[object] | None = None,
    others: Sequence[str] | None = None,
) -> dict[str, BoundedFigure]:
    """Return ``bleu`` and ``chrf`` of ``texts``, in [0, 100], with a reference each.

    With ``others``, another translator's output for the same, also ``bleu_gain`` and ``chrf_gain``
    over it. ``groups`` names for each text the group it is drawn with. Raises
    ``ConfigurationError`` where sacrebleu is not installed.
    """
    names = list(range(len(texts)) if groups is None else groups)
    places = [
        [n for n, name in enumerate(names) if name == group] for group in dict.fromkeys(names)
    ]
    draws = weights(len(places), DRAWS)
    found = {}
    for name, (count, score) in _METRICS.items():
        ours, theirs = (
            [score(row) for row in (sums.sum(0), *(draws @ sums))]
            for sums in (_table(count, of, references, places) for of in (texts, others or texts))
        )
        found[name] = estimate(ours[0], ours[1:])
        if others is not None:
            gains = [mine - other for mine, other in zip(ours, theirs, strict=True)]
            found[f"{name}_gain"] = estimate(gains[0], gains[1:])
    return found


def _table(
    count: Count, texts: Sequence[str], references: Sequence[str], places: Sequence[Sequence[int]]
) -> Counts:
    return np.array([count([texts[n] for n in at], [references[n] for n in at]) for at in places])
