"""What each error of the OpenAI SDK means to us: mapped here, once, and nowhere else.

The SDK's messages and bodies may quote the request, so none of their text is carried over: only
the status number and what we make of it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

import openai
from openai._exceptions import SubjectTokenProviderError

from prism_core.errors import (
    BadAnswer,
    Misconfigured,
    QuotaExhausted,
    RateLimited,
    Rejected,
    Transient,
    TranslatorError,
)

DEFAULT_PAUSE = 5.0
"""Seconds to wait after a 429 that does not say how long."""

_NO_FUNDS = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
_WAIT = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_EARLY})
_FIXABLE = {
    HTTPStatus.UNAUTHORIZED: "the key is missing, wrong or revoked",
    HTTPStatus.FORBIDDEN: "the key may not use this model or endpoint",
    HTTPStatus.NOT_FOUND: "there is no such model or address",
    HTTPStatus.METHOD_NOT_ALLOWED: "the address is not that of a chat completions endpoint",
    HTTPStatus.PROXY_AUTHENTICATION_REQUIRED: "the proxy asks for credentials",
    HTTPStatus.GONE: "the model or address is no longer served",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "the address is not that of a chat completions endpoint",
}


def typed(error: Exception) -> TranslatorError:
    """The error of ours that ``error`` stands for; raise it ``from None``.

    Total: an error nobody has thought of is transient, and its class is named.
    """
    for kind in type(error).__mro__:
        if kind in BY_CLASS:
            return BY_CLASS[kind](error)
    return Transient(f"The translator's library failed ({type(error).__name__}).")


def _by_status(error: Any) -> TranslatorError:
    status = int(error.status_code)
    if {error.code, error.type} & _NO_FUNDS or status == HTTPStatus.PAYMENT_REQUIRED:
        return QuotaExhausted("The account's quota or credit is used up; see its billing page.")
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        pause = retry_after(error.response.headers)
        return RateLimited("The provider asks for a slower pace (429).", pause or DEFAULT_PAUSE)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _WAIT:
        return _server_fault(status, retry_after(error.response.headers))
    if status in _FIXABLE:
        return Misconfigured(f"The provider answers {status}: {_FIXABLE[HTTPStatus(status)]}.")
    if status < HTTPStatus.BAD_REQUEST:
        return Misconfigured(f"The endpoint redirects ({status}); set base_url to where it leads.")
    return _refusal(status, error.param)


def _server_fault(status: int, pause: float | None) -> TranslatorError:
    message = f"The provider cannot answer now ({status})."
    if pause is not None and status == HTTPStatus.SERVICE_UNAVAILABLE:
        return RateLimited(message, pause)
    return Transient(message, pause)


def _refusal(status: int, parameter: object) -> TranslatorError:
    """A 4xx that is about the request. Only what is in ``messages`` differs between requests."""
    if isinstance(parameter, str) and parameter and not parameter.startswith("messages"):
        return Misconfigured(
            f"The provider refuses a parameter of the request ({status}); another model or "
            'answer_format = "json_object" may help.'
        )
    return Rejected(f"The provider refuses the request ({status}).")


def _unreachable(error: Exception) -> TranslatorError:  # noqa: ARG001 - its text may hold the address with secrets
    return Transient("The provider cannot be reached.")


def _too_slow(error: Exception) -> TranslatorError:  # noqa: ARG001 - says no more than its class
    return Transient("The provider did not answer in time.")


def _unreadable(error: Exception) -> TranslatorError:  # noqa: ARG001 - quotes the answer
    return BadAnswer("The provider's answer is not what the interface promises.")


def _cut_off(error: Exception) -> TranslatorError:  # noqa: ARG001 - quotes the answer
    return Rejected("The answer was cut off at the model's length limit.")


def _filtered(error: Exception) -> TranslatorError:  # noqa: ARG001 - quotes the answer
    return Rejected("The provider's content filter refused the request.")


def _misused(error: Exception) -> TranslatorError:
    return Misconfigured(f"The OpenAI library refuses its settings ({type(error).__name__}).")


BY_CLASS: Mapping[type, Callable[[Exception], TranslatorError]] = {
    openai.APIStatusError: _by_status,
    openai.BadRequestError: _by_status,
    openai.AuthenticationError: _by_status,
    openai.OAuthError: _by_status,
    openai.PermissionDeniedError: _by_status,
    openai.NotFoundError: _by_status,
    openai.ConflictError: _by_status,
    openai.UnprocessableEntityError: _by_status,
    openai.RateLimitError: _by_status,
    openai.InternalServerError: _by_status,
    openai.APIConnectionError: _unreachable,
    openai.APITimeoutError: _too_slow,
    openai.APIResponseValidationError: _unreadable,
    openai.APIError: _unreadable,
    openai.LengthFinishReasonError: _cut_off,
    openai.ContentFilterFinishReasonError: _filtered,
    openai.WebSocketConnectionClosedError: _unreachable,
    openai.WebSocketQueueFullError: _unreachable,
    openai.InvalidWebhookSignatureError: _misused,
    SubjectTokenProviderError: _misused,
    openai.OpenAIError: _misused,
}
"""Every exception class the SDK exports, by name, so that a new one shows up in a test."""


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds that the provider asks to wait: milliseconds, seconds, a date, or None.

    ``now`` is seconds since the epoch, for tests. Nonsense and moments in the past count as unsaid.
    """
    for name, divisor in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        seconds = _number(headers.get(name))
        if seconds is not None:
            return seconds / divisor if seconds > 0 else None
    try:
        moment = parsedate_to_datetime(headers["retry-after"]).timestamp()
    except (KeyError, ValueError, TypeError, OverflowError):
        return None
    wait = moment - (time.time() if now is None else now)
    return wait if wait > 0 else None


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) else None
