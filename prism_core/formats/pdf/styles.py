"""How text looks, told from its font and the graphics state: family, weight, slant, colour."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pdfminer.pdffont import PDFFont

Colour = tuple[float, float, float]
"""Red, green, blue in [0, 1]."""

BLACK: Colour = (0.0, 0.0, 0.0)
_BOLD = re.compile(r"bold|black|heavy|demi|cmbx|^sfbx|[-,]bd", re.IGNORECASE)
_ITALIC = re.compile(r"italic|oblique|slanted|cmti|^sfti|cmsl|[-,]it\b", re.IGNORECASE)
_MONO = re.compile(r"courier|mono|consol|cmtt|typewriter", re.IGNORECASE)
_SERIF = re.compile(
    r"times|serif|roman|georgia|garamond|palatino|cambria|minion|century|bookman|^cm[a-z]*\d|^sf(rm|ti|bx)|nimbusrom|tinos",
    re.IGNORECASE,
)
_SANS = re.compile(r"sans", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Style:
    """How a piece of text looks, as far as it can be drawn again."""

    family: str = "sans"
    bold: bool = False
    italic: bool = False
    colour: Colour = BLACK
    invisible: bool = False


def style_of(font: PDFFont, state: Any, invisible: bool) -> Style:
    """The style of text set in ``font`` with the graphics state ``state`` of pdfminer."""
    name = str(font.fontname).rpartition("+")[2]
    flags = int(getattr(font, "flags", 0))
    return Style(
        family="sans" if invisible else _family(name, flags),
        bold=bool(_BOLD.search(name)) or bool(flags & 1 << 18),
        italic=bool(_ITALIC.search(name)) or bool(flags & 1 << 6),
        colour=_colour(state),
        invisible=invisible,
    )


def _family(name: str, flags: int) -> str:
    if _MONO.search(name) or flags & 1:
        return "mono"
    if _SERIF.search(name) and not _SANS.search(name):
        return "serif"
    named_sans = _SANS.search(name) or re.search("arial|helvet|verdana|calibri|tahoma", name, re.I)
    return "serif" if flags & 2 and not named_sans else "sans"


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
        return (
            (1 - cyan) * (1 - black),
            (1 - magenta) * (1 - black),
            (1 - yellow) * (1 - black),
        )
    return BLACK
