"""Writes a flow as a Word file, the same bytes each time."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any, Final

import docx
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from docx.text.paragraph import Paragraph as WordParagraph
from docx.text.run import Run

from prism_core.formats.pdf.flowing.items import (
    Cell,
    Facts,
    Flow,
    Item,
    Link,
    Paragraph,
    Picture,
    Piece,
    Sheet,
    Table,
)
from prism_core.formats.pdf.flowing.running import PAGE, PAGES
from prism_core.formats.pdf.styles import Style

_FIXED: Final = datetime(2000, 1, 1)
_ZIP_TIME: Final = (1980, 1, 1, 0, 0, 0)
_FONTS: Final = {"sans": "Arial", "serif": "Times New Roman", "mono": "Courier New"}
_LABEL_ROOM: Final = 18.0
_LIGHT: Final = 0.85
_LEAST_SIZE, _LARGEST_SIZE = 4.0, 72.0
_LARGEST_SHEET: Final = 1580.0
_ALIGNMENTS: Final = {
    "center": WD_ALIGN_PARAGRAPH.CENTER,
    "right": WD_ALIGN_PARAGRAPH.RIGHT,
}
_LABEL: Final = re.compile(
    r"\A([•·▪◦‣●○■□\u2013*-]|\(?(\d{1,3}|[A-Za-z]|[ivxIVX]{1,4})[.)])(\s)(?=\S)"
)
_FIELD: Final = re.compile(f"([{PAGE}{PAGES}])")
_NOT_XML: Final = re.compile("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def word_file(flow: Flow) -> bytes:
    """The bytes of a DOCX that says what ``flow`` says."""
    document = docx.Document()
    _set_up(document, flow.sheet, flow.facts)
    _plain_styles(document)
    writer = _Writer(document, flow.sheet)
    for element in flow.body:
        writer.element(document.element.body, document, element)
    section = document.sections[0]
    section.different_first_page_header_footer = flow.title_page
    for place, lines in ((section.header, flow.header), (section.footer, flow.footer)):
        if lines:
            place.is_linked_to_previous = False
            place.paragraphs[0]._p.getparent().remove(place.paragraphs[0]._p)
            for line in lines:
                writer.running_line(place, line)
    return _same_each_time(document)


def _set_up(document: Any, sheet: Sheet, facts: Facts) -> None:
    section = document.sections[0]
    scale = min(1.0, _LARGEST_SHEET / max(sheet.width, sheet.height))
    section.page_width, section.page_height = Pt(sheet.width * scale), Pt(sheet.height * scale)
    section.left_margin, section.right_margin = Pt(sheet.left), Pt(sheet.right)
    section.top_margin, section.bottom_margin = Pt(sheet.top), Pt(sheet.bottom)
    if sheet.width > sheet.height:
        section._sectPr.get_or_add_pgSz().set(qn("w:orient"), "landscape")
    said = document.core_properties
    said.title, said.subject = _clean(facts.title), _clean(facts.subject)
    said.keywords = _clean(facts.keywords)
    said.author = said.comments = said.last_modified_by = ""
    said.created = said.modified = _FIXED
    package = document.part.package
    for key, relation in list(package.rels.items()):
        if relation.reltype == RELATIONSHIP_TYPE.THUMBNAIL:
            del package.rels[key]


def _plain_styles(document: Any) -> None:
    """Headings are headings for navigation and contents; how they look is said by their runs."""
    normal = document.styles["Normal"]
    normal.paragraph_format.space_after = Pt(0)
    normal.paragraph_format.line_spacing = 1.0
    for level in range(1, 5):
        style = document.styles[f"Heading {level}"]
        style.paragraph_format.space_before = Pt(0)
        style.font.bold = style.font.italic = False
        style.font.color.rgb = RGBColor(0, 0, 0)


def _clean(text: str) -> str:
    """Without what XML cannot hold, and no longer than a property may be."""
    return _NOT_XML.sub("", text)[:255]


class _Writer:
    """Appends elements to the body, to cells and to headers of one document."""

    def __init__(self, document: Any, sheet: Sheet) -> None:
        self._document, self._sheet = document, sheet

    def element(self, holder: Any, parent: Any, element: Paragraph | Table | Picture) -> None:
        """Append ``element`` to the XML element ``holder``."""
        if isinstance(element, Paragraph):
            self._paragraph(holder, parent, element)
        elif isinstance(element, Picture):
            self._picture(_appended(holder, parent), element, self._sheet.text_width)
        else:
            self._table(holder, element)
            _appended(holder, parent).paragraph_format.space_after = Pt(4)

    def running_line(self, place: Any, line: Paragraph) -> None:
        """A line of a header or footer: left, middle and right of it, as far as there is text."""
        paragraph = place.add_paragraph()
        stops = paragraph.paragraph_format.tab_stops
        for number, piece in enumerate(line.pieces):
            if number:
                stops.add_tab_stop(Pt(max(piece.box.x0 - self._sheet.left, 10.0)))
                paragraph.add_run("\t")
            self._words(paragraph, piece)
        if len(line.pieces) == 1:
            middle = (line.pieces[0].box.x0 + line.pieces[0].box.x1) / 2
            paragraph.alignment = _third(middle, self._sheet)

    def _paragraph(self, holder: Any, parent: Any, paragraph: Paragraph) -> None:
        written = _appended(holder, parent)
        if paragraph.level:
            written.style = self._document.styles[f"Heading {paragraph.level}"]
        layout = written.paragraph_format
        layout.space_before = Pt(round(paragraph.space, 1))
        written.alignment = _ALIGNMENTS.get(paragraph.align)
        labelled = paragraph.labelled or _LABEL.match(paragraph.pieces[0].text)
        if paragraph.indent or labelled:
            layout.left_indent = Pt(round(paragraph.indent, 1) + (_LABEL_ROOM if labelled else 0))
        if labelled and paragraph.align == "left":
            layout.first_line_indent = Pt(-_LABEL_ROOM)
        for number, piece in enumerate(paragraph.pieces):
            if number:
                hyphenated = paragraph.pieces[number - 1].text.endswith("-")
                between = "\t" if paragraph.labelled and number == 1 else " "
                written.add_run("" if hyphenated and between == " " else between)
            self._words(written, piece, as_item=number == 0 and not paragraph.labelled)

    def _words(self, paragraph: Any, piece: Piece, as_item: bool = False) -> None:
        text = _NOT_XML.sub("", piece.text)
        if as_item:
            text = _LABEL.sub(lambda match: match[1] + "\t", text, count=1)
        runs = []
        for words, link in _linked(text, piece.links):
            target = _hyperlink(paragraph, link.address) if link else paragraph._p
            runs += list(_runs(target, paragraph, words))
        for run in runs:
            _style(run, piece.style, piece.size)
        for note in piece.notes if runs else ():
            self._comment(runs, note)

    def _comment(self, runs: Sequence[Run], note: str) -> None:
        comment = self._document.add_comment(runs, _NOT_XML.sub("", note), "", "")
        for key in (qn("w:date"), qn("w:initials")):
            comment._comment_elm.attrib.pop(key, None)

    def _picture(self, paragraph: Any, picture: Picture, room: float) -> None:
        width, height = picture.box.width, picture.box.height
        scale = min(1.0, room / width, 0.95 * self._sheet.text_height / height)
        run = paragraph.add_run()
        run.add_picture(io.BytesIO(picture.data), Pt(width * scale), Pt(height * scale))

    def _table(self, body: Any, table: Table) -> None:
        total = sum(table.widths)
        scale = min(1.0, self._sheet.text_width / total)
        widths = [width * scale for width in table.widths]
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
            paragraph = _appended(written, self._document)
            self._item(paragraph, item, max(room - 12, 12.0))
            if cell.column and isinstance(item, Piece) and _is_figure(item.source):
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
        if not cell.items:
            written.append(OxmlElement("w:p"))

    def _item(self, paragraph: Any, item: Item, room: float) -> None:
        if isinstance(item, Picture):
            self._picture(paragraph, item, room)
        else:
            self._words(paragraph, item)


def _is_figure(text: str) -> bool:
    return any(map(str.isdigit, text)) and not any(map(str.isalpha, text))


def _third(middle: float, sheet: Sheet) -> Any:
    share = middle / sheet.width
    if share < 0.4:
        return None
    return _ALIGNMENTS["center" if share < 0.6 else "right"]


def _appended(holder: Any, parent: Any) -> Any:
    """A new paragraph at the end of ``holder``, before what closes a body."""
    element: Any = OxmlElement("w:p")
    _append(holder, element)
    return WordParagraph(element, parent._body if hasattr(parent, "_body") else parent)


def _append(holder: Any, element: Any) -> None:
    last = holder[-1] if len(holder) else None
    if last is not None and last.tag == qn("w:sectPr"):
        last.addprevious(element)
    else:
        holder.append(element)


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
    grid = OxmlElement("w:tblGrid")
    for each in widths:
        grid.append(_with(OxmlElement("w:gridCol"), w=_twips(each)))
    table.append(facts)
    table.append(grid)
    _append(body, table)
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


def _linked(text: str, links: Sequence[Link]) -> Iterator[tuple[str, Link | None]]:
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
            yield _field(paragraph, "PAGE" if part == PAGE else "NUMPAGES")
        elif part:
            yield _run(target, paragraph, part)


def _field(paragraph: Any, name: str) -> Any:
    field = _with(OxmlElement("w:fldSimple"), instr=name)
    paragraph._p.append(field)
    return _run(field, paragraph, "1")


def _style(run: Any, style: Style, size: float) -> None:
    font = run.font
    font.name = _FONTS.get(style.family, "Arial")
    font.size = Pt(round(min(max(size, _LEAST_SIZE), _LARGEST_SIZE) * 2) / 2)
    if style.bold:
        font.bold = True
    if style.italic:
        font.italic = True
    if any(style.colour) and min(style.colour) < _LIGHT:  # white letters stood on a dark ground
        font.color.rgb = RGBColor(*(round(level * 255) for level in style.colour))


def _same_each_time(document: Any) -> bytes:
    """The package with every member at one fixed time."""
    raw, fixed = io.BytesIO(), io.BytesIO()
    document.save(raw)
    with zipfile.ZipFile(raw) as source, zipfile.ZipFile(fixed, "w") as target:
        for name in source.namelist():
            info = zipfile.ZipInfo(name, _ZIP_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(info, source.read(name))
    return fixed.getvalue()
