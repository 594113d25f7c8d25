"""The exact distribution of a mechanism, by taking every way its random choices can go."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import Any


def distribution(outcome: Callable[[Random], Any]) -> dict[Any, Fraction]:
    """``{result: probability}`` of ``outcome(rng)``, in exact fractions that add up to 1."""
    found: dict[Any, Fraction] = defaultdict(Fraction)
    open_ways: list[tuple[int, ...]] = [()]
    while open_ways:
        walk = _Walk(open_ways.pop())
        found[outcome(walk)] += walk.weight / walk.shares
        for depth in range(len(walk.given), len(walk.taken)):
            start = tuple(walk.taken[:depth])
            open_ways += [(*start, other) for other in range(1, walk.options[depth])]
    assert sum(found.values()) == 1
    return dict(found)


def loss(one: dict[Any, Fraction], other: dict[Any, Fraction]) -> float:
    """The largest ln(Pr[s | one] / Pr[s | other]); infinite where only ``one`` can give s."""
    ratios = [p / other[s] if other.get(s) else math.inf for s, p in one.items() if p]
    return math.log(max(ratios))


class _Walk(Random):
    """Takes the choices in ``given``, then always the first; notes what else could be taken.

    Its probability is ``weight / shares``: even choices, by far the most, multiply an integer.
    """

    def __init__(self, given: tuple[int, ...]) -> None:
        super().__init__(0)
        self.given = given
        self.taken: list[int] = []
        self.options: list[int] = []
        self.weight = Fraction(1)
        self.shares = 1

    def random(self) -> Any:
        return _Coin(self)

    def randrange(self, start: int, *_: Any) -> int:
        self.shares *= start
        return self.take(start)

    def shuffle(self, x: Any) -> None:
        """Leave the order as it is: no outcome that is compared may depend on it."""

    def choose(self, chances: Sequence[float]) -> int:
        """Take a place of ``chances``, each with its share of their sum."""
        exact = [Fraction(chance) for chance in chances]
        choice = self.take(len(exact))
        self.weight *= exact[choice] / sum(exact)
        return choice

    def take(self, options: int) -> int:
        depth = len(self.taken)
        choice = self.given[depth] if depth < len(self.given) else 0
        self.taken.append(choice)
        self.options.append(options)
        return choice


class _Coin:
    """What ``random()`` gives here: it is less than p with probability p."""

    def __init__(self, walk: _Walk) -> None:
        self._walk = walk

    def __lt__(self, limit: float) -> bool:
        is_below = self._walk.take(2) == 0
        below = Fraction(limit)
        self._walk.weight *= below if is_below else 1 - below
        return is_below
