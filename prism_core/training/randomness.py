"""Chance for private training: bits from the operating system, drawn exactly or nearly so.

``Bits`` is passed in, so that a test can repeat itself; everything else passes ``os.urandom``. No
generator with a state is kept: who knows all that was released can foretell nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Bits = Callable[[int], bytes]
"""Gives so many bytes that nobody can foretell: ``os.urandom``."""

_UNIT = 2.0**-53


def draw_members(count: int, rate: float, bits: Bits) -> npt.NDArray[np.int64]:
    """The places in [0, ``count``) that are drawn, each by itself with probability ``rate``.

    ``rate`` in [0, 1] is met from below, to 2^-64. Gives them in ascending order, perhaps none.
    """
    if rate >= 1:
        return np.arange(count)
    drawn = np.frombuffer(bits(8 * count), np.uint64) < np.uint64(math.floor(rate * 2**64))
    return np.flatnonzero(drawn)


def shuffle(count: int, bits: Bits) -> npt.NDArray[np.int64]:
    """The places in [0, ``count``) in an order drawn evenly among all of them.

    Equal keys of 64 bits would keep their order; with a million places that is one run in 10^7.
    """
    return np.argsort(np.frombuffer(bits(8 * count), np.uint64), kind="stable")


def draw_normal(count: int, bits: Bits) -> npt.NDArray[np.float64]:
    """``count`` numbers of the standard normal distribution (Box and Muller).

    Each is the sum of two that are divided by the root of two, so that more bits than the 53 of
    one number decide it; it is exact to the rounding of a double.
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
