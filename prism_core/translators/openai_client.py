"""The connection to an OpenAI interface: with which key, to whom, and what its errors mean to us.

The SDK's messages and bodies may quote the request, so none of their text is carried over: only
the status number and what we make of it.

Entry: ``OpenAIClient.call``; then ``error_of`` for an error of the SDK, ``error_of_response``,
``error_of_request`` and ``error_of_batch`` for what an answer says of itself.
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
)
from prism_core.settings import KeyedSettings
from prism_core.translators.addresses import address_of, key_of
from prism_core.translators.http import NO_FUNDS, Connection, Meaning, error_of_status, fix, spent
from prism_core.translators.pacing import DEFAULT_PAUSE, retry_after

if TYPE_CHECKING:
    import openai

ADDRESS = "https://api.openai.com/v1"
KEY = "OPENAI_API_KEY"
_HEADERS = frozenset({"authorization", "openai-organization", "openai-project"})

_Answer = TypeVar("_Answer")


class LenientAnswer(BaseModel):
    """The shape of an answer; what we have no use for is not looked at."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class OpenAIClient:
    """Calls the SDK. The key is read from the environment when this is made.

    No retry happens here, and none in the SDK: whoever schedules resends identical bytes.
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
        """What ``send`` gives; every foreign error becomes one of ours.

        It may take the time-out of the settings and ``more_seconds``.
        """
        return await self._connection.call(send, self._seconds + more_seconds)

    async def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        await self._connection.close()

    def new_client(self, most: int | None = None) -> openai.AsyncOpenAI:
        """A client of its own; ``most`` bytes are read of an answer, None: by its request."""
        import openai

        from prism_core.translators.bounds import client_options

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
"""Where a request holds its texts: chat completions, responses."""
_OF_A_BATCH = ("file_id", "input_file_id")
"""A file that has just been handed in may take a moment to be seen (bespokelabsai/curator#116)."""
BY_STATUS: Mapping[int, Meaning] = {
    403: fix("the key may not use this model or endpoint"),
    404: fix("there is no such model or address"),
    410: fix("the model or address is no longer served"),
}


def error_of(error: Any) -> TranslatorError:
    """The error of ours that ``error`` stands for; raise it ``from None``.

    Total: an error nobody has thought of is transient, and its class is named.
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
    """The error of ours for a ``status`` of HTTP, of a request by itself or within a batch.

    ``marks`` are the code and the type of the error, ``parameter`` what it is about, ``pause`` the
    seconds that the provider asks to wait, where it says so.
    """
    if marks & _NO_FUNDS:
        return spent(status, pause)
    fault = error_of_status(status, pause, BY_STATUS)
    if not isinstance(fault, Rejected):
        return fault
    if parameter in _OF_A_BATCH:
        return Transient("The provider does not see the file of a batch yet.")
    if isinstance(parameter, str) and parameter and not parameter.startswith(_TEXTS):
        return Misconfigured(
            f"The provider refuses a parameter of the request ({status}); another model or "
            'answer_format = "json_object" may help.'
        )
    return fault


_UNREACHABLE = Transient, "The provider cannot be reached."
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
"""Every exception class the SDK exports, by name, so that a new one shows up in a test. None are
those that have a status, and go by that."""


BY_RESPONSE: Mapping[str, type[TranslatorError]] = {
    "server_error": Transient,
    "rate_limit_exceeded": RateLimited,
    "vector_store_timeout": Transient,
    "data_residency_mismatch": Misconfigured,
}
"""Why a response may have failed although the request was answered; all else is about the texts."""


def error_of_response(code: str | None) -> TranslatorError:
    """The error of ours for a response with status ``failed``."""
    kind = Transient if code is None else BY_RESPONSE.get(code, Rejected)
    if kind is RateLimited:
        return RateLimited("The provider asks for a slower pace.", DEFAULT_PAUSE)
    return kind("The model failed to write an answer.")


BY_REQUEST: Mapping[str, str] = {
    "batch_expired": "The batch ended before the request was answered.",
    "batch_cancelled": "The batch was cancelled before the request was answered.",
}
"""Why a request of a batch may have got no answer at all: it can be asked again."""


def error_of_request(code: str | None) -> TranslatorError:
    """The error of ours for a request of a batch that has an error instead of a response."""
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
"""Why a whole batch may have been turned down: none of it is about a text."""

NO_ROOM: AbstractSet[str] = frozenset({"token_limit_exceeded", "request_limit_exceeded"})
"""More is queued than the account may have; batches that end make room."""


def error_of_batch(code: str | None) -> TranslatorError:
    """The error of ours for a batch with status ``failed``; one nobody has thought of may pass."""
    if code in _NO_FUNDS:
        return QuotaExhausted(NO_FUNDS)
    if code in NO_ROOM:
        return RateLimited("More is queued than the account may have.", DEFAULT_PAUSE)
    if advice := BY_BATCH.get(code or ""):
        return Misconfigured(advice)
    return Transient("The provider could not begin with the batch.")
