"""Connection to an OpenAI interface: its address and key, and the mapping of its errors to ours.

The SDK's messages and bodies may quote the request, so none of their text is carried over: only the
status number and our interpretation of it.

Entry: ``OpenAIClient.call``; then ``error_of`` for an error of the SDK, ``error_of_response``,
``error_of_request`` and ``error_of_batch`` for an error that is part of an answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ConfigDict

from prism_core.connections import silence
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
from prism_core.settings import KeyedSettings
from prism_core.translators.endpoints import address_of, key_of
from prism_core.translators.http import NO_FUNDS, Connection, Meaning, error_of_status, fix, spent
from prism_core.translators.pacing import retry_after

if TYPE_CHECKING:
    import openai

ADDRESS = "https://api.openai.com/v1"
KEY = "OPENAI_API_KEY"
_HEADERS = frozenset({"authorization", "openai-organization", "openai-project"})

_Answer = TypeVar("_Answer")


class LenientAnswer(BaseModel):
    """Base class for the shape of an answer; unused fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class OpenAIClient:
    """Client that calls the SDK. The key is read from the environment when this is made.

    No retry happens here, and none in the SDK: the scheduler resends identical bytes.
    """

    def __init__(self, settings: KeyedSettings) -> None:
        import openai

        address = address_of(settings, ADDRESS)
        self.endpoint, self._local = address.host, address.local
        self._url = address.url
        self._seconds = settings.timeout_seconds
        # Servers on this machine mostly ask for no key, but the SDK does.
        self._key = key_of(settings, KEY, needed=not self._local) or "none"
        self._connection = Connection(
            self.new_client,
            openai.AsyncOpenAI.close,
            known=(openai.OpenAIError, openai.InvalidWebhookSignatureError),
            error_of=error_of,
        )
        silence("openai")

    async def call(
        self,
        send: Callable[[openai.AsyncOpenAI], Awaitable[_Answer]],
        more_seconds: float = 0.0,
    ) -> _Answer:
        """Return the result of ``send`` in time, mapping every foreign error to ours."""
        return await self._connection.call(send, self._seconds + more_seconds)

    async def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        await self._connection.close()

    def new_client(self, most: int | None = None) -> openai.AsyncOpenAI:
        """Return a new client that reads ``most`` bytes of an answer; None derives the limit."""
        import openai

        from prism_core.translators.response_limits import client_options

        client = openai.AsyncOpenAI(
            api_key=self._key,
            base_url=self._url,
            max_retries=0,
            timeout=self._seconds,
            http_client=openai.DefaultAsyncHttpx2Client(
                **client_options(local=self._local, seconds=self._seconds, most=most, only=_HEADERS)
            ),
        )
        if self.endpoint != "api.openai.com":
            # The SDK takes these from the environment; no other provider needs to know them.
            client.organization = client.project = None
        return client


_NO_FUNDS = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
_TEXTS = ("messages", "input")
"""Parameters of a request that hold its texts: chat completions, responses."""
_BATCH_FILE_PARAMETERS = ("file_id", "input_file_id")
"""Parameters that name the file of a batch. A file that was just uploaded may take a moment to be
seen (bespokelabsai/curator#116)."""
BY_STATUS: Mapping[int, Meaning] = {
    403: fix("the key may not use this model or endpoint"),
    404: fix("there is no such model or address"),
    410: fix("the model or address is no longer served"),
}


def error_of(error: Any) -> TranslatorError:
    """Map ``error`` to one of our errors; raise it ``from None``.

    The mapping is total: an unknown error is transient, and the message names its class.
    """
    if isinstance(error.__cause__, TranslatorError):  # of ours, in the middle of an answer
        return error.__cause__.with_traceback(None)
    for kind in type(error).__mro__:
        if kind.__name__ in BY_CLASS:
            meaning = BY_CLASS[kind.__name__]
            if meaning is not None:
                return meaning[0](meaning[1])
            marks, pause = {error.code, error.type}, retry_after(error.response.headers)
            return error_of_refusal(int(error.status_code), marks, error.param, pause)
    return Transient(f"The translator's library failed ({type(error).__name__}).")


def error_of_refusal(
    status: int, marks: AbstractSet[object], parameter: object = None, pause: float | None = None
) -> TranslatorError:
    """Map the HTTP ``status`` of a request, sent alone or within a batch, to one of our errors.

    ``marks`` are the code and the type of the error, ``parameter`` is the parameter at fault,
    ``pause`` the seconds that the provider asks to wait, if stated.
    """
    if marks & _NO_FUNDS:
        return spent(status, pause)
    fault = error_of_status(status, pause, BY_STATUS)
    if not isinstance(fault, Rejected):
        return fault
    if parameter in _BATCH_FILE_PARAMETERS:
        return Transient("The provider does not see the file of a batch yet.")
    if isinstance(parameter, str) and parameter and not parameter.startswith(_TEXTS):
        return Misconfigured(
            f"The provider refuses a parameter of the request ({status}); another model or "
            'answer_format = "json_object" may help.'
        )
    return fault


