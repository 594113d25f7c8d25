"""Meters that processes share, in a file and in a real PostgreSQL: what they grant, and when."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from prism_core.errors import ConfigurationError, StateError
from prism_core.state import StatePlace, database
from prism_core.state.shared_meters import LONGEST_BOOKING, SharedMeters
from prism_core.state.store import Store
from tests.postgres import USER_WITH_PASSWORD, PostgresServer, postgres_server
from tests.state.conftest import KEY

CREDIT = 0.5
NOTHING = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Shared:
    """Where the meters are, and a way to them past PRISM."""

    at: Path | str
    server: PostgresServer | None = None

    def ask(self, sql: str) -> None:
        if self.server is not None:
            name = str(self.at).partition("?")[0].rpartition("/")[2]
            self.server.ask(f"SET search_path TO prism_pace; {sql}", name)
            return
        with closing(sqlite3.connect(self.at)) as connection:
            connection.execute(sql)
            connection.commit()

    def set_clock(self, seconds: float) -> None:
        """As if the clock were set forward by so many seconds, or back."""
        moments = ("seen", "paused_until", "requests", "characters", "tokens")
        changes = ", ".join(f"{name} = {name} - {seconds}" for name in moments)
        self.ask(f"UPDATE pace_accounts SET {changes}")  # noqa: S608


@pytest.fixture(params=["sqlite", "postgresql"])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Shared:
    if request.param == "sqlite":
        return Shared(tmp_path / "pace" / "shared.db")
    server: PostgresServer = request.getfixturevalue("postgres")
    return Shared(server.new_url(), server)


@contextmanager
def opened(shared: Shared, account: str = "a", **more: object) -> Iterator[SharedMeters]:
    meters = SharedMeters.open(shared.at, account, **more)  # type: ignore[arg-type]
    try:
        yield meters
    finally:
        meters.close()


def granted_at_once(meters: SharedMeters, seconds: float, most: int = 50) -> int:
    """How many turns there are before one has to be waited for."""
    return next(n for n in range(most) if meters.take((seconds, 0, 0), CREDIT) > 0)


def test_a_turn_is_taken_from_everybody_who_shares_the_account(shared: Shared) -> None:
    with opened(shared) as one, opened(shared) as other, opened(shared, "b") as stranger:
        assert one.take((30, 0, 0), CREDIT) == 0
        assert 25 < other.take((30, 0, 0), CREDIT) <= 30
        assert 25 < one.take(NOTHING, CREDIT) <= 30
        assert stranger.take((30, 0, 0), CREDIT) == 0


@pytest.mark.parametrize("meter", range(3))
def test_the_meter_that_is_taken_for_longest_decides(shared: Shared, meter: int) -> None:
    with opened(shared) as meters:
        booked = [10.0, 10.0, 10.0]
        booked[meter] = 40.0
        assert meters.take(booked, CREDIT) == 0
        assert 35 < meters.take(NOTHING, CREDIT) <= 40


def test_time_that_nobody_used_is_caught_up_with_for_the_credit_alone(shared: Shared) -> None:
    with opened(shared) as meters:
        assert granted_at_once(meters, 5) == 1
        shared.set_clock(5 + 2)
        assert 2 <= granted_at_once(meters, 0.25) <= CREDIT / 0.25 + 1


def test_after_a_long_silence_there_is_nothing_to_catch_up_with(shared: Shared) -> None:
    with opened(shared) as meters:
        assert granted_at_once(meters, 0.4) == 1, "nor at the very first"
        shared.set_clock(+60)
        assert granted_at_once(meters, 0.4) == 1


def test_a_clock_that_is_set_forward_lets_no_burst_through(shared: Shared) -> None:
    with opened(shared) as meters:
        assert meters.take((2, 0, 0), CREDIT) == 0
        for _ in range(3):
            shared.set_clock(+3600)
            assert granted_at_once(meters, 2) == 1


def test_a_clock_that_is_set_back_counts_as_one_that_stood_still(shared: Shared) -> None:
    with opened(shared) as meters:
        assert meters.take((1.5, 0, 0), CREDIT) == 0
        meters.pause(0.5)
        shared.set_clock(-3600)
        first = meters.take(NOTHING, CREDIT)
        assert 0 < first <= 1.5
        threading.Event().wait(first)
        assert meters.take(NOTHING, CREDIT) == 0, "the wait must come to its end"


def test_whatever_its_clock_does_a_file_grants_the_rate_and_no_more(tmp_path: Path) -> None:
    """Five minutes at a turn a second, with a clock that jumps every twentieth second or so."""
    rng = Random(5)
    now, offset, turns, jumps = 0.0, 1e9, 0, 0
    waited = longest = 0.0
    with opened(Shared(tmp_path / "p.db"), clock=lambda: now + offset) as meters:
        while now < 300:
            if rng.random() < 0.03:
                offset += rng.choice([-1, 1]) * rng.choice([0.3, 5, 3600, 86_400 * 365])
                jumps += 1
            wait = meters.take((1, 0, 0), CREDIT)
            turns += wait == 0
            waited = waited + wait if wait else 0.0
            longest = max(longest, waited)
            now += wait or 0.01
    assert jumps >= 10
    assert 300 - 2 * jumps <= turns <= 300 + 1 + CREDIT * (1 + jumps)
    assert longest <= 2 * (1 + CREDIT), "a jump may start a wait again, and no more"


def test_a_rate_that_is_mistyped_holds_nobody_up_for_days(shared: Shared) -> None:
    with opened(shared) as meters:
        assert meters.take((1e7, 0, 0), CREDIT) == 0
        assert meters.take(NOTHING, CREDIT) <= LONGEST_BOOKING
        shared.ask("UPDATE pace_accounts SET tokens = tokens + 1e8")
        first = meters.take(NOTHING, CREDIT)
        threading.Event().wait(0.05)
        assert meters.take(NOTHING, CREDIT) < first <= LONGEST_BOOKING


def test_a_pause_is_everybodys_and_the_longest_counts(shared: Shared) -> None:
    with opened(shared) as one, opened(shared) as other:
        one.pause(60)
        other.pause(20)
        assert 55 < other.take(NOTHING, CREDIT) <= 60
        assert 55 < one.take(NOTHING, CREDIT) <= 60


def test_programs_that_make_the_meters_at_once_share_them(shared: Shared) -> None:
    granted: list[float] = []
    ready = threading.Barrier(6)

    def take() -> None:
        ready.wait()
        with opened(shared) as meters:
            granted.append(meters.take((60, 0, 0), CREDIT))

    threads = [threading.Thread(target=take) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(wait > 0 for wait in granted) == [False, *[True] * 5]


def test_a_file_that_another_program_is_just_making_is_waited_for(tmp_path: Path) -> None:
    place = tmp_path / "pace.db"
    making = sqlite3.connect(place, isolation_level=None, check_same_thread=False)
    with closing(making):
        making.execute("BEGIN IMMEDIATE")
        let_go = threading.Timer(0.3, making.rollback)
        let_go.start()
        with opened(Shared(place)) as meters:
            let_go.join()
            assert meters.take(NOTHING, CREDIT) == 0


_TAKE = """
import os, signal, sys
from pathlib import Path
from prism_core.state.shared_meters import SharedMeters
place = sys.argv[1]
meters = SharedMeters.open(place if "://" in place else Path(place), "a")
with meters._transaction() as connection:
    meters._write(connection, meters._read(connection), (9e9, 9e9, 9e9))
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_process_killed_in_the_middle_of_its_turn_leaves_it_to_the_others(shared: Shared) -> None:
    with opened(shared) as meters:
        ended = subprocess.run([sys.executable, "-c", _TAKE, str(shared.at)])
        assert ended.returncode == -9
        assert meters.take(NOTHING, CREDIT) == 0


