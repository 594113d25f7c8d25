"""From glyphs to lines, and lines that stand close together.

entry: `groups_of_lines` -> `_compose_accents` -> `_drop_doubles` -> `_split_at_gaps` -> `_pieces`
-> `_rejoin`, and `_close_gaps` for the wide blanks of justified lines; pdfminer groups them. A
drawn rule between two glyphs parts them always.
"""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from statistics import median

from pdfminer.layout import LAParams, LTLayoutContainer, LTTextLineHorizontal

from prism_core.formats.pdf.geometry import Box, bounding_box
from prism_core.formats.pdf.glyphs import Glyph
from prism_core.formats.pdf.style import Run, Style

_PARAMS = LAParams(all_texts=True, boxes_flow=None)
_BESIDE, _LEVEL_SHARE, _WORD_GAP = 2.0, 0.5, 0.1
"""What makes two letters drawn one after the other one piece: no more than so many widths between
them, so much of the lower one's height in common; and from how much of a size they are two words.
"""
_LONGEST_RAISED = 4
_NEAR = 0.08
_MOST_SPACES = 2
_WIDEST_SPACES = 1.6
_APART = 0.15
"""Sizes between two letters of one word, at most."""
_PRESENTATION = re.compile("[\ufb00-\ufb06\U0001d400-\U0001d7ff]")
"""Ligatures, and letters in the italic or bold of formulas."""
_LEVEL = 2.0
_FEW = 0.15
_SMALL, _OFF = 0.8, 0.1
"""Of the size of a line: letters so small, and so far off its baseline, are raised."""
_HIGHEST, _BLANK = 2.0, 0.55
_WIDEST_GAP = 8.0
_LOOSE_GAP = 2.2
_UNEVEN = 2.6
LABEL = re.compile(r"[•·▪◦‣●○■□\u2013\u2014*o-]|\(?(\d+(\.\d+)*[.)]?|([A-Za-z]|[ivx]{1,4})[.)])")
"""The bullet or number of an item, behind which a gap is none of prose."""
_ACCENTS = dict(
    zip(
        "\u0060\u00a8\u00af\u00b4\u00b8\u02c6\u02c7\u02d8\u02d9\u02da\u02db\u02dc\u02dd",
        "\u0300\u0308\u0304\u0301\u0327\u0302\u030c\u0306\u0307\u030a\u0328\u0303\u030b",
        strict=True,
    )
)
"""Accents that stand for themselves, and those that stand on a letter."""


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
    runs: tuple[Run, ...] = ()
    """``text`` in its styles."""
    sizes: tuple[float, float] = (0.0, 0.0)
    """Of its smallest and its largest letters, but for a few."""

    @property
    def is_lead(self) -> bool:
        """Whether it begins in bold and does not end so: a label to a colon, and what it says."""
        return _is_lead(self.runs)

    @property
    def first_word_width(self) -> float:
        """About how wide its first word is drawn."""
        return self.box.width * len(self.text.split(" ", 1)[0]) / max(len(self.text), 1)


def groups_of_lines(glyphs: Sequence[Glyph], uprights: Sequence[Box] = ()) -> list[list[TextLine]]:
    """The lines of a frame, those that stand close together in one group, from the top down.

    ``uprights`` are the upright rules in that frame: no line runs across one.
    """
    named = _compose_accents([glyph for glyph in glyphs if glyph.mapped])
    readable, walls = _drop_doubles(named), _Walls(uprights)
    if not readable:
        return []
    pieces = [piece for stretch in _split_at_gaps(readable, walls) for piece in _pieces(stretch)]
    rows = _rejoin(pieces, walls)
    for _ in range(2):  # a line that was closed lets its neighbours close
        rows = _close_gaps(rows, walls)
    boxes = LTLayoutContainer(_bounds(readable)).group_textlines(_PARAMS, rows)
    groups = ([row for row in box if isinstance(row, _Row)] for box in boxes)
    return [[_line(row) for row in sorted(group, key=lambda row: -row.y1)] for group in groups]


