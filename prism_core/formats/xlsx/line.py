"""The text of a cell or a comment: one string, or runs of it that look different.

Entry: ``RichText``; then texts united to groups -> ``place_groups`` line by line -> filled where
they stand, or, where words changed their place, arranged anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from lxml import etree

from prism_core.alignment import Match, Translation
from prism_core.formats.text import Group, Loss, Run, place_groups, unite
from prism_core.safe_xml import local_name

_SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"
_ESCAPE: Final = re.compile("_x([0-9A-Fa-f]{4})_")
_NOISE: Final = frozenset(("family", "charset", "scheme"))
"""Run properties that a reader cannot see."""
MOST_CHARACTERS: Final = 32_767
"""What a cell can hold."""


def decode(text: str) -> str:
    """``text`` of SpreadsheetML as it is shown: ``_x000A_`` stands for a line break."""
    text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    text = re.sub(r"\r\n?", "\n", text)
    return re.sub(r"[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", " ", text)


def encode(text: str) -> str:
    """``text`` as SpreadsheetML writes it: what looks like an escape is escaped."""
    return _ESCAPE.sub(lambda match: f"_x005F_{match[0][1:]}", text)


@dataclass(frozen=True, slots=True, kw_only=True)
class _CellText(Run):
    """What the text element ``element`` shows."""

    element: etree._Element

    @property
    def holder(self) -> etree._Element:
        """The run that it stands in, or what holds all of the text."""
        holder = self.element.getparent()
        assert holder is not None  # noqa: S101 (it was found in it)
        return holder


@dataclass(frozen=True, slots=True, kw_only=True)
class _LinePart(Run):
    """What the group number ``index`` has of a line."""

    index: int


@dataclass(slots=True)
class _StyledText:
    """Text that looks like the group number ``like``."""

    text: str
    like: int


class RichText:
    """An ``si`` or ``is`` of a cell, or the ``text`` of a comment.

    Its line breaks are characters, so a translation brings its own. ``lead`` is a start that is
    not text to translate, the name that a comment begins with.
    """

    __slots__ = ("_groups", "_lead", "element", "text")

    def __init__(self, element: etree._Element, lead: str = "") -> None:
        self.element = element
        self._groups = unite(list(_texts(element)))
        whole = "".join(group.text for group in self._groups)
        self._lead = len(lead) if whole.startswith(lead) else 0
        self.text = whole[self._lead :].strip()
        """The text without the white space around it."""

    def replace(self, translation: Translation) -> Loss:
        """Put ``translation`` in place of ``text``; what a cell cannot hold is not written."""
        whole = "".join(group.text for group in self._groups)
        inner = whole[self._lead :]
        start = self._lead + len(inner) - len(inner.lstrip())
        wanted = translation.framed(whole[:start], whole[start + len(self.text) :])
        if len(wanted.text) > MOST_CHARACTERS:
            return Loss(texts=1)
        if start:  # what lies before is no translation
            border = Match((start, start), (start, start))
            wanted = replace(wanted, matches=(border, *wanted.matches))
        runs, lost = _distribute(self._groups, wanted)
        if all(left.like < right.like for left, right in pairwise(runs)):
            said = {run.like: run.text for run in runs}
            for index, group in enumerate(self._groups):
                if said.get(index, "") != group.text:
                    _fill(group, said.get(index, ""))
        else:
            _arrange(self._groups, runs)
        self._groups = unite(list(_texts(self.element)))
        for child in list(self.element):  # readings of Japanese words that were there
            if local_name(child) in ("rPh", "phoneticPr"):
                self.element.remove(child)
        return Loss(lost, int(whole.count("\n") != wanted.text.count("\n")))


def _texts(element: etree._Element) -> Iterator[_CellText]:
    for child in element:
        name = local_name(child)
        text = child if name == "t" else child.find("{*}t") if name == "r" else None
        if text is not None:
            yield _CellText(
                decode(text.text or ""), _style(child) if name == "r" else "", element=text
            )


def _style(run: etree._Element) -> str:
    """Equal for runs that look alike."""
    seen = [
        child
        for properties in run.iterfind("{*}rPr")
        for child in properties
        if local_name(child) and local_name(child) not in _NOISE
    ]
    return ";".join(sorted(f"{local_name(child)} {sorted(child.items())}" for child in seen))


def _distribute(
    groups: Sequence[Group[_CellText]], wanted: Translation
) -> tuple[list[_StyledText], int]:
    """``wanted`` in runs, line by line if ``groups`` have as many lines; and what was lost.

    Every group has a run, empty or not, unless words changed their places.
    """
    source = "".join(group.text for group in groups)
    lines: list[list[_LinePart]] = [[]]
    targets = [wanted]
    if len(groups) < 2 or source.count("\n") != wanted.text.count("\n"):
        lines[0] = [_LinePart(group.text, group.look, index=i) for i, group in enumerate(groups)]
    else:
        for index, group in enumerate(groups):
            for text in group.text.splitlines(keepends=True):
                lines[-1].append(_LinePart(text, group.look, index=index))
                if text.endswith("\n"):
                    lines.append([])
        lines[-1] = lines[-1] or [_LinePart("", groups[-1].look, index=len(groups) - 1)]
        targets = list(_cut(source, wanted))
    movable = all(local_name(group.runs[0].holder) == "r" for group in groups)
    runs: list[_StyledText] = []
    lost = 0
    for line, target in zip(lines, targets, strict=True) if groups else ():
        parts, missing = place_groups([Group((p,)) for p in line], target, movable=movable)
        lost += missing
        for placed in parts:
            here = (placed.text, placed.group.runs[0])
            for text, like in (*placed.ahead, here, *placed.behind):
                if runs and runs[-1].like == like.index:
                    runs[-1].text += text
                else:
                    runs.append(_StyledText(text, like.index))
    return runs, lost


def _cut(source: str, wanted: Translation) -> Iterator[Translation]:
    """The lines of ``wanted`` with their breaks, each aligned to its line of ``source``."""
    here = there = 0
    for line, said in zip(source.split("\n"), wanted.text.split("\n"), strict=True):
        ends = here + len(line) + 1, there + len(said) + 1
        yield wanted.part((here, ends[0]), (there, ends[1]))
        here, there = ends


def _fill(group: Group[_CellText], text: str) -> None:
    """Put ``text`` into the first element of ``group`` and drop the runs of the others."""
    first, *others = group.runs
    _set_text(first.element, text)
    for other in others:
        parent = other.holder.getparent() if local_name(other.holder) == "r" else None
        if parent is not None:
            parent.remove(other.holder)
        else:
            other.element.text = ""


def _arrange(groups: Sequence[Group[_CellText]], runs: Sequence[_StyledText]) -> None:
    """Put ``runs`` in the place of ``groups``; what has no words is left out."""
    for group in groups:
        _fill(group, "")
    holders = [group.runs[0].holder for group in groups]
    place = etree.Element("place")
    holders[0].addprevious(place)
    used: set[int] = set()
    for run in runs:
        if run.text:
            holder = holders[run.like]
            holder = deepcopy(holder) if run.like in used else holder
            used.add(run.like)
            for text in holder.iterfind("{*}t"):
                _set_text(text, run.text)
            place.addprevious(holder)
    for element in [place, *(holder for i, holder in enumerate(holders) if i not in used)]:
        parent = element.getparent()
        if parent is not None:
            parent.remove(element)


def _set_text(element: etree._Element, text: str) -> None:
    element.text = encode(text)
    if text != text.strip() or "\n" in text:
        element.set(_SPACE, "preserve")
