"""Connections and transactions, and the mapping of database errors to ours.

Entry: ``open_database`` gives a ``Database``; then ``rows``, ``scalars`` or ``scalar`` for one look
and ``execute`` for one change, ``reading`` or ``writing`` for several together.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeVar

from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Engine,
    Executable,
    Row,
    Select,
    Table,
    bindparam,
    cast,
    column,
    create_engine,
    event,
    inspect,
    make_url,
    tuple_,
    update,
    values,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import SQLAlchemyError

from prism_core.errors import ConfigurationError, StateError
from prism_core.settings import Shard
from prism_core.state import postgres
from prism_core.storage import ObjectAddress, has_marker

BUSY_SECONDS = 60
_BUSY_PAUSE = 0.01
DATABASE_NAME = "state.db"
ROWS_OF_A_STATEMENT = 500
"""Number of rows that one statement reads, names or changes."""
_TRUNCATE_LOG = "PRAGMA wal_checkpoint(TRUNCATE)"
Value = TypeVar("Value")
Writes = Literal["any", "own", "lease"]
"""Scope of a writing transaction. "any": anything, and alone. "own": rows of its own shard, while
other shards write theirs. "lease": a lease, whoever holds it. Without shards one writes at a
time."""
AnyQuery = Select[Any]
AnyRow = Row[Any]


class Database:
    """Database shared by the threads of a process; never carried over to another process.

    ``schema`` is our part of a PostgreSQL database; None for SQLite. With a ``shard`` every
    transaction that writes raises ``LeaseLost``, unless the shard is still its holder's.
    """

    shard: Shard | None = None

    def __init__(self, engine: Engine, schema: str | None = None) -> None:
        self._engine = engine
        self.schema = schema
        self.process = os.getpid()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a consistent, read-only view of the whole store."""
        with map_errors(self.schema), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self, scope: Writes = "any") -> Iterator[Connection]:
        """Open a transaction that alone writes ``scope``; on disk when the block ends, or undone.

        Nobody takes the shard over while it lasts.
        """
        engine = self._engine.execution_options(writes=scope, shard=self.shard)
        with map_errors(self.schema), engine.begin() as connection:
            yield connection

    def rows(self, query: AnyQuery) -> list[AnyRow]:
        """Return all rows of ``query``, seen at one moment."""
        with self.reading() as connection:
            return list(connection.execute(query))

    def rows_of(
        self, query: AnyQuery, column: ColumnElement[Any], ids: Iterable[Any]
    ) -> Iterator[AnyRow]:
        """Yield the rows of ``query`` whose ``column`` is one of ``ids``, some ids at a time."""
        for batch in split_ids(ids):
            yield from self.rows(query.where(column.in_(batch)))

    def pages(self, query: AnyQuery, *order: ColumnElement[Any]) -> Iterator[list[AnyRow]]:
        """Yield the rows of ``query`` in ``order``, which is total, each page read on demand."""
        page = query.order_by(*order).limit(ROWS_OF_A_STATEMENT)
        rows = self.rows(page)
        while rows:
            yield rows
            last = tuple(rows[-1]._mapping[column] for column in order)
            rows = self.rows(page.where(tuple_(*order) > last))

    def scalars(self, query: Select[tuple[Value]]) -> list[Value]:
        """Return the one column of ``query``, seen at one moment."""
        return [row[0] for row in self.rows(query)]

    def scalar(self, query: Select[tuple[Value]]) -> Value:
        """Return the one value of ``query``, which has one row."""
        return self.scalars(query)[0]

    def execute(self, statement: Executable, scope: Writes = "any") -> None:
        """Make one change, a transaction of its own."""
        with self.writing(scope) as connection:
            connection.execute(statement)

    def update_each(
        self,
        table: Table,
        condition: ColumnElement[bool],
        rows: list[dict[str, Any]],
        scope: Writes = "any",
    ) -> None:
        """Call ``update_each`` in a transaction of its own, all or nothing; none for no rows."""
        if rows:
            with self.writing(scope) as connection:
                update_each(connection, table, condition, rows)

    @contextmanager
    def outside(self) -> Iterator[Connection]:
        """Open a separate connection without a transaction; it is closed for good at the end."""
        with map_errors(), self._engine.connect() as connection:
            connection.connection.rollback()  # the pool's look at it began a transaction
            autocommit = connection.execution_options(isolation_level="AUTOCOMMIT")
            autocommit.detach()
            yield autocommit

    def rewrite(self, table: Table | None = None) -> None:
        """Rewrite all tables, or ``table`` alone, without the remains of deleted rows.

        In a file only the log holds any, and it is emptied; for one small table that suffices.
        """
        with map_errors():
            if self.schema is not None:
                with self.outside() as connection:
                    names = inspect(connection).get_table_names(self.schema)
                    for name in names if table is None else [table.name]:
                        connection.exec_driver_sql(f"VACUUM FULL {self.schema}.{name}")
                return
            with closing(self._engine.raw_connection()) as raw, closing(raw.cursor()) as cursor:
                for statement in (_TRUNCATE_LOG, *(("VACUUM", _TRUNCATE_LOG) * (table is None))):
                    cursor.execute(statement)
                    cursor.fetchall()

    def close(self) -> None:
        """Close every connection; SQLite then folds its log into the database."""
        with map_errors():
            self._engine.dispose()


