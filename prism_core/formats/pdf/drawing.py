"""Draws the translations of a document onto transparent pages, one for each page that changes.

entry: `draw_pages`; then for each page `_obstacles` -> `fit_text` (`_rooms`, `_wrap`, `_leading`,
`_place_rows`) -> `_draw_block`. A translation may use the free space to the right of its block and
below it, over no other text. If it still does not fit it shrinks, at most to ``SMALLEST_SCALE`` of
its source; below that it overflows.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from operator import itemgetter

import numpy as np
from reportlab.pdfgen.canvas import Canvas

from prism_core.formats.pdf.blocks import PdfBlock
from prism_core.formats.pdf.chains import looks_of
from prism_core.formats.pdf.geometry import (
    Box,
    bounding_box,
    edges_of,
    frame_matrix,
    invert,
    transform,
)
from prism_core.formats.pdf.glyphs import Page
from prism_core.formats.pdf.style import BLACK, Run, Style, Word, font_for, text_width, words_of

_MARGIN = 18.0
_COVER_PADDING = 0.12
COVER_FROM = 0.5
"""Invisible text over an image of at least this share of the page is a scan's text layer."""
SMALLEST_SCALE = 0.6
SCALES = tuple(step / 100 for step in range(100, int(SMALLEST_SCALE * 100) - 1, -4))
_SMALLEST_SIZE = 4.0
LEADING = 1.16
_TIGHT_LEADING = 1.05
_GAP = 3.0
_DESCENT = 0.22
_ASCENT = 0.75
_RAISED_SCALE, _RISE = 0.62, 0.33
_WIDEST_BLANK, _NEARLY = 0.8, 3.0
"""Sizes: what a blank of a justified line grows by at most, and what a last line may lack."""
_TOUCH = 1.0
_SHARED = 0.3
"""Of the height of a line: what lines of tight text share with each other."""


@dataclass(frozen=True, slots=True)
class PageText:
    """What to draw on one page, by its block; those of ``kept`` stay as they are."""

    page: Page
    texts: Mapping[PdfBlock, str]
    kept: Sequence[PdfBlock]


def can_draw(block: PdfBlock, text: str) -> bool:
    """Whether the fonts have every letter of ``text``."""
    return font_for(text, block.style) is not None


