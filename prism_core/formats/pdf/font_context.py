"""Geometry of letters that one operator draws: their shared state, and the box of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pdfminer.pdffont import PDFFont

from prism_core.formats.pdf.geometry import Box, Matrix, transform
from prism_core.formats.pdf.glyphs import Glyph
from prism_core.formats.pdf.style import Style


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
    """State that all letters of an operator share; a letter of no width spans ``low`` to ``high``.

    ``matrix`` maps to the frame, but for where a letter begins, ``back`` maps from the page to it.
    ``letters`` caches those met so far, by their codes.
    """

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
        """Return the box of a letter from where it begins, ``advance`` before the next.

        ``placed`` is where a vertical font sets it.
        """
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
