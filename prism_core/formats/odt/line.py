"""A paragraph of OpenDocument as a line, and a translation put in its place among the spans.

The text of a paragraph lies before and behind its elements, each such place a slot. White space is
the difficulty: several blanks in the file mean one, ``text:s`` means several. ``_make_literal``
undoes that in a paragraph, ``_encode_spaces`` does it again.

Entry: ``OdtParagraph``; reading: ``_SlotWalk`` over the slots; writing: white space made literal ->
``fit`` -> slots filled, or, where words changed their place, spans parted and added -> spaces
encoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, takewhile
from typing import Final

from lxml import etree

from prism_core.alignment import Span, Translation
from prism_core.formats.packages import add_beside
from prism_core.formats.text import ANCHOR, Anchor, Break, Loss, Placed, TextRun, fit, looks_of

_OASIS: Final = "urn:oasis:names:tc:opendocument:xmlns:"
TEXT: Final = f"{{{_OASIS}text:1.0}}"
TABLE: Final = f"{{{_OASIS}table:1.0}}"
DRAW: Final = f"{{{_OASIS}drawing:1.0}}"
OFFICE: Final = f"{{{_OASIS}office:1.0}}"
PRESENTATION: Final = f"{{{_OASIS}presentation:1.0}}"
STYLE: Final = f"{{{_OASIS}style:1.0}}"
META: Final = f"{{{_OASIS}meta:1.0}}"
SVG: Final = f"{{{_OASIS}svg-compatible:1.0}}"
FO: Final = f"{{{_OASIS}xsl-fo-compatible:1.0}}"
LOEXT: Final = "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}"
"""LibreOffice's own, before a name becomes a standard's."""
DC: Final = "{http://purl.org/dc/elements/1.1/}"
_NOISE: Final = ("rsid", "language", "country", "script", "rfc-language-tag", "-asian", "-complex")
"""Ends of the names of text properties that a reader cannot see, or hardly."""
_SPACES: Final = f"{TEXT}s"
_BREAKS: Final = {f"{TEXT}tab": "\t", f"{TEXT}line-break": "\n"}
SPAN: Final = f"{TEXT}span"
_THROUGH: Final = frozenset({f"{TEXT}meta", f"{TEXT}ruby", f"{TEXT}ruby-base"})
"""Elements around text that mean nothing to its reader."""
_OWNED: Final = frozenset(
    TEXT + name
    for name in (
        "a", "meta-field", "bookmark-ref", "reference-ref", "text-input", "placeholder",
        "user-field-get", "user-defined", "database-display",
    )
) | {f"{LOEXT}content-control"}  # fmt: skip
"""Links, content controls, and the fields that show words of the document: their text must stay
theirs."""
_UNSEEN: Final = frozenset(
    {f"{OFFICE}annotation-end", f"{TEXT}ruby-text"}
    | {
        TEXT + name
        for name in (
            "soft-page-break", "bookmark", "bookmark-start", "bookmark-end", "reference-mark",
            "reference-mark-start", "reference-mark-end", "toc-mark", "toc-mark-start",
            "toc-mark-end", "user-index-mark", "user-index-mark-start", "user-index-mark-end",
            "alphabetical-index-mark", "alphabetical-index-mark-start",
            "alphabetical-index-mark-end", "change",
        )
    }
)  # fmt: skip
"""Marks that no reader sees: they stay in the tree where they are."""
_BLANKS: Final = re.compile(r"[ \t\r\n]+")
_WORDS_OR_BLANKS: Final = re.compile(r" +|[^ ]+")
_MOST_SPACES: Final = 1_000
"""Blanks that one ``text:s`` may stand for; real documents stay under a hundred."""
_STYLING: Final = frozenset({f"{TEXT}style-name", f"{TEXT}class-names"})
"""Attributes that may be there twice, unlike a name or data of its own."""
_APART: Final = "run"
"""The element that every text of a paragraph becomes for a while, so that spans can be parted."""
_TRACKED: Final = (f"{TEXT}change", f"{TEXT}change-start", f"{TEXT}change-end")


class Looks:
    """The automatic text styles of one part: which of them look alike, and which hide text."""

    def __init__(self, root: etree._Element) -> None:
        self._looks: dict[str, str] = {}
        self._hidden: set[str] = set()
        for style in root.iterfind(f"{OFFICE}automatic-styles/{STYLE}style"):
            if style.get(f"{STYLE}family") != "text":
                continue
            name = str(style.get(f"{STYLE}name", ""))
            look = [str(style.get(f"{STYLE}parent-style-name", ""))]
            for properties in style.iterfind(f"{STYLE}text-properties"):
                if properties.get(f"{TEXT}display") == "none":
                    self._hidden.add(name)
                values = {str(key): str(value) for key, value in properties.attrib.items()}
                look += [f"{k}={v}" for k, v in sorted(values.items()) if not k.endswith(_NOISE)]
            self._looks[name] = ";".join(part for part in look if part)

    def look_of(self, span: etree._Element) -> str:
        """Equal for spans that look alike; empty for one that looks like the text around it."""
        name = str(span.get(f"{TEXT}style-name", ""))
        return self._looks.get(name, name)

    def hides(self, span: etree._Element) -> bool:
        """Whether the text of ``span`` is hidden from the reader."""
        return span.get(f"{TEXT}style-name", "") in self._hidden


@dataclass(frozen=True, slots=True, kw_only=True)
class _Slot(TextRun):
    """The text in ``element``, or behind it (``behind``)."""

    element: etree._Element
    behind: bool

    @property
    def is_spaces(self) -> bool:
        """Whether it is a ``text:s``, and not the text behind one."""
        return self.element.tag == _SPACES and not self.behind

    @property
    def holder(self) -> etree._Element | None:
        """The element that the text stands in."""
        return self.element.getparent() if self.behind else self.element

    def put(self, text: str) -> None:
        """Put ``text`` into the place."""
        if self.behind:
            self.element.tail = text or None
        else:
            self.element.text = text or None


_LineItem = _Slot | Break | Anchor


class OdtParagraph:
    """One ``text:p`` or ``text:h``: its text as a reader sees it, and a way to replace that."""

    def __init__(self, element: etree._Element, looks: Looks) -> None:
        self.element = element
        self._looks = looks
        self.text = "".join(item.text for item in read_line(element, looks)).strip()

    @property
    def looks(self) -> tuple[Span, ...]:
        """See ``Segment``."""
        return looks_of(read_line(self.element, self._looks))

    @property
    def shown(self) -> str:
        """What it says now."""
        return "".join(item.text for item in read_line(self.element, self._looks)).strip()

    def insert(self, at: int, made: etree._Element, *, behind: bool) -> None:
        """Put ``made``, which says nothing, ``at`` a place of what it says now; ``behind`` the
        character before it, or else before the one that follows."""
        line = _make_literal(self.element, self._looks)
        whole = "".join(item.text for item in line)
        at += len(whole) - len(whole.lstrip())
        for item in line:
            inside = 0 < at <= len(item.text) if behind else 0 <= at < len(item.text)
            if isinstance(item, _Slot) and inside:
                item.put(item.text[:at])
                made.tail = item.text[at:] or None
                holder = item.element.getparent() if item.behind else item.element
                assert holder is not None  # noqa: S101 (text stands in an element)
                holder.insert(holder.index(item.element) + 1 if item.behind else 0, made)
                break
            at -= len(item.text)
        _encode_spaces(self.element, self._looks)

    def replace(self, translation: Translation) -> Loss:
        """Put ``translation`` in place of ``text``; every break and anchor stays exactly once."""
        line = _make_literal(self.element, self._looks)
        slots = [slot for slot in line if isinstance(slot, _Slot)]
        changes, loss = fit(line, translation, movable=_can_move(self.element, slots))
        if any(placed.ahead or placed.behind for placed in changes):
            _rearrange(self.element, slots, changes)
        else:
            for placed in changes:
                for slot, text in placed.texts():
                    slot.put(text)
        _encode_spaces(self.element, self._looks)
        return loss


class _SlotWalk:
    """Reads the pieces of one paragraph in order."""

    def __init__(self, looks: Looks, literal: bool) -> None:
        self._looks = looks
        self._literal = literal
        self._after_blank = True
        self._owners = count(1)
        self._tracked: set[str] = set()

    def read_inside(self, parent: etree._Element, style: str, owner: int) -> Iterator[_LineItem]:
        yield from self._read_text(parent, parent.text, False, style, owner)
        for child in parent:
            yield from self._read_child(child, style, owner)
            yield from self._read_text(child, child.tail, True, style, owner)

    def _read_child(self, child: etree._Element, style: str, owner: int) -> Iterator[_LineItem]:
        tag = child.tag
        if not isinstance(tag, str) or tag in _UNSEEN:
            return
        change = str(child.get(f"{TEXT}change-id", ""))
        if tag == f"{TEXT}change-start":  # like formatting, kept where the place is known
            self._tracked.add(change)
        elif tag == f"{TEXT}change-end":
            self._tracked.discard(change)
        elif tag == _SPACES:
            self._after_blank = False
            yield _Slot(" " * _count_spaces(child), style, owner, element=child, behind=False)
        elif tag in _BREAKS:
            self._after_blank = False
            yield Break(_BREAKS[tag])
        elif tag == SPAN and not self._looks.hides(child):
            look = self._looks.look_of(child)
            yield from self.read_inside(child, f"{style}|{look}" if look else style, owner)
        elif tag in _THROUGH:
            yield from self.read_inside(child, style, owner)
        elif tag in _OWNED:
            yield from self.read_inside(child, style, next(self._owners))
        else:
            self._after_blank = False
            yield ANCHOR

    def _read_text(
        self, element: etree._Element, raw: str | None, behind: bool, style: str, owner: int
    ) -> Iterator[_LineItem]:
        """The text of one place as a reader sees it; an empty place is none, and can be filled."""
        text = raw or ""
        if not self._literal:
            text = _BLANKS.sub(" ", text)
            text = text[1:] if self._after_blank and text.startswith(" ") else text
        if text:
            self._after_blank = text.endswith(" ")
        if raw:
            tracked = "".join(sorted(self._tracked))
            yield _Slot(text, f"{style}+{tracked}", owner, element=element, behind=behind)


def read_line(paragraph: etree._Element, looks: Looks, literal: bool = False) -> list[_LineItem]:
    """``paragraph`` without hidden text, white space as it is shown, or as it is written."""
    return list(_SlotWalk(looks, literal).read_inside(paragraph, "", 0))


def _make_literal(paragraph: etree._Element, looks: Looks) -> list[_LineItem]:
    """Write the white space of ``paragraph`` as it is shown; the line, which says the same."""
    texts = [slot for slot in read_line(paragraph, looks) if isinstance(slot, _Slot)]
    for slot in texts:
        if not slot.is_spaces:
            slot.put(slot.text)
    holders = (slot.element.getparent() for slot in texts if slot.is_spaces)
    for holder in dict.fromkeys(holder for holder in holders if holder is not None):
        _dissolve(holder, _SPACES)
    return read_line(paragraph, looks, literal=True)


def _encode_spaces(paragraph: etree._Element, looks: Looks) -> None:
    """Every blank that follows another, or begins a line, becomes part of a ``text:s``.

    It would be lost else; the opposite of ``_make_literal``.
    """
    after_blank = True
    for item in read_line(paragraph, looks, literal=True):
        after_blank = after_blank or isinstance(item, Break)
        if not isinstance(item, _Slot) or not item.text:
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
                marks.append(etree.Element(_SPACES, number))
        holder = item.holder
        if marks and holder is not None:
            item.put(text)
            place = holder.index(item.element) + 1 if item.behind else 0
            holder[place:place] = marks
        after_blank = item.text.endswith(" ")


def _dissolve(holder: etree._Element, tag: str) -> None:
    """Put their text, blanks for a ``text:s``, in the place of the children called ``tag``."""
    last: etree._Element | None = None
    text = [holder.text or ""]
    for child in list(holder):
        if child.tag == tag:
            own = " " * _count_spaces(child) if tag == _SPACES else child.text or ""
            text += [own, child.tail or ""]
            child.tail = None
            holder.remove(child)
        else:
            _put_behind(holder, last, "".join(text))
            last, text = child, [child.tail or ""]
    _put_behind(holder, last, "".join(text))


def _put_behind(holder: etree._Element, element: etree._Element | None, text: str) -> None:
    """Put ``text`` behind ``element``, or at the start of ``holder``."""
    if element is None:
        holder.text = text or None
    else:
        element.tail = text or None


def _count_spaces(element: etree._Element) -> int:
    """How many blanks a ``text:s`` stands for."""
    number = str(element.get(f"{TEXT}c", "1"))
    return min(int(number[:9]), _MOST_SPACES) if number.isascii() and number.isdigit() else 1


def _can_move(paragraph: etree._Element, slots: Sequence[_Slot]) -> bool:
    """Whether the texts of ``paragraph`` stand in spans, links and fields only.

    With tracked changes nothing moves: they say who wrote what.
    """
    if next(paragraph.iter(*_TRACKED), None) is not None:
        return False
    around: set[etree._Element] = set()
    for slot in slots:
        element = slot.holder
        while element is not None and element is not paragraph:
            around.add(element)
            element = element.getparent()
    return all(
        element.tag in _OWNED or (element.tag == SPAN and _STYLING.issuperset(element.attrib))
        for element in around
    )


def _rearrange(
    paragraph: etree._Element, slots: Sequence[_Slot], changes: Sequence[Placed[_Slot]]
) -> None:
    """Make ``changes`` among ``slots``, which are all of ``paragraph``."""
    runs: dict[_Slot, etree._Element] = {}
    for slot in slots:  # the text of each becomes an element
        run = runs[slot] = _wrap_in([], slot.text)
        slot.put("")
        if slot.behind:
            slot.element.addnext(run)
        else:
            slot.element.insert(0, run)
    likes = {like for placed in changes for _, like in (*placed.ahead, *placed.behind)}
    looks = {like: [_copy_empty(span) for span in _spans(runs[like])] for like in likes}
    add_beside(
        changes,
        lambda slot, behind: _part_spans(runs[slot], behind),
        lambda like, text: _wrap_in(looks[like], text),
    )
    for placed in changes:
        if placed.is_new:
            for slot, text in placed.texts():
                runs[slot].text = text or None
    _clean_up(paragraph, runs.values())


def _spans(run: etree._Element) -> list[etree._Element]:
    """The spans around ``run``, out to a link, a field or the paragraph; the outermost first."""
    return list(takewhile(lambda element: element.tag == SPAN, run.iterancestors()))[::-1]


def _copy_empty(span: etree._Element) -> etree._Element:
    """An empty span that looks like ``span``."""
    return etree.Element(SPAN, {str(name): str(value) for name, value in span.attrib.items()})


def _wrap_in(spans: Sequence[etree._Element], text: str) -> etree._Element:
    """``text`` within copies of ``spans``, the outermost first."""
    made = etree.Element(_APART)
    made.text = text
    for span in reversed(spans):
        outer = _copy_empty(span)
        outer.append(made)
        made = outer
    return made


def _part_spans(run: etree._Element, behind: bool) -> etree._Element:
    """What stands at the place of ``run`` outside of all spans, which are parted ``behind`` it.

    Or else before it, if need be.
    """
    place = run
    for span in reversed(_spans(run)):
        others = list(place.itersiblings(preceding=not behind))
        if others:
            rest = _copy_empty(span)
            rest.extend(others if behind else others[::-1])
            (span.addnext if behind else span.addprevious)(rest)
        place = span
    return place


def _clean_up(paragraph: etree._Element, runs: Iterable[etree._Element]) -> None:
    """Take away spans that say nothing any more, and turn runs into text again."""
    for run in runs:
        element, parent = run, run.getparent()
        while parent is not None and not element.text and not len(element):
            parent.remove(element)
            if parent.tag != SPAN:
                break
            element, parent = parent, parent.getparent()
    for parent in {run.getparent() for run in paragraph.iter(_APART)}:
        if parent is not None:
            _dissolve(parent, _APART)
