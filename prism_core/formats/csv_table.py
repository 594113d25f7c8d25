"""Tables as text (CSV, TSV): translates columns of prose, and keeps everything else byte for byte.

The dialect is the one under which the rows have the most regular widths: ``csv.Sniffer`` guesses
from quote marks or single characters, and errs on prose. Nothing here writes a row: a translation
replaces the text between the marks of its cell, so quoting, separators and line ends stay.

Entry: ``CsvFormat``; ``find_dialect`` -> ``_read_rows`` -> ``_choose_columns`` -> cells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Final, NamedTuple

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import (
    DEFAULT_OPTIONS,
    Document,
    Formats,
    Segment,
    apply_edits,
    notices,
    refuse_more,
)
from prism_core.formats.character_sets import DecodedText, decode_text, read_text
from prism_core.formats.text import edges_of, has_letter

_NO_PROSE: Final = (
    "No column holds sentences; name the columns to translate in documents.csv_columns."
)
_NO_COLUMN: Final = "It has none of the columns that documents.csv_columns names; nothing to do."
_SEPARATOR_LINE: Final = re.compile(r"\"?sep=(.)\"?(?:\r\n|\r|\n)", re.IGNORECASE)
"""First line that names the separator, for Excel."""
_TABBED: Final = (".tsv", ".tab")
_BREAK: Final = re.compile(r"\r\n|\r|\n")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_WORD: Final = re.compile(r"(?<!\S)[\"'“(]?([^\W\d_]+(?:['’-][^\W\d_]+)*)[\"'”).,;:!?…]*(?!\S)")
_END: Final = re.compile(r"[.!?…][\"'”’)]*$")
_FORMULA: Final = ("=", "+", "-", "@")
"""First characters by which a spreadsheet takes a cell for a formula."""
_FEWEST_WORDS: Final = 3
"""Fewest words of prose, most of them in small letters; a sentence with an end has one more."""
_PROSE_SHARE: Final = 0.2
"""Smallest share of the filled cells of a column that makes it one of prose."""
_REGULAR: Final = 0.8
"""Smallest share of the rows that have the usual number of cells."""
_ONE_COLUMN: Final = 0.95
"""The same for a table of one column."""
_HEAD: Final = 65_536
"""Characters from the start of a table that show its dialect."""
_LONGEST_NAME: Final = 60
"""Greatest length of the name of a column in characters."""
_MOST_NAME_WORDS: Final = 4
"""Most words of a name that reads like prose (*Reason for visit*)."""


class TableDialect(NamedTuple):
    """Separator of the cells, and whether a backslash escapes a quote mark in them."""

    separator: str
    backslash: bool = False

    @property
    def cell(self) -> re.Pattern[str]:
        """Pattern of a cell, quoted (with ``inner``) or not, and what ends it."""
        separator = re.escape(self.separator)
        escaped = r"[^\"\\]++|\"\"|\\." if self.backslash else r"[^\"]++|\"\""
        return re.compile(
            rf"(?: *\"(?P<inner>(?:{escaped})*+)\" *(?={separator}|[\r\n]|\Z)"
            rf"|(?P<bare>[^{separator}\r\n]*+))(?P<end>{separator}|\r\n|\r|\n|\Z)",
            re.DOTALL,
        )


_DIALECTS: Final = tuple(
    TableDialect(mark, escaped) for escaped in (False, True) for mark in ",;\t|"
)


class _Cell(NamedTuple):
    """Cell of a table: its place in the text, between its quote marks, and its text as shown."""

    start: int
    source: str
    is_quoted: bool
    text: str

    @property
    def is_text(self) -> bool:
        """True if the cell holds letters, and is no formula."""
        return has_letter(self.text) and not self.text.startswith("=")

    @property
    def may_name_column(self) -> bool:
        """True if the cell may be the name of its column."""
        words = _WORD.findall(self.text)
        is_name = not self.is_prose or (
            len(words) <= _MOST_NAME_WORDS and _END.search(self.text) is None
        )
        return self.text[:1].isalpha() and is_name and len(self.text) <= _LONGEST_NAME

    @property
    def is_prose(self) -> bool:
        """True if the cell is several words most of which are in small letters, or a sentence."""
        words = _WORD.findall(self.text)
        if len(words) < _FEWEST_WORDS:
            return False
        small = sum(word[0].islower() for word in words)
        ends = _END.search(self.text) is not None and len(words) > _FEWEST_WORDS
        return small * 2 > len(words) or ends

    def lay_out(self, translation: str, dialect: TableDialect) -> str:
        """Return the source with ``translation`` in it, quoted, and never as a formula."""
        if translation.startswith(_FORMULA) and not self.text.startswith(_FORMULA):
            translation = f"'{translation}"
        line_break = _BREAK.search(self.source)
        translation = _BREAK.sub(line_break[0] if line_break else " ", translation)
        if "\t" not in self.text:
            translation = translation.replace("\t", " ")
        before, after = edges_of(self.source)
        is_special = dialect.separator in translation
        is_special = is_special or ('"' in translation and dialect.separator != "\t")
        if not self.is_quoted and not is_special:
            return before + translation + after
        if dialect.backslash:
            translation = re.sub(r"([\"\\])", r"\\\1", translation)
        else:
            translation = translation.replace('"', '""')
        return before + translation + after if self.is_quoted else f'"{translation}"'


class _ParsedTable(NamedTuple):
    """Table taken apart: the cells to translate, and the notices about it."""

    decoded: DecodedText
    dialect: TableDialect
    cells: Sequence[_Cell]
    notices: tuple[str, ...]


class CsvFormat:
    """Tables as text. Unchanged texts give the same bytes; a row that names columns stays."""

    name = "csv"

    def __init__(self, formats: Formats | None = None) -> None:
        self._options = DEFAULT_OPTIONS if formats is None else formats.options

    def read(self, path: Path) -> Document:
        """Return the cells of the chosen columns. Raises ``DocumentError``."""
        table = self._open(path)
        segments = tuple(Segment(cell.text, "cell") for cell in table.cells)
        return Document(path, self.name, segments, table.notices)

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Write the table; a notice says when the encoding had to become UTF-8."""
        table = self._open(document.path)
        if [cell.text for cell in table.cells] != [one.text for one in document.segments]:
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
        edits = [
            (cell.start, cell.start + len(cell.source), cell.lay_out(new.text, table.dialect))
            for cell, new in zip(table.cells, translations, strict=True)
            if cell.text != new.text
        ]
        return table.decoded.write(apply_edits(table.decoded.text, edits), path)

    def _open(self, path: Path) -> _ParsedTable:
        decoded = read_text(path, decode_text)
        dialect = find_dialect(decoded.text, path.suffix)
        if dialect is None:
            raise DocumentError(DocumentFailure.UNSUPPORTED)
        rows = list(_read_rows(decoded.text, dialect))
        chosen = self._options.csv_columns
        header, columns = _choose_columns(rows, chosen)
        kept = {
            column
            for row in rows[header:]
            for column, cell in enumerate(row)
            if column not in columns and cell.is_text and not any(map(str.isdigit, cell.text))
        }
        cells = [
            row[column]
            for row in rows[header:]
            for column in sorted(columns)
            if column < len(row) and row[column].is_text
        ]
        refuse_more(len(cells), self._options)
        if not cells:
            raise DocumentError(DocumentFailure.EMPTY, _NO_COLUMN if chosen else _NO_PROSE)
        names = sum(cell.is_text for row in rows[:header] for cell in row)
        stays = {"columns-kept": len(kept), "column-names-kept": names}
        issued = decoded.notices + notices(stays)
        return _ParsedTable(decoded, dialect, cells, issued)


