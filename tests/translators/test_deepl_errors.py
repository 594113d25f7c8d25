"""Every status of DeepL has one meaning, and its limits hold for the widest texts."""

from __future__ import annotations

import asyncio
import json

import pytest

from prism_core.errors import Misconfigured, RateLimited, Rejected
from prism_core.translators import make_translator
from prism_core.translators.adapters.deepl import LIMITS, error_of
from prism_core.translators.http import Reply
from tests.provider_server import KEY
from tests.provider_servers import DeepLServer
from tests.translators.test_http_errors import meaning_of


def test_every_status_has_a_meaning() -> None:
    for status in range(300, 600):
        expected = RateLimited if status == 529 else meaning_of(status)
        assert type(error_of(Reply(status))) is expected, status


@pytest.mark.parametrize(
    ("message", "meaning"),
    [
        ("Value for 'target_lang' not supported.", Misconfigured),
        ("Bad request: Value for 'target_lang' not supported.", Rejected),
        (5, Rejected),
    ],
)
def test_an_unknown_language_is_told_by_the_beginning_of_the_message(
    message: object, meaning: type
) -> None:
    content = json.dumps({"message": message}).encode()
    assert type(error_of(Reply(400, content=content))) is meaning


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