def test_the_meters_of_another_version_are_not_used(shared: Shared) -> None:
    with opened(shared):
        shared.ask("UPDATE pace_version SET version = 99")
    with pytest.raises(StateError, match="another version of PRISM"):
        SharedMeters.open(shared.at, "a")


def test_the_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    Store.open(StatePlace(tmp_path), KEY).close()
    before = (tmp_path / "state.db").read_bytes()
    with pytest.raises(StateError, match="is no shared pace"):
        SharedMeters.open(tmp_path / "state.db", "a")
    assert (tmp_path / "state.db").read_bytes() == before


def test_the_file_is_its_owners_and_the_folder_around_it_stays_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with opened(Shared(tmp_path / "p.db")):
        assert (tmp_path / "p.db").stat().st_mode & 0o777 == 0o600
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_a_file_that_cannot_be_one_is_refused_in_words_about_the_setting(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database, but long enough to be looked at " * 9)
    for place in (tmp_path, tmp_path / "text", tmp_path / "text" / "below"):
        with pytest.raises(StateError, match=r"translator\.shared_pace") as error:
            SharedMeters.open(place, "a")
        assert "state store" not in str(error.value)


def test_a_lock_that_is_never_released_is_an_error_and_no_turn(
    shared: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.2)
    monkeypatch.setattr("prism_core.state.postgres.BUSY_SECONDS", 1)
    with opened(shared) as holder, opened(shared) as other:
        with holder._transaction(), pytest.raises(StateError, match="keeps the shared pace"):
            other.take(NOTHING, CREDIT)
        assert other.take(NOTHING, CREDIT) == 0


def test_a_server_that_is_gone_is_an_error_and_no_turn() -> None:
    with postgres_server() as server:
        url = server.url()
        meters = SharedMeters.open(url, "a")
    for ask in (lambda: meters.take(NOTHING, CREDIT), lambda: meters.pause(1)):
        with pytest.raises(StateError, match="nothing is sent without it") as error:
            ask()
        assert "state.url" not in str(error.value)
    with pytest.raises(StateError, match="nothing is sent without it"):
        SharedMeters.open(url, "a")
    meters.close()


def test_a_password_that_is_wrong_is_an_error_that_says_where_it_goes(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSWORD", "not-the-one")
    with pytest.raises(StateError, match="PGPASSWORD") as error:
        SharedMeters.open(postgres.url(user=USER_WITH_PASSWORD), "a")
    assert "not-the-one" not in str(error.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://user:password@host/database",
        "postgresql://host/database?sslmode=perhaps",
        "postgresql://host/database?whatever=1",
        "mysql://host/database",
    ],
)
def test_an_address_that_is_not_understood_is_refused_by_its_setting(url: str) -> None:
    with pytest.raises(ConfigurationError, match=r"translator\.shared_pace"):
        SharedMeters.open(url, "a")
