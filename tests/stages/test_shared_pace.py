"""Real processes that share one limit, over a file and over PostgreSQL, at a server that enforces
it; and what becomes of a process when the pace cannot be asked."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from prism_core.errors import ExitCode, PaceUnknown
from prism_core.fleet import SharedMeters
from prism_core.stages import open_shared_pace
from prism_core.translators import Item, Scheduler, make_translator
from prism_core.translators.base import Load
from tests.openai_server import ERRORS, Fault, OpenAIServer, by_marking
from tests.postgres import PostgresServer, postgres_server
from tests.stages.paced_process import PacedProcess
from tests.translators.memory_ledger import MemoryLedger

PER_MINUTE = 1_200
EACH = 60 / PER_MINUTE
HEADROOM = 0.98
ACCOUNT = "openai@127.0.0.1"


class TimedServer(OpenAIServer):
    """``arrivals``: when each request was let through, and which process it came from."""

    def __init__(self) -> None:
        self.arrivals: list[tuple[float, str]] = []
        super().__init__(self._noted, requests_per_minute=PER_MINUTE)

    def _noted(self, texts: Sequence[str]) -> list[str]:
        self.arrivals.append((time.monotonic(), texts[0].split()[1]))
        return by_marking(texts)

    @property
    def names(self) -> set[str]:
        return {name for _, name in self.arrivals}

    def wait_for(self, arrivals: int, processes: int = 1) -> None:
        until = time.monotonic() + 60
        while len(self.arrivals) < arrivals or len(self.names) < processes:
            assert time.monotonic() < until, f"only {len(self.arrivals)} requests came"
            time.sleep(0.01)


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> Iterator[TimedServer]:
    with TimedServer() as server:
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path | str]:
    if request.param == "sqlite":
        yield tmp_path / "pace.db"
        assert (tmp_path / "pace.db").exists()
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    url = server.new_url()
    yield url
    database = url.partition("?")[0].rpartition("/")[2]
    accounts = server.ask("SELECT account FROM prism_pace.pace_accounts", database)
    assert accounts == f"{ACCOUNT}\n"


@contextmanager
def together(
    server: TimedServer, place: Path | str, names: Sequence[str], sentences: int
) -> Iterator[list[PacedProcess]]:
    """Processes that start at once and send ``sentences`` requests each."""
    settings = server.settings(
        texts_per_request=1, requests_per_minute=PER_MINUTE, shared_pace=place
    )
    processes = [PacedProcess.ready(name, sentences, settings, server.key) for name in names]
    try:
        for process in processes:
            process.wait_until_ready()
        for process in processes:
            process.start()
        yield processes
    finally:
        for process in processes:
            process.kill()


def test_processes_that_share_a_limit_use_it_keep_it_and_get_their_part(
    strict: TimedServer, place: Path | str
) -> None:
    with together(strict, place, "abc", 60) as processes:
        ended = [process.ended() for process in processes]
    assert [process[:2] for process in ended] == [(60, None)] * 3
    assert strict.refused == 0, "together over the limit"
    times = [moment for moment, _ in strict.arrivals]
    assert (len(times) - 1) * EACH / (times[-1] - times[0]) >= 0.7, "together under the limit"
    # Each takes turns by the block, of some thirty on a busy machine, and queues up anew.
    while_all_wait = Counter(name for _, name in strict.arrivals[:120])
    assert min(while_all_wait[name] for name in "abc") >= 10, "a process starves"


def test_a_process_that_is_killed_leaves_its_part_to_the_others(
    strict: TimedServer, place: Path | str
) -> None:
    with together(strict, place, "ab", 50) as (killed, other):
        strict.wait_for(20)
        killed.kill()
        killed_at = len(strict.arrivals)
        assert other.ended()[:2] == (50, None)
    assert strict.refused == 0
    alone = [moment for moment, _ in strict.arrivals[killed_at:]]
    assert {name for _, name in strict.arrivals[killed_at:]} == {"b"}
    assert (len(alone) - 1) * EACH / (alone[-1] - alone[0]) >= 0.6, "the dead still take turns"


def test_a_refusal_of_one_pauses_all(
    strict: TimedServer, place: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Departures count: on a busy machine a request may need seconds to arrive."""
    status, error, _ = ERRORS[Fault.RATE_LIMITED]
    longer = status, error, {"Retry-After": "8"}
    monkeypatch.setitem(ERRORS, Fault.RATE_LIMITED, longer)
    with together(strict, place, "ab", 60) as processes:
        strict.wait_for(15, processes=2)
        with closing(SharedMeters.open(place, ACCOUNT)) as meters:
            strict.fail(Fault.RATE_LIMITED)
            began, over = watch_pause(meters)
        ended = [process.ended() for process in processes]
    assert over - began > 5
    for answered, stopped, departures in ended:
        assert (answered, stopped) == (60, None)
        assert departures[0] < began
        assert over < departures[-1]
        late = [moment - began for moment in departures if began + 4 < moment < over]
        assert not late, "somebody goes on"


