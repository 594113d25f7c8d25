"""The scheduler, the OpenAI adapter and a server that misbehaves, over real HTTP."""

from __future__ import annotations

import asyncio
import time

import pytest

from prism_core.errors import Misconfigured, QuotaExhausted, RateLimited, Transient
from prism_core.translators import Item, Scheduler, SendingOutcome, make_translator
from prism_core.translators.adapters.fake import mark_words
from prism_core.translators.scheduler import RetryPolicy
from tests.openai_server import Fault, OpenAIServer, by_apertium
from tests.translators.memory_ledger import MemoryLedger

ITEMS = [Item(f"id{n}", f"The small boat number {n} left the old harbour.") for n in range(60)]
QUICK = RetryPolicy(base=0.01, ceiling=0.02, patience=20)


def run(
    server: OpenAIServer, policy: RetryPolicy = QUICK, **settings: object
) -> tuple[SendingOutcome, MemoryLedger]:
    ledger = MemoryLedger()

    async def main() -> SendingOutcome:
        translator = make_translator(
            server.settings(**{"texts_per_request": 10, **settings}), "en", "es"
        )
        try:
            return await Scheduler(translator, "en", "es", ledger=ledger, policy=policy).run(ITEMS)
        finally:
            await translator.close()

    return asyncio.run(main()), ledger


def assert_all_answered(outcome: SendingOutcome, ledger: MemoryLedger) -> None:
    assert ledger.answers == {item.id: mark_words(item.text) for item in ITEMS}
    assert (outcome.answered, dict(outcome.failed), outcome.stopped) == (len(ITEMS), {}, None)
    assert ledger.open == {}


@pytest.mark.parametrize(
    "fault",
    [
        Fault.SERVER_ERROR,
        Fault.UNAVAILABLE,
        Fault.UNAVAILABLE_FOR_A_SECOND,
        Fault.RATE_LIMITED,
        Fault.SLOW,
        Fault.RESET,
        Fault.TRUNCATED_BODY,
    ],
)
def test_a_passing_fault_costs_one_more_request_with_the_same_bytes(
    server: OpenAIServer, fault: Fault
) -> None:
    server.fail(fault)
    server.slow_seconds = 10
    timeout = 5 if fault is Fault.SLOW else 10
    outcome, ledger = run(server, concurrency=1, timeout_seconds=timeout)
    assert_all_answered(outcome, ledger)
    assert (outcome.requests, outcome.retries) == (7, 1)
    assert server.bodies[0] == server.bodies[1]


@pytest.mark.parametrize(
    "fault",
    [
        Fault.HTML,
        Fault.NO_CHOICES,
        Fault.EMPTY_CONTENT,
        Fault.NOT_JSON,
        Fault.WRONG_COUNT,
        Fault.DUPLICATED_ID,
        Fault.UNKNOWN_ID,
    ],
)
def test_after_an_answer_that_cannot_be_read_each_text_is_asked_for_alone(
    server: OpenAIServer, fault: Fault
) -> None:
    server.fail(fault)
    outcome, ledger = run(server, concurrency=1)
    assert_all_answered(outcome, ledger)
    assert (outcome.requests, outcome.retries) == (6 + 10, 10)
    assert [len(batch) for batch in server.batches[-15:]] == [1] * 10 + [10] * 5


@pytest.mark.parametrize("fault", [Fault.CUT_OFF, Fault.CONTEXT_LENGTH, Fault.TOO_LARGE])
def test_a_request_that_is_too_big_is_halved(server: OpenAIServer, fault: Fault) -> None:
    server.fail(fault)
    outcome, ledger = run(server, concurrency=1)
    assert_all_answered(outcome, ledger)
    assert [len(batch) for batch in server.batches[-7:]] == [5, 5, 10, 10, 10, 10, 10]


@pytest.mark.parametrize("fault", [Fault.ECHO_FIRST, Fault.EMPTY_FIRST, Fault.LONG_FIRST])
def test_one_bad_answer_is_asked_for_again_alone(server: OpenAIServer, fault: Fault) -> None:
    server.fail(fault)
    outcome, ledger = run(server, concurrency=1)
    assert_all_answered(outcome, ledger)
    assert server.batches[1] == [ITEMS[0].text]


