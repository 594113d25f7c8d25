"""State store in PostgreSQL: its schema, its credentials, and the start of each transaction.

Several output folders may share a database: each has a schema of its own, under a random name that
is in ``OUT/.prism/schema``, and moves with the folder as an SQLite store would.

Entry: ``make_engine``; ``claim_schema_name`` and ``read_schema_name``; ``map_driver_error``.
"""

from __future__ import annotations

import getpass
import hashlib
import os
import re
import ssl
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event

from prism_core.errors import ConfigurationError, LeaseLost, StateError, StoreInUse
from prism_core.settings import Shard
from prism_core.storage import ObjectAddress, claim_marker, read_marker

DRIVER: Final = "postgresql+pg8000"
BUSY_SECONDS: Final = 60
_CONNECT_SECONDS: Final = 30
SCHEMA_FILE: Final = "schema"
"""File with the name of the schema, in a state folder whose store is in PostgreSQL."""
_SCHEMA: Final = re.compile(r"prism_[0-9a-f]{16}")
_QUERY: Final = frozenset({"sslmode", "unix_sock"})
_PGPASS_LINE: Final = re.compile(":".join([r"((?:\\.|[^:\\])*)"] * 5))
r"""Five fields between colons; ``\\:`` is no separator."""


STATE_URL: Final = "state.url"


def make_engine(url: URL, schema: str, setting: str = STATE_URL) -> Engine:
    """Return an engine whose transactions see ``schema`` and nothing else.

    ``url`` names host, database and user; the password is ``PGPASSWORD`` or that of ``~/.pgpass``.
    Its ``sslmode`` has the meaning of libpq: ``prefer`` (the default), ``disable``, ``require``,
    ``verify-full``. ``unix_sock`` is the path of a socket. Raises ``ConfigurationError`` that names
    the ``setting`` of the URL.
    """
    try:
        engine = create_engine(
            URL.create(DRIVER),
            connect_args=_connect_arguments(url, os.environ, setting),
            hide_parameters=True,
            pool_pre_ping=True,  # a provider may answer later than a firewall's time-out
        )
    except ImportError:
        raise ConfigurationError(
            "the driver for PostgreSQL is not installed: pip install 'prism-translate[postgres]'"
        ) from None
    # Otherwise each row of an INSERT is a statement of its own, with three round trips.
    engine.dialect.use_insertmanyvalues_wo_returning = True
    event.listen(engine, "begin", lambda connection: _begin(connection, schema))
    event.listen(engine, "do_connect", _connect)
    return engine


def _connect(dialect: Any, _record: object, positional: Any, named: Any) -> object:
    """Open a connection; map failures of TLS, which the driver does not map."""
    try:
        return dialect.connect(*positional, **named)
    except OSError:
        pass
    raise StateError(UNREACHABLE)


def read_schema_name(folder: Path | ObjectAddress) -> str:
    """Return the name of the schema of the output whose ``.prism`` is ``folder``.

    Raises ``StateError`` when there is none, or the file is not what PRISM wrote.
    """
    name = read_marker(folder, SCHEMA_FILE)
    if name is None or not _SCHEMA.fullmatch(name):
        wrong = "is missing" if name is None else "does not hold the name of a schema"
        raise StateError(f"{folder / SCHEMA_FILE} {wrong}; restore it from a backup")
    return name


def claim_schema_name(folder: Path | ObjectAddress, name: str) -> bool:
    """Make ``name`` the schema of this output, on disk; return False when it has one already.

    Of two programs that do so at the same time, one gets False.
    """
    return claim_marker(folder, SCHEMA_FILE, name)


def check_schema(connection: Connection, schema: str) -> None:
    """Raise ``StateError`` unless ``schema`` exists: an archive must not start afresh unseen."""
    if not has_schema(connection, schema):
        raise copy_error(_BY_STATE["3F"], "3F")


def has_schema(connection: Connection, schema: str) -> bool:
    """Return True if the database has ``schema``."""
    query = "SELECT to_regnamespace(%s)::text"
    return connection.exec_driver_sql(query, (schema,)).scalar() is not None


def insert_into(table: Table) -> Any:
    """Return PostgreSQL's own ``INSERT``, imported late: a store in a file does without it."""
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)


