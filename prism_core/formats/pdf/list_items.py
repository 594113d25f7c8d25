"""Lines of a page that begin an item of a list.

Entry: `find_items`. A bullet always begins an item. A sign that may stand in prose, or a number,
needs a like one on another line (`_has_sibling`), or stands apart before the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from prism_core.formats.pdf.geometry import Box
from prism_core.formats.pdf.list_markers import Marker, is_marker, read_markers
from prism_core.formats.pdf.text_lines import TextLine

_MOST_ASIDE, _FARTHEST = 3.0, 4.0
"""Distance of like markers, across, and of a marker from its text, in font sizes."""
_LEVEL, _TOUCH = 10.0, 1.0
_LEAST_DRAWN, _LEAST_DASH, _MOST_DRAWN, _NARROW = 1.2, 2.5, 14.0, 0.4
"""Sides of a drawn bullet, in points: least, least width of a dash, greatest; and its least width,
in heights."""


def find_items(groups: Sequence[Sequence[TextLine]], signs: Sequence[Box]) -> set[int]:
    """Return lines (by ``first``) that begin an item; ``signs`` are drawn, or unknown glyphs."""
    lines = [line for group in groups for line in group if not line.is_numbered]
    marked = [(line, markers) for line in lines if (markers := read_markers(line.text))]
    places: dict[tuple[str, int], list[TextLine]] = {}
    """Lines that begin so, by kind and value of the marker."""
    for line, markers in marked:
        for marker in markers:
            places.setdefault((marker.kind, marker.value), []).append(line)
    items = {
        line.first
        for line, markers in marked
        if any(marker.is_bullet or _has_sibling(line, marker, places) for marker in markers)
    }
    alone = [
        (line.box, markers[0].is_bare)
        for line, markers in marked
        if is_marker(line.text) and (line.first in items or not markers[0].is_bare)
    ]
    rows: dict[int, list[tuple[Box, bool]]] = {}
    for box, is_bare in (*((sign, False) for sign in signs), *alone):
        for row in range(int(box.y0 // _LEVEL), int(box.y1 // _LEVEL) + 1):
            rows.setdefault(row, []).append((box, is_bare))
    return items | {line.first for line in lines if _stands_behind_one(line, rows)}


def find_drawn_bullets(boxes: Iterable[Box]) -> list[Box]:
    """Return those of ``boxes`` of paths and images that may be bullets, a little higher each."""
    return [
        Box(box.x0, box.y0 - (pad := max(box.height / 4, 1.0)), box.x1, box.y1 + pad)
        for box in boxes
        if max(box.width, box.height) <= _MOST_DRAWN
        and (min(box.width, box.height) >= _LEAST_DRAWN or box.width >= _LEAST_DASH)
        and box.width >= _NARROW * box.height
    ]


def _has_sibling(
    line: TextLine, marker: Marker, places: dict[tuple[str, int], list[TextLine]]
) -> bool:
    """Return True if a line at the left has the same sign, or a number (if bare, two) beside it."""

    def is_there(step: int) -> bool:
        return any(
            other is not line and abs(other.box.x0 - line.box.x0) < _MOST_ASIDE * line.size
            for other in places.get((marker.kind, marker.value + step), ())
        )

    if not marker.value:
        return is_there(0)
    if not marker.is_bare:
        return is_there(1) or is_there(-1)
    return any(is_there(first) and is_there(then) for first, then in ((-1, 1), (1, 2), (-1, -2)))


def _stands_behind_one(line: TextLine, rows: dict[int, list[tuple[Box, bool]]]) -> bool:
    """Return True if a marker (if bare, and no small letter follows) stands before ``line``."""
    left, level = line.box.x0, line.baseline + line.size / 4
    return any(
        box.y0 < level < box.y1
        and -_TOUCH < left - box.x1 < _FARTHEST * line.size
        and not (is_bare and line.text[:1].islower())
        for box, is_bare in rows.get(int(level // _LEVEL), ())
    )
