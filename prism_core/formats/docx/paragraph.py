"""The text of one paragraph, and a translation put in its place among runs, breaks and anchors.

It serves WordprocessingML (``w:p``) and DrawingML (``a:p``) alike. A paragraph is read as atoms:
text, breaks (tabs and line breaks, which the text shows as ``\\t`` and ``\\n``), and anchors (note
marks, drawings, fields …) which stay exactly where they are in the tree while text moves around
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import count
from typing import Final

from lxml import etree

from prism_core.formats.docx.names import local_name, namespace
from prism_core.formats.docx.partition import partition

_SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"
_BREAK: Final = re.compile(r"[\t\n]")
_ILLEGAL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")

_THROUGH: Final = frozenset(("smartTag", "customXml", "dir", "bdo", "sdtContent"))
"""Elements around runs that mean nothing to the reader of the text."""
_HARD: Final = frozenset(("hyperlink", "fldSimple", "sdt", "fld"))
"""Elements around runs whose text must stay theirs: links, fields, content controls."""
_SOFT: Final = frozenset(("ins", "moveTo"))
"""Tracked insertions: like formatting, kept where the place is known."""
_BREAKS: Final = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n"}
_CHARACTERS: Final = {"noBreakHyphen": "-", "softHyphen": ""}
_UNSEEN: Final = frozenset(
    ("rPr", "lastRenderedPageBreak", "proofErr", "annotationRef", "commentReference", "delText")
)
_NOISE: Final = frozenset(
    ("lang", "noProof", "bCs", "iCs", "szCs", "cs", "rtl", "kern", "spacing", "w", "webHidden")
)
"""Run properties that a reader cannot see, or hardly."""


class _Kind(Enum):
    TEXT = 1
    BREAK = 2
    ANCHOR = 3


@dataclass(frozen=True, slots=True)
class _Atom:
    """One piece of a paragraph.

    ``look`` holds the run properties that say how it looks, ``tracked`` the tracked insertions
    around it, ``owner`` the number of its link, field or content control, 0 outside.
    """

    kind: _Kind
    element: etree._Element
    text: str = ""
    look: etree._Element | None = None
    tracked: str = ""
    owner: int = 0

    @property
    def style(self) -> str:
        """Equal for atoms that look alike."""
        return self.tracked + _style(self.look)


@dataclass(slots=True)
class _Group:
    """Neighbouring text atoms that look alike; ``hard`` when an anchor or a link precedes them."""

    atoms: list[_Atom]
    hard: bool

    @property
    def text(self) -> str:
        return "".join(atom.text for atom in self.atoms)


@dataclass(frozen=True, slots=True)
class Loss:
    """What a translation could not keep: changes of formatting, and the places of breaks."""

    formats: int = 0
    breaks: int = 0


class Paragraph:
    """One ``w:p`` or ``a:p``: its text as a reader sees it, and a way to replace that."""

    def __init__(self, element: etree._Element) -> None:
        self.element = element
        self._atoms = tuple(_Walk(element).atoms())
        self._whole = "".join(atom.text for atom in self._atoms)

    @property
    def text(self) -> str:
        """The text without the white space, tabs and breaks around it."""
        return self._whole.strip()

    def replace(self, translation: str) -> Loss:
        """Put ``translation`` in place of ``text``; every break and anchor stays exactly once."""
        translation = _ILLEGAL.sub("", translation.replace("\r\n", "\n").replace("\r", "\n"))
        start = len(self._whole) - len(self._whole.lstrip())
        end = start + len(self.text)
        wanted = self._whole[:start] + translation.strip() + self._whole[end:]
        lines = list(_lines(self._atoms))
        sources = ["".join(atom.text for atom in line) for line in lines]
        targets = _BREAK.split(wanted)
        moved = [bool(source.strip()) for source in sources] != [
            bool(target.strip()) for target in targets
        ]
        if moved:
            targets = _spread(sources, _BREAK.sub(" ", translation.strip()))
        lost = sum(
            _replace_line(line, target)
            for line, source, target in zip(lines, sources, targets, strict=True)
            if source != target and (source.strip() or target.strip())
        )
        return Loss(lost, int(moved))


def _spread(sources: Sequence[str], translation: str) -> list[str]:
    """Spread a translation without its breaks over the lines that had words, in proportion."""
    filled = [index for index, source in enumerate(sources) if source.strip()]
    texts = [sources[index] for index in filled]
    slices = partition(texts, [True] * (len(texts) - 1), translation).slices
    targets = list(sources)
    for index, text in zip(filled, slices, strict=True):
        targets[index] = text
    return targets


def _lines(atoms: Sequence[_Atom]) -> Iterator[list[_Atom]]:
    """The atoms between breaks."""
    line: list[_Atom] = []
    for atom in atoms:
        if atom.kind is _Kind.BREAK:
            yield line
            line = []
        else:
            line.append(atom)
    yield line


def _replace_line(line: Sequence[_Atom], translation: str) -> int:
    """Replace the text between two breaks; the number of changes of formatting lost."""
    groups = _groups(line)
    result = partition(
        [group.text for group in groups], [group.hard for group in groups[1:]], translation
    )
    for group, text in zip(groups, result.slices, strict=True):
        if text != group.text:
            _fill(group.atoms, text)
    return result.lost


def _groups(line: Sequence[_Atom]) -> list[_Group]:
    """Text that looks alike and has nothing in between; blanks go with what precedes them."""
    groups: list[_Group] = []
    anchored = False
    for atom in line:
        if atom.kind is _Kind.ANCHOR:
            anchored = True
            continue
        last = groups[-1].atoms[0] if groups else None
        hard = anchored or (last is not None and last.owner != atom.owner)
        alike = last is not None and (last.style == atom.style or not atom.text.strip())
        if groups and alike and not hard:
            groups[-1].atoms.append(atom)
        else:
            groups.append(_Group([atom], hard))
        anchored = False
    return groups


def _fill(atoms: Sequence[_Atom], text: str) -> None:
    """Put ``text`` into the first text element of ``atoms`` and empty the others."""
    carriers = [atom for atom in atoms if local_name(atom.element) == "t"]
    carrier = max(carriers, key=lambda atom: bool(atom.text.strip()), default=None)
    for atom in atoms:
        if atom is carrier:
            _set_text(atom.element, text)
        elif local_name(atom.element) == "t":
            _set_text(atom.element, "")
        elif carrier is None and atom is atoms[0]:
            _turn_into_text(atom.element, text)
        else:
            _remove(atom.element)


def _set_text(element: etree._Element, text: str) -> None:
    element.text = text
    if "wordprocessingml" in namespace(element):
        if text != text.strip():
            element.set(_SPACE, "preserve")
        else:
            element.attrib.pop(_SPACE, "")


def _turn_into_text(element: etree._Element, text: str) -> None:
    """A hyphen element that was the only text of its group becomes a text element."""
    element.tag = f"{{{namespace(element)}}}t"
    for name in list(element.attrib):
        del element.attrib[name]
    _set_text(element, text)


def _remove(element: etree._Element) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


class _Walk:
    """Reads the atoms of a paragraph in order, keeping track of the field it is in."""

    def __init__(self, paragraph: etree._Element) -> None:
        self._paragraph = paragraph
        self._namespace = namespace(paragraph)
        self._fields: list[tuple[int, bool]] = []
        self._owner = 0
        self._owners = count(1)

    def atoms(self) -> Iterator[_Atom]:
        yield from self._inside(self._paragraph, "")

    def _inside(self, parent: etree._Element, soft: str) -> Iterator[_Atom]:
        for child in parent:
            name = local_name(child)
            if not name or name in ("pPr", "rPr", "sdtPr", "sdtEndPr"):
                continue
            if namespace(child) != self._namespace:
                yield _Atom(_Kind.ANCHOR, child)
            elif name == "r":
                yield from self._run(child, soft)
            elif name == "br":  # DrawingML has it beside runs
                yield _Atom(_Kind.BREAK, child, "\n")
            elif name in _HARD:
                yield from self._owned(child, soft, name == "fld")
            elif name in _THROUGH:
                yield from self._inside(child, soft)
            elif name in _SOFT:
                yield from self._inside(child, soft + name)

    def _owned(self, element: etree._Element, soft: str, is_run: bool) -> Iterator[_Atom]:
        """The atoms of a link, field or content control, marked as its own."""
        outer, self._owner = self._owner, next(self._owners)
        yield from self._run(element, soft) if is_run else self._inside(element, soft)
        self._owner = outer

    def _run(self, run: etree._Element, soft: str) -> Iterator[_Atom]:
        properties = run.find(f"{{{self._namespace}}}rPr")
        if properties is not None and _is_hidden(properties):
            yield _Atom(_Kind.ANCHOR, run)
            return
        for child in run:
            name = local_name(child)
            if not name or name in _UNSEEN:
                continue
            if namespace(child) != self._namespace:
                yield _Atom(_Kind.ANCHOR, child)
            elif name == "fldChar":
                self._turn_field(child)
                yield _Atom(_Kind.ANCHOR, child)
            elif not all(is_result for _, is_result in self._fields):
                continue  # the instruction of a field, or of one around it
            else:
                yield self._atom(child, name, properties, soft)

    def _atom(
        self, element: etree._Element, name: str, look: etree._Element | None, soft: str
    ) -> _Atom:
        owner = self._fields[-1][0] if self._fields else self._owner
        if name == "t":
            text = re.sub(r"[\t\r\n]", " ", element.text or "")
            return _Atom(_Kind.TEXT, element, text, look, soft, owner)
        if name in _CHARACTERS:
            return _Atom(_Kind.TEXT, element, _CHARACTERS[name], look, soft, owner)
        if name in _BREAKS:
            return _Atom(_Kind.BREAK, element, _BREAKS[name])
        return _Atom(_Kind.ANCHOR, element)

    def _turn_field(self, mark: etree._Element) -> None:
        turn = mark.get(f"{{{self._namespace}}}fldCharType")
        if turn == "begin":
            self._fields.append((next(self._owners), False))
        elif self._fields and turn == "separate":
            self._fields[-1] = (self._fields[-1][0], True)
        elif self._fields and turn == "end":
            self._fields.pop()


def _is_hidden(properties: etree._Element) -> bool:
    """Hidden text (``w:vanish``) is not seen by a reader and stays as it is."""
    for child in properties:
        if local_name(child) == "vanish":
            values = [value for key, value in child.attrib.items() if str(key).endswith("}val")]
            return not values or values[0] not in ("0", "false", "off")
    return False


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
