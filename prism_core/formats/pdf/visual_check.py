"""Check pages with a second library, pdfium, and by comparing their pictures.

A page may only be changed if the text drawn in the place of its own can be seen and read.

Entry: `cross_check_pages` on reading; `extract_page_texts` and `compare_pages` on writing.
"""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import numpy as np
import pypdfium2

from prism_core.formats.pdf.bidi import CLOSING
from prism_core.formats.pdf.geometry import Box, Matrix, compose, frame_matrix, invert, transform
from prism_core.formats.pdf.glyphs import PageGlyphs, says_something
from prism_core.formats.pdf.libraries import open_pdfium_document, open_pdfium_page
from prism_core.formats.pdf.scan_pictures import (
    Raster,
    compute_luminance,
    render_page,
    view_colours,
)
from prism_core.formats.pdf.shaping import needs_shaping

_DOTS = 60.0
"""Resolution in dots per inch: letters of ten points are then some six pixels high."""
_NOISE = 12
"""Difference, of 255, that pictures of the same thing may show."""
_CONTRAST = 30
_LEAST_INK = 0.4
_MOST_ELSEWHERE = 0.1
_STRAY_INK = 1_500
"""Ink of about two letters."""
_PADDING = 0.35
_FEW_LETTERS = 3
_LEAST_WIDTH = 0.1
"""Width of a letter whose font gives none, in font sizes: it stands before a blank."""
_BOXES_AT_ONCE = 64
_SHARED = 0.4
"""Least overlap of two texts, of the smaller width and larger height; tight lines share less."""
_UNSTABLE = re.compile(
    "[\\s\\-\u2010\u00ad\u0000-\u001f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)
"""Characters that extraction changes: white space, hyphens at line ends, marks of direction."""
_ONE_BRACKET = str.maketrans({closing: opening for opening, closing in CLOSING.items()})


@dataclass(frozen=True, slots=True)
class ParagraphChange:
    """Source and drawn lines of a paragraph on the page; ``shows`` if the drawn must be visible."""

    source: tuple[Box, ...]
    drawn: tuple[Box, ...]
    shows: bool = False


@dataclass(frozen=True, slots=True)
class ChangedPage:
    """Changes of a page, the ``share`` of its ink that they need, and if it is ``repainted``."""

    number: int
    ctm: Matrix
    changes: tuple[ParagraphChange, ...]
    share: float
    repainted: bool = False


def extract_page_texts(data: bytes, numbers: Iterable[int] | None = None) -> Iterator[str]:
    """Yield texts by page as pdfium has them; raises ``pypdfium2.PdfiumError``."""
    if not data:
        return
    with open_pdfium_document(data) as document:
        for number in range(1, len(document) + 1) if numbers is None else numbers:
            with open_pdfium_page(document, number) as page, _open_text_page(page) as words:
                yield words.get_text_range()


@contextmanager
def _open_text_page(page: pypdfium2.PdfPage) -> Iterator[pypdfium2.PdfTextPage]:
    """Open the text page of ``page`` and close it after the block."""
    words = page.get_textpage()
    try:
        yield words
    finally:
        words.close()


def cross_check_pages(
    data: bytes, pages: Iterable[PageGlyphs | None]
) -> Iterator[tuple[PageGlyphs | None, dict[int, str], int]]:
    """Yield pages, named by pdfium where mute, their text by show, and words only pdfium reads."""
    with ExitStack() as stack:
        try:
            document = stack.enter_context(open_pdfium_document(data))
        except pypdfium2.PdfiumError:
            for found in pages:
                yield found, found.map_text_by_show() if found else {}, 0
            return
        for number, found in enumerate(pages, start=1):
            if found is None:
                yield None, {}, 0
                continue
            with open_pdfium_page(document, number) as page, _open_text_page(page) as words:
                _name_glyphs(found, words)
                shown = found.map_text_by_show()
                yield found, shown, _count_unread(found, "".join(shown.values()), words)


def _name_glyphs(found: PageGlyphs, words: pypdfium2.PdfTextPage) -> None:
    """Give glyphs without a meaning the letter that pdfium finds where they begin."""
    mute = [
        (glyph, frame_matrix(angle))
        for angle, frame in found.frames.items()
        for glyph in frame
        if not glyph.mapped
    ]
    if not mute:
        return
    letters = dict[tuple[int, int], str]()  # by their origin, in whole points of the page
    x, y = ctypes.c_double(), ctypes.c_double()
    for index in range(words.count_chars()):
        code = pypdfium2.raw.FPDFText_GetUnicode(words, index)
        if code and pypdfium2.raw.FPDFText_GetCharOrigin(words, index, x, y):
            letters[round(x.value), round(y.value)] = chr(code)
    back = invert(found.page.ctm)
    for glyph, turned in mute:
        at = transform(Box(*glyph.origin, *glyph.origin), compose(turned, back))
        nearby = ((round(at.x0) + x, round(at.y0) + y) for x in (0, -1, 1) for y in (0, -1, 1))
        letter = next((letters[point] for point in nearby if point in letters), "")
        if says_something(letter):
            glyph.set_text(letter)
            if glyph.x1 <= glyph.x0:  # its font gives no width to what it does not name
                glyph.x1 = glyph.x0 + _LEAST_WIDTH * glyph.size


def _count_unread(found: PageGlyphs, text: str, words: pypdfium2.PdfTextPage) -> int:
    """Count the words of the page that are not in its ``text``, ignoring a few letters in all."""
    own_text = _normalise(text)
    pdfium_text = words.get_text_range()
    missed = Counter(filter(str.isalpha, _normalise(pdfium_text))) - Counter(own_text)
    if missed.total() <= max(_FEW_LETTERS, len(own_text) // 50):
        return 0
    rows = (  # of each frame, whatever drew them
        sorted(frame, key=lambda glyph: (-round(glyph.baseline), glyph.x0))
        for frame in found.frames.values()
    )
    known = (*(_normalise("".join(glyph.text for glyph in row)) for row in rows), own_text)
    shown = {
        _normalise(word) for word in words.get_text_bounded().split() if any(map(str.isalpha, word))
    }
    return sum(not any(word in text for text in known) for word in shown)


def _normalise(text: str) -> str:
    return _UNSTABLE.sub("", unicodedata.normalize("NFKC", text)).casefold()


def count_characters(text: str) -> Counter[str]:
    """Count the characters that survive extraction; mirrored brackets count as one."""
    if needs_shaping(text):
        text = unicodedata.normalize("NFKC", text).translate(_ONE_BRACKET)
    return Counter(_UNSTABLE.sub("", text))


@dataclass(frozen=True, slots=True)
class PageComparison:
    """Result of the comparison of a changed page, with its text, and its text while ``bare``.

    ``hides``: text is gone that nothing replaces, or was drawn invisibly. ``overlaps`` is the
    number of pairs of texts that overlap now and did not before.
    """

    text: str
    bare: str
    hides: bool
    overlaps: int


def compare_pages(
    before: bytes, bare: bytes, after: bytes, pages: Iterable[ChangedPage]
) -> Iterator[tuple[int, PageComparison]]:
    """Compare pages, one at a time, as they were, ``bare`` of taken out text, and as written."""
    with ExitStack() as stack:
        documents = [
            stack.enter_context(open_pdfium_document(data)) for data in (before, bare, after)
        ]
        for changed in pages:
            with ExitStack() as opened:
                was, without, now = (
                    opened.enter_context(open_pdfium_page(document, changed.number))
                    for document in documents
                )
                with _open_text_page(now) as words:
                    text, overlaps = words.get_text_range(), _count_overlaps(words)
                with _open_text_page(without) as words:
                    kept = words.get_text_range()
                if overlaps:
                    with _open_text_page(was) as words:
                        overlaps = max(0, overlaps - _count_overlaps(words))
                pictures = [render_page(page, changed.ctm, _DOTS) for page in (was, without, now)]
                yield (
                    changed.number,
                    PageComparison(text, kept, _hides_text(changed, *pictures), overlaps),
                )


def _count_overlaps(words: pypdfium2.PdfTextPage) -> int:
    """Count the pairs of texts of a page that overlap."""
    rects = np.array([words.get_rect(n) for n in range(words.count_rects())]).reshape(-1, 4)
    boxes = rects[rects[:, 0].argsort()]
    ends = np.searchsorted(boxes[:, 0], boxes[:, 2])
    pairs = 0
    for start in range(0, len(boxes), _BOXES_AT_ONCE):
        some = boxes[start : start + _BOXES_AT_ONCE]
        others = boxes[start + 1 : ends[start : start + len(some)].max()]
        x0, y0, x1, y1 = some.T[:, :, None]
        left, low, right, high = others.T
        across = np.minimum(right, x1) - left
        upwards = np.minimum(high, y1) - np.maximum(low, y0)
        width = np.minimum(right - left, x1 - x0)
        height = np.maximum(high - low, y1 - y0)
        found = (across > _SHARED * width) & (upwards > _SHARED * height)
        pairs += int(np.triu(found).sum())  # each box with those behind it
    return pairs


def _hides_text(page: ChangedPage, before: Raster, bare: Raster, after: Raster) -> bool:
    if not before.packed.shape == bare.packed.shape == after.packed.shape:
        return True
    taken, given = _measure_difference(before, bare), _measure_difference(after, bare)
    total = int(taken.sum())
    if given.sum() < _LEAST_INK * min(page.share, 1.0) * total:
        return True
    if any(_is_unseen(change, before, taken, after, given) for change in page.changes):
        return True
    for box in (box for change in page.changes for box in change.source):
        pad = _PADDING * min(box.width, box.height)
        around = Box(box.x0 - pad, box.y0 - pad, box.x1 + pad, box.y1 + pad)
        before.crop(taken, around)[:] = 0
    return not page.repainted and int(taken.sum()) > max(_MOST_ELSEWHERE * total, _STRAY_INK)


def _is_unseen(
    change: ParagraphChange, before: Raster, taken: np.ndarray, after: Raster, given: np.ndarray
) -> bool:
    """Return True if a line drawn for visible text is itself invisible."""
    if not change.shows and all(
        _measure_spread(before.crop(taken, box)) < _CONTRAST for box in change.source
    ):
        return False
    drawn = min(
        (
            min(_measure_spread(before.crop(given, box)), _measure_contrast(after, before, box))
            for box in change.drawn
        ),
        default=_CONTRAST,
    )
    if drawn >= _CONTRAST:  # visible, whatever the source's contrast
        return False
    return drawn < max(_measure_contrast(before, before, box) for box in change.source) // 2


def _measure_difference(first: Raster, second: Raster) -> np.ndarray:
    """Return (height, width), int16: differences in lightness above noise."""
    found = np.zeros(first.packed.shape, np.int16)
    differing = np.flatnonzero(first.packed != second.packed)
    pixels = (raster.packed.ravel()[differing] for raster in (first, second))
    first_levels, second_levels = (
        compute_luminance(view_colours(numbers)).astype(np.int16) for numbers in pixels
    )
    amount = np.abs(first_levels - second_levels)
    amount[amount < _NOISE] = 0
    found.ravel()[differing] = amount
    return found


def _measure_contrast(picture: Raster, place: Raster, box: Box) -> int:
    """Return the difference of the lightest and the darkest pixel in ``box``."""
    return _measure_spread(compute_luminance(view_colours(place.crop(picture.packed, box))))


def _measure_spread(part: np.ndarray) -> int:
    return int(np.ptp(part)) if part.size else 0