def open_database(
    folder: Path,
    url: str | None,
    *,
    read_only: bool = False,
    marks: Path | ObjectAddress | None = None,
) -> Database:
    """Open the database at ``url``, or ``folder/state.db``, made for its owner alone.

    ``marks`` holds the name of the schema, if ``folder`` does not. With ``read_only`` nothing is
    made or changed. Raises ``StateError`` when it cannot be made or opened, ``ConfigurationError``
    for a malformed URL.
    """
    if url is not None:
        place, parsed = marks or folder, _parse_url(url)
        if not read_only and not has_marker(place, postgres.SCHEMA_FILE):
            # a run killed before it is noted leaves an empty schema
            new = f"prism_{secrets.token_hex(8)}"
            with closing(Database(postgres.make_engine(parsed, new), new)) as database:
                with database.writing() as connection:
                    connection.exec_driver_sql(f"CREATE SCHEMA {new}")
                if not postgres.claim_schema_name(place, new):
                    with database.writing() as connection:
                        connection.exec_driver_sql(f"DROP SCHEMA {new}")
        schema = postgres.read_schema_name(place)
        database = Database(postgres.make_engine(parsed, schema), schema)
        with database.reading() as connection:
            postgres.check_schema(connection, schema)
        return database
    path = folder / DATABASE_NAME
    if read_only:
        return Database(_sqlite_engine(path, "?mode=ro&uri=true"))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
        path.touch(mode=0o600)
    except OSError as error:
        raise StateError(
            f"the state folder {folder} cannot be made: {error.strerror}; check the permissions "
            "and the free space of the output folder"
        ) from None
    return Database(_sqlite_engine(path, "?uri=true"))


def open_file(path: Path) -> Database:
    """Open the SQLite database ``path``; it and its folder are made for their owner alone.

    The last writes survive ``kill -9``, but not a power failure. Raises ``OSError`` when it cannot
    be made.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.touch(mode=0o600)
    engine = _sqlite_engine(path.absolute(), "?uri=true")
    set_normal = "PRAGMA synchronous=NORMAL"
    event.listen(engine, "connect", lambda opened, _record: opened.execute(set_normal).close())
    return Database(engine)


def open_schema(url: str, schema: str, setting: str) -> Database:
    """Open the part ``schema`` of the PostgreSQL database at ``url``, making it if missing.

    Raises ``StateError``, or ``ConfigurationError`` that names the ``setting`` of the URL.
    """
    database = Database(postgres.make_engine(_parse_url(url, setting), schema, setting), schema)
    with close_on_error(database), database.writing() as connection:
        if not postgres.has_schema(connection, schema):
            connection.exec_driver_sql(f"CREATE SCHEMA {schema}")
    return database


def _parse_url(url: str, setting: str = postgres.STATE_URL) -> URL:
    try:
        parsed: URL | None = make_url(url)
    except (SQLAlchemyError, ValueError):
        parsed = None
    if parsed is None or parsed.drivername not in ("postgresql", postgres.DRIVER):
        raise ConfigurationError(
            f"{setting} is not a valid URL; leave it out, or name a PostgreSQL database: "
            "postgresql://user@host/database"
        )
    return parsed


def split_ids(ids: Iterable[Value]) -> Iterator[list[Value]]:
    """Yield ``ids``, or rows, in lists of as many as one statement may name."""
    remaining = iter(ids)
    while batch := list(islice(remaining, ROWS_OF_A_STATEMENT)):
        yield batch


def insert_new(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert ``rows`` except those whose primary key exists, which stay as they are."""
    if not rows:
        return
    is_file = connection.dialect.name == "sqlite"
    new = sqlite.insert(table) if is_file else postgres.insert_into(table)
    connection.execute(new.on_conflict_do_nothing(), rows)


