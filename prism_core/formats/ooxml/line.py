r"""Paragraph of Office Open XML as a line, and a translation put in its place among the runs.

Serves WordprocessingML (``w:p``) and DrawingML (``a:p``) alike. Breaks (tabs and line breaks, which
the text shows as ``\t`` and ``\n``) and anchors (note marks, drawings, fields …) stay exactly where
they are in the tree while text moves around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import count
from typing import Final

from lxml import etree

from prism_core.alignment import Span, Translation
from prism_core.formats.text import ANCHOR, Anchor, Break, Loss, TextRun, fit_translation, looks_of
from prism_core.formats.text_units import insert_around
from prism_core.safe_xml import local_name, namespace

_THROUGH: Final = frozenset(("smartTag", "customXml", "dir", "bdo", "sdtContent"))
"""Elements around runs that mean nothing to the reader of the text."""
_HARD: Final = frozenset(("hyperlink", "fldSimple", "sdt", "fld"))
"""Elements around runs that keep their own text: links, fields, content controls."""
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
_LINK: Final = "{*}rPr/{*}hlinkClick"
"""Path in a run of DrawingML that marks a link."""
_SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"


@dataclass(frozen=True, slots=True, kw_only=True)
class _RunText(TextRun):
    """Text of ``element``: a text element, or one that stands for a hyphen."""

    element: etree._Element

    @property
    def run(self) -> etree._Element:
        """Run that contains the text."""
        run = self.element.getparent()
        assert run is not None  # noqa: S101 (text stands in runs)
        return run


_Piece = _RunText | Break | Anchor


class OoxmlParagraph:
    """Paragraph ``w:p`` or ``a:p``: its text as a reader sees it, and its replacement.

    Deleted text, hidden text and the instructions of fields are no part of the text. ``in_shape``
    is for the text of shapes: fields (slide numbers, dates) are anchors there, and a link, which is
    a property of runs, keeps words of its own.
    """

    def __init__(self, element: etree._Element, in_shape: bool = False) -> None:
        self.element = element
        self._in_shape = in_shape
        line = _RunWalk(element, in_shape).read_inside(element)
        self.text = "".join(item.text for item in line).strip()
        """Text without the white space, tabs and breaks around it."""

    @property
    def looks(self) -> tuple[Span, ...]:
        """Formatting spans; see ``Segment``."""
        walk = _RunWalk(self.element, self._in_shape, looks=True)
        return looks_of(tuple(walk.read_inside(self.element)))

    def replace(self, translation: Translation) -> Loss:
        """Put ``translation`` in place; looks move with words unless insertions are tracked."""
        walk = _RunWalk(self.element, self._in_shape, looks=True)
        line = tuple(walk.read_inside(self.element))
        changes, loss = fit_translation(line, translation, movable=not walk.tracked)
        insert_around(changes, _split_run, _make_run)
        for placed in changes:
            texts = placed.group.runs if placed.is_new else ()
            carriers = [text for text in texts if local_name(text.element) == "t"]
            carrier = max(carriers, key=lambda text: bool(text.text.strip()), default=None)
            for text in texts:
                element = text.element
                if text is carrier:
                    _set_text(element, placed.text)
                elif local_name(element) == "t":
                    _set_text(element, "")
                elif carrier is None and text is texts[0]:  # a hyphen becomes a text element
                    element.tag = f"{{{namespace(element)}}}t"
                    element.attrib.clear()
                    _set_text(element, placed.text)
                else:
                    text.run.remove(element)
        return loss

    def runs_of(self, span: Span) -> tuple[etree._Element, etree._Element] | None:
        """Return the first and last run of ``span``, split off; None where no run shows it."""
        line = tuple(_RunWalk(self.element, self._in_shape).read_inside(self.element))
        whole = "".join(item.text for item in line)
        lead, at = len(whole) - len(whole.lstrip()), 0
        found: list[etree._Element] = []
        for item in line:
            first, last = (min(max(place + lead - at, 0), len(item.text)) for place in span)
            at += len(item.text)
            if isinstance(item, _RunText) and first < last:
                run, text = _split_run(item, False), item.element.text or ""
                if first > 0:
                    run.addprevious(_make_run(item, text[:first]))
                if last < len(text):
                    _split_run(item, True).addnext(_make_run(item, text[last:]))
                if first > 0 or last < len(text):
                    _set_text(item.element, text[first:last])
                found.append(run)
        return (found[0], found[-1]) if found else None


def is_hidden(properties: etree._Element) -> bool:
    """Return True for hidden text (``w:vanish``), which a reader does not see and which stays."""
    for child in properties:
        if local_name(child) == "vanish":
            values = [value for key, value in child.attrib.items() if str(key).endswith("}val")]
            return not values or values[0] not in ("0", "false", "off")
    return False


class _RunWalk:
    """Walk over a paragraph in order that notes ``looks`` and ``tracked`` insertions."""

    def __init__(self, paragraph: etree._Element, in_shape: bool, looks: bool = False) -> None:
        self.tracked = False
        self._looks = looks
        self._in_shape = in_shape
        self._namespace = namespace(paragraph)
        self._fields: list[tuple[int, bool]] = []
        self._owner = 0
        self._owners = count(1)

    def read_inside(self, parent: etree._Element, soft: str = "") -> Iterator[_Piece]:
        """Yield the pieces below ``parent``, which stands in the tracked changes ``soft``."""
        for child in parent:
            name = local_name(child)
            if not name or name in ("pPr", "rPr", "sdtPr", "sdtEndPr"):
                continue
            if namespace(child) != self._namespace or (self._in_shape and name == "fld"):
                yield ANCHOR
            elif name == "r" and self._in_shape and child.find(_LINK) is not None:
                yield from self._read_owned(child, soft, True)
            elif name == "r":
                yield from self._read_run(child, soft)
            elif name == "br":  # DrawingML has it beside runs
                yield Break("\n")
            elif name in _HARD:
                yield from self._read_owned(child, soft, name == "fld")
            elif name in _THROUGH:
                yield from self.read_inside(child, soft)
            elif name in _SOFT:
                yield from self.read_inside(child, soft + name)

    def _read_owned(self, element: etree._Element, soft: str, is_run: bool) -> Iterator[_Piece]:
        """Yield the text of a link, field or content control, with an owner of its own."""
        outer, self._owner = self._owner, next(self._owners)
        yield from self._read_run(element, soft) if is_run else self.read_inside(element, soft)
        self._owner = outer

    def _read_run(self, run: etree._Element, soft: str) -> Iterator[_Piece]:
        properties = run.find(f"{{{self._namespace}}}rPr")
        if properties is not None and is_hidden(properties):
            yield ANCHOR
            return
        for child in run:
            name = local_name(child)
            if not name or name in _UNSEEN:
                continue
            if namespace(child) != self._namespace:
                yield ANCHOR
            elif name == "ruby":  # the reading aid stays in place, its base text is text
                yield ANCHOR
                for base in child.iterfind(f"{{{self._namespace}}}rubyBase"):
                    yield from self._read_owned(base, soft, False)
            elif name == "fldChar":
                self._track_field(child)
                yield ANCHOR
            elif not all(is_result for _, is_result in self._fields):
                continue  # the instruction of a field, or of a field around it
            else:
                yield self._read_piece(child, name, properties, soft)

    def _read_piece(
        self, element: etree._Element, name: str, look: etree._Element | None, soft: str
    ) -> _Piece:
        if name == "t" and self._in_shape and element.text in SIGNS:
            return Break(SIGNS[element.text])
        if name in _BREAKS:
            return Break(_BREAKS[name])
        if name == "t":
            text = re.sub(r"[\t\r\n]", " ", element.text or "")
        elif name in _CHARACTERS:
            text = _CHARACTERS[name]
        else:
            return ANCHOR
        self.tracked = self.tracked or bool(soft)
        owner = self._fields[-1][0] if self._fields else self._owner
        style = soft + _style_key(look) if self._looks else ""
        return _RunText(text, style, owner, element=element)

    def _track_field(self, mark: etree._Element) -> None:
        turn = mark.get(f"{{{self._namespace}}}fldCharType")
        if turn == "begin":
            self._fields.append((next(self._owners), False))
        elif self._fields and turn == "separate":
            self._fields[-1] = (self._fields[-1][0], True)
        elif self._fields and turn == "end":
            self._fields.pop()


def _style_key(properties: etree._Element | None) -> str:
    """Return the run properties as a string that is equal for runs formatted alike."""
    if properties is None:
        return ""
    seen = (child for child in properties if local_name(child) and local_name(child) not in _NOISE)
    parts = [_property_key(child) for child in seen]
    marks = [f"{key}={properties.get(key)}" for key in ("b", "i", "u", "sz", "baseline")]
    return ";".join(sorted(part for part in parts if part) + marks)


def _property_key(element: etree._Element) -> str:
    attributes = {str(key).rpartition("}")[2]: str(value) for key, value in element.attrib.items()}
    if local_name(element) == "rFonts":
        font = attributes.get("ascii") or attributes.get("asciiTheme")
        return f"font={font}" if font else ""
    inner = ",".join(_property_key(child) for child in element if local_name(child))
    values = ",".join(f"{key}={value}" for key, value in sorted(attributes.items()))
    return f"{local_name(element)}({values}{inner})"


def _make_run(like: _RunText, text: str) -> etree._Element:
    """Return a run with the properties of the run of ``like``, and only ``text``."""
    run = _copy_empty(like.run)
    _set_text(etree.SubElement(run, f"{{{namespace(run)}}}t"), text)
    return run


def _split_run(text: _RunText, behind: bool) -> etree._Element:
    """Move what stands before ``text``, or ``behind`` it, to a run of its own; return its run."""
    run = text.run
    others = [
        element
        for element in text.element.itersiblings(preceding=not behind)
        if local_name(element) != "rPr"
    ]
    if others:
        rest = _copy_empty(run)
        rest.extend(others if behind else others[::-1])
        (run.addnext if behind else run.addprevious)(rest)
    return run


def _copy_empty(run: etree._Element) -> etree._Element:
    """Return a run with the formatting of ``run`` and no text."""
    made = deepcopy(run)
    made.tail = None
    for child in [child for child in made if local_name(child) != "rPr"]:
        made.remove(child)
    return made


def _set_text(element: etree._Element, text: str) -> None:
    """Put ``text`` into a ``w:t`` or ``a:t``; blanks at its edges are kept."""
    element.text = text
    if "wordprocessingml" in namespace(element):
        if text != text.strip():
            element.set(_SPACE, "preserve")
        else:
            element.attrib.pop(_SPACE, "")
