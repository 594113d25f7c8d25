"""Symbols other than letters, digits and ordinary marks: pictures, flags, boxes, dots, tallies.

Such a symbol, or a private-use letter, may mean anything. None is kept except ``MARKS`` and, at the
beginning of a line, ``BULLETS``. Both were chosen by what documents of other organisations contain.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import ClassVar

from prism_core.identifiers.base import Detection, Detector, Span, Strength
from prism_core.identifiers.format_preserving import symbol_like
from prism_core.languages import Language
from prism_core.record import Kind

MARKS = (
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    "‘’‚‛“”„‟«»‹›′″‐‑‒–—―…·•†‡§¶¡¿"
    "¢£¤¥€₤₹₽©®™℠№°±×÷−≤≥≠≈¬¦¨´¸¯‰←→↔\ufffd"
)
"""Marks of sentences, notes, currencies and formulas."""
BULLETS = "●■▪◦‣⁃"
"""Bullets kept at the beginning of a line; elsewhere several of them could be read as digits."""
_COUNTED = (
    "\u2160-\u218b\u2460-\u24ff\u2776-\u2793\u3220-\u32bf\U0001d2c0-\U0001d37f\U0001f100-\U0001f10c"
)
"""Numbers in circles, in tallies, and as Roman numeral characters: Unicode counts them as letters,
but they are none."""
_SIGNS = re.compile(rf"(?:[^\w\s{re.escape(MARKS)}]|[{_COUNTED}])+")


class SymbolDetector(Detector):
    """Detector of symbols: each run of them is one identifier, which hides its length."""

    order = 90
    signs = (_SIGNS,)
    surrogates: ClassVar = {"SYMBOL": symbol_like}

    def __init__(self, _language: Language | None = None) -> None:
        """Accept and ignore the language: symbols are those of every language."""

    def find(self, text: str) -> Iterator[Detection]:
        """Yield the runs of symbols, without accents of the letter or mark before."""
        for match in _SIGNS.finditer(text):
            start, end = match.span()
            while (
                start < end
                and text[start - 1 : start].strip()
                and unicodedata.category(text[start]) in ("Mn", "Mc", "Me")
            ):
                start += 1
            begins_line = not text[: match.start()].rpartition("\n")[2].strip()
            if start < end and not (match.group() in BULLETS and begins_line):
                whole = Span(start, end, "SYMBOL", Kind.CODE)
                yield Detection(start, end, "SYMBOL", Strength.SHAPED, (whole,))


DETECTOR = SymbolDetector