def update_each(
    connection: Connection, table: Table, condition: ColumnElement[bool], rows: list[dict[str, Any]]
) -> None:
    """Set the columns named in ``rows`` (equal in each) where ``id`` is that row's.

    Only where ``condition`` holds; it may not hold an ``IN``, since many rows are one statement.
    """
    if not rows:
        return
    names = [name for name in rows[0] if name != "id"]
    if connection.dialect.name == "sqlite":
        given: dict[str, Any] = {name: bindparam(f"new_{name}") for name in names}
        statement = update(table).where(table.c.id == bindparam("row"), condition).values(given)
        prefixed = [{"row" if k == "id" else f"new_{k}": v for k, v in row.items()} for row in rows]
        connection.execute(statement, prefixed)
        return
    columns = [column(name, table.c[name].type) for name in ("id", *names)]
    for batch in split_ids(rows):
        listed = values(*columns, name="given").data([(r["id"], *map(r.get, names)) for r in batch])
        connection.execute(
            update(table)
            .where(table.c.id == listed.c.id, condition)
            .values({name: cast(listed.c[name], table.c[name].type) for name in names})
        )


def _sqlite_engine(path: Path, options: str) -> Engine:
    # Inside an SQLite URI ``?``, ``#`` and ``%`` would end or change the path.
    quoted = str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    engine = create_engine(f"sqlite:///file:{quoted}{options}", hide_parameters=True)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    """Set the options of each SQLite connection.

    It writes ahead (WAL): while another process makes the same new file so, SQLite ignores
    ``busy_timeout``. ``synchronous=FULL``: a request must be on disk before it is sent, even when
    the power fails. ``secure_delete``: a deleted row is overwritten. ``temp_store``: no temporary
    files.
    """
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            break
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(_BUSY_PAUSE)
    for setting in ("synchronous=FULL", "secure_delete=ON", "foreign_keys=ON", "temp_store=MEMORY"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _begin(connection: Connection) -> None:
    """Let writers queue at the start, not at the first write, where SQLite could only refuse."""
    writes = connection.get_execution_options().get("writes", False)
    driver = connection.connection.cursor()  # SQLAlchemy's own would double what a read costs
    driver.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
    driver.close()


@contextmanager
def map_errors(schema: str | None = None) -> Iterator[None]:
    """Map errors of the database driver to a ``StateError`` that names the fix.

    Neither the statement nor the driver's own message is kept. On a connection to ``schema`` this
    includes a broken connection, which its driver does not map.
    """
    try:
        yield
    except SQLAlchemyError as error:
        typed = _map_error(getattr(error, "orig", None))
    except sqlite3.Error as error:
        typed = _map_error(error)
    except OSError:
        if schema is None:
            raise
        typed = StateError(postgres.UNREACHABLE)
    else:
        return
    raise typed from None


@contextmanager
def close_on_error(database: Database) -> Iterator[None]:
    """Close ``database`` when the block that sets it up fails."""
    try:
        yield
    except BaseException:
        database.close()
        raise


_BY_CODE: dict[int, StateError] = {
    sqlite3.SQLITE_BUSY: postgres.LOCKED,
    sqlite3.SQLITE_LOCKED: postgres.LOCKED,
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


def _map_error(error: BaseException | None) -> StateError:
    if (typed := postgres.map_driver_error(error)) is not None:
        return typed
    code = getattr(error, "sqlite_errorcode", None) or sqlite3.SQLITE_OK
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    return postgres.copy_error(_BY_CODE.get(code & 0xFF), name)
