"""How a translation fits where its source stood: size, line breaks, and what to do if it does not.

A translation may use the free space to the right of its block and below it. If it still does not
fit it shrinks, at most to ``SMALLEST_SCALE`` of the source's size; below that it overflows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from prism_core.formats.pdf.blocks import Block
from prism_core.formats.pdf.fonts import text_width
from prism_core.formats.pdf.geometry import Box

SMALLEST_SCALE = 0.6
_SCALES = tuple(step / 100 for step in range(100, int(SMALLEST_SCALE * 100) - 1, -4))
_SMALLEST_SIZE = 4.0
_LEADING = 1.16
_TIGHT_LEADING = 1.05
_GAP = 3.0
_DESCENT = 0.22
_ASCENT = 0.75


@dataclass(frozen=True, slots=True)
class Fitted:
    """A translation broken into lines: ``lines`` are (x, baseline, text) in the block's frame."""

    font: str
    size: float
    lines: tuple[tuple[float, float, str], ...]
    box: Box
    scale: float
    overflows: bool


class Obstacles:
    """What stands in one frame of a page and must not be drawn over.

    ``frame`` is the part of the page that may be drawn on, ``text`` the part that holds text.
    """

    def __init__(self, frame: Box, text: Box, boxes: Iterable[Box]) -> None:
        self._frame = frame
        self.text = text
        self._boxes = np.array(list(boxes), dtype=float).reshape(-1, 4)

    def add(self, box: Box) -> None:
        """Note what has been drawn, so that nothing else is drawn over it."""
        self._boxes = np.vstack([self._boxes, np.array([box])])

    def right_of(self, box: Box) -> float:
        """How far right something as high as ``box`` may reach."""
        x0, _, _, _ = self._boxes.T
        near = self._boxes[self._beside(box) & (x0 >= box.x1 - 1)]
        return float(max(min(near[:, 0], default=self._frame.x1 + _GAP) - _GAP, box.x1))

    def left_of(self, box: Box) -> float:
        """How far left something as high as ``box`` may reach."""
        _, _, x1, _ = self._boxes.T
        near = self._boxes[self._beside(box) & (x1 <= box.x0 + 1)]
        return float(min(max(near[:, 2], default=self._frame.x0 - _GAP) + _GAP, box.x0))

    def below(self, box: Box) -> float:
        """How far down something as wide as ``box`` may reach."""
        x0, _, x1, y1 = self._boxes.T
        near = self._boxes[(x0 < box.x1 - 1) & (x1 > box.x0 + 1) & (y1 <= box.y0 + 1.5)]
        return float(min(max(near[:, 3], default=self._frame.y0), box.y0))

    def _beside(self, box: Box) -> np.ndarray:
        _, y0, _, y1 = self._boxes.T
        return np.asarray((y0 < box.y1 - 1) & (y1 > box.y0 + 1))


def fit(block: Block, text: str, font: str, obstacles: Obstacles) -> Fitted:
    """Break ``text`` into lines in the room of ``block``."""
    if len(block.lines) == 1:
        block = replace(block, align=_single_line_alignment(block, obstacles))
    words = text.split()
    widths = [text_width(word, font, 1.0) for word in words]
    space = text_width(" ", font, 1.0)
    rooms = list(_rooms(block, obstacles))
    for scale in _SCALES:
        size = max(block.size * scale, min(_SMALLEST_SIZE, block.size))
        for room in rooms:
            rows = _wrapped(words, widths, space, room.width / size)
            if rows is None:
                continue
            no_higher = len(rows) <= len(block.lines)
            if no_higher or _height(block, size, len(rows), tight=scale < 1) <= room.height:
                return _placed(block, font, size, rows, scale, tight=scale < 1)
    return _overflowing(block, words, widths, space, rooms[-1], font)