def draw_pages(
    pages: Sequence[PageText], looks: Mapping[PdfBlock, Sequence[Run]]
) -> tuple[bytes, list[list[Fitted]]]:
    """A PDF with a page for each of ``pages``, in order, that holds nothing but their texts, which
    have one style each, that of its block, unless ``looks`` has others.

    Gives for each page how its texts fitted, without their words. Without pages there is no
    document: its bytes are empty.
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
            around, runs = obstacles[block.angle], looks.get(block)
            if words == block.text:
                runs = looks_of(block)
            fitted.append(fit_text(block, runs or [(words, block.style)], around))
            around.put(block, fitted[-1].boxes)
        over_picture = text.page.image_share >= COVER_FROM
        if over_picture:
            _cover_words(canvas, [block for block in text.texts if block.style.invisible])
        for block, placed in zip(text.texts, fitted, strict=True):
            shows = over_picture and block.style.invisible  # now it does, on white
            _draw_block(canvas, block.angle, placed, shows)
        canvas.showPage()
        results.append([replace(each, words=()) for each in fitted])  # they are most of its memory
    canvas.save()
    return buffer.getvalue(), results


def _obstacles(page: Page, angle: int, blocks: Sequence[PdfBlock]) -> Obstacles:
    """Lines of blocks, thin rules and small images, in the frame of ``angle``."""
    back = invert(frame_matrix(angle))
    frame = transform(Box(0, 0, page.width, page.height), back)
    lines = {
        block: [
            line
            if block.angle == angle
            else transform(transform(line, frame_matrix(block.angle)), back)
            for line in block.lines
        ]
        for block in blocks
    }
    drawn = [transform(box, back) for box in (*edges_of(page.rules), *page.images)]
    inner = Box(frame.x0 + _MARGIN, frame.y0 + _MARGIN, frame.x1 - _MARGIN, frame.y1 - _MARGIN)
    text = bounding_box(line for group in lines.values() for line in group)
    return Obstacles(inner, text, drawn, lines)


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


def _draw_block(canvas: Canvas, angle: int, fitted: Fitted, shows: bool) -> None:
    canvas.saveState()
    canvas.transform(*frame_matrix(angle))
    words = iter(fitted.words)
    for (x, baseline, line), stretch in zip(fitted.lines, fitted.stretches, strict=True):
        writer = canvas.beginText(x, baseline)
        if stretch:
            writer.setWordSpace(stretch)
        for text, font, look in _strokes(islice(words, line.count(" ") + 1), fitted.font):
            writer.setFont(font, fitted.size * (_RAISED_SCALE if look.raised else 1))
            writer.setFillColorRGB(*(BLACK if shows else look.colour))  # in black where it shows
            writer.setTextRenderMode(3 if look.invisible and not shows else 0)
            if look.raised:
                writer.setRise(look.raised * _RISE * fitted.size)
            writer.textOut(text)
            if look.raised:
                writer.setRise(0)
        if stretch:
            writer.setWordSpace(0)
        canvas.drawText(writer)
    canvas.restoreState()


def _strokes(words: Iterable[Word], font: str) -> Iterator[tuple[str, str, Style]]:
    """The words of a line, with the blanks between them in ``font``; what looks alike is one."""
    parts: list[tuple[str, str, Style]] = []
    for word in words:
        if parts:
            plain = replace(parts[-1][2], raised=0)
            parts.append((" ", font, plain))
        parts += word
    for (its, look), alike in groupby(parts, key=itemgetter(1, 2)):
        yield "".join(text for text, _, _ in alike), its, look


@dataclass(frozen=True, slots=True)
class Fitted:
    """A translation broken into lines: ``lines`` are (x, baseline, text) in the block's frame."""

    font: str
    size: float
    lines: tuple[tuple[float, float, str], ...]
    box: Box
    scale: float
    overflows: bool
    words: tuple[Word, ...] = ()
    """Of all lines, in order."""
    widths: tuple[float, ...] = ()
    """Of the lines, in points."""
    stretches: tuple[float, ...] = ()
    """What is added to each blank of a line so that it ends where the others do, in points."""

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Of the lines, in the block's frame."""
        down, up = _DESCENT * self.size, _ASCENT * self.size
        return tuple(
            Box(x, y - down, x + width, y + up)
            for (x, y, _), width in zip(self.lines, self.widths, strict=True)
        )


class Obstacles:
    """What stands in one frame of a page and must not be drawn over.

    ``frame`` is the part of the page that may be drawn on, ``text`` the part that holds text,
    ``drawn`` what is no text, ``lines`` those of each block.
    """

    def __init__(
        self,
        frame: Box,
        text: Box,
        drawn: Iterable[Box],
        lines: Mapping[PdfBlock, Sequence[Box]] | None = None,
    ) -> None:
        self._frame = frame
        self.text = text
        given = lines or {}
        self._owners = {block: number for number, block in enumerate(given)}
        owned = [(self._owners[block], line) for block in given for line in given[block]]
        boxes = [*((-1, box) for box in drawn), *owned]
        self._owner = np.array([owner for owner, _ in boxes], dtype=int)
        self._boxes = np.array([box for _, box in boxes], dtype=float).reshape(-1, 4)

    def put(self, block: PdfBlock, boxes: Sequence[Box]) -> None:
        """Note where ``block`` has been drawn, so that nothing else is drawn there."""
        number = self._owners.setdefault(block, len(self._owners))
        others = self._owner != number
        new = np.array(boxes, dtype=float).reshape(-1, 4)
        self._boxes = np.vstack([self._boxes[others], new])
        self._owner = np.append(self._owner[others], np.full(len(new), number))

    def clash(self, block: PdfBlock, boxes: Sequence[Box]) -> bool:
        """Whether any of ``boxes`` lies over text of another block that ``block`` did not touch."""
        number = self._owners.get(block, -2)
        others = self._boxes[(self._owner >= 0) & (self._owner != number)]
        for line in block.lines:
            others = others[~_find_overlaps(others, line)]
        return any(_find_overlaps(others, box).any() for box in boxes)

    def right_of(self, block: PdfBlock, box: Box) -> float:
        """How far right something of ``block`` as high as ``box`` may reach."""
        boxes = self._others(block)
        near = boxes[_find_beside(boxes, box) & (boxes[:, 0] >= box.x1 - 1)]
        return float(max(min(near[:, 0], default=self._frame.x1 + _GAP) - _GAP, box.x1))

    def left_of(self, block: PdfBlock, box: Box) -> float:
        """How far left something of ``block`` as high as ``box`` may reach."""
        boxes = self._others(block)
        near = boxes[_find_beside(boxes, box) & (boxes[:, 2] <= box.x0 + 1)]
        return float(min(max(near[:, 2], default=self._frame.x0 - _GAP) + _GAP, box.x0))

    def below(self, block: PdfBlock, box: Box) -> float:
        """How far down something of ``block`` as wide as ``box`` may reach."""
        boxes = self._others(block)
        x0, _, x1, y1 = boxes.T
        near = boxes[(x0 < box.x1 - 1) & (x1 > box.x0 + 1) & (y1 <= box.y0 + 1.5)]
        return float(min(max(near[:, 3], default=self._frame.y0), box.y0))

    def begin_at(self, block: PdfBlock) -> bool:
        """Whether text of other blocks begins on the left where ``block`` does."""
        aligned = np.abs(self._boxes[:, 0] - block.box.x0) < _TOUCH
        return bool((aligned & (self._owner >= 0) & (self._owner != self._owners.get(block))).any())

    def _others(self, block: PdfBlock) -> np.ndarray:
        found: np.ndarray = self._boxes[self._owner != self._owners.get(block, -2)]
        return found


