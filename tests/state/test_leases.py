"""Who may write a shard: one at a time, and nobody who has lost it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prism_core.errors import LeaseLost, QuotaExhausted, WorkerLost
from prism_core.settings import Shard
from prism_core.state import Account, StatePlace, Store
from tests.postgres import PostgresServer
from tests.state.conftest import KEY

RUN = "run-1"
OWN = Shard(phase="read", number=1, of=2)


@pytest.fixture
def place(tmp_path: Path, postgres: PostgresServer) -> StatePlace:
    return StatePlace(tmp_path / "state", postgres.new_url())


@contextmanager
def opened(place: StatePlace, shard: Shard | None = None) -> Iterator[Store]:
    store = Store.open(place, KEY, RUN, shard)
    try:
        yield store
    finally:
        store.close()


def test_a_shard_is_of_one_holder_until_that_is_overdue(place: StatePlace) -> None:
    with opened(place) as store:
        store.leases.divide(RUN, "read", 2)
        first = store.leases.claim(RUN, OWN, 0.3)
        with pytest.raises(LeaseLost):
            store.leases.claim(RUN, OWN, 60)
        assert store.leases.renew(first, 0.3)
        time.sleep(0.4)
        assert store.leases.read(RUN)[1].is_overdue
        second = store.leases.claim(RUN, OWN, 60)
        assert second.holder != first.holder
        assert not store.leases.renew(first, 60)
        with pytest.raises(LeaseLost):
            store.leases.end(first, Account())
        assert not store.leases.read(RUN)[1].outcome


@pytest.mark.parametrize(
    "asked",
    [
        Shard(phase="translate", number=1, of=2),
        Shard(phase="read", number=2, of=3),
    ],
)
def test_nobody_claims_what_the_run_does_not_do_now(place: StatePlace, asked: Shard) -> None:
    with opened(place) as store:
        store.leases.divide(RUN, "read", 2)
        with pytest.raises(LeaseLost):
            store.leases.claim(RUN, asked, 60)
        with pytest.raises(LeaseLost):
            store.leases.claim("another-run", OWN, 60)


@pytest.mark.parametrize("loses", ["release", "divide", "clear"])
def test_whoever_lost_a_shard_can_write_nothing_more(place: StatePlace, loses: str) -> None:
    with opened(place) as store:
        store.runs.begin(RUN)
        store.leases.divide(RUN, "read", 2)
        shard = store.leases.claim(RUN, OWN, 60)
        with opened(place, shard) as held:
            held.runs.enter(RUN, "read")
            {
                "release": lambda: store.leases.release(RUN, 1),
                "divide": lambda: store.leases.divide(RUN, "read", 2),
                "clear": lambda: store.leases.clear(RUN),
            }[loses]()
            with pytest.raises(LeaseLost):
                held.runs.enter(RUN, "encode")
            with pytest.raises(LeaseLost):
                held.keep("forecast", b"")
            with pytest.raises(LeaseLost):
                held.check_held()


def test_a_shard_is_not_taken_over_in_the_middle_of_a_transaction(place: StatePlace) -> None:
    with opened(place) as store:
        store.leases.divide(RUN, "read", 2)
        shard = store.leases.claim(RUN, OWN, 60)
        released = threading.Event()

        def release() -> None:
            store.leases.release(RUN, 1)
            released.set()

        with opened(place, shard) as held:
            thread = threading.Thread(target=release)
            with held._database.writing("own"):
                thread.start()
                assert not released.wait(0.5)
                assert store.leases.renew(shard, 60), "a lease can be renewed meanwhile"
            assert released.wait(5)
            thread.join()
            with pytest.raises(LeaseLost):
                held.check_held()


def test_shards_write_their_own_rows_at_the_same_time_and_any_rows_alone(
    place: StatePlace,
) -> None:
    with opened(place) as store:
        store.leases.divide(RUN, "read", 2)
        shards = [
            store.leases.claim(RUN, Shard(phase="read", number=n, of=2), 60) for n in range(2)
        ]
        entered = threading.Event()
        with opened(place, shards[0]) as one, opened(place, shards[1]) as other:

            def write(what: str) -> None:
                with other._database.writing(what):  # type: ignore[arg-type]
                    entered.set()

            with one._database.writing("own"):
                write("own")
                assert entered.is_set()
            entered.clear()
            thread = threading.Thread(target=write, args=("any",))
            with one._database.writing("any"):
                thread.start()
                assert not entered.wait(0.5)
            thread.join()


def test_a_run_that_another_has_followed_touches_nothing_of_it(place: StatePlace) -> None:
    with opened(place) as store:
        store.leases.divide(RUN, "read", 2)
        store.leases.divide("run-2", "read", 2)
        theirs = store.leases.claim("run-2", OWN, 60)
        store.leases.release(RUN, 1)
        store.leases.give_up(RUN, 1, WorkerLost("of another run"))
        store.leases.clear(RUN)
        with pytest.raises(LeaseLost):
            store.leases.read(RUN)
        assert store.leases.renew(theirs, 60)


def test_how_a_shard_ended_is_known_with_its_error(place: StatePlace) -> None:
    with opened(place) as store:
        store.leases.divide(RUN, "translate", 3)
        shards = [Shard(phase="translate", number=n, of=3) for n in range(2)]
        one, other = (store.leases.claim(RUN, shard, 60) for shard in shards)
        store.leases.end(one, Account({"encode": 2.0}))
        store.leases.end(other, Account(error=QuotaExhausted("used up")))
        store.leases.give_up(RUN, 2, WorkerLost("lost"))
        store.leases.give_up(RUN, 0, WorkerLost("it has ended, and that stays"))
        found = store.leases.accounts(RUN)
        assert [lease.outcome for lease in store.leases.read(RUN)] == [
            "complete",
            "QuotaExhausted",
            "WorkerLost",
        ]
        assert found[0] == Account({"encode": 2.0})
        assert isinstance(found[1].error, QuotaExhausted)
        assert str(found[2].error) == "lost"
        assert not store.leases.renew(one, 60), "it has ended"


_MOVES = st.lists(
    st.tuples(st.sampled_from(["claim", "renew", "end", "release", "write"]), st.integers(0, 2)),
    min_size=5,
    max_size=25,
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(moves=_MOVES)
def test_leases_do_what_a_simple_model_does(
    place: StatePlace, moves: list[tuple[str, int]]
) -> None:
    """Three processes want one shard: the model is who holds it, and whether it has ended."""
    holder, ended = -1, False
    with opened(place) as store:
        store.leases.divide(RUN, "read", 2)
        known: dict[int, Shard] = {}
        for move, who in moves:
            mine = known.get(who)
            is_held = mine is not None and who == holder
            if move == "claim":
                if holder < 0 and not ended:
                    known[who], holder = store.leases.claim(RUN, OWN, 60), who
                else:
                    with pytest.raises(LeaseLost):
                        store.leases.claim(RUN, OWN, 60)
            elif move == "release":
                store.leases.release(RUN, OWN.number)
                holder = holder if ended else -1
            elif mine is None:
                continue
            elif move == "renew":
                assert store.leases.renew(mine, 60) == (is_held and not ended)
            elif move == "end" and is_held and not ended:
                store.leases.end(mine, Account())
                ended = True
            elif move == "end":
                with pytest.raises(LeaseLost):
                    store.leases.end(mine, Account())
            else:
                store._database.shard = mine
                try:
                    store.check_held()
                    assert is_held
                except LeaseLost:
                    assert not is_held
                finally:
                    store._database.shard = None
            assert bool(store.leases.read(RUN)[OWN.number].outcome) == ended
