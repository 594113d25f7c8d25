"""Which pieces are cells: those in a grid of drawn lines, and those that stand row by row.

entry: `find_grids` finds the grids among the lines of a page; `find_tables` puts items into them
(`Grid.table`: columns, rows, merged cells) and makes tables of `Row`s whose columns agree.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from prism_core.formats.pdf.flowing.items import (
    FlowCell,
    FlowItem,
    FlowPiece,
    FlowTable,
    is_right_of_on_row,
)
from prism_core.formats.pdf.flowing.paragraphs import is_label
from prism_core.formats.pdf.geometry import MAX_RULES, Box, bounding_box, edges_of

_MOST_COLUMNS = 30
_MOST_CELL_LINES = 12
_MOST_TOGETHER = 0.2
_FAR = 2.5
"""Rows further apart than this, in lines of text, are not of one table."""
_TOUCH = 3.0
_SHORTEST = 6.0
_THIN = 3.0
_MOST_LINES = 800
_MOST_ROWS = 300
_MOST_CELLS = 3_000


@dataclass(frozen=True, slots=True)
class Row:
    """Items that stand beside each other, from left to right."""

    items: tuple[FlowItem, ...]

    @property
    def top(self) -> float:
        """The upper edge of the highest."""
        return max(item.box.y1 for item in self.items)

    @property
    def bottom(self) -> float:
        """The lower edge of the lowest."""
        return min(item.box.y0 for item in self.items)

    @property
    def is_list_item(self) -> bool:
        """The number or the bullet of an item, and its text."""
        if len(self.items) != 2:
            return False
        left, right = self.items
        return (
            isinstance(left, FlowPiece) and isinstance(right, FlowPiece) and is_label(left, right)
        )

    @property
    def size(self) -> float:
        """Of the largest letters."""
        return max((item.size for item in self.items if isinstance(item, FlowPiece)), default=10.0)


_Found = FlowItem | Row | FlowTable


def find_tables(items: Sequence[FlowItem], grids: Sequence[RuledGrid]) -> list[_Found]:
    """The items of a page in order: those of a grid in its place, others in rows.

    A table in a grid reads row by row whatever the order in which it was drawn.
    """
    members: dict[RuledGrid, list[FlowItem]] = {}
    owner: dict[int, RuledGrid] = {}
    for item in items:
        grid = next((grid for grid in grids if grid.holds(item)), None)
        if grid is not None:
            owner[id(item)] = grid
            members.setdefault(grid, []).append(item)
    members = {grid: held for grid, held in members.items() if _is_table(grid, held)}
    done: set[RuledGrid] = set()
    result: list[_Found] = []
    loose: list[FlowItem] = []
    for item in items:
        grid = owner.get(id(item))
        if grid in done:
            continue
        if grid is None or grid not in members:
            loose.append(item)
        else:
            result += [*_group_rows(loose), grid.table(members[grid])]
            done.add(grid)
            loose = []
    return [*result, *_group_rows(loose)]


def _is_table(grid: RuledGrid, items: Sequence[FlowItem]) -> bool:
    """Whether the lines part what stands on one row; else they are frames around tables."""
    if len(items) < 2:
        return False
    rows = grid.table(items).rows
    if all(sum(bool(cell.items) for cell in row) < 2 for row in rows):
        return False
    cells = [cell.items for row in rows for cell in row]
    together = sum(is_right_of_on_row(a, b) for held in cells for a, b in pairwise(held))
    return together < _MOST_TOGETHER * len(items)


def _group_rows(items: Sequence[FlowItem]) -> list[_Found]:
    rows: list[list[FlowItem]] = []
    for item in items:
        if rows and _fits(rows[-1], item):
            rows[-1].append(item)
        else:
            rows.append([item])
    return list(
        _join_tables([Row(tuple(sorted(row, key=lambda item: item.box.x0))) for row in rows])
    )


def _fits(row: Sequence[FlowItem], item: FlowItem) -> bool:
    """Whether ``item`` stands beside all of ``row``, drawn before or after it."""
    beside = all(
        is_right_of_on_row(other, item) or is_right_of_on_row(item, other) for other in row
    )
    short = not isinstance(item, FlowPiece) or item.lines <= _MOST_CELL_LINES
    return len(row) < _MOST_COLUMNS and beside and short


def _join_tables(rows: Sequence[Row]) -> Iterator[_Found]:
    """Rows below each other as one table where their columns agree; single items, and items of
    lists behind their number, as they are."""
    group: list[Row] = []
    for row in rows:
        alone = len(row.items) == 1 or row.is_list_item
        gap = group[-1].bottom - row.top if group else 0.0
        follows = group and -group[-1].size < gap < _FAR * max(group[-1].size, row.size)
        if alone or (group and not follows):
            yield from _make_tables(group)
            group = []
        if not alone:
            group.append(row)
        elif row.is_list_item:
            yield row
        else:
            yield row.items[0]
    yield from _make_tables(group)


def _make_tables(rows: Sequence[Row]) -> Iterator[FlowTable]:
    table = _align(rows) if rows else None
    if table is not None:
        yield table
    else:
        yield from (alone for row in rows if (alone := _align([row])) is not None)


def _align(rows: Sequence[Row]) -> FlowTable | None:
    """The rows as a table; None when two items of a row would share a column."""
    columns = [
        (item.box.x0, item.box.x1) for item in max(rows, key=lambda row: len(row.items)).items
    ]
    placed: list[tuple[FlowCell, ...]] = []
    for row in rows:
        spans = [_span(columns, item) for item in row.items]
        if any(b[0] <= a[1] for a, b in pairwise(spans)):
            return None
        placed.append(
            tuple(
                FlowCell(column=first, items=(item,), columns=last - first + 1)
                for item, (first, last) in zip(row.items, spans, strict=True)
            )
        )
    return FlowTable(tuple(placed), _widths(rows, columns), ruled=False)


def _span(columns: Sequence[tuple[float, float]], item: FlowItem) -> tuple[int, int]:
    """The first and last column that an item covers, else the one nearest to it."""
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


def _widths(rows: Iterable[Row], columns: Sequence[tuple[float, float]]) -> tuple[float, ...]:
    """From where the leftmost item of a column begins to where that of the next one does."""
    starts = [left for left, _ in columns]
    for row in rows:
        for item in row.items:
            first, last = _span(columns, item)
            if first == last:
                starts[first] = min(starts[first], item.box.x0)
    right = max(item.box.x1 for row in rows for item in row.items)
    return tuple(max(b - a, 10.0) for a, b in pairwise([*starts, right + 6]))


@dataclass(frozen=True, eq=False)
class RuledGrid:
    """Lines that touch: ``across`` run from left to right, ``down`` from top to bottom."""

    across: tuple[Box, ...]
    down: tuple[Box, ...]

    @cached_property
    def box(self) -> Box:
        """Around all lines."""
        return bounding_box((*self.across, *self.down))

    @cached_property
    def xs(self) -> list[float]:
        """The edges of the columns, from the left."""
        return _merge_near([*(line.x0 for line in self.down), self.box.x0, self.box.x1])

    @cached_property
    def ys(self) -> list[float]:
        """The edges of the rows, from below."""
        return _merge_near([*(line.y0 for line in self.across), self.box.y0, self.box.y1])

    @property
    def is_table(self) -> bool:
        """More than one column, and not so many that it is a drawing."""
        columns, rows = len(self.xs) - 1, len(self.ys) - 1
        few = columns <= _MOST_COLUMNS and rows <= _MOST_ROWS and columns * rows <= _MOST_CELLS
        return few and columns > 1 and rows > 0

    def holds(self, item: FlowItem) -> bool:
        """Whether the middle of ``item`` is inside."""
        return not item.angle and self.box.holds(*item.box.middle)

    def table(self, items: Sequence[FlowItem]) -> FlowTable:
        """The table with ``items``, each in the cell that its middle is in."""
        spans = self._merged()
        inside: dict[tuple[int, int], list[FlowItem]] = {}
        for item in items:
            inside.setdefault(spans[self._at(item)][0], []).append(item)
        rows: list[tuple[FlowCell, ...]] = []
        for row in range(len(self.ys) - 1):
            cells = []
            for column in range(len(self.xs) - 1):
                first, (height, width) = spans[row, column]
                if first == (row, column):
                    found = tuple(inside.get(first, ()))
                    cells.append(FlowCell(column, found, columns=width, rows=height))
            rows.append(tuple(cells))
        widths = tuple(b - a for a, b in zip(self.xs, self.xs[1:], strict=False))
        return FlowTable(tuple(rows), widths, ruled=True)

    def _at(self, item: FlowItem) -> tuple[int, int]:
        x, y = item.box.middle
        last_column, last_row = len(self.xs) - 2, len(self.ys) - 2
        column = min(max(bisect_right(self.xs, x) - 1, 0), last_column)
        from_below = min(max(bisect_right(self.ys, y) - 1, 0), last_row)
        return last_row - from_below, column

    def _merged(self) -> dict[tuple[int, int], tuple[tuple[int, int], tuple[int, int]]]:
        """For every cell the first of those it is merged with, and how many rows and columns."""
        rows, columns = len(self.ys) - 1, len(self.xs) - 1
        found: dict[tuple[int, int], tuple[tuple[int, int], tuple[int, int]]] = {}
        for row in range(rows):
            for column in range(columns):
                if (row, column) in found:
                    continue
                width = self._reach_right(row, column, columns, found)
                height = 1
                while row + height < rows and self._open_below(row + height - 1, column, width):
                    height += 1
                for y in range(row, row + height):
                    for x in range(column, column + width):
                        found[y, x] = ((row, column), (height, width))
        return found

    def _reach_right(
        self, row: int, column: int, columns: int, taken: Container[tuple[int, int]]
    ) -> int:
        width = 1
        while (
            column + width < columns
            and (row, column + width) not in taken
            and not self._line_right_of(row, column + width - 1)
        ):
            width += 1
        return width

    def _open_below(self, row: int, column: int, width: int) -> bool:
        """No line below the cells, nor one between them in the next row."""
        own = range(column, column + width)
        return not (
            any(self._line_below(row, x) for x in own)
            or any(self._line_right_of(row + 1, x) for x in own[:-1])
            or (column > 0 and not self._line_right_of(row + 1, column - 1))
            or (
                column + width < len(self.xs) - 1
                and not self._line_right_of(row + 1, column + width - 1)
            )
        )

    def _line_right_of(self, row: int, column: int) -> bool:
        x = self.xs[column + 1]
        y = (self.ys[-row - 1] + self.ys[-row - 2]) / 2
        return any(abs(line.x0 - x) <= _TOUCH and line.y0 <= y <= line.y1 for line in self.down)

    def _line_below(self, row: int, column: int) -> bool:
        y = self.ys[-row - 2]
        x = (self.xs[column] + self.xs[column + 1]) / 2
        return any(abs(line.y0 - y) <= _TOUCH and line.x0 <= x <= line.x1 for line in self.across)


def find_grids(rules: Sequence[Box]) -> list[RuledGrid]:
    """The tables among the drawn lines of a page; none on one with a drawing of many lines."""
    if len(rules) > MAX_RULES:
        return []
    lines = edges_of(rules)
    across = [line for line in lines if line.height < _THIN and line.width >= _SHORTEST]
    down = [line for line in lines if line.width < _THIN and line.height >= _SHORTEST]
    if not across or not down or len(across) + len(down) > _MOST_LINES:
        return []
    found = [RuledGrid(tuple(a), tuple(d)) for a, d in _connect(across, down) if a and d]
    return [grid for grid in found if grid.is_table]


def _connect(across: Sequence[Box], down: Sequence[Box]) -> Iterator[tuple[list[Box], list[Box]]]:
    lines = [*across, *down]
    parent = list(range(len(lines)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for number, line in enumerate(across):
        for other, upright in enumerate(down, start=len(across)):
            if line.touches(upright, _TOUCH):
                parent[root(number)] = root(other)
    groups: dict[int, tuple[list[Box], list[Box]]] = {}
    for index, line in enumerate(lines):
        groups.setdefault(root(index), ([], []))[index >= len(across)].append(line)
    yield from groups.values()


def _merge_near(values: Iterable[float]) -> list[float]:
    """The values from the least on, those that are nearly the same as one."""
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > _TOUCH:
            found.append(value)
    return found
