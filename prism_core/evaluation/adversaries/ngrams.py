"""An interpolated n-gram model of public text: what an adversary expects to read in a place."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Row = tuple[NDArray[np.int64], Array]
"""Words, by number, and how often each was seen."""

DISCOUNT = 0.75
"""Taken off every count for what was not seen (absolute discounting, Ney et al. 1994)."""
UNKNOWN, EDGE = 0, 1
_EMPTY: Row = (np.zeros(0, np.int64), np.zeros(0))


class NGrams:
    """Words, pairs and triples of public sentences, in lower case.

    p(w | a, b) is interpolated down to pairs, words, and a uniform rest. Every unseen word is one,
    ``UNKNOWN``; sentences begin and end with ``EDGE``.
    """

    def __init__(self, sentences: Iterable[Sequence[str]]) -> None:
        self.numbers: dict[str, int] = {"": UNKNOWN, "\n": EDGE}
        words: Counter[int] = Counter()
        pairs: dict[int, Counter[int]] = defaultdict(Counter)
        triples: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
        for sentence in sentences:
            row = [
                EDGE,
                *(self.numbers.setdefault(token.lower(), len(self.numbers)) for token in sentence),
                EDGE,
            ]
            words.update(row)
            for a, b in pairwise(row):
                pairs[a][b] += 1
            for a, b, c in zip(row, row[1:], row[2:], strict=False):
                triples[a, b][c] += 1
        self._counts = words
        self._after = {a: _row(counts) for a, counts in pairs.items()}
        self._after_two = {key: _row(c) for key, c in triples.items() if c.total() > 1}
        before: dict[int, dict[int, int]] = defaultdict(dict)
        for first, followers in pairs.items():
            for second, count in followers.items():
                before[second][first] = count
        self._before = {word: _row(counts) for word, counts in before.items()}
        # How often each word has a follower, and what discounting leaves for those not seen.
        self._followed, self._spare = np.ones(len(self)), np.ones(len(self))
        for word, (_, seen) in self._after.items():
            self._followed[word] = seen.sum()
            self._spare[word] = DISCOUNT * len(seen) / seen.sum()

    def number(self, token: str) -> int:
        """The number of ``token``; ``UNKNOWN`` for a word that public text does not have."""
        return self.numbers.get(token.lower(), UNKNOWN)

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def words(self) -> Array:
        """p(w) of every word, by number; one occurrence is added to each."""
        counts = np.ones(len(self))
        for word, count in self._counts.items():
            counts[word] += count
        return np.asarray(counts / counts.sum(), np.float64)

    def follow(self, second: int | None, last: int | None) -> Array:
        """p(w | second, last) of every word; None for what is not known, where the rest decides."""
        if last is None:
            return self.words
        found = _interpolate(self._after.get(last, _EMPTY), self.words)
        if second is None or (second, last) not in self._after_two:
            return found
        return _interpolate(self._after_two[second, last], found)

    def precede(self, following: int | None) -> Array:
        """p(following | w) for every word w; ones where ``following`` is not known."""
        if following is None:
            return np.ones(len(self))
        found: Array = self._spare * self.words[following]
        words, counts = self._before.get(following, _EMPTY)
        found[words] += np.maximum(counts - DISCOUNT, 0) / self._followed[words]
        return found

    def count_beside(self, word: int) -> Array:
        """How often each word stands right before or after ``word``."""
        found = np.zeros(len(self))
        if word != UNKNOWN:
            for words, counts in (self._after.get(word, _EMPTY), self._before.get(word, _EMPTY)):
                found[words] += counts
        return found


def unit_rows(rows: Array) -> Array:
    """``rows``, each of length 1 but for zeros."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), np.float64)


def _row(counts: Mapping[int, int]) -> Row:
    return np.array(list(counts), np.int64), np.array(list(counts.values()), np.float64)


def _interpolate(row: Row, rest: Array) -> Array:
    words, counts = row
    total = counts.sum()
    if not total:
        return rest
    found: Array = rest * (DISCOUNT * len(counts) / total)
    found[words] += np.maximum(counts - DISCOUNT, 0) / total
    return found
