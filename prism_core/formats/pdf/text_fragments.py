"""Build fragments of lines from glyphs: letters drawn one after the other, side by side.

Entry: `find_fragments` -> `_compose_accents` -> `drop_doubles` -> `_split_at_gaps` ->
`_split_at_breaks`; then `split_off_line_numbers` takes out line numbers in a column of their own.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import dropwhile, pairwise, takewhile
from statistics import median

from pdfminer.layout import LTTextLineHorizontal

from prism_core.formats.pdf.doubles import drop_doubles
from prism_core.formats.pdf.geometry import Box, bounding_box
from prism_core.formats.pdf.glyphs import Glyph
from prism_core.formats.pdf.word_gaps import WORD_GAP, find_blanks

_BESIDE, _NARROWEST, _LEVEL_SHARE = 2.0, 0.45, 0.5
"""Limits for two letters drawn one after the other to be in one fragment.

In order: the widest gap, in widths of the wider letter; the width that a narrow one counts as, and
the least overlap, in heights of the lower letter.
"""
_MOST_SPACES = 2
_WIDEST_SPACES = 1.6
_HIGHEST, _BLANK = 2.0, 0.55
_APART = 0.15
"""Largest gap between two letters of one word, in font sizes."""
_NUMBER = re.compile(r"\d{1,4}")
_LEAST_NUMBERS = 15
_LEAST_PROSE = 0.2
_UNEVEN_STEP = 0.1
_ACCENTS = dict(
    zip(
        "\u0060\u00a8\u00af\u00b4\u00b8\u02c6\u02c7\u02d8\u02d9\u02da\u02db\u02dc\u02dd",
        "\u0300\u0308\u0304\u0301\u0327\u0302\u030c\u0306\u0307\u030a\u0328\u0303\u030b",
        strict=True,
    )
)
"""Spacing accents, and the combining accents that they stand for."""


def find_fragments(glyphs: Sequence[Glyph], vertical_rules: VerticalRules) -> list[Fragment]:
    """Split the glyphs of a frame that map to text into fragments; no fragment crosses a rule."""
    named = _compose_accents([glyph for glyph in glyphs if glyph.mapped])
    stretches = _split_at_gaps(drop_doubles(named), vertical_rules)
    return [fragment for stretch in stretches for fragment in _split_at_breaks(stretch)]


class Fragment(LTTextLineHorizontal):
    """Glyphs side by side."""

    def __init__(self, glyphs: Sequence[Glyph]) -> None:
        super().__init__(WORD_GAP)
        self.glyphs = list(glyphs)
        self.set_bbox(bound_glyphs(glyphs))

    def add_glyphs(self, glyphs: Sequence[Glyph]) -> None:
        """Append ``glyphs`` (at least one)."""
        self.glyphs += glyphs
        self.set_bbox(bounding_box([Box(*self.bbox), bound_glyphs(glyphs)]))
        for name in ("items", "baseline"):
            self.__dict__.pop(name, None)

    @cached_property
    def items(self) -> list[Glyph | None]:
        """Its glyphs, with None where blank paper stands for a space."""
        items = list[Glyph | None](self.glyphs)
        for index in reversed(find_blanks(self.glyphs)):
            items.insert(index, None)
        return items

    @cached_property
    def baseline(self) -> float:
        """Baseline of most of its glyphs."""
        counts = Counter([glyph.baseline for glyph in self.glyphs])
        if len(counts) == 1:  # most letters of a line stand on one level
            return round(next(iter(counts)), 1)
        levels = Counter[float]()
        for level, count in counts.items():
            levels[round(level, 1)] += count
        return levels.most_common(1)[0][0]

    def get_text(self) -> str:
        """Return its text."""
        return "".join(item.text if item else " " for item in self.items)


def bound_glyphs(glyphs: Sequence[Glyph]) -> Box:
    """Return the smallest box that holds all ``glyphs`` (at least one)."""
    return Box(
        min([glyph.x0 for glyph in glyphs]),
        min([glyph.y0 for glyph in glyphs]),
        max([glyph.x1 for glyph in glyphs]),
        max([glyph.y1 for glyph in glyphs]),
    )


def _split_at_breaks(glyphs: Iterable[Glyph]) -> Iterator[Fragment]:
    """Split the glyphs where one does not stand beside the one before; drop blank fragments."""
    fragment: list[Glyph] = []
    left = low = right = high = 0.0
    for glyph in glyphs:  # no function calls: this loop visits each letter of a page
        x0, y0, x1, y1 = glyph.x0, glyph.y0, glyph.x1, glyph.y1
        if fragment:
            shared = high - y0 if high - y0 < y1 - low else y1 - low
            gap = x0 - right if x0 - right > left - x1 else left - x1
            lower = high - low if high - low < y1 - y0 else y1 - y0
            wider = right - left if right - left > x1 - x0 else x1 - x0
            if wider < _NARROWEST * lower:
                wider = _NARROWEST * lower
            if not (
                shared >= 0
                and shared > _LEVEL_SHARE * lower
                and (gap if gap > 0.0 else 0.0) < _BESIDE * wider
            ):
                yield from _build_fragment(fragment)
                fragment = []
        fragment.append(glyph)
        left, low, right, high = x0, y0, x1, y1
    yield from _build_fragment(fragment)


def _build_fragment(fragment: Sequence[Glyph]) -> Iterator[Fragment]:
    if fragment and not "".join([glyph.text for glyph in fragment]).isspace():
        row = Fragment(fragment)
        if not (row.width <= 0 or row.height <= 0):
            yield row


class VerticalRules:
    """Upright rules of a frame, sorted by position."""

    def __init__(self, rules: Sequence[Box]) -> None:
        self._rules = sorted(rules)
        self._places = [rule.x0 for rule in self._rules]

    def separate(self, left: float, right: float, level: float, size: float) -> bool:
        """Return True if a rule stands between ``left`` and ``right`` at the height ``level``.

        An edge of a box drawn behind some words of a line of ``size`` does not count.
        """
        for rule in self._rules[bisect_left(self._places, left - 1) :]:
            if rule.x0 > right + 1:
                return False
            behind = rule.height < _HIGHEST * size and right - left < _BLANK * size
            if rule.y0 <= level <= rule.y1 and not behind:
                return True
        return False


def _compose_accents(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Merge an accent drawn over a letter, before or after it, into that letter."""
    kept: list[Glyph] = []
    if _ACCENTS.keys().isdisjoint([glyph.text for glyph in glyphs]):
        return list(glyphs)
    for glyph in glyphs:
        if kept and _stands_over(kept[-1], glyph):
            kept[-1] = _merge_accent(glyph, kept[-1])
        elif kept and _stands_over(glyph, kept[-1]):
            kept[-1] = _merge_accent(kept[-1], glyph)
        else:
            kept.append(glyph)
    return kept


