"""Words in the numbers of lists and headings: the ``Article`` of ``Article 3``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lxml import etree

from prism_core.alignment import Translation
from prism_core.formats.ooxml.names import namespace
from prism_core.formats.text import Loss

_PLACE: Final = re.compile(r"(%\d)")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_ABSTRACT: Final = "{*}abstractNum/{*}lvl/{*}lvlText"
_OVERRIDE: Final = "{*}num/{*}lvlOverride/{*}lvl/{*}lvlText"


@dataclass(frozen=True, slots=True)
class LabelText:
    """The words on one side of the places for numbers in a pattern such as ``Article %1.``."""

    element: etree._Element
    index: int

    @property
    def text(self) -> str:
        """The words without the white space around them."""
        return _pieces(self.element)[self.index].strip()

    def replace(self, translation: Translation) -> Loss:
        """Put ``translation`` in their place; a place for a number in it would make a new one."""
        text = translation.text
        if "%" in text or not text.strip():
            return Loss(texts=1)
        pieces = _pieces(self.element)
        piece = pieces[self.index]
        start = len(piece) - len(piece.lstrip())
        words = " ".join(text.split())
        pieces[self.index] = piece[:start] + words + piece[start + len(piece.strip()) :]
        self.element.set(_value(self.element), "".join(pieces))
        return Loss()


def label_units(root: etree._Element) -> Iterator[LabelText]:
    """The words in the patterns of all lists; signs and single letters are none."""
    for pattern in (_ABSTRACT, _OVERRIDE):
        for element in root.iterfind(pattern):
            for index, piece in enumerate(_pieces(element)):
                if _WORD.search(piece):
                    yield LabelText(element, index)


def _pieces(element: etree._Element) -> list[str]:
    """The pattern, cut at its places for numbers."""
    return _PLACE.split(str(element.get(_value(element), "")))


def _value(element: etree._Element) -> str:
    return f"{{{namespace(element)}}}val"
