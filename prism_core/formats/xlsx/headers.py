"""Headers and footers of sheets: the text between the codes, which stay where they are.

``&LPage &P of &N`` is shown as «Page 1 of 2»: a number stands for a code, and keeps its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from lxml import etree

from prism_core.alignment import Translation
from prism_core.formats.text import Group, Loss, Run, place_groups
from prism_core.formats.xlsx.line import decode, encode

_CODE: Final = re.compile(
    r'&(?:"[^"]*"|\d+|K(?:[0-9A-Fa-f]{6}|\d\d[+-]\d{3})|[A-Za-z])', re.IGNORECASE
)
_SECTION: Final = re.compile(r"(&[LCRlcr])")
_NUMBERS: Final = {"P": "1", "N": "2"}
"""What stands for the number of the page and of all pages."""
_FIELDS: Final = frozenset("DTFAZG")
"""Date, time, names of file, sheet and folder, picture: anchors that show no text of ours."""
_MOST_CHARACTERS: Final = 255
"""What a header can hold, codes included."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A text, or a code with the text that stands for it."""

    text: str
    code: str = ""

    @property
    def is_field(self) -> bool:
        return self.code[1:].upper() in _FIELDS | _NUMBERS.keys()


@dataclass(frozen=True, slots=True)
class HeaderText:
    """The left, middle or right part, number ``section``, of one header or footer."""

    element: etree._Element
    section: int

    @property
    def text(self) -> str:
        """The text without the white space around it."""
        return "".join(piece.text for piece in self._pieces()).strip()

    def replace(self, translation: Translation) -> Loss:
        """Put ``translation`` between the codes; one that is too long is not written."""
        pieces = self._pieces()
        whole = "".join(piece.text for piece in pieces)
        start = len(whole) - len(whole.lstrip())
        wanted = translation.framed(whole[:start], whole[start + len(whole.strip()) :])
        content, lost = _joined(pieces, wanted)
        sections = split_sections(self.element)
        sections[self.section] = content
        if len("".join(sections)) > _MOST_CHARACTERS:
            return Loss(texts=1)
        self.element.text = encode("".join(sections))
        return Loss(lost)

    def _pieces(self) -> list[_Piece]:
        return _split(split_sections(self.element)[self.section])


def split_sections(element: etree._Element) -> list[str]:
    """The content of a header, cut at the codes for left, middle and right: text and codes."""
    # An escaped ampersand before a letter is no code.
    parts = decode(element.text or "").split("&&")
    pieces = [_SECTION.split(part) for part in parts]
    sections = pieces[0]
    for piece in pieces[1:]:
        sections[-1] += "&&" + piece[0]
        sections += piece[1:]
    return sections


def _split(section: str) -> list[_Piece]:
    pieces: list[_Piece] = []
    text, position = "", 0
    while position < len(section):
        code = None if section.startswith("&&", position) else _CODE.match(section, position)
        if code is None:
            text += section[position]
            position += 2 if section.startswith("&&", position) else 1
            continue
        pieces.append(_Piece(text))
        pieces.append(_Piece(_NUMBERS.get(code[0][1:].upper(), ""), code[0]))
        text, position = "", code.end()
    return [*pieces, _Piece(text)]


def _joined(pieces: list[_Piece], wanted: Translation) -> tuple[str, int]:
    """``wanted`` with the codes of ``pieces`` in it, and how many changes of format were lost."""
    kept = [piece for piece in pieces if piece.text or piece.is_field]
    hard = [False, *(left.is_field or right.is_field for left, right in pairwise(kept))]
    groups = [
        Group((Run(piece.text, str(index), index if piece.is_field else 0),), is_hard)
        for index, (piece, is_hard) in enumerate(zip(kept, hard, strict=True), 1)
    ]
    placement = place_groups(groups, wanted, movable=False)
    slices = (placed.text for placed in placement.placed)
    content = ""
    for piece in pieces:
        text = next(slices) if piece.text or piece.is_field else ""
        if not piece.code:
            content += _escaped(text, content)
        elif piece.text and piece.text in text:
            before, _, after = text.partition(piece.text)
            content += _escaped(before, content) + piece.code + _escaped(after, piece.code)
        else:
            content += piece.code + _escaped(text, piece.code)
    return content, placement.lost


def _escaped(text: str, before: str) -> str:
    """``text`` as it is written behind ``before``: a digit would become part of a size."""
    size = re.search(r"&\d+$", before)
    return (" " if size and text[:1].isdigit() else "") + text.replace("&", "&&")
