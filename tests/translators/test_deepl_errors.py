"""Every error of DeepL's library has one meaning, and none is forgotten when the library grows."""

from __future__ import annotations

import asyncio
import inspect
import json
import sys

import deepl
import pytest
from deepl import exceptions

from prism_core.errors import (
    BadAnswer,
    ExitCode,
    Misconfigured,
    QuotaExhausted,
    RateLimited,
    Rejected,
    Transient,
    Unreachable,
)
from prism_core.settings import TranslatorSettings
from prism_core.translators import make_translator
from prism_core.translators.adapters.deepl import BY_CLASS, LIMITS, error_of
from prism_core.translators.http import Reply
from tests.provider_server import KEY
from tests.provider_servers import DeepLServer
from tests.translators.test_http_errors import meaning_of


def exported() -> set[type]:
    """The exception classes that the package and its exceptions module make public."""
    found = [*vars(deepl).values(), *vars(exceptions).values()]
    classes = [value for value in found if inspect.isclass(value)]
    return {kind for kind in classes if issubclass(kind, BaseException)}


def test_every_exported_class_has_its_own_entry() -> None:
    assert {kind.__name__ for kind in exported()} == set(BY_CLASS)
    assert len(BY_CLASS) == len(exported()), "no two of one name"
    assert len(BY_CLASS) >= 8


@pytest.mark.parametrize(
    ("error", "meaning"),
    [
        (deepl.AuthorizationException("quoted"), Misconfigured),
        (deepl.QuotaExceededException("quoted", http_status_code=456), QuotaExhausted),
        (deepl.TooManyRequestsException("quoted"), RateLimited),
        (deepl.ConnectionException("quoted", should_retry=True), Unreachable),
        (deepl.DocumentNotReadyException("quoted"), Transient),
        (deepl.DocumentTranslationException("quoted", None), Misconfigured),
        (deepl.GlossaryNotFoundException("quoted"), Misconfigured),
        (deepl.DeepLException("quoted"), Misconfigured),
        (deepl.DeepLException("quoted target_lang", http_status_code=400), Rejected),
        (None, BadAnswer),
    ],
)
def test_each_class_has_a_meaning_and_none_is_quoted(
    error: Exception | None, meaning: type
) -> None:
    assert type(error_of(error, Reply())) is meaning
    assert "quoted" not in str(error_of(error, Reply()))


def test_every_status_has_a_meaning() -> None:
    for status in range(300, 600):
        error = deepl.DeepLException("quoted", http_status_code=status)
        expected = RateLimited if status == 529 else meaning_of(status)
        assert type(error_of(error, Reply(status))) is expected, status


def test_a_wait_is_read_from_the_headers_whatever_their_letters() -> None:
    error = error_of(deepl.TooManyRequestsException("x"), Reply(429, {"retry-after": "3"}))
    assert isinstance(error, RateLimited)
    assert error.retry_after == 3


def test_the_largest_request_within_the_limits_is_within_those_of_deepl(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DEEPL_AUTH_KEY", KEY)
    texts, characters = LIMITS.texts_per_request, LIMITS.characters_per_request
    widest = ["\x01" * (characters // texts)] * texts
    with DeepLServer(lambda text: text) as server:
        asyncio.run(make_translator(server.settings(), "en", "es").translate(widest, "en", "es"))
        (body,) = server.bodies
    assert len(json.loads(body)["text"]) == 50
    assert 60_000 < len(body) <= 128 * 1024


def test_without_the_library_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "deepl", None)
    with pytest.raises(Misconfigured, match=r"pip install 'prism-translate\[deepl\]'") as caught:
        make_translator(TranslatorSettings.choose(name="deepl"), "en", "es")
    assert caught.value.exit_code is ExitCode.BAD_CONFIGURATION
