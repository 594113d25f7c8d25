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
from typing import Final

from lxml import etree

from prism_core.formats.ooxml.atoms import Atom, Kind, read_atoms
from prism_core.formats.ooxml.names import local_name, namespace
from prism_core.formats.partition import partition

_SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"
_BREAK: Final = re.compile(r"[\t\n]")


@dataclass(slots=True)
class _Group:
    """Neighbouring text atoms that look alike; ``hard`` when an anchor or a link precedes them."""

    atoms: list[Atom]
    hard: bool

    @property
    def text(self) -> str:
        return "".join(atom.text for atom in self.atoms)


@dataclass(frozen=True, slots=True)
class Loss:
    """What a translation could not keep: changes of formatting, and the places of breaks.

    ``texts`` counts translations that do not fit where they belong: the source stays there.
    """

    formats: int = 0
    breaks: int = 0
    texts: int = 0


class Paragraph:
    """One ``w:p`` or ``a:p``: its text as a reader sees it, and a way to replace that.

    ``in_shape`` is for the text of shapes: fields are anchors there, and a link, which is a
    property of runs, keeps words of its own.
    """

    def __init__(self, element: etree._Element, in_shape: bool = False) -> None:
        self.element = element
        self._atoms = tuple(read_atoms(element, in_shape))
        self._whole = "".join(atom.text for atom in self._atoms)

    @property
    def text(self) -> str:
        """The text without the white space, tabs and breaks around it."""
        return self._whole.strip()

    def replace(self, translation: str) -> Loss:
        """Put ``translation`` in place of ``text``; every break and anchor stays exactly once."""
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


def _lines(atoms: Sequence[Atom]) -> Iterator[list[Atom]]:
    """The atoms between breaks."""
    line: list[Atom] = []
    for atom in atoms:
        if atom.kind is Kind.BREAK:
            yield line
            line = []
        else:
            line.append(atom)
    yield line


def _replace_line(line: Sequence[Atom], translation: str) -> int:
    """Replace the text between two breaks; the number of changes of formatting lost."""
    groups = _groups(line)
    result = partition(
        [group.text for group in groups], [group.hard for group in groups[1:]], translation
    )
    for group, text in zip(groups, result.slices, strict=True):
        if text != group.text:
            _fill(group.atoms, text)
    return result.lost


def _groups(line: Sequence[Atom]) -> list[_Group]:
    """Text that looks alike and has nothing in between; blanks go with what precedes them."""
    groups: list[_Group] = []
    anchored = False
    for atom in line:
        if atom.kind is Kind.ANCHOR:
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


def _fill(atoms: Sequence[Atom], text: str) -> None:
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
