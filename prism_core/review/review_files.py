"""The files of a review, by the ending of their names: XLIFF, or a table for a spreadsheet.

Entry: ``write_review`` and ``read_review``, each by ``_kind_of`` its file.
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
"""What the name of a review may end in."""
_COLUMNS = ("id", "document", "place", "reason", "source", "translation", "approved")
_YES = frozenset({"yes", "y", "x", "true", "1", "ok"})


def check_review_file(file: Path) -> str:
    """The suffix of ``file``; of a sealed one (``NAME.xlf.sealed``) that within.

    Raises ``ConfigurationError`` for one that is no review's.
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

    In a table the worst come first; in XLIFF, those of a document stand together, and the document
    with the most to do comes first. ``newest``: XLIFF 2.1, and not 1.2. ``languages``: source and
    target, ISO 639. Gives the number of units that XML cannot hold, which are left out. Raises as
    ``write_memory``.
    """
    suffix = check_review_file(file)
    held = [unit for unit in units if is_writable(unit.source, unit.translation, unit.document)]
    if suffix == ".xlf":
        content = (xliff_2 if newest else xliff_1)(_by_document(held), *languages)
    else:
        content = iter((_WRITERS[suffix](sorted(held, key=ReviewUnit.rank)),))
    write_memory(file, content, key, replace=replace)
    return len(units) - len(held)


def read_review(file: Path, key: Callable[[], bytes]) -> Iterator[Correction]:
    """The units of ``file`` that have a translation; a sealed one is opened with ``key()``.

    Raises ``ConfigurationError`` for a file that holds none of ours, ``WrongKey``.
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


def _by_document(units: Iterable[ReviewUnit]) -> list[ReviewUnit]:
    loss: dict[str, int] = {}
    for unit in units:
        loss[unit.document] = loss.get(unit.document, 0) - len(Reason) + unit.rank()[0]
    return sorted(units, key=lambda unit: (loss[unit.document], unit.document, unit.rank()))


def _cells(unit: ReviewUnit) -> tuple[str, ...]:
    return (unit.id, unit.document, unit.place, unit.note, unit.source, unit.translation, "")


def _tsv(units: Iterable[ReviewUnit]) -> bytes:
    text = io.StringIO()
    csv.writer(text, "excel-tab").writerows([_COLUMNS, *map(_cells, units)])
    return text.getvalue().encode("utf-8-sig")  # which a spreadsheet needs to see that it is UTF-8


def _xlsx(units: Iterable[ReviewUnit]) -> bytes:
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


def _rows_of_tsv(content: bytes) -> Iterator[Sequence[object]]:
    text: TextIO = io.StringIO(content.decode("utf-8-sig"), newline="")
    return iter(csv.reader(text, "excel-tab"))


def _rows_of_xlsx(content: bytes) -> Iterator[Sequence[object]]:
    book = load_workbook(io.BytesIO(content), read_only=True)
    return iter(book.worksheets[0].iter_rows(values_only=True))


def _corrections(rows: Iterator[Sequence[object]]) -> Iterator[Correction]:
    """What the rows below the heading say; columns may have changed places, and others be there."""
    heading = [str(cell or "").strip().lower() for cell in next(rows, ())]
    at = {name: heading.index(name) for name in ("id", "source", "translation", "approved")}
    for row in rows:
        cells = {n: str(row[i] or "") if i < len(row) else "" for n, i in at.items()}
        if cells["translation"].strip():
            approved = cells["approved"].strip().lower() in _YES
            yield Correction(cells["id"], cells["source"], cells["translation"], approved)


_WRITERS = {".tsv": _tsv, ".xlsx": _xlsx}
_READERS = {".tsv": _rows_of_tsv, ".xlsx": _rows_of_xlsx}