def _stands_over(accent: Glyph, letter: Glyph) -> bool:
    if accent.text not in _ACCENTS or not letter.text.isalpha():
        return False
    middle = (accent.x0 + accent.x1) / 2
    return letter.x0 <= middle <= letter.x1 and abs(accent.baseline - letter.baseline) < letter.size


def _merge_accent(letter: Glyph, accent: Glyph) -> Glyph:
    whole = unicodedata.normalize("NFC", letter.text + _ACCENTS[accent.text])
    letter.set_text(whole)
    letter.doubles |= {accent.show, *accent.doubles}
    return letter


def _split_at_gaps(glyphs: Sequence[Glyph], vertical_rules: VerticalRules) -> Iterator[list[Glyph]]:
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
            if columns or (
                apart and vertical_rules.separate(last.x1, glyph.x0, glyph.baseline + 1, glyph.size)
            ):
                yield stretch
                stretch = []
            else:
                stretch += spaces
        spaces = []
        stretch.append(glyph)
    if stretch:
        yield stretch


def _lies_on(space: Glyph, last: Glyph) -> bool:
    """Return True if a space is drawn back over the letter ``last``, or over text before it."""
    same_line = abs(space.baseline - last.baseline) < 0.2 * last.size
    return same_line and space.x0 < last.x1 - 0.5 * (space.x1 - space.x0)


