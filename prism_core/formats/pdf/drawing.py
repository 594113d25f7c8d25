"""Draws the translations of a document onto transparent pages, one for each page that changes.

entry: `draw_pages`; then for each page `_obstacles` -> `fit_text` (`_rooms`, `_wrap`,
`_place_rows`) -> `_draw_block`. A translation may use the free space to the right of its block and
below it. If it still does not fit it shrinks, at most to ``SMALLEST_SCALE`` of its source; below
that it overflows.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from reportlab.pdfgen.canvas import Canvas

from prism_core.formats.pdf.blocks import PdfBlock
from prism_core.formats.pdf.geometry import (
    Box,
    bounding_box,
    edges_of,
    frame_matrix,
    invert,
    transform,
)
from prism_core.formats.pdf.glyphs import Page
from prism_core.formats.pdf.style import BLACK, font_for, text_width

_MARGIN = 18.0
_COVER_PADDING = 0.12
COVER_FROM = 0.5
"""Invisible text over an image of at least this share of the page is a scan's text layer."""
SMALLEST_SCALE = 0.6
_SCALES = tuple(step / 100 for step in range(100, int(SMALLEST_SCALE * 100) - 1, -4))
_SMALLEST_SIZE = 4.0
_LEADING = 1.16
_TIGHT_LEADING = 1.05
_GAP = 3.0
_DESCENT = 0.22
_ASCENT = 0.75


@dataclass(frozen=True, slots=True)
class PageText:
    """What to draw on one page, by its block; those of ``kept`` stay as they are."""

    page: Page
    texts: Mapping[PdfBlock, str]
    kept: Sequence[PdfBlock]


def can_draw(block: PdfBlock, text: str) -> bool:
    """Whether the fonts have every letter of ``text``."""
    return font_for(text, block.style) is not None


def draw_pages(pages: Sequence[PageText]) -> tuple[bytes, list[list[Fitted]]]:
    """A PDF with a page for each of ``pages``, in order, that holds nothing but their texts.

    Gives for each page how its texts fitted. Without pages there is no document: its bytes are
    empty.
    """
    if not pages:
        return b"", []
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pageCompression=1, invariant=1)
    results = []
    for text in pages:
        canvas.setPageSize((text.page.width, text.page.height))
        obstacles = {
            angle: _obstacles(text.page, angle, (*text.texts, *text.kept))
            for angle in {block.angle for block in text.texts}
        }
        fitted = []
        for block, words in text.texts.items():
            around = obstacles[block.angle]
            fitted.append(fit_text(block, words, font_for(words, block.style) or "", around))
            around.add(fitted[-1].box)
        over_picture = text.page.image_share >= COVER_FROM
        if over_picture:
            _cover_words(canvas, [block for block in text.texts if block.style.invisible])
        for block, placed in zip(text.texts, fitted, strict=True):
            look = block.style
            if look.invisible and over_picture:  # now it shows, on white
                look = replace(look, invisible=False, colour=BLACK)
            _draw_block(canvas, replace(block, style=look), placed)
        canvas.showPage()
        results.append(fitted)
    canvas.save()
    return buffer.getvalue(), results


def _obstacles(page: Page, angle: int, blocks: Sequence[PdfBlock]) -> Obstacles:
    """Blocks, thin rules and small images, in the frame of ``angle``."""
    back = invert(frame_matrix(angle))
    frame = transform(Box(0, 0, page.width, page.height), back)
    boxes = [
        block.box
        if block.angle == angle
        else transform(transform(block.box, frame_matrix(block.angle)), back)
        for block in blocks
    ]
    drawn = [transform(box, back) for box in (*edges_of(page.rules), *page.images)]
    inner = Box(frame.x0 + _MARGIN, frame.y0 + _MARGIN, frame.x1 - _MARGIN, frame.y1 - _MARGIN)
    return Obstacles(inner, bounding_box(boxes), [*boxes, *drawn])


def _cover_words(canvas: Canvas, blocks: Iterable[PdfBlock]) -> None:
    """Paint over the words of a scan that the translation replaces."""
    canvas.setFillColorRGB(1, 1, 1)
    for block in blocks:
        canvas.saveState()
        canvas.transform(*frame_matrix(block.angle))
        for line in block.lines:
            pad = line.height * _COVER_PADDING
            size = (line.width + 2 * pad, line.height + 2 * pad)
            canvas.rect(line.x0 - pad, line.y0 - pad, *size, stroke=0, fill=1)
        canvas.restoreState()


def _draw_block(canvas: Canvas, block: PdfBlock, fitted: Fitted) -> None:
    canvas.saveState()
    canvas.transform(*frame_matrix(block.angle))
    for x, baseline, line in fitted.lines:
        writer = canvas.beginText(x, baseline)
        writer.setFont(fitted.font, fitted.size)
        writer.setFillColorRGB(*block.style.colour)
        if block.style.invisible:
            writer.setTextRenderMode(3)
        writer.textOut(line)
        canvas.drawText(writer)
    canvas.restoreState()


