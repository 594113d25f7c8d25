"""One request to a provider that has no library of its own here, under our rules.

Texts and keys travel in bodies and headers, never in an address. Redirects are not followed: they
would take the texts to a host that nobody has agreed to. What is meant for this machine goes
through no proxy. No retry happens here: the scheduler resends identical bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import httpx2
from pydantic import BaseModel, ConfigDict, ValidationError

from prism_core.errors import BadAnswer
from prism_core.settings.addresses import Address
from prism_core.translators.connection import Connection
from prism_core.translators.retry_after import retry_after

LONGEST_ANSWER = 16 * 2**20
"""Bytes; the largest request any provider takes is a hundredth of it."""

_HEADERS = {"User-Agent": "python-httpx2"}
"""Without versions: what a provider need not know it is not told."""


class Answer(BaseModel):
    """The shape of a provider's answer; what we have no use for is not looked at."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


_Shape = TypeVar("_Shape", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. ``content`` is the provider's: it may quote the request."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def pause(self) -> float | None:
        """Seconds that the provider asks to wait, None when it does not say."""
        return retry_after(self.headers)

    def parsed(self, shape: type[_Shape]) -> _Shape:
        """The content as ``shape``, or ``BadAnswer`` that does not quote it."""
        found = self.parsed_if(shape)
        if found is None:
            raise BadAnswer("The provider's answer is not what its interface promises.")
        return found

    def parsed_if(self, shape: type[_Shape]) -> _Shape | None:
        """The content as ``shape``, or None."""
        try:
            return shape.model_validate_json(self.content)
        except ValidationError:
            return None


class Poster:
    """Sends POST requests to one address; usable from one event loop after another."""

    def __init__(self, address: Address, timeout_seconds: float) -> None:
        self._address = address
        self._timeout = timeout_seconds
        self._connection = Connection(
            self._new_client,
            httpx2.AsyncClient.aclose,
            known=(httpx2.DecodingError,),
            typed=_cannot_be_unpacked,
        )

    async def post(
        self,
        path: str,
        *,
        headers: Mapping[str, str] | None = None,
        json: object | None = None,
        form: Mapping[str, str] | None = None,
    ) -> Reply:
        """The answer to one request, whatever its status.

        Raises ``Transient`` when none came in time or at all, ``BadAnswer`` when it has no end.
        """

        async def exchange(client: httpx2.AsyncClient) -> Reply:
            return await self._exchange(client, path, headers, json, form)

        return await self._connection.call(exchange, self._timeout)

    async def close(self) -> None:
        """Close the connections; a later ``post`` opens new ones."""
        await self._connection.close()

    async def _exchange(
        self,
        client: httpx2.AsyncClient,
        path: str,
        headers: Mapping[str, str] | None,
        json: object | None,
        form: Mapping[str, str] | None,
    ) -> Reply:
        content = bytearray()
        async with client.stream(
            "POST", self._address.url + path, headers=headers, json=json, data=form
        ) as response:
            async for part in response.aiter_bytes():
                content += part
                if len(content) > LONGEST_ANSWER:
                    raise BadAnswer("The provider's answer is absurdly long.")
        return Reply(response.status_code, response.headers, bytes(content))

    def _new_client(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            follow_redirects=False,
            trust_env=not self._address.local,
            timeout=self._timeout,
            headers=_HEADERS,
        )


def _cannot_be_unpacked(_error: Exception) -> BadAnswer:
    return BadAnswer("The provider's answer cannot be unpacked.")
