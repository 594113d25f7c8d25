"""Everything in a workbook that its readers see as text, in a fixed order, as units.

Entry: ``Content``; sheets, then names that fix cells, cells, comments, drawings, properties.
Comments are notes, and threads with the note that stands in for each of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lxml import etree

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.notices import notices
from prism_core.formats.ooxml.drawings import Drawn, drawing_role, gather_units, read_drawing
from prism_core.formats.ooxml.line import Paragraph
from prism_core.formats.ooxml.package import (
    embedded_files,
    local_name,
    parts_by_role,
    property_units,
)
from prism_core.formats.units import ElementText
from prism_core.formats.xlsx.copies import Copy, filter_copies, sheet_copies
from prism_core.formats.xlsx.line import RichText
from prism_core.formats.xlsx.sheets import Cells, Sheet, fixed_texts, fold, is_prose, sheet_units
from prism_core.formats.zip_package import Package

_THREAD: Final = "tc="
"""How the author of a note begins that only repeats a thread for older programs."""
_MAIN: Final = re.compile(
    r"(spreadsheetml\.(sheet|template)\.main|ms-excel\.(sheet|template)\.macroEnabled\.main)\+xml"
)
_ROLES: Final = {
    "spreadsheetml.worksheet": "sheet",
    "spreadsheetml.chartsheet": "sheet",
    "spreadsheetml.dialogsheet": "sheet",
    "spreadsheetml.sharedStrings": "strings",
    "spreadsheetml.table": "table",
    "spreadsheetml.comments": "notes",
    "ms-excel.threadedcomments": "threads",
    "spreadsheetml.pivotCacheDefinition": "names",
    "spreadsheetml.queryTable": "names",
    "officedocument.drawing": "shapes",
    "package.core-properties": "property",
}
_DRAWINGS: Final = ("shapes", "chart", "chartshape", "diagram")
_PLAIN_NAME: Final = re.compile(r"[^\W\d_]+ ?\d*")
"""The name of a sheet as programs give it: Sheet1, Tabelle 2."""


@dataclass(frozen=True, slots=True)
class StandIn:
    """The note that repeats the thread ``thread`` for older programs."""

    note: RichText
    thread: str


def read_notes(root: etree._Element) -> Iterator[RichText | StandIn]:
    """The notes of one sheet; the name of its author, where one begins with it, is no text."""
    authors = [element.text or "" for element in root.iterfind("{*}authors/{*}author")]
    for comment in root.iterfind("{*}commentList/{*}comment"):
        index = str(comment.get("authorId", ""))[:9]
        known = index.isdecimal() and int(index) < len(authors)
        author = authors[int(index)] if known else ""
        for text in comment.iterfind("{*}text"):
            if author.startswith(_THREAD):
                yield StandIn(RichText(text), author[len(_THREAD) :])
            else:
                yield RichText(text, f"{author}:" if author else "")


def read_threads(root: etree._Element) -> Iterator[tuple[str, ElementText]]:
    """The id of its thread, and the text, of every comment and reply."""
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


class Content:
    """The units of a workbook, the trees they stand in, and the copies that follow them."""

    def __init__(self, package: Package) -> None:
        self.trees: dict[str, etree._ElementTree] = {}
        self.copies: list[Copy] = []
        self.threads: list[tuple[str, ElementText]] = []
        self.stand_ins: list[tuple[StandIn, str]] = []
        self._package = package
        self._cells = Cells()
        self.sheets: dict[str, Sheet] = {}
        self._parts: dict[str, list[str]] = {}
        for role, member in parts_by_role(package, _role):
            self._parts.setdefault(role, []).append(member)
        if "main" not in self._parts:
            raise DocumentError(DocumentFailure.CORRUPT)
        self.main = self._parts["main"][0]
        in_sheets = self._read_sheets()
        self._read_names()
        found = [*self._cell_texts(), *in_sheets, *self._comments(), *self._drawn()]
        self.units = gather_units([*found, *self._properties()])

    @property
    def shows_results(self) -> bool:
        """Whether formulas show text, which programs work out again from the new cells."""
        return any(map(is_prose, self._cells.results))

    def notices(self) -> tuple[str, ...]:
        """What the workbook holds that stays in its language, for the report."""
        sheets = self._package.parse(self.main).getroot().iterfind("{*}sheets/{*}sheet")
        names = [str(sheet.get("name", "")) for sheet in sheets]
        return notices(
            {
                "sheet-names-kept": sum(not _PLAIN_NAME.fullmatch(name) for name in names),
                "cells-kept-for-formulas": self._kept,
                "formula-texts-untranslated": sum(map(is_prose, self._cells.results)),
                "pivot-tables-untranslated": sum(
                    "/pivotCache/" in n for n in self._parts_of("names")
                ),
                "embedded-files-untranslated": embedded_files(self._package),
            }
        )

    def _parts_of(self, role: str) -> list[str]:
        return self._parts.get(role, [])

    def _read_sheets(self) -> list[tuple[Drawn, str]]:
        """The texts that sheets hold themselves, beside those of their cells."""
        found = []
        for member in self._parts_of("sheet"):
            sheet = self.sheets[member] = Sheet(self._package, member, self._cells)
            root = sheet.tree.getroot()
            self._cells.fixed.update(fixed_texts(root))
            found += [(Drawn(unit, kind, "sheet"), member) for unit, kind in sheet_units(root)]
            self.copies += sheet_copies(root, member)
        return found

    def _read_names(self) -> None:
        """Names that tables, pivot tables and defined names find cells by."""
        self._cells.fixed.update(fixed_texts(self._package.parse(self.main).getroot()))
        for member in self._parts_of("names"):
            self._cells.fixed.update(fixed_texts(self._package.parse(member).getroot()))
        for member in self._parts_of("table"):
            root = self._parsed(member)
            self._cells.fixed.update(fixed_texts(root))
            self.copies += filter_copies(root, member)

    def _cell_texts(self) -> list[tuple[Drawn, str]]:
        """Cells that say the same are one text, so that look-ups still find each other."""
        strings = [*self._shared_strings(), *self._cells.inline]
        self._known = {string.text for string, _ in strings} | self._cells.results
        prose = [(string, member) for string, member in strings if is_prose(string.text)]
        kept = {string.text for string, _ in prose if fold(string.text) in self._cells.fixed}
        self._kept = len(kept)
        return [(Drawn(s, "cell", "cell"), member) for s, member in prose if s.text not in kept]

    def _shared_strings(self) -> Iterator[tuple[RichText, str]]:
        """The shared strings that a cell shows; others are remains."""
        for member in self._parts_of("strings"):
            for index, entry in enumerate(self._parsed(member).iterfind("{*}si")):
                if index in self._cells.shared:
                    yield RichText(entry), member

    def _comments(self) -> Iterator[tuple[Drawn, str]]:
        for member in self._parts_of("notes"):
            for note in read_notes(self._parsed(member)):
                if isinstance(note, StandIn):
                    self.stand_ins.append((note, member))
                else:
                    yield Drawn(note, "comment"), member
        for member in self._parts_of("threads"):
            for thread, text in read_threads(self._parsed(member)):
                self.threads.append((thread, text))
                yield Drawn(text, "comment"), member

    def _drawn(self) -> Iterator[tuple[Drawn, str]]:
        """Shapes and charts; what a chart says as a cell does is a copy."""
        for role in _DRAWINGS:
            for member in self._parts_of(role):
                for drawn in read_drawing(self._parsed(member), role == "diagram"):
                    unit = drawn.unit
                    if isinstance(unit, ElementText) and unit.text in self._known:
                        self.copies.append(Copy(unit.element, member))
                    elif not (isinstance(unit, Paragraph) and _shows_cell(unit.element)):
                        yield drawn, member

    def _properties(self) -> Iterator[tuple[Drawn, str]]:
        for member in self._parts_of("property"):
            for unit, kind in property_units(self._parsed(member)):
                yield Drawn(unit, kind), member

    def _parsed(self, member: str) -> etree._Element:
        if member not in self.trees:
            self.trees[member] = self._package.parse(member)
        return self.trees[member].getroot()


def _role(content_type: str) -> str:
    if _MAIN.search(content_type):
        return "main"
    for name, role in _ROLES.items():
        if content_type.endswith(f".{name}+xml") or content_type.endswith(f"-{name}+xml"):
            return role
    return drawing_role(content_type)


def _shows_cell(paragraph: etree._Element) -> bool:
    """Whether the shape of ``paragraph`` repeats a cell, which programs do anew."""
    return any(
        local_name(ancestor) == "sp" and ancestor.get("textlink")
        for ancestor in paragraph.iterancestors()
    )
