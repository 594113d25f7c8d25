"""How many examples Hypothesis makes: all of them at night, a part of them on every push."""

from __future__ import annotations

import sys
from functools import cache

from hypothesis import settings
from hypothesis.internal import charmap
from hypothesis.internal.conjecture import providers
from hypothesis.internal.intervalsets import IntervalSet

_ALL = 100
"""Examples of a test that asks for no number, at night."""
PUSHED = 25
"""Examples of the same test on a push."""
_SURROGATES = 0xD800, 0xDFFF
_UNICODE = (
    IntervalSet([(0, _SURROGATES[0] - 1), (_SURROGATES[1] + 1, sys.maxunicode)]),
    IntervalSet([]),
)
"""Characters that UTF-8 encodes, and those of them that it decodes as others."""


def examples(number: int) -> int:
    """Return ``number`` at night, and on a push as small a part of it as of any other test."""
    return max(1, number * settings.default.max_examples // _ALL)


def make_fewer() -> None:
    """Make the examples of a push, the same ones each time; to be called before collection.

    At night Hypothesis also draws constants of the code, for which each process parses all of it.
    It also finds out which characters UTF-8 has, 3 s in each process of a new checkout.
    """
    providers._get_local_constants = lambda: providers._local_constants
    find_characters = cache(charmap.intervals_from_codec)
    charmap.intervals_from_codec = lambda codec: (
        _UNICODE if codec == "utf-8" else find_characters(codec)
    )
    settings.register_profile("push", settings.get_profile("ci"), max_examples=PUSHED)
    settings.load_profile("push")
