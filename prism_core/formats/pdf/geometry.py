"""Rectangles and rotations of a page, in points, origin at the lower left of the page as shown.

The last functions handle drawn lines that separate text: the rules of tables and the edges of
boxes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

Matrix = tuple[float, float, float, float, float, float]
"""PDF transformation ``(a, b, c, d, e, f)``: x' = a x + c y + e, y' = b x + d y + f."""
THIN = 3.0
"""Height, or width, up to which a box is a line, in points."""
_REACH = 1.0
MAX_RULES = 4000
"""Limit of paths: a page with more is a drawing or a map; its paths say nothing about text."""


class Box(NamedTuple):
    """Upright rectangle: left, bottom, right, top."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """Width in points."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Height in points."""
        return self.y1 - self.y0

    @property
    def middle(self) -> tuple[float, float]:
        """Point in the middle."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def holds(self, x: float, y: float) -> bool:
        """Return True if the point lies inside or on the edge."""
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1

    def clip(self, by: Box) -> Box:
        """Return the part that lies in ``by``; a negative width or height means none does."""
        low = max(self.x0, by.x0), max(self.y0, by.y0)
        return Box(*low, min(self.x1, by.x1), min(self.y1, by.y1))

    def distance(self, other: Box) -> float:
        """Return the gap between both boxes, across plus upwards; 0 where they overlap."""
        shared = self.clip(other)
        return max(-shared.width, 0.0) + max(-shared.height, 0.0)

    def touches(self, other: Box, within: float) -> bool:
        """Return True if at most ``within`` points lie between both boxes, across and upwards."""
        shared = self.clip(other)
        return min(shared.width, shared.height) >= -within


def bounding_box(boxes: Iterable[Box]) -> Box:
    """Return the smallest box that holds all ``boxes`` (at least one)."""
    x0s, y0s, x1s, y1s = zip(*boxes, strict=True)
    return Box(min(x0s), min(y0s), max(x1s), max(y1s))


def rotation(degrees: float) -> Matrix:
    """Return the matrix that turns a point counter-clockwise about the origin."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return (cos, sin, -sin, cos, 0.0, 0.0)


MIRRORED = 360
"""Degrees added to the angle of a frame whose letters are mirror writing."""


def frame_matrix(angle: int) -> Matrix:
    """Return the matrix from a frame turned back by ``angle`` (``MIRRORED``) to the page."""
    turned = rotation(angle)
    return compose((1.0, 0.0, 0.0, -1.0, 0.0, 0.0), turned) if angle >= MIRRORED else turned


def compose(first: Matrix, then: Matrix) -> Matrix:
    """Return the matrix that applies ``first`` and ``then``, in this order."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (
        a * p + b * r,
        a * q + b * s,
        c * p + d * r,
        c * q + d * s,
        e * p + f * r + t,
        e * q + f * s + u,
    )


def invert(matrix: Matrix) -> Matrix:
    """Return the matrix that undoes ``matrix``; raises ZeroDivisionError when none does."""
    a, b, c, d, e, f = matrix
    det = a * d - b * c
    return (d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det)


def transform(box: Box, matrix: Matrix) -> Box:
    """Return the smallest upright box around ``box`` after ``matrix``."""
    a, b, c, d, e, f = matrix
    x0, y0, x1, y1 = box
    xs = (a * x0 + c * y0 + e, a * x0 + c * y1 + e, a * x1 + c * y0 + e, a * x1 + c * y1 + e)
    ys = (b * x0 + d * y0 + f, b * x0 + d * y1 + f, b * x1 + d * y0 + f, b * x1 + d * y1 + f)
    return Box(min(xs), min(ys), max(xs), max(ys))


def split_into_edges(boxes: Sequence[Box]) -> list[Box]:
    """Split paths into thin boxes: a rectangle gives its four edges, so text may be inside."""
    found: list[Box] = []
    for box in boxes[:MAX_RULES]:
        x0, y0, x1, y1 = box
        if box.width < THIN or box.height < THIN:
            found.append(box)
        else:
            found += (Box(x0, y0, x1, y0), Box(x0, y1, x1, y1))
            found += (Box(x0, y0, x0, y1), Box(x1, y0, x1, y1))
    return found


def is_separated_by_rule(above: Box, below: Box, rules: Iterable[Box]) -> bool:
    """Return True if a rule, wider than both lines of text, runs between them."""
    left = min(above.x0, below.x0) - _REACH
    right = max(above.x1, below.x1) + _REACH
    top, bottom = above.y0 + above.height / 2, below.y0 + below.height / 2
    return any(
        bottom < rule.y0 and rule.y1 < top and rule.x0 <= left and rule.x1 >= right
        for rule in rules
    )
