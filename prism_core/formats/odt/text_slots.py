"""Paragraph of OpenDocument read as a line of text slots, and the names of its elements.

The text of a paragraph lies before and after its elements; each such place is a slot. White space
is the difficulty: several blanks in the file mean one, ``text:s`` means several.

Entry: ``read_line``, which walks over the slots; ``Looks`` says which spans are formatted alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from lxml import etree

from prism_core.formats.text import ANCHOR, Anchor, Break, TextRun

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
"""LibreOffice's own namespace, used before a name becomes part of the standard."""
DC: Final = "{http://purl.org/dc/elements/1.1/}"
_NOISE: Final = ("rsid", "language", "country", "script", "rfc-language-tag", "-asian", "-complex")
"""Ends of the names of text properties that a reader cannot see, or hardly."""
CELLS: Final = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
SPACES: Final = f"{TEXT}s"
_BREAKS: Final = {f"{TEXT}tab": "\t", f"{TEXT}line-break": "\n"}
SPAN: Final = f"{TEXT}span"
_THROUGH: Final = frozenset({f"{TEXT}meta", f"{TEXT}ruby", f"{TEXT}ruby-base"})
"""Elements around text that mean nothing to its reader."""
OWNED: Final = frozenset(
    TEXT + name
    for name in (
        "a", "meta-field", "bookmark-ref", "reference-ref", "text-input", "placeholder",
        "user-field-get", "user-defined", "database-display",
    )
) | {f"{LOEXT}content-control"}  # fmt: skip
"""Links, content controls, and fields that show words of the document; they keep their own text."""
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
"""Marks that no reader sees; they stay in the tree where they are."""
_BLANKS: Final = re.compile(r"[ \t\r\n]+")
_MOST_SPACES: Final = 1_000
"""Limit of the blanks in one ``text:s``; real documents stay under a hundred."""


class Looks:
    """Automatic text styles of one part: which of them look alike, and which hide text."""

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
        """Return a key that is equal for spans formatted alike, and empty for unformatted spans."""
        name = str(span.get(f"{TEXT}style-name", ""))
        return self._looks.get(name, name)

    def hides(self, span: etree._Element) -> bool:
        """Return True if the text of ``span`` is hidden from the reader."""
        return span.get(f"{TEXT}style-name", "") in self._hidden


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSlot(TextRun):
    """Text in ``element``, or after it (``behind``)."""

    element: etree._Element
    behind: bool

    @property
    def is_spaces(self) -> bool:
        """True for a ``text:s`` itself, and not for the text after one."""
        return self.element.tag == SPACES and not self.behind

    @property
    def holder(self) -> etree._Element | None:
        """Element that contains the text."""
        return self.element.getparent() if self.behind else self.element

    def put(self, text: str) -> None:
        """Write ``text`` into the slot."""
        if self.behind:
            self.element.tail = text or None
        else:
            self.element.text = text or None


LineItem = TextSlot | Break | Anchor


class _SlotWalk:
    """Walk over one paragraph that reads its pieces in order."""

    def __init__(self, looks: Looks, literal: bool) -> None:
        self._looks = looks
        self._literal = literal
        self._after_blank = True
        self._owners = count(1)
        self._tracked: set[str] = set()

    def read_inside(self, parent: etree._Element, style: str, owner: int) -> Iterator[LineItem]:
        yield from self._read_text(parent, parent.text, False, style, owner)
        for child in parent:
            tag = child.tag
            if not isinstance(tag, str) or tag in _UNSEEN:
                pass
            elif tag == f"{TEXT}change-start":  # like formatting, kept where the place is known
                self._tracked.add(str(child.get(f"{TEXT}change-id", "")))
            elif tag == f"{TEXT}change-end":
                self._tracked.discard(str(child.get(f"{TEXT}change-id", "")))
            elif tag == SPACES:
                self._after_blank = False
                yield TextSlot(" " * count_spaces(child), style, owner, element=child, behind=False)
            elif tag in _BREAKS:
                self._after_blank = False
                yield Break(_BREAKS[tag])
            elif tag == SPAN and not self._looks.hides(child):
                look = self._looks.look_of(child)
                yield from self.read_inside(child, f"{style}|{look}" if look else style, owner)
            elif tag in _THROUGH:
                yield from self.read_inside(child, style, owner)
            elif tag in OWNED:
                yield from self.read_inside(child, style, next(self._owners))
            else:
                self._after_blank = False
                yield ANCHOR
            yield from self._read_text(child, child.tail, True, style, owner)

    def _read_text(
        self, element: etree._Element, raw: str | None, behind: bool, style: str, owner: int
    ) -> Iterator[LineItem]:
        """Yield the text of one slot as a reader sees it; an empty slot yields nothing."""
        text = raw or ""
        if not self._literal:
            text = _BLANKS.sub(" ", text)
            text = text[1:] if self._after_blank and text.startswith(" ") else text
        if text:
            self._after_blank = text.endswith(" ")
        if raw:
            tracked = "".join(sorted(self._tracked))
            yield TextSlot(text, f"{style}+{tracked}", owner, element=element, behind=behind)


def read_line(paragraph: etree._Element, looks: Looks, literal: bool = False) -> list[LineItem]:
    """Read ``paragraph`` without hidden text; white space as shown, or ``literal`` as written."""
    return list(_SlotWalk(looks, literal).read_inside(paragraph, "", 0))


def count_spaces(element: etree._Element) -> int:
    """Return the number of blanks that a ``text:s`` stands for."""
    number = str(element.get(f"{TEXT}c", "1"))
    return min(int(number[:9]), _MOST_SPACES) if number.isascii() and number.isdigit() else 1
