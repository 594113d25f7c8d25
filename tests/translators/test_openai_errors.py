"""Every error of the SDK has one meaning, and none is forgotten when the SDK grows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import httpx2
import openai
import pytest
from openai import _exceptions
from openai.types import Batch

from prism_core.errors import Misconfigured, QuotaExhausted, RateLimited, Rejected, Transient
from prism_core.translators.batches import BatchStanding
from prism_core.translators.openai.batch import STANDING
from prism_core.translators.openai.client import (
    BY_BATCH,
    BY_CLASS,
    NO_ROOM,
    error_of,
    error_of_batch,
    error_of_refusal,
    error_of_request,
)
from prism_core.translators.pacing import retry_after

REQUEST = httpx2.Request("POST", "https://api.example.org/v1/chat/completions")


def exported() -> Iterator[type[BaseException]]:
    """The exception classes that the package and its exceptions module make public."""
    for module in (openai, _exceptions):
        public = [value for name, value in list(vars(module).items()) if name[0] != "_"]
        kinds = [value for value in public if isinstance(value, type)]
        yield from (kind for kind in kinds if issubclass(kind, BaseException))


def status_error(
    status: int, headers: dict[str, str] | None = None, **body: object
) -> openai.APIStatusError:
    response = httpx2.Response(status, headers=headers, request=REQUEST)
    return openai.APIStatusError("quoted text", response=response, body=body or None)


def test_every_exported_class_has_its_own_entry() -> None:
    names = {kind.__name__ for kind in exported()}
    assert names <= set(BY_CLASS)
    assert len(names) == len(set(exported())), "no two of one name"
    assert len(set(exported())) > 15


def test_every_status_has_a_meaning() -> None:
    for status in range(300, 600):
        error = error_of(status_error(status))
        assert type(error) is meaning_of(status), status
        assert "quoted" not in str(error)


def meaning_of(status: int) -> type:
    if status == 429:
        return RateLimited
    if status in {408, 409, 425} or status >= 500:
        return Transient
    if status in {402, 456}:
        return QuotaExhausted
    if status < 400 or status in {401, 403, 404, 405, 407, 410, 415, 431, 451}:
        return Misconfigured
    return Rejected


@pytest.mark.parametrize(
    ("error", "meaning"),
    [
        (openai.APIConnectionError(request=REQUEST), Transient),
        (openai.APITimeoutError(request=REQUEST), Transient),
        (openai.APIError("quoted", REQUEST, body=None), Transient),
        (openai.OpenAIError("quoted"), Misconfigured),
        (openai.ContentFilterFinishReasonError(), Rejected),
        (openai.InvalidWebhookSignatureError("quoted"), Misconfigured),
        (RuntimeError("quoted"), Transient),
    ],
)
def test_errors_without_a_status_have_a_meaning_too(error: Exception, meaning: type) -> None:
    assert isinstance(error_of(error), meaning)
    assert "quoted" not in str(error_of(error))


@pytest.mark.parametrize("status", [400, 403, 429])
def test_an_empty_account_ends_the_run_whatever_the_status(status: int) -> None:
    assert isinstance(error_of(status_error(status, code="insufficient_quota")), QuotaExhausted)
    assert isinstance(error_of(status_error(status, type="insufficient_quota")), QuotaExhausted)


def test_a_refused_parameter_is_the_settings_fault_and_a_refused_text_is_not() -> None:
    assert isinstance(error_of(status_error(400, param="response_format")), Misconfigured)
    assert isinstance(error_of(status_error(400, param="messages.1.content")), Rejected)
    assert isinstance(error_of(status_error(422, param=None)), Rejected)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:17:10 GMT"}, 30),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:10 GMT"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "0"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after-ms": "soon", "retry-after": "2"}, 2),
        ({}, None),
    ],
)
def test_retry_after_is_read_in_all_its_forms(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after(httpx2.Headers(headers), now=1_000) == seconds


def test_a_rate_limit_that_does_not_say_how_long_still_pauses() -> None:
    error = error_of(status_error(429))
    assert isinstance(error, RateLimited)
    assert error.retry_after is None


def test_every_status_within_a_batch_means_what_it_means_by_itself() -> None:
    for status in range(300, 600):
        assert type(error_of_refusal(status, set())) is type(error_of(status_error(status))), status


def test_every_status_of_a_batch_has_a_meaning() -> None:
    assert set(get_args(Batch.model_fields["status"].annotation)) == set(STANDING)
    assert STANDING["expired"] is STANDING["cancelled"] is BatchStanding.OVER, "answers are kept"


def test_every_reason_for_a_failed_batch_has_a_meaning() -> None:
    assert all(isinstance(error_of_batch(code), Misconfigured) for code in BY_BATCH)
    assert all(isinstance(error_of_batch(code), RateLimited) for code in NO_ROOM)
    assert isinstance(error_of_batch("insufficient_quota"), QuotaExhausted)
    for unknown in (None, "", "quoted text"):
        assert type(error_of_batch(unknown)) is Transient
        assert "quoted" not in str(error_of_batch(unknown))


def test_every_reason_for_a_request_without_a_response_has_a_meaning() -> None:
    assert isinstance(error_of_request("insufficient_quota"), QuotaExhausted)
    for code in ("batch_expired", "batch_cancelled", None, "quoted text"):
        assert type(error_of_request(code)) is Transient
        assert "quoted" not in str(error_of_request(code))


def test_a_file_that_is_not_seen_yet_is_waited_for_and_no_text_is_blamed() -> None:
    for parameter in ("file_id", "input_file_id"):
        assert type(error_of(status_error(400, param=parameter))) is Transient
