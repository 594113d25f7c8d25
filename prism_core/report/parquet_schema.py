"""Parquet schemas of the report, made from the rows and ``columns.toml``, and their check.

Entry: ``make_schema``, the Arrow schema of rows; ``check_columns`` -> ``make_batch`` to store some;
``check_version`` before a table is read.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from operator import attrgetter
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import pyarrow as pa
import pyarrow.parquet as pq

from prism_core.errors import OutputError
from prism_core.report.rows import (
    SCHEMA_VERSION,
    DocumentRow,
    IdentifierRow,
    RequestRow,
    RunFacts,
    RunSeal,
    SentenceRow,
    describe,
)
from prism_core.report.totals import RunTotals

TABLES: dict[str, type] = {
    "documents": DocumentRow,
    "sentences": SentenceRow,
    "identifiers": IdentifierRow,
    "requests": RequestRow,
}
"""Tables with a hash chain, by the name of their file."""

PROOF = "subjects.json"
"""File of a report with what known attacks infer of data subjects, if that was measured."""

RUN_COLUMNS = (RunFacts, RunTotals, RunSeal)
"""Row types that make up the one row of ``run.parquet``."""

OTHER_VERSION = (
    "{} is of schema version {}, and this PRISM knows version "
    f"{SCHEMA_VERSION} alone: use the PRISM that wrote it"
)

HASH = pa.field(
    "row_hash",
    pa.string(),
    nullable=False,
    metadata={"description": "SHA-256 over the previous row's hash and this row.", "unit": "hex"},
)


def check_version(file: Path) -> None:
    """Raise ``OutputError`` when the table in ``file`` is of another version of the schema.

    Raises the errors of reading for a file that is not a table.
    """
    found = read_version(pq.read_schema(file))
    if found != SCHEMA_VERSION:
        raise OutputError(OTHER_VERSION.format(file.parent, found))


def read_version(schema: pa.Schema) -> str:
    """Return the version that a stored table states; raises ``KeyError`` if it states none."""
    return str((schema.metadata or {})[b"prism.schema_version"].decode())


@cache
def make_schema(*row_types: type) -> pa.Schema:
    """Return the Arrow schema, with descriptions, of a row with the columns of ``row_types``."""
    columns = [
        _arrow_field(row_type, name) for row_type in row_types for name in resolve_hints(row_type)
    ]
    return pa.schema(columns, metadata={"prism.schema_version": SCHEMA_VERSION})


def check_columns(row_type: type, rows: Sequence[Any]) -> dict[str, tuple[Any, ...]]:
    """Return the values of ``rows``, at least one, by column, after checking type and form.

    Raises ``OutputError``; the message names the column and never its value: a refused value may be
    text of a document that must not reach the report.
    """
    hints = resolve_hints(row_type)
    names = list(hints)
    columns = dict(zip(names, zip(*map(attrgetter(*names), rows), strict=True), strict=True))
    for name, values in columns.items():
        problem = _find_problem(values, hints[name], describe(row_type, name).pattern)
        if problem:
            raise OutputError(
                f"the report refuses a {row_type.__name__}: {name} {problem}; "
                "this is a fault of PRISM, please report it"
            )
    return columns


def make_batch(columns: Mapping[str, Sequence[Any]], schema: pa.Schema) -> pa.RecordBatch:
    """Return checked columns as Arrow stores them."""
    arrays = [pa.array(columns[field.name], field.type) for field in schema]
    return pa.record_batch(arrays, schema)


def _find_problem(values: Sequence[Any], annotation: Any, pattern: str) -> str:
    if annotation == tuple[str, ...]:
        return _find_scalar_problem([item for value in values for item in value], str, pattern)
    options, present = get_args(annotation), values
    if None in values:
        if NoneType not in options:
            return "is missing"
        present = [value for value in values if value is not None]
    expected = next((o for o in options if o is not NoneType), annotation)
    return _find_scalar_problem(present, expected, pattern)


def _find_scalar_problem(values: Sequence[Any], expected: type, pattern: str) -> str:
    # A truth value is not a count; a whole number may stand for one with a fraction.
    allowed = (float, int) if expected is float else expected
    if not all(issubclass(kind, allowed) and kind is not bool for kind in set(map(type, values))):
        return f"is not of type {expected.__name__}"
    if expected is str:
        form = re.compile(pattern)
        if not all(map(form.fullmatch, set(values))):
            return "does not have the form of its column"
    elif expected is int:
        if min(values, default=0) < 0:
            return "is negative"
    elif expected is float:
        if not all(value >= 0 for value in set(values)):
            return "is negative or not a number"
    elif not all(value.utcoffset() == timedelta() for value in values):
        return "is not a time in UTC"
    return ""


@cache
def resolve_hints(row_type: Hashable) -> dict[str, Any]:
    """Return the resolved annotations of a row type, in the order of its columns."""
    return get_type_hints(row_type)


_ARROW = {
    str: pa.string(),
    int: pa.int64(),
    float: pa.float64(),
    datetime: pa.timestamp("us", tz="UTC"),
}


def _arrow_field(row_type: type, name: str) -> pa.Field:
    column, annotation = describe(row_type, name), resolve_hints(row_type)[name]
    described = {"description": column.meaning} | ({"unit": column.unit} if column.unit else {})
    if annotation == tuple[str, ...]:
        return pa.field(name, pa.list_(pa.string()), nullable=False, metadata=described)
    options = [option for option in get_args(annotation) if option is not NoneType]
    optional = bool(options)
    return pa.field(
        name, _ARROW[options[0] if optional else annotation], nullable=optional, metadata=described
    )
