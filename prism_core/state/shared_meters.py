"""Meters that several processes share, so that together they keep within one rate.

They stand in a database of their own: a file for the processes of one machine, PostgreSQL for
several machines. It holds a name for each account and moments, nothing else, and may be deleted
while no run uses it. Its version is its own, apart from that of state stores.

A process leases a stretch of an account's time, in which nobody else sends: its own to spend by a
clock that counts durations, since what the hosts take for the time of day does not matter. Time
here is that of the machine since it was started (for a file), or of the database server. A clock
that is set back counts as one that stood still; that one was set forward a process tells from its
own (``SharedPace``). What a dead process leased is past when it is past: nothing is to be freed.

Entry: ``SharedMeters.open``; then ``lease`` some time, ``give_back`` what is left, and ``pause``.
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
from prism_core.state import postgres
from prism_core.state.database import (
    Database,
    closed_on_error,
    insert_new,
    open_file,
    open_schema,
    typed_errors,
)

VERSION: Final = 2
SCHEMA: Final = "prism_pace"
SETTING: Final = "translator.shared_pace"
LONGEST_BOOKING: Final = 3600.0
"""Seconds. A rate that is mistyped a thousandfold must not hold all others up for days."""

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
"""Moments, in seconds: when the row was last written, when the lease that was asked for then
starts, until when the account is paused, and until when each of its meters is taken. ``number`` is
a digest of the account's name."""

Changes = Mapping[str, ColumnElement[float]]
_METERS: Final = ("requests", "characters", "tokens")
_MOVED: Final = ("paused_until", *_METERS)
_SERVER_NOW: Final = cast(extract("epoch", func.clock_timestamp()), Float)


