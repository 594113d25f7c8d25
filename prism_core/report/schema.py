"""The Parquet schemas of the report, made from the rows' own descriptions, and their check."""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import fields
from datetime import datetime, timedelta
from functools import cache
from types import NoneType
from typing import Any, get_args, get_type_hints

import pyarrow as pa

from prism_core.errors import OutputError
from prism_core.report.rows import (
    SCHEMA_VERSION,
    DocumentRow,
    RequestRow,
    RunFacts,
    RunTotals,
    SentenceRow,
)

Row = DocumentRow | SentenceRow | RequestRow | RunFacts | RunTotals

TABLES: dict[str, type] = {
    "documents": DocumentRow,
    "sentences": SentenceRow,
    "requests": RequestRow,
}
"""Every table with a hash chain, by the name of its file."""

HASH = pa.field(
    "row_hash",
    pa.string(),
    nullable=False,
    metadata={"description": "SHA-256 over the previous row's hash and this row.", "unit": "hex"},
)


def schema_of(row_type: type) -> pa.Schema:
    """The Arrow schema of a row type: one field a column, with description and unit."""
    columns = [_arrow_field(f.name, f.metadata, hints(row_type)[f.name]) for f in fields(row_type)]
    return pa.schema(columns, metadata={"prism.schema_version": SCHEMA_VERSION})


def check_row(row: Row) -> None:
    """Raise ``OutputError`` unless each value has its column's type, range and pattern.

    The message names the column and never its value: what is refused here may be text of a
    document that must not reach the report.
    """
    row_type: Any = type(row)
    for column in fields(row):
        value = getattr(row, column.name)
        problem = _problem(value, hints(row_type)[column.name], column.metadata["pattern"])
        if problem:
            raise OutputError(
                f"the report refuses a {type(row).__name__}: {column.name} {problem}; "
                "this is a fault of PRISM, please report it"
            )


def _problem(value: Any, annotation: Any, pattern: str) -> str:
    options = get_args(annotation)
    if value is None:
        return "" if NoneType in options else "is missing"
    if annotation == tuple[str, ...]:
        problems = (_problem(item, str, pattern) for item in value)
        return next((problem for problem in problems if problem), "")
    return _scalar_problem(
        value, next((o for o in options if o is not NoneType), annotation), pattern
    )


def _scalar_problem(value: Any, expected: type, pattern: str) -> str:
    if expected is float and type(value) is int:
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, expected):
        return f"is not of type {expected.__name__}"
    if isinstance(value, str) and not re.fullmatch(pattern, value):
        return "does not have the form of its column"
    if isinstance(value, int | float) and not value >= 0:
        return "is negative or not a number"
    if isinstance(value, datetime) and value.utcoffset() != timedelta():
        return "is not a time in UTC"
    return ""


@cache
def hints(row_type: Hashable) -> dict[str, Any]:
    """The resolved annotations of a row type."""
    return get_type_hints(row_type)


_ARROW = {
    str: pa.string(),
    int: pa.int64(),
    float: pa.float64(),
    datetime: pa.timestamp("us", tz="UTC"),
}


def _arrow_field(name: str, metadata: Any, annotation: Any) -> pa.Field:
    described = {key: metadata[key] for key in ("description", "unit") if metadata[key]}
    if annotation == tuple[str, ...]:
        return pa.field(name, pa.list_(pa.string()), nullable=False, metadata=described)
    options = [option for option in get_args(annotation) if option is not NoneType]
    optional = bool(options)
    return pa.field(
        name, _ARROW[options[0] if optional else annotation], nullable=optional, metadata=described
    )