def test_a_storm_of_faults_loses_nothing_and_sends_nothing_twice_that_was_answered(
    server: OpenAIServer,
) -> None:
    server.fail(*[Fault.SERVER_ERROR, Fault.NOT_JSON, Fault.RESET, Fault.DUPLICATED_ID] * 4)
    stubborn = RetryPolicy(attempts=20, answer_attempts=20, base=0.01, ceiling=0.02)
    outcome, ledger = run(server, stubborn, concurrency=3)  # the ledger refuses repeats
    assert_all_answered(outcome, ledger)


def test_a_text_that_the_provider_refuses_fails_alone(server: OpenAIServer) -> None:
    server.poison = "number 37 "
    outcome, _ = run(server)
    assert outcome.failed == {"id37": "rejected"}
    assert outcome.answered == len(ITEMS) - 1


def test_an_empty_account_stops_the_run_and_keeps_what_was_answered(server: OpenAIServer) -> None:
    async def main() -> tuple[SendingOutcome, MemoryLedger]:
        ledger = MemoryLedger()
        translator = make_translator(
            server.settings(texts_per_request=10, concurrency=1), "en", "es"
        )
        scheduler = Scheduler(translator, "en", "es", ledger=ledger, policy=QUICK)

        def watched() -> object:
            for number, item in enumerate(ITEMS):
                if number == 30:
                    server.fail(Fault.QUOTA)
                yield item

        outcome = await scheduler.run(watched())  # type: ignore[arg-type]
        await translator.close()
        return outcome, ledger

    outcome, ledger = asyncio.run(main())
    assert isinstance(outcome.stopped, QuotaExhausted)
    assert outcome.answered == len(ledger.answers) >= 10
    assert len(server.received) == outcome.answered / 10 + 1


@pytest.mark.parametrize("fault", [Fault.UNAUTHORIZED, Fault.NOT_FOUND, Fault.BAD_PARAMETER])
def test_wrong_settings_cost_one_request(server: OpenAIServer, fault: Fault) -> None:
    server.fail(*[fault] * 9)
    outcome, _ = run(server, concurrency=1)
    assert isinstance(outcome.stopped, Misconfigured)
    assert len(server.received) == 1


def test_a_daily_limit_is_not_waited_for(server: OpenAIServer) -> None:
    server.fail(Fault.RATE_LIMITED_FOR_A_DAY)
    started = time.monotonic()
    outcome, _ = run(server, concurrency=1)
    assert isinstance(outcome.stopped, RateLimited)
    assert time.monotonic() - started < 10


def test_a_provider_that_is_down_is_given_up_on(server: OpenAIServer) -> None:
    server.fail(*[Fault.SERVER_ERROR] * 99)
    outcome, ledger = run(server, RetryPolicy(attempts=2, base=0.01), concurrency=1)
    assert isinstance(outcome.stopped, Transient)
    assert len(server.received) == 2 + 1 + 1
    assert ledger.open == {}


def test_a_rate_that_was_stated_wrongly_is_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer(requests_per_minute=300) as strict:
        monkeypatch.setenv("OPENAI_API_KEY", strict.key)
        outcome, ledger = run(strict, texts_per_request=2, concurrency=4)
    assert_all_answered(outcome, ledger)
    assert strict.refused == outcome.retries
    assert strict.refused <= 24


def test_a_rate_that_was_stated_rightly_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer(requests_per_minute=600) as strict:
        monkeypatch.setenv("OPENAI_API_KEY", strict.key)
        outcome, ledger = run(strict, texts_per_request=2, concurrency=4, requests_per_minute=600)
    assert_all_answered(outcome, ledger)
    assert strict.refused <= 2
    assert outcome.seconds < 3 * (len(ITEMS) / 2) / 10


def test_interrupting_closes_every_request_of_the_ledger(server: OpenAIServer) -> None:
    server.latency = 0.3
    ledger = MemoryLedger()

    async def main() -> None:
        translator = make_translator(server.settings(texts_per_request=5), "en", "es")
        scheduler = Scheduler(translator, "en", "es", ledger=ledger)
        task = asyncio.ensure_future(scheduler.run(ITEMS))
        while len(server.received) < 5:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await translator.close()

    asyncio.run(main())
    assert ledger.open == {}
    assert set(ledger.failures()) <= {"interrupted"}
    assert ledger.failures()
    assert len(ledger.answers) < len(ITEMS)


def test_the_server_can_put_the_real_apertium_behind_the_interface(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with OpenAIServer(by_apertium()) as real:
        monkeypatch.setenv("OPENAI_API_KEY", real.key)
        outcome, ledger = run(real)
    assert outcome.answered == len(ITEMS)
    assert "puerto viejo" in ledger.answers["id7"]
