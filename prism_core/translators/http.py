"""HTTP requests to a provider: by our rules, within a time limit, and never logged.

Texts and keys travel in bodies and headers, never in an address. Redirects are not followed: they
would take the texts to a host that nobody has agreed to. Requests to this machine use no proxy. No
retry happens here: the scheduler resends identical bytes.

The meaning of each status is mapped here, once, for every provider called over plain HTTP. A
provider with other meanings lays its own table over ``BY_STATUS``. No word of a body is carried
over: it may quote the request.

Entry for a provider without a library of its own: ``PostingTranslator`` -> ``Connection`` ->
``Reply`` -> ``error_of_status``; a library's client uses a ``Connection`` alone.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypedDict, TypeVar, Unpack

from pydantic import BaseModel, ConfigDict, ValidationError

from prism_core.alignment import Translation
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
from prism_core.settings import ServerSettings, ServiceSettings
from prism_core.translators.alignment_tags import Tag, read_texts, tag_texts
from prism_core.translators.base import Limits, Price, override_price
from prism_core.translators.checks import align_in_order, translate_in_order
from prism_core.translators.endpoints import Address, target_code
from prism_core.translators.pacing import retry_after

if TYPE_CHECKING:
    import httpx2

_Client = TypeVar("_Client")
_Answer = TypeVar("_Answer")

_TOO_LATE = (
    "The provider did not answer in time. Run again later, or raise translator.timeout_seconds."
)
_UNREACHABLE = (
    "The provider cannot be reached. Check translator.base_url, the network and its proxy, then "
    "run again."
)


@dataclass(slots=True)
class Connection(Generic[_Client]):
    """Connection that opens a client when first needed; usable from one event loop after another.

    ``known`` are the errors of the client's own library, which ``error_of`` maps to ours.
    """

    open: Callable[[], _Client]
    shut: Callable[[_Client], Awaitable[None]]
    known: tuple[type[Exception], ...] = ()
    error_of: Callable[[Any], TranslatorError] = lambda _error: Unreachable(_UNREACHABLE)
    _client: _Client | None = field(default=None, init=False)
    _loop: asyncio.AbstractEventLoop | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        silence("httpx2", "httpcore2")

    async def call(self, send: Callable[[_Client], Awaitable[_Answer]], seconds: float) -> _Answer:
        """Return the result of ``send`` within ``seconds``, mapping every foreign error to ours.

        Raises ``TimedOut`` when no answer came in time, ``Unreachable`` when no reply came, and
        the errors that ``error_of`` returns.
        """
        import httpx2

        try:
            # A library's time-out is for each read; this one is for the whole request.
            async with asyncio.timeout(seconds):
                # Connections belong to an event loop; in a new loop there is a new client.
                loop = asyncio.get_running_loop()
                if self._client is None or self._loop is not loop:
                    self._client, self._loop = self.open(), loop
                return await send(self._client)
        except TimeoutError:
            fault: TranslatorError = TimedOut(_TOO_LATE)
        except self.known as error:
            fault = self.error_of(error)
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError):
            fault = Unreachable(_UNREACHABLE)
        raise fault  # out here, so that it does not carry the request along as its context

    async def close(self) -> None:
        """Close the client; a later call opens a new one."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await self.shut(client)


