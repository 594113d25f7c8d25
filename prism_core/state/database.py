"""Connections and transactions; what goes wrong in the database, said once and typed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Table, create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from prism_core.errors import ConfigurationError, StateError, StoreInUse

BUSY_SECONDS = 60
DATABASE_NAME = "state.db"


class Database:
    """One database, shared by the threads of a process; never carried over to another process."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.process = os.getpid()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A consistent view of the whole store; nothing is written."""
        with _typed_errors(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that alone may write; it is on disk when the block ends, or undone."""
        with _typed_errors(), self._engine.execution_options(writes=True).begin() as connection:
            yield connection

    def close(self) -> None:
        """Let go of every connection; SQLite then folds its log into the database."""
        with _typed_errors():
            self._engine.dispose()


def open_database(folder: Path, url: str | None, *, read_only: bool = False) -> Database:
    """The database at ``url``, or ``folder/state.db``; the folder is made, for its owner alone.

    Raises ``StateError`` when it cannot be made or opened, ``ConfigurationError`` for a URL that
    is not understood.
    """
    if url is not None:
        return Database(_engine(url))
    path = folder / DATABASE_NAME
    if read_only:
        return Database(_engine(f"sqlite:///file:{_quoted(path)}?mode=ro&uri=true"))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
        path.touch(mode=0o600)
    except OSError as error:
        raise StateError(
            f"the state folder {folder} cannot be made: {error.strerror}; check the permissions "
            "and the free space of the output folder"
        ) from None
    return Database(_engine(f"sqlite:///file:{_quoted(path)}?uri=true"))


def insert_new(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert ``rows``, leaving as they are those whose primary key is there already."""
    if not rows:
        return
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    connection.execute(dialect.insert(table).on_conflict_do_nothing(), rows)


def _quoted(path: Path) -> str:
    """``path`` inside an SQLite URI: ``?``, ``#`` and ``%`` would end or change it."""
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _engine(url: str) -> Engine:
    try:
        engine = create_engine(url, hide_parameters=True, pool_pre_ping=False)
    except (SQLAlchemyError, ImportError, ValueError):
        engine = None
    if engine is None:
        raise ConfigurationError(
            "state.url is not understood; leave it out, or name a database SQLAlchemy knows and "
            "whose driver is installed: postgresql+psycopg://host/database"
        )
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    """What each SQLite connection needs.

    ``synchronous=FULL``: a request must be on disk before it is sent, even when the power fails.
    ``secure_delete``: a row that is gone is overwritten. ``temp_store``: no temporary files.
    """
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "secure_delete=ON",
        "foreign_keys=ON",
        "temp_store=MEMORY",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    """Writers queue at the start, not at the first write, where SQLite could only refuse them."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def _typed_errors() -> Iterator[None]:
    """Turn what the database driver raises into a ``StateError`` that names the fix.

    Neither the statement nor the driver's own message is kept.
    """
    try:
        yield
    except SQLAlchemyError as error:
        typed = _typed(getattr(error, "orig", None))
    except sqlite3.Error as error:
        typed = _typed(error)
    else:
        return
    raise typed from None


_BY_CODE: dict[int, StateError] = {
    sqlite3.SQLITE_BUSY: StoreInUse("another program keeps the state store locked; end it"),
    sqlite3.SQLITE_LOCKED: StoreInUse("another program keeps the state store locked; end it"),
    sqlite3.SQLITE_FULL: StateError(
        "the disk with the state store is full; free some space and run again, nothing is lost"
    ),
    sqlite3.SQLITE_IOERR: StateError(
        "the state store cannot be written: disk full, over quota or failing; make room and run "
        "again, nothing is lost"
    ),
    sqlite3.SQLITE_READONLY: StateError(
        "the state store may not be written; check the permissions of the .prism folder"
    ),
    sqlite3.SQLITE_CANTOPEN: StateError(
        "the state store cannot be opened; check that the .prism folder exists and is yours"
    ),
    sqlite3.SQLITE_CORRUPT: StateError(
        "the state store is damaged; restore it from a backup, or move the .prism folder away to "
        "start afresh (sentences are then sent again)"
    ),
}
_BY_CODE[sqlite3.SQLITE_NOTADB] = _BY_CODE[sqlite3.SQLITE_CORRUPT]
_BY_CODE[sqlite3.SQLITE_PERM] = _BY_CODE[sqlite3.SQLITE_READONLY]


def _typed(error: BaseException | None) -> StateError:
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None and (code & 0xFF) in _BY_CODE:
        known = _BY_CODE[code & 0xFF]
        return type(known)(str(known))
    return StateError(
        "the state store's database failed; check that it can be reached and has room "
        f"(its code: {getattr(error, 'sqlite_errorname', type(error).__name__)})"
    )