def time_of_machine() -> float:
    """Seconds that this machine has run, those in which it was suspended included."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


@dataclass(frozen=True, slots=True)
class Lease:
    """When the meters are free, by their clock that said ``now``; booked if ``is_ours``.

    From ``start`` on the meters are then ours for ``seconds`` each. Else ask again.
    """

    now: float
    start: float
    seconds: tuple[float, ...]
    is_ours: bool


class SharedMeters:
    """The meters of one account: requests, characters, tokens. Threads may share one object.

    Each call is one statement, and in PostgreSQL one way there and back.
    """

    def __init__(
        self, database: Database, account: str, place: str, clock: Callable[[], float]
    ) -> None:
        self._database = database
        self._account = account
        self._number = postgres.lock_key(SCHEMA, account)
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
        cls, place: Path | str, account: str, clock: Callable[[], float] = time_of_machine
    ) -> Self:
        """The meters of ``account`` in the file or at the URL ``place``, made if need be.

        ``clock`` is the machine's, for files; all processes that share one must have the same.
        Raises ``StateError`` when they cannot be used, ``ConfigurationError`` for a URL that is not
        understood.
        """
        shown = str(place).partition("?")[0]
        with _retell_errors(shown):
            database = (
                open_file(place) if isinstance(place, Path) else open_schema(place, SCHEMA, SETTING)
            )
        meters = cls(database, account, shown, clock)
        with closed_on_error(database):
            meters._prepare()
        return meters

    def lease(self, seconds: Sequence[float], ahead: float) -> Lease:
        """Book so many seconds of each meter from when all are free, if that is soon enough.

        That is no later than ``ahead`` seconds from now. Raises ``StateError`` when the database
        does not answer: then nothing may be sent.
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
        return Lease(now, start, tuple(seconds), start - now <= ahead)

    def pause(self, seconds: float) -> None:
        """Nothing is leased to anybody for so many seconds from now on. Raises ``StateError``."""
        self._change(
            lambda read: {"paused_until": self._latest(read.c.paused_until, read.c.now + seconds)}
        )

    def give_back(self, lease: Lease, used: Sequence[float]) -> None:
        """Of ``lease`` only so many seconds were used: the rest is free again.

        Where somebody has booked after it, it is not, and lost. Raises ``StateError``.
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
        """Let go of the database."""
        with _retell_errors(self._place):
            self._held.close()
            self._database.close()

    def _change(self, changes: Callable[[Subquery], Changes]) -> Any:
        """The account's row after ``changes`` of it, as it is read at this moment."""
        with _retell_errors(self._place), self._alone:
            if self._database.schema is None:
                with self._database.writing() as connection:
                    statement = self._statement(literal(self._clock()), changes)
                    return connection.execute(statement).one()
            statement = self._statement(_SERVER_NOW, changes)
            try:
                return self._send(statement)
            except StoreInUse:
                raise
            except StateError:  # a firewall may have forgotten the connection; book once more
                return self._send(statement)

    def _statement(
        self, now: ColumnElement[float], changes: Callable[[Subquery], Changes]
    ) -> ReturningUpdate[Any]:
        """One statement that reads the row, its moments moved where the clock was set back."""
        clock = select(now.label("now")).subquery("clock")
        back = self._latest(literal(0.0), accounts.c.seen - clock.c.now)
        longest = clock.c.now + LONGEST_BOOKING
        moved = [self._first(accounts.c[name] - back, longest).label(name) for name in _MOVED]
        of_account = accounts.c.number == self._number
        read = (
            select(accounts.c.number, clock.c.now, *moved)
            .select_from(accounts.join(clock, true()))
            .where(of_account)
            .subquery("read")
        )
        values = {"seen": read.c.now, **{name: read.c[name] for name in _MOVED}, **changes(read)}
        change = update(accounts).where(of_account, accounts.c.number == read.c.number)
        return change.values(values).returning(accounts.c.seen, accounts.c.starts)

    def _send(self, change: ReturningUpdate[Any]) -> Any:
        """One way to the server and back, over a connection that is kept."""
        try:
            if self._connection is None:
                self._connection = self._held.enter_context(self._database.outside())
            with typed_errors(SCHEMA):
                message = self._message(change, self._connection.dialect)
                *_, row = self._connection.exec_driver_sql(message)  # after that of the lock
                return row
        except StateError:
            self._connection = None
            with suppress(StateError):
                self._held.close()
            raise

    def _message(self, change: ReturningUpdate[Any], dialect: Dialect) -> str:
        """``change`` with what goes before it, which the server takes for one transaction.

        One at a time may change the account, and reads the clock after its turn has come. A lease
        that is lost with the server's power is no loss: it has run out when the server is back.
        """
        compiled = change.compile(
            dialect=dialect,
            compile_kwargs={"literal_binds": True},
            schema_translate_map={None: SCHEMA},
            render_schema_translate=True,
        )
        return (
            f"SET LOCAL lock_timeout TO '{postgres.BUSY_SECONDS}s'; "
            "SET LOCAL synchronous_commit TO off; "
            f"SELECT pg_advisory_xact_lock({self._number}); {compiled}"
        )

    def _prepare(self) -> None:
        """Make the tables and the account's row, where they are not there yet."""
        with _retell_errors(self._place), self._database.writing() as connection:
            names = inspect(connection).get_table_names(self._database.schema)
            if not names:
                metadata.create_all(connection)
                insert_new(connection, versions, [{"version": VERSION}])
            ours = not names or versions.name in names
            version = connection.execute(select(versions.c.version)).scalar() if ours else None
            if version == VERSION:
                moments = dict.fromkeys(("seen", "starts", "paused_until", *_METERS), 0.0)
                row = {"number": self._number, "account": self._account, **moments}
                insert_new(connection, accounts, [row])
        if not ours:
            raise StateError(f"{self._place} is no shared pace; name another file in {SETTING}")
        if version != VERSION:
            raise StateError(
                f"the shared pace in {self._place} is of another version of PRISM; end all runs "
                "that share it, delete it, and use one version of PRISM for all of them"
            )


@contextmanager
def _retell_errors(place: str) -> Iterator[None]:
    """What goes wrong with the database is not a matter of the state store's settings."""
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
