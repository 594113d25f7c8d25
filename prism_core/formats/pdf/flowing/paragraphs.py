"""Paragraphs of the flow: headings, items of lists, indents, and what a page or column cut.

entry: `measures_of` a document; `paragraph_of` each piece; `rejoin_paragraphs` for what a page cut.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from prism_core.formats.pdf.flowing.items import Element, Paragraph, Piece, Sheet
from prism_core.formats.pdf.geometry import Box, bounding_box

_LABEL = re.compile(
    r"([•·▪◦‣●○■□\u2013\u2014*-]|§+ ?\d+"
    r"|\d{1,3}(\.\d{1,3})*[.)]?|\(?(\d{1,2}|[A-Za-z]|[ivxIVX]{1,4})[.)]?)"
)
_SENTENCE_END = re.compile(r"[.!?:;][\"'”’)\]]*$")
_LARGER = 1.15
_LONGEST_HEADING = 200
_MOST_LEVELS = 4
_NEAR_LABEL = 60.0


@dataclass(frozen=True, slots=True)
class Measures:
    """What is usual in a document: the size of its text, and the sizes of headings, from the
    largest on."""

    size: float
    headings: tuple[float, ...]

    def level(self, piece: Piece) -> int:
        """1 to 4 for a heading, 0 for other text."""
        if len(piece.text) > _LONGEST_HEADING or piece.lines > 4:
            return 0
        if not any(map(str.isalpha, piece.source)):
            return 0
        size = _rounded(piece.size)
        return min(self.headings.index(size) + 1, _MOST_LEVELS) if size in self.headings else 0


def measures_of(pieces: Sequence[Piece]) -> Measures:
    """The size that most letters have, and those clearly above it."""
    letters: Counter[float] = Counter()
    for piece in pieces:
        letters[_rounded(piece.size)] += len(piece.source)
    size = letters.most_common(1)[0][0] if letters else 11.0
    larger = sorted((each for each in letters if each > _LARGER * size), reverse=True)
    return Measures(size, tuple(larger))


def _rounded(size: float) -> float:
    return round(size * 2) / 2


def is_label(left: Piece, right: Piece) -> bool:
    """Whether ``left`` is the number or the bullet of an item that ``right`` begins."""
    near = right.box.x0 - left.box.x1 < _NEAR_LABEL
    return near and _LABEL.fullmatch(left.source) is not None


def text_area(pieces: Iterable[Piece], sheet: Sheet) -> Box:
    """Where the text of a page stands."""
    boxes = [piece.box for piece in pieces if not piece.angle]
    page = Box(sheet.left, sheet.bottom, sheet.width - sheet.right, sheet.height - sheet.top)
    return bounding_box(boxes) if boxes else page


def paragraph_of(
    pieces: Sequence[Piece], area: Box, columns: bool, measures: Measures, space: float
) -> Paragraph:
    """One paragraph of a page whose text stands in ``area``; in ``columns``, or beside other text,
    where it stands says nothing of its indent."""
    first, last = pieces[0], pieces[-1]
    labelled = len(pieces) > 1
    level = 0 if labelled and not first.size > _LARGER * measures.size else measures.level(last)
    align = "left" if labelled else _alignment(first, area, columns)
    indent = max(first.box.x0 - area.x0, 0.0)
    plain = align == "left" and not columns and not first.angle
    return Paragraph(
        tuple(pieces),
        level=level,
        labelled=labelled,
        align=align,
        space=min(max(space, 0.0), 24.0),
        indent=min(indent, area.width / 3) if plain and indent > 6 else 0.0,
    )


def _alignment(piece: Piece, area: Box, columns: bool) -> str:
    if piece.angle:
        return "left"
    left, right = piece.box.x0 - area.x0, area.x1 - piece.box.x1
    crosses = piece.box.x0 < (area.x0 + area.x1) / 2 < piece.box.x1
    if piece.lines > 1:
        return piece.align
    if crosses and left > 0.08 * area.width and abs(left - right) < 0.03 * area.width:
        return "center"
    if columns:
        return "left"
    return "right" if left > 0.4 * area.width and right < 0.02 * area.width else "left"


def has_columns(pieces: Sequence[Piece]) -> bool:
    """Whether the text of a page stands in columns: tall blocks beside each other."""
    tall = [piece for piece in pieces if piece.lines > 3 and not piece.angle]
    return any(
        b.box.x0 > a.box.x1 and min(a.box.y1, b.box.y1) > max(a.box.y0, b.box.y0)
        for a in tall
        for b in tall
    )


def rejoin_paragraphs(parts: Sequence[Element]) -> list[Element]:
    """Paragraphs that the end of a page or column cut in two, made whole.

    What stands between the parts, such as a footnote in smaller letters, follows them.
    """
    result: list[Element] = []
    for part in parts:
        cut = _find_cut(result, part) if isinstance(part, Paragraph) else None
        before = None if cut is None else result[cut]
        if cut is None or not isinstance(before, Paragraph) or not isinstance(part, Paragraph):
            result.append(part)
        else:
            result[cut] = replace(before, pieces=(*before.pieces, *part.pieces))
    return result


def _find_cut(done: Sequence[Element], part: Paragraph) -> int | None:
    """The place of the paragraph that ``part`` goes on with."""
    first = part.pieces[0]
    for place in range(len(done) - 1, max(len(done) - 7, -1), -1):
        before = done[place]
        if not isinstance(before, Paragraph):
            return None
        if _goes_on(before, part):
            return place
        if any(piece.size >= 0.93 * first.size for piece in before.pieces):
            return None
    return None


def _goes_on(before: Paragraph, part: Paragraph) -> bool:
    last, first = before.pieces[-1], part.pieces[0]
    moved = first.page == last.page + 1 or (
        first.page == last.page and first.box.y1 > last.box.y1 and first.box.x0 > last.box.x1
    )
    return (
        moved
        and not part.labelled
        and not last.angle
        and not first.angle
        and before.level == part.level == 0
        and abs(last.size - first.size) < 0.5
        and last.style.bold == first.style.bold
        and first.source[:1].islower()
        and not _SENTENCE_END.search(last.source)
    )
