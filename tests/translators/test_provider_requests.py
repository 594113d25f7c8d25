"""Every provider over real HTTP: what a request holds to the byte, with which key, and to whom."""

from __future__ import annotations

import asyncio
import logging
import os
from dataclasses import replace

import pytest

from prism_core.errors import ExitCode, Misconfigured
from prism_core.settings import TranslatorSettings
from prism_core.translators import make_translator
from tests.loopback import Reply, Request, headers_of
from tests.provider_server import KEY, ProviderServer
from tests.provider_servers import (
    PROVIDERS,
    Azure2026Server,
    AzureServer,
    DeepLServer,
    GoogleServer,
    LibreServer,
)
from tests.translators.test_providers import MARKED, ask, fault_of

EXACT: dict[str, tuple[str, dict[str, str], str]] = {
    "deepl": (
        "POST /v2/translate HTTP/1.1",
        {
            "authorization": f"DeepL-Auth-Key {KEY}",
            "content-type": "application/json",
        },
        '{"text":["An é here."],"source_lang":"EN","target_lang":"ES"}',
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
    "azure-2026-06-06": (
        "POST /translate?api-version=2026-06-06 HTTP/1.1",
        {
            "ocp-apim-subscription-key": KEY,
            "ocp-apim-subscription-region": "westeurope",
            "content-type": "application/json",
        },
        '{"inputs":[{"text":"An é here.","language":"en","textType":"plain",'
        '"targets":[{"language":"es"}]}]}',
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
}
OF_THE_TRANSPORT = {
    "accept": "*/*",
    "accept-encoding": "identity",
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
    line, headers = head.decode().split("\r\n")[0], headers_of(request)
    of_http = {name: headers.pop(name, None) for name in ("host", "content-length", "connection")}
    assert of_http["content-length"] == str(len(body))
    expected_line, expected_headers, expected_body = EXACT[provider.NAME + provider.VERSION]
    assert line == expected_line
    assert headers == OF_THE_TRANSPORT | expected_headers
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
    for name in ("httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.NOTSET)
    caplog.set_level(logging.DEBUG)
    provider.fail(*list(provider.REFUSALS)[:1])
    fault_of(provider.settings())
    ask(provider.settings())
    transport = ("httpx", "httpcore")
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
    given = {"name": PROVIDERS[name].NAME, "base_url": address, **PROVIDERS[name].SETTINGS}
    with pytest.raises(Misconfigured, match=r"translator\.base_url") as caught:
        make_translator(TranslatorSettings.choose(**given), "en", "es")
    assert "secret" not in str(caught.value)


def test_google_needs_a_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_ACCESS_TOKEN", KEY)
    with pytest.raises(Misconfigured, match=r"translator\.project"):
        make_translator(TranslatorSettings.choose(name="google"), "en", "es")


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("deepl", "api.deepl.com"),
        ("azure", "api.cognitive.microsofttranslator.com"),
        ("azure-2026-06-06", "api.cognitive.microsofttranslator.com"),
        ("google", "translation.googleapis.com"),
        ("libretranslate", "localhost"),
    ],
)
def test_the_texts_go_to_the_provider_unless_the_settings_say_otherwise(
    monkeypatch: pytest.MonkeyPatch, name: str, host: str
) -> None:
    monkeypatch.setitem(os.environ, PROVIDERS[name].KEY_VARIABLE or "NONE", KEY)
    given = {"name": PROVIDERS[name].NAME, **PROVIDERS[name].SETTINGS}
    settings = TranslatorSettings.choose(**given)
    assert make_translator(settings, "en", "es").endpoint == host


def test_a_key_of_a_free_account_goes_to_its_own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPL_AUTH_KEY", "loopback:fx")
    made = make_translator(TranslatorSettings.choose(name="deepl"), "en", "es")
    assert made.endpoint == "api-free.deepl.com"


@pytest.mark.parametrize("kind", [DeepLServer, AzureServer, Azure2026Server, GoogleServer])
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
        (Azure2026Server, "zh", b'[{"language":"zh-Hans"}]'),
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
    from prism_core.translators.adapters.azure import AzureTranslator, AzureV3Translator, _path
    from prism_core.translators.endpoints import Address

    own = "name.cognitiveservices.azure.com"
    for kind, prefix in (
        (AzureV3Translator, "/translator/text/v3.0"),
        (AzureTranslator, "/translator/text"),
    ):
        path = kind.path_of_resource
        assert _path(Address(f"https://{own}", own, False), path) == f"{prefix}/translate"
        assert _path(Address(f"https://{own}{prefix}", own, False), path) == "/translate"


def test_a_cookie_is_not_sent_back(
    provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = provider.answer

    def answer_with_cookie(request: Request) -> Reply:
        return replace(answer(request), headers={"Set-Cookie": "known=canary"})

    monkeypatch.setattr(provider, "answer", answer_with_cookie)
    ask(provider.settings(), ["An é here."], times=2)
    assert len(provider.received) == 2
    assert all(b"canary" not in request for request in provider.received)
