"""Build fragments of lines from glyphs: letters drawn one after the other, side by side.

Entry: `find_fragments` -> `drop_doubles` -> `_split_at_gaps` -> `_split_at_breaks`; then
`split_off_line_numbers` takes out line numbers in a column of their own. `find_blanks` tells the
gaps between words from those between letters of a word, which a heading may set apart as far: a
stretch of even gaps, none of which is missing, shows how far (`_measure_tracking`).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, dropwhile, groupby, pairwise, takewhile
from statistics import median, median_low
from typing import NamedTuple

from pdfminer.layout import LTTextLineHorizontal

from prism_core.formats.pdf.doubles import drop_doubles
from prism_core.formats.pdf.geometry import Box, bounding_box
from prism_core.formats.pdf.glyphs import Glyph
from prism_core.formats.pdf.list_markers import find_leaders

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
WORD_GAP = 0.1
"""Gap between two words, at least, in font sizes, beyond that between the letters of a word."""
_WIDEST_TRACKING, _WIDEST_FEW = 0.36, 0.21
"""Widest gap between letters set apart, in font sizes; and where few gaps show it, or figures."""
_LEAST_GAPS, _FEW_GAPS, _MANY_GAPS = 2, 3, 5
"""Number of even gaps that show that letters are set apart.

