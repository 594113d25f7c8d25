"""Text of a cell or a comment, in runs of different looks, and its copies elsewhere.

Columns of tables bear the text of their head; charts keep labels, filters and links the text they
show. A copy is no text of its own; on writing it takes the translation of the cells with its text.
So does the note that repeats a thread of comments for older programs.

Entry: ``RichText``; ``CellCopy.follow`` for copies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from lxml import etree

from prism_core.alignment import Match, Span, Translation
from prism_core.formats.text import Group, Loss, TextRun, edges_of, looks_of, place_words, unite
from prism_core.formats.text_units import ElementText
from prism_core.safe_xml import local_name, namespace

_SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"
_ESCAPE: Final = re.compile("_x([0-9A-Fa-f]{4})_")
_NOISE: Final = frozenset(("family", "charset", "scheme"))
"""Run properties that a reader cannot see."""
MOST_CHARACTERS: Final = 32_767
"""Greatest length of a cell's text."""
_THREAD: Final = "tc="
"""Start of the author of a note that only repeats a thread for older programs."""


def decode(text: str) -> str:
    """Return ``text`` of SpreadsheetML as it is shown: ``_x000A_`` stands for a line break."""
    text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    text = re.sub(r"\r\n?", "\n", text)
    return re.sub(r"[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", " ", text)


def encode(text: str) -> str:
    """Return ``text`` as SpreadsheetML writes it: text that looks like an escape is escaped."""
    return _ESCAPE.sub(lambda match: f"_x005F_{match[0][1:]}", text)


@dataclass(frozen=True, slots=True, kw_only=True)
class _CellText(TextRun):
    """Text that the text element ``element`` shows."""

    element: etree._Element

    @property
    def holder(self) -> etree._Element:
        """Run that contains the element, or the element that holds all of the text."""
        holder = self.element.getparent()
        assert holder is not None  # noqa: S101 (it was found in it)
        return holder


@dataclass(frozen=True, slots=True, kw_only=True)
class _LinePart(TextRun):
    """Part of the group number ``index`` in a line."""

    index: int


@dataclass(slots=True)
class _StyledText:
    """Text with the look of the group number ``like``."""

    text: str
    like: int


class RichText:
    """``si`` or ``is`` of a cell, or ``text`` of a comment.

    Its line breaks are characters, so a translation brings its own. ``lead`` is a start that is not
    translated: the name with which a comment begins. A workbook may have a million texts, so the
    groups are made on request.
    """

    __slots__ = ("_lead", "element", "text")

    def __init__(self, element: etree._Element, lead: str = "") -> None:
        self.element = element
        whole = "".join(run.text for run in _read_texts(element))
        self._lead = len(lead) if whole.startswith(lead) else 0
        self.text = whole[self._lead :].strip()
        """Text without the white space around it."""

    @property
    def looks(self) -> tuple[Span, ...]:
        """Formatting spans; see ``Segment``."""
        runs = [TextRun(group.text, group.look) for group in self._make_groups()]
        return looks_of(runs, self._lead)

    def _make_groups(self) -> list[Group[_CellText]]:
        return unite(list(_read_texts(self.element)))

    def replace(self, translation: Translation) -> Loss:
        """Put ``translation`` in place of ``text``; a text too long for a cell is not written."""
        groups = self._make_groups()
        whole = "".join(group.text for group in groups)
        inner = whole[self._lead :]
        start = self._lead + len(inner) - len(inner.lstrip())
        wanted = translation.framed(whole[:start], whole[start + len(self.text) :])
        if len(wanted.text) > MOST_CHARACTERS:
            return Loss(texts=1)
        if start:  # the text before is no translation
            border = Match((start, start), (start, start))
            wanted = replace(wanted, matches=(border, *wanted.matches))
        runs, lost = _distribute(groups, wanted)
        if all(left.like < right.like for left, right in pairwise(runs)):
            texts = {run.like: run.text for run in runs}
            for index, group in enumerate(groups):
                if texts.get(index, "") != group.text:
                    _fill_group(group, texts.get(index, ""))
        else:
            _arrange_runs(groups, runs)
        for child in list(self.element):  # readings of the replaced Japanese words
            if local_name(child) in ("rPh", "phoneticPr"):
                self.element.remove(child)
        return Loss(lost, int(whole.count("\n") != wanted.text.count("\n")))


