"""A connection to a provider over HTTP: in time or not at all, unlogged, and with our errors."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import httpx2

from prism_core.errors import Transient, TranslatorError
from prism_core.settings.addresses import silence

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

    ``known`` are the errors of the client's own library that ``typed`` makes one of ours.
    """

    open: Callable[[], _Client]
    shut: Callable[[_Client], Awaitable[None]]
    known: tuple[type[Exception], ...]
    typed: Callable[[Exception], TranslatorError]
    _client: _Client | None = field(default=None, init=False)
    _loop: asyncio.AbstractEventLoop | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        silence("httpx2", "httpcore2")

    async def call(self, send: Callable[[_Client], Awaitable[_Answer]], seconds: float) -> _Answer:
        """What ``send`` gives within ``seconds``; every foreign error becomes one of ours.

        Raises ``Transient`` when no answer came in time or at all, and what ``typed`` gives.
        """
        try:
            # A library's time-out is for each read; this one is for the whole request.
            async with asyncio.timeout(seconds):
                return await send(self._client_of_this_loop())
        except TimeoutError:
            fault: TranslatorError = Transient(_TOO_LATE)
        except self.known as error:
            fault = self.typed(error)
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError):
            fault = Transient(_UNREACHABLE)
        raise fault  # out here, so that it does not carry the request along as its context

    async def close(self) -> None:
        """Close the client; a later call opens a new one."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await self.shut(client)

    def _client_of_this_loop(self) -> _Client:
        """Connections belong to an event loop; in a new loop there is a new client."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._client, self._loop = self.open(), loop
        return self._client
