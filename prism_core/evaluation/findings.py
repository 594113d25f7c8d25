"""Result of an attack, beside that of blind guessing, with its certainty and its meaning.

Entry: ``share``, ``share_of_deals`` or ``area`` make a ``Finding``; it gives its ``interval``,
``verdict`` and ``explanation``. ``read_attacks`` reads the rows that who runs attacks leaves beside
results.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from statistics import NormalDist, fmean, variance

import numpy as np

from prism_core.errors import ConfigurationError

CONFIDENCE = 0.95
Deal = Sequence[tuple[str, str]]
"""Right words and guesses of places whose guesses are exchangeable if the attack learns nothing."""
_MANY = 100_000
_STEPS = 60
"""Number of halvings of [0, 1] in the search for a bound: more than a float resolves."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Outcome of one attack: its figure, that of chance, and the number of cases.

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
        """Return the bounds of the true figure: exact for a share (Clopper-Pearson), or normal."""
        if self.spread is not None:
            reach = _normal_reach(confidence) * self.spread
            return max(-1.0, self.value - reach), min(1.0, self.value + reach)
        trials = round(self.trials)
        return exact_interval(round(self.value * trials), trials, confidence)

    def differs_from_chance(self, confidence: float = CONFIDENCE) -> bool:
        """Return True if chance lies outside the interval: the attack learns something.

        To do worse than chance counts too: it tells what a word is not.
        """
        low, high = self.interval(confidence)
        return not low <= self.chance <= high

    def against(self, controls: Sequence[Finding]) -> Finding:
        """Return the finding with the mean of ``controls``, which leak nothing, as chance.

        What was sent and the controls are then drawn alike, so both means are equal, whatever the
        attack does. The interval allows for the error of a mean over so few, and for a spread of
        the controls that is wider than that of independent guesses. To shares of hits, half a hit
        and half a miss are added (Jeffreys): where no control had a hit, chance is not none.
        """
        values = [control.value for control in controls if control.n]
        if not values:
            return self
        chance, count = fmean(values), len(values)
        seen = variance(values, chance) if count > 1 else 0.0
        more = 1 + 1 / count
        if self.spread is not None:
            spread = math.sqrt(max(self.spread**2, seen) * more)
            return replace(self, chance=chance, spread=spread)
        trials = min(self.trials, chance * (1 - chance) / seen) if seen else self.trials
        cases = sum(control.n for control in controls)
        chance = (chance * cases + 0.5) / (cases + 1)
        return replace(self, chance=chance, trials=trials / more)

    @property
    def explanation(self) -> str:
        """Explanation of its family, without the part behind ``@``."""
        return read_explanations()[self.attack.partition("@")[0]]

    @property
    def verdict(self) -> str:
        """``at chance``, ``above chance``, ``below chance``, or ``too few`` cases to say."""
        if self.n < FEWEST:
            return "too few"
        if not self.differs_from_chance():
            return "at chance"
        return "above chance" if self.value > self.chance else "below chance"


