"""Break translations into lines, in the room of their blocks and the free space beside them.

Entry: `fit_text`; then `_find_rooms` -> `_wrap` -> `_find_leading` -> `_place_rows` -> `_align`. A
translation may use the free space beside its block and below it, over no other text (`Obstacles`).
If it still does not fit it shrinks, at most to ``SMALLEST_SCALE`` of its source; below that it
overflows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

from prism_core.formats.pdf.block import PdfBlock
from prism_core.formats.pdf.geometry import Box
from prism_core.formats.pdf.list_markers import find_leaders
from prism_core.formats.pdf.obstacles import Obstacles, judge_alignment
from prism_core.formats.pdf.style import Run, Word, find_font, split_into_words, text_width

SMALLEST_SCALE = 0.6
SCALES = tuple(step / 100 for step in range(100, int(SMALLEST_SCALE * 100) - 1, -4))
_SMALLEST_SIZE = 4.0
LEADING = 1.16
_TIGHT_LEADING = 1.05
_DESCENT = 0.22
_ASCENT = 0.75
RAISED_SCALE = 0.62
_BEFORE_LEADERS = 0.3
"""Gap of an entry and its leaders, in font sizes."""
_WIDEST_BLANK, _NEARLY = 0.8, 3.0
"""Limits in justified lines: growth of a blank, and gap of a last line, in font sizes."""


@dataclass(frozen=True, slots=True)
class FittedText:
    """Translation broken into lines: ``lines`` are (x, baseline, text) in the block's frame."""

    font: str
    size: float
    lines: tuple[tuple[float, float, str], ...]
    box: Box
    scale: float
    overflows: bool
    words: tuple[Word, ...] = ()
    """Words of all lines, in order."""
    counts: tuple[int, ...] = ()
    """Number of words of each line."""
    from_right: bool = False
    widths: tuple[float, ...] = ()
    """Widths of the lines, in points."""
    stretches: tuple[float, ...] = ()
    """Extra width of each blank of a line, so that it ends where the others do, in points."""

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Boxes of the lines, in the block's frame."""
        down, up = _DESCENT * self.size, _ASCENT * self.size
        return tuple(
            Box(x, y - down, x + width, y + up)
            for (x, y, _), width in zip(self.lines, self.widths, strict=True)
        )


def fit_text(
    block: PdfBlock, runs: Sequence[Run], obstacles: Obstacles, from_right: bool
) -> FittedText:
    """Break ``runs`` into lines in the room of ``block``, mirrored if ``from_right``."""
    if (align := judge_alignment(block, obstacles)) != block.align:
        block = replace(block, align=align)
    font = find_font("".join(text for text, _ in runs), block.style) or ""
    parts = tuple(split_into_words(runs, font))
    widths = [
        sum(text_width(t, f, RAISED_SCALE if look.raised else 1.0) for t, f, look in word.parts)
        for word in parts
    ]
    space = text_width(" ", font or _find_blank_font(block), 1.0)
    rooms, others = list[Box](), _find_rooms(block, obstacles)
    indent = _measure_indent(block)
    for scale in SCALES:
        size = max(block.size * scale, min(_SMALLEST_SIZE, block.size))
        for room in chain(tuple(rooms), others):  # another is found once the first is too small
            if room not in rooms:
                rooms.append(room)
            rows = _wrap(parts, widths, space, room.width / size, indent / size)
            if rows is None:
                continue
            step = _find_leading(block, size, scale, len(rows), room)
            if step is None:
                continue
            placed = _place_rows(block, font, size, rows, scale, step, parts)
            if block.is_justified:
                placed = _justify(placed, room.x1 - 1, block.ends_full)
            placed = _mirror(placed, block, obstacles) if from_right else placed
            if not obstacles.covers_text(block, placed.boxes):
                return placed
    # at the smallest size; words that are too wide stand out, and lines run past the room
    size = max(block.size * SMALLEST_SCALE, min(_SMALLEST_SIZE, block.size))
    width = max(rooms[-1].width / size, max(widths, default=0.0) + abs(indent) / size)
    rows = _wrap(parts, widths, space, width, indent / size) or []
    step = _TIGHT_LEADING * size
    placed = _place_rows(block, font, size, rows, SMALLEST_SCALE, step, parts)
    placed = _mirror(placed, block, obstacles) if from_right else placed
    return replace(placed, overflows=True)