class _Row(LTTextLineHorizontal):
    """Glyphs side by side; ``items`` has None where blank paper stands for a space."""

    def __init__(self, glyphs: Sequence[Glyph]) -> None:
        super().__init__(_WORD_GAP)
        self.glyphs: list[Glyph] = []
        self.items: list[Glyph | None] = []
        self.join(glyphs)

    def join(self, glyphs: Sequence[Glyph]) -> None:
        """Add ``glyphs`` (at least one) at its end."""
        end = self.glyphs[-1].x1 if self.glyphs else math.inf
        for glyph in glyphs:
            if end < glyph.x0 - _WORD_GAP * max(glyph.x1 - glyph.x0, glyph.y1 - glyph.y0):
                self.items.append(None)
            self.items.append(glyph)
            end = glyph.x1
        self.glyphs += glyphs
        self.set_bbox(bounding_box([Box(*self.bbox), _bounds(glyphs)]))
        self.__dict__.pop("baseline", None)

    @cached_property
    def baseline(self) -> float:
        """That of most of its glyphs."""
        levels = Counter(round(glyph.baseline, 1) for glyph in self.glyphs)
        return levels.most_common(1)[0][0]

    def get_text(self) -> str:
        """What it says."""
        return "".join(item.text if item else " " for item in self.items)


def _bounds(glyphs: Sequence[Glyph]) -> Box:
    return Box(
        min(glyph.x0 for glyph in glyphs),
        min(glyph.y0 for glyph in glyphs),
        max(glyph.x1 for glyph in glyphs),
        max(glyph.y1 for glyph in glyphs),
    )


def _pieces(glyphs: Sequence[Glyph]) -> Iterator[_Row]:
    """Break the glyphs where one does not stand beside the one before; blank pieces go."""
    piece: list[Glyph] = []
    for glyph in (*glyphs, None):
        if piece and (glyph is None or not _is_beside(piece[-1], glyph)):
            if not (row := _Row(piece)).is_empty():
                yield row
            piece = []
        if glyph:
            piece.append(glyph)


def _is_beside(before: Glyph, after: Glyph) -> bool:
    shared = min(before.y1 - after.y0, after.y1 - before.y0)
    gap = max(after.x0 - before.x1, before.x0 - after.x1)
    return (
        shared >= 0
        and shared > _LEVEL_SHARE * min(before.y1 - before.y0, after.y1 - after.y0)
        and max(gap, 0.0) < _BESIDE * max(before.x1 - before.x0, after.x1 - after.x0)
    )


class _Walls:
    """The upright rules of a frame, by where they stand."""

    def __init__(self, rules: Sequence[Box]) -> None:
        self._rules = sorted(rules)
        self._places = [rule.x0 for rule in self._rules]

    def part(self, left: float, right: float, level: float, size: float) -> bool:
        """Whether one stands between ``left`` and ``right`` at the height ``level``, and is no edge
        of what a program draws behind some words of a line of ``size``."""
        for rule in self._rules[bisect_left(self._places, left - 1) :]:
            if rule.x0 > right + 1:
                return False
            behind = rule.height < _HIGHEST * size and right - left < _BLANK * size
            if rule.y0 <= level <= rule.y1 and not behind:
                return True
        return False


