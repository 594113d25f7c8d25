"""Bounds that reject a wrong sampler both ways: too skewed, and too even to be random."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

LEVEL = 1e-7
"""Probability that a right sampler is rejected by one test, on each side."""


def is_binomial(successes: int, trials: int, probability: float) -> bool:
    """Whether neither tail of the exact binomial distribution at ``successes`` is below LEVEL."""
    if probability in (0.0, 1.0):
        return successes == trials * probability
    masses = [_mass(k, trials, probability) for k in range(trials + 1)]
    return min(math.fsum(masses[: successes + 1]), math.fsum(masses[successes:])) >= LEVEL


def _mass(k: int, n: int, p: float) -> float:
    ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(ways + k * math.log(p) + (n - k) * math.log1p(-p))


def is_uniform(drawn: Counter[str], over: Iterable[str]) -> bool:
    """Whether Pearson's chi-square of ``drawn`` is neither too large nor too small."""
    cells = set(over)
    expected = drawn.total() / len(cells)
    statistic = sum((drawn[cell] - expected) ** 2 / expected for cell in cells)
    freedom = len(cells) - 1
    # Wilson and Hilferty: the cube root of chi-square over its freedom is close to normal.
    spread = 2 / (9 * freedom)
    normal = ((statistic / freedom) ** (1 / 3) - 1 + spread) / math.sqrt(spread)
    return set(drawn) <= cells and abs(normal) < 5.2
