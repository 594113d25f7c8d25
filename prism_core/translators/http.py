"""One request to a provider over HTTP: under our rules, in time or not at all, unlogged.

Texts and keys travel in bodies and headers, never in an address. Redirects are not followed: they
would take the texts to a host that nobody has agreed to. What is meant for this machine goes
through no proxy. No retry happens here: the scheduler resends identical bytes.

What a status means to us is mapped here, once, for every provider asked over plain HTTP; one lays
its own table over ``BY_STATUS`` where it means something else. No word of a body is carried over:
it may quote the request.

Entry for a provider without a library of its own: ``PostingTranslator`` -> ``Connection`` ->
``Reply`` -> ``error_of_status``; a library's client stands behind a ``Connection`` alone.
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
)
from prism_core.settings import ServerSettings, ServiceSettings
from prism_core.translators.alignment_tags import Tag, read_texts, tag_texts
from prism_core.translators.base import Limits, Price, override_price
from prism_core.translators.checks import align_in_order, translate_in_order
from prism_core.translators.endpoints import Address, target_code
from prism_core.translators.pacing import DEFAULT_PAUSE, retry_after

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
    """Opens a client when it is first needed; usable from one event loop after another.

    ``known`` are the errors of the client's own library that ``error_of`` makes one of ours.
    """

    open: Callable[[], _Client]
    shut: Callable[[_Client], Awaitable[None]]
    known: tuple[type[Exception], ...] = ()
    error_of: Callable[[Any], TranslatorError] = lambda _error: Transient(_UNREACHABLE)
    _client: _Client | None = field(default=None, init=False)
    _loop: asyncio.AbstractEventLoop | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        silence("httpx2", "httpcore2")

    async def call(self, send: Callable[[_Client], Awaitable[_Answer]], seconds: float) -> _Answer:
        """What ``send`` gives within ``seconds``; every foreign error becomes one of ours.

        Raises ``TimedOut`` when no answer came in time, ``Transient`` when none came at all, and
        what ``error_of`` gives.
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
            fault = Transient(_UNREACHABLE)
        raise fault  # out here, so that it does not carry the request along as its context

    async def close(self) -> None:
        """Close the client; a later call opens a new one."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await self.shut(client)


class Answer(BaseModel):
    """The shape of a provider's answer; what we have no use for is not looked at."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


_Shape = TypeVar("_Shape", bound=BaseModel)


def parse_answer(shape: type[_Shape], content: bytes | str) -> _Shape:
    """``content``, which is JSON, as ``shape``; raises ``BadAnswer`` that does not quote it."""
    try:
        return shape.model_validate_json(content)
    except ValidationError:
        pass  # it quotes the answer, so it must not become the context of what is raised
    raise BadAnswer("The provider's answer is not what its interface promises.")


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back; ``status`` 0 when nothing did.

    ``content`` is the provider's: it may quote the request.
    """

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes = b""

    @property
    def pause(self) -> float | None:
        """Seconds that the provider asks to wait, None when it does not say."""
        return retry_after(self.headers)

    def parsed(self, shape: type[_Shape]) -> _Shape:
        """The content as ``shape``; see ``parse_answer``."""
        return parse_answer(shape, self.content)

    def parsed_if(self, shape: type[_Shape]) -> _Shape | None:
        """The content as ``shape``, or None."""
        try:
            return self.parsed(shape)
        except BadAnswer:
            return None


class _Asked(TypedDict, total=False):
    """What a request holds beside its path: a body of JSON, or ``data`` of a form."""

    headers: Mapping[str, str]
    json: object
    data: Mapping[str, str]


class PostingTranslator(ABC):
    """What all translators have in common that are asked by POST and have no library here.

    ``ask`` is what each does in its own way. Usable from one event loop after another.
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
        """The answers to ``texts``, each one line that holds something, in their order."""

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """See ``Translator``."""
        return await translate_in_order(texts, lambda asked: self.ask(asked, source, target))

    async def post(self, path: str, **asked: Unpack[_Asked]) -> Reply:
        """The answer to one request, of status 200; of any other its error is raised.

        Raises as ``exchange``.
        """
        reply = await self.exchange(path, **asked)
        if reply.status != 200:
            raise self._error_of(reply)
        return reply

    async def exchange(self, path: str, **asked: Unpack[_Asked]) -> Reply:
        """The answer to one request, whatever its status.

        Raises ``TimedOut`` when none came in time, ``Transient`` when none came at all,
        ``BadAnswer`` when it is longer than any to such a request or packed.
        """

        async def send(client: httpx2.AsyncClient) -> Reply:
            response = await client.post(self._address.url + path, **asked)
            return Reply(response.status_code, response.headers, response.content)

        return await self._connection.call(send, self._timeout)

    async def close(self) -> None:
        """Close the connections; a later ``translate`` opens new ones."""
        await self._connection.close()