In order: up to the gap of few, up to the widest, and in a line whose letters are not set apart.
"""
_TOGETHER = 0.02
"""Gap of two letters that stand together, in font sizes; letters set apart have more if kerned."""
_MOST_TOGETHER = 0.15
_EVEN = 0.06
"""Distance of even gaps from their median, in font sizes: kerning differs by less."""


def find_fragments(glyphs: Sequence[Glyph], vertical_rules: VerticalRules) -> list[Fragment]:
    """Split the glyphs of a frame that map to text into fragments; no fragment crosses a rule."""
    named = [glyph for glyph in glyphs if glyph.mapped]
    composed: list[Glyph] = []  # an accent drawn over a letter is merged into it
    for glyph in named:
        last = composed[-1] if composed else glyph
        if last.text in _ACCENTS and _stands_over(last, glyph):
            composed[-1] = _merge_accent(glyph, last)
        elif glyph.text in _ACCENTS and _stands_over(glyph, last):
            composed[-1] = _merge_accent(last, glyph)
        else:
            composed.append(glyph)
    stretches = _split_at_gaps(drop_doubles(composed), vertical_rules)
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

    @property
    def leading_number(self) -> list[Glyph]:
        """Glyphs of the number that begins it and has only blank paper behind it."""
        items = [item if item and not item.text.isspace() else None for item in self.items]
        inked = dropwhile(lambda item: item is None, items)
        glyphs = [item for item in takewhile(lambda item: item is not None, inked) if item]
        return glyphs if _NUMBER.fullmatch("".join(glyph.text for glyph in glyphs)) else []

    def split_at_leaders(self) -> tuple[Fragment, Fragment | None]:
        """Split an entry with words from its leaders and the figure behind them, if any."""
        text = self.get_text()
        found = find_leaders(text)
        if not found or not any(map(str.isalpha, text[: found.start()])):
            return self, None
        ends = accumulate(len(item.text) if item else 1 for item in self.items)
        kept = sum(end <= found.start() for end in ends)
        entry, leaders = ([g for g in part if g] for part in (self.items[:kept], self.items[kept:]))
        return Fragment(entry), Fragment(leaders)

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
        """Return True if a rule, not the edge of a box behind words, stands between."""
        for rule in self._rules[bisect_left(self._places, left - 1) :]:
            if rule.x0 > right + 1:
                return False
            behind = rule.height < _HIGHEST * size and right - left < _BLANK * size
            if rule.y0 <= level <= rule.y1 and not behind:
                return True
        return False


def _stands_over(accent: Glyph, letter: Glyph) -> bool:
    middle = (accent.x0 + accent.x1) / 2
    is_over = letter.text.isalpha() and letter.x0 <= middle <= letter.x1
    return is_over and abs(accent.baseline - letter.baseline) < letter.size


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
            # programs underline by a space drawn back over the letter, or over text before it
            over = stretch and glyph.x0 < stretch[-1].x1 - 0.5 * (glyph.x1 - glyph.x0)
            level = 0.2 * stretch[-1].size if over else 0.0
            if not (over and abs(glyph.baseline - stretch[-1].baseline) < level):
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


def split_off_line_numbers(fragments: Sequence[Fragment]) -> tuple[list[Fragment], list[Fragment]]:
    """Split off columns of line numbers (even steps, beside prose); return them and the others."""
    found = [(fragment, glyphs) for fragment in fragments if (glyphs := fragment.leading_number)]
    numbered: dict[int, list[Glyph]] = {}
    for column in _find_columns([glyphs for _, glyphs in found]):
        texts = []
        for *_, end in column:  # the text that begins next on the right of each number
            level = [
                glyph
                for fragment in fragments
                if abs(fragment.baseline - end.baseline) < 0.3 * end.size
                for glyph in fragment.glyphs
                if glyph.x0 > end.x1 - _APART and not glyph.text.isspace()
            ]
            texts += [g.text for g in sorted(level, key=lambda g: g.x0)[:1] if g.text]
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


def _find_columns(numbers: Sequence[list[Glyph]]) -> Iterator[list[list[Glyph]]]:
    """Yield the columns of numbers that count on below each other, from the top down."""
    by_value: dict[int, list[list[Glyph]]] = {}
    for glyphs in numbers:
        by_value.setdefault(int("".join(glyph.text for glyph in glyphs)), []).append(glyphs)
    used_ids = set[int]()
    for value in sorted(by_value):
        for first in by_value[value]:
            column = [first] if id(first) not in used_ids else []
            candidates = column
            while candidates:
                last = column[-1]
                near = 0.5 * last[0].size
                candidates = [
                    number
                    for number in by_value.get(value + len(column), [])
                    if number[0].baseline < last[0].baseline
                    and (
                        abs(number[0].x0 - last[0].x0) < near
                        or abs(number[-1].x1 - last[-1].x1) < near
                    )
                ]
                column += sorted(candidates, key=lambda number: -number[0].baseline)[:1]
            steps = [a[0].baseline - b[0].baseline for a, b in pairwise(column)]
            used_ids |= {id(glyphs) for glyphs in column}
            if len(column) >= _LEAST_NUMBERS:
                usual = median(steps)
                if all(abs(step - usual) < _UNEVEN_STEP * usual for step in steps):
                    yield column


class _Gap(NamedTuple):
    """Gap before the glyph at ``place``, between two letters or figures, in font sizes."""

    place: int
    width: float
    between_letters: bool


def find_blanks(glyphs: Sequence[Glyph]) -> list[int]:
    """Return the indices of the glyphs before which blank paper stands for a space."""
    wide: list[int] = []
    end = glyphs[0].x1
    for index, glyph in enumerate(glyphs):  # no function calls: this loop visits each letter
        x0, x1 = glyph.x0, glyph.x1
        if end < x0 and end < x0 - WORD_GAP * max(x1 - x0, glyph.y1 - glyph.y0):
            wide.append(index)
        end = x1
    if not wide:
        return wide
    tracking = _measure_tracking(glyphs)
    return [
        index
        for index in wide
        if index not in tracking
        or glyphs[index].x0 - glyphs[index - 1].x1
        > (WORD_GAP + tracking[index]) * glyphs[index].size
    ]


def _measure_tracking(glyphs: Sequence[Glyph]) -> dict[int, float]:
    """Map glyphs, by index, to how far apart letters are set around them, in font sizes."""
    gaps = [
        _Gap(index, (glyph.x0 - before.x1) / glyph.size, (before.text + glyph.text).isalpha())
        for index, (before, glyph) in enumerate(pairwise(glyphs), start=1)
        if glyph.size and (before.text + glyph.text).isalnum()
    ]
    if not gaps:
        return {}
    is_apart = sum(gap.width <= _TOGETHER for gap in gaps) < _MOST_TOGETHER * len(gaps)
    found: dict[int, float] = {}
    for are_apart, between in groupby(gaps, key=lambda gap: gap.width > _TOGETHER):
        if not are_apart:  # two letters stand together
            continue
        stretch = list(between)
        usual = median_low(gap.width for gap in stretch)
        even = [gap for gap in stretch if abs(gap.width - usual) < _EVEN]
        is_wide = len(even) >= _FEW_GAPS and any(gap.between_letters for gap in even)
        if (
            len(even) >= (_LEAST_GAPS if is_apart else _MANY_GAPS)
            and 2 * len(even) > len(stretch)
            and usual <= (_WIDEST_TRACKING if is_wide else _WIDEST_FEW)
        ):
            ends = stretch[0].place, stretch[-1].place
            found.update(dict.fromkeys(range(ends[0] - 1, ends[1] + 2), usual))
    if is_apart and found:  # so are initials and signs, between which no two letters stand
        return dict.fromkeys(range(len(glyphs)), min(found.values())) | found
    return found
