"""Figures with intervals, and the privacy-quality curve of a method.

Intervals come of drawing documents again: the percentile bootstrap, over stories and not questions.
The questions about one story stand or fall together, so it is stories that are drawn. All methods
of a corpus are judged on the same draws, so that what tells two of them apart is not the draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]
"""How often each draw has each document: a row a draw."""

DRAWS = 1_000
SEED = 160
CONFIDENCE = 0.95
DEFINED = 0.95
"""Share of the draws in which a figure must be defined to have an interval."""


@dataclass(frozen=True, slots=True)
class BoundedFigure:
    """A figure with the bounds between which 95 % of the draws lie.

    ``value`` is None where the figure is not defined (nothing was asked, or the curve ends before);
    ``low`` and ``high`` are None there, for a single document, and where too many draws have none.
    """

    value: float | None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        return self.written()

    def written(self, digits: int = 3) -> str:
        """The figure and its bounds for a table; a dash for what is not defined."""
        if self.value is None:
            return "–"
        bounds = (
            f" [{self.low:.{digits}f}, {self.high:.{digits}f}]"
            if self.low is not None and self.high is not None
            else ""
        )
        return f"{self.value:.{digits}f}{bounds}"


NOT_DEFINED = BoundedFigure(None)


def weights(documents: int, draws: int = DRAWS, seed: int = SEED) -> Weights:
    """``draws`` choices of ``documents`` out of as many, with repetition."""
    rng = np.random.default_rng(seed)
    chances = np.full(documents, 1 / documents)
    return rng.multinomial(documents, chances, size=draws).astype(np.float64)


def estimate(value: float | None, drawn: Sequence[float | None]) -> BoundedFigure:
    """``value`` with the percentile interval of what the draws gave."""
    known = np.array([figure for figure in drawn if figure is not None], dtype=np.float64)
    known = known[np.isfinite(known)]
    if value is None or not np.isfinite(value):
        return NOT_DEFINED
    if not len(drawn) or len(known) < DEFINED * len(drawn):
        return BoundedFigure(value)
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.percentile(known, [tail, 100 - tail])
    return BoundedFigure(value, float(low), float(high))


@dataclass(frozen=True, slots=True, order=True)
class Point:
    """One setting of a method: its privacy score in [0, 1], and its quality.

    Quality is the score QS, also in [0, 1], or any other figure that should be compared at equal
    privacy (chrF).
    """

    pps: float
    qs: float


def aupqc(points: Iterable[Point]) -> float:
    """The area under the privacy-quality curve: Algorithm 3 of the PRISM paper.

    The points are taken in increasing order of privacy; left of the first the curve is flat, right
    of the last there is none. Methods that reach different privacies have areas over different
    ranges: compare at equal privacy too (``quality_at``). Raises ``ValueError`` without a point.
    """
    ordered = _order(points)
    area = ordered[0].pps * ordered[0].qs
    for left, right in pairwise(ordered):
        area += (right.pps - left.pps) * (left.qs + right.qs) / 2
    return area


def quality_at(points: Iterable[Point], pps: float) -> float | None:
    """QS@p: the quality that a method has when its privacy score is at least ``pps``.

    Linear between neighbouring points; left of the first it is that point's, as in Algorithm 3.
    None where the curve has ended: the method was not seen to reach that privacy at any setting,
    and nothing is extrapolated. Raises ``ValueError`` without a point.
    """
    ordered = _order(points)
    if pps <= ordered[0].pps:
        return ordered[0].qs
    for left, right in pairwise(ordered):
        if left.pps < pps <= right.pps:
            share = (pps - left.pps) / (right.pps - left.pps)
            return left.qs + share * (right.qs - left.qs)
    return None


def _order(points: Iterable[Point]) -> list[Point]:
    ordered = sorted(points)
    if not ordered:
        raise ValueError("A curve needs at least one point.")
    return ordered