class MarkingTranslator(PostingTranslator):
    """One whose answers can also say where the words of a text stand; see ``Aligner``.

    ``codes`` says how it writes languages otherwise than ISO 639-1, ``tag`` how it takes words
    marked; with none ``ask_marked`` is its own.
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
        """Both languages as the provider writes them."""
        return self.codes.get(source, source), target_code(self._settings, target, self.codes)

    @abstractmethod
    async def ask_as(
        self, texts: list[str], source: str, target: str, *, tagged: bool
    ) -> list[str]:
        """The answers to ``texts``, which are ``tagged``, in their order."""

    async def ask(self, texts: list[str], source: str, target: str) -> list[str]:
        """See ``PostingTranslator``."""
        return await self.ask_as(texts, source, target, tagged=False)

    async def ask_marked(
        self, texts: list[str], source: str, target: str
    ) -> list[Translation | None]:
        """As ``ask``, with all words of ``words_to_mark`` marked; None for what marks spoilt."""
        tagged = tag_texts(texts, source, self.tag)
        answers = await self.ask_as(tagged, source, target, tagged=True)
        return read_texts(texts, answers, source, self.tag)

    async def align(
        self, texts: Sequence[str], source: str, target: str
    ) -> list[Translation | None]:
        """See ``Aligner``."""
        return await align_in_order(texts, lambda asked: self.ask_marked(asked, source, target))


NO_FUNDS = "The account's quota or credit is used up; see its billing page."

Meaning = Callable[[int, float | None], TranslatorError]
"""From a status and the seconds the provider asks to wait (None: unsaid) to an error of ours."""


def slow_down(status: int, pause: float | None) -> TranslatorError:
    """The pace is too fast."""
    return RateLimited(f"The provider asks for a slower pace ({status}).", pause or DEFAULT_PAUSE)


def later(status: int, pause: float | None) -> TranslatorError:
    """It may work later; one that says when is waited for by everybody."""
    message = f"The provider cannot answer now ({status})."
    return Transient(message) if pause is None else RateLimited(message, pause)


def spent(status: int, pause: float | None) -> TranslatorError:  # noqa: ARG001 - no wait helps
    """The quota or credit is used up."""
    return QuotaExhausted(NO_FUNDS)


def refused(status: int, pause: float | None) -> TranslatorError:  # noqa: ARG001 - no wait helps
    """Something about the texts of this request."""
    return Rejected(f"The provider refuses the request ({status}).")


def unusable(status: int, pause: float | None) -> TranslatorError:  # noqa: ARG001 - no wait helps
    """No error, and no answer either."""
    return BadAnswer(f"The provider answers with a status that has no meaning here ({status}).")


def fix(advice: str) -> Meaning:
    """Something the user must set right: ``advice`` says what."""

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
    400: refused,
    401: WRONG_KEY,
    402: spent,
    403: NOT_ALLOWED,
    404: WRONG_ADDRESS,
    405: WRONG_ADDRESS,
    407: fix("the proxy asks for credentials"),
    408: later,
    409: later,
    410: WRONG_ADDRESS,
    411: refused,
    413: refused,
    414: refused,
    415: WRONG_ADDRESS,
    422: refused,
    425: later,
    429: slow_down,
    431: WRONG_KEY,
    451: NOT_ALLOWED,
    456: spent,
}


def error_of_status(
    status: int, pause: float | None, table: Mapping[int, Meaning] | None = None
) -> TranslatorError:
    """The error that ``status`` stands for: total, and the provider's ``table`` goes first."""
    known = (table or {}).get(status) or BY_STATUS.get(status)
    by_class = (500, later), (400, refused), (300, REDIRECTS)
    return (known or next((m for least, m in by_class if status >= least), unusable))(status, pause)