def find_dialect(text: str, suffix: str = "") -> TableDialect | None:
    """Return the dialect with the most regular rows, maybe of one cell; None if none are."""
    if "\t" in text and suffix.lower() in _TABBED:
        return TableDialect("\t")
    if named := _SEPARATOR_LINE.match(text):
        return TableDialect(named[1])
    best, most = None, (0.0, 0)
    for dialect in _DIALECTS:
        rows = [row for row in _read_rows(text[:_HEAD], dialect) if len(row) > 1 or row[0].source]
        rows = rows[:3] + rows[3:-1]  # the last may be cut
        if not rows:
            continue
        width, count = Counter(map(len, rows)).most_common(1)[0]
        if len(rows[0]) == max(map(len, rows)):  # cells at the end may be left out
            count = max(count, sum(len(row) > 1 for row in rows))
            width = len(rows[0])
        odd = sum(any(not cell.is_quoted and '"' in cell.source for cell in row) for row in rows)
        share = count / len(rows)
        is_table = share >= (_REGULAR if width > 1 else _ONE_COLUMN)
        score = (width > 1) + share - odd / len(rows), width
        if is_table and (width > 1 or dialect.separator == ",") and score > most:
            best, most = dialect, score
    return best


def _read_rows(text: str, dialect: TableDialect) -> Iterator[list[_Cell]]:
    """Yield the rows of ``text``; a blank line is a row with an empty cell."""
    named = _SEPARATOR_LINE.match(text)
    position, row = named.end() if named else 0, list[_Cell]()
    pattern = dialect.cell
    while position < len(text):
        found = pattern.match(text, position)
        assert found is not None  # noqa: S101 (every part may be empty)
        name = "bare" if found["inner"] is None else "inner"
        source = found[name]
        shown = re.sub(r"\"\"", '"', source) if name == "inner" else source
        if name == "inner" and dialect.backslash:
            shown = re.sub(r"\\(.)", r"\1", shown, flags=re.DOTALL)
        shown = _CONTROL.sub(" ", _BREAK.sub("\n", shown)).strip()
        row.append(_Cell(found.start(name), source, name == "inner", shown))
        position = found.end()
        if found["end"] != dialect.separator:
            yield row
            row = []
    if row:
        yield row


def _choose_columns(
    rows: Sequence[Sequence[_Cell]], chosen: Sequence[str | int]
) -> tuple[int, set[int]]:
    """Return the count of rows that name the columns, and the columns: ``chosen``, or of prose."""
    first = [cell.text.casefold() for cell in rows[0]] if rows else []
    names = [name for name in first if name]
    wanted = [name.strip().casefold() for name in chosen if isinstance(name, str)]
    columns = list(zip_longest(*(rows[1:] or rows)))
    filled = [[cell for cell in column if cell and cell.text] for column in columns]
    prose = {
        number
        for number, cells in enumerate(filled)
        if cells and sum(cell.is_prose for cell in cells) >= len(cells) * _PROSE_SHARE
    }
    is_header = (
        len(set(names)) == len(names)
        and all(cell.may_name_column for cell in rows[0] if cell.text)
        and not all(cell.is_prose for cell in rows[0] if cell.text)
        and (bool(prose) or any(not any(one.is_text for one in c if one) for c in columns))
    )
    header = int(is_header or any(name in names for name in wanted))
    if not chosen:
        return header, prose
    numbered = {number - 1 for number in chosen if isinstance(number, int)}
    return header, numbered | {first.index(name) for name in wanted if name in names}