def fill_leaders(block: PdfBlock, begin: float | None) -> str:
    """Return the text of ``block``, leaders, with as many as go from ``begin`` to its figure."""
    found = find_leaders(block.text)
    if not found or begin is None:
        return block.text
    font, figure = find_font(block.text, block.style) or "", found["figure"] or ""
    sign = found["dots"][:2] if found["dots"][1:2].isspace() else found["dots"][:1]
    left = begin + _BEFORE_LEADERS * block.size
    room = find_figure(block).x0 - left
    return f"{sign * int(max(room, 0.0) / text_width(sign, font, block.size))} {figure}".strip()


def find_figure(block: PdfBlock) -> Box:
    """Return the place of the figure of ``block``, leaders, with the blank before it."""
    found = find_leaders(block.text)
    figure = f" {found['figure']}" if found and found["figure"] else ""
    width = text_width(figure, find_font(figure, block.style) or "", block.size) if figure else 0.0
    return block.box._replace(x0=max(block.box.x0, block.box.x1 - width - 1))


def _mirror(placed: FittedText, block: PdfBlock, obstacles: Obstacles) -> FittedText:
    """Mirror ``placed`` in a room as wide as the text around lets it be."""
    left, right = block.box.x0, block.box.x1
    if block.align == "left":
        right = min(obstacles.find_right_limit(block, block.box), max(obstacles.text.x1, right))
    elif block.align == "right":
        left = max(obstacles.find_left_limit(block, block.box), min(obstacles.text.x0, left))
    elif block.align == "center":
        left = right = 0.0
    lines = placed.lines
    if left != right:
        ends = zip(placed.lines, placed.widths, strict=True)
        lines = tuple((left + right - x - width, y, text) for (x, y, text), width in ends)
    x0 = min((x for x, _, _ in lines), default=placed.box.x0)
    x1 = max((x + w for (x, _, _), w in zip(lines, placed.widths, strict=True)), default=x0)
    box = Box(x0, placed.box.y0, x1, placed.box.y1)
    return replace(placed, lines=lines, box=box, from_right=True)


def _find_blank_font(block: PdfBlock) -> str:
    """Return the font of blanks between words that no single font covers."""
    return find_font(" ", block.style) or ""


def _measure_indent(block: PdfBlock) -> float:
    """Return the extra indent of the first line; negative where it hangs out, as an item's does."""
    if block.align != "left" or len(block.lines) < 2:
        return 0.0
    return block.lines[0].x0 - min(line.x0 for line in block.lines[1:])


def _find_rooms(block: PdfBlock, obstacles: Obstacles) -> Iterator[Box]:
    """Yield the areas where the text may go: as wide as the source, then as the free space."""
    bottom = obstacles.find_lower_limit(block, block.box)
    if len(block.lines) > 1:
        yield Box(block.box.x0, bottom, block.box.x1 + 1, block.box.y1)
    left, right = block.box.x0, block.box.x1
    if block.align != "left":
        left = obstacles.find_left_limit(block, block.box)
    if block.align != "right":
        right = obstacles.find_right_limit(block, block.box)
    if block.align == "center":
        reach = min(block.box.x0 - left, right - block.box.x1)
        left, right = block.box.x0 - reach, block.box.x1 + reach
    if len(block.lines) > 1:  # a paragraph grows no wider than the text of the page
        left = max(left, min(obstacles.text.x0, block.box.x0))
        right = min(right, max(obstacles.text.x1, block.box.x1))
    wide = Box(left, block.box.y0, right, block.box.y1)
    yield Box(left - 0.5, obstacles.find_lower_limit(block, wide), right + 0.5, block.box.y1)


