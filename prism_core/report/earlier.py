"""Verify a report of schema 1 by its own rules.

Its rows were hashed as JSON, one by one; ``run.parquet`` held the last hash of each table and was
itself covered by none. No other module needs to know.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from prism_core.report.schema import HASH
from prism_core.report.table import batches

TABLES = ("documents", "sentences", "requests")


def broken_links(folder: Path, table: str, run: dict[str, Any], version: str) -> Iterator[int]:
    """The rows (from 1) of a table that do not follow from the row before; 0: an end is missing.

    ``run`` is the row of ``run.parquet``, ``version`` its schema's. Raises what reading raises.
    """
    first = f"prism-report {version} {table} {run['run_id']}"
    previous = hashlib.sha256(first.encode()).hexdigest()
    for number, row in enumerate(_rows(folder / f"{table}.parquet"), start=1):
        stated = row.pop(HASH.name)
        if _next_hash(previous, row) != stated:
            yield number
        previous = stated
    if previous != run[f"{table}_chain_head"]:
        yield 0


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    for batch in batches(file):
        yield from batch.to_pylist()


def _next_hash(previous: str, row: dict[str, Any]) -> str:
    canonical = json.dumps(row, sort_keys=True, separators=(",", ":"), default=_plain)
    return hashlib.sha256(f"{previous}{canonical}".encode()).hexdigest()


def _plain(value: object) -> str:
    """A time as text; a row holds nothing else that JSON does not know."""
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(type(value).__name__)
