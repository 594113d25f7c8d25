"""Draws among words that are points: near points are drawn more often, by their distance.

Each ``Draws`` is over the rows of one table of vectors, is asked for rows and gives rows. With ε in
``epsilon``, for any two rows x and x' and any row y

    Pr[y | x] <= e^(ε d(x, x')) Pr[y | x'],

with d the distance that it states (d_X-privacy; Chatzikokolakis et al. 2013).

Entry: ``open_draws``. ``NoisyNeighbour`` is Algorithm 1 (Feyisetan et al. 2020), with the noise of
``draw_noise``; ``NeighbourOfNeighbour`` goes on from its result, ``TruncatedExponential`` adds no
noise to points. ``NearestRow`` finds the nearest row exactly: an approximate index answers in less
time, and other words, which is not what the mechanism promises (docs/mechanisms.md).

All randomness is from the generator that is passed in, in production the operating system's. Noise
is made in double precision, of 52 random bits a number. It is never shown: what leaves is one of
finitely many words, so no low bits of a sum can tell the addend, as they do where a number is
released (Mironov 2012). What rounding does is to move the borders between words by some 1e-15 of
their distance, and to cut off tails of less than 2^-52: the bound holds but for that much.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

STRETCH: Final = 0.2
"""λ of the Mahalanobis distance: how much of the noise follows the spread of the words."""
_MISSED: Final = 0.001
"""β of the truncated exponential mechanism: maximum probability that a word beyond γ is drawn."""
_AT_ONCE: Final = 1 << 22
"""Number of distances in memory at a time."""


Distance = Literal["euclidean", "cosine", "mahalanobis"]
DrawMethod = Literal["noise", "ranks", "truncated"]


class Draws(ABC):
    """Draws from a row of ``table`` ([N, n]) to one of its rows; N is at least 2."""

    def __init__(self, table: Vectors, epsilon: float) -> None:
        self.table = np.asarray(table)
        self.epsilon = epsilon
        self._squares = np.einsum("ij,ij->i", table, table, dtype=np.float64)

    def draw(self, rows: Sequence[int] | Rows, rng: Random) -> Rows:
        """Draw a row for each of ``rows``, independently."""
        rows = np.asarray(rows, dtype=np.intp)
        step = max(1, _AT_ONCE // max(self.table.shape))
        parts = [self._draw(rows[start : start + step], rng) for start in range(0, len(rows), step)]
        return np.concatenate(parts) if parts else rows

    @abstractmethod
    def _draw(self, rows: Rows, rng: Random) -> Rows:
        """Draw for a few rows."""

    def _distances(self, rows: Rows) -> Numbers:
        """Return the Euclidean distances from ``rows`` to every row of the table: [m, N]."""
        points = self.table[rows].astype(np.float64)
        both = self._squares[rows][:, None] + self._squares
        both -= 2 * (points @ self.table.T.astype(np.float64))
        both[np.arange(len(rows)), rows] = 0.0
        return np.asarray(np.sqrt(np.maximum(both, 0.0)))


class NoisyNeighbour(Draws):
    """Algorithm 1: the word nearest to the point of a word plus noise of density ∝ exp(-ε‖z‖).

    The nearest word is exact. ``shape`` ([n, n]), where given, stretches the noise, and the bound
    is relative to the distance ‖shape⁻¹(x − x')‖ (Xu et al. 2020); without it to Euclid's.
    """

    def __init__(self, table: Vectors, epsilon: float, shape: Numbers | None = None) -> None:
        super().__init__(table, epsilon)
        self._nearest = NearestRow(self.table)
        self._shape = shape

    def _draw(self, rows: Rows, rng: Random) -> Rows:
        noise = draw_noise(rng, len(rows), self.table.shape[1]) / self.epsilon
        if self._shape is not None:
            noise = noise @ self._shape
        return self._nearest.find(self.table[rows] + noise)


class NeighbourOfNeighbour(NoisyNeighbour):
    """The k-th neighbour of what Algorithm 1 gives, with Pr[k] ∝ exp(-``decay`` ε k), k from 0.

    In many dimensions Algorithm 1 gives the word itself or one far away, and seldom a near one;
    this evens it out (Asghar et al. 2024). It reads nothing but the result, so the bound is the
    same.
    """

    def __init__(
        self, table: Vectors, epsilon: float, decay: float, shape: Numbers | None = None
    ) -> None:
        super().__init__(table, epsilon, shape)
        self._decay = decay

    def _draw(self, rows: Rows, rng: Random) -> Rows:
        found = super()._draw(rows, rng)
        ranks = draw_ranks(rng, len(found), len(self.table), self._decay * self.epsilon)
        moved = np.flatnonzero(ranks)
        for at, distances in zip(moved, self._distances(found[moved]), strict=True):
            distances[found[at]] = -1.0  # rank 0 is the word itself, also among equals
            found[at] = np.argpartition(distances, ranks[at])[ranks[at]]
        return found


class TruncatedExponential(Draws):
    """Pr[y | x] ∝ exp(-(ε / 2) min(d(x, y), γ)): TEM (Carvalho et al. 2023), without its detour.

    Theirs draws a mark for all words beyond γ by Gumbel noise, then one of them evenly: the same
    distribution. min(d, γ) is a distance too, so the bound is relative to it, and no two words of
    the table are told apart by more than ε γ.

    ``cutoff`` γ; by default 2/ε ln((1 − β)(N − 1)/β), beyond which a word is drawn with a chance of
    β = 0.001 at most.
    """

    def __init__(self, table: Vectors, epsilon: float, cutoff: float | None = None) -> None:
        super().__init__(table, epsilon)
        others = max(1, len(table) - 1)
        self.cutoff = cutoff or 2 / epsilon * math.log((1 - _MISSED) * others / _MISSED)

    def chances(self, rows: Rows) -> Numbers:
        """Return Pr[y | x] for each x of ``rows`` and every y: [m, N]."""
        weights = np.exp(-self.epsilon / 2 * np.minimum(self._distances(rows), self.cutoff))
        return np.asarray(weights / weights.sum(1, keepdims=True))

    def _draw(self, rows: Rows, rng: Random) -> Rows:
        sums = self.chances(rows).cumsum(1)
        aimed = draw_fractions(rng, len(rows)) * sums[:, -1]
        return np.asarray((sums < aimed[:, None]).sum(1), dtype=np.intp)


def open_draws(
    table: Vectors,
    epsilon: float,
    distance: Distance = "euclidean",
    way: DrawMethod = "noise",
    *,
    rank_decay: float = 0.006,
    cutoff: float | None = None,
) -> Draws:
    """Open the draws from ``table`` with ``epsilon`` per unit of ``distance``.

    ``cosine`` is Euclid's distance between vectors of length one, ``mahalanobis`` that after
    ``stretch_of`` is undone.
    """
    shape = None
    if distance == "cosine":
        lengths = np.linalg.norm(table.astype(np.float64), axis=1, keepdims=True)
        table = (table / np.where(lengths > 0, lengths, 1.0)).astype(table.dtype)
    elif distance == "mahalanobis":
        shape = stretch_of(table)
    if way == "noise":
        return NoisyNeighbour(table, epsilon, shape)
    if way == "ranks":
        return NeighbourOfNeighbour(table, epsilon, rank_decay, shape)
    if shape is not None:
        table = table @ np.linalg.inv(shape)
    return TruncatedExponential(table, epsilon, cutoff)


def stretch_of(table: Vectors) -> Numbers:
    """Return (λΣ + (1 − λ)I)^(1/2), with Σ the covariance of ``table`` at a mean variance of 1."""
    spread = np.atleast_2d(np.cov(np.asarray(table, dtype=np.float64), rowvar=False))
    spread /= np.trace(spread) / len(spread) or 1.0  # of a table of one point there is none
    sizes, axes = np.linalg.eigh(STRETCH * spread + (1 - STRETCH) * np.eye(len(spread)))
    return np.asarray((axes * np.sqrt(np.maximum(sizes, 0.0))) @ axes.T)


def draw_noise(rng: Random, count: int, dimensions: int) -> Numbers:
    """Draw ``count`` points of density ∝ exp(-‖z‖) in n ``dimensions``: [count, n].

    An even direction, and a length that is gamma distributed with shape n. A normal vector gives
    the direction and, by its length, which does not depend on that, half of the shape: ‖g‖² / 2 has
    shape n/2. The other half is exponentials, and for an odd n the normal that is left over.
    """
    pairs = (dimensions + 1) // 2
    lengths = np.sqrt(-2 * np.log(draw_fractions(rng, count * pairs)))
    angles = 2 * np.pi * draw_fractions(rng, count * pairs)
    normals = np.concatenate([lengths * np.cos(angles), lengths * np.sin(angles)])
    normals = normals.reshape(2, count, pairs).transpose(1, 0, 2).reshape(count, 2 * pairs)
    vectors, left_over = normals[:, :dimensions], normals[:, dimensions:]
    squares = (vectors**2).sum(1)
    further = -np.log(draw_fractions(rng, count * (dimensions // 2)))
    radii = squares / 2 + further.reshape(count, -1).sum(1) + (left_over**2).sum(1) / 2
    return np.asarray(vectors * (radii / np.sqrt(squares))[:, None])


def draw_ranks(rng: Random, count: int, ranks: int, decay: float) -> Rows:
    """Draw ``count`` numbers k in [0, ``ranks``) with Pr[k] ∝ exp(-``decay`` k)."""
    share = -math.expm1(-decay * ranks)
    drawn = np.floor(np.log1p(-draw_fractions(rng, count) * share) / -decay)
    return np.minimum(drawn, ranks - 1).astype(np.intp)


def draw_fractions(rng: Random, count: int) -> Numbers:
    """Draw ``count`` even numbers in (0, 1): the middles of 2^52 equal parts."""
    bits = np.frombuffer(rng.randbytes(8 * count), dtype="<u8") >> np.uint64(12)
    return np.asarray((bits + 0.5) * 2.0**-52)


Vectors = NDArray[np.floating]
Rows = NDArray[np.intp]

_BLOCK = 512
"""Number of queries whose products are made at a time."""
_PRODUCTS = 1 << 24
"""Number of products in memory at a time, 64 MiB; with a large table fewer queries."""
_ROUNDING = 2.0**-24
"""Maximum relative change of a number in single precision."""
_SMALLEST = 2.0**-126
"""Limit below which numbers have fewer digits in single precision, or none."""


class NearestRow:
    """Search for the row of ``table`` ([N, n], finite) that is nearest to a point (Euclidean).

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
        """Find the row nearest to each of ``points`` ([m, n], finite): m numbers in [0, N)."""
        found = np.empty(len(points), dtype=np.intp)
        scores = np.empty((min(self._block, len(points)), self._columns.shape[1]), np.float32)
        for start in range(0, len(points), self._block):
            some = np.asarray(points[start : start + self._block], dtype=np.float64)
            found[start : start + len(some)] = self._find(some / self._scale, scores[: len(some)])
        return found

    def _find(self, points: Vectors, scores: NDArray[np.float32]) -> Rows:
        """Find rows for points in the scale of the columns; ``scores`` ([m, N]) is overwritten."""
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
        """Bound the rounding error of a score for each of ``points``.

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
    """Return the largest powers of two that are not above ``numbers``, which are above 0."""
    return np.exp2(np.frexp(numbers)[1] - 1.0)
