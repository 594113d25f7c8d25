"""Areas of a page that a text must not cover, and what the lines around a line say of it.

Entry: `Obstacles`; `judge_alignment` finds to which side a single line grows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from prism_core.formats.pdf.block import PdfBlock
from prism_core.formats.pdf.geometry import Box
from prism_core.formats.pdf.list_markers import read_markers

_GAP = 3.0
_TOUCH = 1.0
_NEAR, _SAME_MIDDLE = 5.0, 2.0
"""Distance of lines around one, in font sizes, and of the middles of centred lines, in points."""
_SHARED = 0.3
"""Share of the height of a line by which lines of tight text overlap."""


class Obstacles:
    """Areas in one frame of a page, what is ``drawn`` and ``lines`` of blocks, to leave free."""

    def __init__(
        self,
        frame: Box,
        text: Box,
        drawn: Iterable[Box],
        lines: Mapping[PdfBlock, Sequence[Box]] | None = None,
    ) -> None:
        self.frame = frame
        self.text = text
        lines_by_block = lines or {}
        self._owners = {block: number for number, block in enumerate(lines_by_block)}
        owned = [
            (self._owners[block], line)
            for block in lines_by_block
            for line in lines_by_block[block]
        ]
        boxes = [*((-1, box) for box in drawn), *owned]
        self._owner = np.array([owner for owner, _ in boxes], dtype=int)
        self._boxes = np.array([box for _, box in boxes], dtype=float).reshape(-1, 4)
        self._found = dict[tuple[str, PdfBlock], np.ndarray]()  # until something is added

    def add(self, block: PdfBlock, boxes: Sequence[Box]) -> None:
        """Record where ``block`` has been drawn, so that nothing else is drawn there."""
        self._found.clear()
        number = self._owners.setdefault(block, len(self._owners))
        others = self._owner != number
        new = np.array(boxes, dtype=float).reshape(-1, 4)
        self._boxes = np.vstack([self._boxes[others], new])
        self._owner = np.append(self._owner[others], np.full(len(new), number))

    def covers_text(self, block: PdfBlock, boxes: Sequence[Box]) -> bool:
        """Return True if any of ``boxes`` covers text of a block that ``block`` did not touch."""
        if (others := self._found.get(("text", block))) is None:
            number = self._owners.get(block, -2)
            others = self._boxes[(self._owner >= 0) & (self._owner != number)]
            others = others[~_find_overlaps(others, block.lines).any(axis=0)]
            self._found["text", block] = others
        return bool(_find_overlaps(others, boxes).any())

    def find_right_limit(self, block: PdfBlock, box: Box) -> float:
        """Return how far right something of ``block`` as high as ``box`` may reach."""
        boxes = self._boxes_of_others(block)
        near = boxes[_find_beside(boxes, box) & (boxes[:, 0] >= box.x1 - 1), 0]
        return max(float(near.min(initial=self.frame.x1 + _GAP)) - _GAP, box.x1)

    def find_left_limit(self, block: PdfBlock, box: Box) -> float:
        """Return how far left something of ``block`` as high as ``box`` may reach."""
        boxes = self._boxes_of_others(block)
        near = boxes[_find_beside(boxes, box) & (boxes[:, 2] <= box.x0 + 1), 2]
        return min(float(near.max(initial=self.frame.x0 - _GAP)) + _GAP, box.x0)

    def find_lower_limit(self, block: PdfBlock, box: Box) -> float:
        """Return how far down something of ``block`` as wide as ``box`` may reach."""
        boxes = self._boxes_of_others(block)
        x0, _, x1, y1 = boxes.T
        near = boxes[(x0 < box.x1 - 1) & (x1 > box.x0 + 1) & (y1 <= box.y0 + 1.5), 3]
        return min(float(near.max(initial=self.frame.y0)), box.y0)

    def is_aligned_with_text(self, block: PdfBlock) -> bool:
        """Return True if other text begins on the left where ``block`` does, and ends elsewhere."""
        begins, ends = (np.abs(self._boxes[:, at] - block.box[at]) < _TOUCH for at in (0, 2))
        aligned = begins & ~ends
        return bool((aligned & (self._owner >= 0) & (self._owner != self._owners.get(block))).any())

    def is_in_cell(self, box: Box, left: float, right: float) -> bool:
        """Return True if something drawn ends the room on both sides of ``box``."""
        x0, _, x1, _ = (drawn := self._boxes[self._owner < 0]).T
        beside = _find_beside(drawn, box)
        ends_left = beside & (np.abs(box.x0 - left - _GAP - x1) < _TOUCH)
        ends_right = beside & (np.abs(box.x1 + right + _GAP - x0) < _TOUCH)
        return bool(ends_left.any() and ends_right.any())

    def find_lines_near(self, block: PdfBlock) -> list[Box]:
        """Return the lines of other blocks above and below ``block``, in its column."""
        box, reach = block.box, _NEAR * block.size
        others = self._boxes[(self._owner >= 0) & (self._owner != self._owners.get(block, -2))]
        x0, y0, x1, y1 = others.T
        beside = (y0 < box.y1 - 1) & (y1 > box.y0 + 1)
        near = (y0 < box.y1 + reach) & (y1 > box.y0 - reach) & (x0 < box.x1) & (x1 > box.x0)
        return [Box(*map(float, line)) for line in others[near & ~beside]]

    def _boxes_of_others(self, block: PdfBlock) -> np.ndarray:
        if (found := self._found.get(("all", block))) is None:
            found = self._boxes[self._owner != self._owners.get(block, -2)]
            self._found["all", block] = found
        return found


def _find_beside(boxes: np.ndarray, box: Box) -> np.ndarray:
    _, y0, _, y1 = boxes.T
    return np.asarray((y0 < box.y1 - 1) & (y1 > box.y0 + 1))


def _find_overlaps(boxes: np.ndarray, lines: Sequence[Box]) -> np.ndarray:
    """Return a mask (lines, boxes) of pairs that overlap by more than lines of tight text do."""
    x0, y0, x1, y1 = boxes.T
    left, low, right, high = np.array(lines, dtype=float).reshape(-1, 4).T[:, :, None]
    across = np.minimum(x1, right) - np.maximum(x0, left)
    upwards = np.minimum(y1, high) - np.maximum(y0, low)
    lower = np.minimum(y1 - y0, high - low)
    return np.asarray((across > _TOUCH) & (upwards > _SHARED * lower))


def judge_alignment(block: PdfBlock, obstacles: Obstacles) -> str:
    """Return the alignment of ``block``; that of a single line shows in the lines around it."""
    box = block.box
    if len(block.lines) > 1 or block.is_item or block.is_leaders or read_markers(block.text):
        return block.align
    left = box.x0 - obstacles.find_left_limit(block, box)
    right = obstacles.find_right_limit(block, box) - box.x1
    near = obstacles.find_lines_near(block)
    is_even = min(left, right) > 0.5 * block.size and abs(left - right) < 1 + 0.06 * (left + right)
    in_cell = is_even and obstacles.is_in_cell(box, left, right)
    others = [line for line in near if abs(line.width - box.width) > _TOUCH]
    if in_cell and _shares_middle(box, others):
        return "center"
    if obstacles.is_aligned_with_text(block):
        return block.align
    if is_even:
        shared = _shares_middle(box, (*near, obstacles.text, obstacles.frame))
        return "center" if shared or in_cell or not near else block.align
    if right < 0.8 * block.size and left > max(2 * block.size, 0.4 * box.width):
        return block.align if any(line.x1 > box.x1 + _TOUCH for line in near) else "right"
    return block.align


def _shares_middle(box: Box, others: Iterable[Box]) -> bool:
    return any(abs(other.middle[0] - box.middle[0]) < _SAME_MIDDLE for other in others)
