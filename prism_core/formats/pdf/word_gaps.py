"""Tell the gaps between words from those between the letters of a word.

Entry: `find_blanks`. The letters of a heading may be set apart as far as words are elsewhere. A
stretch of even gaps, none of which is missing, shows how far (`_measure_tracking`): a blank in it
is wider than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from statistics import median_low
from typing import NamedTuple

from prism_core.formats.pdf.glyphs import Glyph

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
