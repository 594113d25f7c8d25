"""The nearest of a table of vectors, exactly: products of blocks screen, double precision decides.

Entry: ``NearestRow.find``. An approximate index answers in less time, and other words: what it
gives is not what the mechanism promises (docs/mechanisms.md).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.floating]
Rows = NDArray[np.intp]

_BLOCK = 512
"""Queries whose products are made at a time."""
_PRODUCTS = 1 << 24
"""Products that are in memory at a time, 64 MiB: of a large table fewer queries are."""
_ROUNDING = 2.0**-24
"""The most that single precision changes a number, as a share of it."""
_SMALLEST = 2.0**-126
"""Smaller numbers have fewer digits in single precision, or none."""


class NearestRow:
    """Finds the row of ``table`` ([N, n], finite) that is nearest to a point, by Euclid.

    The answer is that of a loop in double precision over all rows; of rows that are equally near,
    the first. Single precision only leaves rows out that are farther away by more than its error
    bound. Lengths are brought to about 1 by powers of two, which changes no digit: neither a tiny
    table nor a point far away from it goes beyond what single precision holds. Products go through
    BLAS, which uses all cores; memory is that of the table, once in single precision, and of
    ``_PRODUCTS``.
    """

    def __init__(self, table: Vectors) -> None:
        largest = float(np.abs(table).max())
        self._scale = _power_below(largest) if largest else 1.0
        self._exact = np.asarray(table)
        scaled = np.asarray(table, dtype=np.float64) / self._scale
        half = np.einsum("ij,ij->i", scaled, scaled) / 2
        # ‖q − z‖² / 2 = ‖q‖² / 2 − (q·z − ‖z‖² / 2): the last number takes the norms along.
        self._columns = np.vstack([scaled.T, -half]).astype(np.float32)
        self._longest = float(np.sqrt(2 * half.max()))
        self._block = max(1, min(_BLOCK, _PRODUCTS // len(table)))

    def find(self, points: Vectors) -> Rows:
        """The row nearest to each of ``points`` ([m, n], finite): m numbers in [0, N)."""
        found = np.empty(len(points), dtype=np.intp)
        scores = np.empty((min(self._block, len(points)), self._columns.shape[1]), np.float32)
        for start in range(0, len(points), self._block):
            some = np.asarray(points[start : start + self._block], dtype=np.float64)
            found[start : start + len(some)] = self._find(some / self._scale, scores[: len(some)])
        return found

    def _find(self, points: Vectors, scores: NDArray[np.float32]) -> Rows:
        """``find`` for points in the scale of the columns; ``scores`` ([m, N]) is written over."""
        away = _power_below(np.maximum(np.abs(points).max(1, keepdims=True), 1.0))
        single = np.hstack([points / away, 1 / away])
        np.matmul(single.astype(np.float32), self._columns, out=scores)
        nearly = (scores.max(1) - 2 * self._error(single)).astype(np.float32)
        at, rows = np.divmod(np.flatnonzero(scores >= nearly[:, None]), scores.shape[1])
        alone = np.bincount(at, minlength=len(points)) == 1
        nearest = np.empty(len(points), dtype=np.intp)
        nearest[at] = rows
        unsure = ~alone[at]
        at, rows = at[unsure], rows[unsure]
        apart = (points[at] - self._exact[rows] / self._scale) / away[at]
        order = np.lexsort((rows, np.einsum("ij,ij->i", apart, apart), at))
        _, first = np.unique(at[order], return_index=True)
        nearest[at[order][first]] = rows[order][first]
        return nearest

    def _error(self, points: Vectors) -> NDArray[np.float64]:
        """How far a score may be from that in exact arithmetic, for each of ``points``, of which
        the last column takes the norms along.

        The bound of a product of n + 1 numbers that are rounded first (Higham 2002, 3.1), with the
        sums of absolute values bounded by the lengths, and twice that, for what is left out here;
        and what is lost of numbers that are too small for single precision.
        """
        lengths = np.sqrt(np.einsum("ij,ij->i", points[:, :-1], points[:, :-1]))
        terms = len(self._columns) + 2
        size = (lengths + points[:, -1] * self._longest) * self._longest
        error: NDArray[np.float64] = 2 * terms * (_ROUNDING * size + _SMALLEST)
        return error


def _power_below(numbers: Any) -> Any:
    """The largest powers of two that are not above ``numbers``, which are above 0."""
    return np.exp2(np.frexp(numbers)[1] - 1.0)
