"""Intervals by drawing documents again: the percentile bootstrap, over stories and not questions.

The questions about one story stand or fall together, so it is stories that are drawn. All methods
of a corpus are judged on the same draws, so that what tells two of them apart is not the draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
class Estimate:
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


NOT_DEFINED = Estimate(None)


def weights(documents: int, draws: int = DRAWS, seed: int = SEED) -> Weights:
    """``draws`` choices of ``documents`` out of as many, with repetition."""
    rng = np.random.default_rng(seed)
    chances = np.full(documents, 1 / documents)
    return rng.multinomial(documents, chances, size=draws).astype(np.float64)


def estimate(value: float | None, drawn: Sequence[float | None]) -> Estimate:
    """``value`` with the percentile interval of what the draws gave."""
    known = np.array([one for one in drawn if one is not None], dtype=np.float64)
    known = known[np.isfinite(known)]
    if value is None or not np.isfinite(value):
        return NOT_DEFINED
    if not len(drawn) or len(known) < DEFINED * len(drawn):
        return Estimate(value)
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.percentile(known, [tail, 100 - tail])
    return Estimate(value, float(low), float(high))
