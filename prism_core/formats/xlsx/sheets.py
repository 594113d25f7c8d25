"""One sheet: which strings its cells show, which of them may change, and the texts it holds itself.

Numbers, codes, addresses and names of files stay as they are. So do texts that formulas, drop-down
lists and pivot tables look for: a cell with «Yes» that a formula compares with ``"Yes"`` would
change what the formula says.

Entry: ``Sheet``, read row by row into ``Cells``; then ``sheet_units`` for what is no cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Final

from lxml import etree

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.ooxml.package import local_name
from prism_core.formats.units import AttributeText, Unit
from prism_core.formats.xlsx.headers import HeaderText, split_sections
from prism_core.formats.xlsx.line import RichText, decode
from prism_core.formats.zip_package import Package, refuse_dtd, serialise

_LITERAL: Final = re.compile(r'"((?:[^"]|"")*+)"')
_BRACKET: Final = re.compile(r"\[((?:'.|[^\[\]'])++)\]")
_FORMULAS: Final = (
    "{*}f",
    "{*}formula",
    "{*}formula1",
    "{*}formula2",
    "{*}definedName",
    "{*}calculatedColumnFormula",
    "{*}totalsRowFormula",
)
_MOST_FORMULA: Final = 8192
"""Characters that programs allow a formula to have."""
_NAMES: Final = ("{*}cacheField", "{*}queryTableField")
_WORD: Final = re.compile(r"[!-~]+")
_SIGN: Final = re.compile(r"[\d_@\\]|[a-z][A-Z]|://|^www\.|\.[A-Za-z]{2,4}$")
"""What no word of a language has: a digit, an underscore, a capital inside, parts of an address."""
_PROMPTS: Final = {"promptTitle": 32, "prompt": 255, "errorTitle": 32, "error": 255}
"""The messages of checked cells, and how long they may be."""
_DATA: Final = re.compile(rb"<((?:[\w.-]+:)?sheetData)(?:\s[^<>]*)?/?>")
_MOST_TOOLTIP: Final = 255
_MOST_HEADER: Final = 2000
"""Characters; programs allow 255, codes included, and would not show what is longer."""


def fixed_texts(root: etree._Element) -> Iterator[str]:
    """What formulas below ``root`` quote or name in brackets, and the names of data fields.

    Folded, because programs compare without case.
    """
    for element in root.iter(*_FORMULAS):
        formula = (element.text or "")[:_MOST_FORMULA]
        for literal in _LITERAL.findall(formula) if '"' in formula else ():
            yield fold(literal.replace('""', '"'))
            yield from map(fold, literal.split(","))  # the entries of a drop-down list
        for name in _BRACKET.findall(formula) if "[" in formula else ():
            yield fold(re.sub("'(.)", r"\1", name).lstrip("@"))
    for element in root.iter(*_NAMES):
        yield fold(decode(str(element.get("name", ""))))


def fold(text: str) -> str:
    """Equal for texts that formulas take for the same."""
    return text.strip().casefold()


def is_prose(text: str) -> bool:
    """Whether the cell ``text`` is to be translated."""
    if not any(map(str.isalpha, text)):
        return False
    if _WORD.fullmatch(text) is None:
        return True
    return len(text) > 1 and _SIGN.search(text) is None


@dataclass(slots=True)
class Cells:
    """What the cells of all sheets show.

    ``shared`` are the entries of the shared strings that are in use, ``inline`` the strings that
    stand in cells, with their members, ``results`` the texts that formulas gave, ``fixed`` those
    that formulas look for.
    """

    shared: set[int] = field(default_factory=set)
    inline: list[tuple[RichText, str]] = field(default_factory=list)
    results: set[str] = field(default_factory=set)

    fixed: set[str] = field(default_factory=set)

    def read(self, row: etree._Element) -> bool:
        """Take in the cells of ``row``; whether any of them holds its own string."""
        inline = False
        for cell in row:
            kind = cell.get("t")
            if kind == "s":
                index = cell.findtext("{*}v", "")
                if index.isdecimal():
                    self.shared.add(int(index[:9]))
            elif kind == "str":
                self.results.add(decode(cell.findtext("{*}v", "")))
            elif kind == "inlineStr":
                inline = True
        self.fixed.update(fixed_texts(row))
        return inline


class Sheet:
    """One sheet, read row by row: a table of a million cells is never held as a tree.

    ``tree`` is the sheet without its rows, unless cells hold strings of their own.
    """

    def __init__(self, package: Package, member: str, cells: Cells) -> None:
        self._package, self._member = package, member
        self.tree, inline = _skeleton(package.content(member), cells)
        self._has_rows = inline or not _can_be_joined(self.tree)
        if self._has_rows:
            self.tree = package.parse(member)
            for cell in self.tree.iterfind("{*}sheetData/{*}row/{*}c[@t='inlineStr']"):
                cells.inline += [(RichText(text), member) for text in cell.iterfind("{*}is")]

    def rebuilt(self) -> bytes:
        """The sheet with whatever changed in ``tree``; its rows are the bytes they were."""
        content = serialise(self.tree)
        if self._has_rows:
            return content
        original = self._package.content(self._member)
        (start, end), (first, last) = _rows(content), _rows(original)
        return content[:start] + original[first:last] + content[end:]


def _skeleton(content: bytes, cells: Cells) -> tuple[etree._ElementTree, bool]:
    """The sheet without its rows, which ``cells`` takes in, and whether they hold strings."""
    inline = False
    rows = etree.iterparse(
        BytesIO(content), tag="{*}row", resolve_entities=False, no_network=True, huge_tree=False
    )
    try:
        for _, row in rows:
            data = row.getparent()
            if data is not None and local_name(data) == "sheetData":
                inline |= cells.read(row)
                row.clear()
                while row.getprevious() is not None:  # what follows may be there already
                    del data[0]
    except (etree.XMLSyntaxError, ValueError):
        raise DocumentError(DocumentFailure.CORRUPT) from None
    tree = rows.root.getroottree()
    refuse_dtd(tree)
    for data in tree.iterfind("{*}sheetData"):
        data.clear(keep_tail=True)
    return tree, inline


def _can_be_joined(tree: etree._ElementTree) -> bool:
    """Whether the place of the rows is certain in the bytes that ``tree`` was read from."""
    encoding = (tree.docinfo.encoding or "UTF-8").upper()
    content = serialise(tree)
    return encoding == "UTF-8" and content.count(b"sheetData") == len(_DATA.findall(content)) == 1


def _rows(content: bytes) -> tuple[int, int]:
    """Where the rows begin and end, the element around them included."""
    first = _DATA.search(content)
    if first is None:
        raise DocumentError(DocumentFailure.UNREBUILDABLE)
    if first[0].endswith(b"/>"):
        return first.span()
    closing = content.rfind(b"</" + first[1])
    end = content.find(b">", closing) + 1
    if closing < 0 or end <= 0:
        raise DocumentError(DocumentFailure.UNREBUILDABLE)
    return first.start(), end


def sheet_units(root: etree._Element) -> Iterator[tuple[Unit, str]]:
    """Headers and footers, tips of links and the messages of checked cells."""
    for header in root.iterfind("{*}headerFooter/*"):
        kind = "header" if local_name(header).endswith("Header") else "footer"
        if len(header.text or "") <= _MOST_HEADER:
            for section in range(0, len(split_sections(header)), 2):
                yield HeaderText(header, section), kind
    for link in root.iterfind("{*}hyperlinks/{*}hyperlink"):
        yield AttributeText(link, "tooltip", _MOST_TOOLTIP), "caption"
    for check in root.iter("{*}dataValidation"):
        for name, most in _PROMPTS.items():
            yield AttributeText(check, name, most), "comment"
