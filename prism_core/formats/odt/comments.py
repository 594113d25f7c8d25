"""Comments of OpenDocument: remarks on a place in a text, in a cell or on a slide.

Entry: ``add_comments``, where ``holder_of`` finds a place for a comment.
"""

from __future__ import annotations

from typing import Final

from lxml import etree

from prism_core.alignment import Translation
from prism_core.formats.odt.line import OdtParagraph
from prism_core.formats.odt.text_slots import DC, DRAW, OFFICE, SVG, TABLE, TEXT
from prism_core.formats.untranslated_marks import COMMENTS, locate_marks

_CELLS: Final = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
_NOTE: Final = f"{OFFICE}annotation"
_NOT_IN: Final = (f"{TEXT}note", _NOTE)
_SLIDE: Final = f"{DRAW}page"


def holder_of(paragraph: OdtParagraph) -> etree._Element | None:
    """Return the element that a comment on ``paragraph`` belongs to.

    That is the paragraph itself, or the paragraph that holds its box; a cell of a sheet; a slide.
    Returns None for a note, and for a cell that has a comment.
    """
    holder: etree._Element | None = paragraph.element
    sheet = next(paragraph.element.iterancestors(f"{OFFICE}spreadsheet"), None)
    for ancestor in paragraph.element.iterancestors():
        if ancestor.tag in _NOT_IN:
            return None
        if ancestor.tag == _SLIDE:
            return ancestor
        if sheet is not None and ancestor.tag in _CELLS:
            return ancestor if ancestor.find(_NOTE) is None else None
        if ancestor.tag in (f"{TEXT}p", f"{TEXT}h"):
            holder = ancestor
        if ancestor.tag == f"{OFFICE}body":
            return holder if sheet is None else None
    return None


def add_comments(paragraph: OdtParagraph, translation: Translation, name: str) -> None:
    """Add the marks of ``translation``, the new text of ``paragraph``, as comments.

    ``name`` is the start of the comments' names.
    """
    holder = holder_of(paragraph)
    if holder is None:
        return
    places = list(locate_marks(paragraph.shown, translation))
    if holder is not paragraph.element:
        quoted = len(places) > 1 or holder.tag not in _CELLS
        comment = _make_comment(
            "\n".join(mark.comment_on(translation, quoted=quoted) for _, mark in places)
        )
        if holder.tag == _SLIDE:
            others = len(holder.findall(_NOTE))
            comment.set(f"{SVG}x", "0.5cm")
            comment.set(f"{SVG}y", f"{0.5 + others}cm")
            holder.insert(_comment_index(holder), comment)
        else:
            _insert_first(holder, comment)
        return
    for number, (span, mark) in enumerate(places):
        _surround(paragraph, span, mark.comment_on(translation), f"{name}-{number}")


def _surround(paragraph: OdtParagraph, span: tuple[int, int], text: str, name: str) -> None:
    """Put a comment called ``name`` with ``text`` around ``span`` of ``paragraph``."""
    comment = _make_comment(text)
    comment.set(f"{OFFICE}name", name)
    close = etree.Element(f"{OFFICE}annotation-end", {f"{OFFICE}name": name})
    paragraph.insert(span[1], close, behind=True)
    paragraph.insert(span[0], comment, behind=False)


def _make_comment(text: str) -> etree._Element:
    comment = etree.Element(_NOTE)
    etree.SubElement(comment, f"{DC}creator").text = COMMENTS
    for line in text.split("\n"):
        etree.SubElement(comment, f"{TEXT}p").text = line
    return comment


def _insert_first(holder: etree._Element, comment: etree._Element) -> None:
    """Put ``comment`` at the start of ``holder``, before its text."""
    comment.tail, holder.text = holder.text, None
    holder.insert(0, comment)


def _comment_index(slide: etree._Element) -> int:
    """Return the index of a new comment among the children of ``slide``: before its notes."""
    notes = next((i for i, child in enumerate(slide) if str(child.tag).endswith("}notes")), None)
    return len(slide) if notes is None else notes
