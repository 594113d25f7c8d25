"""Lines of a page that are cells of a table, and those that wrap in one.

Entry: `find_table_rows` for the lines of a row with figures, `wraps_in_cell` for those of a cell
with drawn edges. An entry with leaders to its figure is no row.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf, isfinite

from prism_core.formats.pdf.geometry import Box, bounding_box
from prism_core.formats.pdf.list_markers import find_leaders
from prism_core.formats.pdf.text_lines import LETTER, TextLine

Group = Sequence[TextLine]
"""Lines that stand close together, from the top down."""
_LEVEL, EXACT = 1.5, 0.5
"""Distance of baselines in one row, in points: half the usual, and that of rows set alike."""
_LEAST_FILLED, _MOST_LINES, _REACH = 0.6, 5, 2.0


def find_table_rows(groups: Sequence[Group], most: float = 2 * _LEVEL) -> set[int]:
    """Return lines (by ``first``) on a level with figures that are no number of the line."""
    levels: dict[int, list[tuple[int, TextLine]]] = {}
    for number, group in enumerate(groups):
        for line in group:
            levels.setdefault(round(line.baseline / _LEVEL), []).append((number, line))
    rows = set()
    for level, lines in levels.items():
        near = [*levels.get(level - 1, ()), *lines, *levels.get(level + 1, ())]
        for number, line in lines:
            if line.leaders is not None:  # to its own figure
                continue
            figures = [
                other
                for other_number, other in near
                if other_number != number
                and not LETTER.search(other.text)
                and not find_leaders(other.text)
                and abs(other.baseline - line.baseline) <= most
            ]
            if len(figures) > 1 or any(other.box.x0 > line.box.x1 for other in figures):
                rows.add(line.first)
    return rows


def wraps_in_cell(group: Group, uprights: Sequence[Box], across: Sequence[Box]) -> bool:
    """Return True if the lines are one text, each as full as the rules around let it be."""
    if not 1 < len(group) <= _MOST_LINES:
        return False
    box = bounding_box(line.box for line in group)
    beside = [rule for rule in uprights if rule.y0 < box.y0 + _REACH and rule.y1 > box.y1 - _REACH]
    along = [rule for rule in across if rule.x0 < box.middle[0] < rule.x1]
    left = max((rule.x1 for rule in beside if rule.x1 < box.x0 + 1), default=-inf)
    right = min((rule.x0 for rule in beside if rule.x0 > box.x1 - 1), default=inf)
    top = min((rule.y0 for rule in along if rule.y0 > box.y1 - _REACH), default=inf)
    bottom = max((rule.y1 for rule in along if rule.y1 < box.y0 + _REACH), default=-inf)
    if not isfinite(right - left + top - bottom):
        return False
    width = right - left - 2 * min(box.x0 - left, right - box.x1)
    return all(
        " " in line.text
        and line.box.width > _LEAST_FILLED * width
        and line.box.width + below.first_word_width > width
        for line, below in pairwise(group)
    )
