"""Writes a flow as a Word file, the same bytes each time.

entry: `write_word_file`; then `_set_up_sheet` -> `_plain_styles` -> `_Writer.element` for each ->
headers and footers -> `_pack_reproducibly`.
"""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from typing import Any, Final

import docx
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor

from prism_core.formats.pdf.flowing.items import Facts, Flow, Paragraph, Picture, Sheet, Table
from prism_core.formats.pdf.flowing.word.content import (
    LABEL,
    TableWriter,
    add_picture,
    add_words,
    append_paragraph,
    clean_text,
)

__all__ = ["write_word_file"]

_FIXED: Final = datetime(2000, 1, 1)
_ZIP_TIME: Final = (1980, 1, 1, 0, 0, 0)
_LABEL_ROOM: Final = 18.0
_ALIGNMENTS: Final = {
    "center": WD_ALIGN_PARAGRAPH.CENTER,
    "right": WD_ALIGN_PARAGRAPH.RIGHT,
}


def write_word_file(flow: Flow, language: str) -> bytes:
    """The bytes of a DOCX that says what ``flow`` says, in ``language`` if that is not empty."""
    document = docx.Document()
    _set_up_sheet(document, flow.sheet, flow.facts)
    _plain_styles(document, language)
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
    return _pack_reproducibly(document)


def _set_up_sheet(document: Any, sheet: Sheet, facts: Facts) -> None:
    section = document.sections[0]
    section.page_width, section.page_height = Pt(sheet.width), Pt(sheet.height)
    section.left_margin, section.right_margin = Pt(sheet.left), Pt(sheet.right)
    section.top_margin, section.bottom_margin = Pt(sheet.top), Pt(sheet.bottom)
    if sheet.width > sheet.height:
        section._sectPr.get_or_add_pgSz().set(qn("w:orient"), "landscape")
    said = document.core_properties
    for name in ("title", "subject", "keywords"):
        _set_property(said, name, getattr(facts, name))
    said.author = said.comments = said.last_modified_by = ""
    said.created = said.modified = _FIXED
    package = document.part.package
    for key, relation in list(package.rels.items()):
        if relation.reltype == RELATIONSHIP_TYPE.THUMBNAIL:
            del package.rels[key]


def _plain_styles(document: Any, language: str) -> None:
    """Headings are headings for navigation and contents; how they look is said by their runs."""
    for spoken in document.styles.element.iter(qn("w:lang")) if language else ():
        spoken.set(qn("w:val"), language)
    normal = document.styles["Normal"]
    normal.paragraph_format.space_after = Pt(0)
    normal.paragraph_format.line_spacing = 1.0
    for level in range(1, 5):
        style = document.styles[f"Heading {level}"]
        style.paragraph_format.space_before = Pt(0)
        style.font.bold = style.font.italic = False
        style.font.color.rgb = RGBColor(0, 0, 0)


def _set_property(said: Any, name: str, text: str) -> None:
    """Set a property; python-docx itself refuses one of more than 255 characters."""
    setattr(said, name, "-")
    for entry in said._element:
        if entry.tag.endswith(f"}}{name}"):
            entry.text = clean_text(text)


class _Writer:
    """Appends elements to the body, to cells and to headers of one document."""

    def __init__(self, document: Any, sheet: Sheet) -> None:
        self._document, self._sheet = document, sheet
        self._tables = TableWriter(document, sheet)

    def element(self, holder: Any, parent: Any, element: Paragraph | Table | Picture) -> None:
        """Append ``element`` to the XML element ``holder``."""
        if isinstance(element, Paragraph):
            self._paragraph(holder, parent, element)
        elif isinstance(element, Picture):
            room = self._sheet.text_width, 0.95 * self._sheet.text_height
            add_picture(append_paragraph(holder, parent), element, *room)
        else:
            self._tables.write(holder, element)
            # between two tables there has to be a paragraph, or they become one
            append_paragraph(holder, parent).paragraph_format.line_spacing = Pt(5)

    def running_line(self, place: Any, line: Paragraph) -> None:
        """A line of a header or footer: left, middle and right of it, as far as there is text."""
        paragraph = place.add_paragraph()
        stops = paragraph.paragraph_format.tab_stops
        for number, piece in enumerate(line.pieces):
            if number:
                stops.add_tab_stop(Pt(max(piece.box.x0 - self._sheet.left, 10.0)))
                paragraph.add_run("\t")
            add_words(self._document, paragraph, piece)
        if len(line.pieces) == 1:
            share = line.pieces[0].box.middle[0] / self._sheet.width
            side = _ALIGNMENTS["center" if share < 0.6 else "right"]
            paragraph.alignment = None if share < 0.4 else side

    def _paragraph(self, holder: Any, parent: Any, paragraph: Paragraph) -> None:
        written = append_paragraph(holder, parent)
        if paragraph.level:
            written.style = self._document.styles[f"Heading {paragraph.level}"]
        layout = written.paragraph_format
        layout.space_before = Pt(round(paragraph.space, 1))
        written.alignment = _ALIGNMENTS.get(paragraph.align)
        labelled = paragraph.labelled or LABEL.match(paragraph.pieces[0].text)
        if paragraph.indent or labelled:
            layout.left_indent = Pt(round(paragraph.indent, 1) + (_LABEL_ROOM if labelled else 0))
        if labelled and paragraph.align == "left":
            layout.first_line_indent = Pt(-_LABEL_ROOM)
        for number, piece in enumerate(paragraph.pieces):
            if number:
                hyphenated = paragraph.pieces[number - 1].text.endswith("-")
                between = "\t" if paragraph.labelled and number == 1 else " "
                written.add_run("" if hyphenated and between == " " else between)
            add_words(
                self._document, written, piece, as_item=number == 0 and not paragraph.labelled
            )


def _pack_reproducibly(document: Any) -> bytes:
    """The package with every member at one fixed time."""
    raw, fixed = io.BytesIO(), io.BytesIO()
    document.save(raw)
    with zipfile.ZipFile(raw) as source, zipfile.ZipFile(fixed, "w") as target:
        for name in source.namelist():
            info = zipfile.ZipInfo(name, _ZIP_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(info, source.read(name))
    return fixed.getvalue()
