"""Glyphs of a page: their positions, the operator that drew each, and the state it shares.

Entry: ``PageGlyphs``, which ``interpreter`` makes of each page.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pdfminer.pdffont import PDFFont

from prism_core.formats.pdf.geometry import Box, Matrix, transform
from prism_core.formats.pdf.style import Style

_MEANINGLESS = ("Cc", "Cn", "Co", "Cs")
"""Unicode categories without a meaning: controls, unassigned, private use, surrogates."""


@dataclass(slots=True, eq=False)
class Glyph:
    """Glyph in a frame turned so that its text runs left to right.

    It stands from (``x0``, ``y0``) to (``x1``, ``y1``) and was drawn from ``origin``. ``mapped`` is
    True where its font maps it to text. ``show`` is the index of the operator among those of the
    page that show text, or minus the object number of the Form XObject the glyph stands in.
    ``number`` counts glyphs as drawn. ``doubles`` are operators that draw it again at the same
    place.
    """

    text: str
    mapped: bool
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    origin: tuple[float, float]
    baseline: float
    show: int
    number: int
    style: Style
    doubles: frozenset[int] = frozenset()

    def set_text(self, text: str) -> None:
        """Set the text it stands for."""
        self.text, self.mapped = text, True

    @property
    def box(self) -> Box:
        """Bounding box in its frame."""
        return Box(self.x0, self.y0, self.x1, self.y1)


class Letter(NamedTuple):
    """Letter of a font context: its box from where it begins, and the ``advance`` to the next."""

    text: str
    mapped: bool
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    advance: float
    largest: float
    """The larger of its width and its height."""


@dataclass(frozen=True, slots=True)
class FontContext:
    """State of all letters of an operator, the matrix to its frame, and a cache of letters."""

    matrix: Matrix
    back: Matrix | None
    font: PDFFont
    fontsize: float
    scaling: float
    rise: float
    low: float
    high: float
    style: Style
    frame: list[Glyph]
    letters: dict[int, Letter] = field(default_factory=dict)

    @property
    def baseline_rise(self) -> float:
        """Height of the baseline above where letters begin."""
        return self.rise * self.matrix[3]

    def add_letter(self, cid: int, text: str, mapped: bool, width: float, placed: Any) -> Letter:
        """Measure and cache the letter of the code ``cid``, from what the font says of it."""
        advance = width * self.fontsize * self.scaling
        x0, y0, x1, y1 = self.measure_letter(advance, placed)
        size = x1 - x0 if self.font.is_vertical() else y1 - y0
        letter = Letter(text, mapped, x0, y0, x1, y1, size, advance, max(x1 - x0, y1 - y0))
        self.letters[cid] = letter
        return letter

    def map_to_frame(self, x: float, y: float) -> tuple[float, float]:
        """Map a point of the page to the frame."""
        if self.back is None:
            return x, y
        a, b, c, d, e, f = self.back
        return a * x + c * y + e, b * x + d * y + f

    def measure_letter(self, advance: float, placed: Any) -> tuple[float, float, float, float]:
        """Return the box of a letter from its start; a vertical font sets it as ``placed``."""
        a, b, c, d, _, _ = self.matrix
        if self.font.is_vertical():
            across, above = placed
            size = self.fontsize
            left = -(size * 0.5 if across is None else across * size * 0.001)
            low = (1000 - above) * size * 0.001 + self.rise
            return transform(Box(left, low + advance, left + size, low), (a, b, c, d, 0.0, 0.0))
        right, up = a * advance, b * advance
        x0, x1 = c * self.low, c * self.high
        y0, y1 = d * self.low, d * self.high
        return (
            (x0 if x0 < x1 else x1) + (right if right < 0 else 0.0),
            (y0 if y0 < y1 else y1) + (up if up < 0 else 0.0),
            (x1 if x0 < x1 else x0) + (right if right > 0 else 0.0),
            (y1 if y0 < y1 else y0) + (up if up > 0 else 0.0),
        )


@dataclass(frozen=True, slots=True)
class Page:
    """Page and its drawings beside text; ``number`` counts from 1.

    ``ctm`` maps the page's own coordinates to those as shown. ``rules`` are boxes of drawn paths,
    ``drawings`` those among them that are more than upright lines, ``images`` boxes of images, and
    ``annotations`` those of form fields, notes and stamps that are drawn on the page.
    """

    number: int
    width: float
    height: float
    ctm: Matrix
    rules: list[Box] = field(default_factory=list)
    images: list[Box] = field(default_factory=list)
    drawings: list[Box] = field(default_factory=list)
    annotations: list[Box] = field(default_factory=list)

    @property
    def image_share(self) -> float:
        """Area of all images over that of the page, 1 at most."""
        page = Box(0, 0, self.width, self.height)
        shown = [box.clip(page) for box in self.images]
        areas = [max(0.0, box.width) * max(0.0, box.height) for box in shown]
        return min(sum(areas) / max(page.width * page.height, 1.0), 1.0)


@dataclass(slots=True)
class PageGlyphs:
    """Glyphs of a page, by frame.

    ``frames`` maps an angle in whole degrees to the glyphs whose text runs at that angle, in
    coordinates turned back by it (see ``frame_matrix``).

    ``chains`` maps an operator of the page that shows text to the first of its chain: all but the
    first begin where the one before ended, so none can be taken out alone.
    """

    page: Page
    frames: dict[int, list[Glyph]] = field(default_factory=dict)
    chains: dict[int, int] = field(default_factory=dict)

    def map_text_by_show(self) -> dict[int, str]:
        """Map each operator to its text without white space; unknown glyphs become U+FFFD."""
        texts: dict[int, list[str]] = {}
        for frame in self.frames.values():
            for glyph in frame:
                texts.setdefault(glyph.show, []).append(glyph.text if glyph.mapped else "\ufffd")
        return {show: "".join("".join(parts).split()) for show, parts in texts.items()}

    def find_unmapped_signs(self) -> Iterator[tuple[int, Box]]:
        """Yield angle and box of each unknown glyph between blanks: bullets, check boxes."""
        for angle, frame in self.frames.items():
            if all(glyph.mapped for glyph in frame):
                continue
            drawn = [glyph for glyph in frame if not glyph.text.isspace()]
            for before, glyph, after in zip(
                [None, *drawn], drawn, [*drawn[1:], None], strict=False
            ):
                if not glyph.mapped and not any(
                    abs(glyph.baseline - other.baseline) < glyph.size
                    and max(glyph.x0, other.x0) - min(glyph.x1, other.x1) < 0.15 * glyph.size
                    for other in (before, after)
                    if other
                ):
                    yield angle, glyph.box


def says_something(text: str) -> bool:
    """Return True if ``text`` has characters, none of them private to a font or without meaning."""
    return bool(text) and not any(
        char == "\ufffd" or (unicodedata.category(char) in _MEANINGLESS and not char.isspace())
        for char in text
    )
