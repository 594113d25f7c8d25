"""The tables of all runs as CSV, for an officer with a spreadsheet, and a copy for outsiders."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from prism_core.errors import OutputError
from prism_core.report.coarsening import Coarsening
from prism_core.report.parquet import RUN_COLUMNS
from prism_core.report.reading import rows_of
from prism_core.report.schema import TABLES, schema_of
from prism_core.report.succession import link_of

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NOT_OUTSIDE = "sentences"
"""The lengths of the sentences of a document, one after the other, are as good as its name."""


def export_csv(
    folders: Sequence[Path], target: Path, outside: Coarsening | None = None
) -> dict[str, int]:
    """Write the reports in ``folders`` to ``target``: a file a table, and ``runs.csv``.

    Gives the number of rows of each file. ``outside`` makes it a copy for outsiders, which has no
    sentences. Nothing is written over: raises ``OutputError`` when a file is there already or
    cannot be written, or a report cannot be read; what was written by then is taken away.
    """
    tables = [table for table in TABLES if not outside or table != _NOT_OUTSIDE]
    names = {table: schema_of(TABLES[table]).names for table in tables}
    names["runs"] = schema_of(*RUN_COLUMNS).names
    with ExitStack() as undoing:
        try:
            target.mkdir(parents=True, exist_ok=True)
            written = {
                table: _write(
                    target / f"{table}.csv", columns, _stored(folders, table), outside, undoing
                )
                for table, columns in names.items()
            }
        except FileExistsError:
            raise OutputError(
                f"{target} holds an export already, and nothing is written over; name another "
                "folder"
            ) from None
        except OSError as error:
            raise OutputError(f"the export cannot be written: {error.strerror}") from None
        undoing.pop_all()
    return written


def _write(
    file: Path,
    columns: list[str],
    rows: Iterator[dict[str, Any]],
    outside: Coarsening | None,
    undoing: ExitStack,
) -> int:
    count, columns = 0, outside.columns(columns) if outside else columns
    with file.open("x", encoding="utf-8", newline="") as opened:
        undoing.callback(file.unlink, missing_ok=True)
        writer = csv.writer(opened)
        writer.writerow(columns)
        for row in rows:
            told = outside.row(row) if outside else row
            writer.writerow([_cell(told.get(name)) for name in columns])
            count += 1
    return count


def _stored(folders: Sequence[Path], table: str) -> Iterator[dict[str, Any]]:
    """The rows of a table, run after run; an earlier schema has none of identifiers."""
    name = "run.parquet" if table == "runs" else f"{table}.parquet"
    for folder in folders:
        if table == "identifiers" and not (folder / name).exists() and _is_earlier(folder):
            continue
        try:
            yield from rows_of(folder / name)
        except (OSError, pa.ArrowException):
            raise OutputError(
                f"{folder} does not hold a complete report; prism audit verify says what is missing"
            ) from None


def _is_earlier(folder: Path) -> bool:
    """Whether the report is of schema 1, which gives its runs no place."""
    link = link_of(folder)
    return link is not None and link.sequence == 0


def _cell(value: object) -> object:
    """What a spreadsheet shows as it is: nothing for null, and no text that it would compute."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat()
    text = "; ".join(map(str, value)) if isinstance(value, list) else value
    is_formula = isinstance(text, str) and text.startswith(_FORMULA)
    return f"'{text}" if is_formula else text
