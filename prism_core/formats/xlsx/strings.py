"""The text of a cell or a comment: one string, or runs of it that look different."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lxml import etree

from prism_core.formats.ooxml.names import local_name
from prism_core.formats.partition import partition
from prism_core.formats.pieces import Loss

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
        texts = [group.text for group in self._groups]
        whole = "".join(texts)
        inner = whole[self._lead :]
        start = self._lead + len(inner) - len(inner.lstrip())
        wanted = whole[:start] + translation.strip() + whole[start + len(self.text) :]
        if len(wanted) > MOST_CHARACTERS:
            return Loss(texts=1)
        slices, lost = _distributed(texts, wanted)
        for group, text in zip(self._groups, slices, strict=True):
            if text != group.text:
                _fill(group, text)
        _drop_readings(self.element)
        return Loss(lost, int(whole.count("\n") != wanted.count("\n")))


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


def _distributed(texts: Sequence[str], translation: str) -> tuple[list[str], int]:
    """``translation`` cut like ``texts``, line by line if both have as many; and what was lost."""
    if len(texts) < 2:
        return [translation][: len(texts)], 0
    sources, targets = "".join(texts).split("\n"), translation.split("\n")
    if len(sources) != len(targets):
        result = partition(texts, [False] * (len(texts) - 1), translation)
        return list(result.slices), result.lost
    slices, lost = [""] * len(texts), 0
    for pieces, target in zip(_lines(texts), targets, strict=True):
        inner = [text for _, text in pieces]
        result = partition(inner, [False] * (len(inner) - 1), target.rstrip("\n"))
        for (index, text), part in zip(pieces, result.slices, strict=True):
            slices[index] += part + ("\n" if text.endswith("\n") else "")
        lost += result.lost
    return slices, lost


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


def _set_text(element: etree._Element, text: str) -> None:
    element.text = encoded(text)
    if text != text.strip() or "\n" in text:
        element.set(_SPACE, "preserve")


def _drop_readings(element: etree._Element) -> None:
    """Readings of Japanese words belong to the words that were there."""
    for child in list(element):
        if local_name(child) in ("rPh", "phoneticPr"):
            element.remove(child)