def _find_beside(boxes: np.ndarray, box: Box) -> np.ndarray:
    _, y0, _, y1 = boxes.T
    return np.asarray((y0 < box.y1 - 1) & (y1 > box.y0 + 1))


def _find_overlaps(boxes: np.ndarray, box: Box) -> np.ndarray:
    """Which of ``boxes`` share more with ``box`` than lines of tight text do."""
    x0, y0, x1, y1 = boxes.T
    across = np.minimum(x1, box.x1) - np.maximum(x0, box.x0)
    upwards = np.minimum(y1, box.y1) - np.maximum(y0, box.y0)
    lower = np.minimum(y1 - y0, box.y1 - box.y0)
    return np.asarray((across > _TOUCH) & (upwards > _SHARED * lower))


def fit_text(block: PdfBlock, runs: Sequence[Run], obstacles: Obstacles) -> Fitted:
    """Break the text ``runs`` into lines in the room of ``block``, over no other text."""
    if len(block.lines) == 1 and not obstacles.begin_at(
        block
    ):  # told from the free space: in the middle of it a line grows to both
        left = block.box.x0 - obstacles.left_of(block, block.box)
        right = obstacles.right_of(block, block.box) - block.box.x1
        if min(left, right) > 0.5 * block.size and abs(left - right) < 1 + 0.06 * (left + right):
            block = replace(block, align="center")
        elif right < 0.8 * block.size and left > max(2 * block.size, 0.4 * block.box.width):
            block = replace(block, align="right")
    font = font_for("".join(text for text, _ in runs), block.style) or ""
    parts = tuple(words_of(runs, font))
    words = ["".join(text for text, _, _ in word) for word in parts]
    widths = [
        sum(text_width(t, f, _RAISED_SCALE if look.raised else 1.0) for t, f, look in word)
        for word in parts
    ]
    space = text_width(" ", font, 1.0)
    rooms = list(_rooms(block, obstacles))
    indent = _indent(block)
    for scale in SCALES:
        size = max(block.size * scale, min(_SMALLEST_SIZE, block.size))
        for room in rooms:
            rows = _wrap(words, widths, space, room.width / size, indent / size)
            if rows is None:
                continue
            step = _leading(block, size, scale, len(rows), room)
            if step is None:
                continue
            placed = _place_rows(block, font, size, rows, scale, step, parts)
            if block.is_justified:
                placed = _justify(placed, room.x1 - 1, block.ends_full)
            if not obstacles.clash(block, placed.boxes):
                return placed
    # at the smallest size, with words too wide standing out and lines running past the room
    size = max(block.size * SMALLEST_SCALE, min(_SMALLEST_SIZE, block.size))
    width = max(rooms[-1].width / size, max(widths, default=0.0) + abs(indent) / size)
    rows = _wrap(words, widths, space, width, indent / size) or []
    step = _TIGHT_LEADING * size
    placed = _place_rows(block, font, size, rows, SMALLEST_SCALE, step, parts)
    return replace(placed, overflows=True)


