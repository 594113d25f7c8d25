"""Meters that several processes share, so that together they keep within one rate.

They stand in a database of their own: a file for the processes of one machine, PostgreSQL for
several machines. It holds a name for each account and moments, nothing else, and may be deleted
while no run uses it. Its version is its own, apart from that of state stores.

Time is that of the file's machine, or of the database server. A clock that is set back counts as
one that stood still, one that is set forward ends a wait early. So no jump of a clock lets a burst
through, or holds anybody up for longer than what was booked before it.

Entry: ``SharedMeters.open``; then ``take`` before each request, and ``pause``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from sqlalchemy import (
    Column,
    Connection,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    cast,
    extract,
    func,
    inspect,
    select,
    update,
)

from prism_core.errors import StateError, StoreInUse
from prism_core.state.database import Database, closed_on_error, insert_new, open_file, open_schema

VERSION: Final = 1
SCHEMA: Final = "prism_pace"
SETTING: Final = "translator.shared_pace"
LONGEST_BOOKING: Final = 3600.0
"""Seconds. A rate that is mistyped a thousandfold must not hold all others up for days."""
_IDLE: Final = 5.0
"""Seconds after which a free meter was not late but unused: nothing is to be caught up with."""

metadata = MetaData()

versions = Table("pace_version", metadata, Column("version", Integer, primary_key=True))

accounts = Table(
    "pace_accounts",
    metadata,
    Column("account", String(400), primary_key=True),
    Column("seen", Float, nullable=False),
    Column("paused_until", Float, nullable=False),
    Column("requests", Float, nullable=False),
    Column("characters", Float, nullable=False),
    Column("tokens", Float, nullable=False),
)
"""Moments, in seconds since the epoch: when the row was last written, and until when the account
is paused and each of its meters is taken."""

_METERS: Final = ("requests", "characters", "tokens")
_OF_SERVER: Final = (
    cast(extract("epoch", func.clock_timestamp()), Float).label("now"),
    func.set_config("idle_in_transaction_session_timeout", "10s", True),
    func.set_config("synchronous_commit", "off", True),
)
"""What PostgreSQL is asked beside the row: its time, to let go of this turn when the machine that
takes it is gone, and not to wait for the disk: a turn that is lost with the power is no loss."""


@dataclass(frozen=True, slots=True)
class _Moments:
    """A row of ``accounts`` read at ``now``, which is not before it was written."""

    now: float
    paused_until: float
    free_at: tuple[float, ...]
    was_moved: bool

    @classmethod
    def of(cls, row: Mapping[str, Any], now: float) -> Self:
        """``row`` by a clock that says ``now``: moved when the clock was set back since.

        It is to be written then, or it would be moved again and again.
        """
        back = max(0.0, row["seen"] - now)
        latest = now + LONGEST_BOOKING
        read = [row[name] for name in ("paused_until", *_METERS)]
        moved = [min(moment - back, latest) for moment in read]
        return cls(now, moved[0], tuple(moved[1:]), moved != read)

    @property
    def wait(self) -> float:
        """Seconds until nothing stands in the way."""
        return max(0.0, *(moment - self.now for moment in (self.paused_until, *self.free_at)))

    def book(self, seconds: Sequence[float], credit: float) -> tuple[float, ...]:
        """Until when each meter is taken by a request that leaves now."""
        starts = (
            self.now if self.now - free_at > _IDLE else max(free_at, self.now - credit)
            for free_at in self.free_at
        )
        return tuple(start + more for start, more in zip(starts, seconds, strict=True))


class SharedMeters:
    """The meters of one account: requests, characters, tokens. Threads may share one object."""

    def __init__(
        self, database: Database, account: str, place: str, clock: Callable[[], float]
    ) -> None:
        self._database = database
        self._row = accounts.c.account == account
        self._account = account
        self._place = place
        self._clock = clock

    @classmethod
    def open(cls, place: Path | str, account: str, clock: Callable[[], float] = time.time) -> Self:
        """The meters of ``account`` in the file or at the URL ``place``, made if need be.

        ``clock`` is the machine's (seconds since the epoch), for files. Raises ``StateError`` when
        they cannot be used, ``ConfigurationError`` for a URL that is not understood.
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

    def take(self, seconds: Sequence[float], credit: float) -> float:
        """Book so many seconds at each meter if all are free, and give 0; else seconds to wait.

        Of the time that a meter was free, ``credit`` seconds can be caught up with, and nothing
        when it was free for long. Raises ``StateError`` when the database does not answer: then
        nothing may be sent.
        """
        with self._transaction() as connection:
            found = self._read(connection)
            if found.wait <= 0:
                self._write(connection, found, found.book(seconds, credit))
            elif found.was_moved:
                self._write(connection, found, found.free_at)
            return found.wait

    def pause(self, seconds: float) -> None:
        """No turn is given to anybody for so many seconds from now on. Raises ``StateError``."""
        with self._transaction() as connection:
            found = self._read(connection)
            self._write(connection, found, found.free_at, found.now + seconds)

    def close(self) -> None:
        """Let go of the database."""
        with _retell_errors(self._place):
            self._database.close()

    def _read(self, connection: Connection) -> _Moments:
        """The account's row. What the clock says is read with the lock held, as it was written."""
        of_server = _OF_SERVER if self._database.schema else ()
        query = select(accounts, *of_server).where(self._row)
        row = dict(connection.execute(query).mappings().one())
        return _Moments.of(row, row["now"] if of_server else self._clock())

    def _write(
        self,
        connection: Connection,
        found: _Moments,
        free_at: Sequence[float],
        paused_until: float = float("-inf"),
    ) -> None:
        moments = dict(zip(_METERS, free_at, strict=True))
        moments |= {"seen": found.now, "paused_until": max(found.paused_until, paused_until)}
        connection.execute(update(accounts).where(self._row).values(moments))

    def _prepare(self) -> None:
        """Make the tables and the account's row, where they are not there yet."""
        with self._transaction() as connection:
            names = inspect(connection).get_table_names(self._database.schema)
            if not names:
                metadata.create_all(connection)
                insert_new(connection, versions, [{"version": VERSION}])
            ours = not names or versions.name in names
            version = connection.execute(select(versions.c.version)).scalar() if ours else None
            if version == VERSION:
                moments = dict.fromkeys(("seen", "paused_until", *_METERS), 0.0)
                insert_new(connection, accounts, [{"account": self._account, **moments}])
        if not ours:
            raise StateError(f"{self._place} is no shared pace; name another file in {SETTING}")
        if version != VERSION:
            raise StateError(
                f"the shared pace in {self._place} is of another version of PRISM; end all runs "
                "that share it, delete it, and use one version of PRISM for all of them"
            )

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with _retell_errors(self._place), self._database.writing() as connection:
            yield connection


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
