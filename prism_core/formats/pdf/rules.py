"""Drawn lines that part text: the rules of tables and the edges of boxes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from prism_core.formats.pdf.geometry import Box, Matrix, transformed

_THIN = 3.0
_REACH = 1.0
MAX_RULES = 4000
"""A page with more is a drawing or a map, and its paths say nothing about its text."""


def edges(boxes: Sequence[Box]) -> list[Box]:
    """Paths as thin boxes: a rectangle is its four edges, so that text may stand inside it."""
    return [edge for box in boxes[:MAX_RULES] for edge in _edges(box)]


def _edges(box: Box) -> Iterator[Box]:
    x0, y0, x1, y1 = box
    if box.width < _THIN or box.height < _THIN:
        yield box
    else:
        yield from (Box(x0, y0, x1, y0), Box(x0, y1, x1, y1))
        yield from (Box(x0, y0, x0, y1), Box(x1, y0, x1, y1))


def turned(boxes: Iterable[Box], matrix: Matrix) -> list[Box]:
    """The boxes after ``matrix``."""
    return [transformed(box, matrix) for box in boxes]


def horizontal(boxes: Iterable[Box]) -> list[Box]:
    """Those that are wider than high."""
    return [box for box in boxes if box.height < _THIN < box.width]


def parted(above: Box, below: Box, rules: Iterable[Box]) -> bool:
    """Whether a rule runs between two lines of text, beyond the ends of both.

    An underline is no such rule, for it ends with its words.
    """
    left = min(above.x0, below.x0) - _REACH
    right = max(above.x1, below.x1) + _REACH
    top, bottom = above.y0 + above.height / 2, below.y0 + below.height / 2
    return any(
        bottom < rule.y0 and rule.y1 < top and rule.x0 <= left and rule.x1 >= right
        for rule in rules
    )
