"""Meters that several processes share, so that together they keep within one rate.

They are in a database of their own: a file for the processes of one machine, PostgreSQL for several
machines. It holds a name for each account and moments, nothing else, and may be deleted while no
run uses it. Its version is its own, apart from that of state stores.

A process leases a block of an account's time, in which nobody else sends. It spends the block by a
clock that counts durations, since the hosts' time of day does not matter. Time here is that of the
machine since its start (for a file), or of the database server. A clock that is set back counts as
one that stood still; a process detects by its own clock that one was set forward (``SharedPace``).
The lease of a dead process simply ends: nothing is to be freed.

Entry: ``SharedMeters.open``; then ``lease`` some time, ``give_back`` what is left, and ``pause``,
which those who hold a lease learn of by ``is_paused``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Dialect,
    Float,
    Integer,
    MetaData,
    Select,
    String,
    Subquery,
    Table,
    and_,
    case,
    cast,
    extract,
    func,
    inspect,
    literal,
    select,
    true,
    update,
)
from sqlalchemy.sql.dml import ReturningUpdate

from prism_core.errors import StateError, StoreInUse
from prism_core.state import (
    BUSY_SECONDS,
    Database,
    close_on_error,
    insert_new,
    lock_key,
    map_errors,
    open_file,
    open_schema,
)

VERSION: Final = 2
SCHEMA: Final = "prism_pace"
SETTING: Final = "translator.shared_pace"
LONGEST_BOOKING: Final = 3600.0
"""Seconds of the longest booking: a rate mistyped a thousandfold must not block others for days."""

metadata = MetaData()

versions = Table("pace_version", metadata, Column("version", Integer, primary_key=True))

accounts = Table(
    "pace_accounts",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("account", String(400), nullable=False),
    Column("seen", Float, nullable=False),
    Column("starts", Float, nullable=False),
    Column("paused_until", Float, nullable=False),
    Column("requests", Float, nullable=False),
    Column("characters", Float, nullable=False),
    Column("tokens", Float, nullable=False),
)
"""Moments, in seconds: when the row was last written, when the lease requested then starts, until
when the account is paused, and until when each of its meters is taken. ``number`` is a digest of
the account's name."""

Changes = Mapping[str, ColumnElement[float]]
_Statement = ReturningUpdate[Any] | Select[tuple[bool]]
_METERS: Final = ("requests", "characters", "tokens")
_SHIFTED: Final = ("paused_until", *_METERS)
_SERVER_NOW: Final = cast(extract("epoch", func.clock_timestamp()), Float)


