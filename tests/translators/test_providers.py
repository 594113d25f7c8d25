"""Every provider over real HTTP: what its errors mean, and which answers are not used."""

from __future__ import annotations

import asyncio
import traceback
from typing import Any

import pytest

from prism_core.errors import (
    BadAnswer,
    Misconfigured,
    QuotaExhausted,
    RateLimited,
    Rejected,
    TimedOut,
    Transient,
    TranslatorError,
    Unreachable,
)
from prism_core.settings import TranslatorSettings
from prism_core.translators import Item, Scheduler, make_translator
from prism_core.translators.adapters.fake import mark_words
from prism_core.translators.scheduler import RetryPolicy
from tests.provider_server import KEY, Fault, ProviderServer
from tests.provider_servers import AZURE_CODES, PROVIDERS
from tests.translators.memory_ledger import MemoryLedger

TEXTS = [
    "The quick brown fox jumps over Amsterdam and a great many other places, too.",
    "A lazy dog sleeps in the sun for 1234 days.",
    "Nobody cares about Wellington.",
]
MARKED = [mark_words(text) for text in TEXTS]


def ask(
    settings: TranslatorSettings, texts: list[str] = TEXTS, target: str = "es", times: int = 1
) -> list[str]:
    async def main() -> list[str]:
        translator = make_translator(settings, "en", target)
        try:
            for _ in range(times):
                answers = await translator.translate(texts, "en", target)
            return answers
        finally:
            await translator.close()

    return asyncio.run(main())


def fault_of(settings: TranslatorSettings, **more: Any) -> TranslatorError:
    with pytest.raises(TranslatorError) as caught:
        ask(settings, **more)
    return caught.value


def test_every_text_gets_its_own_answer(provider: ProviderServer) -> None:
    assert ask(provider.settings()) == MARKED


def test_blank_texts_are_not_sent(provider: ProviderServer) -> None:
    assert ask(provider.settings(), ["", TEXTS[0], "  "]) == ["", MARKED[0], "  "]
    assert provider.batches == [TEXTS[:1]]


def test_the_same_texts_are_sent_as_the_same_bytes(provider: ProviderServer) -> None:
    ask(provider.settings(), TEXTS[:1], times=2)
    first, second = provider.received
    assert first == second, "headers too: nothing numbers or dates a request"


MEANINGS: dict[str, dict[str, type[TranslatorError]]] = {
    "deepl": {
        "bad request": Rejected,
        "no markup": Rejected,
        "unknown target": Misconfigured,
        "unknown source": Misconfigured,
        "wrong key": Misconfigured,
        "no such address": Misconfigured,
        "too large": Rejected,
        "address too long": Rejected,
        "too fast": RateLimited,
        "too fast, with a wait": RateLimited,
        "quota": QuotaExhausted,
        "internal": Transient,
        "unavailable": Transient,
        "gateway": Transient,
        "too fast too": RateLimited,
        "garbled error": QuotaExhausted,
        "list for an error": Rejected,
    },
    "azure": {
        **{str(code): Rejected for code in AZURE_CODES if code < 401000},
        **{
            str(code): Misconfigured
            for code in (400003, 400019, 400021, 400023, 400035, 400036, 400075)
        },
        **{str(code): Misconfigured for code in (401000, 401015, 403000, 405000, 415000)},
        **{str(code): RateLimited for code in (429000, 429001, 429002)},
        **{str(code): Transient for code in (408001, 408002, 500000, 503000)},
        "403001": QuotaExhausted,
        "too fast, with a wait": RateLimited,
        "key without a body": Misconfigured,
        "forbidden without a body": Misconfigured,
        "no such address": Misconfigured,
    },
    "google": {
        "bad argument": Rejected,
        "unknown language": Misconfigured,
        "precondition": Rejected,
        "out of range": Rejected,
        "no token": Misconfigured,
        "old token": Misconfigured,
        "denied": Misconfigured,
        "role": Misconfigured,
        "api disabled": Misconfigured,
        "billing": Misconfigured,
        "project": Misconfigured,
        "daily limit": QuotaExhausted,
        "rate limit": RateLimited,
        "not found": Misconfigured,
        "aborted": Transient,
        "too large": Rejected,
        "exhausted": RateLimited,
        "exhausted, unsaid": RateLimited,
        "exhausted for the day": QuotaExhausted,
        "cancelled": Transient,
        "internal": Transient,
        "unknown": Transient,
        "unimplemented": Misconfigured,
        "bad gateway": Transient,
        "unavailable": Transient,
        "deadline": Transient,
    },
    "libretranslate": {
        "bad request": Rejected,
        "too many": Rejected,
        "unknown language": Misconfigured,
        "no such pair": Misconfigured,
        "no key": Misconfigured,
        "no key, with a link": Misconfigured,
        "wrong key": Misconfigured,
        "banned": Misconfigured,
        "no such address": Misconfigured,
        "too large": Rejected,
        "too fast": RateLimited,
        "too fast, with a wait": RateLimited,
        "too much for a day": QuotaExhausted,
        "internal": Transient,
        "starting": RateLimited,
    },
}
"""What each documented error of each provider means."""


