"""The text of a cell or a comment: one string, or runs of it that look different."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from lxml import etree

from prism_core.alignment import AlignedText, Match
from prism_core.formats.ooxml.names import local_name
from prism_core.formats.pieces import Loss, framed
from prism_core.formats.placement import Group, place

_SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"
_ESCAPE: Final = re.compile("_x([0-9A-Fa-f]{4})_")
_NOISE: Final = frozenset(("family", "charset", "scheme"))
"""Run properties that a reader cannot see."""
MOST_CHARACTERS: Final = 32_767
"""What a cell can hold."""


def decoded(text: str) -> str:
    """``text`` of SpreadsheetML as it is shown: ``_x000A_`` stands for a line break."""
    text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    text = re.sub(r"\r\n?", "\n", text)
    return re.sub(r"[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", " ", text)


def encoded(text: str) -> str:
    """``text`` as SpreadsheetML writes it: what looks like an escape is escaped."""
    return _ESCAPE.sub(lambda match: f"_x005F_{match[0][1:]}", text)


@dataclass(slots=True)
class _Group:
    """Neighbouring text elements that look alike, and what they say."""

    elements: list[etree._Element]
    text: str
    style: str


class RichText:
    """An ``si`` or ``is`` of a cell, or the ``text`` of a comment.

    Its line breaks are characters, so a translation brings its own. ``lead`` is a start that is
    not text to translate, the name that a comment begins with.
    """

    __slots__ = ("_groups", "_lead", "element", "text")

    def __init__(self, element: etree._Element, lead: str = "") -> None:
        self.element = element
        self._groups = _groups(element)
        whole = "".join(group.text for group in self._groups)
        self._lead = len(lead) if whole.startswith(lead) else 0
        self.text = whole[self._lead :].strip()
        """The text without the white space around it."""

    def replace(self, translation: str) -> Loss:
        """Put ``translation`` in place of ``text``; what a cell cannot hold is not written."""
        whole = "".join(group.text for group in self._groups)
        inner = whole[self._lead :]
        start = self._lead + len(inner) - len(inner.lstrip())
        wanted = framed(whole[:start], translation, whole[start + len(self.text) :])
        if len(wanted) > MOST_CHARACTERS:
            return Loss(texts=1)
        runs, lost = _distributed(self._groups, _bordered(wanted, start))
        if all(left.like < right.like for left, right in pairwise(runs)):
            said = {run.like: run.text for run in runs}
            for index, group in enumerate(self._groups):
                if said.get(index, "") != group.text:
                    _fill(group, said.get(index, ""))
        else:
            _arrange(self._groups, runs)
            self._groups = _groups(self.element)
        _drop_readings(self.element)
        return Loss(lost, int(whole.count("\n") != wanted.count("\n")))


@dataclass(slots=True)
class _Run:
    """Text that looks like the group ``like``."""

    text: str
    like: int


def _bordered(text: AlignedText, start: int) -> AlignedText:
    """``text``, of which what lies before ``start`` is no translation."""
    border = (start, start)
    return AlignedText(text, (Match(border, border), *text.alignment) if start else text.alignment)


def _groups(element: etree._Element) -> list[_Group]:
    groups: list[_Group] = []
    for child in element:
        name = local_name(child)
        text = child if name == "t" else child.find("{*}t") if name == "r" else None
        if text is None:
            continue
        shown = decoded(text.text or "")
        style = _style(child) if name == "r" else ""
        if groups and (groups[-1].style == style or not shown.strip()):
            groups[-1].elements.append(text)
            groups[-1].text += shown
        else:
            groups.append(_Group([text], shown, style))
    return groups


def _style(run: etree._Element) -> str:
    """Equal for runs that look alike."""
    seen = [
        child
        for properties in run.iterfind("{*}rPr")
        for child in properties
        if local_name(child) and local_name(child) not in _NOISE
    ]
    return ";".join(sorted(f"{local_name(child)} {sorted(child.items())}" for child in seen))


def _distributed(groups: Sequence[_Group], wanted: AlignedText) -> tuple[list[_Run], int]:
    """``wanted`` in runs, line by line if ``groups`` have as many lines; and what was lost.

    Every group has a run, empty or not, unless words changed their places.
    """
    texts = [group.text for group in groups]
    lines, targets = list(_lines(texts)), list(_cut("".join(texts), wanted))
    if len(groups) < 2 or "".join(texts).count("\n") != wanted.count("\n"):
        lines, targets = [list(enumerate(texts))][: len(groups)], [wanted][: len(groups)]
    movable = all(local_name(_holder(group)) == "r" for group in groups)
    runs: list[_Run] = []
    lost = 0
    for line, target in zip(lines, targets, strict=True):
        placed = place([Group(text, groups[i].style) for i, text in line], target, movable=movable)
        lost += placed.lost
        for number, (index, _) in enumerate(line):
            beside = [copy for copy in placed.copies if copy.beside == number]
            runs += [_Run(copy.text, line[copy.like][0]) for copy in beside if not copy.after]
            runs.append(_Run(placed.slices[number], index))
            runs += [_Run(copy.text, line[copy.like][0]) for copy in beside if copy.after]
    return _united(runs), lost


def _united(runs: Sequence[_Run]) -> list[_Run]:
    """``runs`` with neighbours of one group in one."""
    united: list[_Run] = []
    for run in runs:
        if united and united[-1].like == run.like:
            united[-1].text += run.text
        else:
            united.append(run)
    return united


def _cut(source: str, wanted: AlignedText) -> Iterator[AlignedText]:
    """The lines of ``wanted`` with their breaks, each aligned to its line of ``source``."""
    here = there = 0
    for line, said in zip(source.split("\n"), wanted.split("\n"), strict=False):
        ends = here + len(line) + 1, there + len(said) + 1
        yield wanted.part((here, ends[0]), (there, ends[1]))
        here, there = ends


def _lines(texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
    """For each line the index of every text in it and its part there, the line break last."""
    line: list[tuple[int, str]] = []
    for index, text in enumerate(texts):
        for part in text.splitlines(keepends=True):
            line.append((index, part))
            if part.endswith("\n"):
                yield line
                line = []
    yield line or [(len(texts) - 1, "")]


def _fill(group: _Group, text: str) -> None:
    """Put ``text`` into the first element of ``group`` and drop the runs of the others."""
    first, *others = group.elements
    _set_text(first, text)
    for element in others:
        run = element.getparent()
        parent = run.getparent() if run is not None and local_name(run) == "r" else None
        if run is not None and parent is not None:
            parent.remove(run)
        else:
            element.text = ""
    group.text = text


def _holder(group: _Group) -> etree._Element:
    """The run that the text of ``group`` begins in."""
    holder = group.elements[0].getparent()
    assert holder is not None  # noqa: S101 (it was found in it)
    return holder


def _arrange(groups: Sequence[_Group], runs: Sequence[_Run]) -> None:
    """Put ``runs`` in the place of ``groups``; what has no words is left out."""
    for group in groups:
        _fill(group, "")
    place = etree.Element("place")
    _holder(groups[0]).addprevious(place)
    used: set[int] = set()
    for run in runs:
        if run.text:
            holder = _holder(groups[run.like])
            holder = deepcopy(holder) if run.like in used else holder
            used.add(run.like)
            for text in holder.iterfind("{*}t"):
                _set_text(text, run.text)
            place.addprevious(holder)
    for element in [place, *(_holder(groups[i]) for i in range(len(groups)) if i not in used)]:
        parent = element.getparent()
        if parent is not None:
            parent.remove(element)


def _set_text(element: etree._Element, text: str) -> None:
    element.text = encoded(text)
    if text != text.strip() or "\n" in text:
        element.set(_SPACE, "preserve")


def _drop_readings(element: etree._Element) -> None:
    """Readings of Japanese words belong to the words that were there."""
    for child in list(element):
        if local_name(child) in ("rPh", "phoneticPr"):
            element.remove(child)
