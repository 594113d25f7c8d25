"""How many examples Hypothesis makes: all of them at night, a part of them on every push."""

from __future__ import annotations

from hypothesis import settings
from hypothesis.internal.conjecture import providers

_ALL = 100
"""Examples of a test that asks for no number, at night."""
PUSHED = 25
"""Examples of the same test on a push."""


def examples(number: int) -> int:
    """Return ``number`` at night, and on a push as small a part of it as of any other test."""
    return max(1, number * settings.default.max_examples // _ALL)


def make_fewer() -> None:
    """Make the examples of a push, the same ones each time; to be called before collection.

    At night Hypothesis also draws constants of the code, for which each process parses all of it.
    """
    providers._get_local_constants = lambda: providers._local_constants
    settings.register_profile("push", settings.get_profile("ci"), max_examples=PUSHED)
    settings.load_profile("push")
