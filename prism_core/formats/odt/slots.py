"""The text of an OpenDocument paragraph lies before and behind its elements; read as pieces.

White space is the difficulty: several blanks in the file mean one, ``text:s`` means several.
``make_literal`` undoes that in a paragraph, ``encode_spaces`` does it again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from lxml import etree

from prism_core.formats.odt.looks import Looks
from prism_core.formats.odt.names import LOEXT, OFFICE, TEXT
from prism_core.formats.pieces import Kind

_SPACES: Final = f"{TEXT}s"
_BREAKS: Final = {f"{TEXT}tab": "\t", f"{TEXT}line-break": "\n"}
_SPAN: Final = f"{TEXT}span"
_THROUGH: Final = frozenset({f"{TEXT}meta", f"{TEXT}ruby", f"{TEXT}ruby-base"})
"""Elements around text that mean nothing to its reader."""
OWNED: Final = frozenset(
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
_RUN: Final = re.compile(r" +|[^ ]+")
_MOST_SPACES: Final = 1_000
"""Blanks that one ``text:s`` may stand for; real documents stay under a hundred."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One piece of a paragraph: the text in ``element``, or behind it (``behind``).

    For a break or an anchor it is the element itself. See ``Piece``.
    """

    kind: Kind
    element: etree._Element
    text: str = ""
    behind: bool = False
    style: str = ""
    owner: int = 0

    @property
    def is_spaces(self) -> bool:
        """Whether it is a ``text:s``, and not the text behind one."""
        return self.element.tag == _SPACES and not self.behind

    def put(self, text: str) -> None:
        """Put ``text`` into the place."""
        if self.behind:
            self.element.tail = text or None
        else:
            self.element.text = text or None


class _Walk:
    """Reads the pieces of one paragraph in order."""

    def __init__(self, looks: Looks, literal: bool) -> None:
        self._looks = looks
        self._literal = literal
        self._after_blank = True
        self._owners = count(1)
        self._tracked: set[str] = set()

    def inside(self, parent: etree._Element, style: str, owner: int) -> Iterator[Slot]:
        yield from self._text(parent, parent.text, False, style, owner)
        for child in parent:
            yield from self._child(child, style, owner)
            yield from self._text(child, child.tail, True, style, owner)

    def _child(self, child: etree._Element, style: str, owner: int) -> Iterator[Slot]:
        tag = child.tag
        if not isinstance(tag, str) or tag in _UNSEEN:
            return
        if tag in (f"{TEXT}change-start", f"{TEXT}change-end"):
            self._turn_change(child)
        elif tag == _SPACES:
            self._after_blank = False
            yield Slot(Kind.TEXT, child, " " * _spaces(child), False, style, owner)
        elif tag in _BREAKS:
            self._after_blank = False
            yield Slot(Kind.BREAK, child, _BREAKS[tag])
        elif tag == _SPAN and not self._looks.hides(child):
            look = self._looks.of(child)
            yield from self.inside(child, f"{style}|{look}" if look else style, owner)
        elif tag in _THROUGH:
            yield from self.inside(child, style, owner)
        elif tag in OWNED:
            yield from self.inside(child, style, next(self._owners))
        else:
            self._after_blank = False
            yield Slot(Kind.ANCHOR, child)

    def _text(
        self, element: etree._Element, raw: str | None, behind: bool, style: str, owner: int
    ) -> Iterator[Slot]:
        """The text of one place as a reader sees it; an empty place is none, and can be filled."""
        text = raw or ""
        if not self._literal:
            text = _BLANKS.sub(" ", text)
            text = text[1:] if self._after_blank and text.startswith(" ") else text
        if text:
            self._after_blank = text.endswith(" ")
        if raw:
            tracked = "".join(sorted(self._tracked))
            yield Slot(Kind.TEXT, element, text, behind, f"{style}+{tracked}", owner)

    def _turn_change(self, mark: etree._Element) -> None:
        """Text inserted under change tracking: like formatting, kept where the place is known."""
        change = str(mark.get(f"{TEXT}change-id", ""))
        if mark.tag == f"{TEXT}change-start":
            self._tracked.add(change)
        else:
            self._tracked.discard(change)


def read_slots(paragraph: etree._Element, looks: Looks) -> list[Slot]:
    """The pieces of ``paragraph``, without hidden text, and with white space as it is shown."""
    return list(_Walk(looks, literal=False).inside(paragraph, "", 0))


def make_literal(paragraph: etree._Element, looks: Looks) -> list[Slot]:
    """Write the white space of ``paragraph`` as it is shown; the pieces, which say the same."""
    slots = read_slots(paragraph, looks)
    texts = [slot for slot in slots if slot.kind is Kind.TEXT]
    for slot in texts:
        if not slot.is_spaces:
            slot.put(slot.text)
    holders = (slot.element.getparent() for slot in texts if slot.is_spaces)
    for holder in dict.fromkeys(holder for holder in holders if holder is not None):
        _dissolve(holder)
    return list(_Walk(looks, literal=True).inside(paragraph, "", 0))


def encode_spaces(paragraph: etree._Element, looks: Looks) -> None:
    """Write blanks that would be lost, as ``text:s``; the opposite of ``make_literal``."""
    after_blank = True
    for slot in list(_Walk(looks, literal=True).inside(paragraph, "", 0)):
        if slot.kind is Kind.TEXT and slot.text:
            _encode(slot, after_blank)
            after_blank = slot.text.endswith(" ")
        elif slot.kind is Kind.BREAK:
            after_blank = True


def _encode(slot: Slot, after_blank: bool) -> None:
    """Every blank that follows another, or begins a line, becomes part of a ``text:s``."""
    texts, numbers = [""], []
    for run in _RUN.findall(slot.text):
        if not run.startswith(" "):
            texts[-1] += run
            after_blank = False
            continue
        shown = "" if after_blank else " "
        texts[-1] += shown
        if len(run) > len(shown):
            numbers.append(len(run) - len(shown))
            texts.append("")
    if numbers:
        _write(slot, texts, numbers)


def _write(slot: Slot, texts: list[str], numbers: list[int]) -> None:
    """Write ``texts`` with a ``text:s`` of ``numbers`` blanks between each two."""
    slot.put(texts[0])
    parent = slot.element.getparent() if slot.behind else slot.element
    if parent is None:
        return
    place = parent.index(slot.element) + 1 if slot.behind else 0
    parent[place:place] = [_made(*pair) for pair in zip(numbers, texts[1:], strict=True)]


def _made(number: int, text: str) -> etree._Element:
    """A ``text:s`` of ``number`` blanks, with ``text`` behind it."""
    spaces = etree.Element(_SPACES)
    if number != 1:
        spaces.set(f"{TEXT}c", str(number))
    spaces.tail = text or None
    return spaces


def _dissolve(holder: etree._Element) -> None:
    """Put blanks in the place of every ``text:s`` that is a child of ``holder``."""
    last: etree._Element | None = None
    text = [holder.text or ""]
    for child in list(holder):
        if child.tag == _SPACES:
            text += [" " * _spaces(child), child.tail or ""]
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


def _spaces(element: etree._Element) -> int:
    """How many blanks a ``text:s`` stands for."""
    number = str(element.get(f"{TEXT}c", "1"))
    return min(int(number[:9]), _MOST_SPACES) if number.isascii() and number.isdigit() else 1
