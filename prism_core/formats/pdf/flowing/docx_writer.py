"""Write a flowing document as a Word file, the same bytes each time.

Entry: `write_word_file`; then `_set_up` -> `_WordWriter.append` for each (`_add_words`,
`_add_picture`, `_append_table`) -> headers and footers.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final

import docx
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from docx.text.paragraph import Paragraph as WordParagraph
from docx.text.run import Run

from prism_core.formats.base import FormatOptions, language_tag
from prism_core.formats.ooxml.language import set_looks, set_paragraph, turn_around
from prism_core.formats.pdf.flowing.flow_model import (
    Facts,
    Flow,
    FlowBlock,
    FlowCell,
    FlowLink,
    FlowParagraph,
    FlowSheet,
    FlowTable,
    Picture,
)
from prism_core.formats.pdf.flowing.paragraphs import PAGE, PAGES
from prism_core.formats.pdf.list_markers import LABEL_SIGNS
from prism_core.formats.pdf.style import Style

_FIXED: Final = datetime(2000, 1, 1)
_LABEL_ROOM: Final = 18.0
_ALIGNMENTS: Final = {"center": WD_ALIGN_PARAGRAPH.CENTER, "right": WD_ALIGN_PARAGRAPH.RIGHT}
_FONTS: Final = {"sans": "Arial", "serif": "Times New Roman", "mono": "Courier New"}
_LIGHT: Final = 0.85
_LEAST_SIZE, _LARGEST_SIZE = 4.0, 72.0
_LABEL: Final = re.compile(
    rf"\A([{LABEL_SIGNS}]|"
    r"(\d{1,3}|\(?\d{1,2}|\(?[A-Za-z]|\(?[ivxIVX]{1,4})[.)])\s(?=\S)"
)
"""Number or bullet that begins a list item."""
_FIELDS: Final = {PAGE: "PAGE", PAGES: "NUMPAGES"}
_FIELD: Final = re.compile(f"([{PAGE}{PAGES}])")
_NOT_XML: Final = re.compile("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PADDING: Final = 3.0
_LETTER: Final = 0.62
"""Width of most letters, at most, in font sizes."""


def write_word_file(flow: Flow, options: FormatOptions) -> bytes:
    """Return a DOCX with the content of ``flow``, set for the target language if one is known."""
    document = docx.Document()
    _set_up(document, flow.sheet, flow.facts, options)
    writer = _WordWriter(document, flow.sheet)
    for element in flow.body:
        writer.append(element)
    section = document.sections[0]
    section.different_first_page_header_footer = flow.title_page
    for holder, lines in ((section.header, flow.header), (section.footer, flow.footer)):
        if lines:
            holder.is_linked_to_previous = False
            holder.paragraphs[0]._p.getparent().remove(holder.paragraphs[0]._p)
            for line in lines:
                writer.append_running_line(holder, line)
    parts = document.element, section.header._element, section.footer._element
    paragraphs = [paragraph for part in parts for paragraph in part.iter(qn("w:p"))]
    turn_around(paragraphs, options)
    for paragraph in paragraphs:
        set_paragraph(paragraph, options)
    raw, fixed = io.BytesIO(), io.BytesIO()
    document.save(raw)
    with zipfile.ZipFile(raw) as source, zipfile.ZipFile(fixed, "w") as target:
        for name in source.namelist():  # give every member one fixed time
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(info, source.read(name))
    return fixed.getvalue()


def _set_up(document: Any, sheet: FlowSheet, facts: Facts, options: FormatOptions) -> None:
    """Set the page, the document properties, and plain styles.

    Heading styles serve navigation and contents; the runs give headings their look.
    """
    section = document.sections[0]
    section.page_width, section.page_height = Pt(sheet.width), Pt(sheet.height)
    section.left_margin, section.right_margin = Pt(sheet.left), Pt(sheet.right)
    section.top_margin, section.bottom_margin = Pt(sheet.top), Pt(sheet.bottom)
    if sheet.width > sheet.height:
        section._sectPr.get_or_add_pgSz().set(qn("w:orient"), "landscape")
    properties = document.core_properties
    for name in ("title", "subject", "keywords"):
        setattr(properties, name, "-")  # python-docx refuses one of more than 255 characters
        for entry in properties._element:
            if entry.tag.endswith(f"}}{name}"):
                entry.text = _clean_text(getattr(facts, name))
    properties.author = properties.comments = properties.last_modified_by = ""
    properties.created = properties.modified = _FIXED
    package = document.part.package
    for key, relation in list(package.rels.items()):
        if relation.reltype == RELATIONSHIP_TYPE.THUMBNAIL:
            del package.rels[key]
    for spoken in document.styles.element.iter(qn("w:lang")) if options.target else ():
        spoken.set(qn("w:val"), language_tag(options.target))
    set_looks(document.styles.element, options)
    normal = document.styles["Normal"]
    normal.paragraph_format.space_after = Pt(0)
    normal.paragraph_format.line_spacing = 1.0
    for level in range(1, 5):
        style = document.styles[f"Heading {level}"]
        style.paragraph_format.space_before = Pt(0)
        style.font.bold = style.font.italic = False
        style.font.color.rgb = RGBColor(0, 0, 0)


class _WordWriter:
    """Writer that appends elements to the body, to cells and to headers of one document."""

    def __init__(self, document: Any, sheet: FlowSheet) -> None:
        self._document, self._sheet = document, sheet

    def append(self, element: FlowParagraph | FlowTable | Picture) -> None:
        """Append ``element`` to the body."""
        body = self._document.element.body
        if isinstance(element, FlowTable):
            self._append_table(body, element)
            # Word merges two tables without a paragraph between them
            self._append_paragraph(body).paragraph_format.line_spacing = Pt(5)
            return
        written = self._append_paragraph(body)
        if isinstance(element, Picture):
            room = self._sheet.text_width, 0.95 * self._sheet.text_height
            _add_picture(written, element, *room)
            return
        if element.level:
            written.style = self._document.styles[f"Heading {element.level}"]
        layout = written.paragraph_format
        layout.space_before = Pt(round(element.space, 1))
        written.alignment = _ALIGNMENTS.get(element.align)
        labelled = element.labelled or _LABEL.match(element.blocks[0].text)
        if element.indent or labelled:
            layout.left_indent = Pt(round(element.indent, 1) + (_LABEL_ROOM if labelled else 0))
        if labelled and element.align == "left":
            layout.first_line_indent = Pt(-_LABEL_ROOM)
        for number, block in enumerate(element.blocks):
            if number:
                hyphenated = element.blocks[number - 1].text.endswith("-")
                between = "\t" if element.labelled and number == 1 else " "
                written.add_run("" if hyphenated and between == " " else between)
            _add_words(self._document, written, block, as_item=number == 0 and not element.labelled)

    def _append_paragraph(self, holder: Any) -> Any:
        """Append a paragraph to ``holder``, before the closing element of a body."""
        element = _make_element("p")
        _append_element(holder, element)
        return WordParagraph(element, self._document._body)

    def append_running_line(self, place: Any, line: FlowParagraph) -> None:
        """Append a line of a header or footer: left, middle and right text, as far as present."""
        paragraph = place.add_paragraph()
        stops = paragraph.paragraph_format.tab_stops
        for number, block in enumerate(line.blocks):
            if number:
                stops.add_tab_stop(Pt(max(block.box.x0 - self._sheet.left, 10.0)))
                paragraph.add_run("\t")
            _add_words(self._document, paragraph, block)
        if len(line.blocks) == 1:
            share = line.blocks[0].box.middle[0] / self._sheet.width
            side = _ALIGNMENTS["center" if share < 0.6 else "right"]
            paragraph.alignment = None if share < 0.4 else side

    def _append_table(self, body: Any, table: FlowTable) -> None:
        """Append ``table``, no wider than the text."""
        widths = _fit_widths(table, self._sheet.text_width)
        sides = ("top", "left", "bottom", "right", "insideH", "insideV")
        borders = [_make_element(side, val="single", sz="4", space="0") for side in sides]
        padding = [
            _make_element(side, w=_to_twips(_PADDING), type="dxa") for side in ("left", "right")
        ]
        facts = _make_element(
            "tblPr",
            _make_element("tblW", w=_to_twips(sum(widths)), type="dxa"),
            *([_make_element("tblBorders", *borders)] if table.ruled else []),
            _make_element("tblLayout", type="fixed"),
            _make_element("tblCellMar", *padding),
        )
        grid = _make_element(
            "tblGrid", *(_make_element("gridCol", w=_to_twips(width)) for width in widths)
        )
        written = _make_element("tbl", facts, grid)
        _append_element(body, written)
        open_cells: dict[int, tuple[int, int]] = {}  # by column: rows left, columns
        for row in table.rows:
            line = _make_element("tr")
            written.append(line)
            column = 0
            for cell in [*row, None]:
                until = cell.column if cell else len(widths)
                while column < until:  # a cell continued from above, or an empty one
                    left, columns = open_cells.pop(column, (0, 1))
                    if left > 1:
                        open_cells[column] = (left - 1, columns)
                    merged = [_make_element("vMerge")] if left else []
                    covered = widths[column : column + columns]
                    _append_cell(line, covered, *merged).append(_make_element("p"))
                    column += min(columns, until - column)
                if cell:
                    column = cell.column + cell.columns
                    self._append_filled_cell(line, widths[cell.column : column], cell)
                    if cell.rows > 1:
                        open_cells[cell.column] = (cell.rows - 1, cell.columns)

    def _append_filled_cell(self, line: Any, widths: Sequence[float], cell: FlowCell) -> None:
        merged = [_make_element("vMerge", val="restart")] if cell.rows > 1 else []
        written = _append_cell(line, widths, *merged)
        for item in cell.items:
            paragraph = self._append_paragraph(written)
            if isinstance(item, Picture):
                height = 0.9 * self._sheet.text_height
                _add_picture(paragraph, item, max(sum(widths) - 2 * _PADDING, 12.0), height)
                continue
            _add_words(self._document, paragraph, item)
            figure = any(map(str.isdigit, item.source)) and not any(map(str.isalpha, item.source))
            if cell.column and figure:
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
        if not cell.items:
            written.append(_make_element("p"))


def _clean_text(text: str) -> str:
    """Remove characters that XML cannot hold."""
    return _NOT_XML.sub("", text)


def _add_words(document: Any, paragraph: Any, block: FlowBlock, as_item: bool = False) -> None:
    """Append the text of ``block`` with its looks, links and comments.

    ``as_item``: a tab follows the number or bullet it begins with.
    """
    text = _clean_text(block.text)
    if as_item:
        text = _LABEL.sub(lambda match: match[1] + "\t", text, count=1)
    runs: list[Run] = []
    for words, link in _split_at_links(text, block.links):
        target = paragraph._p
        if link:
            target = _make_element("hyperlink")
            part = paragraph.part
            relation = part.relate_to(link.address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
            target.set(qn("r:id"), relation)
            paragraph._p.append(target)
        for part in filter(None, _FIELD.split(words)):
            holder = target
            if part in _FIELDS:
                holder = _make_element("fldSimple", instr=_FIELDS[part])
                paragraph._p.append(holder)
            element = _make_element("r")
            holder.append(element)
            run = Run(element, paragraph)
            run.text = "1" if part in _FIELDS else part
            runs.append(run)
    for run in runs:
        _set_style(run, block.style, block.size)
    for note in block.notes if runs else ():
        comment = document.add_comment(runs, _clean_text(note), "", "")
        for key in (qn("w:date"), qn("w:initials")):
            comment._comment_elm.attrib.pop(key, None)


def _add_picture(paragraph: Any, picture: Picture, width: float, height: float) -> None:
    """Append ``picture`` at its own size, or smaller so that it fits the room, in points."""
    box = picture.box
    scale = min(1.0, width / box.width, height / box.height)
    size = Pt(box.width * scale), Pt(box.height * scale)
    paragraph.add_run().add_picture(io.BytesIO(picture.data), *size)


def _append_element(holder: Any, element: Any) -> None:
    """Append ``element`` to ``holder``, before the closing element of a body."""
    last = holder[-1] if len(holder) else None
    if last is not None and last.tag == qn("w:sectPr"):
        last.addprevious(element)
    else:
        holder.append(element)


def _split_at_links(text: str, links: Sequence[FlowLink]) -> Iterator[tuple[str, FlowLink | None]]:
    """Split the text into parts, each with the link it carries."""
    whole = next((link for link in links if not link.words), None)
    if whole:
        yield text, whole
        return
    spans = sorted(
        (text.index(link.words), text.index(link.words) + len(link.words), number)
        for number, link in enumerate(links)
        if text.count(link.words) == 1
    )
    end_of_last = 0
    for start, end, number in spans:
        if start >= end_of_last:
            yield text[end_of_last:start], None
            yield text[start:end], links[number]
            end_of_last = end
    yield text[end_of_last:], None


def _set_style(run: Any, style: Style, size: float) -> None:
    font = run.font
    font.name = _FONTS.get(style.family, "Arial")
    font.size = Pt(round(min(max(size, _LEAST_SIZE), _LARGEST_SIZE) * 2) / 2)
    if style.bold:
        font.bold = True
    if style.italic:
        font.italic = True
    if any(style.colour) and min(style.colour) < _LIGHT:  # white letters stood on a dark background
        font.color.rgb = RGBColor(*(round(level * 255) for level in style.colour))


def _fit_widths(table: FlowTable, room: float) -> list[float]:
    """Return the widths of the columns, wider where a word would not fit, all within ``room``.

    A table without lines may grow to half as much again.
    """
    widths = list(table.widths)
    for row in table.rows:
        for cell in row:
            if cell.columns == 1:
                words = (
                    len(word) * block.size * _LETTER + 2 * _PADDING
                    for block in cell.items
                    if isinstance(block, FlowBlock)
                    for word in block.text.split()
                )
                widths[cell.column] = max(widths[cell.column], *words, 0.0)
    scale = room / sum(widths)
    return [width * min(scale, 1.0 if table.ruled else 1.5) for width in widths]


def _append_cell(line: Any, widths: Sequence[float], *merged: Any) -> Any:
    """Append a cell that spans columns of ``widths``."""
    span = [_make_element("gridSpan", val=str(len(widths)))] if len(widths) > 1 else []
    width = _make_element("tcW", w=_to_twips(sum(widths)), type="dxa")
    cell = _make_element("tc", _make_element("tcPr", width, *span, *merged))
    line.append(cell)
    return cell


def _make_element(tag: str, *children: Any, **attributes: str) -> Any:
    """Create an element of WordprocessingML."""
    element = OxmlElement(f"w:{tag}")
    for name, value in attributes.items():
        element.set(qn(f"w:{name}"), value)
    element.extend(children)
    return element


def _to_twips(points: float) -> str:
    return str(max(round(points * 20), 1))