@cache
def read_explanations() -> Mapping[str, str]:
    """Return what each family of attacks tries, by name."""
    text = (files("prism_core.evaluation") / "attacks.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def share(attack: str, hits: float, chance: float, n: int, trials: float | None = None) -> Finding:
    """Build the finding of ``hits`` in ``n`` guesses, of which ``trials`` (all) are independent."""
    return Finding(attack, hits / n if n else 0.0, chance, n, n if trials is None else trials)


def share_of_deals(attack: str, deals: Iterable[Deal]) -> Finding:
    """Build the share of right guesses, with its mean over all ways to deal the guesses as chance.

    Mean and variance over all permutations are exact (Hoeffding 1951). A deal of one is left out:
    there is nothing to deal.
    """
    hits = n = 0
    expected = variance = 0.0
    for deal in deals:
        if len(deal) > 1:
            n += len(deal)
            hits += sum(word == guess for word, guess in deal)
            mean, spread = _moments(deal)
            expected, variance = expected + mean, variance + spread
    chance = expected / n if n else 0.0
    blind = chance * (1 - chance) * n
    return share(attack, hits, chance, n, trials=n * blind / variance if variance else 0.0)


def _moments(deal: Deal) -> tuple[float, float]:
    """Return mean and variance of the right guesses over all ways to deal them.

    With s_ij = 1 where guess j names word i: Σs / n, and Σd² / (n - 1) for s centred in rows and
    columns. Both follow from how often each word stands and how often it is guessed.
    """
    words, guesses = Counter(word for word, _ in deal), Counter(guess for _, guess in deal)
    n = len(deal)
    both = [(count, guesses[word]) for word, count in words.items()]
    total = sum(stands * named for stands, named in both)
    rows = sum(stands * named**2 for stands, named in both)
    columns = sum(stands**2 * named for stands, named in both)
    centred = total - (rows + columns) / n + (total / n) ** 2
    return total / n, centred / (n - 1)


def area(attack: str, inside: Sequence[float], outside: Sequence[float]) -> Finding:
    """Measure how often one of ``inside`` scores above one of ``outside``; ties count half.

    The area under the curve (AUC); chance: one half, with the spread of Mann and Whitney's U.
    """
    rows, columns = np.array(inside)[:, None], np.array(outside)[None, :]
    pairs = max(rows.size * columns.size, 1)
    value = ((rows > columns).sum() + (rows == columns).sum() / 2) / pairs
    spread = math.sqrt((rows.size + columns.size + 1) / (12 * pairs))
    found = float(value) if rows.size and columns.size else 0.5
    return Finding(attack, found, 0.5, rows.size + columns.size, spread=spread)


def exact_interval(hits: int, trials: int, confidence: float) -> tuple[float, float]:
    """Return the Clopper-Pearson interval of a probability; [0, 1] without a trial.

    Each bound is the probability under which what was seen, or more in that direction, has a
    probability of (1 - ``confidence``) / 2. Of more than ``_MANY`` trials it is Wilson's, which
    differs from the fourth digit on and does not take minutes.
    """
    if trials > _MANY:
        reach = _normal_reach(confidence)
        widened = trials + reach**2
        middle = (hits + reach**2 / 2) / widened
        half = reach * math.sqrt(hits * (trials - hits) / trials + reach**2 / 4) / widened
        return max(0.0, middle - half), min(1.0, middle + half)
    tail = (1 - confidence) / 2
    low = _bound(hits, trials, tail) if hits > 0 else 0.0
    high = 1.0 - _bound(trials - hits, trials, tail) if hits < trials else 1.0
    return low, high


def _bound(hits: int, trials: int, tail: float) -> float:
    """Return the probability at which ``hits`` or more of ``trials`` occur with ``tail``."""
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
    """Return the standard deviations around the mean that hold ``confidence``."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


FEWEST = 30
"""Minimum cases of a meaningful figure."""

FILE = "attacks.jsonl"


@dataclass(frozen=True, slots=True)
class AttackRow:
    """Attack on one method: the share it finds with its 95 % bounds, and that of chance.

    ``python -m benchmarks.adversaries --store attacks.jsonl`` writes such rows.
    """

    method: str
    setting: str
    attack: str
    value: float
    chance: float
    low: float
    high: float
    n: int


def read_attacks(folder: Path) -> list[AttackRow]:
    """Read the rows in ``attacks.jsonl`` of ``folder``; none if there is no such file.

    Raises ``ConfigurationError`` for a file that is of another kind.
    """
    path = folder / FILE
    if not path.is_file():
        return []
    names = [field.name for field in fields(AttackRow)]
    try:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        return [AttackRow(**{name: row[name] for name in names}) for row in rows]
    except (ValueError, KeyError, TypeError):
        raise ConfigurationError(
            f"{path} does not hold rows of attacks, one object of JSON a line with "
            f"{', '.join(names)}: move it away."
        ) from None