class _SetLine(NamedTuple):
    """Line with its width in font sizes, its text, and its number of words."""

    width: float
    text: str
    words: int


def _find_first_baseline(block: PdfBlock, size: float) -> float:
    """Return the first baseline: the source's, raised as text of several lines shrinks."""
    return block.baseline + ((block.size - size) * _ASCENT if len(block.lines) > 1 else 0.0)


def _find_leading(block: PdfBlock, size: float, scale: float, rows: int, room: Box) -> float | None:
    """Return the leading of ``rows`` lines in ``room``, at most the source's; None if too many."""
    usual = block.leading or LEADING * size
    tight = min(_TIGHT_LEADING * size, usual) if scale < 1 else usual
    if rows < 2 or rows <= len(block.lines):
        return usual if rows <= len(block.lines) else tight
    # from the first baseline to the descenders of the last line
    height = _find_first_baseline(block, size) - _DESCENT * size - room.y0
    found = min(usual, height / (rows - 1))
    return found if found >= tight - 0.01 else None


def _wrap(
    words: Sequence[Word], widths: Sequence[float], space: float, room: float, indent: float
) -> list[_SetLine] | None:
    """Break words into lines of ``room``, the first (or rest) indented; None if one is wider."""
    first, rest = room - max(indent, 0.0), room - max(-indent, 0.0)
    rows: list[tuple[float, list[Word]]] = []
    for word, width in zip(words, widths, strict=True):
        most = first if len(rows) == 1 else rest
        blank = space if word.spaced else 0.0
        if rows and rows[-1][0] + blank + width <= most:
            rows[-1] = (rows[-1][0] + blank + width, [*rows[-1][1], word])
        elif width > (rest if rows else first):
            return None
        else:
            rows.append((width, [word]))
    texts = ("".join(" " * word.spaced + word.text for word in row).lstrip(" ") for _, row in rows)
    return [_SetLine(width, text, len(row)) for (width, row), text in zip(rows, texts, strict=True)]


def _place_rows(
    block: PdfBlock,
    font: str,
    size: float,
    rows: Sequence[_SetLine],
    scale: float,
    step: float,
    words: Sequence[Word],
) -> FittedText:
    top, indent = _find_first_baseline(block, size), _measure_indent(block)
    lines = []
    for index, (width, text, _) in enumerate(rows):
        left = block.box.x0 + max(indent if index == 0 else -indent, 0.0)
        if block.align == "right":
            left = block.box.x1 - width * size
        elif block.align == "center":
            left = (block.box.x0 + block.box.x1 - width * size) / 2
        lines.append((left, top - index * step, text))
    wide = max((row.width for row in rows), default=0.0) * size
    left = min((x for x, _, _ in lines), default=block.box.x0)
    low = lines[-1][1] if lines else top
    box = Box(left, low - _DESCENT * size, left + wide, top + _ASCENT * size)
    return FittedText(
        font=font or _find_blank_font(block),
        size=size,
        lines=tuple(lines),
        box=box,
        scale=scale,
        overflows=False,
        words=tuple(words),
        counts=tuple(row.words for row in rows),
        widths=tuple(row.width * size for row in rows),
        stretches=(0.0,) * len(rows),
    )


def _justify(placed: FittedText, right: float, ends_full: bool) -> FittedText:
    """Stretch blanks of lines to ``right``; the last only if it nearly does and ``ends_full``."""
    stretches, widths = [], []
    last = len(placed.lines) - 1
    for number, ((x, _, text), width) in enumerate(zip(placed.lines, placed.widths, strict=True)):
        free, blanks = right - x - width, text.count(" ")
        most = _WIDEST_BLANK * placed.size * blanks
        if number == last:
            most = _NEARLY * placed.size if ends_full else 0.0
        stretched = blanks and 0 < free < most
        stretches.append(free / blanks if stretched else 0.0)
        widths.append(width + free if stretched else width)
    return replace(placed, stretches=tuple(stretches), widths=tuple(widths))
