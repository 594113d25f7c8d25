"""Words, pictures, comments and tables of a Word file.

entry: `add_words` (`_split_at_links` -> `_runs` -> `_set_style`), `add_picture`, and
`TableWriter.write`, which goes through a table row by row: `_continued` for cells from the row
above, `_cell` for others.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from docx.text.paragraph import Paragraph as WordParagraph
from docx.text.run import Run

from prism_core.formats.pdf.flowing.items import Cell, Link, Picture, Piece, Sheet, Table
from prism_core.formats.pdf.flowing.running import PAGE, PAGES
from prism_core.formats.pdf.style import Style

_FONTS: Final = {"sans": "Arial", "serif": "Times New Roman", "mono": "Courier New"}
_LIGHT: Final = 0.85
_LEAST_SIZE, _LARGEST_SIZE = 4.0, 72.0
LABEL: Final = re.compile(
    r"\A([•·▪◦‣●○■□\u2013*-]|(\d{1,3}|\(?\d{1,2}|\(?[A-Za-z]|\(?[ivxIVX]{1,4})[.)])\s(?=\S)"
)
"""The number or bullet with which an item begins."""
_FIELD: Final = re.compile(f"([{PAGE}{PAGES}])")
_NOT_XML: Final = re.compile("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PADDING: Final = 3.0
_LETTER: Final = 0.62
"""How wide a letter is at most of the time, of its size."""


def clean_text(text: str) -> str:
    """Without what XML cannot hold."""
    return _NOT_XML.sub("", text)


def add_words(document: Any, paragraph: Any, piece: Piece, as_item: bool = False) -> None:
    """Append the text of ``piece`` with its looks, links and comments; ``as_item``: with a tab
    behind the number or bullet it begins with."""
    text = clean_text(piece.text)
    if as_item:
        text = LABEL.sub(lambda match: match[1] + "\t", text, count=1)
    runs: list[Run] = []
    for words, link in _split_at_links(text, piece.links):
        target = _hyperlink(paragraph, link.address) if link else paragraph._p
        runs += _runs(target, paragraph, words)
    for run in runs:
        _set_style(run, piece.style, piece.size)
    for note in piece.notes if runs else ():
        comment = document.add_comment(runs, clean_text(note), "", "")
        for key in (qn("w:date"), qn("w:initials")):
            comment._comment_elm.attrib.pop(key, None)


def add_picture(paragraph: Any, picture: Picture, width: float, height: float) -> None:
    """Append ``picture`` at its own size, or smaller so that it fits the room, in points."""
    box = picture.box
    scale = min(1.0, width / box.width, height / box.height)
    size = Pt(box.width * scale), Pt(box.height * scale)
    paragraph.add_run().add_picture(io.BytesIO(picture.data), *size)


def append_paragraph(holder: Any, parent: Any) -> Any:
    """A new paragraph at the end of ``holder``, before what closes a body."""
    element: Any = OxmlElement("w:p")
    append_element(holder, element)
    return WordParagraph(element, parent._body if hasattr(parent, "_body") else parent)


def append_element(holder: Any, element: Any) -> None:
    """Put ``element`` at the end of ``holder``, before what closes a body."""
    last = holder[-1] if len(holder) else None
    if last is not None and last.tag == qn("w:sectPr"):
        last.addprevious(element)
    else:
        holder.append(element)


def _split_at_links(text: str, links: Sequence[Link]) -> Iterator[tuple[str, Link | None]]:
    """The text in parts, each with the link it carries."""
    whole = next((link for link in links if not link.words), None)
    if whole:
        yield text, whole
        return
    spans = sorted(
        (text.index(link.words), text.index(link.words) + len(link.words), number)
        for number, link in enumerate(links)
        if text.count(link.words) == 1
    )
    spans = [span for before, span in pairwise([(0, 0, 0), *spans]) if span[0] >= before[1]]
    done = 0
    for start, end, number in spans:
        if start >= done:
            yield text[done:start], None
            yield text[start:end], links[number]
            done = end
    yield text[done:], None


def _hyperlink(paragraph: Any, address: str) -> Any:
    part = paragraph.part
    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    paragraph._p.append(link)
    return link


def _run(target: Any, paragraph: Any, text: str) -> Any:
    element: Any = OxmlElement("w:r")
    target.append(element)
    run = Run(element, paragraph)
    run.text = text
    return run


def _runs(target: Any, paragraph: Any, words: str) -> Iterator[Run]:
    for part in _FIELD.split(words):
        if part in (PAGE, PAGES):
            field = OxmlElement("w:fldSimple")
            field.set(qn("w:instr"), "PAGE" if part == PAGE else "NUMPAGES")
            paragraph._p.append(field)
            yield _run(field, paragraph, "1")
        elif part:
            yield _run(target, paragraph, part)


def _set_style(run: Any, style: Style, size: float) -> None:
    font = run.font
    font.name = _FONTS.get(style.family, "Arial")
    font.size = Pt(round(min(max(size, _LEAST_SIZE), _LARGEST_SIZE) * 2) / 2)
    if style.bold:
        font.bold = True
    if style.italic:
        font.italic = True
    if any(style.colour) and min(style.colour) < _LIGHT:  # white letters stood on a dark ground
        font.color.rgb = RGBColor(*(round(level * 255) for level in style.colour))


class TableWriter:
    """Appends tables to the body of ``document``."""

    def __init__(self, document: Any, sheet: Sheet) -> None:
        self._document, self._sheet = document, sheet

    def write(self, body: Any, table: Table) -> None:
        """Append ``table``, no wider than the text."""
        widths = _widths(table, self._sheet.text_width)
        written = _append_table(body, widths, table.ruled)
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
            cell = _append_cell(line, sum(widths[column : column + columns]), columns)
            merge = OxmlElement("w:vMerge")
            cell.get_or_add_tcPr().append(merge)
        else:
            columns = 1
            cell = _append_cell(line, widths[column], 1)
        cell.append(OxmlElement("w:p"))
        return min(columns, until - column)

    def _cell(self, line: Any, widths: Sequence[float], cell: Cell) -> None:
        room = sum(widths[cell.column : cell.column + cell.columns])
        written = _append_cell(line, room, cell.columns)
        if cell.rows > 1:
            merge = OxmlElement("w:vMerge")
            merge.set(qn("w:val"), "restart")
            written.get_or_add_tcPr().append(merge)
        for item in cell.items:
            paragraph = append_paragraph(written, self._document)
            if isinstance(item, Picture):
                height = 0.9 * self._sheet.text_height
                add_picture(paragraph, item, max(room - 2 * _PADDING, 12.0), height)
                continue
            add_words(self._document, paragraph, item)
            figure = any(map(str.isdigit, item.source)) and not any(map(str.isalpha, item.source))
            if cell.column and figure:
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
        if not cell.items:
            written.append(OxmlElement("w:p"))


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


def _append_table(body: Any, widths: Sequence[float], ruled: bool) -> Any:
    table = OxmlElement("w:tbl")
    facts = OxmlElement("w:tblPr")
    width = _set_attributes(OxmlElement("w:tblW"), w=_twips(sum(widths)), type="dxa")
    facts.append(width)
    if ruled:
        borders = OxmlElement("w:tblBorders")
        for side in ("top", "left", "bottom", "right", "insideH", "insideV"):
            borders.append(
                _set_attributes(OxmlElement(f"w:{side}"), val="single", sz="4", space="0")
            )
        facts.append(borders)
    facts.append(_set_attributes(OxmlElement("w:tblLayout"), type="fixed"))
    margins = OxmlElement("w:tblCellMar")
    for side in ("left", "right"):
        margins.append(_set_attributes(OxmlElement(f"w:{side}"), w=_twips(_PADDING), type="dxa"))
    facts.append(margins)
    grid = OxmlElement("w:tblGrid")
    for each in widths:
        grid.append(_set_attributes(OxmlElement("w:gridCol"), w=_twips(each)))
    table.append(facts)
    table.append(grid)
    append_element(body, table)
    return table


def _append_cell(line: Any, width: float, columns: int) -> Any:
    cell = OxmlElement("w:tc")
    facts = OxmlElement("w:tcPr")
    facts.append(_set_attributes(OxmlElement("w:tcW"), w=_twips(width), type="dxa"))
    if columns > 1:
        facts.append(_set_attributes(OxmlElement("w:gridSpan"), val=str(columns)))
    cell.append(facts)
    line.append(cell)
    return cell


def _set_attributes(element: Any, **attributes: str) -> Any:
    for name, value in attributes.items():
        element.set(qn(f"w:{name}"), value)
    return element


def _twips(points: float) -> str:
    return str(max(round(points * 20), 1))
