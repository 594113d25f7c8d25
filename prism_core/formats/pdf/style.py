"""Style of text (family, weight, slant, colour), and the shipped or installed font that draws it.

Entry: `derive_style` and `read_fill_colour` take it from the font and the graphics state;
`find_font` -> `_load_font` finds a font. Liberation stands in for the faces of most documents (its
widths are those of Arial, Times and Courier); DejaVu Sans has the letters and signs that Liberation
lacks, Arabic and Hebrew among them. Both ship with PRISM. East Asian letters need a font of the
machine (`refuse_undrawable`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from pdfminer.pdffont import PDFFont
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import is_right_to_left, script_of
from prism_core.formats.pdf.font_traits import find_family, is_bold, is_italic
from prism_core.formats.pdf.shaping import (
    SAMPLES,
    DrawnFont,
    cut_word,
    is_asian,
    list_asian_fonts,
    list_fonts,
    needs_shaping,
)
from prism_core.resources import SHIPPED

Colour = tuple[float, float, float]
"""Red, green, blue in [0, 1]."""

BLACK: Colour = (0.0, 0.0, 0.0)
_FOLDER = SHIPPED / "data" / "fonts"
_WEIGHTS = ("Regular", "Bold")
_FAMILIES = {"sans": "LiberationSans", "serif": "LiberationSerif", "mono": "LiberationMono"}
_FALLBACK = "DejaVuSans"
_USUAL = [f"Liberation{family}-{weight}" for family in ("Sans", "Serif") for weight in _WEIGHTS]
_MISSING = "A font is missing from data/fonts; install PRISM from a complete checkout."
_UNDRAWABLE = (
    "Letters of this target cannot be drawn into a PDF; use --pdf-output docx, "
    "or leave PDF out of the run."
)
_NO_FONT = (
    "No font for this target is installed; install one (Debian, Ubuntu: fonts-droid-fallback for "
    "Chinese and Japanese, fonts-nanum for Korean; with fontconfig), or use --pdf-output docx."
)
_JOINED_SCRIPTS = ("DEVANAGARI", "BENGALI", "TAMIL", "THAI", "KHMER", "MYANMAR", "TELUGU", "LAO")


@dataclass(frozen=True, slots=True)
class Style:
    """Look of a text, as far as it can be drawn again."""

    family: str = "sans"
    bold: bool = False
    italic: bool = False
    colour: Colour = BLACK
    invisible: bool = False
    raised: int = 0
    """1 above the line and small, as a note mark is, -1 below it."""


Run = tuple[str, Style]
"""Text of one style."""


def assign_styles(text: str, styled: Iterator[Run], usual: Style) -> list[Run]:
    """Give each character of ``text`` the style of the same one in ``styled``, else ``usual``."""
    runs: list[tuple[list[str], Style]] = []
    look = usual
    for char in text:
        if not char.isspace():
            look = next((style for letter, style in styled if letter == char), usual)
        if runs and (runs[-1][1] is look or runs[-1][1] == look):
            runs[-1][0].append(char)
        else:
            runs.append(([char], look))
    return [("".join(chars), look) for chars, look in runs]


def derive_style(font: PDFFont, invisible: bool) -> Style:
    """Derive the style of text set in ``font`` of pdfminer, in black."""
    return Style(
        family="sans" if invisible else find_family(font),
        bold=is_bold(font),
        italic=is_italic(font),
        invisible=invisible,
    )


def read_fill_colour(state: Any) -> Colour:
    """Return the fill colour of pdfminer's graphics state; black for patterns and others."""
    value, space = state.ncolor, state.ncs.name
    parts = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(part, int | float) for part in parts):
        return BLACK
    levels = [min(max(float(part), 0.0), 1.0) for part in parts]
    if space in ("Separation", "DeviceN"):
        return (1 - levels[0],) * 3 if len(levels) == 1 else BLACK
    if space in ("Indexed", "Lab", "Pattern"):
        return BLACK
    return convert_colour(levels)


def convert_colour(levels: Sequence[float]) -> Colour:
    """Convert one level (grey), three (RGB) or four (CMYK) to a colour; others give black."""
    if len(levels) == 1:
        return (levels[0],) * 3
    if len(levels) == 3:
        return (levels[0], levels[1], levels[2])
    if len(levels) == 4:
        cyan, magenta, yellow, black = levels
        return ((1 - cyan) * (1 - black), (1 - magenta) * (1 - black), (1 - yellow) * (1 - black))
    return BLACK