def _single_line_alignment(block: Block, obstacles: Obstacles) -> str:
    """Told from the free space on both sides: a line in the middle of it grows to both."""
    left = block.box.x0 - obstacles.left_of(block.box)
    right = obstacles.right_of(block.box) - block.box.x1
    if min(left, right) > 0.5 * block.size and abs(left - right) < 1 + 0.06 * (left + right):
        return "center"
    if right < 0.8 * block.size and left > max(2 * block.size, 0.4 * block.box.width):
        return "right"
    return block.align


def _rooms(block: Block, obstacles: Obstacles) -> Iterator[Box]:
    """Where the text may go: as wide as the source, then as wide as there is free space."""
    bottom = obstacles.below(block.box)
    if len(block.lines) > 1:
        yield Box(block.box.x0, bottom, block.box.x1 + 1, block.box.y1)
    left, right = block.box.x0, block.box.x1
    if block.align != "left":
        left = obstacles.left_of(block.box)
    if block.align != "right":
        right = obstacles.right_of(block.box)
    if block.align == "center":
        reach = min(block.box.x0 - left, right - block.box.x1)
        left, right = block.box.x0 - reach, block.box.x1 + reach
    if len(block.lines) > 1:  # a paragraph grows no wider than the text of the page
        left = max(left, min(obstacles.text.x0, block.box.x0))
        right = min(right, max(obstacles.text.x1, block.box.x1))
    wide = Box(left, block.box.y0, right, block.box.y1)
    yield Box(left - 0.5, obstacles.below(wide), right + 0.5, block.box.y1)


def _leading(block: Block, size: float, tight: bool) -> float:
    own = block.leading / block.size * size if block.leading else _LEADING * size
    return min(own, _TIGHT_LEADING * size) if tight else own


def _height(block: Block, size: float, rows: int, tight: bool) -> float:
    """From the top of the block to the descenders of its last line."""
    first = block.box.y1 - _first_baseline(block, size)
    return first + (rows - 1) * _leading(block, size, tight) + _DESCENT * size


def _first_baseline(block: Block, size: float) -> float:
    """The source's own with a single line, raised with several as the text shrinks."""
    if len(block.lines) == 1:
        return block.baseline
    return block.baseline + (block.size - size) * _ASCENT


def _wrapped(
    words: Sequence[str], widths: Sequence[float], space: float, room: float
) -> list[tuple[float, str]] | None:
    """The words in lines of at most ``room``, each with its width; None if a word is wider."""
    if max(widths, default=0.0) > room:
        return None
    rows: list[tuple[float, list[str]]] = []
    for word, width in zip(words, widths, strict=True):
        if rows and rows[-1][0] + space + width <= room:
            rows[-1] = (rows[-1][0] + space + width, [*rows[-1][1], word])
        else:
            rows.append((width, [word]))
    return [(width, " ".join(row)) for width, row in rows]


def _placed(
    block: Block,
    font: str,
    size: float,
    rows: Sequence[tuple[float, str]],
    scale: float,
    tight: bool,
    overflows: bool = False,
) -> Fitted:
    step = _leading(block, size, tight)
    top = _first_baseline(block, size)
    lines = []
    for index, (width, text) in enumerate(rows):
        lines.append((_left(block, width * size), top - index * step, text))
    wide = max(width for width, _ in rows) * size
    left = min(x for x, _, _ in lines)
    box = Box(left, lines[-1][1] - _DESCENT * size, left + wide, top + _ASCENT * size)
    return Fitted(font, size, tuple(lines), box, scale, overflows)


def _left(block: Block, width: float) -> float:
    if block.align == "right":
        return block.box.x1 - width
    if block.align == "center":
        return (block.box.x0 + block.box.x1 - width) / 2
    return block.box.x0


def _overflowing(
    block: Block,
    words: Sequence[str],
    widths: Sequence[float],
    space: float,
    room: Box,
    font: str,
) -> Fitted:
    """At the smallest size, with words too wide standing out and lines running past the room."""
    size = max(block.size * SMALLEST_SCALE, min(_SMALLEST_SIZE, block.size))
    wide = max(room.width / size, max(widths))
    rows = _wrapped(words, widths, space, wide) or []
    return _placed(block, font, size, rows, SMALLEST_SCALE, tight=True, overflows=True)
