"""Sampling of lots: the examples of one step of private training.

The privacy of a step depends on how its lot was drawn. ``NoisePlan`` states it for the accountant;
``lots`` draws accordingly.

    poisson             each example independently with probability L / N: lots of any size
    truncated-poisson   the same, but at most ``largest``, which a machine's memory may require
    shuffled            all examples in a new order, cut into lots of L: no privacy is gained by it

Random bits come from the operating system and are used exactly or nearly so. ``Bits`` is passed in,
so that a test can repeat itself; all other callers pass ``os.urandom``. No generator with a state
is kept, so nobody who knows all that was released can predict anything.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from prism_core.errors import ConfigurationError

Sampling = Literal["poisson", "truncated-poisson", "shuffled"]
SAMPLINGS: tuple[Sampling, ...] = get_args(Sampling)


@dataclass(frozen=True, slots=True)
class NoisePlan:
    """Plan that decides the privacy cost of a training, apart from the steps taken.

    ``examples`` N: their number, which is published; ``lot`` L: expected examples a step, in [1,
    N]; ``steps`` T; ``noise`` σ, in units of the clipping norm; ``largest``: the maximum of a
    truncated lot, else None. Raises ``ConfigurationError``.
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
        """Sampling rate q = L / N, of the real N."""
        return self.lot / self.examples

    @property
    def lots_a_pass(self) -> int:
        """Number of lots that hold all examples once."""
        return math.ceil(self.examples / self.lot)


def lots(
    plan: NoisePlan, bits: Bits, first: int = 0
) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
    """Yield the examples of each step from ``first`` (counted from 0), as indices in [0, N).

    A lot is what was drawn and nothing else: it may be empty, and no example fills a gap. Each
    step's number comes with its lot. An interrupted shuffled pass is not resumed, since an example
    might then be taken twice in it: its other steps are left out.
    """
    if plan.sampling == "shuffled":
        a_pass = plan.lots_a_pass
        for begin in range(math.ceil(first / a_pass) * a_pass, plan.steps, a_pass):
            order = shuffle(plan.examples, bits)
            for step in range(begin, min(begin + a_pass, plan.steps)):
                place = (step - begin) * plan.lot
                yield step, order[place : place + plan.lot]
        return
    for step in range(first, plan.steps):
        drawn = draw_members(plan.examples, plan.rate, bits)
        if plan.largest is not None and len(drawn) > plan.largest:
            drawn = drawn[np.sort(shuffle(len(drawn), bits)[: plan.largest])]
        yield step, drawn


Bits = Callable[[int], bytes]
"""Source of as many unpredictable bytes as asked: ``os.urandom``."""

_UNIT = 2.0**-53


def draw_members(count: int, rate: float, bits: Bits) -> npt.NDArray[np.int64]:
    """Draw indices in [0, ``count``), each independently with probability ``rate``.

    ``rate`` in [0, 1] is met from below, to 2^-64. Returns them in ascending order, perhaps none.
    """
    if rate >= 1:
        return np.arange(count)
    drawn = np.frombuffer(bits(8 * count), np.uint64) < np.uint64(math.floor(rate * 2**64))
    return np.flatnonzero(drawn)


def shuffle(count: int, bits: Bits) -> npt.NDArray[np.int64]:
    """Return the indices in [0, ``count``) in a uniformly random order.

    Equal keys of 64 bits would keep their order; with a million indices that is one run in 10^7.
    """
    return np.argsort(np.frombuffer(bits(8 * count), np.uint64), kind="stable")


def draw_normal(count: int, bits: Bits) -> npt.NDArray[np.float64]:
    """Draw ``count`` numbers from the standard normal distribution (Box and Muller).

    Each is the sum of two that are divided by √2, so that more bits than the 53 of one number
    decide it; it is exact to the rounding of a double.
    """
    first, second = (_box_muller(count, bits) for _ in range(2))
    first += second
    first *= math.sqrt(0.5)
    return first


def _box_muller(count: int, bits: Bits) -> npt.NDArray[np.float64]:
    pairs = (count + 1) // 2
    even = (np.frombuffer(bits(16 * pairs), np.uint64) >> np.uint64(11)).reshape(2, pairs)
    radius = np.sqrt(-2 * np.log((even[0] + 1.0) * _UNIT))  # of (0, 1]
    angle = 2 * math.pi * _UNIT * even[1]
    return np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])[:count]
