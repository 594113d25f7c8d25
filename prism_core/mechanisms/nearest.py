"""The nearest of a table of vectors, exactly: products of blocks screen, double precision decides.

Entry: ``NearestRow.find``. An approximate index answers in less time, and other words: what it
gives is not what the mechanism promises (docs/mechanisms.md).
"""

from __future__ import annotations

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


class NearestRow:
    """Finds the row of ``table`` ([N, n], finite) that is nearest to a point, by Euclid.

    The answer is that of a loop in double precision over all rows; of rows that are equally near,
    the first. Single precision only leaves rows out that are farther away by more than its error
    bound. Products go through BLAS, which uses all cores; memory is that of the table, once in
    single precision, and of ``_PRODUCTS``.
    """

    def __init__(self, table: Vectors) -> None:
        self._exact = table
        single = np.ascontiguousarray(table, dtype=np.float32)
        half = np.einsum("ij,ij->i", table, table, dtype=np.float64) / 2
        # ‖q − z‖² / 2 = ‖q‖² / 2 − (q·z − ‖z‖² / 2): the last number takes the norms along.
        self._columns = np.vstack([single.T, -half.astype(np.float32)])
        self._longest = float(np.sqrt(2 * half.max()))
        self._block = max(1, min(_BLOCK, _PRODUCTS // len(table)))

    def find(self, points: Vectors) -> Rows:
        """The row nearest to each of ``points`` ([m, n]): m numbers in [0, N)."""
        found = np.empty(len(points), dtype=np.intp)
        for start in range(0, len(points), self._block):
            some = points[start : start + self._block]
            found[start : start + len(some)] = self._find(some)
        return found

    def _find(self, points: Vectors) -> Rows:
        single = np.hstack([points, np.ones((len(points), 1))]).astype(np.float32)
        scores = single @ self._columns
        nearly = (scores.max(1) - 2 * self._error(points)).astype(np.float32)
        at, rows = np.divmod(np.flatnonzero(scores >= nearly[:, None]), scores.shape[1])
        alone = np.bincount(at, minlength=len(points)) == 1
        nearest = np.empty(len(points), dtype=np.intp)
        nearest[at] = rows
        unsure = ~alone[at]
        at, rows = at[unsure], rows[unsure]
        apart = np.asarray(points, dtype=np.float64)[at] - self._exact[rows]
        order = np.lexsort((rows, np.einsum("ij,ij->i", apart, apart), at))
        _, first = np.unique(at[order], return_index=True)
        nearest[at[order][first]] = rows[order][first]
        return nearest

    def _error(self, points: Vectors) -> NDArray[np.float64]:
        """How far a score may be from that in exact arithmetic, for each of ``points``.

        The bound of a product of n + 1 numbers that are rounded first (Higham 2002, 3.1), with the
        sums of absolute values bounded by the lengths, and twice that, for what is left out here.
        """
        lengths = np.sqrt(np.einsum("ij,ij->i", points, points))
        terms = len(self._columns) + 2
        error: NDArray[np.float64] = (
            2 * terms * _ROUNDING * (lengths + self._longest) * self._longest
        )
        return error
