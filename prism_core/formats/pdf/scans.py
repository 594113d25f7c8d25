"""Pages that are pictures of text: what OCR reads on them, as paragraphs where they stand.

The whole page is read as it is shown, so that each word is found once, whatever drew it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pypdfium2

from prism_core.formats.pdf.blocks import Block, blocks_of_groups
from prism_core.formats.pdf.geometry import Box, around, rotation, transformed
from prism_core.formats.pdf.glyphs import Page
from prism_core.formats.pdf.scan_lines import SeenLine, SeenWord, groups, seen_lines
from prism_core.formats.pdf.scan_raster import Frame, Raster, rendered, rendering, turned_frame
from prism_core.formats.pdf.styles import Style
from prism_core.formats.tesseract import quarter_turns, read_words

_PADDING = 0.08
_SURE = 75.0
_WORD_LETTERS = 3
_ENOUGH_WORDS = 5
_CELL = 6.0
_INK = 70
_INK_SHARE = 0.06


@dataclass(frozen=True, slots=True)
class ScanReading:
    """What OCR read on a page. ``page`` has for its images what is drawn there beside that text.

    ``ink`` has, for each number in ``Block.shows``, where the words of that line stand on the page
    as shown. ``unread`` counts lines of which OCR was not sure.
    """

    page: Page
    blocks: tuple[Block, ...]
    ink: Mapping[int, Box]
    unread: int

    def ink_of(self, blocks: Iterable[Block]) -> list[Box]:
        """Where the words of ``blocks`` stand."""
        return [self.ink[show] for block in blocks for show in sorted(block.shows)]


def read_scans(data: bytes, pages: Iterable[Page], language: str) -> Iterator[ScanReading | None]:
    """Read each of ``pages`` in order; None for one on which nothing can be read."""
    with rendering(data) as document:
        for page in pages:
            yield _read(document, page, language)


def _read(document: pypdfium2.PdfDocument, page: Page, language: str) -> ScanReading | None:
    try:
        raster = rendered(document, page.number, page.ctm)
    except pypdfium2.PdfiumError:
        return None
    frame, words = _upright(raster, language)
    lines = [line for line in seen_lines(words, Style()) if line.says_something]
    read = [line for line in lines if line.is_read]
    if not read:
        return None
    ink = {line.line.first: _ink(line, frame.angle) for line in read}
    found = blocks_of_groups(
        [[seen.line for seen in group] for group in groups(read)], page.number, frame.angle
    )
    blocks = tuple(_coloured(block, ink, raster) for block in found)
    around_text = tuple(_other_ink(raster, ink.values()))
    return ScanReading(
        page=replace(page, rules=[], images=list(around_text)),
        blocks=blocks,
        ink=ink,
        unread=len(lines) - len(read),
    )


def _upright(raster: Raster, language: str) -> tuple[Frame, list[SeenWord]]:
    """The words of the page; turned first when it lies on its side and that can be told."""
    grey = raster.grey
    frame = turned_frame(grey, raster.shown, 0)
    words = _seen_words(frame, language)
    if _sure(words) < max(_ENOUGH_WORDS, len(words) // 2):
        turned = turned_frame(grey, raster.shown, quarter_turns(grey) or 0)
        if turned.angle:
            other = _seen_words(turned, language)
            if _sure(other) > _sure(words):
                return turned, other
    return frame, words


def _seen_words(frame: Frame, language: str) -> list[SeenWord]:
    return [
        SeenWord(
            text=word.text,
            confidence=word.confidence,
            box=frame.boxed(word.left, word.top, word.right, word.bottom),
            block=word.block,
            line=word.line,
        )
        for word in read_words(frame.picture, language)
    ]


def _sure(words: Sequence[SeenWord]) -> int:
    """How many are words of some length that OCR is sure of."""
    return sum(word.confidence > _SURE and len(word.text) >= _WORD_LETTERS for word in words)


def _ink(seen: SeenLine, angle: int) -> Box:
    """All that the line may cover with ink, on the page as shown."""
    pad = _PADDING * seen.line.size
    box = around([seen.line.box, *(word.box for word in seen.words)])
    padded = Box(box.x0 - pad, box.y0 - pad, box.x1 + pad, box.y1 + pad)
    return transformed(padded, rotation(angle))


def _coloured(block: Block, ink: Mapping[int, Box], raster: Raster) -> Block:
    """``block`` in the colour of its ink: that of the pixels least like the paper."""
    left, top, right, bottom = raster.place(ink[min(block.shows)])
    pixels = raster.pixels[top:bottom, left:right].reshape(-1, 3).astype(np.int16)
    if not len(pixels):
        return block
    contrast = np.abs(pixels - np.median(pixels, axis=0)).sum(axis=1)
    strongest = pixels[contrast >= 0.7 * np.percentile(contrast, 99)]
    red, green, blue = (float(level) / 255 for level in np.median(strongest, axis=0))
    return replace(block, style=replace(block.style, colour=(red, green, blue)))


def _other_ink(raster: Raster, words: Iterable[Box]) -> Iterator[Box]:
    """What is drawn beside the words that were read, in stretches of small cells."""
    grey = raster.grey.astype(np.int16)
    marks = np.abs(grey - np.median(grey)) > _INK
    for box in words:
        left, top, right, bottom = raster.place(box)
        marks[top:bottom, left:right] = False
    height, width = marks.shape
    rows = max(int(raster.shown.height / _CELL), 1)
    columns = max(int(raster.shown.width / _CELL), 1)
    down = np.linspace(0, height, rows, endpoint=False, dtype=int)
    across = np.linspace(0, width, columns, endpoint=False, dtype=int)
    sums = np.add.reduceat(np.add.reduceat(marks, down, axis=0, dtype=np.int32), across, axis=1)
    inked = sums > _INK_SHARE * (height / rows) * (width / columns)
    for row, column, end in _stretches(inked):
        yield Box(
            raster.shown.x0 + column * raster.shown.width / columns,
            raster.shown.y1 - (row + 1) * raster.shown.height / rows,
            raster.shown.x0 + end * raster.shown.width / columns,
            raster.shown.y1 - row * raster.shown.height / rows,
        )


def _stretches(inked: np.ndarray) -> Iterator[tuple[int, int, int]]:
    """Row, first column and the column after the last of each run of inked cells."""
    edges = np.diff(np.pad(inked.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    starts, ends = np.argwhere(edges == 1), np.argwhere(edges == -1)
    for (row, start), (_, end) in zip(starts.tolist(), ends.tolist(), strict=True):
        yield row, start, end
