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


class RunningTable:
    """A table of HTML while it is read, tag by tag; merged cells and tables within are not told."""

    def __init__(self) -> None:
        self._first: list[str] = []
        self._row: list[str] = []

    def open(self, tag: str) -> None:
        """Take in that an element begins."""
        if tag == "table":
            self._first = self._row = []
        elif tag == "tr":
            self._row = []
        elif tag in ("td", "th"):
            self._row.append("")

    def heads(self, text: str) -> tuple[str, ...]:
        """Of the cell that was opened last, and whose text is ``text``."""
        if not self._row:
            return ()
        self._row[-1] = self._row[-1] or text.strip()
        if not any(self._first):
            self._first = self._row
        return heads(self._row, len(self._row) - 1, self._first)


def _heads(row: Row, column: int, first: Row) -> Iterator[str]:
    headed = sum(map(bool, first)) > 1 and not any(map(has_digit, first))
    if headed and row is not first and column < len(first) and first[column]:
        yield first[column]
    if column and (left := row[column - 1]) and not has_digit(left):
        yield left


def has_digit(text: str) -> bool:
    """Whether ``text`` has a digit, and so is no head."""
    return any(map(str.isdigit, text))
