"""Sheet of a workbook: the texts of its cells, its headers and footers, and texts that must stay.

In headers the text between the codes is read; the codes stay in place: ``&LPage &P of &N`` is shown
as «Page 1 of 2»: a number stands for a code, and keeps its place.

Entry: ``WorkbookSheet``; ``read_sheet_units``, among them ``HeaderText``.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from itertools import pairwise
from typing import Final

from lxml import etree

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.packages import Package, parse_xml, refuse_dtd, serialise
from prism_core.formats.text import Group, Loss, TextRun, edges_of, has_letter, place_words
from prism_core.formats.text_units import ElementText, LocatedUnit
from prism_core.formats.xlsx.cells import RichText, decode, encode
from prism_core.safe_xml import local_name

_CODE: Final = re.compile(
    r'&(?:"[^"]*"|\d+|K(?:[0-9A-Fa-f]{6}|\d\d[+-]\d{3})|[A-Za-z])', re.IGNORECASE
)
_SECTION: Final = re.compile(r"(&[LCRlcr])")
_NUMBERS: Final = {"P": "1", "N": "2"}
"""Stand-ins for the number of the page and of all pages."""
_FIELDS: Final = frozenset("DTFAZG")
"""Date, time, names of file, sheet and folder, picture: anchors without text."""
_MOST_CHARACTERS: Final = 255
"""Greatest length of a header, codes included."""


@dataclass(frozen=True, slots=True)
class _HeaderPiece:
    """Text, or code with the text that stands for it."""

    text: str
    code: str = ""

    @property
    def is_field(self) -> bool:
        return self.code[1:].upper() in _FIELDS | _NUMBERS.keys()


@dataclass(frozen=True, slots=True)
class HeaderText:
    """Left, middle or right part, number ``section``, of one header or footer."""

    element: etree._Element
    section: int

    @property
    def text(self) -> str:
        """Text without the white space around it."""
        return "".join(piece.text for piece in self._pieces()).strip()

    def replace(self, translation: Translation) -> Loss:
        """Put ``translation`` between the codes; a translation that is too long is not written."""
        pieces = self._pieces()
        wanted = translation.framed(*edges_of("".join(piece.text for piece in pieces)))
        kept = [piece for piece in pieces if piece.text or piece.is_field]
        hard = [False, *(left.is_field or right.is_field for left, right in pairwise(kept))]
        groups = [
            Group((TextRun(piece.text, str(index), index if piece.is_field else 0),), is_hard)
            for index, (piece, is_hard) in enumerate(zip(kept, hard, strict=True), 1)
        ]
        parts, lost = place_words(groups, wanted, movable=False)
        slices = (placed.text for placed in parts)
        content = ""
        for piece in pieces:
            text = next(slices) if piece.text or piece.is_field else ""
            if not piece.code:
                content += _escape(text, content)
            elif piece.text and piece.text in text:
                before, _, after = text.partition(piece.text)
                content += _escape(before, content) + piece.code + _escape(after, piece.code)
            else:
                content += piece.code + _escape(text, piece.code)
        sections = split_sections(self.element)
        sections[self.section] = content
        if len("".join(sections)) > _MOST_CHARACTERS:
            return Loss(texts=1)
        self.element.text = encode("".join(sections))
        return Loss(lost)

    def _pieces(self) -> list[_HeaderPiece]:
        section = split_sections(self.element)[self.section]
        pieces: list[_HeaderPiece] = []
        text, position = "", 0
        while position < len(section):
            escaped = section.startswith("&&", position)
            code = None if escaped else _CODE.match(section, position)
            if code is None:
                text += section[position]
                position += 2 if escaped else 1
                continue
            pieces.append(_HeaderPiece(text))
            pieces.append(_HeaderPiece(_NUMBERS.get(code[0][1:].upper(), ""), code[0]))
            text, position = "", code.end()
        return [*pieces, _HeaderPiece(text)]


def split_sections(element: etree._Element) -> list[str]:
    """Split the content of a header at the codes for left, middle and right: text and codes."""
    # An escaped ampersand before a letter is no code.
    parts = decode(element.text or "").split("&&")
    pieces = [_SECTION.split(part) for part in parts]
    sections = pieces[0]
    for piece in pieces[1:]:
        sections[-1] += "&&" + piece[0]
        sections += piece[1:]
    return sections


def _escape(text: str, before: str) -> str:
    """Return ``text`` as written after ``before``, where a digit would become part of a size."""
    size = re.search(r"&\d+$", before)
    return (" " if size and text[:1].isdigit() else "") + text.replace("&", "&&")


_LITERAL: Final = re.compile(r'"((?:[^"]|"")*+)"')
_BRACKET: Final = re.compile(r"\[((?:'.|[^\[\]'])++)\]")
_FORMULAS: Final = (
    "{*}f", "{*}formula", "{*}formula1", "{*}formula2", "{*}definedName",
    "{*}calculatedColumnFormula", "{*}totalsRowFormula",
)  # fmt: skip
_MOST_FORMULA: Final = 8192
"""Length in characters that programs allow a formula to have."""
_NAMES: Final = ("{*}cacheField", "{*}queryTableField")
_WORD: Final = re.compile(r"[!-~]+")
_SIGN: Final = re.compile(r"[\d_@\\]|[a-z][A-Z]|://|^www\.|\.[A-Za-z]{2,4}$")
"""Sign that no word has: a digit, an underscore, a capital inside, parts of an address."""
_NUMBERED: Final = re.compile(r"[A-Z][a-z]{3,}\d{1,2}")
"""Word with a number: Header1."""
_PROMPTS: Final = {"promptTitle": 32, "prompt": 255, "errorTitle": 32, "error": 255}
"""Messages of validated cells, and their greatest lengths."""
_INLINE_STRING: Final = re.compile(
    rb"<(?P<name>(?:[\w.-]+:)?is)(?:\s[^<>]*?)?(?:/>|>.*?</(?P=name)\s*>)", re.DOTALL
)
"""String inside a cell."""
_DATA: Final = re.compile(rb"<((?:[\w.-]+:)?sheetData)(?:\s[^<>]*)?/?>")
_MOST_TOOLTIP: Final = 255
_MOST_HEADER: Final = 2000
"""Length in characters; programs allow 255, codes included, and would not show a longer header."""


def find_fixed_texts(root: etree._Element) -> Iterator[str]:
    """Yield, folded, the texts that formulas quote or bracket, and names of data fields."""
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
    """Return a key that is equal for texts that formulas treat as the same."""
    return text.strip().casefold()


def is_prose(text: str) -> bool:
    """Return True if the cell ``text`` is to be translated."""
    if not has_letter(text):
        return False
    if _WORD.fullmatch(text) is None:
        return True
    return len(text) > 1 and (_SIGN.search(text) is None or _NUMBERED.fullmatch(text) is not None)


@dataclass(slots=True)
class SheetCells:
    """Texts of the cells of all sheets.

    ``shared`` are the entries of the shared strings that are in use, ``inline`` the strings inside
    cells, with their members, ``results`` the results of formulas, ``fixed`` the texts that
    formulas look for.
    """

    shared: set[int] = field(default_factory=set)
    inline: list[tuple[RichText, str]] = field(default_factory=list)
    results: set[str] = field(default_factory=set)

    fixed: set[str] = field(default_factory=set)

    def read(self, row: etree._Element) -> list[etree._Element]:
        """Read the cells of ``row``, and return the strings inside cells, removed from it."""
        inline = []
        for cell in row:
            kind = cell.get("t")
            if kind == "s":
                index = cell.findtext("{*}v", "")
                if index.isdecimal():
                    self.shared.add(int(index[:9]))
            elif kind == "str":
                self.results.add(decode(cell.findtext("{*}v", "")))
            elif kind == "inlineStr":
                inline += [(cell, string) for string in cell.iterfind("{*}is")]
        for cell, string in inline:
            cell.remove(string)
            string.tail = None
        self.fixed.update(find_fixed_texts(row))
        return [string for _, string in inline]


def _read_rows(content: bytes) -> etree.iterparse:
    """Yield the rows of a sheet, so that a table of a million cells is never held as a tree."""
    return etree.iterparse(
        BytesIO(content),
        tag="{*}row",
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        collect_ids=False,
    )


class WorkbookSheet:
    """Sheet read row by row; ``tree`` is without rows, if these can be located."""

    def __init__(self, package: Package, member: str, cells: SheetCells) -> None:
        self._package, self._member = package, member
        content = package.content(member)
        rows = _read_rows(content)
        self._inline_strings: list[etree._Element] = []  # the strings inside cells
        try:
            for _, row in rows:
                data = row.getparent()
                if data is not None and local_name(data) == "sheetData":
                    self._inline_strings += cells.read(row)
                    row.clear()
                    while row.getprevious() is not None:  # later rows may be there already
                        del data[0]
        except (etree.XMLSyntaxError, ValueError):
            raise DocumentError(DocumentFailure.CORRUPT) from None
        self.tree = rows.root.getroottree()
        refuse_dtd(self.tree)
        for data in self.tree.iterfind("{*}sheetData"):
            data.clear(keep_tail=True)
        self._has_rows = not self._can_locate_rows(content)
        if self._has_rows:
            self.tree = parse_xml(content)
            found = self.tree.iterfind("{*}sheetData/{*}row/{*}c[@t='inlineStr']")
            self._inline_strings = [string for cell in found for string in cell.iterfind("{*}is")]
        cells.inline += [(RichText(string), member) for string in self._inline_strings]

    def _can_locate_rows(self, content: bytes) -> bool:
        """Return True if the rows, and all strings in them, can be located in ``content``."""
        if (self.tree.docinfo.encoding or "UTF-8").upper() != "UTF-8":
            return False
        skeleton = serialise(self.tree)
        if not skeleton.count(b"sheetData") == len(_DATA.findall(skeleton)) == 1:
            return False
        if not self._inline_strings:
            return True
        if b"<!" in content:  # comments, CDATA
            return False
        return sum(1 for _ in _INLINE_STRING.finditer(content)) == len(self._inline_strings)

    def turn(self) -> bool:
        """Make the sheet begin on the right; return True if it has views."""
        views = list(self.tree.getroot().iterfind("{*}sheetViews/{*}sheetView"))
        for view in views:
            view.set("rightToLeft", "1")
        return bool(views)

    def rebuild(self) -> bytes:
        """Return the sheet with changes of ``tree`` and inline strings; other bytes stay."""
        content = serialise(self.tree)
        if self._has_rows:
            return content
        original = self._package.content(self._member)
        (start, end), (first, last) = _locate_rows(content), _locate_rows(original)
        sheet, done, strings = bytearray(content[:start]), first, iter(self._inline_strings)
        frame = etree.Element("frame", nsmap=dict(self.tree.getroot().nsmap))
        for found in _INLINE_STRING.finditer(original, first, last):
            frame[:] = [next(strings)]  # written where the names of the sheet are declared
            framed = etree.tostring(frame, encoding="UTF-8", xml_declaration=False)
            string = framed[framed.index(b">") + 1 : framed.rindex(b"</")]
            sheet += original[done : found.start()] + string
            done = found.end()
        sheet += original[done:last] + content[end:]
        return bytes(sheet)


def _locate_rows(content: bytes) -> tuple[int, int]:
    """Return where the rows begin and end, the element around them included."""
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


def find_cells_showing(
    package: Package, member: str, indices: Mapping[str, str], texts: Container[str]
) -> Iterator[tuple[str, str]]:
    """Yield name and text of cells that show ``texts``, also by ``indices`` of shared strings."""
    for _, row in _read_rows(package.content(member)):
        for cell in row:
            text = indices.get(cell.findtext("{*}v", "")) if cell.get("t") == "s" else None
            if cell.get("t") == "inlineStr":
                inline = (RichText(string).text for string in cell.iterfind("{*}is"))
                text = next((string for string in inline if string in texts), None)
            if text is not None and cell.get("r"):
                yield str(cell.get("r")), text
        row.clear()


def read_sheet_units(root: etree._Element) -> Iterator[LocatedUnit]:
    """Yield headers and footers, tips of links and the messages of validated cells."""
    for header in root.iterfind("{*}headerFooter/*"):
        kind = "header" if local_name(header).endswith("Header") else "footer"
        if len(header.text or "") <= _MOST_HEADER:
            for section in range(0, len(split_sections(header)), 2):
                yield LocatedUnit(HeaderText(header, section), kind, "sheet")
    for link in root.iterfind("{*}hyperlinks/{*}hyperlink"):
        yield LocatedUnit(ElementText(link, "tooltip", _MOST_TOOLTIP), "caption", "sheet")
    for check in root.iter("{*}dataValidation"):
        for name, most in _PROMPTS.items():
            yield LocatedUnit(ElementText(check, name, most), "comment", "sheet")
