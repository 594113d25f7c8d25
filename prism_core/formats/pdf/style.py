"""How text looks (family, weight, slant, colour), and which of our fonts draws it so.

entry: `style_of` tells it from the font and the graphics state; `font_for` -> `_coverage` finds a
font that ships with PRISM. Liberation stands in for the faces of most documents (its widths are
those of Arial, Times and Courier); DejaVu Sans has the letters and signs that Liberation lacks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from pdfminer.pdffont import PDFFont
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.resources import shipped_fonts

Colour = tuple[float, float, float]
"""Red, green, blue in [0, 1]."""

BLACK: Colour = (0.0, 0.0, 0.0)
_BOLD = re.compile(r"bold|black|heavy|demi|cmbx|^sfbx|[-,]bd", re.IGNORECASE)
_ITALIC = re.compile(r"italic|oblique|slanted|cmti|^sfti|cmsl|[-,]it\b", re.IGNORECASE)
_MONO = re.compile(r"courier|mono|nimbusmon|consol|cmtt|typewriter", re.IGNORECASE)
_SERIF = re.compile(
    r"times|serif|roman|georgia|garamond|palatino|cambria|minion|century|bookman|^cm[a-z]*\d|^sf(rm|ti|bx)|nimbusrom|tinos",
    re.IGNORECASE,
)
_SANS = re.compile(r"sans", re.IGNORECASE)
_NAMED_SANS = re.compile(
    r"arial|helvet|verdana|calibri|tahoma|roboto|lato|fira|segoe|frutiger|univers|myriad",
    re.IGNORECASE,
)
_FOLDER = shipped_fonts()
_FAMILIES = {"sans": "LiberationSans", "serif": "LiberationSerif", "mono": "LiberationMono"}
_FALLBACK = "DejaVuSans"
_MISSING = "A font is missing from data/fonts; install PRISM from a complete checkout."
_NEEDS_SHAPING = frozenset({"R", "AL", "AN"})
_JOINED_SCRIPTS = ("DEVANAGARI", "BENGALI", "TAMIL", "THAI", "KHMER", "MYANMAR", "TELUGU", "LAO")


@dataclass(frozen=True, slots=True)
class Style:
    """How a piece of text looks, as far as it can be drawn again."""

    family: str = "sans"
    bold: bool = False
    italic: bool = False
    colour: Colour = BLACK
    invisible: bool = False
    raised: int = 0
    """1 above the line and small, as a note mark is, -1 below it."""


Run = tuple[str, Style]
"""Text of one style."""


def put_looks(text: str, styled: Iterator[Run], usual: Style) -> list[Run]:
    """``text`` in the styles of the characters ``styled``, which it says in order, as far as they
    say it; blanks, and hyphens that it dropped, are passed over. What is beyond them is ``usual``.
    """
    runs: list[Run] = []
    look = usual
    for char in text:
        if not char.isspace():
            look = next((style for other, style in styled if other == char), usual)
        if runs and runs[-1][1] == look:
            runs[-1] = (runs[-1][0] + char, look)
        else:
            runs.append((char, look))
    return runs


def style_of(font: PDFFont, state: Any, invisible: bool) -> Style:
    """The style of text set in ``font`` with the graphics state ``state`` of pdfminer."""
    name = str(font.fontname).rpartition("+")[2]
    flags = int(getattr(font, "flags", 0))
    family = "sans"
    if not invisible:
        if _MONO.search(name) or flags & 1:
            family = "mono"
        elif not _SANS.search(name) and (
            _SERIF.search(name) or (flags & 2 and not _NAMED_SANS.search(name))
        ):
            family = "serif"
    return Style(
        family=family,
        bold=bool(_BOLD.search(name)) or bool(flags & 1 << 18),
        italic=bool(_ITALIC.search(name)) or bool(flags & 1 << 6),
        colour=_colour(state),
        invisible=invisible,
    )


def _colour(state: Any) -> Colour:
    """The fill colour as red, green, blue; black for patterns and spaces of other kinds."""
    value, space = state.ncolor, state.ncs.name
    parts = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(part, int | float) for part in parts):
        return BLACK
    levels = [min(max(float(part), 0.0), 1.0) for part in parts]
    if space in ("Separation", "DeviceN"):
        return (1 - levels[0],) * 3 if len(levels) == 1 else BLACK
    if space in ("Indexed", "Lab", "Pattern"):
        return BLACK
    return colour_of(levels)


def colour_of(levels: Sequence[float]) -> Colour:
    """The colour of one level (grey), three (RGB) or four (CMYK); black for other numbers."""
    if len(levels) == 1:
        return (levels[0],) * 3
    if len(levels) == 3:
        return (levels[0], levels[1], levels[2])
    if len(levels) == 4:
        cyan, magenta, yellow, black = levels
        return ((1 - cyan) * (1 - black), (1 - magenta) * (1 - black), (1 - yellow) * (1 - black))
    return BLACK


@lru_cache(maxsize=1 << 14)
def font_for(text: str, style: Style) -> str | None:
    """The name of a registered font that has every letter of ``text``, or None.

    Right-to-left and joined scripts give None: they need shaping, which is not done here.
    """
    if any(_is_beyond_us(char) for char in text):
        return None
    bold, italic = "Bold" * style.bold, "Italic" * (style.italic and style.family != "mono")
    own = f"{_FAMILIES[style.family]}-{bold + italic or 'Regular'}"
    for name in (own, f"{_FALLBACK}-Bold" if bold else _FALLBACK):
        if all(char.isspace() or ord(char) in _coverage(name) for char in text):
            return name
    return None


Word = tuple[tuple[str, str, Style], ...]
"""Parts of a word, each with its font and style."""


def words_of(runs: Sequence[Run], font: str) -> Iterator[Word]:
    """The words of ``runs``; a part that its style has no letters for is in ``font``."""
    word: list[tuple[str, str, Style]] = []
    for run, look in runs:
        for text in re.split(r"(\s+)", run):
            if text.isspace() and word:
                yield tuple(word)
                word = []
            elif text.strip():
                word.append((text, font_for(text, look) or font, look))
    if word:
        yield tuple(word)


def text_width(text: str, font: str, size: float) -> float:
    """The width of ``text`` in points."""
    return float(pdfmetrics.stringWidth(text, font, size))


@cache
def _coverage(name: str) -> frozenset[int]:
    """The code points of a font; registers it with reportlab on first use."""
    try:
        font = TTFont(name, str(_FOLDER / f"{name}.ttf"))
    except TTFError:
        raise DocumentError(DocumentFailure.UNREBUILDABLE, _MISSING) from None
    pdfmetrics.registerFont(font)
    return frozenset(font.face.charToGlyph)


@cache
def _is_beyond_us(char: str) -> bool:
    if unicodedata.bidirectional(char) in _NEEDS_SHAPING:
        return True
    return unicodedata.name(char, "").startswith(_JOINED_SCRIPTS)
