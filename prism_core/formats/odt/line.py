"""Paragraph of OpenDocument, and a translation put in its place among its spans.

Entry: ``OdtParagraph.replace``; ``add_comments`` where ``holder_of`` finds room for them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from lxml import etree

from prism_core.alignment import Span, Translation
from prism_core.formats.odt.text_slots import (
    CELLS,
    DC,
    DRAW,
    OFFICE,
    OWNED,
    SPACES,
    SPAN,
    SVG,
    TEXT,
    LineItem,
    Looks,
    TextSlot,
    count_spaces,
    read_line,
)
from prism_core.formats.text import Break, Loss, Placed, fit_translation, looks_of
from prism_core.formats.text_units import insert_around
from prism_core.formats.untranslated_marks import COMMENTS, locate_marks

_WORDS_OR_BLANKS: Final = re.compile(r" +|[^ ]+")
_STYLING: Final = frozenset({f"{TEXT}style-name", f"{TEXT}class-names"})
"""Attributes that may occur twice, unlike a name or data of its own."""
_APART: Final = "run"
"""Temporary element around every text of a paragraph, so that spans can be split."""
_TRACKED: Final = (f"{TEXT}change", f"{TEXT}change-start", f"{TEXT}change-end")


class OdtParagraph:
    """Paragraph ``text:p`` or ``text:h``: its text as a reader sees it, and its replacement."""

    def __init__(self, element: etree._Element, looks: Looks) -> None:
        self.element = element
        self._looks = looks
        self.text = self.shown

    @property
    def looks(self) -> tuple[Span, ...]:
        """Formatting spans; see ``Segment``."""
        return looks_of(read_line(self.element, self._looks))

    @property
    def shown(self) -> str:
        """Current text."""
        return "".join(item.text for item in read_line(self.element, self._looks)).strip()

    def insert(self, at: int, made: etree._Element, *, behind: bool) -> None:
        """Insert ``made`` before the character ``at``, or ``behind`` the one before it."""
        line = _make_literal(self.element, self._looks)
        whole = "".join(item.text for item in line)
        at += len(whole) - len(whole.lstrip())
        for item in line:
            inside = 0 < at <= len(item.text) if behind else 0 <= at < len(item.text)
            if isinstance(item, TextSlot) and inside:
                item.put(item.text[:at])
                made.tail = item.text[at:] or None
                holder = item.holder
                assert holder is not None  # noqa: S101 (text stands in an element)
                holder.insert(holder.index(item.element) + 1 if item.behind else 0, made)
                break
            at -= len(item.text)
        _encode_spaces(self.element, self._looks)

    def replace(self, translation: Translation) -> Loss:
        """Put ``translation`` in place of ``text``; every break and anchor stays exactly once."""
        line = _make_literal(self.element, self._looks)
        slots = [slot for slot in line if isinstance(slot, TextSlot)]
        changes, loss = fit_translation(line, translation, movable=_can_move(self.element, slots))
        if any(placed.ahead or placed.behind for placed in changes):
            _rearrange(self.element, slots, changes)
        else:
            for placed in changes:
                for slot, text in placed.texts():
                    slot.put(text)
        _encode_spaces(self.element, self._looks)
        return loss


def _make_literal(paragraph: etree._Element, looks: Looks) -> list[LineItem]:
    """Write the white space of ``paragraph`` as it is shown, and return the line."""
    texts = [slot for slot in read_line(paragraph, looks) if isinstance(slot, TextSlot)]
    for slot in texts:
        if not slot.is_spaces:
            slot.put(slot.text)
    holders = (slot.element.getparent() for slot in texts if slot.is_spaces)
    for holder in dict.fromkeys(holder for holder in holders if holder is not None):
        _dissolve(holder, SPACES)
    return read_line(paragraph, looks, literal=True)


def _encode_spaces(paragraph: etree._Element, looks: Looks) -> None:
    """Undo ``_make_literal``: blanks that programs would drop move into a ``text:s``."""
    after_blank = True
    for item in read_line(paragraph, looks, literal=True):
        after_blank = after_blank or isinstance(item, Break)
        if not isinstance(item, TextSlot) or not item.text:
            continue
        text, marks = "", list[etree._Element]()
        for run in _WORDS_OR_BLANKS.findall(item.text):
            is_blank = run.startswith(" ")
            shown = ("" if after_blank else " ") if is_blank else run
            after_blank = after_blank and is_blank
            if marks:
                marks[-1].tail = (marks[-1].tail or "") + shown
            else:
                text += shown
            hidden = len(run) - len(shown)
            if hidden:
                number = {} if hidden == 1 else {f"{TEXT}c": str(hidden)}
                marks.append(etree.Element(SPACES, number))
        holder = item.holder
        if marks and holder is not None:
            item.put(text)
            place = holder.index(item.element) + 1 if item.behind else 0
            holder[place:place] = marks
        after_blank = item.text.endswith(" ")


def _dissolve(holder: etree._Element, tag: str) -> None:
    """Replace the children called ``tag`` by their text, a ``text:s`` by its blanks."""
    last: etree._Element | None = None
    text = [holder.text or ""]
    for child in list(holder):
        if child.tag == tag:
            child_text = " " * count_spaces(child) if tag == SPACES else child.text or ""
            text += [child_text, child.tail or ""]
            child.tail = None
            holder.remove(child)
        else:
            _put_text_after(holder, last, "".join(text))
            last, text = child, [child.tail or ""]
    _put_text_after(holder, last, "".join(text))


def _put_text_after(holder: etree._Element, element: etree._Element | None, text: str) -> None:
    """Put ``text`` after ``element``, or at the start of ``holder``."""
    if element is None:
        holder.text = text or None
    else:
        element.tail = text or None


def _can_move(paragraph: etree._Element, slots: Sequence[TextSlot]) -> bool:
    """Return True if texts stand in spans, links and fields only, and no changes are tracked."""
    if next(paragraph.iter(*_TRACKED), None) is not None:
        return False
    around: set[etree._Element] = set()
    for slot in slots:
        element = slot.holder
        while element is not None and element is not paragraph:
            around.add(element)
            element = element.getparent()
    return all(
        element.tag in OWNED or (element.tag == SPAN and _STYLING.issuperset(element.attrib))
        for element in around
    )


def _rearrange(
    paragraph: etree._Element, slots: Sequence[TextSlot], changes: Sequence[Placed[TextSlot]]
) -> None:
    """Make ``changes`` among ``slots``, which are all slots of ``paragraph``."""
    runs: dict[TextSlot, etree._Element] = {}
    for slot in slots:  # each text becomes an element
        run = runs[slot] = _wrap_in([], slot.text)
        slot.put("")
        if slot.behind:
            slot.element.addnext(run)
        else:
            slot.element.insert(0, run)
    likes = {like for placed in changes for _, like in (*placed.ahead, *placed.behind)}
    looks = {like: [_copy_empty(span) for span in _surrounding_spans(runs[like])] for like in likes}
    insert_around(
        changes,
        lambda slot, behind: _split_spans(runs[slot], behind),
        lambda like, text: _wrap_in(looks[like], text),
    )
    for placed in changes:
        if placed.is_new:
            for slot, text in placed.texts():
                runs[slot].text = text or None
    for run in runs.values():  # remove spans that have become empty
        element, parent = run, run.getparent()
        while parent is not None and not element.text and not len(element):
            parent.remove(element)
            element, parent = parent, parent.getparent() if parent.tag == SPAN else None
    for parent in {run.getparent() for run in paragraph.iter(_APART)}:  # elements are text again
        if parent is not None:
            _dissolve(parent, _APART)


def _surrounding_spans(run: etree._Element) -> list[etree._Element]:
    """Return the spans around ``run`` up to a link, field or paragraph, the outermost first."""
    return list(takewhile(lambda element: element.tag == SPAN, run.iterancestors()))[::-1]


def _copy_empty(span: etree._Element) -> etree._Element:
    """Return an empty span with the formatting of ``span``."""
    return etree.Element(SPAN, {str(name): str(value) for name, value in span.attrib.items()})


def _wrap_in(spans: Sequence[etree._Element], text: str) -> etree._Element:
    """Return ``text`` within copies of ``spans``, the outermost first."""
    made = etree.Element(_APART)
    made.text = text
    for span in reversed(spans):
        outer = _copy_empty(span)
        outer.append(made)
        made = outer
    return made


def _split_spans(run: etree._Element, behind: bool) -> etree._Element:
    """Split all spans around ``run`` after it, or else before it; return the outermost element."""
    place = run
    for span in reversed(_surrounding_spans(run)):
        others = list(place.itersiblings(preceding=not behind))
        if others:
            rest = _copy_empty(span)
            rest.extend(others if behind else others[::-1])
            (span.addnext if behind else span.addprevious)(rest)
        place = span
    return place


_NOTE: Final = f"{OFFICE}annotation"
_NOT_IN: Final = (f"{TEXT}note", _NOTE)
_SLIDE: Final = f"{DRAW}page"


def holder_of(paragraph: OdtParagraph) -> etree._Element | None:
    """Return what a comment belongs to: paragraph, cell or slide; None if it has no place."""
    holder: etree._Element | None = paragraph.element
    sheet = next(paragraph.element.iterancestors(f"{OFFICE}spreadsheet"), None)
    for ancestor in paragraph.element.iterancestors():
        if ancestor.tag in _NOT_IN:
            return None
        if ancestor.tag == _SLIDE:
            return ancestor
        if sheet is not None and ancestor.tag in CELLS:
            return ancestor if ancestor.find(_NOTE) is None else None
        if ancestor.tag in (f"{TEXT}p", f"{TEXT}h"):
            holder = ancestor
        if ancestor.tag == f"{OFFICE}body":
            return holder if sheet is None else None
    return None


def add_comments(paragraph: OdtParagraph, translation: Translation, name: str) -> None:
    """Add the marks of ``translation`` as comments, whose names begin with ``name``."""
    holder = holder_of(paragraph)
    if holder is None:
        return
    places = list(locate_marks(paragraph.shown, translation))
    if holder is not paragraph.element:
        quoted = len(places) > 1 or holder.tag not in CELLS
        comment = _make_comment(
            "\n".join(mark.comment_on(translation, quoted=quoted) for _, mark in places)
        )
        if holder.tag == _SLIDE:  # before its notes
            others = len(holder.findall(_NOTE))
            comment.set(f"{SVG}x", "0.5cm")
            comment.set(f"{SVG}y", f"{0.5 + others}cm")
            notes = (i for i, child in enumerate(holder) if str(child.tag).endswith("}notes"))
            holder.insert(next(notes, len(holder)), comment)
        else:  # before the text of a cell
            comment.tail, holder.text = holder.text, None
            holder.insert(0, comment)
        return
    for number, (span, mark) in enumerate(places):
        comment, called = _make_comment(mark.comment_on(translation)), f"{name}-{number}"
        comment.set(f"{OFFICE}name", called)
        close = etree.Element(f"{OFFICE}annotation-end", {f"{OFFICE}name": called})
        paragraph.insert(span[1], close, behind=True)
        paragraph.insert(span[0], comment, behind=False)


def _make_comment(text: str) -> etree._Element:
    comment = etree.Element(_NOTE)
    etree.SubElement(comment, f"{DC}creator").text = COMMENTS
    for line in text.split("\n"):
        etree.SubElement(comment, f"{TEXT}p").text = line
    return comment
