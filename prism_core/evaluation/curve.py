"""The privacy-quality curve of a method: its area, and its quality at a wanted privacy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise


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
    ordered = _ordered(points)
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
    ordered = _ordered(points)
    if pps <= ordered[0].pps:
        return ordered[0].qs
    for left, right in pairwise(ordered):
        if left.pps < pps <= right.pps:
            share = (pps - left.pps) / (right.pps - left.pps)
            return left.qs + share * (right.qs - left.qs)
    return None


def _ordered(points: Iterable[Point]) -> list[Point]:
    ordered = sorted(points)
    if not ordered:
        raise ValueError("A curve needs at least one point.")
    return ordered
