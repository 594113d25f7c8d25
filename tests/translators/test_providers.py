"""Every provider over real HTTP: what is sent, what its errors mean, which answers are not used."""

from __future__ import annotations

import asyncio
import logging
import os
import traceback
from typing import Any

import deepl
import pytest

from prism_core.errors import (
    BadAnswer,
    ExitCode,
    Misconfigured,
    QuotaExhausted,
    RateLimited,
    Rejected,
    Transient,
    TranslatorError,
)
from prism_core.translators import TranslatorSettings, make_translator
from prism_core.translators.batches import Item
from prism_core.translators.fake import mark_words
from prism_core.translators.scheduler import RetryPolicy, Scheduler
from tests.provider_servers import (
    AZURE_CODES,
    KEY,
    PROVIDERS,
    AzureServer,
    DeepLServer,
    Fault,
    GoogleServer,
    LibreServer,
    ProviderServer,
)
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
    "apertium-apy": {
        "bad request": Rejected,
        "invalid pair": Misconfigured,
        "no such pair": Misconfigured,
        "no such address": Misconfigured,
        "incomplete": Transient,
        "internal": Transient,
        "stuck": Transient,
    },
}
"""What each documented error of each provider means."""


def test_every_error_that_a_provider_documents_has_a_meaning() -> None:
    told = {name: set(meanings) for name, meanings in MEANINGS.items()}
    assert told == {name: set(kind.REFUSALS) for name, kind in PROVIDERS.items()}


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
    Fault.SLOW: Transient,
    Fault.RESET: Transient,
    Fault.TRUNCATED_BODY: Transient,
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
ABOUT_SEVERAL = {Fault.TOO_FEW, Fault.TOO_MANY, Fault.DOUBLED, Fault.REORDERED}


def test_every_fault_that_the_servers_know_is_tested() -> None:
    assert SPOILT.keys() | FOR_THE_SCHEDULER == set(Fault)


def test_an_answer_that_is_none_is_not_used_and_not_quoted(provider: ProviderServer) -> None:
    for fault, meaning in SPOILT.items():
        if fault in ABOUT_SEVERAL and not provider.JOINS_BY_POSITION:
            continue
        provider.fail(fault)
        seconds = 0.4 if fault is Fault.SLOW else 10
        error = fault_of(provider.settings(timeout_seconds=seconds))
        assert type(error) is meaning, fault
        assert_quotes_nothing(error)


@pytest.mark.parametrize("fault", [fault for fault in Fault if fault not in {Fault.REDIRECT}])
def test_the_scheduler_gets_every_text_translated_after_one_fault(
    provider: ProviderServer, fault: Fault
) -> None:
    if fault in ABOUT_SEVERAL and not provider.JOINS_BY_POSITION:
        return
    provider.fail(fault)
    translator = make_translator(
        provider.settings(timeout_seconds=0.4 if fault is Fault.SLOW else 10), "en", "es"
    )
    ledger = MemoryLedger()
    scheduler = Scheduler(
        translator, "en", "es", ledger=ledger, policy=RetryPolicy(base=0.01, ceiling=0.05)
    )
    items = [Item(str(n), text) for n, text in enumerate(TEXTS)]
    outcome = asyncio.run(scheduler.run(items))
    assert (outcome.answered, dict(outcome.failed)) == (3, {})
    assert [ledger.answers[str(n)] for n in range(3)] == MARKED


def test_nobody_listening_is_transient(provider: ProviderServer) -> None:
    with type(provider)() as gone:
        settings = gone.settings()
    assert type(fault_of(settings)) is Transient


def test_a_slow_drip_cannot_outlast_the_time_out(provider: ProviderServer) -> None:
    provider.latency = 3
    assert type(fault_of(provider.settings(timeout_seconds=0.3))) is Transient