def _compose_accents(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Put an accent that was drawn over a letter, before or after it, to that letter."""
    kept: list[Glyph] = []
    for glyph in glyphs:
        if kept and _stands_over(kept[-1], glyph):
            kept[-1] = _accented(glyph, kept[-1])
        elif kept and _stands_over(glyph, kept[-1]):
            kept[-1] = _accented(kept[-1], glyph)
        else:
            kept.append(glyph)
    return kept


def _stands_over(accent: Glyph, letter: Glyph) -> bool:
    if accent.text not in _ACCENTS or not letter.text.isalpha():
        return False
    middle = (accent.x0 + accent.x1) / 2
    return letter.x0 <= middle <= letter.x1 and abs(accent.baseline - letter.baseline) < letter.size


def _accented(letter: Glyph, accent: Glyph) -> Glyph:
    whole = unicodedata.normalize("NFC", letter.text + _ACCENTS[accent.text])
    letter.rename(whole)
    letter.doubles |= {accent.show, *accent.doubles}
    return letter


def _split_at_gaps(glyphs: Sequence[Glyph], walls: _Walls) -> Iterator[list[Glyph]]:
    """Break the glyphs where several spaces stand for the gap between columns, and at rules."""
    stretch: list[Glyph] = []
    spaces: list[Glyph] = []
    for glyph in glyphs:
        if glyph.text.isspace():
            if not stretch or not _lies_on(glyph, stretch[-1]):  # as programs underline
                spaces.append(glyph)
            continue
        if stretch:
            last = stretch[-1]
            gap = glyph.x0 - last.x1
            columns = len(spaces) > _MOST_SPACES and gap > _WIDEST_SPACES * glyph.size
            apart = gap > _APART * glyph.size
            if columns or (apart and walls.part(last.x1, glyph.x0, glyph.baseline + 1, glyph.size)):
                yield stretch
                stretch = []
            else:
                stretch += spaces
        spaces = []
        stretch.append(glyph)
    if stretch:
        yield stretch


def _lies_on(space: Glyph, last: Glyph) -> bool:
    """Whether a space is drawn back over the letter ``last``, or what stands before it."""
    same_line = abs(space.baseline - last.baseline) < 0.2 * last.size
    return same_line and space.x0 < last.x1 - 0.5 * (space.x1 - space.x0)


def _drop_doubles(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Drop a glyph drawn again at nearly the same place, as programs do to feign bold or shadow.

    The first of them stands for the operators of all, so that none goes on showing the text.
    """

    def letter_and_place(glyph: Glyph) -> tuple[str, int, float]:
        level = round(glyph.baseline / max(glyph.size, 0.1) / (2 * _NEAR))
        return glyph.text, level, glyph.x0

    inked = [glyph for glyph in glyphs if not glyph.text.isspace()]
    piles: list[list[Glyph]] = []
    for glyph in sorted(inked, key=letter_and_place):
        last = piles[-1][-1] if piles else glyph
        near = _NEAR * last.size
        if (
            piles
            and glyph.text == last.text
            and abs(glyph.baseline - last.baseline) < near
            and abs(glyph.x0 - last.x0) < near
        ):
            piles[-1].append(glyph)
        else:
            piles.append([glyph])
    dropped: set[int] = set()
    for pile in piles:
        first, *others = sorted(pile, key=lambda glyph: glyph.number)
        first.doubles = frozenset(glyph.show for glyph in others)
        dropped.update(glyph.number for glyph in others)
    return [glyph for glyph in glyphs if glyph.number not in dropped]


def _rejoin(pieces: list[_Row], walls: _Walls) -> list[_Row]:
    """Put raised, lowered and separately drawn pieces back into the line they stand in."""
    rows: list[_Row] = []
    for piece in sorted(pieces, key=lambda piece: piece.x0):
        for row in reversed(rows[-200:]):
            level = (piece.y0 + piece.y1) / 2
            if _continues(row, piece) and not walls.part(row.x1, piece.x0, level, row.height):
                row.join(piece.glyphs)
                break
        else:
            rows.append(piece)
    return sorted(rows, key=lambda row: min(glyph.number for glyph in row.glyphs))


def _continues(row: _Row, piece: _Row) -> bool:
    height = min(row.height, piece.height)
    gap = piece.x0 - row.x1
    if not -0.3 * height < gap < 0.35 * height:
        return False
    smaller = min((row, piece), key=lambda each: each.height)
    alike = max(row.height, piece.height) < 1.25 * height
    return bool(
        row.is_voverlap(piece)
        and row.voverlap(piece) > 0.45 * height
        and (alike or len(smaller.glyphs) <= _LONGEST_RAISED)
    )


def _close_gaps(rows: list[_Row], walls: _Walls) -> list[_Row]:
    """Join pieces on one level whose gap is a blank of prose: a line above or below runs across it,
    and begins and ends where they do."""
    seen = [(row, row.baseline, row.glyphs[0].size) for row in rows]
    levels: dict[int, list[tuple[_Row, float, float]]] = {}
    for one in seen:
        levels.setdefault(round(one[1] / _LEVEL), []).append(one)
    gone: set[int] = set()
    for level, standing in levels.items():
        near = [*standing, *levels.get(level + 1, ())]
        for row, baseline, size in sorted(standing, key=lambda one: one[0].x0):
            beside = [
                one[0]
                for one in near
                if id(one[0]) not in gone
                and abs(one[1] - baseline) < 0.2 * size
                and abs(one[2] - size) < 0.15 * size
                and one[0].x0 > row.x1
            ]
            while id(row) not in gone and beside:
                piece = min(beside, key=lambda other: other.x0)
                beside.remove(piece)
                around = _around(levels, level, baseline, size)
                middle = baseline + size / 3
                if not _is_blank(row, piece, size, around) or walls.part(
                    row.x1, piece.x0, middle, size
                ):
                    break
                row.join(piece.glyphs)
                gone.add(id(piece))
    return [row for row in rows if id(row) not in gone]


def _around(
    levels: dict[int, list[tuple[_Row, float, float]]],
    level: int,
    baseline: float,
    size: float,
) -> list[_Row]:
    """The lines of about that size next above and below."""
    reach = int(2.6 * size / _LEVEL) + 1
    return [
        row
        for other in range(level - reach, level + reach + 1)
        for row, its, own in levels.get(other, ())
        if 0.7 * size < abs(its - baseline) < 2.6 * size and abs(own - size) < 0.15 * size
    ]


def _is_blank(row: _Row, piece: _Row, size: float, around: list[_Row]) -> bool:
    gap = piece.x0 - row.x1
    if not 0 < gap < _WIDEST_GAP * size or LABEL.fullmatch(row.get_text().strip()):
        return False
    blanks = [*_blanks(row), gap, *_blanks(piece)]
    even = len(blanks) < 3 or gap < _UNEVEN * median(blanks)
    return any(
        line.x0 < row.x1 - size / 2
        and line.x1 > piece.x0 + size / 2
        and abs(line.x0 - row.x0) < 4 * size
        and ((even and piece.x1 < line.x1 + 0.6 * size) or gap < _LOOSE_GAP * size)
        for line in around
    )


def _blanks(row: _Row) -> list[float]:
    """The gaps between its words."""
    inked = [glyph for glyph in row.glyphs if not glyph.text.isspace()]
    return [b.x0 - a.x1 for a, b in pairwise(inked) if b.x0 - a.x1 > _APART * b.size]


def _line(row: _Row) -> TextLine:
    glyphs = row.glyphs
    inked = [glyph for glyph in glyphs if not glyph.text.isspace()]
    sizes = sorted(glyph.size for glyph in inked)
    baseline = row.baseline
    level = [glyph.size for glyph in inked if round(glyph.baseline, 1) == baseline]
    size = median(level or sizes)
    runs = _runs(row, size, baseline)
    usual = Counter(glyph.style for glyph in inked).most_common(1)[0][0]
    few = int(_FEW * len(sizes))
    return TextLine(
        text="".join(text for text, _ in runs),
        box=bounding_box(glyph.box for glyph in inked),
        baseline=baseline,
        size=size,
        style=inked[-1].style if _is_lead(runs) else usual,
        shows=frozenset(show for glyph in glyphs for show in (glyph.show, *glyph.doubles)),
        first=min(glyph.number for glyph in glyphs),
        runs=runs,
        sizes=(sizes[few], sizes[-1 - few]),
    )


def _is_lead(runs: Sequence[Run]) -> bool:
    return runs[0][1].bold and not runs[-1][1].bold and any(":" in text for text, _ in runs)


def _runs(row: _Row, size: float, baseline: float) -> tuple[Run, ...]:
    """What the line says, in its styles; white space is one blank, ligatures are letters."""
    runs: list[Run] = []
    blank = False
    for item in row.items:
        if item is None or item.text.isspace():
            blank = blank or bool(runs)
            continue
        text = item.text
        if not text.isascii():
            text = _PRESENTATION.sub(lambda m: unicodedata.normalize("NFKC", m[0]), text)
        look, off = item.style, item.baseline - baseline
        if item.size < _SMALL * size and abs(off) > _OFF * size:
            look = replace(look, raised=1 if off > 0 else -1)
        if blank:
            runs[-1] = (runs[-1][0] + " ", runs[-1][1])
        blank = text.endswith(" ")
        text = " ".join(text.split())
        if runs and runs[-1][1] == look:
            runs[-1] = (runs[-1][0] + text, look)
        else:
            runs.append((text, look))
    return tuple(runs)