class ProviderResponse(BaseModel):
    """Base class for the shape of a provider's answer; unused fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


_Shape = TypeVar("_Shape", bound=BaseModel)


def parse_answer(shape: type[_Shape], content: bytes | str) -> _Shape:
    """Parse ``content``, JSON, as ``shape``. Raises ``BadAnswer`` without quoting it."""
    try:
        return shape.model_validate_json(content)
    except ValidationError:
        pass  # it quotes the answer, so it must not become the context of what is raised
    raise BadAnswer(
        "The provider's answer is not what its interface promises. Check translator.base_url, then "
        "run again."
    )


@dataclass(frozen=True, slots=True)
class Reply:
    """Reply of a provider; ``status`` is 0 when none came.

    ``content`` is the provider's: it may quote the request.
    """

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes = b""

    @property
    def pause(self) -> float | None:
        """Seconds that the provider asks to wait; None when it does not say."""
        return retry_after(self.headers)

    def parsed(self, shape: type[_Shape]) -> _Shape:
        """Parse the content as ``shape``; see ``parse_answer``."""
        return parse_answer(shape, self.content)

    def parsed_if(self, shape: type[_Shape]) -> _Shape | None:
        """Parse the content as ``shape``; return None if it does not fit."""
        try:
            return self.parsed(shape)
        except BadAnswer:
            return None


class _RequestParts(TypedDict, total=False):
    """Parts of a request beside its path."""

    headers: Mapping[str, str]
    json: object


class PostingTranslator(ABC):
    """Base class of translators that are called by POST and have no library here.

    Each subclass implements ``ask``. Usable from one event loop after another.
    """

    name: str

    def __init__(
        self,
        settings: ServerSettings,
        address: Address,
        limits: Limits,
        price: Price | None,
        error_of: Callable[[Reply], TranslatorError],
    ) -> None:
        import httpx2

        from prism_core.translators.response_limits import client_options

        self.endpoint = address.host
        self.limits = limits.override_by(settings)
        self.price = override_price(settings, price)
        self._address, self._timeout, self._error_of = address, settings.timeout_seconds, error_of
        self._connection = Connection(
            lambda: httpx2.AsyncClient(
                **client_options(local=address.local, seconds=settings.timeout_seconds)
            ),
            httpx2.AsyncClient.aclose,
        )

    @abstractmethod
    async def ask(self, texts: list[str], source: str, target: str) -> list[str]:
        """Return the answers to ``texts``, each a non-blank line, in their order."""

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Translate texts; see ``Translator``."""
        return await translate_in_order(texts, lambda asked: self.ask(asked, source, target))

    async def post(self, path: str, **asked: Unpack[_RequestParts]) -> Reply:
        """Return the reply to one request, or raise its error unless its status is 200."""
        reply = await self.exchange(path, **asked)
        if reply.status != 200:
            raise self._error_of(reply)
        return reply

    async def exchange(self, path: str, **asked: Unpack[_RequestParts]) -> Reply:
        """Return the reply to one request, whatever its status.

        Raises ``TimedOut`` when none came in time, ``Unreachable`` when none came at all,
        ``BadAnswer`` when it is compressed or longer than any answer to such a request.
        """

        async def send(client: httpx2.AsyncClient) -> Reply:
            response = await client.post(self._address.url + path, **asked)
            return Reply(response.status_code, response.headers, response.content)

        return await self._connection.call(send, self._timeout)

    async def close(self) -> None:
        """Close the connections; a later ``translate`` opens new ones."""
        await self._connection.close()


class MarkingTranslator(PostingTranslator):
    """Base class of translators whose answers can also align words of the text; see ``Aligner``.

    ``codes`` maps languages to the provider's codes where they differ from ISO 639-1. ``tag`` is
    the tag that marks words; a subclass without one overrides ``translate_with_markup``.
    """

    codes: ClassVar[Mapping[str, str]]
    tag: ClassVar[Tag]

    def __init__(
        self,
        settings: ServiceSettings,
        target: str,
        address: Address,
        limits: Limits,
        price: Price | None,
        error_of: Callable[[Reply], TranslatorError],
    ) -> None:
        super().__init__(settings, address, limits, price, error_of)
        self.marks = settings.asked_marks
        self._settings = settings
        target_code(settings, target, self.codes)

    def pair(self, source: str, target: str) -> tuple[str, str]:
        """Return both languages in the provider's codes."""
        return self.codes.get(source, source), target_code(self._settings, target, self.codes)

    @abstractmethod
    async def request_answers(
        self, texts: list[str], source: str, target: str, *, tagged: bool
    ) -> list[str]:
        """Return the answers to ``texts``, which hold tags if ``tagged``, in their order."""

    async def ask(self, texts: list[str], source: str, target: str) -> list[str]:
        """Return the answers to texts without tags; see ``PostingTranslator``."""
        return await self.request_answers(texts, source, target, tagged=False)

    async def translate_with_markup(
        self, texts: list[str], source: str, target: str
    ) -> list[Translation | None]:
        """Translate texts with ``words_to_mark`` in tags; None where these came back damaged."""
        tagged = tag_texts(texts, source, self.tag)
        answers = await self.request_answers(tagged, source, target, tagged=True)
        return read_texts(texts, answers, source, self.tag)

    async def align(
        self, texts: Sequence[str], source: str, target: str
    ) -> list[Translation | None]:
        """Translate texts with alignments; see ``Aligner``."""
        return await align_in_order(
            texts, lambda asked: self.translate_with_markup(asked, source, target)
        )


