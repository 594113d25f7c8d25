"""Meters that processes share, in a file and in a real PostgreSQL: what they grant, and when."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from prism_core.errors import ConfigurationError, StateError
from prism_core.fleet.shared_meters import LONGEST_BOOKING, SharedMeters
from prism_core.state import StatePlace, database, postgres
from prism_core.state.store import Store
from tests.delaying_proxy import delaying_proxy
from tests.postgres import USER_WITH_PASSWORD, PostgresServer, postgres_server
from tests.state.conftest import KEY

NOTHING = (0.0, 0.0, 0.0)
AT_ONCE = 0.0
JUMPS = st.one_of(st.just(0.0), st.sampled_from([-86_400.0, -1.0, -0.3, 0.3, 5.0, 86_400.0]))


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
        moments = ("seen", "starts", "paused_until", "requests", "characters", "tokens")
        changes = ", ".join(f"{name} = {name} - {seconds}" for name in moments)
        self.ask(f"UPDATE pace_accounts SET {changes}")  # noqa: S608

    @contextmanager
    def locked(self, account: str) -> Iterator[None]:
        """Somebody is in the middle of changing the account, and stays there."""
        if self.server is None:
            with closing(sqlite3.connect(self.at, isolation_level=None)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                yield
            return
        held = database.open_schema(str(self.at), "prism_pace", "translator.shared_pace")
        with closing(held), held.writing() as connection:
            key = postgres.lock_key("prism_pace", account)
            connection.execute(text(f"SELECT pg_advisory_xact_lock({key})"))
            yield


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


def wait_of(meters: SharedMeters) -> float:
    """Seconds until the meters are free; nothing is booked."""
    lease = meters.lease(NOTHING, AT_ONCE)
    return lease.start - lease.now


def test_a_lease_is_taken_from_everybody_who_shares_the_account(shared: Shared) -> None:
    with opened(shared) as one, opened(shared) as other, opened(shared, "b") as stranger:
        assert one.lease((30, 0, 0), AT_ONCE).is_ours
        assert not other.lease((30, 0, 0), AT_ONCE).is_ours
        assert 25 < wait_of(other) <= 30
        assert 25 < wait_of(one) <= 30
        assert stranger.lease((30, 0, 0), AT_ONCE).is_ours


def test_leases_follow_one_another_without_a_gap_when_they_are_asked_for_ahead(
    shared: Shared,
) -> None:
    with opened(shared) as one, opened(shared) as other:
        leases = [meters.lease((2, 1, 0), 100) for meters in (one, other, other, one)]
        assert all(lease.is_ours for lease in leases)
        starts = [lease.start for lease in leases]
        assert [later - earlier for earlier, later in pairwise(starts)] == pytest.approx([2] * 3)
        assert not one.lease((2, 0, 0), 7).is_ours, "not so far ahead"


@pytest.mark.parametrize("meter", range(3))
def test_the_meter_that_is_taken_for_longest_decides(shared: Shared, meter: int) -> None:
    with opened(shared) as meters:
        booked = [10.0, 10.0, 10.0]
        booked[meter] = 40.0
        assert meters.lease(booked, AT_ONCE).is_ours
        assert 35 < wait_of(meters) <= 40


def test_time_that_nobody_leased_is_gone(shared: Shared) -> None:
    with opened(shared) as meters:
        assert meters.lease((5, 0, 0), AT_ONCE).is_ours
        shared.set_clock(5 + 2)
        lease = meters.lease((5, 0, 0), AT_ONCE)
        assert lease.is_ours
        assert lease.start == lease.now


def test_what_is_given_back_is_free_unless_somebody_has_booked_after_it(shared: Shared) -> None:
    with opened(shared) as meters:
        first = meters.lease((30, 30, 0), AT_ONCE)
        meters.give_back(first, (10, 5, 0))
        assert 5 < wait_of(meters) <= 10
        second = meters.lease((30, 0, 0), 100)
        assert second.start == pytest.approx(first.start + 10)
        meters.lease((30, 0, 0), 100)
        meters.give_back(second, (1, 0, 0))
        assert 60 < wait_of(meters) <= 70, "what others have booked stays where it is"


def test_a_clock_that_is_set_back_counts_as_one_that_stood_still(shared: Shared) -> None:
    with opened(shared) as meters:
        assert meters.lease((1.5, 0, 0), AT_ONCE).is_ours
        meters.pause(0.5)
        shared.set_clock(-3600)
        first = wait_of(meters)
        assert 0 < first <= 1.5
        assert meters.is_paused(), "set back by an hour, and not for an hour"
        threading.Event().wait(first)
        assert wait_of(meters) == 0, "the wait must come to its end"
        assert not meters.is_paused()


@settings(max_examples=25)
@given(st.lists(st.tuples(st.floats(0, 3), st.sampled_from([0.1, 1.0, 2.5]), JUMPS), max_size=40))
def test_whatever_the_clock_does_leases_never_overlap_while_it_runs(
    steps: list[tuple[float, float, float]],
) -> None:
    """Of two leases the later begins after the earlier has ended, but for what a clock that is set
    forward pretends to have passed."""
    now = 1e9
    ends = None
    with (
        TemporaryDirectory() as folder,
        opened(Shared(Path(folder, "p.db")), clock=lambda: now) as meters,
    ):
        for elapsed, seconds, jump in steps:
            now += elapsed + jump
            lease = meters.lease((seconds, 0, 0), 2.0)
            if ends is not None:
                ends += min(jump, 0.0)  # an earlier lease, told by the clock as it is now
                assert lease.start >= ends - 1e-6 or jump > 0
            assert lease.start >= lease.now == now
            if lease.is_ours:
                ends = lease.start + seconds
            elif jump > 0:
                ends = None


def test_a_rate_that_is_mistyped_holds_nobody_up_for_days(shared: Shared) -> None:
    with opened(shared) as meters:
        assert meters.lease((1e7, 0, 0), AT_ONCE).is_ours
        assert wait_of(meters) <= LONGEST_BOOKING + 1e-6
        shared.ask("UPDATE pace_accounts SET tokens = tokens + 1e8")
        first = wait_of(meters)
        threading.Event().wait(0.05)
        assert wait_of(meters) < first <= LONGEST_BOOKING + 1e-6


def test_a_pause_is_everybodys_and_the_longest_counts(shared: Shared) -> None:
    with opened(shared) as one, opened(shared) as other:
        assert not other.is_paused()
        one.pause(60)
        other.pause(20)
        assert other.is_paused()
        assert 55 < wait_of(other) <= 60
        assert 55 < wait_of(one) <= 60


def test_a_lease_is_one_way_to_the_server_and_back(postgres: PostgresServer) -> None:
    with (
        delaying_proxy(postgres.port, 0.05) as port,
        opened(Shared(postgres.new_network_url(port))) as meters,
    ):
        meters.lease(NOTHING, AT_ONCE)
        times = []
        for _ in range(5):
            began = time.monotonic()
            meters.lease(NOTHING, AT_ONCE)
            times.append(time.monotonic() - began)
        assert 0.1 <= min(times) < 0.2


def test_a_connection_that_was_cut_is_made_again(postgres: PostgresServer) -> None:
    url = postgres.new_url()
    with opened(Shared(url)) as meters:
        assert meters.lease((30, 0, 0), AT_ONCE).is_ours
        postgres.ask(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'prism' AND pid <> pg_backend_pid()"
        )
        assert 20 < wait_of(meters) <= 30


def test_programs_that_make_the_meters_at_once_share_them(shared: Shared) -> None:
    granted: list[bool] = []
    ready = threading.Barrier(6)

    def take() -> None:
        ready.wait()
        with opened(shared) as meters:
            granted.append(meters.lease((60, 0, 0), AT_ONCE).is_ours)

    threads = [threading.Thread(target=take) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(granted) == [*[False] * 5, True]


def test_a_file_that_another_program_is_just_making_is_waited_for(tmp_path: Path) -> None:
    place = tmp_path / "pace.db"
    making = sqlite3.connect(place, isolation_level=None, check_same_thread=False)
    with closing(making):
        making.execute("BEGIN IMMEDIATE")
        let_go = threading.Timer(0.3, making.rollback)
        let_go.start()
        with opened(Shared(place)) as meters:
            let_go.join()
            assert wait_of(meters) == 0


_LEASE = """
import os, signal, sys
from pathlib import Path
from prism_core.fleet.shared_meters import SharedMeters
place = sys.argv[1]
meters = SharedMeters.open(place if "://" in place else Path(place), "a")
meters.lease((1.5, 0, 0), 0.1)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_the_lease_of_a_process_that_was_killed_runs_out(shared: Shared) -> None:
    with opened(shared) as meters:
        ended = subprocess.run([sys.executable, "-c", _LEASE, str(shared.at)])
        assert ended.returncode == -9
        threading.Event().wait(wait_of(meters))
        assert meters.lease((1, 0, 0), 0.1).is_ours


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


def test_a_lock_that_is_never_released_is_an_error_and_no_lease(
    shared: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.2)
    monkeypatch.setattr("prism_core.fleet.shared_meters.BUSY_SECONDS", 1)
    with opened(shared) as meters:
        with shared.locked("a"), pytest.raises(StateError, match="keeps the shared pace"):
            meters.lease((30, 0, 0), AT_ONCE)
        assert wait_of(meters) == 0


def test_a_server_that_is_gone_is_an_error_and_no_turn() -> None:
    with postgres_server() as server:
        url = server.url()
        meters = SharedMeters.open(url, "a")
    for ask in (lambda: meters.lease(NOTHING, AT_ONCE), lambda: meters.pause(1)):
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
