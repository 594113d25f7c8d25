"""Which pieces are cells: those in a grid of drawn lines, and those that stand row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from prism_core.formats.pdf.flowing.grids import Grid
from prism_core.formats.pdf.flowing.items import Cell, Item, Piece, Table, on_one_row
from prism_core.formats.pdf.flowing.paragraphs import is_label

_MOST_COLUMNS = 30
_MOST_CELL_LINES = 12
_MOST_TOGETHER = 0.2
_FAR = 2.5
"""Rows further apart than this, in lines of text, are not of one table."""


@dataclass(frozen=True, slots=True)
class Row:
    """Items that stand beside each other, from left to right."""

    items: tuple[Item, ...]

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
        return isinstance(left, Piece) and isinstance(right, Piece) and is_label(left, right)

    @property
    def size(self) -> float:
        """Of the largest letters."""
        return max((item.size for item in self.items if isinstance(item, Piece)), default=10.0)


def with_tables(items: Sequence[Item], grids: Sequence[Grid]) -> list[Item | Row | Table]:
    """The items of a page in order: those of a grid in its place, others in rows.

    A table in a grid reads row by row whatever the order in which it was drawn.
    """
    members: dict[Grid, list[Item]] = {}
    owner: dict[int, Grid] = {}
    for item in items:
        grid = next((grid for grid in grids if grid.holds(item)), None)
        if grid is not None:
            owner[id(item)] = grid
            members.setdefault(grid, []).append(item)
    members = {grid: held for grid, held in members.items() if _is_table(grid, held)}
    done: set[Grid] = set()
    result: list[Item | Row | Table] = []
    loose: list[Item] = []
    for item in items:
        grid = owner.get(id(item))
        if grid in done:
            continue
        if grid is None or grid not in members:
            loose.append(item)
        else:
            result += [*_in_rows(loose), grid.table(members[grid])]
            done.add(grid)
            loose = []
    return [*result, *_in_rows(loose)]


def _is_table(grid: Grid, items: Sequence[Item]) -> bool:
    """Whether the lines part what stands on one row; else they are frames around tables."""
    if len(items) < 2:
        return False
    rows = grid.table(items).rows
    if all(sum(bool(cell.items) for cell in row) < 2 for row in rows):
        return False
    cells = [cell.items for row in rows for cell in row]
    together = sum(on_one_row(a, b) for held in cells for a, b in pairwise(held))
    return together < _MOST_TOGETHER * len(items)


def _in_rows(items: Sequence[Item]) -> list[Item | Row | Table]:
    rows: list[list[Item]] = []
    for item in items:
        if rows and _fits(rows[-1], item):
            rows[-1].append(item)
        else:
            rows.append([item])
    return list(_grouped([Row(tuple(sorted(row, key=_left))) for row in rows]))


def _left(item: Item) -> float:
    return item.box.x0


def _fits(row: Sequence[Item], item: Item) -> bool:
    """Whether ``item`` stands beside all of ``row``, drawn before or after it."""
    beside = all(on_one_row(other, item) or on_one_row(item, other) for other in row)
    return len(row) < _MOST_COLUMNS and beside and _is_cell(item)


def _is_cell(item: Item) -> bool:
    return not isinstance(item, Piece) or item.lines <= _MOST_CELL_LINES


def _grouped(rows: Sequence[Row]) -> Iterator[Item | Row | Table]:
    """Rows below each other as one table where their columns agree; single items, and items of
    lists behind their number, as they are."""
    group: list[Row] = []
    for row in rows:
        alone = len(row.items) == 1 or row.is_list_item
        if alone or (group and not _follows(group[-1], row)):
            yield from _tables(group)
            group = []
        if not alone:
            group.append(row)
        elif row.is_list_item:
            yield row
        else:
            yield row.items[0]
    yield from _tables(group)


def _follows(above: Row, below: Row) -> bool:
    gap = above.bottom - below.top
    return -above.size < gap < _FAR * max(above.size, below.size)


def _tables(rows: Sequence[Row]) -> Iterator[Table]:
    table = _aligned(rows) if rows else None
    if table is not None:
        yield table
    else:
        yield from (alone for row in rows if (alone := _aligned([row])) is not None)


def _aligned(rows: Sequence[Row]) -> Table | None:
    """The rows as a table; None when two items of a row would share a column."""
    columns = [(item.box.x0, item.box.x1) for item in max(rows, key=_length).items]
    placed: list[tuple[Cell, ...]] = []
    for row in rows:
        spans = [_span(columns, item) for item in row.items]
        if any(b[0] <= a[1] for a, b in pairwise(spans)):
            return None
        placed.append(
            tuple(
                Cell(column=first, items=(item,), columns=last - first + 1)
                for item, (first, last) in zip(row.items, spans, strict=True)
            )
        )
    return Table(tuple(placed), _widths(rows, columns), ruled=False)


def _length(row: Row) -> int:
    return len(row.items)


def _span(columns: Sequence[tuple[float, float]], item: Item) -> tuple[int, int]:
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
