"""Rectangles and rotations of a page, in points, origin at the lower left of the page as shown."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

Matrix = tuple[float, float, float, float, float, float]
"""``(a, b, c, d, e, f)`` of a PDF transformation: x' = a x + c y + e, y' = b x + d y + f."""


class Box(NamedTuple):
    """An upright rectangle: left, bottom, right, top."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """In points."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """In points."""
        return self.y1 - self.y0

    def holds(self, x: float, y: float) -> bool:
        """Whether the point lies inside or on the edge."""
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1

    def touches(self, other: Box, within: float) -> bool:
        """Whether no more than ``within`` points lie between them, across and upwards."""
        return (
            self.x0 - within <= other.x1
            and other.x0 - within <= self.x1
            and self.y0 - within <= other.y1
            and other.y0 - within <= self.y1
        )


def around(boxes: Iterable[Box]) -> Box:
    """The smallest box that holds all ``boxes`` (at least one)."""
    x0s, y0s, x1s, y1s = zip(*boxes, strict=True)
    return Box(min(x0s), min(y0s), max(x1s), max(y1s))


def rotation(degrees: float) -> Matrix:
    """The matrix that turns a point counter-clockwise about the origin."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return (cos, sin, -sin, cos, 0.0, 0.0)


def after(first: Matrix, then: Matrix) -> Matrix:
    """The matrix that applies ``first`` and ``then``, in this order."""
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


def inverse(matrix: Matrix) -> Matrix:
    """The matrix that undoes ``matrix``; raises ZeroDivisionError when nothing can."""
    a, b, c, d, e, f = matrix
    det = a * d - b * c
    return (
        d / det,
        -b / det,
        -c / det,
        a / det,
        (c * f - d * e) / det,
        (b * e - a * f) / det,
    )


def transformed(box: Box, matrix: Matrix) -> Box:
    """The smallest upright box around ``box`` after ``matrix``."""
    a, b, c, d, e, f = matrix
    corners = [(x, y) for x in (box.x0, box.x1) for y in (box.y0, box.y1)]
    xs = [a * x + c * y + e for x, y in corners]
    ys = [b * x + d * y + f for x, y in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))
