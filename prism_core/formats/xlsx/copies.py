"""What repeats a text of a workbook elsewhere in it, and follows that text when it changes.

Columns of tables bear the text of their head, charts keep labels, filters and links what they
show. A copy is no text of its own; on writing it takes the translation of the cells that say it.
So does the note that stands in for a thread of comments in older programs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lxml import etree

from prism_core.alignment import Translation
from prism_core.formats.units import ElementText
from prism_core.formats.xlsx.line import RichText, decode, encode
from prism_core.safe_xml import local_name, namespace

_THREAD: Final = "tc="
"""How the author of a note begins that only repeats a thread for older programs."""


@dataclass(frozen=True, slots=True)
class CellCopy:
    """An element's text, or its attribute ``name``, that repeats a cell."""

    element: etree._Element
    member: str
    name: str = ""

    @property
    def text(self) -> str:
        """What the copy says."""
        value = self.element.get(self.name) if self.name else self.element.text
        return decode(str(value or "")).strip()

    def follow(self, translations: Mapping[str, str]) -> bool:
        """Take the translation of the cells that say the same; whether there is one."""
        new = translations.get(self.text)
        if new is None:
            return False
        if self.name:
            self.element.set(self.name, encode(new))
        else:
            self.element.text = encode(new)
        return True


def sheet_copies(root: etree._Element, member: str) -> Iterator[CellCopy]:
    """Texts of links and values of filters."""
    for link in root.iterfind("{*}hyperlinks/{*}hyperlink"):
        yield CellCopy(link, member, "display")
    yield from filter_copies(root, member)


def filter_copies(root: etree._Element, member: str) -> Iterator[CellCopy]:
    """The values that the filters of a sheet or table let through."""
    for value in root.iterfind("{*}autoFilter/{*}filterColumn/{*}filters/{*}filter"):
        yield CellCopy(value, member, "val")


def follow_columns(table: etree._Element, translations: Mapping[str, str]) -> dict[int, str]:
    """Give the columns of ``table`` the new texts of their heads, and totals their labels.

    Two columns never get the same name: gives the place and the name of those whose head has to
    be told apart.
    """
    if table.get("headerRowCount") == "0":
        return {}
    columns = list(table.iterfind("{*}tableColumns/{*}tableColumn"))
    names = [decode(str(column.get("name", ""))) for column in columns]
    taken = {name.casefold() for name in names if name.strip() not in translations}
    renamed = {}
    for place, (column, name) in enumerate(zip(columns, names, strict=True)):
        wanted = translations.get(name.strip())
        if wanted is not None:
            wanted = _pad(name, wanted)
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
            column.set("totalsRowLabel", encode(_pad(total, label)))
    return renamed


def _pad(old: str, new: str) -> str:
    """``new`` with the white space around ``old``, which its cell keeps as well."""
    start = len(old) - len(old.lstrip())
    return old[:start] + new + old[len(old.rstrip()) :]


def rename_heads(sheet: etree._Element, table: etree._Element, renamed: Mapping[int, str]) -> None:
    """Write the ``renamed`` heads of ``table`` into the cells of ``sheet``."""
    left, row = _corner(str(table.get("ref", "")))
    for cell in sheet.iterfind("{*}sheetData/{*}row/{*}c"):
        column, cell_row = _corner(str(cell.get("r", "")))
        name = renamed.get(column - left)
        if name is not None and cell_row == row:
            for child in [child for child in cell if local_name(child) in ("v", "is", "f")]:
                cell.remove(child)
            cell.set("t", "inlineStr")
            holder = etree.Element(f"{{{namespace(cell)}}}is")
            etree.SubElement(holder, f"{{{namespace(cell)}}}t").text = encode(name)
            cell.insert(0, holder)


def _corner(ref: str) -> tuple[int, str]:
    """Column number and row of the first cell of ``ref``."""
    first = ref.partition(":")[0].replace("$", "")
    letters = first.rstrip("0123456789")
    column = 0
    for letter in letters[:4].upper():
        column = column * 26 + ord(letter) - 64
    return column, first[len(letters) :]


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