def test_every_error_that_a_provider_documents_has_a_meaning() -> None:
    told = {name: set(meanings) for name, meanings in MEANINGS.items()}
    assert told == {kind.NAME: set(kind.REFUSALS) for kind in PROVIDERS.values()}


def assert_quotes_nothing(error: TranslatorError) -> None:
    assert error.__cause__ is None
    assert error.__context__ is None
    told = "".join(traceback.format_exception(error)) + repr(vars(error))
    assert not any(word in told for word in ("quick", "fox", "Amsterdam", KEY, "QUOTE", "quoted"))


def test_an_error_becomes_one_of_ours_and_quotes_nothing(provider: ProviderServer) -> None:
    for refusal, meaning in MEANINGS[provider.NAME].items():
        provider.fail(refusal)
        error = fault_of(provider.settings(), texts=TEXTS[:1])
        assert type(error) is meaning, refusal
        assert_quotes_nothing(error)
    assert len(provider.received) == len(provider.REFUSALS), "the scheduler retries, nobody else"


def test_a_wait_that_is_asked_for_is_passed_on(provider: ProviderServer) -> None:
    for refusal, reply in provider.REFUSALS.items():
        if "Retry-After" in reply.headers:
            provider.fail(refusal)
            error = fault_of(provider.settings())
            assert isinstance(error, RateLimited)
            assert error.retry_after == 7


SPOILT: dict[Fault, type[TranslatorError]] = {
    Fault.REDIRECT: Misconfigured,
    Fault.SLOW: TimedOut,
    Fault.RESET: Unreachable,
    Fault.TRUNCATED_BODY: Unreachable,
    Fault.HTML: BadAnswer,
    Fault.EMPTY_BODY: BadAnswer,
    Fault.OTHER_SHAPE: BadAnswer,
    Fault.DEEP: BadAnswer,
    Fault.NOT_ZIPPED: BadAnswer,
    Fault.ENDLESS: BadAnswer,
    Fault.NO_CONTENT: BadAnswer,
    Fault.NULL_TEXT: BadAnswer,
    Fault.NUMBER: BadAnswer,
    Fault.TOO_FEW: BadAnswer,
    Fault.TOO_MANY: BadAnswer,
    Fault.DOUBLED: BadAnswer,
    Fault.REORDERED: BadAnswer,
}
FOR_THE_SCHEDULER = {Fault.ECHO_FIRST, Fault.EMPTY_FIRST, Fault.SHORT_FIRST}


def test_every_fault_that_the_servers_know_is_tested() -> None:
    assert SPOILT.keys() | FOR_THE_SCHEDULER == set(Fault)


def test_an_answer_that_is_none_is_not_used_and_not_quoted(provider: ProviderServer) -> None:
    for fault, meaning in SPOILT.items():
        provider.fail(fault)
        seconds = 0.4 if fault is Fault.SLOW else 10
        error = fault_of(provider.settings(timeout_seconds=seconds))
        assert type(error) is meaning, fault
        assert_quotes_nothing(error)


@pytest.mark.parametrize("fault", [fault for fault in Fault if fault not in {Fault.REDIRECT}])
def test_the_scheduler_gets_every_text_translated_after_one_fault(
    provider: ProviderServer, fault: Fault
) -> None:
    provider.fail(fault)
    seconds = 0.4 if fault is Fault.SLOW else 10
    translator = make_translator(  # one request at a time: the fault is that of the first text
        provider.settings(timeout_seconds=seconds, concurrency=1), "en", "es"
    )
    ledger = MemoryLedger()
    scheduler = Scheduler(
        translator, "en", "es", ledger=ledger, policy=RetryPolicy(base=0.01, ceiling=0.05)
    )
    items = [Item(str(n), text) for n, text in enumerate(TEXTS)]
    outcome = asyncio.run(scheduler.run(items))
    assert (outcome.answered, dict(outcome.failed)) == (3, {})
    assert [ledger.answers[str(n)] for n in range(3)] == MARKED


def test_nobody_listening_is_no_reply(provider: ProviderServer) -> None:
    with type(provider)() as gone:
        settings = gone.settings()
    assert type(fault_of(settings)) is Unreachable


def test_a_slow_drip_cannot_outlast_the_time_out(provider: ProviderServer) -> None:
    provider.latency = 3
    assert type(fault_of(provider.settings(timeout_seconds=0.3))) is TimedOut


def test_one_translator_serves_one_event_loop_after_another(provider: ProviderServer) -> None:
    translator = make_translator(provider.settings(), "en", "es")
    for _ in range(2):
        assert asyncio.run(translator.translate(TEXTS, "en", "es")) == MARKED