EXACT: dict[str, tuple[str, dict[str, str], str]] = {
    "deepl": (
        "POST /v2/translate HTTP/1.1",
        {
            "accept-encoding": "identity",
            "authorization": f"DeepL-Auth-Key {KEY}",
            "user-agent": f"deepl-python/{deepl.__version__}",
            "content-type": "application/json",
        },
        '{"target_lang": "ES", "source_lang": "EN", "text": ["An \\u00e9 here."], '
        '"show_billed_characters": true}',
    ),
    "azure": (
        "POST /translate?api-version=3.0&from=en&to=es&textType=plain HTTP/1.1",
        {
            "ocp-apim-subscription-key": KEY,
            "ocp-apim-subscription-region": "westeurope",
            "content-type": "application/json",
        },
        '[{"Text":"An é here."}]',
    ),
    "google": (
        "POST /v3/projects/loopback-1/locations/global:translateText HTTP/1.1",
        {
            "authorization": f"Bearer {KEY}",
            "x-goog-user-project": "loopback-1",
            "content-type": "application/json",
        },
        '{"contents":["An é here."],"mimeType":"text/plain","sourceLanguageCode":"en",'
        '"targetLanguageCode":"es"}',
    ),
    "libretranslate": (
        "POST /translate HTTP/1.1",
        {"content-type": "application/json"},
        '{"q":["An é here."],"source":"en","target":"es","format":"text","api_key":"' + KEY + '"}',
    ),
    "apertium-apy": (
        "POST /translate HTTP/1.1",
        {"content-type": "application/x-www-form-urlencoded"},
        "langpair=en%7Ces&q=An+%C3%A9+here.&markUnknown=no&format=txt",
    ),
}
OF_THE_TRANSPORT = {
    "accept": "*/*",
    "accept-encoding": "gzip, deflate",
    "user-agent": "python-httpx2",
}


def test_a_request_holds_the_texts_the_languages_and_the_key_and_no_more(
    provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("OPENAI_ORG_ID", "USER", "HOSTNAME", "DEEPL_SERVER_URL"):
        monkeypatch.setenv(variable, "canary")
    ask(provider.settings(), ["An é here."])
    (request,) = provider.received
    assert b"canary" not in request
    head, _, body = request.partition(b"\r\n\r\n")
    line, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (each.partition(": ") for each in lines)}
    of_http = {name: headers.pop(name, None) for name in ("host", "content-length", "connection")}
    assert of_http["content-length"] == str(len(body))
    expected_line, expected_headers, expected_body = EXACT[provider.NAME]
    assert line == expected_line
    assert headers == (
        expected_headers if provider.NAME == "deepl" else OF_THE_TRANSPORT | expected_headers
    )
    assert body.decode() == expected_body


