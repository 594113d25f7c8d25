"""Letters that are drawn again at nearly the same place, to feign bold or a shadow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from prism_core.formats.pdf.glyphs import Glyph
from prism_core.formats.pdf.style import Style

_NEAR, _NEAR_SMALL, _SHIFT, _NARROW, _THICKER = 0.08, 0.25, 1.0, 0.85, 0.01
"""Distance of a letter and its double in font sizes; in small print, in font sizes, points and
widths; and that from which they look bold."""


def drop_doubles(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Drop a glyph drawn again at nearly the same place, as programs do to feign bold or shadow.

    The first of them records the operators of all, so that none goes on showing the text, and has
    the look of the last that can be seen: in bold where it was thickened.
    """
    inked = [glyph for glyph in glyphs if not glyph.text.isspace()]
    rows = _number_rows(inked)
    inked.sort(key=lambda glyph: (glyph.text, rows[glyph.baseline], glyph.x0, glyph.number))
    dropped: set[int] = set()
    pile: list[Glyph] = []
    for glyph in (*inked, None):
        if glyph and pile and _coincide(pile[0], glyph):
            pile.append(glyph)
            continue
        if pile[1:]:
            first, *others = sorted(pile, key=lambda each: each.number)
            first.doubles |= {each.show for each in others}
            first.style = _find_visible_style((first, *others))
            dropped.update(each.number for each in others)
        pile = [glyph] if glyph else []
    return [glyph for glyph in glyphs if glyph.number not in dropped]


def _number_rows(glyphs: Iterable[Glyph]) -> dict[float, int]:
    """Map each baseline of ``glyphs`` to a number, one for all with hardly a step between them."""
    reaches: dict[float, float] = {}
    for glyph in glyphs:
        reaches[glyph.baseline] = max(reaches.get(glyph.baseline, 0.0), _reach(glyph.size))
    levels = sorted(reaches)
    steps = (above - level >= reaches[above] for level, above in pairwise(levels))
    return dict(zip(levels, accumulate(steps, initial=0), strict=False))


def _coincide(glyph: Glyph, other: Glyph) -> bool:
    """Return True if both are the same letter at nearly the same place."""
    aside = abs(other.x0 - glyph.x0)
    return (
        glyph.text == other.text
        and aside < _reach(glyph.size)
        and (aside < _NEAR * glyph.size or aside < _NARROW * (glyph.x1 - glyph.x0))
        and abs(other.baseline - glyph.baseline) < _reach(glyph.size)
    )


def _reach(size: float) -> float:
    """Return how far apart a letter of ``size`` and its double may stand, in points."""
    return max(_NEAR * size, min(_SHIFT, _NEAR_SMALL * size))


def _find_visible_style(pile: Sequence[Glyph]) -> Style:
    """Return the style that a letter drawn several times shows."""
    shown = [glyph for glyph in pile if not glyph.style.invisible] or pile
    places = zip(*((glyph.x0, glyph.baseline) for glyph in shown), strict=True)
    is_thickened = (
        max(max(place) - min(place) for place in places) > _THICKER * shown[0].size
        and len({glyph.style.colour for glyph in shown}) == 1
    )
    style = shown[-1].style
    return replace(style, bold=True) if is_thickened and not style.bold else style
