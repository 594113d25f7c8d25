"""Read pages that are pictures of text with OCR, as paragraphs with their positions.

The whole page is read as it is shown, so that each word is found once, whatever drew it.

Entry: `read_scans`; then `_turn_upright` (the words) -> `build_scanned_lines` -> `group_lines` ->
paragraphs, and the other ink on the page. OCR gives each word the box of its ink, which depends on
its letters: ``nose`` is half as high as ``Jolly``. Baseline and size are derived from the letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from statistics import median

import numpy as np
import pypdfium2

from prism_core.formats.pdf.block import PdfBlock
from prism_core.formats.pdf.blocks import load_line_ends, split_into_blocks
from prism_core.formats.pdf.geometry import Box, bounding_box, rotation, transform
from prism_core.formats.pdf.glyphs import Page
from prism_core.formats.pdf.libraries import open_pdfium_document, open_pdfium_page
from prism_core.formats.pdf.scan_pictures import Raster, TurnedPicture, render_page, rotate_picture
from prism_core.formats.pdf.style import Style
from prism_core.formats.pdf.text_lines import TextLine
from prism_core.formats.tesseract import quarter_turns, read_words
from prism_core.record import DOUBTFUL

_PADDING = 0.08
_SURE = 75.0
_WORD_LETTERS = 3
_ENOUGH_WORDS = 5
_CELL = 6.0
_INK = 70
_INK_SHARE = 0.06
_ASCENT = 0.72
_X_HEIGHT = 0.52
_DESCENT = 0.21
_HIGH = re.compile(r"[A-ZÀ-Þ0-9bdfhijklt\[\](){}/|!?&%$§#'\"]")
_DEEP = re.compile(r"[gjpqyç,;\[\](){}/|Q§]")
_LOW = re.compile(r"[acegm-suv-z]")
_GAP = 1.6
"""Gap between two words from which on they stand in two columns, in font sizes."""
_ALIKE = 0.3
_NEXT_LINE = 2.2
_LEAST_CONFIDENCE = 60.0
_MOST_UNSURE = 1 / 3
"""Share of the words of a line that may be unsure."""
_WORDLIKE = re.compile(r"[^\W_]{2}|\b[aIAO]\b|\d")
_END = re.compile(r"(?<=\w)(?=\W*$)")
_STRAY = re.compile(r"[^\w\s]*|[|_~=«»<>\\/.:;,'`\"°-]+")


@dataclass(frozen=True, slots=True)
class ScanReading:
    """Text of a page as read by OCR; the images of ``page`` are everything drawn beside it.

    ``ink`` maps each number in ``PdfBlock.shows`` to the box of the words of that line on the page
    as shown; ``unread`` are those of lines that OCR could hardly read.
    """

    page: Page
    blocks: tuple[PdfBlock, ...]
    ink: Mapping[int, Box]
    unread: frozenset[int]

    def find_ink(self, blocks: Iterable[PdfBlock]) -> list[Box]:
        """Return the boxes of the words of ``blocks``."""
        return [self.ink[show] for block in blocks for show in sorted(block.shows)]


def read_scans(data: bytes, pages: Iterable[Page], language: str) -> Iterator[ScanReading]:
    """Read each of ``pages`` in order, leaving out those on which nothing can be read."""
    with open_pdfium_document(data) as document:
        for page in pages:
            with suppress(pypdfium2.PdfiumError):
                with open_pdfium_page(document, page.number) as shown:
                    raster = render_page(shown, page.ctm)
                frame, words = _turn_upright(raster, language)
                found = build_scanned_lines(words)
                # lines with a word or a number; others are dirt or rules
                lines = [line for line in found if _WORDLIKE.search(line.line.text)]
                ink: dict[int, Box] = {}
                for seen in lines:  # the area that the line may cover, on the page as shown
                    pad = _PADDING * seen.line.size
                    box = bounding_box([seen.line.box, *(word.box for word in seen.words)])
                    padded = Box(box.x0 - pad, box.y0 - pad, box.x1 + pad, box.y1 + pad)
                    ink[seen.line.first] = transform(padded, rotation(frame.angle))
                groups = [[seen.line for seen in group] for group in group_lines(lines)]
                ends = load_line_ends(language)
                blocks = split_into_blocks(groups, ends, page.number, frame.angle)
                images = list(_find_other_ink(raster, ink.values()))
                if blocks:
                    yield ScanReading(
                        page=replace(page, rules=[], images=images),
                        blocks=tuple(_colour_block(block, ink, raster) for block in blocks),
                        ink=ink,
                        unread=frozenset(seen.line.first for seen in lines if not seen.is_read),
                    )


def _turn_upright(raster: Raster, language: str) -> tuple[TurnedPicture, list[ScannedWord]]:
    """Read the words of the page, turned first when it is found to lie on its side."""
    grey = raster.grey
    frame = rotate_picture(grey, raster.shown, 0)
    words = _read_words(frame, language)
    if _count_sure_words(words) < max(_ENOUGH_WORDS, len(words) // 2):
        turned = rotate_picture(grey, raster.shown, quarter_turns(grey) or 0)
        if turned.angle:
            turned_words = _read_words(turned, language)
            if _count_sure_words(turned_words) > _count_sure_words(words):
                return turned, turned_words
    return frame, words


def _read_words(frame: TurnedPicture, language: str) -> list[ScannedWord]:
    return [
        ScannedWord(word.text, word.confidence, frame.locate_word(word), word.block, word.line)
        for word in read_words(frame.picture, language)
    ]


def _count_sure_words(words: Sequence[ScannedWord]) -> int:
    """Count the words of some length that OCR is sure of."""
    return sum(word.confidence > _SURE and len(word.text) >= _WORD_LETTERS for word in words)


def _colour_block(block: PdfBlock, ink: Mapping[int, Box], raster: Raster) -> PdfBlock:
    """Give ``block`` the colour of its ink: that of the pixels least like the paper."""
    left, top, right, bottom = raster.locate(ink[min(block.shows)])
    pixels = raster.pixels[top:bottom, left:right].reshape(-1, 3).astype(np.int16)
    if not len(pixels):
        return block
    contrast = np.abs(pixels - np.median(pixels, axis=0)).sum(axis=1)
    strongest = pixels[contrast >= 0.7 * np.percentile(contrast, 99)]
    red, green, blue = (float(level) / 255 for level in np.median(strongest, axis=0))
    return replace(block, style=replace(block.style, colour=(red, green, blue)))


def _find_other_ink(raster: Raster, words: Iterable[Box]) -> Iterator[Box]:
    """Yield the boxes of ink beside the words that were read, in stretches of small cells."""
    grey = raster.grey.astype(np.int16)
    marks = np.abs(grey - np.median(grey)) > _INK
    for box in words:
        left, top, right, bottom = raster.locate(box)
        marks[top:bottom, left:right] = False
    height, width = marks.shape
    rows = max(int(raster.shown.height / _CELL), 1)
    columns = max(int(raster.shown.width / _CELL), 1)
    down = np.linspace(0, height, rows, endpoint=False, dtype=int)
    across = np.linspace(0, width, columns, endpoint=False, dtype=int)
    sums = np.add.reduceat(np.add.reduceat(marks, down, axis=0, dtype=np.int32), across, axis=1)
    inked = sums > _INK_SHARE * (height / rows) * (width / columns)
    edges = np.diff(np.pad(inked.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    starts, ends = np.argwhere(edges == 1), np.argwhere(edges == -1)
    for (row, column), (_, end) in zip(starts.tolist(), ends.tolist(), strict=True):
        yield Box(
            raster.shown.x0 + column * raster.shown.width / columns,
            raster.shown.y1 - (row + 1) * raster.shown.height / rows,
            raster.shown.x0 + end * raster.shown.width / columns,
            raster.shown.y1 - row * raster.shown.height / rows,
        )


@dataclass(frozen=True, slots=True)
class ScannedWord:
    """Word found by OCR, with the box of its ink in the frame of the page."""

    text: str
    confidence: float
    box: Box
    block: int
    line: tuple[int, int]

    @property
    def is_sure(self) -> bool:
        """True if OCR was sure enough of it; marks by themselves do not count."""
        return self.confidence >= _LEAST_CONFIDENCE or not any(map(str.isalnum, self.text))

    @property
    def shown(self) -> str:
        """Its text, marked where OCR was not sure of it."""
        # before the marks at its end, so that these still end a sentence
        return self.text if self.is_sure else _END.sub(DOUBTFUL, self.text, count=1)

    @property
    def has_descender(self) -> bool:
        """True if a letter of it reaches below the line."""
        return bool(_DEEP.search(self.text))

    @property
    def size(self) -> float:
        """Font size at which its letters are as high as its ink."""
        is_high = bool(_HIGH.search(self.text))
        if not (is_high or self.has_descender or _LOW.search(self.text)):
            return self.box.height / (_ASCENT + _DESCENT / 2)  # dashes, unknown letters
        above = _ASCENT if is_high else _X_HEIGHT
        return self.box.height / (above + (_DESCENT if self.has_descender else 0.0))


@dataclass(frozen=True, slots=True)
class ScannedLine:
    """Stretch of words side by side, without a gap as between columns."""

    words: tuple[ScannedWord, ...]
    line: TextLine

    @property
    def is_read(self) -> bool:
        """True if OCR was sure enough of most words: others are handwriting, or no words."""
        unsure = sum(not word.is_sure for word in self.words)
        return _MOST_UNSURE * len(self.words) >= unsure


def build_scanned_lines(words: Iterable[ScannedWord]) -> list[ScannedLine]:
    """Build the lines in reading order, numbered, with one size for those alike of a block."""
    rows = [list(row) for _, row in groupby(words, key=lambda word: (word.block, word.line))]
    stretches = [stretch for row in rows for stretch in _split_at_gaps(row)]
    sizes = [median(word.size for word in stretch) for stretch in stretches]
    of_block: dict[int, list[float]] = {}
    for stretch, size in zip(stretches, sizes, strict=True):
        of_block.setdefault(stretch[0].block, []).append(size)
    lines = []
    for number, (stretch, measured) in enumerate(zip(stretches, sizes, strict=True)):
        usual = median(of_block[stretch[0].block])
        size = usual if abs(measured - usual) < _ALIKE * usual else measured
        level = median(
            word.box.y0 + (_DESCENT * measured if word.has_descender else 0.0) for word in stretch
        )
        ink = bounding_box(word.box for word in stretch)
        text = " ".join(word.shown for word in stretch)
        line = TextLine(
            text=text,
            box=Box(ink.x0, level - _DESCENT * size, ink.x1, level + (1 - _DESCENT) * size),
            baseline=level,
            size=size,
            style=Style(),
            shows=frozenset({number}),
            first=number,
            runs=((text, Style()),),
            sizes=(size, size),
        )
        lines.append(ScannedLine(tuple(stretch), line))
    return lines


def group_lines(lines: Sequence[ScannedLine]) -> list[list[ScannedLine]]:
    """Group lines that stand below each other in one block, from the top down, columns apart."""
    found: list[list[ScannedLine]] = []
    for line in lines:
        below, above = line.line, []
        for group in found:
            upper = group[-1].line
            step = upper.baseline - below.baseline
            if (
                group[-1].words[0].block == line.words[0].block
                and 0.3 * below.size < step < _NEXT_LINE * max(upper.size, below.size)
                and upper.box.clip(below.box).width > 0.4 * min(upper.box.width, below.box.width)
            ):
                above.append(group)
        if above:
            min(above, key=lambda group: group[-1].line.baseline).append(line)
        else:
            found.append([line])
    return found


def _split_at_gaps(row: Sequence[ScannedWord]) -> Iterator[list[ScannedWord]]:
    """Split the words of a row where columns part; drop unsure marks (dirt, edges) at the ends."""
    size = median(word.size for word in row)
    stretches = [[row[0]]]
    for before, word in pairwise(row):
        if word.box.x0 - before.box.x1 > _GAP * size:
            stretches.append([])
        stretches[-1].append(word)
    for stretch in stretches:
        for end in (0, -1):
            while stretch and _STRAY.fullmatch(stretch[end].text) and stretch[end].confidence < 80:
                stretch.pop(end)
        if stretch:
            yield stretch
