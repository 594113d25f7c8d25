"""Files of a review, by the ending of their names: XLIFF, or a table for a spreadsheet.

Entry: ``write_review`` and ``read_review``; ``check_review_file`` tells their format.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TextIO
from zipfile import BadZipFile

from openpyxl import Workbook, load_workbook
from openpyxl.cell import WriteOnlyCell

from prism_core.errors import ConfigurationError
from prism_core.record import Reason
from prism_core.review.review_units import Correction, ReviewUnit
from prism_core.review.xliff import read_xliff, xliff_1, xliff_2
from prism_core.translation_memory import SUFFIX, is_sealed, is_writable, opener, write_memory

SUFFIXES = (".xlf", ".tsv", ".xlsx")
"""Endings that the name of a review file may have."""
_COLUMNS = ("id", "document", "place", "reason", "source", "translation", "approved")
_YES = frozenset({"yes", "y", "x", "true", "1", "ok"})


def check_review_file(file: Path) -> str:
    """Return the suffix of ``file``, or the inner one of a sealed file (``NAME.xlf.sealed``).

    Raises ``ConfigurationError`` for a file that is no review.
    """
    inner = Path(file.stem) if file.suffix == SUFFIX else file
    if inner.suffix.lower() not in SUFFIXES:
        raise ConfigurationError(f"{file}: a review is called NAME{', NAME'.join(SUFFIXES)}")
    return inner.suffix.lower()


def write_review(
    file: Path,
    units: Sequence[ReviewUnit],
    languages: tuple[str, str],
    *,
    key: bytes | None = None,
    replace: bool = False,
    newest: bool = False,
) -> int:
    """Write ``units`` to ``file`` for its owner alone (mode 0600), sealed under ``key`` if given.

    In a table the worst come first. In XLIFF, the units of a document stand together, and the
    document with the most to do comes first. ``newest`` writes XLIFF 2.1 instead of 1.2.
    ``languages`` are source and target, ISO 639. Returns the number of units omitted because XML
    cannot hold them. Raises as ``write_memory``.
    """
    suffix = check_review_file(file)
    writable = [unit for unit in units if is_writable(unit.source, unit.translation, unit.document)]
    if suffix == ".xlf":
        content = (xliff_2 if newest else xliff_1)(_sort_by_document(writable), *languages)
    else:
        content = iter((_WRITERS[suffix](sorted(writable, key=ReviewUnit.rank)),))
    write_memory(file, content, key, replace=replace)
    return len(units) - len(writable)


def read_review(file: Path, key: Callable[[], bytes]) -> Iterator[Correction]:
    """Yield the units of ``file`` that have a translation; a sealed one is opened with ``key()``.

    Raises ``ConfigurationError`` for a file without such units, ``WrongKey``.
    """
    suffix, open_sealed = check_review_file(file), opener(key) if is_sealed(file) else None
    if suffix == ".xlf":
        found = read_xliff(file, open_sealed)
    else:
        try:
            with open_sealed(file) if open_sealed else file.open("rb") as opened:
                content = opened.read()
            found = iter(list(_corrections(_READERS[suffix](content))))
        except (OSError, ValueError, LookupError, csv.Error, BadZipFile):
            raise ConfigurationError(f"{file} cannot be read as a table of a review") from None
    first = next(found, None)
    if first is None:
        raise ConfigurationError(f"{file} holds no sentence of a review with a translation")
    return chain((first,), found)


def _sort_by_document(units: Iterable[ReviewUnit]) -> list[ReviewUnit]:
    loss: dict[str, int] = {}
    for unit in units:
        loss[unit.document] = loss.get(unit.document, 0) - len(Reason) + unit.rank()[0]
    return sorted(units, key=lambda unit: (loss[unit.document], unit.document, unit.rank()))


def _cells(unit: ReviewUnit) -> tuple[str, ...]:
    return (unit.id, unit.document, unit.place, unit.note, unit.source, unit.translation, "")


def _write_tsv(units: Iterable[ReviewUnit]) -> bytes:
    text = io.StringIO()
    csv.writer(text, "excel-tab").writerows([_COLUMNS, *map(_cells, units)])
    return text.getvalue().encode("utf-8-sig")  # which a spreadsheet needs to see that it is UTF-8


def _write_xlsx(units: Iterable[ReviewUnit]) -> bytes:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("review")
    sheet.freeze_panes = "A2"
    for name, width in zip("CDEFG", (16, 24, 70, 70, 10), strict=True):
        sheet.column_dimensions[name].width = width

    def text_cell(text: str) -> WriteOnlyCell:
        cell = WriteOnlyCell(sheet, text)
        cell.data_type = "s"  # a text that begins with = is no formula
        return cell

    for row in (_COLUMNS, *map(_cells, units)):
        sheet.append([text_cell(text) for text in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _read_tsv(content: bytes) -> Iterator[Sequence[object]]:
    text: TextIO = io.StringIO(content.decode("utf-8-sig"), newline="")
    return iter(csv.reader(text, "excel-tab"))


def _read_xlsx(content: bytes) -> Iterator[Sequence[object]]:
    book = load_workbook(io.BytesIO(content), read_only=True)
    return iter(book.worksheets[0].iter_rows(values_only=True))


def _corrections(rows: Iterator[Sequence[object]]) -> Iterator[Correction]:
    """Yield the rows below the heading; columns may be reordered, and others may be there."""
    heading = [str(cell or "").strip().lower() for cell in next(rows, ())]
    columns = {name: heading.index(name) for name in ("id", "source", "translation", "approved")}
    for row in rows:
        cells = {
            name: str(row[column] or "") if column < len(row) else ""
            for name, column in columns.items()
        }
        if cells["translation"].strip():
            approved = cells["approved"].strip().lower() in _YES
            yield Correction(cells["id"], cells["source"], cells["translation"], approved)


_WRITERS = {".tsv": _write_tsv, ".xlsx": _write_xlsx}
_READERS = {".tsv": _read_tsv, ".xlsx": _read_xlsx}
