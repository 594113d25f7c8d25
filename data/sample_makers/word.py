"""Making DOCX files: bold terms, footnotes, page numbers, and bytes that do not change."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime

import docx
from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Pt
from docx.text.paragraph import Paragraph

MADE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_FOOTNOTES_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
_FOOTNOTE = (
    '<w:footnote w:id="{id}"><w:p><w:pPr><w:spacing w:after="0"/></w:pPr>'
    '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteRef/></w:r>'
    '<w:r><w:rPr><w:sz w:val="18"/></w:rPr><w:t xml:space="preserve"> {text}</w:t></w:r>'
    "</w:p></w:footnote>"
)
_SEPARATORS = (
    '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
    '<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r>'
    "<w:continuationSeparator/></w:r></w:p></w:footnote>"
)
_NUMBERING_ID = 77
_NUMBERING = """
<w:abstractNum {ns} w:abstractNumId="77"><w:multiLevelType w:val="multilevel"/>
  <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/>
    <w:lvlJc w:val="left"/><w:pPr><w:ind w:left="680" w:hanging="680"/></w:pPr></w:lvl>
  <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/>
    <w:lvlJc w:val="left"/><w:pPr><w:ind w:left="680" w:hanging="680"/></w:pPr></w:lvl>
</w:abstractNum>
"""
_NUMBER = '<w:num {ns} w:numId="77"><w:abstractNumId w:val="77"/></w:num>'


def set_look(document: Document, title: str, author: str) -> None:
    """Give ``document`` its base font and its core properties, with fixed dates."""
    normal = document.styles["Normal"]
    normal.font.name = "Georgia"
    normal.font.size = Pt(11)
    normal.paragraph_format.space_after = Pt(8)
    core = document.core_properties
    core.title, core.author, core.last_modified_by, core.comments = title, author, author, ""
    core.created = core.modified = MADE


def add_numbering(document: Document) -> None:
    """Define the numbering of articles (1.) and clauses (1.1) that ``number`` uses."""
    numbering = document.part.numbering_part.element
    abstract = parse_xml(_NUMBERING.format(ns=nsdecls("w")).strip())
    numbering.insert(0, abstract)
    numbering.append(parse_xml(_NUMBER.format(ns=nsdecls("w"))))


def number(paragraph: Paragraph, level: int) -> Paragraph:
    """Let Word number ``paragraph``: level 0 is an article, level 1 a clause of it."""
    properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()
    properties.get_or_add_ilvl().val = level
    properties.get_or_add_numId().val = _NUMBERING_ID
    return paragraph


def add_marked(paragraph: Paragraph, text: str) -> Paragraph:
    """Add ``text`` to ``paragraph``; what stands between ``**`` is bold."""
    for index, piece in enumerate(re.split(r"\*\*", text)):
        if piece:
            paragraph.add_run(piece).bold = True if index % 2 else None
    return paragraph


def add_table(document: Document, rows: list[tuple[str, ...]]) -> None:
    """Add a grid whose first row is its bold heading."""
    table = document.add_table(rows=0, cols=len(rows[0]), style="Table Grid")
    for number, row in enumerate(rows):
        for cell, text in zip(table.add_row().cells, row, strict=True):
            run = cell.paragraphs[0].add_run(text)
            run.bold = True if number == 0 else None
            cell.paragraphs[0].paragraph_format.space_after = Pt(2)
    document.add_paragraph()


def add_page_number(paragraph: Paragraph) -> None:
    """End ``paragraph`` with a field that shows the page number."""
    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), "PAGE")
    run = OxmlElement("w:r")
    run.append(parse_xml(f"<w:t {nsdecls('w')}>1</w:t>"))
    field.append(run)
    paragraph._p.append(field)


def add_footnotes(document: Document, notes: list[tuple[Paragraph, str]]) -> None:
    """Hang each text as a footnote on the end of its paragraph."""
    body = "".join(_FOOTNOTE.format(id=i, text=text) for i, (_, text) in enumerate(notes, 1))
    xml = f"<w:footnotes {nsdecls('w')}>{_SEPARATORS}{body}</w:footnotes>"
    part = Part(
        PackURI("/word/footnotes.xml"), _FOOTNOTES_TYPE, xml.encode(), document.part.package
    )
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    for number, (paragraph, _) in enumerate(notes, 1):
        run = paragraph.add_run()
        run.font.superscript = True
        reference = OxmlElement("w:footnoteReference")
        reference.set(qn("w:id"), str(number))
        run._r.append(reference)


def make_letter(title: str, head: str, author: str, paragraphs: Sequence[str]) -> bytes:
    """A letter with ``head`` above it, DOCX."""
    document = docx.Document()
    set_look(document, title, author)
    document.sections[0].header.paragraphs[0].text = head
    document.add_heading(title, level=1)
    for text in paragraphs:
        add_marked(document.add_paragraph(), text)
    return to_bytes(document)


def to_bytes(document: Document) -> bytes:
    """The saved document, its zip members dated ``MADE`` so that the bytes never change."""
    saved, stable = io.BytesIO(), io.BytesIO()
    document.save(saved)
    with zipfile.ZipFile(saved) as source, zipfile.ZipFile(stable, "w") as target:
        for name in source.namelist():
            entry = zipfile.ZipInfo(name, MADE.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, source.read(name))
    return stable.getvalue()
