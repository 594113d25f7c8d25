"""Which texts of a table may say what stands in a cell: the head of its column, its left neighbour.

They give a number its class and nothing else, so a table that is read wrongly loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Row = Sequence[str]


def heads(row: Row, column: int, first: Row) -> tuple[str, ...]:
    """Of the cell in ``column`` of ``row``, in a table that begins with the row ``first``.

    A text with a digit is no head. The first row has heads if it has several texts and no digit.
    """
    return tuple(dict.fromkeys(_heads(row, column, first)))


def _heads(row: Row, column: int, first: Row) -> Iterator[str]:
    headed = sum(map(bool, first)) > 1 and not any(map(_has_digit, first))
    if headed and row is not first and column < len(first) and first[column]:
        yield first[column]
    if column and (left := row[column - 1]) and not _has_digit(left):
        yield left


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))
