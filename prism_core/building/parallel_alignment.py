"""Word alignment of parallel sentences: links between source words and their translations.

IBM Model 1 (Brown et al. 1993) gives the first estimate, then the HMM model (Vogel et al. 1996), in
which a target word's source tends to lie near that of the word before it; both with a sparse
Dirichlet prior on the translation table (Riley and Gildea 2012), which keeps rare words from
claiming everything around them. Both directions are trained and then symmetrised. Deterministic.

Entry: ``align``: ``_compute_posteriors`` in both directions, each by a ``_Model`` over blocks of
pairs of one length (``reestimate``, ``run_forward_backward``); then ``_symmetrise``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

Pair = tuple[Sequence[str], Sequence[str]]
Links = list[tuple[int, int]]
Floats = NDArray[np.float32]

LONGEST = 120
"""Maximum tokens on a side; longer pairs are left unaligned, because they cost n² each."""
MODEL_1_ROUNDS, HMM_ROUNDS = 5, 5
SPARSITY = 0.01
"""Dirichlet parameter of the translation table."""
NULL_SHARE = 0.1
"""Prior probability that a target word has no source word."""
FARTHEST_JUMP = 12
"""Jump distance beyond which all jumps share one probability."""
BLOCK_CELLS = 400_000
SURE = 0.5
"""Posterior above which one direction accepts a link."""
_POSSIBLE = 0.05
_TINY = np.float32(1e-30)


def align(pairs: Sequence[Pair]) -> list[Links]:
    """Return the links ``(source index, target index)`` of each pair, sorted.

    Links that both directions accept are taken; then those of one direction that continue a taken
    one, so that a word translated by several adjacent words is linked to them all. Words are
    compared as they are: pass them in lower case. The cost is about 1 ms and 5 kB a pair.
    """
    forward = _compute_posteriors(pairs)
    backward = _compute_posteriors([(target, source) for source, target in pairs])
    return [
        _symmetrise(forward_links, {(i, j): p for (j, i), p in backward_links.items()})
        for forward_links, backward_links in zip(forward, backward, strict=True)
    ]


def _symmetrise(
    forward: dict[tuple[int, int], float], backward: dict[tuple[int, int], float]
) -> Links:
    """Intersect the two directions, then grow the result along rows and columns."""
    taken = {link for link, p in forward.items() if p * backward.get(link, 0.0) > SURE * SURE}
    rest = {
        link for direction in (forward, backward) for link, p in direction.items() if p > SURE
    } - taken
    rows, columns = {i for i, _ in taken}, {j for _, j in taken}
    has_grown = True
    while has_grown:
        has_grown = False
        for i, j in sorted(rest):
            extends_source = j not in columns and bool({(i, j - 1), (i, j + 1)} & taken)
            extends_target = i not in rows and bool({(i - 1, j), (i + 1, j)} & taken)
            if extends_source or extends_target:
                taken.add((i, j))
                rest.discard((i, j))
                rows.add(i)
                columns.add(j)
                has_grown = True
    return sorted(taken)


@dataclass(frozen=True, slots=True)
class _PairBlock:
    """Pairs of one source length, the target position first, since all loops run along it.

    ``cells`` (target length, pairs, 1 + source length) index ``table_rows``, the rows of the
    translation table that the block needs; its first column is for no source word. ``real`` (target
    length, pairs, 1) is 0 for padding, else 1.
    """

    pairs: NDArray[np.int64]
    cells: NDArray[np.int32]
    table_rows: NDArray[np.int64]
    real: Floats


def _compute_posteriors(pairs: Sequence[Pair]) -> list[dict[tuple[int, int], float]]:
    """Compute for each pair the probability of every likely link, target words choosing sources."""
    found: list[dict[tuple[int, int], float]] = [{} for _ in pairs]
    model = _Model(pairs)
    if not model.blocks:
        return found
    for _ in range(MODEL_1_ROUNDS):
        model.reestimate(hidden_markov=False)
    for _ in range(HMM_ROUNDS):
        model.reestimate(hidden_markov=True)
    for block in model.blocks:
        posterior = model.run_forward_backward(block)[0][:, :, 1:] * block.real
        targets, rows, sources = np.nonzero(posterior > _POSSIBLE)
        values = posterior[targets, rows, sources].tolist()
        places = zip(sources.tolist(), targets.tolist(), values, strict=True)
        for row, (i, j, p) in zip(block.pairs[rows].tolist(), places, strict=True):
            found[row][i, j] = p
    return found


@dataclass(frozen=True, slots=True)
class _ForwardPass:
    """Forward probabilities, (steps, pairs, positions), normalised by ``scale`` at each step."""

    on_word: Floats
    on_none: Floats
    scale: Floats


class _Model:
    """Model of one direction: P(target word | source word) over the co-occurring pairs of words."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        # Words are numbered in the order they are first met; 0 is no source word.
        sources = defaultdict[str, int](count(1).__next__)
        targets = defaultdict[str, int](count().__next__)
        numbered = [
            ([0, *(sources[word] for word in source)], [targets[word] for word in target])
            for source, target in pairs
        ]
        width = len(targets)
        batches = list(_make_batches(numbered))
        distinct = [np.unique(_make_keys(batch, numbered, width)) for batch in batches]
        table = np.unique(np.concatenate([np.array([-1]), *distinct]))
        del distinct
        self.blocks = [
            _make_block(batch, _make_keys(batch, numbered, width), table) for batch in batches
        ]
        self._source_of = np.maximum(table, 0) // max(width, 1)
        self._width = width
        self._table: Floats = np.ones(len(table), np.float32)
        jumps = np.abs(np.arange(-FARTHEST_JUMP, FARTHEST_JUMP + 1) - 1)
        self._jumps = np.exp(-0.5 * jumps)

    def reestimate(self, *, hidden_markov: bool) -> None:
        """Run one round of expectation maximisation."""
        counts = np.zeros(len(self._table))
        jumps = np.full(len(self._jumps), 1.0)
        for block in self.blocks:
            if hidden_markov:
                posterior, moved = self.run_forward_backward(block)
                jumps += moved
            else:
                posterior = self._look_up_emissions(block)
                posterior /= posterior.sum(axis=2, keepdims=True)
            posterior *= block.real
            counts[block.table_rows] += np.bincount(block.cells.ravel(), posterior.ravel())
        if hidden_markov:
            self._jumps = jumps / jumps.sum()
        seen = np.bincount(self._source_of[1:], counts[1:]).astype(np.float64)
        totals = _exp_digamma(seen + SPARSITY * self._width)
        values = _exp_digamma(counts + SPARSITY) / totals[self._source_of]
        self._table = values.astype(np.float32)
        self._table[0] = 1.0

    def run_forward_backward(self, block: _PairBlock) -> tuple[Floats, NDArray[np.float64]]:
        """Return the posterior of every cell, and expected counts of the jumps.

        States are the source positions, each with a twin that emits from no source word and keeps
        the position. Padding emits with probability 1 in every state, which changes nothing.
        """
        emitted = self._look_up_emissions(block)
        steps, batch, width = emitted.shape
        moves, first = self._compute_moves(width - 1)
        words, none = emitted[:, :, 1:], emitted[:, :, :1]
        on_word, on_none = np.empty_like(words), np.empty_like(words)
        scale = np.empty((steps, batch, 1), np.float32)
        state = np.broadcast_to(first, (batch, width - 1))
        for j in range(steps):
            arrived = state @ moves if j else state
            on_word[j] = (1 - NULL_SHARE) * arrived * words[j]
            on_none[j] = NULL_SHARE * state * none[j]
            state = on_word[j] + on_none[j]
            scale[j] = state.sum(axis=1, keepdims=True) + _TINY
            state /= scale[j]
        return self._backward(_ForwardPass(on_word / scale, on_none / scale, scale), block, moves)

    def _backward(
        self, ahead: _ForwardPass, block: _PairBlock, moves: Floats
    ) -> tuple[Floats, NDArray[np.float64]]:
        emitted = self._look_up_emissions(block)
        posterior = np.empty_like(emitted)
        after = np.ones_like(emitted[0, :, 1:])
        crossed = np.zeros_like(moves)
        for j in range(len(emitted) - 1, 0, -1):
            entered = (1 - NULL_SHARE) * emitted[j, :, 1:] * after / ahead.scale[j]
            stayed = NULL_SHARE * emitted[j, :, :1] * after / ahead.scale[j]
            posterior[j, :, 1:] = ahead.on_word[j] * after
            posterior[j, :, 0] = (ahead.on_none[j] * after).sum(axis=1)
            before = (ahead.on_word[j - 1] + ahead.on_none[j - 1]) * block.real[j]
            crossed += before.T @ entered
            after = entered @ moves.T + stayed
        posterior[0, :, 1:] = ahead.on_word[0] * after
        posterior[0, :, 0] = (ahead.on_none[0] * after).sum(axis=1)
        distance = np.arange(len(moves))[None, :] - np.arange(len(moves))[:, None]
        clipped = np.clip(distance, -FARTHEST_JUMP, FARTHEST_JUMP) + FARTHEST_JUMP
        jumps = np.bincount(clipped.ravel(), (crossed * moves).ravel(), len(self._jumps))
        return posterior, jumps.astype(np.float64)

    def _look_up_emissions(self, block: _PairBlock) -> Floats:
        emitted: Floats = self._table[block.table_rows][block.cells]
        return emitted

    def _compute_moves(self, size: int) -> tuple[Floats, Floats]:
        """Return P(next position | position), (size, size), and of the first position, (size,)."""
        distance = np.arange(size)[None, :] - np.arange(-1, size)[:, None]
        weight = self._jumps[np.clip(distance, -FARTHEST_JUMP, FARTHEST_JUMP) + FARTHEST_JUMP]
        weight = (weight / weight.sum(axis=1, keepdims=True)).astype(np.float32)
        return weight[1:], weight[0]


