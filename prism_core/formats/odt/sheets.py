"""Cells of OpenDocument spreadsheets: which of them are words to translate.

Entry: ``Sheets``, of one part; ``keeps`` says of a paragraph in a cell whether its text stays.
"""

from __future__ import annotations

import re
from fnmatch import translate
from typing import Final

from lxml import etree

from prism_core.formats.odt.slots import OFFICE, TABLE

_CELLS: Final = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
_SAYING: Final = ("formula", "condition", "expression")
"""Attributes in whose quotes stand texts that cells are compared with."""
_LOOKED_FOR: Final = {
    f"{TABLE}filter-condition": f"{TABLE}value",
    f"{TABLE}filter-set-item": f"{TABLE}value",
    f"{TABLE}data-pilot-field": f"{TABLE}source-field-name",
    f"{TABLE}data-pilot-member": f"{TABLE}name",
}
"""Elements and the attribute of each that says what a cell says."""
_QUOTED: Final = re.compile(r'"((?:[^"]|"")*)"')
_OPERATOR: Final = re.compile(r"[<>=]+")


class Sheets:
    """What the formulas, filters, lists and pivot tables of a spreadsheet look for in its cells.

    In a part that is no spreadsheet nothing stays. ``kept`` counts the words that do for a formula.
    """

    def __init__(self, root: etree._Element) -> None:
        self._is_one = next(root.iter(f"{OFFICE}spreadsheet"), None) is not None
        self._sought: set[str] = set()
        self._patterns: dict[str, re.Pattern[str]] = {}
        self.kept = 0
        for element in root.iter() if self._is_one else ():
            for name, value in element.attrib.items():
                if str(name).endswith(_SAYING):
                    for said in _QUOTED.findall(str(value)):
                        self._seek(said.replace('""', '"'))
            if (name := _LOOKED_FOR.get(str(element.tag), "")) and element.get(name):
                self._seek(str(element.get(name)))

    def _seek(self, said: str) -> None:
        operator = _OPERATOR.match(said)
        text = said[operator.end() :] if operator else said
        if not text.strip("*?. "):
            return  # any text
        if "*" in text or "?" in text:
            shell = text.replace(".*", "*").replace("[", "[[]")
            self._patterns[shell] = re.compile(translate(shell), re.IGNORECASE)
        else:
            self._sought.add(text.strip().casefold())

    def keeps(self, element: etree._Element) -> bool:
        """Whether the paragraph ``element`` stays, because its cell is no text or is looked for."""
        cell = element.getparent() if self._is_one else None
        if cell is None or cell.tag not in _CELLS:
            return False
        computed = cell.get(f"{TABLE}formula") is not None
        if computed or cell.get(f"{OFFICE}value-type", "string") != "string":
            return True
        if cell.get(f"{OFFICE}string-value") is not None:  # it would go on saying the same
            return True
        text = " ".join("".join(map(str, cell.itertext())).split())
        patterns = self._patterns.values()
        found = text.casefold() in self._sought or any(one.match(text) for one in patterns)
        self.kept += found
        return found
