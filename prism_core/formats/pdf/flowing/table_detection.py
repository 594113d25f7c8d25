"""Detect tables: blocks in a grid of drawn lines, and blocks that stand row by row.

Entry: `find_grids` finds the grids among the lines of a page; `find_tables` puts items into them
(`RuledGrid.make_table`: columns, rows, merged cells) and makes tables of `FlowRow`s whose columns
agree.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product

from prism_core.formats.pdf.flowing.flow_model import (
    FlowBlock,
    FlowCell,
    FlowItem,
    FlowTable,
    is_right_of_on_row,
)
from prism_core.formats.pdf.flowing.paragraphs import is_label
from prism_core.formats.pdf.geometry import MAX_RULES, THIN, Box, bounding_box, split_into_edges

_MOST_COLUMNS = 30
_MOST_CELL_LINES = 12
_MOST_TOGETHER = 0.2
_FAR = 2.5
"""Largest gap between rows of one table, in lines of text."""
_TOUCH = 3.0
_SHORTEST = 6.0
_MOST_LINES = 800
_MOST_ROWS = 300
_MOST_CELLS = 3_000


@dataclass(frozen=True, slots=True)
class FlowRow:
    """Items that stand beside each other, from left to right."""

    items: tuple[FlowItem, ...]

    @property
    def top(self) -> float:
        """Upper edge of the highest item."""
        return max(item.box.y1 for item in self.items)

    @property
    def bottom(self) -> float:
        """Lower edge of the lowest item."""
        return min(item.box.y0 for item in self.items)

    @property
    def is_list_item(self) -> bool:
        """True for the number or the bullet of a list item, and its text."""
        if len(self.items) != 2:
            return False
        left, right = self.items
        return (
            isinstance(left, FlowBlock) and isinstance(right, FlowBlock) and is_label(left, right)
        )

    @property
    def size(self) -> float:
        """Size of the largest letters."""
        return max((item.size for item in self.items if isinstance(item, FlowBlock)), default=10.0)


_Found = FlowItem | FlowRow | FlowTable


def find_tables(items: Sequence[FlowItem], grids: Sequence[RuledGrid]) -> list[_Found]:
    """Return the items of a page in order: those of a grid in its place, others in rows.

    A table in a grid reads row by row whatever the order in which it was drawn.
    """
    # the first of several grids that hold an item owns it
    owner = {id(item): grid for item in items for grid in reversed(grids) if grid.holds(item)}
    members: dict[RuledGrid | None, list[FlowItem]] = {}
    for grid in grids:
        held = [item for item in items if owner.get(id(item)) is grid]
        if _is_table(grid, held):
            members[grid] = held
    result: list[_Found] = []
    loose: list[FlowItem] = []
    for item in items:
        ruled = owner.get(id(item))
        if ruled is None or ruled not in members:
            loose.append(item)
        elif item is members[ruled][0]:
            result += [*_group_rows(loose), ruled.make_table(members[ruled])]
            loose = []
    return [*result, *_group_rows(loose)]


def _is_table(grid: RuledGrid, items: Sequence[FlowItem]) -> bool:
    """Return True if the lines separate items of one row; else they are frames around tables."""
    if len(items) < 2:
        return False
    rows = grid.make_table(items).rows
    if all(sum(bool(cell.items) for cell in row) < 2 for row in rows):
        return False
    cells = [cell.items for row in rows for cell in row]
    together = sum(is_right_of_on_row(a, b) for held in cells for a, b in pairwise(held))
    return together < _MOST_TOGETHER * len(items)


def _group_rows(items: Sequence[FlowItem]) -> Iterator[_Found]:
    """Group items beside each other into rows, and rows whose columns agree into tables.

    Single items, and list items behind their number, stay as they are.
    """
    rows: list[list[FlowItem]] = []
    for item in items:
        short = not isinstance(item, FlowBlock) or item.lines <= _MOST_CELL_LINES
        if (
            rows
            and short
            and len(rows[-1]) < _MOST_COLUMNS
            and all(is_right_of_on_row(a, item) or is_right_of_on_row(item, a) for a in rows[-1])
        ):
            rows[-1].append(item)
        else:
            rows.append([item])
    group: list[FlowRow] = []
    for row in (FlowRow(tuple(sorted(row, key=lambda item: item.box.x0))) for row in rows):
        alone = len(row.items) == 1 or row.is_list_item
        gap = group[-1].bottom - row.top if group else 0.0
        follows = group and -group[-1].size < gap < _FAR * max(group[-1].size, row.size)
        if alone or (group and not follows):
            yield from _make_tables(group)
            group = []
        if not alone:
            group.append(row)
        else:
            yield row if row.is_list_item else row.items[0]
    yield from _make_tables(group)


def _make_tables(rows: Sequence[FlowRow]) -> Iterator[FlowTable]:
    table = _align(rows) if rows else None
    if table is not None:
        yield table
    else:
        yield from (alone for row in rows if (alone := _align([row])) is not None)


def _align(rows: Sequence[FlowRow]) -> FlowTable | None:
    """Align the rows as a table; return None when two items of a row would share a column.

    A column goes from where its leftmost item begins to where that of the next one does.
    """
    widest = max(rows, key=lambda row: len(row.items))
    columns = [(item.box.x0, item.box.x1) for item in widest.items]
    starts = [left for left, _ in columns]
    placed: list[tuple[FlowCell, ...]] = []
    for row in rows:
        spans = [_find_span(columns, item) for item in row.items]
        if any(b[0] <= a[1] for a, b in pairwise(spans)):
            return None
        cells = []
        for item, (first, last) in zip(row.items, spans, strict=True):
            cells.append(FlowCell(column=first, items=(item,), columns=last - first + 1))
            if first == last:
                starts[first] = min(starts[first], item.box.x0)
        placed.append(tuple(cells))
    right = max(item.box.x1 for row in rows for item in row.items)
    widths = tuple(max(b - a, 10.0) for a, b in pairwise([*starts, right + 6]))
    return FlowTable(tuple(placed), widths, ruled=False)


def _find_span(columns: Sequence[tuple[float, float]], item: FlowItem) -> tuple[int, int]:
    """Return the first and last column that an item covers, else the one nearest to it."""
    x0, x1 = item.box.x0, item.box.x1
    covered = [
        index
        for index, (left, right) in enumerate(columns)
        if min(right, x1) - max(left, x0) > 0.3 * min(right - left, x1 - x0)
    ]
    if covered:
        return covered[0], covered[-1]
    middle = (x0 + x1) / 2
    nearest = min(range(len(columns)), key=lambda index: abs(sum(columns[index]) / 2 - middle))
    return nearest, nearest


@dataclass(frozen=True, eq=False)
class RuledGrid:
    """Lines that touch: ``across`` run from left to right, ``down`` from top to bottom."""

    across: tuple[Box, ...]
    down: tuple[Box, ...]

    @cached_property
    def box(self) -> Box:
        """Box around all lines."""
        return bounding_box((*self.across, *self.down))

    @cached_property
    def xs(self) -> list[float]:
        """Edges of the columns, from the left."""
        return _merge_near([*(line.x0 for line in self.down), self.box.x0, self.box.x1])

    @cached_property
    def ys(self) -> list[float]:
        """Edges of the rows, from below."""
        return _merge_near([*(line.y0 for line in self.across), self.box.y0, self.box.y1])

    @property
    def is_table(self) -> bool:
        """True for more than one column, and not so many cells that it is a drawing."""
        columns, rows = len(self.xs) - 1, len(self.ys) - 1
        few = columns <= _MOST_COLUMNS and rows <= _MOST_ROWS and columns * rows <= _MOST_CELLS
        return few and columns > 1 and rows > 0

    def holds(self, item: FlowItem) -> bool:
        """Return True if the middle of ``item`` is inside."""
        return not item.angle and self.box.holds(*item.box.middle)

    def make_table(self, items: Sequence[FlowItem]) -> FlowTable:
        """Build the table with ``items``, each in the cell that holds its middle."""
        spans = self._merge_cells()
        inside: dict[tuple[int, int], list[FlowItem]] = {}
        for item in items:
            x, y = item.box.middle
            column = min(max(bisect_right(self.xs, x) - 1, 0), len(self.xs) - 2)
            from_below = min(max(bisect_right(self.ys, y) - 1, 0), len(self.ys) - 2)
            cell = len(self.ys) - 2 - from_below, column
            inside.setdefault(spans[cell][0], []).append(item)
        rows: list[list[FlowCell]] = [[] for _ in self.ys[1:]]
        for cell, (first, (height, width)) in sorted(spans.items()):
            if cell == first:
                row, column = cell
                held = tuple(inside.get(cell, ()))
                rows[row].append(FlowCell(column, held, columns=width, rows=height))
        return FlowTable(
            tuple(map(tuple, rows)), tuple(b - a for a, b in pairwise(self.xs)), ruled=True
        )

    def _merge_cells(self) -> dict[tuple[int, int], tuple[tuple[int, int], tuple[int, int]]]:
        """Map every cell to the first of its merged cells and to their rows and columns."""
        rows, columns = len(self.ys) - 1, len(self.xs) - 1
        found: dict[tuple[int, int], tuple[tuple[int, int], tuple[int, int]]] = {}
        for row, column in product(range(rows), range(columns)):
            if (row, column) in found:
                continue
            right, below = column + 1, row + 1
            while (
                right < columns
                and (row, right) not in found
                and not self._has_line_right_of(row, right - 1)
            ):
                right += 1
            while below < rows and self._is_open_below(below - 1, column, right):
                below += 1
            cells = product(range(row, below), range(column, right))
            found |= dict.fromkeys(cells, ((row, column), (below - row, right - column)))
        return found

    def _is_open_below(self, row: int, column: int, end: int) -> bool:
        """Return True if no line runs below the cells from ``column`` to ``end``.

        Nor may lines separate these cells in the next row, which must end at the same edges.
        """
        y = self.ys[-row - 2]
        middles = [(left + right) / 2 for left, right in pairwise(self.xs[column : end + 1])]
        return not (
            any(
                abs(line.y0 - y) <= _TOUCH and any(line.x0 <= x <= line.x1 for x in middles)
                for line in self.across
            )
            or any(self._has_line_right_of(row + 1, x) for x in range(column, end - 1))
            or (column > 0 and not self._has_line_right_of(row + 1, column - 1))
            or (end < len(self.xs) - 1 and not self._has_line_right_of(row + 1, end - 1))
        )

    def _has_line_right_of(self, row: int, column: int) -> bool:
        x = self.xs[column + 1]
        y = (self.ys[-row - 1] + self.ys[-row - 2]) / 2
        return any(abs(line.x0 - x) <= _TOUCH and line.y0 <= y <= line.y1 for line in self.down)


def find_grids(rules: Sequence[Box]) -> list[RuledGrid]:
    """Find the tables among the drawn lines of a page; none on one with a drawing of many lines."""
    if len(rules) > MAX_RULES:
        return []
    lines = split_into_edges(rules)
    across = [line for line in lines if line.height < THIN and line.width >= _SHORTEST]
    down = [line for line in lines if line.width < THIN and line.height >= _SHORTEST]
    if not across or not down or len(across) + len(down) > _MOST_LINES:
        return []
    touching: list[tuple[list[Box], list[Box]]] = [([line], []) for line in across]
    for upright in down:
        found = [g for g in touching if any(line.touches(upright, _TOUCH) for line in g[0])]
        if found:
            found[0][1].append(upright)
        for other in found[1:]:  # merge all that touch into the first
            for merged, added in zip(found[0], other, strict=True):
                merged += added
                added.clear()
    grids = [RuledGrid(tuple(a), tuple(d)) for a, d in touching if a and d]
    return [grid for grid in grids if grid.is_table]


def _merge_near(values: Iterable[float]) -> list[float]:
    """Sort the values and drop those that are nearly the same as the one before."""
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > _TOUCH:
            found.append(value)
    return found
