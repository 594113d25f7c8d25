"""What an attack reached, beside what blind guessing reaches, and how sure the figure is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

CONFIDENCE = 0.95
_MANY = 100_000
_STEPS = 60
"""Halvings of [0, 1] in the search for a bound: more than a float resolves."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one attack: its figure, that of chance, and over how many cases it is.

    ``value`` and ``chance`` are shares in [0, 1] unless ``spread`` is given: then they are
    correlations in [-1, 1] and ``spread`` is their standard deviation under chance. ``trials`` is
    how many independent cases the ``n`` cases are worth, fewer where one guess decides several.
    """

    attack: str
    value: float
    chance: float
    n: int
    trials: float = 0.0
    spread: float | None = None

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """The bounds of the true figure: exact for a share (Clopper-Pearson), else normal."""
        if self.spread is not None:
            reach = _normal_reach(confidence) * self.spread
            return max(-1.0, self.value - reach), min(1.0, self.value + reach)
        trials = round(self.trials)
        return exact_interval(round(self.value * trials), trials, confidence)

    def differs_from_chance(self, confidence: float = CONFIDENCE) -> bool:
        """Whether chance lies outside the interval: the attack learns something.

        To do worse than chance counts too: it tells what a word is not.
        """
        low, high = self.interval(confidence)
        return not low <= self.chance <= high


def share(attack: str, hits: float, chance: float, n: int, trials: float | None = None) -> Finding:
    """The finding of ``hits`` in ``n`` guesses, of which ``trials`` (all) count as independent."""
    return Finding(attack, hits / n if n else 0.0, chance, n, n if trials is None else trials)


def area(attack: str, inside: Sequence[float], outside: Sequence[float]) -> Finding:
    """The probability that one of ``inside`` scores above one of ``outside``, equals counting half.

    The area under the curve (AUC); chance: one half, with the spread of Mann and Whitney's U.
    """
    rows, columns = np.array(inside)[:, None], np.array(outside)[None, :]
    pairs = max(rows.size * columns.size, 1)
    value = ((rows > columns).sum() + (rows == columns).sum() / 2) / pairs
    spread = math.sqrt((rows.size + columns.size + 1) / (12 * pairs))
    found = float(value) if rows.size and columns.size else 0.5
    return Finding(attack, found, 0.5, rows.size + columns.size, spread=spread)


def exact_interval(hits: int, trials: int, confidence: float) -> tuple[float, float]:
    """The Clopper-Pearson interval of a probability; [0, 1] without a trial.

    Each bound is the probability under which what was seen, or more in that direction, has a
    probability of (1 - ``confidence``) / 2. Of more than ``_MANY`` trials it is Wilson's, which
    differs from the fourth digit on and does not take minutes.
    """
    if trials > _MANY:
        return _wilson_interval(hits, trials, confidence)
    tail = (1 - confidence) / 2
    low = _bound(hits, trials, tail) if hits > 0 else 0.0
    high = 1.0 - _bound(trials - hits, trials, tail) if hits < trials else 1.0
    return low, high


def _wilson_interval(hits: int, trials: int, confidence: float) -> tuple[float, float]:
    """Where the normal approximation to the binomial does not reject what was seen."""
    reach = _normal_reach(confidence)
    widened = trials + reach**2
    middle = (hits + reach**2 / 2) / widened
    half = reach * math.sqrt(hits * (trials - hits) / trials + reach**2 / 4) / widened
    return max(0.0, middle - half), min(1.0, middle + half)


def _bound(hits: int, trials: int, tail: float) -> float:
    """The probability under which at least ``hits`` of ``trials`` has the probability ``tail``."""
    counts = np.arange(hits, trials + 1)
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, trials + 1)))])
    ways = logs[trials] - logs[counts] - logs[trials - counts]
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        masses = ways + counts * math.log(middle) + (trials - counts) * math.log1p(-middle)
        if float(np.exp(masses).sum()) < tail:
            low = middle
        else:
            high = middle
        if high == 1.0 and low > 1 - 1e-15:
            break
    return low


def _normal_reach(confidence: float) -> float:
    """How many standard deviations around the mean have ``confidence`` of a normal variable."""
    low, high = 0.0, 40.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if math.erfc(middle / math.sqrt(2)) > 1 - confidence:
            low = middle
        else:
            high = middle
    return low