def _indent(block: PdfBlock) -> float:
    """How much further in the first line begins than the others: less than nothing where it hangs
    out, as an item's does."""
    if block.align != "left" or len(block.lines) < 2:
        return 0.0
    return block.lines[0].x0 - min(line.x0 for line in block.lines[1:])


def _rooms(block: PdfBlock, obstacles: Obstacles) -> Iterator[Box]:
    """Where the text may go: as wide as the source, then as wide as there is free space."""
    bottom = obstacles.below(block, block.box)
    if len(block.lines) > 1:
        yield Box(block.box.x0, bottom, block.box.x1 + 1, block.box.y1)
    left, right = block.box.x0, block.box.x1
    if block.align != "left":
        left = obstacles.left_of(block, block.box)
    if block.align != "right":
        right = obstacles.right_of(block, block.box)
    if block.align == "center":
        reach = min(block.box.x0 - left, right - block.box.x1)
        left, right = block.box.x0 - reach, block.box.x1 + reach
    if len(block.lines) > 1:  # a paragraph grows no wider than the text of the page
        left = max(left, min(obstacles.text.x0, block.box.x0))
        right = min(right, max(obstacles.text.x1, block.box.x1))
    wide = Box(left, block.box.y0, right, block.box.y1)
    yield Box(left - 0.5, obstacles.below(block, wide), right + 0.5, block.box.y1)


def _first_baseline(block: PdfBlock, size: float) -> float:
    """The source's own with a single line, raised with several as the text shrinks."""
    return block.baseline + ((block.size - size) * _ASCENT if len(block.lines) > 1 else 0.0)


def _leading(block: PdfBlock, size: float, scale: float, rows: int, room: Box) -> float | None:
    """The distance of baselines with which ``rows`` of them fill ``room``, the source's at most;
    None where they do not fit."""
    usual = block.leading or LEADING * size
    tight = min(_TIGHT_LEADING * size, usual) if scale < 1 else usual
    if rows < 2 or rows <= len(block.lines):
        return usual if rows <= len(block.lines) else tight
    # from the first baseline to the descenders of the last line
    height = _first_baseline(block, size) - _DESCENT * size - room.y0
    found = min(usual, height / (rows - 1))
    return found if found >= tight - 0.01 else None


def _wrap(
    words: Sequence[str], widths: Sequence[float], space: float, room: float, indent: float
) -> list[tuple[float, str]] | None:
    """The words in lines of at most ``room``, each with its width; None if a word is wider.

    The first line has ``indent`` less, or the others have where that is negative.
    """
    first, rest = room - max(indent, 0.0), room - max(-indent, 0.0)
    rows: list[tuple[float, list[str]]] = []
    for word, width in zip(words, widths, strict=True):
        most = first if len(rows) == 1 else rest
        if rows and rows[-1][0] + space + width <= most:
            rows[-1] = (rows[-1][0] + space + width, [*rows[-1][1], word])
        elif width > (rest if rows else first):
            return None
        else:
            rows.append((width, [word]))
    return [(width, " ".join(row)) for width, row in rows]


def _place_rows(
    block: PdfBlock,
    font: str,
    size: float,
    rows: Sequence[tuple[float, str]],
    scale: float,
    step: float,
    words: Sequence[Word],
) -> Fitted:
    top, indent = _first_baseline(block, size), _indent(block)
    lines = []
    for index, (width, text) in enumerate(rows):
        left = block.box.x0 + max(indent if index == 0 else -indent, 0.0)
        if block.align == "right":
            left = block.box.x1 - width * size
        elif block.align == "center":
            left = (block.box.x0 + block.box.x1 - width * size) / 2
        lines.append((left, top - index * step, text))
    wide = max((width for width, _ in rows), default=0.0) * size
    left = min((x for x, _, _ in lines), default=block.box.x0)
    low = lines[-1][1] if lines else top
    box = Box(left, low - _DESCENT * size, left + wide, top + _ASCENT * size)
    widths = tuple(width * size for width, _ in rows)
    plain = (0.0,) * len(rows)
    return Fitted(font, size, tuple(lines), box, scale, False, tuple(words), widths, plain)


def _justify(placed: Fitted, right: float, ends_full: bool) -> Fitted:
    """``placed`` with the blanks of all lines but the last stretched until they end at ``right``;
    of the last, too, where it ``ends_full`` and nearly does. A line of a few long words stays."""
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