def read_machine_clock() -> float:
    """Return the seconds since this machine's start, including those it was suspended."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


@dataclass(frozen=True, slots=True)
class MeterLease:
    """Lease of the meters, by their clock, which said ``now``; booked if ``is_ours``.

    From ``start`` on the meters are then ours for ``seconds`` each. Otherwise ask again.
    """

    now: float
    start: float
    seconds: tuple[float, ...]
    is_ours: bool


class SharedMeters:
    """Meters of one account: requests, characters, tokens. Threads may share one object.

    Each call is one statement, and in PostgreSQL one round trip.
    """

    def __init__(
        self, database: Database, account: str, place: str, clock: Callable[[], float]
    ) -> None:
        self._database = database
        self._account = account
        self._number = lock_key(SCHEMA, account)
        self._place = place
        self._clock = clock
        self._alone = threading.Lock()
        self._held = ExitStack()
        self._connection: Connection | None = None
        is_file = database.schema is None
        self._latest: Callable[..., Any] = func.max if is_file else func.greatest
        self._first: Callable[..., Any] = func.min if is_file else func.least

    @classmethod
    def open(
        cls, place: Path | str, account: str, clock: Callable[[], float] = read_machine_clock
    ) -> Self:
        """Open the meters of ``account`` in the file or at the URL ``place``, made if needed.

        ``clock`` is the machine's, for files; all processes that share one must have the same.
        Raises ``StateError`` when they cannot be used, ``ConfigurationError`` for a malformed URL.
        """
        shown = str(place).partition("?")[0]
        with _map_errors(shown):
            database = (
                open_file(place) if isinstance(place, Path) else open_schema(place, SCHEMA, SETTING)
            )
        meters = cls(database, account, shown, clock)
        with close_on_error(database):
            meters._prepare()
        return meters

    def lease(self, seconds: Sequence[float], ahead: float) -> MeterLease:
        """Book that many seconds of each meter from when all are free, if that is soon enough.

        The lease must start at most ``ahead`` seconds from now. Raises ``StateError`` when the
        database does not answer: then nothing may be sent.
        """

        def book(read: Subquery) -> Changes:
            start = self._latest(*(read.c[name] for name in ("now", "paused_until", *_METERS)))
            is_soon = start - read.c.now <= ahead
            taken = {
                name: case((is_soon, start + more), else_=read.c[name])
                for name, more in zip(_METERS, seconds, strict=True)
            }
            return {"starts": start, **taken}

        row = self._change(book)
        now, start = float(row.seen), float(row.starts)
        return MeterLease(now, start, tuple(seconds), start - now <= ahead)

    def pause(self, seconds: float) -> None:
        """Lease nothing to anybody for that many seconds from now on. Raises ``StateError``."""
        self._change(
            lambda read: {"paused_until": self._latest(read.c.paused_until, read.c.now + seconds)}
        )

    def is_paused(self) -> bool:
        """Return True while a pause lasts; changes nothing, so no lock. Raises ``StateError``."""

        def look(now: ColumnElement[float]) -> Select[tuple[bool]]:
            is_paused = accounts.c.paused_until > self._latest(now, accounts.c.seen)
            return select(is_paused).where(accounts.c.number == self._number)

        return bool(self._execute(look, is_change=False)[0])

    def give_back(self, lease: MeterLease, used: Sequence[float]) -> None:
        """Free the part of ``lease`` that was not ``used``, in seconds of each meter.

        It is lost if somebody has booked after it. Raises ``StateError``.
        """
        ends = dict(zip(_METERS, lease.seconds, strict=True))
        kept = dict(zip(_METERS, used, strict=True))

        def free(read: Subquery) -> Changes:
            is_last = and_(*(read.c[name] == lease.start + ends[name] for name in _METERS))
            return {
                name: case((is_last, lease.start + kept[name]), else_=read.c[name])
                for name in _METERS
            }

        self._change(free)

    def close(self) -> None:
        """Close the database."""
        with _map_errors(self._place):
            self._held.close()
            self._database.close()

    def _change(self, changes: Callable[[Subquery], Changes]) -> Any:
        """Apply ``changes`` to the account's row as read at this moment; return the row."""
        return self._execute(lambda now: self._build_change(now, changes), is_change=True)

    def _execute(
        self, build: Callable[[ColumnElement[float]], _Statement], *, is_change: bool
    ) -> Any:
        """Execute the statement that ``build`` makes of the time now; return its row."""
        with _map_errors(self._place), self._alone:
            if self._database.schema is None:
                begin = self._database.writing if is_change else self._database.reading
                with begin() as connection:
                    return connection.execute(build(literal(self._clock()))).one()
            statement = build(_SERVER_NOW)
            try:
                return self._send(statement, is_change=is_change)
            except StoreInUse:
                raise
            except StateError:  # a firewall may have forgotten the connection; ask once more
                return self._send(statement, is_change=is_change)

    def _build_change(
        self, now: ColumnElement[float], changes: Callable[[Subquery], Changes]
    ) -> ReturningUpdate[Any]:
        """Build one statement that reads the row, its moments shifted if the clock was set back."""
        clock = select(now.label("now")).subquery("clock")
        back = self._latest(literal(0.0), accounts.c.seen - clock.c.now)
        longest = clock.c.now + LONGEST_BOOKING
        shifted = [self._first(accounts.c[name] - back, longest).label(name) for name in _SHIFTED]
        of_account = accounts.c.number == self._number
        read = (
            select(accounts.c.number, clock.c.now, *shifted)
            .select_from(accounts.join(clock, true()))
            .where(of_account)
            .subquery("read")
        )
        values = {"seen": read.c.now, **{name: read.c[name] for name in _SHIFTED}, **changes(read)}
        change = update(accounts).where(of_account, accounts.c.number == read.c.number)
        return change.values(values).returning(accounts.c.seen, accounts.c.starts)

    def _send(self, statement: _Statement, *, is_change: bool) -> Any:
        """Execute a statement in one round trip, over a connection that is kept."""
        try:
            if self._connection is None:
                self._connection = self._held.enter_context(self._database.outside())
            with map_errors(SCHEMA):
                message = self._build_message(statement, self._connection.dialect)
                if is_change:
                    message = self._lock_account() + message
                *_, row = self._connection.exec_driver_sql(message)  # after that of the lock
                return row
        except StateError:
            self._connection = None
            with suppress(StateError):
                self._held.close()
            raise

    def _build_message(self, statement: _Statement, dialect: Dialect) -> str:
        compiled = statement.compile(
            dialect=dialect,
            compile_kwargs={"literal_binds": True},
            schema_translate_map={None: SCHEMA},
            render_schema_translate=True,
        )
        return str(compiled)

    def _lock_account(self) -> str:
        """Return what the server must run before a change, in the same transaction.

        One process at a time may change the account, and reads the clock after its turn has come. A
        lease that is lost with the server's power does no harm: it has ended when the server is
        back.
        """
        return (
            f"SET LOCAL lock_timeout TO '{BUSY_SECONDS}s'; "
            "SET LOCAL synchronous_commit TO off; "
            f"SELECT pg_advisory_xact_lock({self._number}); "
        )

    def _prepare(self) -> None:
        """Make the tables and the account's row, where they are missing."""
        with _map_errors(self._place), self._database.writing() as connection:
            names = inspect(connection).get_table_names(self._database.schema)
            if not names:
                metadata.create_all(connection)
                insert_new(connection, versions, [{"version": VERSION}])
            is_pace = not names or versions.name in names
            version = connection.execute(select(versions.c.version)).scalar() if is_pace else None
            if version == VERSION:
                moments = dict.fromkeys(("seen", "starts", "paused_until", *_METERS), 0.0)
                row = {"number": self._number, "account": self._account, **moments}
                insert_new(connection, accounts, [row])
        if not is_pace:
            raise StateError(f"{self._place} is no shared pace; name another file in {SETTING}")
        if version != VERSION:
            raise StateError(
                f"the shared pace in {self._place} is of another version of PRISM; end all runs "
                "that share it, delete it, and use one version of PRISM for all of them"
            )


@contextmanager
def _map_errors(place: str) -> Iterator[None]:
    """Map errors of the database to messages about the shared pace, not the state store."""
    try:
        yield
    except StoreInUse:
        fault = StateError(f"another program keeps the shared pace in {place} locked; end it")
    except (StateError, OSError):
        fault = StateError(
            f"the shared pace in {place} cannot be used, and nothing is sent without it. Check "
            f"{SETTING}: the file's folder must be yours and have room; the server must run, and "
            "know the database, the user and the password (PGPASSWORD or ~/.pgpass, mode 0600)"
        )
    else:
        return
    raise fault