def lock_key(schema: str, purpose: str) -> int:
    """Return the advisory lock of ``schema`` for ``purpose``: 64 bits, signed."""
    digest = hashlib.sha256(f"prism {schema} {purpose}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


def _begin(connection: Connection, schema: str) -> None:
    """Begin a transaction like SQLite's ``BEGIN`` or ``BEGIN IMMEDIATE``.

    It has one snapshot, or is the only writer. A writer sees what was committed before each
    statement, and since it waits for its turn first, that is everything. All settings end with the
    transaction, so a pooler may stand in between.
    """
    options = connection.get_execution_options()
    if writes := options.get("writes"):
        shard: Shard | None = options.get("shard")
        begun = connection.exec_driver_sql(
            f"SET LOCAL search_path TO {schema}; SET LOCAL lock_timeout TO '{BUSY_SECONDS}s'; "
            + "; ".join(_lock_statements(schema, writes, shard))
        )
        if shard and writes != "lease" and begun.fetchall()[-1][0] != shard.holder:
            raise LeaseLost(LOST)
    else:
        connection.exec_driver_sql(
            "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; "
            f"SET LOCAL search_path TO {schema}"
        )


def _lock_statements(schema: str, writes: str, shard: Shard | None) -> Iterator[str]:
    """Yield the statements that make a writer wait for its turn.

    A shard has a turn of its own for rows that nobody else writes. Its lease is locked until the
    transaction ends, which a machine that hangs must not delay for long.
    """
    purposes = ["writing"] if writes == "any" or (writes == "own" and not shard) else []
    if shard and writes != "lease":
        purposes.append(f"writing {shard.number}")
    for purpose in purposes:
        yield f"SELECT pg_advisory_xact_lock({lock_key(schema, purpose)})::text"
    if shard and writes != "lease":
        yield f"SET LOCAL idle_in_transaction_session_timeout TO '{BUSY_SECONDS // 2}s'"
        yield (  # a number, and what a pattern was checked to be
            f"SELECT holder FROM leases WHERE number = {shard.number} "  # noqa: S608
            f"AND holder = '{shard.holder}' FOR KEY SHARE"
        )


def _connect_arguments(url: URL, environment: Mapping[str, str], setting: str) -> dict[str, Any]:
    unknown = set(url.query) - _QUERY
    if unknown or url.password is not None:
        raise ConfigurationError(
            f"{setting} has an unknown part: it takes user, host, port and database, and after ? "
            "sslmode and unix_sock; a password goes into PGPASSWORD or ~/.pgpass"
        )
    user = url.username or environment.get("PGUSER") or getpass.getuser()
    host, port = url.host or "localhost", url.port or 5432
    arguments: dict[str, Any] = {
        "user": user,
        "host": host,
        "port": port,
        "database": url.database or user,
        "password": _find_password(environment, host, port, url.database or user, user),
        "timeout": _CONNECT_SECONDS,
        "application_name": "prism",
        "ssl_context": _choose_tls(str(url.query.get("sslmode", "prefer")), setting),
    }
    if socket := url.query.get("unix_sock"):
        arguments |= {"unix_sock": str(socket), "ssl_context": False}
    return arguments


def _choose_tls(mode: str, setting: str) -> ssl.SSLContext | bool | None:
    """Return the driver's TLS option: None tries, False does not, a context insists."""
    match mode:
        case "prefer":
            return None
        case "disable":
            return False
        case "require":
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            return context
        case "verify-full":
            return ssl.create_default_context()
    raise ConfigurationError(f"sslmode in {setting} is disable, prefer, require or verify-full")


def _find_password(
    environment: Mapping[str, str], host: str, port: int, database: str, user: str
) -> str:
    """Return ``PGPASSWORD``, or the first matching line of the password file, as libpq does.

    Empty when there is none: the server may not ask. A file that others may read is not read.
    """
    if password := environment.get("PGPASSWORD"):
        return password
    path = Path(environment.get("PGPASSFILE") or "~/.pgpass").expanduser()
    try:
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            return ""
        lines = path.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except (OSError, RuntimeError):
        return ""
    wanted = (host, str(port), database, user)
    for line in lines:
        if (match := _PGPASS_LINE.fullmatch(line)) and not line.startswith("#"):
            *fields, found = (re.sub(r"\\(.)", r"\1", field) for field in match.groups())
            if all(f in ("*", w) for f, w in zip(fields, wanted, strict=True)):
                return found
    return ""


LOST = (
    "another process works on this shard of the run by now, or the run has ended; nothing more of "
    "it is sent or written here, and nothing is lost"
)
UNREACHABLE = (
    "the database server of the state store cannot be reached, or ended the connection; check "
    "state.url, the password (PGPASSWORD or ~/.pgpass, mode 0600), the server and, if sslmode asks "
    "for it, its certificate, then run again: nothing is lost"
)
LOCKED = StoreInUse("another program keeps the state store locked; end it")
_BY_STATE: dict[str, StateError] = {
    "28": StateError(
        "the database server refuses the user or the password; the password goes into PGPASSWORD "
        "or ~/.pgpass (mode 0600)"
    ),
    "3D": StateError("the database that state.url names does not exist; make it: createdb"),
    "3F": StateError(
        "the schema of this output folder is not in the database that state.url names; restore it, "
        "or remove the file .prism/schema to start afresh (sentences are then sent again)"
    ),
    "42501": StateError(
        "the database user may not do this; let it make a schema: GRANT CREATE ON DATABASE … TO …"
    ),
    "25006": StateError("the database takes no changes now (it is a standby?); name the primary"),
    "53100": StateError(
        "the disk of the database server is full; free some space and run again, nothing is lost"
    ),
    "53": StateError(
        "the database server has no room or no connection left; make room and run again, nothing "
        "is lost"
    ),
    "55P03": LOCKED,
    "57": StateError(UNREACHABLE),
    "08": StateError(UNREACHABLE),
    "XX": StateError(
        "the database of the state store is damaged; restore it from a backup, or remove the file "
        ".prism/schema to start afresh (sentences are then sent again)"
    ),
}
"""Errors by SQLSTATE, or by its first two characters, which are its class."""


def map_driver_error(error: BaseException | None) -> StateError | None:
    """Map a driver exception to a ``StateError``, dropping its message because it may quote data.

    Returns None for unrelated exceptions.
    """
    if not type(error).__module__.startswith("pg8000"):
        return None
    while error is not None:  # the driver may hide the server's error behind its own
        if error.args and isinstance(error.args[0], dict):
            break
        error = error.__context__
    if error is None:
        return StateError(UNREACHABLE)
    state = str(error.args[0].get("C", ""))
    return copy_error(_BY_STATE.get(state) or _BY_STATE.get(state[:2]), state[:5] or "none")


def copy_error(known: StateError | None, code: str) -> StateError:
    """Return a new error with the words of ``known``; without it one that names the ``code``."""
    if known is not None:
        return type(known)(str(known))
    return StateError(
        f"the state store's database failed; check that it can be reached and has room (its code: "
        f"{code})"
    )
