"""From glyphs to lines of text: which glyphs stand on one line, and where the spaces are.

entry: `groups_of_lines`; then `_drop_doubles` -> `_split_at_spaces` -> pdfminer ->
`_rejoin` -> `_line`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from pdfminer.layout import LAParams, LTLayoutContainer, LTTextLine

from prism_core.formats.pdf.geometry import Box, bounding_box
from prism_core.formats.pdf.glyphs import Glyph
from prism_core.formats.pdf.style import Style

_PARAMS = LAParams(all_texts=True, boxes_flow=None)
_LONGEST_RAISED = 4
_NEAR = 0.08
_MOST_SPACES = 2
_PRESENTATION = re.compile("[\ufb00-\ufb06\U0001d400-\U0001d7ff]")
"""Ligatures, and letters in the italic or bold of formulas."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of text in its frame; ``shows`` are the operators that drew it."""

    text: str
    box: Box
    baseline: float
    size: float
    style: Style
    shows: frozenset[int]
    first: int
    """The number of its earliest glyph, in drawing order."""

    @property
    def first_word_width(self) -> float:
        """About how wide its first word is drawn."""
        return self.box.width * len(self.text.split(" ", 1)[0]) / max(len(self.text), 1)


def groups_of_lines(glyphs: Sequence[Glyph]) -> list[list[TextLine]]:
    """The lines of a frame, those that stand close together in one group, from the top down."""
    readable = [glyph for glyph in _drop_doubles(glyphs) if glyph.mapped]
    if not readable:
        return []
    frame = LTLayoutContainer(bounding_box(glyph.box for glyph in readable))
    pieces = [
        piece
        for stretch in _split_at_spaces(readable)
        for piece in frame.group_objects(_PARAMS, stretch)
        if not piece.is_empty()
    ]
    rows = [row for row in _rejoin(pieces) if not row.is_empty()]
    boxes = frame.group_textlines(_PARAMS, rows)
    return [[_line(row) for row in sorted(box, key=lambda row: -row.y1)] for box in boxes]


def _split_at_spaces(glyphs: Sequence[Glyph]) -> Iterator[list[Glyph]]:
    """Break the glyphs where several spaces stand for the gap between two columns."""
    stretch: list[Glyph] = []
    spaces: list[Glyph] = []
    for glyph in glyphs:
        if glyph.get_text().isspace():
            spaces.append(glyph)
            continue
        if len(spaces) > _MOST_SPACES and stretch:
            yield stretch
            stretch = []
        elif stretch:
            stretch += spaces
        spaces = []
        stretch.append(glyph)
    if stretch:
        yield stretch


def _drop_doubles(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Drop a glyph drawn again at nearly the same place, as programs do to feign bold or shadow.

    The first of them stands for the operators of all, so that none goes on showing the text.
    """

    def by_letter_and_place(glyph: Glyph) -> tuple[str, int, float]:
        level = round(glyph.baseline / max(glyph.size, 0.1) / (2 * _NEAR))
        return glyph.get_text(), level, glyph.x0

    inked = [glyph for glyph in glyphs if not glyph.get_text().isspace()]
    piles: list[list[Glyph]] = []
    for glyph in sorted(inked, key=by_letter_and_place):
        if piles and _lies_on(glyph, piles[-1][-1]):
            piles[-1].append(glyph)
        else:
            piles.append([glyph])
    dropped: set[int] = set()
    for pile in piles:
        first, *others = sorted(pile, key=lambda glyph: glyph.number)
        first.doubles = frozenset(glyph.show for glyph in others)
        dropped.update(glyph.number for glyph in others)
    return [glyph for glyph in glyphs if glyph.number not in dropped]


def _lies_on(glyph: Glyph, other: Glyph) -> bool:
    near = _NEAR * other.size
    return (
        glyph.get_text() == other.get_text()
        and abs(glyph.baseline - other.baseline) < near
        and abs(glyph.x0 - other.x0) < near
    )


def _rejoin(pieces: list[LTTextLine]) -> list[LTTextLine]:
    """Put raised, lowered and separately drawn pieces back into the line they stand in."""
    rows: list[LTTextLine] = []
    for piece in sorted(pieces, key=lambda piece: piece.x0):
        for row in reversed(rows[-200:]):
            if _continues(row, piece):
                for glyph in _glyphs(piece):
                    row.add(glyph)
                break
        else:
            rows.append(piece)
    return sorted(rows, key=lambda row: min(_glyphs(row), key=lambda glyph: glyph.number).number)


def _continues(row: LTTextLine, piece: LTTextLine) -> bool:
    height = min(row.height, piece.height)
    gap = piece.x0 - row.x1
    if not -0.3 * height < gap < 0.35 * height:
        return False
    smaller = min((row, piece), key=lambda each: each.height)
    alike = max(row.height, piece.height) < 1.25 * height
    return bool(
        row.is_voverlap(piece)
        and row.voverlap(piece) > 0.45 * height
        and (alike or len(_glyphs(smaller)) <= _LONGEST_RAISED)
    )


def _glyphs(row: Iterable[object]) -> list[Glyph]:
    return [item for item in row if isinstance(item, Glyph)]


def _line(row: LTTextLine) -> TextLine:
    glyphs = _glyphs(row)
    inked = [glyph for glyph in glyphs if not glyph.get_text().isspace()]
    spelled = _PRESENTATION.sub(
        lambda match: unicodedata.normalize("NFKC", match[0]), row.get_text()
    )
    return TextLine(
        text=" ".join(spelled.split()),
        box=bounding_box(glyph.box for glyph in inked),
        baseline=Counter(round(glyph.baseline, 1) for glyph in inked).most_common(1)[0][0],
        size=median(glyph.size for glyph in inked),
        style=Counter(glyph.style for glyph in inked).most_common(1)[0][0],
        shows=frozenset(show for glyph in glyphs for show in (glyph.show, *glyph.doubles)),
        first=min(glyph.number for glyph in glyphs),
    )
