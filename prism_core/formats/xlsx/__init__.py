"""Workbooks: XLSX, XLSM, XLTX, XLTM, transitional and strict.

Entry: ``XlsxFormat`` -> ``XlsxTexts``; what depends on cells follows them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Final

from lxml import etree

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import FormatOptions, notices, turns_round
from prism_core.formats.ooxml import (
    count_embedded_documents,
    find_parts_by_role,
    gather_units,
    paragraphs_of,
    read_drawing,
    read_properties,
    relations_of,
)
from prism_core.formats.ooxml.comments import CommentParts, note_cells
from prism_core.formats.ooxml.language import ensure_look, set_paragraph
from prism_core.formats.ooxml.line import OoxmlParagraph
from prism_core.formats.packages import Package, Parts, open_package, parse_xml, serialise
from prism_core.formats.text import clean_translation
from prism_core.formats.text_units import (
    Comment,
    DocumentTexts,
    ElementText,
    LocatedUnit,
    UnitFormat,
)
from prism_core.formats.untranslated_marks import marks_of
from prism_core.formats.xlsx.cells import (
    MOST_CHARACTERS,
    CellCopy,
    RichText,
    corner_of,
    filter_copies,
    follow_columns,
    read_notes,
    read_threads,
    rename_heads,
    sheet_copies,
    update_stand_in,
)
from prism_core.formats.xlsx.sheets import (
    SheetCells,
    WorkbookSheet,
    find_cells_showing,
    find_fixed_texts,
    fold,
    is_prose,
    read_sheet_units,
)
from prism_core.safe_xml import local_name, namespace

_TYPE: Final = re.compile(
    r"(?:spreadsheetml\.(sheet|template)\.main|ms-excel\.(sheet|template)\.macroEnabled\.main)\+xml"
    r"|[.-]spreadsheetml\.(worksheet|chartsheet|dialogsheet|sharedStrings|table|comments"
    r"|pivotCacheDefinition|queryTable)\+xml\Z"
    r"|[.-](?:ms-excel\.(threadedcomments)|officedocument\.(drawing))\+xml\Z"
)
_ROLES: Final = {
    "sheet": "main", "template": "main",
    "worksheet": "sheet", "chartsheet": "sheet", "dialogsheet": "sheet",
    "pivotCacheDefinition": "names", "queryTable": "names",
}  # fmt: skip
"""Common role of parts that are used alike."""
_DRAWINGS: Final = ("drawing", "chart", "chartshape", "diagram")
_MOST_NOTES: Final = 100
"""Limit of PRISM's notes on one sheet: more of them mark nothing."""
_PLAIN_NAME: Final = re.compile(r"[^\W\d_]+ ?\d*")
"""Name of a sheet as programs give it: Sheet1, Tabelle 2."""
_BEFORE_CALCULATION: Final = ("sheets", "functionGroups", "externalReferences", "definedNames")
"""Elements of a workbook that precede its rules of calculation."""


class XlsxFormat(UnitFormat):
    """Workbooks: reads the text, and rebuilds the file with everything else unchanged.

    Numbers, dates, formulas, codes, defined names and names of sheets stay. Cells with equal text
    are one segment and stay alike, so that look-ups still work. A cell stays if a formula, a
    drop-down list or a pivot table looks for its text. Columns of tables and labels of charts
    follow their cells.
    """

    name = "xlsx"

    @contextmanager
    def open(self, path: Path) -> Iterator[XlsxTexts]:
        """Open the workbook and yield its cells, sheets, comments and drawings."""
        with open_package(path, self._options) as package:
            yield XlsxTexts(package, self._options)


