"""Export the tables of all runs as CSV, for an officer with a spreadsheet or for outsiders.

The copy for outsiders reveals less, because a count can identify a document: a reader who has a
letter of 417 words can look for 417. So every count becomes a range that doubles, every number with
a fraction is rounded to one digit, every time to its day, and ids are replaced by random ones that
are consistent within one export and differ in every other. Descriptions of the settings, classes
and reasons stay.

Entry: ``export_csv``; then for each row, if the copy is for outsiders, ``Coarsening.row``.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import pyarrow as pa

from prism_core.errors import OutputError
from prism_core.files import grant_read, make_folder
from prism_core.record import Remark
from prism_core.report.parquet_schema import RUN_COLUMNS, TABLES, check_version, make_schema
from prism_core.report.reading import read_rows
from prism_core.report.rows import RunSeal

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_FIRST_RANGE = 10
"""End of the first range of counts in a copy for outsiders, as in 1 to 10."""
_IDS = ("run_id", "document_id", "request_id")
_SETTINGS = (
    "dictionary_entries",
    "threshold",
    "draw_from",
    "ratio",
    "replace_probability",
    "table_probability",
    "vocabulary",
    "minimum_pool",
    "epsilon",
    "rank_decay",
    "cutoff",
    "epsilon_word",
)
_LEFT_OUT = frozenset(
    {
        *("settings_digest", "dictionary_digest", "row_hash", "stopped"),
        *(f.name for f in fields(RunSeal)),
    }
)
"""Columns that are left out: a hash identifies a run or a row wherever it is seen, and settings can
be guessed and compared by it; the reason of a stop holds counts."""
_NOT_OUTSIDE = "sentences"
"""Table that is left out: the lengths of a document's sentences, in order, identify it like a
name."""


class Coarsening:
    """An external copy; ``rng`` draws the ids: from OS entropy, except in tests."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._ids: dict[str, str] = {}

    def columns(self, names: list[str]) -> list[str]:
        """Return the columns in ``names`` that the copy has."""
        return [name for name in names if name not in _LEFT_OUT]

    def row(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return the row as the copy has it."""
        return {name: self._value(name, row.get(name)) for name in self.columns(list(row))}

    def _value(self, name: str, value: Any) -> Any:
        if value is None or name in _SETTINGS:
            return value
        if name in _IDS:
            known = f"{name} {value}"
            if known not in self._ids:
                self._ids[known] = f"{self._rng.getrandbits(64):016x}"
            return self._ids[known]
        if isinstance(value, int):
            return self.range(value)
        if isinstance(value, float):
            exact = value == 0 or not math.isfinite(value)
            return value if exact else round(value, -math.floor(math.log10(abs(value))))
        if isinstance(value, list):
            return [
                remark if remark.number is None else f"{remark.name}:{self.range(remark.number)}"
                for remark in map(Remark, value)
            ]
        return value.date() if isinstance(value, datetime) else value

    def range(self, count: int) -> str:
        """Return the range of ``count``: 0, 1 to 10, 11 to 20, 21 to 40 and so on.

        It is not written as 1-10, which a spreadsheet takes for a day in October.
        """
        if count <= 0:
            return "0"
        low, high = 1, _FIRST_RANGE
        while count > high:
            low, high = high + 1, high * 2
        return f"{low} to {high}"


def export_csv(
    folders: Sequence[Path], target: Path, *, external: bool = False, rng: Random | None = None
) -> dict[str, int]:
    """Write the reports in ``folders`` to ``target``: a file for each table, and ``runs.csv``.

    Returns the number of rows of each file. With ``external`` it is a copy for outsiders, which has
    no sentences: see ``Coarsening``; ``rng`` is for tests. Nothing is overwritten: raises
    ``OutputError`` when a file exists already or cannot be written, or a report cannot be read; the
    files written until then are removed.
    """
    outside = Coarsening(rng or SystemRandom()) if external else None
    tables = [table for table in TABLES if not outside or table != _NOT_OUTSIDE]
    names = {table: make_schema(TABLES[table]).names for table in tables}
    names["runs"] = make_schema(*RUN_COLUMNS).names
    written = dict.fromkeys(names, 0)
    with ExitStack() as undoing:
        try:
            make_folder(target)
            for table, every in names.items():
                columns = outside.columns(every) if outside else every
                file = target / f"{table}.csv"
                with file.open("x", encoding="utf-8", newline="") as opened:
                    grant_read(file, "owner")
                    undoing.callback(file.unlink, missing_ok=True)
                    writer = csv.writer(opened)
                    writer.writerow(columns)
                    for row in _read_rows(folders, table):
                        shown = outside.row(row) if outside else row
                        writer.writerow([_cell(shown.get(name)) for name in columns])
                        written[table] += 1
        except FileExistsError:
            raise OutputError(
                f"{target} holds an export already, and files are never overwritten; name another "
                "folder"
            ) from None
        except OSError as error:
            raise OutputError(f"the export cannot be written: {error.strerror}") from None
        undoing.pop_all()
    return written


def _read_rows(folders: Sequence[Path], table: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table, run after run."""
    name = "run.parquet" if table == "runs" else f"{table}.parquet"
    for folder in folders:
        try:
            check_version(folder / name)
            yield from read_rows(folder / name)
        except (OSError, pa.ArrowException, LookupError):
            raise OutputError(
                f"{folder} does not hold a complete report; prism audit verify says what is missing"
            ) from None


def _cell(value: object) -> object:
    """Return a value as a spreadsheet shows it: empty for null, no text that it would compute."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat()
    text = "; ".join(map(str, value)) if isinstance(value, list) else value
    is_formula = isinstance(text, str) and text.startswith(_FORMULA)
    return f"'{text}" if is_formula else text
