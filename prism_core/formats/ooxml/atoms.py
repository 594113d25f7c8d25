"""The pieces of a paragraph in order: text, breaks, and anchors that text moves around.

Serves WordprocessingML (``w:p``) and DrawingML (``a:p``) alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from lxml import etree

from prism_core.formats.ooxml.names import local_name, namespace
from prism_core.formats.pieces import Kind

_THROUGH: Final = frozenset(("smartTag", "customXml", "dir", "bdo", "sdtContent"))
"""Elements around runs that mean nothing to the reader of the text."""
_HARD: Final = frozenset(("hyperlink", "fldSimple", "sdt", "fld"))
"""Elements around runs whose text must stay theirs: links, fields, content controls."""
_SOFT: Final = frozenset(("ins", "moveTo"))
"""Tracked insertions: like formatting, kept where the place is known."""
_BREAKS: Final = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n"}
SIGNS: Final = {"\t": "\t", "_x000B_": "\n"}
"""Breaks that shapes write as text; alone in its run, such a text is a break."""
_CHARACTERS: Final = {"noBreakHyphen": "-", "softHyphen": ""}
_UNSEEN: Final = frozenset(
    ("rPr", "lastRenderedPageBreak", "proofErr", "annotationRef", "commentReference", "delText")
)
_NOISE: Final = frozenset(
    ("lang", "noProof", "bCs", "iCs", "szCs", "cs", "rtl", "kern", "spacing", "w", "webHidden")
)
"""Run properties that a reader cannot see, or hardly."""


@dataclass(frozen=True, slots=True)
class Atom:
    """One piece of a paragraph.

    ``look`` holds the run properties that say how it looks, ``tracked`` the tracked insertions
    around it, ``owner`` the number of its link, field or content control, 0 outside.
    """

    kind: Kind
    element: etree._Element
    text: str = ""
    look: etree._Element | None = None
    tracked: str = ""
    owner: int = 0

    @property
    def style(self) -> str:
        """Equal for atoms that look alike."""
        return self.tracked + _style(self.look)


def read_atoms(paragraph: etree._Element, in_shape: bool = False) -> Iterator[Atom]:
    """The atoms of ``paragraph``, without deleted text, hidden text and field instructions.

    ``in_shape`` makes fields (slide numbers, dates) anchors, and links the owners of their runs.
    """
    yield from _Walk(paragraph, in_shape).atoms()


def is_hidden(properties: etree._Element) -> bool:
    """Hidden text (``w:vanish``) is not seen by a reader and stays as it is."""
    for child in properties:
        if local_name(child) == "vanish":
            values = [value for key, value in child.attrib.items() if str(key).endswith("}val")]
            return not values or values[0] not in ("0", "false", "off")
    return False


class _Walk:
    """Reads the atoms of a paragraph in order, keeping track of the field it is in."""

    def __init__(self, paragraph: etree._Element, in_shape: bool) -> None:
        self._paragraph = paragraph
        self._in_shape = in_shape
        self._namespace = namespace(paragraph)
        self._fields: list[tuple[int, bool]] = []
        self._owner = 0
        self._owners = count(1)

    def atoms(self) -> Iterator[Atom]:
        yield from self._inside(self._paragraph, "")

    def _inside(self, parent: etree._Element, soft: str) -> Iterator[Atom]:
        for child in parent:
            name = local_name(child)
            if not name or name in ("pPr", "rPr", "sdtPr", "sdtEndPr"):
                continue
            if namespace(child) != self._namespace or (self._in_shape and name == "fld"):
                yield Atom(Kind.ANCHOR, child)
            elif name == "r" and self._in_shape and _link(child):
                yield from self._owned(child, soft, True)
            elif name == "r":
                yield from self._run(child, soft)
            elif name == "br":  # DrawingML has it beside runs
                yield Atom(Kind.BREAK, child, "\n")
            elif name in _HARD:
                yield from self._owned(child, soft, name == "fld")
            elif name in _THROUGH:
                yield from self._inside(child, soft)
            elif name in _SOFT:
                yield from self._inside(child, soft + name)

    def _owned(self, element: etree._Element, soft: str, is_run: bool) -> Iterator[Atom]:
        """The atoms of a link, field or content control, marked as its own."""
        outer, self._owner = self._owner, next(self._owners)
        yield from self._run(element, soft) if is_run else self._inside(element, soft)
        self._owner = outer

    def _run(self, run: etree._Element, soft: str) -> Iterator[Atom]:
        properties = run.find(f"{{{self._namespace}}}rPr")
        if properties is not None and is_hidden(properties):
            yield Atom(Kind.ANCHOR, run)
            return
        for child in run:
            name = local_name(child)
            if not name or name in _UNSEEN:
                continue
            if namespace(child) != self._namespace:
                yield Atom(Kind.ANCHOR, child)
            elif name == "ruby":
                yield from self._ruby(child, soft)
            elif name == "fldChar":
                self._turn_field(child)
                yield Atom(Kind.ANCHOR, child)
            elif not all(is_result for _, is_result in self._fields):
                continue  # the instruction of a field, or of one around it
            else:
                yield self._atom(child, name, properties, soft)

    def _ruby(self, ruby: etree._Element, soft: str) -> Iterator[Atom]:
        """The text below a reading aid; the aid itself stays where it is."""
        yield Atom(Kind.ANCHOR, ruby)
        for base in ruby.iterfind(f"{{{self._namespace}}}rubyBase"):
            yield from self._owned(base, soft, False)

    def _atom(
        self, element: etree._Element, name: str, look: etree._Element | None, soft: str
    ) -> Atom:
        owner = self._fields[-1][0] if self._fields else self._owner
        if name == "t" and self._in_shape and element.text in SIGNS:
            return Atom(Kind.BREAK, element, SIGNS[element.text])
        if name == "t":
            text = re.sub(r"[\t\r\n]", " ", element.text or "")
            return Atom(Kind.TEXT, element, text, look, soft, owner)
        if name in _CHARACTERS:
            return Atom(Kind.TEXT, element, _CHARACTERS[name], look, soft, owner)
        if name in _BREAKS:
            return Atom(Kind.BREAK, element, _BREAKS[name])
        return Atom(Kind.ANCHOR, element)

    def _turn_field(self, mark: etree._Element) -> None:
        turn = mark.get(f"{{{self._namespace}}}fldCharType")
        if turn == "begin":
            self._fields.append((next(self._owners), False))
        elif self._fields and turn == "separate":
            self._fields[-1] = (self._fields[-1][0], True)
        elif self._fields and turn == "end":
            self._fields.pop()


def _link(run: etree._Element) -> bool:
    """Whether a run of DrawingML is a link."""
    return run.find("{*}rPr/{*}hlinkClick") is not None


def _style(properties: etree._Element | None) -> str:
    """Run properties as a string that is equal for runs which look alike."""
    if properties is None:
        return ""
    seen = (child for child in properties if local_name(child) and local_name(child) not in _NOISE)
    parts = [_property(child) for child in seen]
    marks = [f"{key}={properties.get(key)}" for key in ("b", "i", "u", "sz", "baseline")]
    return ";".join(sorted(part for part in parts if part) + marks)


def _property(element: etree._Element) -> str:
    attributes = {str(key).rpartition("}")[2]: str(value) for key, value in element.attrib.items()}
    if local_name(element) == "rFonts":
        font = attributes.get("ascii") or attributes.get("asciiTheme")
        return f"font={font}" if font else ""
    inner = ",".join(_property(child) for child in element if local_name(child))
    values = ",".join(f"{key}={value}" for key, value in sorted(attributes.items()))
    return f"{local_name(element)}({values}{inner})"
