"""Workbooks: XLSX, XLSM, XLTX, XLTM, transitional and strict.

Entry: ``XlsxFormat``; then ``Content``, the texts -> units replaced -> copies, threads, tables and
formulas that depend on cells brought up to date.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from lxml import etree

from prism_core.alignment import Translation
from prism_core.formats.base import Document
from prism_core.formats.ooxml.package import local_name, relations_of
from prism_core.formats.text import clean
from prism_core.formats.units import Located, find_changes, replace_units, segments
from prism_core.formats.xlsx.content import Content, update_stand_in
from prism_core.formats.xlsx.copies import follow_columns, rename_heads
from prism_core.formats.xlsx.line import MOST_CHARACTERS
from prism_core.formats.zip_package import Package, open_package, parse_xml, serialise

_BEFORE_CALCULATION: Final = ("sheets", "functionGroups", "externalReferences", "definedNames")
"""Elements of a workbook that stand before its rules of calculation."""
Parts = dict[str, etree._ElementTree | bytes]
"""Changed members, as trees or written already."""


class XlsxFormat:
    """Reads the text of a workbook; rebuilds it with everything else as it was.

    Members of the zip that hold no translated text keep their bytes. Numbers, dates, formulas,
    codes, defined names and names of sheets stay. Cells that say the same are one segment and stay
    alike, so that look-ups go on to work; a cell that says what a formula, a drop-down list or a
    pivot table looks for stays. Columns of tables and labels of charts follow their cells.
    """

    name = "xlsx"

    def read(self, path: Path) -> Document:
        """The texts of ``path``: cells, sheets, comments, drawings. Raises ``DocumentError``."""
        with open_package(path) as package:
            content = Content(package)
            return Document(path, self.name, segments(content.units), content.notices())

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Rebuild the workbook at ``path``; the notices count what could not be kept.

        ``formatting-simplified:N`` changes of formatting inside texts were given up,
        ``breaks-moved:N`` texts came back with other line breaks, ``texts-too-long:N`` stay in
        the source language because they would not fit where they stand.
        """
        with open_package(document.path) as package:
            content = Content(package)
            wanted = find_changes(content.units, document, translations)
            if not wanted:
                shutil.copyfile(document.path, path)
                return ()
            told, parts = rebuild(package, content, wanted)
            package.save(path, parts)
            return told


def rebuild(
    package: Package, content: Content, wanted: Sequence[tuple[Located, Translation]]
) -> tuple[tuple[str, ...], Parts]:
    """Replace the ``wanted`` units and all that follows them; the notices and the changed parts."""
    cells = {
        item.unit.text: text
        for item, translation in wanted
        if item.kind == "cell"
        and 0 < len(text := clean(translation).text.strip()) <= MOST_CHARACTERS
    }
    threads = [(thread, unit, unit.text) for thread, unit in content.threads]
    told = replace_units(wanted)
    members = {member for item, _ in wanted for member in item.members}
    members |= {copy.member for copy in content.copies if copy.follow(cells)}
    for stand_in, member in content.stand_ins:
        changed = [(old, unit.text) for thread, unit, old in threads if thread == stand_in.thread]
        if any(old != new for old, new in changed):
            update_stand_in(stand_in.note, changed)
            members.add(member)
    parts: Parts = {
        member: content.sheets[member].rebuilt()
        if member in content.sheets
        else content.trees[member]
        for member in members
    }
    if cells:
        _follow_in_tables(package, content, cells, parts)
        if content.shows_results:
            parts[content.main] = _recalculated(package.parse(content.main))
    return told, parts


def _follow_in_tables(
    package: Package, content: Content, cells: Mapping[str, str], parts: Parts
) -> None:
    """Columns of tables get the texts of their heads, and heads are told apart where they clash."""
    for sheet in content.sheets:
        tables = [part for kind, part in relations_of(package, sheet).values() if kind == "table"]
        for table in filter(content.trees.__contains__, tables):
            root = content.trees[table].getroot()
            before = etree.tostring(root)
            renamed = follow_columns(root, cells)
            if etree.tostring(root) != before:
                parts[table] = content.trees[table]
            if renamed:
                tree = parse_xml(serialise(parts.get(sheet) or package.content(sheet)))
                rename_heads(tree.getroot(), root, renamed)
                parts[sheet] = serialise(tree)


def _recalculated(main: etree._ElementTree) -> etree._ElementTree:
    """The workbook, asking programs to work out its formulas anew when they open it."""
    root = main.getroot()
    calculation = root.find("{*}calcPr")
    if calculation is None:
        space = str(root.tag).rpartition("}")[0] + "}"
        calculation = etree.Element(f"{space}calcPr")
        before = [child for child in root if local_name(child) in _BEFORE_CALCULATION]
        root.insert(root.index(before[-1]) + 1 if before else len(root), calculation)
    calculation.set("fullCalcOnLoad", "1")
    return main