_UNREACHABLE = Unreachable, "The provider cannot be reached."
_UNREADABLE = BadAnswer, "The provider's answer is not what the interface promises."
_MISUSED = Misconfigured, "The OpenAI library refuses its settings."

BY_CLASS: Mapping[str, tuple[type[TranslatorError], str] | None] = {
    "APIStatusError": None,
    "BadRequestError": None,
    "AuthenticationError": None,
    "OAuthError": None,
    "PermissionDeniedError": None,
    "NotFoundError": None,
    "ConflictError": None,
    "UnprocessableEntityError": None,
    "RateLimitError": None,
    "InternalServerError": None,
    "APIConnectionError": _UNREACHABLE,
    "APITimeoutError": (TimedOut, "The provider did not answer in time."),
    "APIResponseValidationError": _UNREADABLE,
    "APIError": _UNREADABLE,
    "LengthFinishReasonError": (Rejected, "The answer was cut off at the model's length limit."),
    "ContentFilterFinishReasonError": (
        Rejected,
        "The provider's content filter refused the request.",
    ),
    "WebSocketConnectionClosedError": _UNREACHABLE,
    "WebSocketQueueFullError": _UNREACHABLE,
    "InvalidWebhookSignatureError": _MISUSED,
    "SubjectTokenProviderError": _MISUSED,
    "OpenAIError": _MISUSED,
}
"""Every exception class the SDK exports, by name, so that a new one shows up in a test. Classes
mapped to None carry a status and are mapped by it."""


BY_RESPONSE: Mapping[str, type[TranslatorError]] = {
    "server_error": Transient,
    "rate_limit_exceeded": RateLimited,
    "vector_store_timeout": Transient,
    "data_residency_mismatch": Misconfigured,
}
"""Codes of a response that failed although the request was answered; all others concern the
texts."""


def error_of_response(code: str | None) -> TranslatorError:
    """Map the code of a response with status ``failed`` to one of our errors."""
    kind = Transient if code is None else BY_RESPONSE.get(code, Rejected)
    if kind is RateLimited:
        return RateLimited("The provider asks for a slower pace.")
    return kind("The model failed to write an answer.")


BY_REQUEST: Mapping[str, str] = {
    "batch_expired": "The batch ended before the request was answered.",
    "batch_cancelled": "The batch was cancelled before the request was answered.",
}
"""Reasons for which a request of a batch got no answer; the request can be sent again."""


def error_of_request(code: str | None) -> TranslatorError:
    """Map the error that a request of a batch has instead of a response to one of our errors."""
    if code in _NO_FUNDS:
        return QuotaExhausted(NO_FUNDS)
    return Transient(BY_REQUEST.get(code or "", "The provider did not answer the request."))


_UNFIT = "The provider takes no batch like this"
BY_BATCH: Mapping[str, str] = {
    "invalid_json_line": f"{_UNFIT}: it does not read its lines as we write them.",
    "duplicate_custom_id": f"{_UNFIT}: it takes two requests for one.",
    "missing_required_parameter": f"{_UNFIT}: it misses a parameter.",
    "invalid_custom_id": f"{_UNFIT}: it refuses the ids of its requests.",
    "invalid_method": f"{_UNFIT}: it refuses the method of its requests.",
    "invalid_url": f"{_UNFIT}: translator.api may name an interface that it has no batches for.",
    "url_mismatch": f"{_UNFIT}: translator.api may name an interface that it has no batches for.",
    "mismatched_model": f"{_UNFIT}: it sees more than one model.",
    "model_mismatch": f"{_UNFIT}: it sees more than one model.",
    "model_not_found": f"{_UNFIT}: translator.model has no batches, or does not exist.",
    "empty_file": f"{_UNFIT}: it sees no request in it.",
    "too_many_tasks": f"{_UNFIT}: it has too many requests.",
    "invalid_request": f"{_UNFIT}: it refuses the batch as a whole.",
}
"""Reasons for which a whole batch was refused; none of them concerns a text."""

NO_ROOM: AbstractSet[str] = frozenset({"token_limit_exceeded", "request_limit_exceeded"})
"""Codes for more queued requests than the account may have; batches that end make room."""


def error_of_batch(code: str | None) -> TranslatorError:
    """Map the code of a batch with status ``failed`` to one of our errors; unknown is transient."""
    if code in _NO_FUNDS:
        return QuotaExhausted(NO_FUNDS)
    if code in NO_ROOM:
        return RateLimited("More is queued than the account may have.")
    if advice := BY_BATCH.get(code or ""):
        return Misconfigured(advice)
    return Transient("The provider could not begin with the batch.")
