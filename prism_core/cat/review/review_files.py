"""Files of a review, by the ending of their names: XLIFF, or a table for a spreadsheet.

XLIFF is 1.2 (OASIS 2008; OmegaT, Trados, memoQ) or 2.1 (2018). A unit is one sentence; the
documents of the archive are the ``file`` elements. The state of a unit says whether it needs
review, and changes when a person confirms it.

Entry: ``write_review`` and ``read_review``; ``check_review_file`` tells their format.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby
from pathlib import Path
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr
from zipfile import BadZipFile

from prism_core.cat.review.inline_tags import TagReader, tag_text
from prism_core.cat.review.review_units import Correction, ReviewUnit
from prism_core.errors import ConfigurationError
from prism_core.record import Reason
from prism_core.safe_xml import elements, local_name
from prism_core.translation_memory import (
    SUFFIX,
    FuzzyMatch,
    Opener,
    is_sealed,
    is_writable,
    opener,
    write_memory,
)

SUFFIXES = (".xlf", ".tsv", ".xlsx")
"""Endings that the name of a review file may have."""
_COLUMNS = (
    *("id", "document", "place", "reason", "source", "translation", "approved"),
    *("memory", "memory translation"),
)
_YES = frozenset({"yes", "y", "x", "true", "1", "ok"})
_NAMESPACE_1 = "urn:oasis:names:tc:xliff:document:1.2"
_NAMESPACE_2 = "urn:oasis:names:tc:xliff:document:2.0"
_MATCHES = "urn:oasis:names:tc:xliff:matches:2.0"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_TAGS_1 = '<g id="{}">', "</g>", '<x id="{}"/>'
_TAGS_2 = '<pc id="{}" type="fmt">', "</pc>", '<ph id="{}"/>'
_CONFIRMED = frozenset({"translated", "signed-off", "final", "reviewed"})
"""States that a person has set; no unit is exported with one of them."""


def check_review_file(file: Path) -> str:
    """Return the suffix of ``file``, or of ``NAME.xlf`` sealed. Raises ``ConfigurationError``."""
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
        loss[unit.document] = loss.get(unit.document, 0) - len(Reason) + unit.severity
    return sorted(units, key=lambda unit: (loss[unit.document], unit.document, unit.rank()))


def _cells(unit: ReviewUnit) -> tuple[str, ...]:
    match = (unit.match.label, unit.match.target) if unit.match else ("", "")
    shown = unit.id, unit.document, unit.place, unit.note, unit.source, unit.translation, "", *match
    return tuple(shown)


def _write_tsv(units: Iterable[ReviewUnit]) -> bytes:
    text = io.StringIO()
    csv.writer(text, "excel-tab").writerows([_COLUMNS, *map(_cells, units)])
    return text.getvalue().encode("utf-8-sig")  # which a spreadsheet needs to see that it is UTF-8


def _write_xlsx(units: Iterable[ReviewUnit]) -> bytes:
    from openpyxl import Workbook  # imported here: a run that reviews nothing starts sooner
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    sheet = book.create_sheet("review")
    sheet.freeze_panes = "A2"
    for name, width in zip("CDEFGHI", (16, 24, 70, 70, 10, 40, 70), strict=True):
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
    from openpyxl import load_workbook

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


def xliff_1(units: Iterable[ReviewUnit], source: str, target: str) -> Iterator[bytes]:
    """Yield a file of XLIFF 1.2 with ``units``, sorted by document, piece by piece.

    The target of a unit without a translation is the text in the document: its source.
    """
    yield f'{_HEAD}<xliff version="1.2" xmlns="{_NAMESPACE_1}">\n'.encode()
    for document, group in groupby(units, key=lambda unit: unit.document):
        yield (
            f"<file original={quoteattr(document)} source-language={quoteattr(source)} "
            f'target-language={quoteattr(target)} datatype="plaintext"><body>\n'
        ).encode()
        for unit in group:
            state, text, marks = "needs-review-translation", unit.translation, unit.shown
            if not unit.translation:  # OmegaT before 4.3 shows nothing of an empty target
                state, text, marks = "needs-translation", unit.source, unit.looks
            yield (
                f'<trans-unit id="{unit.id}" approved="no" xml:space="preserve">'
                f"<source>{tag_text(unit.source, unit.looks, _TAGS_1)}</source>"
                f'<target state="{state}">{tag_text(text, marks, _TAGS_1)}</target>'
                f"<note>{escape(unit.note)}</note>{_alternative(unit.match)}</trans-unit>\n"
            ).encode()
        yield b"</body></file>\n"
    yield b"</xliff>\n"


def xliff_2(units: Iterable[ReviewUnit], source: str, target: str) -> Iterator[bytes]:
    """Yield the same in XLIFF 2.1."""
    yield (
        f'{_HEAD}<xliff version="2.1" xmlns="{_NAMESPACE_2}" '
        f"srcLang={quoteattr(source)} trgLang={quoteattr(target)}>\n"
    ).encode()
    by_document = groupby(units, key=lambda unit: unit.document)
    for number, (document, group) in enumerate(by_document, 1):
        yield f'<file id="f{number}" original={quoteattr(document)}>\n'.encode()
        for unit in group:
            source_xml = tag_text(unit.source, unit.looks, _TAGS_2)
            text = tag_text(unit.translation, unit.shown, _TAGS_2)
            target_xml = f'<target xml:space="preserve">{text}</target>' if unit.translation else ""
            yield (
                f'<unit id="{unit.id}">{_module_match(unit.match)}'
                f"<notes><note>{escape(unit.note)}</note></notes>"
                f'<segment id="s" state="initial"><source xml:space="preserve">'
                f"{source_xml}</source>{target_xml}</segment></unit>\n"
            ).encode()
        yield b"</file>\n"
    yield b"</xliff>\n"


def _alternative(match: FuzzyMatch | None) -> str:
    """Return ``match`` in XLIFF 1.2."""
    if match is None:
        return ""
    return (
        f'<alt-trans match-quality="{match.percent}%" origin={quoteattr(match.label)}>'
        f"<source>{escape(match.source)}</source><target>{escape(match.target)}</target>"
        "</alt-trans>"
    )


def _module_match(match: FuzzyMatch | None) -> str:
    """Return ``match`` in the module of XLIFF 2.1 for translation candidates."""
    if match is None:
        return ""
    return (
        f'<m:matches xmlns:m="{_MATCHES}"><m:match ref="#s" similarity="{match.percent}" '
        f"origin={quoteattr(match.label)}><source>{escape(match.source)}</source>"
        f"<target>{escape(match.target)}</target></m:match></m:matches>"
    )


def read_xliff(path: Path, opener: Opener | None = None) -> Iterator[Correction]:
    """Yield the units of a file of either version that have a translation.

    A target equal to its source is no translation, unless a person confirmed it. Raises
    ``ConfigurationError`` for a file that is no XML; one that is no XLIFF has no unit.
    """
    for unit in elements(path, ("trans-unit", "unit"), opener):
        holders = [inner for inner in unit if local_name(inner) == "segment"] or [unit]
        sides = {"source": TagReader(), "target": TagReader()}
        states = ["final"] if unit.get("approved") == "yes" else []
        for holder in holders:
            for side in holder:
                if local_name(side) in sides:
                    sides[local_name(side)].read(side)
                    states.append(side.get("state", ""))
            states.append(holder.get("state", ""))
        source, target = sides.values()
        approved = not _CONFIRMED.isdisjoint(states)
        if target.text.strip() and (approved or target.text != source.text):
            yield Correction(
                unit.get("id", ""),
                source.text,
                target.text,
                approved=approved,
                marks={} if source.broken else source.tags,
                given=target.tags,
                broken=target.broken,
            )


_WRITERS = {".tsv": _write_tsv, ".xlsx": _write_xlsx}
_READERS = {".tsv": _read_tsv, ".xlsx": _read_xlsx}
