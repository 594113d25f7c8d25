"""Who is in a lot: the examples of one step of private training.

What the privacy of a step is worth hangs on how its lot was drawn. ``NoisePlan`` says how, and is
what the accountant reads; ``lots`` draws accordingly.

    poisson             each example by itself with probability L / N: lots of any size, also none
    truncated-poisson   the same, but no more than ``largest``: what a machine's memory may demand
    shuffled            all examples in a new order, cut into lots of L: no privacy is gained by it
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from prism_core.errors import ConfigurationError
from prism_core.training.randomness import Bits, draw_members, shuffle

Sampling = Literal["poisson", "truncated-poisson", "shuffled"]
SAMPLINGS: tuple[Sampling, ...] = get_args(Sampling)


@dataclass(frozen=True, slots=True)
class NoisePlan:
    """All that decides what a training costs in privacy, but for how many steps were taken.

    ``examples`` N: how many there are, a number that is published; ``lot`` L: how many a step draws
    in expectation, in [1, N]; ``steps`` T; ``noise`` σ, in units of the norm that an example is
    clipped to; ``largest``: the most a truncated lot holds, else None. Raises
    ``ConfigurationError``.
    """

    examples: int
    lot: int
    steps: int
    noise: float
    sampling: Sampling = "poisson"
    largest: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.lot <= self.examples:
            raise ConfigurationError(
                f"a lot holds from 1 to all {self.examples:,} examples, not {self.lot:,}"
            )
        if self.sampling not in SAMPLINGS:
            raise ConfigurationError(f"sampling is one of {', '.join(SAMPLINGS)}")
        if (self.sampling == "truncated-poisson") != (self.largest is not None):
            raise ConfigurationError("a largest lot is for truncated-poisson, which needs one")
        if self.largest is not None and self.largest < self.lot:
            raise ConfigurationError("the largest lot is no smaller than the expected one")
        if self.steps < 1 or self.noise <= 0:
            raise ConfigurationError("there is at least one step, and some noise")

    @property
    def rate(self) -> float:
        """q = L / N, of the real N."""
        return self.lot / self.examples

    @property
    def lots_a_pass(self) -> int:
        """How many lots all examples fill when each is taken once."""
        return math.ceil(self.examples / self.lot)


def lots(
    plan: NoisePlan, bits: Bits, first: int = 0
) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
    """The examples of each step from ``first`` (counted from 0) on, as places in [0, N).

    A lot is what was drawn and nothing else: it may be empty, and no example fills a gap. Gives
    the number of each step with its lot. A shuffled pass that was broken off is not gone on with,
    since an example might then be taken twice in it: its other steps are left out.
    """
    if plan.sampling == "shuffled":
        yield from _shuffled(plan, bits, first)
        return
    for step in range(first, plan.steps):
        drawn = draw_members(plan.examples, plan.rate, bits)
        if plan.largest is not None and len(drawn) > plan.largest:
            drawn = drawn[np.sort(shuffle(len(drawn), bits)[: plan.largest])]
        yield step, drawn


def _shuffled(
    plan: NoisePlan, bits: Bits, first: int
) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
    for begin in range(
        math.ceil(first / plan.lots_a_pass), math.ceil(plan.steps / plan.lots_a_pass)
    ):
        order = shuffle(plan.examples, bits)
        for place in range(plan.lots_a_pass):
            step = begin * plan.lots_a_pass + place
            if step < plan.steps:
                yield step, order[place * plan.lot : (place + 1) * plan.lot]