Numbered = tuple[list[int], list[int]]


def _make_batches(pairs: Sequence[Numbered]) -> Iterator[list[int]]:
    """Yield indices of pairs of one source length and similar target length, within the limit."""
    by_length: dict[int, list[int]] = defaultdict(list)
    for index, (source, target) in enumerate(pairs):
        if 1 < len(source) <= LONGEST + 1 and 0 < len(target) <= LONGEST:
            by_length[len(source)].append(index)
    for length in sorted(by_length):
        group = sorted(by_length[length], key=lambda index: len(pairs[index][1]))
        batch: list[int] = []
        for index in group:
            if batch and (len(batch) + 1) * length * len(pairs[index][1]) > BLOCK_CELLS:
                yield batch
                batch = []
            batch.append(index)
        yield batch


def _make_keys(batch: list[int], pairs: Sequence[Numbered], width: int) -> NDArray[np.int64]:
    """Return a number for each pair of words, (target length, pairs, source length).

    Padding has -1.
    """
    longest = len(pairs[batch[-1]][1])
    sources = np.array([pairs[index][0] for index in batch], np.int64)
    targets = np.full((longest, len(batch)), -1, np.int64)
    for row, index in enumerate(batch):
        targets[: len(pairs[index][1]), row] = pairs[index][1]
    keys = sources[None, :, :] * width + targets[:, :, None]
    keys[targets < 0] = -1
    return keys


def _make_block(batch: list[int], keys: NDArray[np.int64], table: NDArray[np.int64]) -> _PairBlock:
    distinct, inverse = np.unique(keys, return_inverse=True)
    cells = inverse.reshape(keys.shape).astype(np.int32)
    rows = np.searchsorted(table, distinct)
    return _PairBlock(np.array(batch), cells, rows, (keys[:, :, :1] >= 0).astype(np.float32))


def _exp_digamma(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute exp(ψ(x)) for x > 0, by ψ(x) = ψ(x + 1) - 1/x and the asymptotic series above 6."""
    shift = np.zeros_like(x)
    y = x.copy()
    for _ in range(6):
        shift += 1 / y
        y += 1
    square = 1 / (y * y)
    series = np.log(y) - 0.5 / y - square * (1 / 12 - square * (1 / 120 - square / 252))
    return np.exp(series - shift)