def test_no_proxy_stands_between_this_machine_and_itself(
    provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    assert ask(provider.settings()) == MARKED


def test_nothing_is_logged_whatever_the_levels(
    provider: ProviderServer, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("deepl", "urllib3", "urllib3.connectionpool", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.NOTSET)
    caplog.set_level(logging.DEBUG)
    provider.fail(*list(provider.REFUSALS)[:1])
    fault_of(provider.settings())
    ask(provider.settings())
    transport = ("deepl", "urllib3", "requests", "httpx", "httpcore")
    assert [record for record in caplog.records if record.name.startswith(transport)] == []
    assert KEY not in caplog.text
    assert "fox" not in caplog.text


def test_what_is_missing_is_said_before_anything_is_sent(
    provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    if provider.KEY_VARIABLE is None or provider.NAME == "libretranslate":
        return  # they need nothing
    monkeypatch.delenv(provider.KEY_VARIABLE)
    error = fault_of(provider.settings())
    assert provider.KEY_VARIABLE in str(error)
    assert error.exit_code is ExitCode.BAD_CONFIGURATION
    assert provider.received == []


def test_a_key_from_another_variable_is_used_and_shown_nowhere(
    provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    if provider.KEY_VARIABLE is None:
        return
    monkeypatch.setenv("MY_KEY", KEY)
    monkeypatch.setenv(provider.KEY_VARIABLE, "another")
    settings = provider.settings(api_key_env="MY_KEY")
    assert ask(settings) == MARKED
    assert KEY not in settings.model_dump_json()
    assert not any(b"another" in request for request in provider.received)


@pytest.mark.parametrize("key", ["clé", "two\nlines", "a\0b", "\N{ZERO WIDTH SPACE}"])
def test_a_key_that_no_header_can_hold_is_refused_by_the_name_of_its_variable(
    provider: ProviderServer, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    if provider.KEY_VARIABLE is None or "\0" in key:
        return  # no environment holds a NUL
    monkeypatch.setenv(provider.KEY_VARIABLE, key)
    error = fault_of(provider.settings())
    assert isinstance(error, Misconfigured)
    assert provider.KEY_VARIABLE in str(error)
    assert key not in str(error)
    assert provider.received == []


@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize(
    "address", ["http://10.0.0.7:8000", "https://user:secret@example.org", "https://a.org/?key=s"]
)
def test_an_address_that_would_expose_texts_or_key_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, address: str
) -> None:
    for kind in PROVIDERS.values():
        if kind.KEY_VARIABLE:
            monkeypatch.setenv(kind.KEY_VARIABLE, KEY)
    given = {"name": name, "base_url": address, **PROVIDERS[name].SETTINGS}
    with pytest.raises(Misconfigured, match=r"translator\.base_url") as caught:
        make_translator(TranslatorSettings.model_validate(given), "en", "es")
    assert "secret" not in str(caught.value)


def test_google_needs_a_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_ACCESS_TOKEN", KEY)
    with pytest.raises(Misconfigured, match=r"translator\.project"):
        make_translator(TranslatorSettings(name="google"), "en", "es")


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("deepl", "api.deepl.com"),
        ("azure", "api.cognitive.microsofttranslator.com"),
        ("google", "translation.googleapis.com"),
        ("libretranslate", "localhost"),
        ("apertium-apy", "localhost"),
    ],
)
def test_the_texts_go_to_the_provider_unless_the_settings_say_otherwise(
    monkeypatch: pytest.MonkeyPatch, name: str, host: str
) -> None:
    monkeypatch.setitem(os.environ, PROVIDERS[name].KEY_VARIABLE or "NONE", KEY)
    given = {"name": name, **PROVIDERS[name].SETTINGS}
    settings = TranslatorSettings.model_validate(given)
    assert make_translator(settings, "en", "es").endpoint == host


def test_a_key_of_a_free_account_goes_to_its_own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPL_AUTH_KEY", "loopback:fx")
    made = make_translator(TranslatorSettings(name="deepl"), "en", "es")
    assert made.endpoint == "api-free.deepl.com"


@pytest.mark.parametrize("kind", [DeepLServer, AzureServer, GoogleServer])
def test_the_target_may_be_written_as_the_provider_does(
    monkeypatch: pytest.MonkeyPatch, kind: type[ProviderServer]
) -> None:
    monkeypatch.setenv(str(kind.KEY_VARIABLE), KEY)
    with kind() as provider:
        assert ask(provider.settings(target_code="pt-BR"), target="pt") == MARKED
        assert b"pt-br" in provider.received[0].lower()
        with pytest.raises(Misconfigured, match="target_code"):
            make_translator(provider.settings(target_code="pt-BR"), "en", "es")


@pytest.mark.parametrize(
    ("kind", "target", "written"),
    [
        (DeepLServer, "pt", b'"PT-PT"'),
        (DeepLServer, "en", b'"EN-US"'),
        (AzureServer, "zh", b"to=zh-Hans"),
        (GoogleServer, "zh", b'"zh-CN"'),
        (LibreServer, "zh", b'"zh-Hans"'),
    ],
)
def test_a_language_is_written_as_the_provider_does(
    monkeypatch: pytest.MonkeyPatch, kind: type[ProviderServer], target: str, written: bytes
) -> None:
    monkeypatch.setenv(str(kind.KEY_VARIABLE), KEY)
    with kind() as provider:
        ask(provider.settings(), target=target)
        assert written in provider.received[0]


def test_requests_as_large_as_the_limits_allow_are_taken(provider: ProviderServer) -> None:
    translator = make_translator(provider.settings(), "en", "es")
    texts, characters = (
        translator.limits.texts_per_request,
        translator.limits.characters_per_request,
    )
    asked = [chr(0x1F600 + n % 64) * (characters // texts) for n in range(texts)]
    assert len(asyncio.run(translator.translate(asked, "en", "es"))) == texts


def test_an_azure_resource_of_ones_own_has_its_interface_under_a_path() -> None:
    from prism_core.translators.addresses import Address
    from prism_core.translators.azure import _path

    own = "name.cognitiveservices.azure.com"
    assert _path(Address(f"https://{own}", own, False)) == "/translator/text/v3.0/translate"
    assert _path(Address(f"https://{own}/translator/text/v3.0", own, False)) == "/translate"


def test_one_translator_serves_one_event_loop_after_another(provider: ProviderServer) -> None:
    translator = make_translator(provider.settings(), "en", "es")
    for _ in range(2):
        assert asyncio.run(translator.translate(TEXTS, "en", "es")) == MARKED