def split_off_line_numbers(fragments: Sequence[Fragment]) -> tuple[list[Fragment], list[Fragment]]:
    """Split line numbers off as fragments of their own; return them and the other fragments.

    Line numbers count on by one from line to line, at even steps, in one column, fifteen at least,
    and the text that they number is prose: one in five of its lines begins with a small letter.
    """
    found = [
        (fragment, glyphs) for fragment in fragments if (glyphs := _find_leading_number(fragment))
    ]
    numbered: dict[int, list[Glyph]] = {}
    for column in _find_columns([glyphs for _, glyphs in found]):
        texts = [text for text in _find_texts_beside(column, fragments) if text]
        if sum(text[0].islower() for text in texts) > _LEAST_PROSE * len(texts):
            inside = {id(glyphs) for glyphs in column}
            numbered |= {id(fragment): glyphs for fragment, glyphs in found if id(glyphs) in inside}
    numbers, others = list[Fragment](), list[Fragment]()
    for fragment in fragments:
        if leading := numbered.get(id(fragment)):
            numbers.append(Fragment(leading))
            others += _split_at_breaks([glyph for glyph in fragment.glyphs if glyph not in leading])
        else:
            others.append(fragment)
    return numbers, others


def _find_leading_number(fragment: Fragment) -> list[Glyph]:
    """Return the glyphs of the number that begins a fragment and has only blank paper behind it."""
    inked = dropwhile(_is_blank, fragment.items)
    glyphs = [item for item in takewhile(lambda item: not _is_blank(item), inked) if item]
    return glyphs if _NUMBER.fullmatch("".join(glyph.text for glyph in glyphs)) else []


def _is_blank(item: Glyph | None) -> bool:
    return item is None or item.text.isspace()


def _find_columns(numbers: Sequence[list[Glyph]]) -> Iterator[list[list[Glyph]]]:
    """Yield the columns of numbers that count on below each other, from the top down."""
    by_value: dict[int, list[list[Glyph]]] = {}
    for glyphs in numbers:
        by_value.setdefault(int("".join(glyph.text for glyph in glyphs)), []).append(glyphs)
    used_ids = set[int]()
    for value in sorted(by_value):
        for first in by_value[value]:
            column = [first] if id(first) not in used_ids else []
            while column and (
                below := _find_next_below(column, by_value.get(value + len(column), []))
            ):
                column.append(below)
            steps = [a[0].baseline - b[0].baseline for a, b in pairwise(column)]
            used_ids |= {id(glyphs) for glyphs in column}
            if len(column) >= _LEAST_NUMBERS:
                usual = median(steps)
                if all(abs(step - usual) < _UNEVEN_STEP * usual for step in steps):
                    yield column


def _find_next_below(
    column: Sequence[list[Glyph]], candidates: Sequence[list[Glyph]]
) -> list[Glyph] | None:
    last = column[-1]
    near = 0.5 * last[0].size
    candidates_below = [
        number
        for number in candidates
        if number[0].baseline < last[0].baseline
        and (abs(number[0].x0 - last[0].x0) < near or abs(number[-1].x1 - last[-1].x1) < near)
    ]
    return max(candidates_below, key=lambda number: number[0].baseline, default=None)


def _find_texts_beside(
    column: Sequence[list[Glyph]], fragments: Sequence[Fragment]
) -> Iterator[str]:
    """Yield the text that begins next on the right of each number."""
    for glyphs in column:
        end = glyphs[-1]
        level = [
            glyph
            for fragment in fragments
            if abs(fragment.baseline - end.baseline) < 0.3 * end.size
            for glyph in fragment.glyphs
            if glyph.x0 > end.x1 - _APART and not glyph.text.isspace()
        ]
        yield min(level, key=lambda glyph: glyph.x0).text if level else ""
