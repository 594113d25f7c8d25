"""Tables of a Word file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from prism_core.formats.pdf.flowing.items import Cell, Item, Picture, Piece, Sheet, Table
from prism_core.formats.pdf.flowing.word.text import add_picture, add_words, append, appended

_PADDING: Final = 3.0
_LETTER: Final = 0.62
"""How wide a letter is at most of the time, of its size."""


class TableWriter:
    """Appends tables to the body of ``document``."""

    def __init__(self, document: Any, sheet: Sheet) -> None:
        self._document, self._sheet = document, sheet

    def write(self, body: Any, table: Table) -> None:
        """Append ``table``, no wider than the text."""
        widths = _widths(table, self._sheet.text_width)
        written = _appended_table(body, widths, table.ruled)
        open_cells: dict[int, tuple[int, int]] = {}
        for row in table.rows:
            line = OxmlElement("w:tr")
            written.append(line)
            column = 0
            for cell in [*row, None]:
                until = cell.column if cell else len(widths)
                while column < until:
                    column += self._continued(line, widths, column, until, open_cells)
                if cell:
                    self._cell(line, widths, cell)
                    if cell.rows > 1:
                        open_cells[cell.column] = (cell.rows - 1, cell.columns)
                    column = cell.column + cell.columns

    def _continued(
        self,
        line: Any,
        widths: Sequence[float],
        column: int,
        until: int,
        open_cells: dict[int, tuple[int, int]],
    ) -> int:
        """A cell that goes on from the row above, or an empty one; returns its columns."""
        if column in open_cells:
            left, columns = open_cells.pop(column)
            if left > 1:
                open_cells[column] = (left - 1, columns)
            cell = _tc(line, sum(widths[column : column + columns]), columns)
            merge = OxmlElement("w:vMerge")
            cell.get_or_add_tcPr().append(merge)
        else:
            columns = 1
            cell = _tc(line, widths[column], 1)
        cell.append(OxmlElement("w:p"))
        return min(columns, until - column)

    def _cell(self, line: Any, widths: Sequence[float], cell: Cell) -> None:
        room = sum(widths[cell.column : cell.column + cell.columns])
        written = _tc(line, room, cell.columns)
        if cell.rows > 1:
            merge = OxmlElement("w:vMerge")
            merge.set(qn("w:val"), "restart")
            written.get_or_add_tcPr().append(merge)
        for item in cell.items:
            paragraph = appended(written, self._document)
            self._item(paragraph, item, max(room - 2 * _PADDING, 12.0))
            if cell.column and isinstance(item, Piece) and _is_figure(item.source):
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
        if not cell.items:
            written.append(OxmlElement("w:p"))

    def _item(self, paragraph: Any, item: Item, room: float) -> None:
        if isinstance(item, Picture):
            add_picture(paragraph, item, room, 0.9 * self._sheet.text_height)
        else:
            add_words(self._document, paragraph, item)


def _widths(table: Table, room: float) -> list[float]:
    """Of the columns: as they were, wider where a word would not fit, all within ``room``.

    A table without lines takes what room there is, up to half as much again.
    """
    widths = list(table.widths)
    for row in table.rows:
        for cell in row:
            if cell.columns == 1:
                widths[cell.column] = max(widths[cell.column], _longest_word(cell))
    scale = room / sum(widths)
    return [width * min(scale, 1.0 if table.ruled else 1.5) for width in widths]


def _longest_word(cell: Cell) -> float:
    return max(
        (
            len(word) * piece.size * _LETTER + 2 * _PADDING
            for piece in cell.items
            if isinstance(piece, Piece)
            for word in piece.text.split()
        ),
        default=0.0,
    )


def _is_figure(text: str) -> bool:
    return any(map(str.isdigit, text)) and not any(map(str.isalpha, text))


def _appended_table(body: Any, widths: Sequence[float], ruled: bool) -> Any:
    table = OxmlElement("w:tbl")
    facts = OxmlElement("w:tblPr")
    width = _with(OxmlElement("w:tblW"), w=_twips(sum(widths)), type="dxa")
    facts.append(width)
    if ruled:
        borders = OxmlElement("w:tblBorders")
        for side in ("top", "left", "bottom", "right", "insideH", "insideV"):
            borders.append(_with(OxmlElement(f"w:{side}"), val="single", sz="4", space="0"))
        facts.append(borders)
    facts.append(_with(OxmlElement("w:tblLayout"), type="fixed"))
    margins = OxmlElement("w:tblCellMar")
    for side in ("left", "right"):
        margins.append(_with(OxmlElement(f"w:{side}"), w=_twips(_PADDING), type="dxa"))
    facts.append(margins)
    grid = OxmlElement("w:tblGrid")
    for each in widths:
        grid.append(_with(OxmlElement("w:gridCol"), w=_twips(each)))
    table.append(facts)
    table.append(grid)
    append(body, table)
    return table


def _tc(line: Any, width: float, columns: int) -> Any:
    cell = OxmlElement("w:tc")
    facts = OxmlElement("w:tcPr")
    facts.append(_with(OxmlElement("w:tcW"), w=_twips(width), type="dxa"))
    if columns > 1:
        facts.append(_with(OxmlElement("w:gridSpan"), val=str(columns)))
    cell.append(facts)
    line.append(cell)
    return cell


def _with(element: Any, **attributes: str) -> Any:
    for name, value in attributes.items():
        element.set(qn(f"w:{name}"), value)
    return element


def _twips(points: float) -> str:
    return str(max(round(points * 20), 1))
