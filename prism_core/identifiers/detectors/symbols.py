"""Signs that are no letters, digits or ordinary marks: pictures, flags, boxes, dots, tallies.

Such a sign, or a letter for private use, may say anything; none is kept but ``MARKS`` and, at the
beginning of a line, ``BULLETS``. These were chosen by what documents of strangers have.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import ClassVar

from prism_core.identifiers.base import Detector, Match, Span, Strength
from prism_core.identifiers.surrogates.format_preserving import symbol_like
from prism_core.languages import Language
from prism_core.record import Kind
from prism_core.settings import IdentifierClass

MARKS = (
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    "‘’‚‛“”„‟«»‹›′″‐‑‒–—―…·•†‡§¶¡¿"
    "¢£¤¥€₤₹₽©®™℠№°±×÷−≤≥≠≈¬¦¨´¸¯‰←→↔\ufffd"
)
"""Marks of sentences, notes, currencies and sums."""
BULLETS = "●■▪◦‣⁃"
"""Kept at the beginning of a line: elsewhere several of them could be read as digits."""
_COUNTED = (
    "\u2160-\u218b\u2460-\u24ff\u2776-\u2793\u3220-\u32bf\U0001d2c0-\U0001d37f\U0001f100-\U0001f10c"
)
"""Numbers in circles, in tallies, in Roman letters of their own: no letters, though they count as
such."""
_SIGNS = re.compile(rf"(?:[^\w\s{re.escape(MARKS)}]|[{_COUNTED}])+")


class SymbolDetector(Detector):
    """Each run of such signs is one identifier; so its length is not told."""

    order = 90
    signs = (_SIGNS,)
    classes: ClassVar = {"SYMBOL": IdentifierClass.OTHER}
    surrogates: ClassVar = {"SYMBOL": symbol_like}

    def __init__(self, _language: Language | None = None) -> None:
        """Signs are those of every language."""

    def find(self, text: str) -> Iterator[Match]:
        """The runs of ``text``, less accents of the letter or mark before."""
        for match in _SIGNS.finditer(text):
            start, end = match.span()
            while start < end and text[start - 1 : start].strip() and _is_accent(text[start]):
                start += 1
            begins_line = not text[: match.start()].rpartition("\n")[2].strip()
            if start < end and not (match.group() in BULLETS and begins_line):
                whole = Span(start, end, "SYMBOL", Kind.CODE)
                yield Match(start, end, "SYMBOL", Strength.SHAPED, (whole,))


def _is_accent(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Mc", "Me")


DETECTOR = SymbolDetector