def _read_texts(element: etree._Element) -> Iterator[_CellText]:
    for child in element:
        name = local_name(child)
        if name == "t":
            yield _CellText(decode(child.text or ""), element=child)
        elif name == "r" and (text := child.find("{*}t")) is not None:
            looks = (look for properties in child.iterfind("{*}rPr") for look in properties)
            seen = [look for look in looks if local_name(look) and local_name(look) not in _NOISE]
            style = ";".join(sorted(f"{local_name(look)} {sorted(look.items())}" for look in seen))
            yield _CellText(decode(text.text or ""), style, element=text)


def _distribute(
    groups: Sequence[Group[_CellText]], wanted: Translation
) -> tuple[list[_StyledText], int]:
    """Split ``wanted`` into runs, line by line if ``groups`` have as many; count losses."""
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
        targets, source_at, target_at = [], 0, 0  # the lines of ``wanted``, aligned
        for old, new in zip(source.split("\n"), wanted.text.split("\n"), strict=True):
            ends = source_at + len(old) + 1, target_at + len(new) + 1
            targets.append(wanted.part((source_at, ends[0]), (target_at, ends[1])))
            source_at, target_at = ends
    movable = all(local_name(group.runs[0].holder) == "r" for group in groups)
    runs: list[_StyledText] = []
    lost = 0
    for line, target in zip(lines, targets, strict=True) if groups else ():
        parts, missing = place_words([Group((p,)) for p in line], target, movable=movable)
        lost += missing
        for placed in parts:
            main_text = (placed.text, placed.group.runs[0])
            for text, like in (*placed.ahead, main_text, *placed.behind):
                if runs and runs[-1].like == like.index:
                    runs[-1].text += text
                else:
                    runs.append(_StyledText(text, like.index))
    return runs, lost


def _fill_group(group: Group[_CellText], text: str) -> None:
    """Put ``text`` into the first element of ``group`` and drop the runs of the others."""
    first, *others = group.runs
    _set_text(first.element, text)
    for other in others:
        parent = other.holder.getparent() if local_name(other.holder) == "r" else None
        if parent is not None:
            parent.remove(other.holder)
        else:
            other.element.text = ""


def _arrange_runs(groups: Sequence[Group[_CellText]], runs: Sequence[_StyledText]) -> None:
    """Put ``runs`` in the place of ``groups``; runs without words are left out."""
    for group in groups:
        _fill_group(group, "")
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


@dataclass(frozen=True, slots=True)
class CellCopy:
    """Text in ``member`` that repeats a cell."""

    unit: ElementText
    member: str

    @property
    def text(self) -> str:
        """Text of the copy."""
        return decode(self.unit.text).strip()

    def follow(self, translations: Mapping[str, str]) -> bool:
        """Take the translation of the cells with this text; return True if there is one."""
        new = translations.get(self.text)
        if new is not None:
            self.unit.replace(Translation(encode(new)))
        return new is not None


def sheet_copies(root: etree._Element, member: str) -> Iterator[CellCopy]:
    """Yield the texts of links and the values of filters."""
    for link in root.iterfind("{*}hyperlinks/{*}hyperlink"):
        yield CellCopy(ElementText(link, "display"), member)
    yield from filter_copies(root, member)


def filter_copies(root: etree._Element, member: str) -> Iterator[CellCopy]:
    """Yield the values that the filters of a sheet or table let through."""
    for value in root.iterfind("{*}autoFilter/{*}filterColumn/{*}filters/{*}filter"):
        yield CellCopy(ElementText(value, "val"), member)


