"""How slots of countries and offices are drawn: from a pattern, checked, or over two lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from benchmarks.identifier_fills import Fill, shaped, valid

_GAP = re.compile(r" (?=\w)|(?<=\w[-/])(?=\w)")


def filled(pattern: str, rng: Random) -> str:
    """``pattern`` filled; ``*`` is a capital A that stays one."""
    return shaped(pattern, rng).replace("*", "A")


def of(*patterns: str) -> Fill:
    """One of ``patterns``, filled."""

    def draw(rng: Random) -> str:
        return filled(rng.choice(patterns), rng)

    return draw


def right(*choices: tuple[Callable[[str], bool], str]) -> Fill:
    """One of ``choices``, a check and a pattern, filled until the check passes."""

    def draw(rng: Random) -> str:
        check, pattern = rng.choice(choices)
        return valid(rng, check, pattern)

    return draw


def anything(_text: str) -> bool:
    """The check of a number without one."""
    return True


def broken(draw: Fill) -> Fill:
    """``draw`` with a line end for one of its blanks, or behind one of its hyphens or strokes."""

    def over_two(rng: Random) -> str:
        for _ in range(100):
            text = draw(rng)
            if gaps := list(_GAP.finditer(text)):
                gap = rng.choice(gaps)
                return f"{text[: gap.start()]}\n{text[gap.end() :]}"
        raise ValueError("this slot cannot be broken over two lines: nothing drawn has a gap")

    return over_two