def watch_pause(meters: SharedMeters) -> tuple[float, float]:
    """Wait for a pause and its end; return the first and last moment at which it was seen."""
    until = time.monotonic() + 60
    while not meters.is_paused():
        assert time.monotonic() < until, "nobody pauses"
        time.sleep(0.01)
    began = over = asked = time.monotonic()
    while meters.is_paused():
        over = asked
        time.sleep(0.01)
        asked = time.monotonic()
    return began, over


def test_waiting_for_the_database_stops_nothing_else_of_the_process(tmp_path: Path) -> None:
    server_settings = OpenAIServer().settings(shared_pace=tmp_path / "pace.db")
    longest = 0.0

    async def tick() -> None:
        nonlocal longest
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.01)
            longest = max(longest, time.monotonic() - before)

    async def main() -> float:
        translator = make_translator(server_settings, "en", "es")
        with open_shared_pace(server_settings, translator) as pace:
            assert pace is not None
            ticking = asyncio.ensure_future(tick())
            with closing(sqlite3.connect(tmp_path / "pace.db", check_same_thread=False)) as other:
                other.execute("BEGIN IMMEDIATE")
                asyncio.get_running_loop().call_later(2, other.rollback)
                began = time.monotonic()
                while wait := await pace.take(Load(1, 1)):
                    await asyncio.sleep(wait)
                waited = time.monotonic() - began
            ticking.cancel()
        await translator.close()
        return waited

    assert asyncio.run(main()) > 1.5
    assert longest < 1


def test_without_the_pace_nothing_more_is_sent_and_what_was_answered_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ledger = MemoryLedger()
    with OpenAIServer() as provider, ExitStack() as running:
        database = running.enter_context(postgres_server())
        monkeypatch.setenv("OPENAI_API_KEY", provider.key)
        settings = provider.settings(
            texts_per_request=1, requests_per_minute=600, shared_pace=database.url()
        )
        items = [Item(str(n), f"The ship number {n} left the old harbour.") for n in range(200)]

        def watch(settled: int) -> None:
            if len(ledger.answers) == 5:
                running.close()

        async def main() -> object:
            translator = make_translator(settings, "en", "es")
            with open_shared_pace(settings, translator) as pace:
                scheduler = Scheduler(translator, "en", "es", ledger=ledger, pace=pace)
                outcome = await scheduler.run(items, watch)
            await translator.close()
            return outcome

        outcome = asyncio.run(main())
    assert isinstance(outcome.stopped, PaceUnknown)
    assert outcome.stopped.exit_code is ExitCode.STATE_UNUSABLE
    assert "nothing is sent without it" in str(outcome.stopped)
    assert 5 <= len(provider.batches) <= 7
    assert outcome.answered == len(provider.batches) == len(ledger.answers)
    assert not ledger.open
