"""Counts of words, and of pairs of words that stand together: the file of plausible draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

LEAST_PAIRS = 2
"""A pair of words that was seen less often is not kept."""


def count_words(sentences: Iterable[Sequence[str]], path: Path) -> None:
    """Write the counts of ``sentences``, each the words of one in lower case, to ``path``."""
    counts: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for words in sentences:
        counts.update(words)
        pairs.update(pairwise(words))
    kept = sorted(word for word, count in counts.items() if count >= LEAST_PAIRS)
    number = {word: index for index, word in enumerate(kept)}
    found = sorted(
        (number[one], number[other], count)
        for (one, other), count in pairs.items()
        if count >= LEAST_PAIRS
    )
    first, second, times = np.array(found, np.uint32).reshape(-1, 3).T
    np.savez_compressed(
        path,
        words=np.frombuffer("\n".join(kept).encode(), np.uint8),
        counts=np.array([counts[word] for word in kept], np.uint32),
        first=first,
        second=second,
        pairs=times,
    )