@lru_cache(maxsize=1 << 14)
def find_font(text: str, style: Style) -> str | None:
    """Return the name of a font that has all letters; None also for scripts that join."""
    if any(unicodedata.name(char, "").startswith(_JOINED_SCRIPTS) for char in text):
        return None
    bold, italic = "Bold" * style.bold, "Italic" * (style.italic and style.family != "mono")
    face = f"{_FAMILIES[style.family]}-{bold + italic or 'Regular'}"
    shipped = (face, f"{_FALLBACK}-Bold" if bold else _FALLBACK)
    seen = [char for char in text if not (char.isspace() or unicodedata.category(char) == "Cf")]
    others = [Path(file).stem for file in list_asian_fonts()] if is_asian(text) else []
    for name in [*shipped, *others]:
        usable = name in shipped or _can_embed(name)
        if usable and all(ord(char) in _load_font(name).letters for char in seen):
            return name
    return None


@cache
def _can_embed(name: str) -> bool:
    """Return True if the font ``name`` of this machine is intact, and may be embedded."""
    try:
        _load_font(name)
    except DocumentError:
        return False
    return True


def has_weight(font: str) -> bool:
    """Return True if ``font`` has a bold face of its own: PRISM's own fonts do."""
    return font.startswith(("Liberation", "DejaVu"))


def has_fonts(text: str, style: Style) -> bool:
    """Return True if each letter of ``text`` is in some font."""
    return bool(find_font(text, style)) or all(find_font(char, style) for char in set(text))


def refuse_undrawable(target: str) -> None:
    """Raise ``DocumentError`` (unrebuildable) for a target whose letters cannot be drawn here."""
    sample = SAMPLES.get(target.partition("-")[0], "")
    if sample and not list_fonts(sample):
        raise DocumentError(DocumentFailure.UNREBUILDABLE, _NO_FONT)
    if script_of(target) == "complex" and not is_right_to_left(target):
        raise DocumentError(DocumentFailure.UNREBUILDABLE, _UNDRAWABLE)


class Word(NamedTuple):
    """Parts of text between two places to break, with font and style; ``spaced``: after a blank."""

    parts: tuple[tuple[str, str, Style], ...]
    spaced: bool = True

    @property
    def text(self) -> str:
        """Text of all parts."""
        return "".join(text for text, _, _ in self.parts)


def split_into_words(runs: Sequence[Run], font: str) -> Iterator[Word]:
    """Split ``runs`` into words that have fonts, ``font`` or others where a style lacks letters."""
    parts: list[tuple[str, str, Style]] = []
    spaced, last = True, ""
    for run, look in runs:
        for text in re.split(r"(\s+)", run):
            if not text.strip():
                if text and parts:
                    yield Word(tuple(parts), spaced)
                    parts = []
                spaced, last = (True, "") if text else (spaced, last)
                continue
            first, *others = cut_word(last + text)
            for number, chunk in enumerate((first[len(last) :], *others)):
                if number:
                    yield Word(tuple(parts), spaced)
                    parts, spaced = [], False
                if whole := find_font(chunk, look) or font:
                    parts += [(chunk, whole, look)] if chunk else []
                else:
                    names = groupby(chunk, key=lambda char: find_font(char, look) or "")
                    parts += (("".join(letters), name, look) for name, letters in names)
            last = text[-1]
    if parts:
        yield Word(tuple(parts), spaced)


def text_width(text: str, font: str, size: float) -> float:
    """Return the width of ``text`` in points."""
    if needs_shaping(text):
        return _load_font(font).measure_shaped(text) * size
    return float(pdfmetrics.stringWidth(remove_format_characters(text), font, size))


def shape_from_right(text: str, font: str) -> str:
    """Shape ``text``, a run that is read from the right, into glyphs from left to right."""
    return _load_font(font).shape(text, from_right=True)


def remove_format_characters(text: str) -> str:
    """Remove format characters, which show nothing themselves."""
    return text if text.isascii() else "".join(c for c in text if unicodedata.category(c) != "Cf")


@cache
def _load_font(name: str) -> DrawnFont:
    """Load a font and register it with reportlab."""
    shipped = str(_FOLDER / f"{name}.ttf")
    others = () if Path(shipped).exists() else list_asian_fonts()
    file = next((path for path in others if Path(path).stem == name), shipped)
    try:
        font = DrawnFont(name, file)
    except TTFError:
        raise DocumentError(DocumentFailure.UNREBUILDABLE, _MISSING) from None
    pdfmetrics.registerFont(font)
    return font


def load_shared() -> None:
    """Load the fonts that most documents need, once in the server and not in each child."""
    for name in _USUAL:
        _load_font(name)
