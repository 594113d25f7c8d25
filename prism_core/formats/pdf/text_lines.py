"""Build lines from fragments, and group lines that stand close together.

Entry: `find_line_groups` -> `find_fragments` -> `split_off_line_numbers` -> `_rejoin`, and
`_close_gaps` for the wide blanks of justified lines; pdfminer groups them. A drawn rule between two
glyphs always separates them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from statistics import median

from pdfminer.layout import LAParams, LTLayoutContainer

from prism_core.formats.pdf.geometry import Box, bounding_box
from prism_core.formats.pdf.glyphs import Glyph
from prism_core.formats.pdf.list_markers import find_leaders, is_marker
from prism_core.formats.pdf.style import Run, Style
from prism_core.formats.pdf.text_fragments import (
    Fragment,
    VerticalRules,
    bound_glyphs,
    find_fragments,
    split_off_line_numbers,
)

_PARAMS = LAParams(all_texts=True, boxes_flow=None)
LETTER = re.compile(r"[^\W\d_]")
_LONGEST_RAISED = 4
_PRESENTATION = re.compile("[\ufb00-\ufb06\U0001d400-\U0001d7ff]")
"""Ligatures, and letters in the italic or bold of formulas."""
_LEVEL = 2.0
_FEW = 0.15
_SMALL, _OFF = 0.8, 0.1
"""Size of raised letters, at most, and their distance off the baseline, in sizes of the line."""
_WIDEST_GAP = 8.0
_LOOSE_GAP = 2.2
_UNEVEN = 2.6


@dataclass(frozen=True, slots=True)
class TextLine:
    """Line of text in its frame; ``shows`` are the operators that drew it."""

    text: str
    box: Box
    baseline: float
    size: float
    style: Style
    shows: frozenset[int]
    first: int
    """Number of its earliest glyph, in drawing order."""
    runs: tuple[Run, ...] = ()
    """Parts of ``text``, split by style."""
    sizes: tuple[float, float] = (0.0, 0.0)
    """Sizes of its smallest and its largest letters, ignoring a few outliers."""
    is_numbered: bool = False
    """True if its line number stands before it, in a column of such numbers."""
    leaders: int | None = None
    """``first`` of the line that is its leaders and its figure, if it is an entry with such."""

    @property
    def is_lead(self) -> bool:
        """True if it begins in bold and does not end so: a label up to a colon, and its text."""
        return _is_lead(self.runs)

    @property
    def fills_column(self) -> bool:
        """True if it may be as wide as its column, unlike markers, numbers and leaders."""
        is_beside = is_marker(self.text) or find_leaders(self.text)
        return bool(LETTER.search(self.text)) and not is_beside

    @property
    def first_word_width(self) -> float:
        """Approximate width of its first word as drawn."""
        return self.box.width * len(self.text.split(" ", 1)[0]) / max(len(self.text), 1)


def find_line_groups(glyphs: Sequence[Glyph], uprights: Sequence[Box]) -> list[list[TextLine]]:
    """Return the lines of a frame, grouped if close together; none crosses ``uprights``."""
    vertical_rules = VerticalRules(uprights)
    numbers, fragments = split_off_line_numbers(find_fragments(glyphs, vertical_rules))
    rows = _rejoin(fragments, vertical_rules)
    closed = _close_gaps(rows, vertical_rules)
    if len(closed) < len(rows):  # a closed line is evidence for its neighbours
        closed = _close_gaps(closed, vertical_rules)
    split = [row.split_at_leaders() for row in closed]
    rows = [entry for entry, _ in split]
    entries = {id(entry): leaders for entry, leaders in split if leaders is not None}
    alone = [_build_line(row) for row in (*numbers, *entries.values())]
    if not rows:
        return [[line] for line in alone]
    numbered = {
        id(row)
        for row in rows
        for number in numbers
        if number.x1 <= row.x0 and abs(number.baseline - row.baseline) < 0.3 * row.height
    }
    frame = LTLayoutContainer(bounding_box(Box(*row.bbox) for row in rows))
    boxes = frame.group_textlines(_PARAMS, rows)
    groups = ([row for row in box if isinstance(row, Fragment)] for box in boxes)
    return [
        *([line] for line in alone),
        *(
            [
                _build_line(row, id(row) in numbered, entries.get(id(row)))
                for row in sorted(group, key=lambda row: -row.y1)
            ]
            for group in groups
        ),
    ]


def _rejoin(fragments: list[Fragment], vertical_rules: VerticalRules) -> list[Fragment]:
    """Join raised, lowered and separately drawn fragments to the line they stand in."""
    rows: list[Fragment] = []
    for fragment in sorted(fragments, key=lambda fragment: fragment.x0):
        level, height, x0 = (fragment.y0 + fragment.y1) / 2, fragment.height, fragment.x0
        low, high = -0.3 * height, 0.35 * height
        near = [row for row in rows[-200:] if low < x0 - row.x1 < high]  # first, as it is quick
        for row in reversed(near):
            if _continues(row, fragment) and not vertical_rules.separate(
                row.x1, fragment.x0, level, row.height
            ):
                row.add_glyphs(fragment.glyphs)
                break
        else:
            rows.append(fragment)
    return sorted(rows, key=lambda row: min([glyph.number for glyph in row.glyphs]))


def _continues(row: Fragment, fragment: Fragment) -> bool:
    height = min(row.height, fragment.height)
    gap = fragment.x0 - row.x1
    if not -0.3 * height < gap < 0.35 * height:
        return False
    smaller = min((row, fragment), key=lambda each: each.height)
    alike = max(row.height, fragment.height) < 1.25 * height
    return bool(
        row.is_voverlap(fragment)
        and row.voverlap(fragment) > 0.45 * height
        and (alike or len(smaller.glyphs) <= _LONGEST_RAISED)
    )


def _close_gaps(rows: list[Fragment], vertical_rules: VerticalRules) -> list[Fragment]:
    """Join fragments on one level if a line above or below runs across the gap between them."""
    seen = [(row, row.baseline, row.glyphs[0].size) for row in rows]
    levels: dict[int, list[tuple[Fragment, float, float]]] = {}
    for entry in seen:
        levels.setdefault(round(entry[1] / _LEVEL), []).append(entry)
    joined_ids: set[int] = set()
    for level, level_rows in levels.items():
        near = [*level_rows, *levels.get(level + 1, ())]
        for row, baseline, size in sorted(level_rows, key=lambda entry: entry[0].x0):
            to_the_right = [
                entry[0]
                for entry in near
                if entry[0].x0 > row.x1  # first, as it is quick
                and id(entry[0]) not in joined_ids
                and abs(entry[1] - baseline) < 0.2 * size
                and abs(entry[2] - size) < 0.15 * size
            ]
            while id(row) not in joined_ids and to_the_right:
                fragment = min(to_the_right, key=lambda other: other.x0)
                if not 0 < fragment.x0 - row.x1 < _WIDEST_GAP * size:
                    break
                to_the_right.remove(fragment)
                reach = int(2.6 * size / _LEVEL) + 1
                around = (  # lines of about that size next above and below
                    entry[0]
                    for other in range(level - reach, level + reach + 1)
                    for entry in levels.get(other, ())
                    if 0.7 * size < abs(entry[1] - baseline) < 2.6 * size
                    and abs(entry[2] - size) < 0.15 * size
                )
                middle = baseline + size / 3
                if not _is_blank(row, fragment, size, around) or vertical_rules.separate(
                    row.x1, fragment.x0, middle, size
                ):
                    break
                row.add_glyphs(fragment.glyphs)
                joined_ids.add(id(fragment))
    return [row for row in rows if id(row) not in joined_ids]


def _is_blank(row: Fragment, fragment: Fragment, size: float, around: Iterable[Fragment]) -> bool:
    gap = fragment.x0 - row.x1
    if is_marker(row.get_text().strip()):
        return False
    blanks = [*_measure_blanks(row), gap, *_measure_blanks(fragment)]
    even = len(blanks) < 3 or gap < _UNEVEN * median(blanks)
    return any(
        line.x0 < row.x1 - size / 2
        and line.x1 > fragment.x0 + size / 2
        and abs(line.x0 - row.x0) < 4 * size
        and ((even and fragment.x1 < line.x1 + 0.6 * size) or gap < _LOOSE_GAP * size)
        for line in around
    )


def _measure_blanks(row: Fragment) -> list[float]:
    """Return the widths of the gaps between its words."""
    words = [
        [item for item in items if item]
        for is_blank, items in groupby(row.items, lambda item: item is None or item.text.isspace())
        if not is_blank
    ]
    return [after[0].x0 - before[-1].x1 for before, after in pairwise(words)]


def _build_line(
    row: Fragment, is_numbered: bool = False, leaders: Fragment | None = None
) -> TextLine:
    glyphs = row.glyphs
    inked = [glyph for glyph in glyphs if not glyph.text.isspace()]
    sizes = sorted(glyph.size for glyph in inked)
    baseline = row.baseline
    levels = {level for level in {glyph.baseline for glyph in inked} if round(level, 1) == baseline}
    level = [glyph.size for glyph in inked if glyph.baseline in levels]
    size = median(level or sizes)
    runs = _split_by_style(row, size, baseline)
    usual = inked[0].style
    if any(glyph.style is not usual for glyph in inked):
        usual = Counter(glyph.style for glyph in inked).most_common(1)[0][0]
    few = int(_FEW * len(sizes))
    return TextLine(
        text="".join(text for text, _ in runs),
        box=bound_glyphs(inked),
        baseline=baseline,
        size=size,
        style=inked[-1].style if _is_lead(runs) else usual,
        shows=frozenset(
            {glyph.show for glyph in glyphs}.union(*{glyph.doubles for glyph in glyphs})
        ),
        first=min([glyph.number for glyph in glyphs]),
        runs=runs,
        sizes=(sizes[few], sizes[-1 - few]),
        is_numbered=is_numbered,
        leaders=min([glyph.number for glyph in leaders.glyphs]) if leaders is not None else None,
    )


def _is_lead(runs: Sequence[Run]) -> bool:
    return runs[0][1].bold and not runs[-1][1].bold and any(":" in text for text, _ in runs)


def _split_by_style(row: Fragment, size: float, baseline: float) -> tuple[Run, ...]:
    """Split the text of the line by style; white space becomes one blank, ligatures letters."""
    runs: list[tuple[list[str], Style]] = []
    texts, last, small = list[str](), None, _SMALL * size
    blank = False
    for item in row.items:
        if item is None or item.text.isspace():
            blank = bool(runs)
            continue
        text, look = item.text, item.style
        if not text.isascii():
            text = _PRESENTATION.sub(lambda m: unicodedata.normalize("NFKC", m[0]), text)
        if item.size < small and abs(off := item.baseline - baseline) > _OFF * size:
            look = replace(look, raised=1 if off > 0 else -1)
        if blank:
            texts.append(" ")
        blank = False
        if len(text) > 1:
            blank = text.endswith(" ")
            text = " ".join(text.split())
        if look is last or look == last:
            texts.append(text)
        else:
            texts, last = [text], look
            runs.append((texts, look))
    return tuple(("".join(texts), look) for texts, look in runs)
