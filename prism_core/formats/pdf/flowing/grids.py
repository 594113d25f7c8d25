"""Grids of drawn lines: where their columns and rows are, and which cells are merged."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from prism_core.formats.pdf.flowing.items import Cell, Item, Table
from prism_core.formats.pdf.geometry import Box, around
from prism_core.formats.pdf.rules import MAX_RULES, edges

_TOUCH = 3.0
_SHORTEST = 6.0
_THIN = 3.0
_MOST_LINES = 800
_MOST_ROWS = 300
_MOST_COLUMNS = 30
_MOST_CELLS = 3_000


@dataclass(frozen=True, eq=False)
class Grid:
    """Lines that touch: ``across`` run from left to right, ``down`` from top to bottom."""

    across: tuple[Box, ...]
    down: tuple[Box, ...]

    @cached_property
    def box(self) -> Box:
        """Around all lines."""
        return around((*self.across, *self.down))

    @cached_property
    def xs(self) -> list[float]:
        """The edges of the columns, from the left."""
        return _distinct([*(line.x0 for line in self.down), self.box.x0, self.box.x1])

    @cached_property
    def ys(self) -> list[float]:
        """The edges of the rows, from below."""
        return _distinct([*(line.y0 for line in self.across), self.box.y0, self.box.y1])

    @property
    def is_table(self) -> bool:
        """More than one column, and not so many that it is a drawing."""
        columns, rows = len(self.xs) - 1, len(self.ys) - 1
        few = columns <= _MOST_COLUMNS and rows <= _MOST_ROWS and columns * rows <= _MOST_CELLS
        return few and columns > 1 and rows > 0

    def holds(self, item: Item) -> bool:
        """Whether the middle of ``item`` is inside."""
        x, y = _middle(item)
        return not item.angle and self.box.holds(x, y)

    def table(self, items: Sequence[Item]) -> Table:
        """The table with ``items``, each in the cell that its middle is in."""
        spans = self._merged()
        inside: dict[tuple[int, int], list[Item]] = {}
        for item in items:
            inside.setdefault(spans[self._at(item)][0], []).append(item)
        rows: list[tuple[Cell, ...]] = []
        for row in range(len(self.ys) - 1):
            cells = []
            for column in range(len(self.xs) - 1):
                first, (height, width) = spans[row, column]
                if first == (row, column):
                    found = tuple(inside.get(first, ()))
                    cells.append(Cell(column, found, columns=width, rows=height))
            rows.append(tuple(cells))
        widths = tuple(b - a for a, b in zip(self.xs, self.xs[1:], strict=False))
        return Table(tuple(rows), widths, ruled=True)

    def _at(self, item: Item) -> tuple[int, int]:
        x, y = _middle(item)
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
                height = self._reach_down(row, column, width, rows)
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

    def _reach_down(self, row: int, column: int, width: int, rows: int) -> int:
        height = 1
        while row + height < rows and self._open_below(row + height - 1, column, width):
            height += 1
        return height

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


def grids_of(rules: Sequence[Box]) -> list[Grid]:
    """The tables among the drawn lines of a page; none on one with a drawing of many lines."""
    if len(rules) > MAX_RULES:
        return []
    lines = edges(rules)
    across = [line for line in lines if line.height < _THIN and line.width >= _SHORTEST]
    down = [line for line in lines if line.width < _THIN and line.height >= _SHORTEST]
    if not across or not down or len(across) + len(down) > _MOST_LINES:
        return []
    found = [Grid(tuple(a), tuple(d)) for a, d in _connected(across, down) if a and d]
    return [grid for grid in found if grid.is_table]


def _connected(across: Sequence[Box], down: Sequence[Box]) -> Iterator[tuple[list[Box], list[Box]]]:
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


def _distinct(values: Iterable[float]) -> list[float]:
    """The values from the least on, those that are nearly the same as one."""
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > _TOUCH:
            found.append(value)
    return found


def _middle(item: Item) -> tuple[float, float]:
    return (item.box.x0 + item.box.x1) / 2, (item.box.y0 + item.box.y1) / 2
