"""The fonts that ship with PRISM, which of them draws a text, and how wide it gets.

Liberation stands in for the faces of most documents (its widths are those of Arial, Times and
Courier); DejaVu Sans has the letters and signs that Liberation lacks.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.pdf.styles import Style

_FOLDER = Path(__file__).resolve().parents[3] / "data" / "fonts"
_FAMILIES = {"sans": "LiberationSans", "serif": "LiberationSerif", "mono": "LiberationMono"}
_FALLBACK = "DejaVuSans"
_MISSING = "A font is missing from data/fonts; install PRISM from a complete checkout."
_NEEDS_SHAPING = frozenset({"R", "AL", "AN"})
_JOINED_SCRIPTS = ("DEVANAGARI", "BENGALI", "TAMIL", "THAI", "KHMER", "MYANMAR", "TELUGU", "LAO")


def font_for(text: str, style: Style) -> str | None:
    """The name of a registered font that has every letter of ``text``, or None.

    Right-to-left and joined scripts give None: they need shaping, which is not done here.
    """
    if any(_is_beyond_us(char) for char in text):
        return None
    for name in _candidates(style):
        if all(char.isspace() or ord(char) in _coverage(name) for char in text):
            return name
    return None


def text_width(text: str, font: str, size: float) -> float:
    """The width of ``text`` in points."""
    return float(pdfmetrics.stringWidth(text, font, size))


def _candidates(style: Style) -> tuple[str, str]:
    if style.family == "mono":
        face = "Bold" if style.bold else "Regular"
    else:
        face = ("Bold" if style.bold else "") + ("Italic" if style.italic else "") or "Regular"
    fallback = f"{_FALLBACK}-Bold" if style.bold else _FALLBACK
    return f"{_FAMILIES[style.family]}-{face}", fallback


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
