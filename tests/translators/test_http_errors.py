"""Every status has one meaning, whatever the provider."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from prism_core.errors import (
    BadAnswer,
    Misconfigured,
    QuotaExhausted,
    RateLimited,
    Rejected,
    Transient,
)
from prism_core.translators.adapters import azure, google, libretranslate
from prism_core.translators.http import BY_STATUS, Reply, error_of_status
from tests.provider_servers import AZURE_CODES


def meaning_of(status: int) -> type:
    if status == 429:
        return RateLimited
    if status in {408, 409, 425} or status >= 500:
        return Transient
    if status in {402, 456}:
        return QuotaExhausted
    if status < 300:
        return BadAnswer
    if status < 400 or status in {401, 403, 404, 405, 407, 410, 415, 431, 451}:
        return Misconfigured
    return Rejected


@pytest.mark.parametrize("error_of", [azure.error_of, google.error_of, libretranslate.error_of])
def test_every_status_has_a_meaning_without_a_body(error_of) -> None:
    for status in (*range(100, 200), *range(201, 600)):
        assert type(error_of(Reply(status, {}, b""))) is meaning_of(status), status
        assert type(error_of_status(status, None)) is meaning_of(status), status


def test_a_rate_limit_that_does_not_say_how_long_still_pauses() -> None:
    error = error_of_status(429, None)
    assert isinstance(error, RateLimited)
    assert error.retry_after is None


def test_a_server_that_says_when_it_is_back_is_waited_for_by_everybody() -> None:
    error = error_of_status(503, 9)
    assert isinstance(error, RateLimited)
    assert error.retry_after == 9


def test_every_table_is_of_statuses_and_codes_that_exist() -> None:
    tables: list[Mapping[int, object]] = [BY_STATUS, azure.BY_STATUS, google.BY_STATUS]
    assert all(400 <= status < 500 for table in tables for status in table)
    assert set(azure.BY_CODE) <= set(AZURE_CODES)


CANONICAL = {
    "ABORTED": (409, Transient),
    "ALREADY_EXISTS": (409, Rejected),
    "CANCELLED": (499, Transient),
    "DATA_LOSS": (500, Transient),
    "DEADLINE_EXCEEDED": (504, Transient),
    "FAILED_PRECONDITION": (400, Rejected),
    "INTERNAL": (500, Transient),
    "INVALID_ARGUMENT": (400, Rejected),
    "NOT_FOUND": (404, Misconfigured),
    "OUT_OF_RANGE": (400, Rejected),
    "PERMISSION_DENIED": (403, Misconfigured),
    "RESOURCE_EXHAUSTED": (429, RateLimited),
    "UNAUTHENTICATED": (401, Misconfigured),
    "UNAVAILABLE": (503, Transient),
    "UNIMPLEMENTED": (501, Misconfigured),
    "UNKNOWN": (500, Transient),
}
"""Status and meaning of the canonical codes of Google's interfaces (google.rpc.Code) but OK."""


@pytest.mark.parametrize("code", CANONICAL)
def test_every_canonical_code_of_google_has_a_meaning(code: str) -> None:
    status, meaning = CANONICAL[code]
    body = f'{{"error": {{"code": {status}, "message": "", "status": "{code}"}}}}'
    assert type(google.error_of(Reply(status, {}, body.encode()))) is meaning
    assert set(google.BY_CANONICAL) <= set(CANONICAL)


def test_a_refusal_that_quotes_a_text_about_languages_does_not_end_the_run() -> None:
    said = "Request contains an invalid argument: 'The target language is invalid per day.'"
    body = f'{{"error": {{"code": 400, "message": "{said}", "status": "INVALID_ARGUMENT"}}}}'
    assert type(google.error_of(Reply(400, {}, body.encode()))) is Rejected
