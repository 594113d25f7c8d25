"""A copy of a state store in a file, to try out what a run would do."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import Connection, Table, insert, inspect, select

from prism_core.state.database import DATABASE_NAME, open_database
from prism_core.state.postgres import has_schema_file
from prism_core.state.schema import metadata

_BATCH = 500


def has_state(folder: Path, url: str | None) -> bool:
    """Whether there is a store of this output folder, in its file or at ``url``."""
    return (folder / DATABASE_NAME).exists() if url is None else has_schema_file(folder)


def copy_state(folder: Path, url: str | None, into: Path) -> None:
    """Make ``into/state.db`` what the store is at one moment, also while a run writes to it."""
    if url is None:
        with suppress(sqlite3.Error):
            _copy_file(folder / DATABASE_NAME, into / DATABASE_NAME)
        return
    source, target = open_database(folder, url, read_only=True), open_database(into, None)
    try:
        with source.reading() as read, target.writing() as written:
            known = inspect(read).get_table_names()
            metadata.create_all(written)
            for table in metadata.sorted_tables:
                if table.name in known:
                    _copy_rows(read, written, table)
    finally:
        source.close()
        target.close()


def _copy_rows(source: Connection, target: Connection, table: Table) -> None:
    rows = source.execute(select(table)).mappings()
    while batch := rows.fetchmany(_BATCH):
        target.execute(insert(table), [dict(row) for row in batch])


def _copy_file(existing: Path, copy: Path) -> None:
    with closing(sqlite3.connect(existing)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
