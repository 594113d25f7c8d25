"""Tables of documents made of XML: what the head of a column says of a cell in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from lxml import etree

from prism_core.formats.table_heads import has_digit, heads

_CELLS: Final = ("tc", "table-cell")
_ROWS: Final = ("tr", "table-row")
_TABLES: Final = ("tbl", "table")
_MOST_CELLS: Final = 64
_LONGEST: Final = 60
"""Characters; what is longer is neither the head of a column nor a number."""


def cell_heads(paragraph: etree._Element, text: str) -> tuple[str, ...]:
    """Of the cell that ``paragraph``, which says ``text``, is all of; none for one without a digit.

    Reads tables of WordprocessingML, DrawingML and OpenDocument; merged cells count as one.
    """
    cell = _around(paragraph, _CELLS) if has_digit(text) and len(text) <= _LONGEST else None
    row = None if cell is None else _around(cell, _ROWS)
    table = None if row is None else _around(row, _TABLES)
    if cell is None or row is None or table is None:
        return ()
    cells = list(islice(_within(row, _CELLS), _MOST_CELLS))
    first = next(_within(table, _ROWS))
    texts = list(map(_text, cells))
    heading = (
        texts if first is row else list(map(_text, islice(_within(first, _CELLS), len(cells))))
    )
    return heads(texts, cells.index(cell), heading) if cell in cells else ()


def _around(element: etree._Element, names: Sequence[str]) -> etree._Element | None:
    return next((outer for outer in element.iterancestors() if _name(outer) in names), None)


def _within(element: etree._Element, names: Sequence[str]) -> Iterator[etree._Element]:
    """The elements below ``element`` with one of ``names``, none within another of them."""
    for child in element:
        if _name(child) in names:
            yield child
        elif _name(child) not in _TABLES:
            yield from _within(child, names)


def _text(cell: etree._Element) -> str:
    """What ``cell`` says, as far as it may be the head of a column."""
    said = " ".join("".join(map(str, cell.itertext())).split())
    return said if len(said) <= _LONGEST else ""


def _name(element: etree._Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