def follow_columns(table: etree._Element, translations: Mapping[str, str]) -> dict[int, str]:
    """Give columns the new texts of heads; return place and name of those made unique."""
    if table.get("headerRowCount") == "0":
        return {}
    columns = list(table.iterfind("{*}tableColumns/{*}tableColumn"))
    names = [decode(str(column.get("name", ""))) for column in columns]
    taken = {name.casefold() for name in names if name.strip() not in translations}
    renamed = {}
    for place, (column, name) in enumerate(zip(columns, names, strict=True)):
        wanted = translations.get(name.strip())
        if wanted is not None:
            wanted = wanted.join(edges_of(name))  # between the white space that its cell keeps
            new, number = wanted, 1
            while new.casefold() in taken:
                number += 1
                new = f"{wanted}{number}"
            taken.add(new.casefold())
            column.set("name", encode(new).replace("\n", "_x000a_"))
            if new != wanted:
                renamed[place] = new
        total = decode(str(column.get("totalsRowLabel", "")))
        label = translations.get(total.strip())
        if label is not None:
            column.set("totalsRowLabel", encode(label.join(edges_of(total))))
    return renamed


def rename_heads(sheet: etree._Element, table: etree._Element, renamed: Mapping[int, str]) -> None:
    """Write the ``renamed`` heads of ``table`` into the cells of ``sheet``."""
    left, row = corner_of(str(table.get("ref", "")))
    for cell in sheet.iterfind("{*}sheetData/{*}row/{*}c"):
        column, cell_row = corner_of(str(cell.get("r", "")))
        name = renamed.get(column - left)
        if name is not None and cell_row == row:
            for child in [child for child in cell if local_name(child) in ("v", "is", "f")]:
                cell.remove(child)
            cell.set("t", "inlineStr")
            holder = etree.Element(f"{{{namespace(cell)}}}is")
            etree.SubElement(holder, f"{{{namespace(cell)}}}t").text = encode(name)
            cell.insert(0, holder)


def corner_of(ref: str) -> tuple[int, str]:
    """Return column number and row of the first cell of ``ref``."""
    first = ref.partition(":")[0].replace("$", "")
    letters = first.rstrip("0123456789")
    column = 0
    for letter in letters[:4].upper():
        column = column * 26 + ord(letter) - 64
    return column, first[len(letters) :]


def read_notes(root: etree._Element) -> Iterator[tuple[RichText, str | None]]:
    """Yield the notes of one sheet without author, each with the thread it repeats, or None."""
    authors = [element.text or "" for element in root.iterfind("{*}authors/{*}author")]
    for comment in root.iterfind("{*}commentList/{*}comment"):
        index = str(comment.get("authorId", ""))[:9]
        known = index.isdecimal() and int(index) < len(authors)
        author = authors[int(index)] if known else ""
        for text in comment.iterfind("{*}text"):
            thread = author[len(_THREAD) :] if author.startswith(_THREAD) else None
            yield RichText(text, f"{author}:" if author and thread is None else ""), thread


def read_threads(root: etree._Element) -> Iterator[tuple[str, ElementText]]:
    """Yield the thread id and the text of every comment and reply."""
    for comment in root.iterfind("{*}threadedComment"):
        thread = str(comment.get("parentId") or comment.get("id", ""))
        for text in comment.iterfind("{*}text"):
            yield thread, ElementText(text)


def update_stand_in(note: RichText, changed: Sequence[tuple[str, str]]) -> None:
    """Put the ``changed`` texts of a thread, in order, where ``note`` repeats the old ones."""
    text, position = note.text, 0
    for old, new in changed:
        start = text.find(old, position)
        if start >= 0:
            text = text[:start] + new + text[start + len(old) :]
            position = start + len(new)
    note.replace(Translation(text))