NO_FUNDS = "The account's quota or credit is used up; see its billing page."

Meaning = Callable[[int, float | None], TranslatorError]
"""Maps a status and the seconds the provider asks to wait (None: unstated) to one of our errors."""


def slow_down(status: int, pause: float | None) -> TranslatorError:
    """Return the error for a pace that is too fast."""
    message = (
        f"The provider asks for a slower pace ({status}). State the limits of the account "
        "(translator.requests_per_minute), then run again."
    )
    return RateLimited(message, pause)


def later(status: int, pause: float | None) -> TranslatorError:
    """Return the error for a failure that may pass; with a stated pause every request waits."""
    message = (
        f"The provider cannot answer now ({status}). Look at its log or its status page, then run "
        "again."
    )
    return Transient(message) if pause is None else RateLimited(message, pause)


def spent(status: int, pause: float | None) -> TranslatorError:  # noqa: ARG001 - no wait helps
    """Return the error for a quota or credit that is used up."""
    return QuotaExhausted(NO_FUNDS)


def refused(status: int, pause: float | None) -> TranslatorError:  # noqa: ARG001 - no wait helps
    """Return the error for a request that is refused because of its texts."""
    return Rejected(f"The provider refuses the request ({status}).")


def unusable(status: int, pause: float | None) -> TranslatorError:  # noqa: ARG001 - no wait helps
    """Return the error for a status that is neither an error nor an answer."""
    return BadAnswer(f"The provider answers with a status that has no meaning here ({status}).")


def fix(advice: str) -> Meaning:
    """Return a meaning for a mistake that the user must correct as ``advice`` says."""

    def misconfigured(status: int, pause: float | None) -> TranslatorError:  # noqa: ARG001 - no wait helps
        return Misconfigured(f"The provider answers {status}: {advice}.")

    return misconfigured


WRONG_KEY = fix("the key is missing, wrong, expired or revoked")
NOT_ALLOWED = fix("the key may not be used for this")
WRONG_ADDRESS = fix("translator.base_url is not the address of its interface")
REDIRECTS = fix("it redirects; set translator.base_url to where it leads")
WRONG_LANGUAGES = fix(
    "it does not know a language of the pair; see translator.target_code, and its list of languages"
)

BY_STATUS: Mapping[int, Meaning] = {
    401: WRONG_KEY,
    402: spent,
    403: NOT_ALLOWED,
    404: WRONG_ADDRESS,
    405: WRONG_ADDRESS,
    407: fix("the proxy asks for credentials"),
    408: later,
    409: later,
    410: WRONG_ADDRESS,
    415: WRONG_ADDRESS,
    425: later,
    429: slow_down,
    431: WRONG_KEY,
    451: NOT_ALLOWED,
    456: spent,
}


def error_of_status(
    status: int, pause: float | None, table: Mapping[int, Meaning] | None = None
) -> TranslatorError:
    """Map ``status`` to one of our errors: total, with the provider's ``table`` first."""
    known = (table or {}).get(status) or BY_STATUS.get(status)
    by_class = (500, later), (400, refused), (300, REDIRECTS)
    return (known or next((m for least, m in by_class if status >= least), unusable))(status, pause)
