"""Counts of adjacent words in public text, for draws that fit what the translator sees.

Entry: ``load_plausibility`` for a source language; ``Plausibility.draw`` chooses from a pool by the
adjacent words. ``scripts/make-ngrams`` makes the file.
"""

from __future__ import annotations

from bisect import bisect
from collections import OrderedDict
from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prism_core.dictionary import Entry
from prism_core.languages import Language
from prism_core.mechanisms.pools import weigh_sureness
from prism_core.resources import shipped_ngrams

_NEIGHBOUR_CHANCE = 0.4
"""Chance that a draw depends on the word on one side, where pairs with it are known."""
_FLATTENING_POWER = 0.5
"""Power of a word's count in a draw that depends on no neighbour."""
_CACHED_POOLS = 4096
"""Number of weighted pools that are cached, some 2 MB: in fresh text 8 of 10 draws find theirs."""

Weights = tuple[NDArray[np.intp] | None, NDArray[np.float64]]
"""Positions in a pool (None for all of it) and their cumulative weights."""


class Plausibility:
    """Counts of words, and of pairs of adjacent words, in public text.

    ``words`` are in lower case; pair i consists of the words with the numbers ``first[i]`` and
    ``second[i]``.
    """

    def __init__(
        self,
        words: Sequence[str],
        counts: NDArray[np.uint32],
        first: NDArray[np.uint32],
        second: NDArray[np.uint32],
        pairs: NDArray[np.uint32],
    ) -> None:
        self._number = {word: number for number, word in enumerate(words)}
        self._counts = np.append(counts, np.uint32(0))
        self._pairs = first, second, pairs
        self._sides = {"left": _Neighbours(first, second, pairs)}
        self._pools: dict[int, _NumberedPool] = {}
        self._weights: OrderedDict[tuple[int, int | None, str], Weights] = OrderedDict()

    def chance_of(self, words: Sequence[str]) -> float:
        """Return the chance of ``words`` at a place of public text; a word not seen counts once."""
        total = float(self._counts.sum()) + 1
        unseen = len(self._number)
        numbers = [self._number.get(word.lower(), unseen) for word in words]
        chance = max(self._counts[numbers[0]], 1) / total
        for first, second in pairwise(numbers):
            others, counts = self._sides["left"].count_beside(first)
            pair = counts[others == second].sum() if first < unseen else 0
            chance *= float(pair) / max(self._counts[first], 1)
        return float(chance)

    def draw(self, pool: Sequence[Entry], left: str, right: str, rng: Random) -> Entry:
        """Draw a word of ``pool``, more likely the better it fits between ``left`` and ``right``.

        These are what the translator sees beside the place, in lower case, empty where it sees
        nothing yet. A surer word is more likely too. The chance of each word follows from the pool
        and from these two alone; every word of the pool has one.
        """
        chance = rng.random()
        side = (
            "left"
            if chance < _NEIGHBOUR_CHANCE
            else "right"
            if chance < 2 * _NEIGHBOUR_CHANCE
            else ""
        )
        word = self._number.get({"left": left, "right": right, "": ""}[side])
        places, weights = self._find_neighbours(pool, word, side)
        index = bisect(weights, rng.random() * weights[-1])
        index = min(index, len(weights) - 1)
        return pool[index if places is None else places[index]]

    def _find_neighbours(self, pool: Sequence[Entry], word: int | None, side: str) -> Weights:
        key = (id(pool), word, side if word is not None else "")
        found = self._weights.pop(key, None) or self._weigh(pool, word, side)
        self._weights[key] = found  # last, as the most recently used; threads may share this
        if len(self._weights) > _CACHED_POOLS:
            self._weights.popitem(last=False)
        return found

    def _weigh(self, pool: Sequence[Entry], word: int | None, side: str) -> Weights:
        known = self._pools.get(id(pool))
        if known is None:
            uncounted = len(self._number)
            numbers = [self._number.get(entry.word, uncounted) for entry in pool]
            sureness = np.array([weigh_sureness(entry) for entry in pool])
            known = _NumberedPool(pool, np.array(numbers, np.uint32), sureness)
            self._pools[id(pool)] = known
        if word is None:
            seen = self._counts[known.numbers] + 1.0
            return None, np.cumsum(seen**_FLATTENING_POWER * known.sureness)
        if side not in self._sides:
            first, second, pairs = self._pairs
            order = np.lexsort((first, second))
            self._sides[side] = _Neighbours(second[order], first[order], pairs[order])
        others, counts = self._sides[side].count_beside(word)
        beside = np.zeros(len(self._counts), np.uint32)  # count of each word on that side
        beside[others] = counts
        counted = beside[known.numbers]
        (indexes,) = counted.nonzero()
        if not len(indexes):
            return self._find_neighbours(pool, None, "")
        return indexes, (counted[indexes] * known.sureness[indexes]).cumsum()


class _NumberedPool(NamedTuple):
    """A pool, the numbers of its words (one too high where there are no counts), their weights."""

    pool: Sequence[Entry]
    numbers: NDArray[np.uint32]
    sureness: NDArray[np.float64]


class _Neighbours:
    """Words beside each word, by its number: arrays sorted by it, then by the other's number."""

    def __init__(
        self, word: NDArray[np.uint32], other: NDArray[np.uint32], count: NDArray[np.uint32]
    ) -> None:
        self._other, self._count = other, count
        self._ends = np.cumsum(np.bincount(word))

    def count_beside(self, number: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        first, last = max(number - 1, 0), min(number, len(self._ends) - 1)
        rows = slice(self._ends[first] if number else 0, self._ends[last])
        return self._other[rows], self._count[rows]


def load_plausibility(language: Language) -> Plausibility | None:
    """Load the counts that ship for ``language``, neutral forms as one; None without any."""
    path = shipped_ngrams(language.code)
    if not path.exists():
        return None
    with np.load(path) as file:
        words = bytes(file["words"]).decode().split("\n")
        counts, *columns = (file[name] for name in ("counts", "first", "second", "pairs"))
    numbers = {word: number for number, word in enumerate(words)}
    stands_for = np.arange(len(words), dtype=np.uint32)
    for word, drawn_as in language.neutral_forms.items():
        for spelled in (word, word.replace("'", "’")):
            if (number := numbers.get(spelled)) is not None:
                stands_for[number] = numbers.get(drawn_as, number)
    first, second = stands_for[columns[0]], stands_for[columns[1]]  # equal pairs are added up
    order = np.lexsort((second, first))
    first, second = first[order], second[order]
    differ = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    begins = np.flatnonzero(np.append(True, differ))
    pairs = np.add.reduceat(columns[2][order], begins)
    return Plausibility(words, counts, first[begins], second[begins], pairs)
