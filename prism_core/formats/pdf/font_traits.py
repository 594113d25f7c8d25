"""Family, weight and slant of a font, from its names and its descriptor.

A name that says the weight decides it. Elsewhere the descriptor does: ``FontWeight``, the flag for
bold, then the width of the stems, which some programs set to any number.
"""

from __future__ import annotations

import re

from pdfminer.pdffont import PDFFont
from pdfminer.pdftypes import resolve1

_BOLD = re.compile(
    r"(?i:bold)|(?i:black|heavy|demi)(?=[A-Z0-9_,.~-]|$|(?i:italic|oblique|cond|ext)|mt\b)"
    r"|(?:(?<![A-Za-z])|(?<=[a-z]))(?:[Ss]m)?(?:Bd|bd)(?![a-z])"
    r"|[-,_ ](?:Medi|Semi|Sb|Ultra)(?=$|It|Obl|Cn|C[0-9]|[-,_])|-W[6-9]\b"
    r"|^(?i:cm|lm)(?i:ss)?(?i:bx|b[0-9io]|dc|demi)"  # the names of TeX
    r"|^(?i:ec|sf|tc|la)(?i:bx|bi|bl|rb|sx|xc|dh)[0-9]|^Lin(?:Libertine|Biolinum)[A-Z]?[BZ]"
)
_LIGHT = re.compile(r"(?i:demi|ultra|extra|semi)[- ]?(?i:light|thin)")
_REGULAR = re.compile(
    r"(?i:regular|roman|book|light|thin|medium|normal)|Regu\b"
    r"|^(?i:cm|lm|ec|sf|tc)(?i:r|ss|tt|rm|ti|sl|cc|csc)[0-9]"
)
_ITALIC = re.compile(
    r"(?i:ital(?:ic|ique)?|oblique|slanted|kursiv|inclined)(?![a-z])|Obli?(?![a-z])"
    r"|(?<=[a-z,_ -])It(?![a-z])|[-,]it\b"
    r"|^(?i:cm)(?i:bx|ss|ff)?(?i:t?ti|itt|slt{0,2}|u|i|mi|mib)[0-9]|^(?i:cm)(?i:bx|ss)(?i:i|sl|ti)"
    r"|^(?i:lm)(?i:ss|tt|r)?(?i:bx)?(?i:i|o|sl)[0-9]|^(?i:lm)(?i:ri|bxi)"
    r"|^(?i:ec|sf|tc|la)(?i:ti|sl|bi|bl|it|st|si|so|ui|ci)[0-9]"
    r"|^Lin(?:Libertine|Biolinum)[A-Z]{0,2}I"
)
_MONO = re.compile(r"courier|mono|nimbusmon|consol|cmtt|typewriter", re.IGNORECASE)
_SERIF = re.compile(
    r"times|serif|roman|georgia|garamond|palatino|palladio|cambria|minion|century|bookman|libertine"
    r"|^cm[a-z]*\d|^sf(rm|ti|bx)|nimbusrom|tinos",
    re.IGNORECASE,
)
_SANS = re.compile(r"sans|^(cm|lm)ss", re.IGNORECASE)
_NAMED_SANS = re.compile(
    r"arial|helvet|verdana|calibri|tahoma|roboto|lato|fira|segoe|frutiger|univers|myriad",
    re.IGNORECASE,
)
_SYMBOLS = re.compile(r"^(cm|lm)(sy|ex)", re.IGNORECASE)
_FIXED, _HAS_SERIFS, _IS_ITALIC, _IS_BOLD = 1, 2, 1 << 6, 1 << 18
"""Flags of a descriptor."""
_LEAST_BOLD = 600
_STEMS = (130.0, 200.0)
"""Width of the stems of bold letters, in thousandths of a font size; programs that guess give more.
"""
_SLANT = (3.0, 45.0)


def find_family(font: PDFFont) -> str:
    """Return ``sans``, ``serif`` or ``mono``."""
    name = _list_names(font)[0]
    if _MONO.search(name) or font.flags & _FIXED:
        return "mono"
    has_serifs = _SERIF.search(name) or (font.flags & _HAS_SERIFS and not _NAMED_SANS.search(name))
    return "serif" if has_serifs and not _SANS.search(name) else "sans"


def is_bold(font: PDFFont) -> bool:
    """Return True if its letters are heavier than those of running text."""
    names = _list_names(font)
    if any(_BOLD.search(name) and not _LIGHT.search(name) for name in names):
        return True
    if font.flags & _IS_BOLD:
        return True
    if weight := _read_number(font, "FontWeight"):
        return weight >= _LEAST_BOLD
    least, most = _STEMS
    says_regular = any(_REGULAR.search(name) for name in names) or find_family(font) == "mono"
    return not says_regular and least <= _read_number(font, "StemV") <= most


def is_italic(font: PDFFont) -> bool:
    """Return True if its letters are slanted."""
    names, (least, most) = _list_names(font), _SLANT
    if any(_ITALIC.search(name) for name in names) or font.flags & _IS_ITALIC:
        return True
    is_slanted = least <= -_read_number(font, "ItalicAngle") <= most
    return is_slanted and not any(_SYMBOLS.search(name) for name in names)


def _list_names(font: PDFFont) -> list[str]:
    """Return the names of the font, without the tag of a subset; the descriptor's comes first."""
    names = [str(font.fontname), str(getattr(font, "basefont", font.fontname))]
    return [name.rpartition("+")[2] for name in dict.fromkeys(names) if name != "unknown"] or [""]


def _read_number(font: PDFFont, key: str) -> float:
    value = resolve1(font.descriptor.get(key))
    return float(value) if isinstance(value, int | float) else 0.0