class XlsxTexts(DocumentTexts):
    """Texts of a workbook, and the copies that follow them."""

    def __init__(self, package: Package, options: FormatOptions) -> None:
        super().__init__(package.save, (), {})
        self._options = options
        self.package = package
        self._copies: list[CellCopy] = []
        self._threads: list[tuple[str, ElementText]] = []
        self._stand_ins: list[tuple[RichText, str, str]] = []
        self._cells = SheetCells()
        self._sheets: dict[str, WorkbookSheet] = {}
        self._renamed: set[str] = set()
        self._parts: dict[str, list[str]] = defaultdict(list)
        for role, member in find_parts_by_role(package, _TYPE):
            self._parts[_ROLES.get(role, role)].append(member)
        if "main" not in self._parts:
            raise DocumentError(DocumentFailure.CORRUPT)
        self._main = self._parts["main"][0]
        in_sheets: list[tuple[LocatedUnit, str]] = []  # texts of sheets outside cells
        for member in self._parts["sheet"]:
            sheet = self._sheets[member] = WorkbookSheet(self.package, member, self._cells)
            self.trees[member] = sheet.tree
            root = sheet.tree.getroot()
            self._cells.fixed.update(find_fixed_texts(root))
            self._copies += sheet_copies(root, member)
            in_sheets += ((unit, member) for unit in read_sheet_units(root))
        # Names by which tables, pivot tables and defined names find cells.
        for member in (self._main, *self._parts["names"]):
            self._cells.fixed.update(find_fixed_texts(self.package.parse(member).getroot()))
        for member in self._parts["table"]:
            root = self._parse(member)
            self._cells.fixed.update(find_fixed_texts(root))
            self._copies += filter_copies(root, member)
        found = [*self._find_cells(), *in_sheets, *self._find_comments(), *self._find_drawings()]
        for member in self._parts["core"]:
            found += ((drawn, member) for drawn in read_properties(self._parse(member)))
        self.units = gather_units(found)

    def notices(self) -> tuple[str, ...]:
        """Return notices that count the content that stays in its language."""
        sheets = self.package.parse(self._main).getroot().iterfind("{*}sheets/{*}sheet")
        names = [str(sheet.get("name", "")) for sheet in sheets]
        pivots = ["/pivotCache/" in member for member in self._parts["names"]]
        return notices(
            {
                "sheet-names-kept": sum(not _PLAIN_NAME.fullmatch(name) for name in names),
                "cells-kept-for-formulas": self._kept,
                "formula-texts-untranslated": sum(map(is_prose, self._cells.results)),
                "pivot-tables-untranslated": sum(pivots),
                "embedded-files-untranslated": count_embedded_documents(self.package),
                "pictures-unread": self.package.count_pictures(),
            }
        )

    def replace(
        self, wanted: Sequence[tuple[LocatedUnit, Translation]]
    ) -> tuple[Parts, tuple[str, ...]]:
        """Replace texts, and everything that follows them; sheets begin on the target's side."""
        cells = {
            item.unit.text: text
            for item, translation in wanted
            if item.kind == "cell"
            and 0 < len(text := clean_translation(translation).text.strip()) <= MOST_CHARACTERS
        }
        threads = [(thread, unit, unit.text) for thread, unit in self._threads]
        changed, loss_notices = super().replace(wanted)
        members = {*changed, *(copy.member for copy in self._copies if copy.follow(cells))}
        if turns_round(self._options):
            for paragraph in paragraphs_of(item for item, _ in wanted):
                set_paragraph(paragraph, self._options)
            members |= {member for member, sheet in self._sheets.items() if sheet.turn()}
            members |= self._turn_cells()
        for note, thread, member in self._stand_ins:
            replies = [(old, unit.text) for name, unit, old in threads if name == thread]
            if any(old != new for old, new in replies):
                update_stand_in(note, replies)
                members.add(member)
        parts: Parts = {
            member: self._sheets[member].rebuild() if member in self._sheets else self.trees[member]
            for member in members
        }
        if cells:
            self._follow_in_tables(cells, parts)
            if any(map(is_prose, self._cells.results)):  # programs are to compute them again
                main = parts[self._main] = self.package.parse(self._main)
                root = main.getroot()
                calculation = root.find("{*}calcPr")
                if calculation is None:
                    calculation = etree.Element(f"{{{namespace(root)}}}calcPr")
                    before = [child for child in root if local_name(child) in _BEFORE_CALCULATION]
                    root.insert(root.index(before[-1]) + 1 if before else len(root), calculation)
                calculation.set("fullCalcOnLoad", "1")
        return parts, loss_notices

    def _turn_cells(self) -> set[str]:
        """Make cells run from the right, whatever they begin with; return the changed styles."""
        relations = relations_of(self.package, self._main).values()
        found = {part for kind, part in relations if kind == "styles"}
        for part in found:
            for look in self._parse(part).iterfind("{*}cellXfs/{*}xf"):
                ensure_look(look, "alignment").set("readingOrder", "2")
                look.set("applyAlignment", "1")
        return found

    def can_comment(self, item: LocatedUnit) -> bool:
        """Return True for cells."""
        return item.kind == "cell"

    def comment(self, comments: Sequence[Comment], changed: Parts) -> int:
        """Add a note to each cell that shows a text, to the first hundred of a sheet."""
        texts = {
            c.source: "\n".join(
                mark.comment_on(c.translation, quoted=len(marks_of(c.translation)) > 1)
                for mark in marks_of(c.translation)
            )
            for c in comments
        }
        indices = {
            str(index): text
            for member in self._parts["sharedStrings"]
            for index, entry in enumerate(self.package.parse(member).iterfind("{*}si"))
            if (text := RichText(entry).text) in texts
        }
        parts, left, refused = CommentParts(self.package, changed, self.trees), set(texts), 0
        for sheet in self._parts["sheet"]:
            found = list(
                islice(find_cells_showing(self.package, sheet, indices, texts), _MOST_NOTES)
            )
            notes = [(name, *corner_of(name), texts[text]) for name, text in found]
            left.difference_update(text for _, text in found)
            if sheet in self._renamed:
                refused += note_cells(parts, sheet, parts.root(sheet), notes)
            elif notes:
                refused += note_cells(parts, sheet, self._sheets[sheet].tree.getroot(), notes)
                changed[sheet] = self._sheets[sheet].rebuild()
        return len(left) + refused

    def _follow_in_tables(self, cells: Mapping[str, str], parts: Parts) -> None:
        """Give columns of tables the texts of their heads, made unique where they clash."""
        for sheet in self._sheets:
            relations = relations_of(self.package, sheet).values()
            for table in [p for kind, p in relations if kind == "table" and p in self.trees]:
                root = self.trees[table].getroot()
                before = etree.tostring(root)
                renamed = follow_columns(root, cells)
                if etree.tostring(root) != before:
                    parts[table] = self.trees[table]
                if renamed:
                    tree = parse_xml(serialise(parts.get(sheet) or self.package.content(sheet)))
                    rename_heads(tree.getroot(), root, renamed)
                    parts[sheet] = serialise(tree)
                    self._renamed.add(sheet)

    def _find_cells(self) -> list[tuple[LocatedUnit, str]]:
        """Return the texts of cells that are shown; equal cells are one, so look-ups match."""
        strings = [
            (RichText(entry), member)
            for member in self._parts["sharedStrings"]
            for index, entry in enumerate(self._parse(member).iterfind("{*}si"))
            if index in self._cells.shared
        ]
        strings += self._cells.inline
        self._known = {string.text for string, _ in strings} | self._cells.results
        prose = [(string, member) for string, member in strings if is_prose(string.text)]
        kept = {string.text for string, _ in prose if fold(string.text) in self._cells.fixed}
        self._kept = len(kept)
        return [
            (LocatedUnit(s, "cell", "cell"), member) for s, member in prose if s.text not in kept
        ]

    def _find_comments(self) -> Iterator[tuple[LocatedUnit, str]]:
        """Yield notes, and threads with the note that repeats each of them."""
        for member in self._parts["comments"]:
            for note, thread in read_notes(self._parse(member)):
                if thread is not None:
                    self._stand_ins.append((note, thread, member))
                else:
                    yield LocatedUnit(note, "comment"), member
        for member in self._parts["threadedcomments"]:
            for thread, text in read_threads(self._parse(member)):
                self._threads.append((thread, text))
                yield LocatedUnit(text, "comment"), member

    def _find_drawings(self) -> Iterator[tuple[LocatedUnit, str]]:
        """Yield shapes and charts, without labels and shapes that repeat a cell."""
        for role in _DRAWINGS:
            for member in self._parts[role]:
                for drawn in read_drawing(self._parse(member), role == "diagram"):
                    unit = drawn.unit
                    if isinstance(unit, ElementText) and not unit.name and unit.text in self._known:
                        self._copies.append(CellCopy(unit, member))
                    elif not isinstance(unit, OoxmlParagraph) or not any(
                        local_name(ancestor) == "sp" and ancestor.get("textlink")
                        for ancestor in unit.element.iterancestors()
                    ):
                        yield drawn, member

    def _parse(self, member: str) -> etree._Element:
        if member not in self.trees:
            self.trees[member] = self.package.parse(member)
        return self.trees[member].getroot()