@dataclass(frozen=True, slots=True)
class Fitted:
    """A translation broken into lines: ``lines`` are (x, baseline, text) in the block's frame."""

    font: str
    size: float
    lines: tuple[tuple[float, float, str], ...]
    box: Box
    scale: float
    overflows: bool

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Of the lines, in the block's frame."""
        down, up = _DESCENT * self.size, _ASCENT * self.size
        return tuple(
            Box(x, y - down, x + text_width(text, self.font, self.size), y + up)
            for x, y, text in self.lines
        )


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
        near = self._boxes[self._find_beside(box) & (x0 >= box.x1 - 1)]
        return float(max(min(near[:, 0], default=self._frame.x1 + _GAP) - _GAP, box.x1))

    def left_of(self, box: Box) -> float:
        """How far left something as high as ``box`` may reach."""
        _, _, x1, _ = self._boxes.T
        near = self._boxes[self._find_beside(box) & (x1 <= box.x0 + 1)]
        return float(min(max(near[:, 2], default=self._frame.x0 - _GAP) + _GAP, box.x0))

    def below(self, box: Box) -> float:
        """How far down something as wide as ``box`` may reach."""
        x0, _, x1, y1 = self._boxes.T
        near = self._boxes[(x0 < box.x1 - 1) & (x1 > box.x0 + 1) & (y1 <= box.y0 + 1.5)]
        return float(min(max(near[:, 3], default=self._frame.y0), box.y0))

    def _find_beside(self, box: Box) -> np.ndarray:
        _, y0, _, y1 = self._boxes.T
        return np.asarray((y0 < box.y1 - 1) & (y1 > box.y0 + 1))


def fit_text(block: PdfBlock, text: str, font: str, obstacles: Obstacles) -> Fitted:
    """Break ``text`` into lines in the room of ``block``."""
    if len(block.lines) == 1:  # told from the free space: in the middle of it a line grows to both
        left = block.box.x0 - obstacles.left_of(block.box)
        right = obstacles.right_of(block.box) - block.box.x1
        if min(left, right) > 0.5 * block.size and abs(left - right) < 1 + 0.06 * (left + right):
            block = replace(block, align="center")
        elif right < 0.8 * block.size and left > max(2 * block.size, 0.4 * block.box.width):
            block = replace(block, align="right")
    words = text.split()
    widths = [text_width(word, font, 1.0) for word in words]
    space = text_width(" ", font, 1.0)
    rooms = list(_rooms(block, obstacles))
    for scale in _SCALES:
        size = max(block.size * scale, min(_SMALLEST_SIZE, block.size))
        top, step = _first_baseline_and_leading(block, size, scale)
        for room in rooms:
            rows = _wrap(words, widths, space, room.width / size)
            if rows is None:
                continue
            # from the top of the block to the descenders of its last line
            height = block.box.y1 - top + (len(rows) - 1) * step + _DESCENT * size
            if len(rows) <= len(block.lines) or height <= room.height:
                return _place_rows(block, font, size, rows, scale)
    # at the smallest size, with words too wide standing out and lines running past the room
    size = max(block.size * SMALLEST_SCALE, min(_SMALLEST_SIZE, block.size))
    overflowing = _wrap(words, widths, space, max(rooms[-1].width / size, max(widths))) or []
    return _place_rows(block, font, size, overflowing, SMALLEST_SCALE, overflows=True)


def _rooms(block: PdfBlock, obstacles: Obstacles) -> Iterator[Box]:
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


def _first_baseline_and_leading(block: PdfBlock, size: float, scale: float) -> tuple[float, float]:
    """The source's own baseline with a single line, raised with several as the text shrinks."""
    top = block.baseline
    if len(block.lines) > 1:
        top += (block.size - size) * _ASCENT
    step = block.leading / block.size * size if block.leading else _LEADING * size
    return top, min(step, _TIGHT_LEADING * size) if scale < 1 else step


def _wrap(
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


def _place_rows(
    block: PdfBlock,
    font: str,
    size: float,
    rows: Sequence[tuple[float, str]],
    scale: float,
    overflows: bool = False,
) -> Fitted:
    top, step = _first_baseline_and_leading(block, size, scale)
    lines = []
    for index, (width, text) in enumerate(rows):
        left = block.box.x0
        if block.align == "right":
            left = block.box.x1 - width * size
        elif block.align == "center":
            left = (block.box.x0 + block.box.x1 - width * size) / 2
        lines.append((left, top - index * step, text))
    wide = max(width for width, _ in rows) * size
    left = min(x for x, _, _ in lines)
    box = Box(left, lines[-1][1] - _DESCENT * size, left + wide, top + _ASCENT * size)
    return Fitted(font, size, tuple(lines), box, scale, overflows)
