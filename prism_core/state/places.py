"""Whether an output folder has a state store and where, and a copy of it to try things out."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import insert, inspect, select

from prism_core.errors import ConfigurationError
from prism_core.state.database import DATABASE_NAME, open_database
from prism_core.state.postgres import has_schema_file
from prism_core.state.schema import metadata

_BATCH = 500


def has_state(folder: Path, url: str | None) -> bool:
    """Whether there is a store of this output folder, in its file or at ``url``."""
    return (folder / DATABASE_NAME).exists() if url is None else has_schema_file(folder)


def check_has_state(folder: Path, url: str | None) -> None:
    """Raise ``ConfigurationError`` unless there is a store where the settings say it is."""
    check_not_elsewhere(folder, url)
    if not has_state(folder, url):
        raise ConfigurationError(
            f"{folder.parent} holds no state: nothing was translated into it, or it was purged"
        )


def check_not_elsewhere(folder: Path, url: str | None) -> None:
    """Raise ``ConfigurationError`` when there is no store where the settings say, but elsewhere.

    A new one would send every sentence again, in a fresh encoding that can be compared.
    """
    if has_state(folder, url):
        return
    if url is None and has_schema_file(folder):
        raise ConfigurationError(
            f"the state of {folder.parent} is in a PostgreSQL database; give the settings that "
            "name it: --settings prism.toml, or PRISM_STATE__URL"
        )
    if url is not None and has_state(folder, None):
        raise ConfigurationError(
            f"the state of {folder.parent} is in {folder / DATABASE_NAME}, and state.url names a "
            "database: leave state.url out, or choose another output folder"
        )


def copy_state(folder: Path, url: str | None, into: Path) -> None:
    """Make ``into/state.db`` what the store is at one moment, also while a run writes to it."""
    if url is None:
        with (
            suppress(sqlite3.Error),
            closing(sqlite3.connect(folder / DATABASE_NAME)) as stored,
            closing(sqlite3.connect(into / DATABASE_NAME)) as copy,
        ):
            stored.backup(copy)
        return
    with (
        closing(open_database(folder, url, read_only=True)) as source,
        closing(open_database(into, None)) as target,
        source.reading() as read,
        target.writing() as written,
    ):
        known = inspect(read).get_table_names()
        metadata.create_all(written)
        for table in (table for table in metadata.sorted_tables if table.name in known):
            rows = read.execute(select(table)).mappings()
            while batch := rows.fetchmany(_BATCH):
                written.execute(insert(table), [dict(row) for row in batch])
