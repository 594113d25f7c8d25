"""How much of an answer is read: no more than what was asked can need, as it comes.

A provider is not trusted to end its answers. Nothing is asked for packed, so that the bytes that
come are those that there are, and what comes packed all the same is not unpacked.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from typing import Any

import httpx2

from prism_core.errors import BadAnswer

_BESIDE = 2**18
_FOR_A_BYTE = 20
"""An answer may have three times the characters of its text (``AnswerChecks``), each of six bytes
in JSON; what stands around it fits in ``_BESIDE``, with what some models write as they think."""
LONGEST_ANSWER = 2**22
"""Bytes; to a request of a hundred times the size that any provider takes."""

_HEADERS = {"Accept-Encoding": "identity", "User-Agent": "python-httpx2"}
"""Without versions: what a provider need not know it is not told."""
_OF_HTTP = frozenset(
    "accept accept-encoding connection content-length content-type host transfer-encoding "
    "user-agent".split()
)


_UNSENT = "prism_unsent"
"""Of a request, the headers that were not sent: the library that gave them looks for them when the
answer is there."""


def longest_answer(asked: int) -> int:
    """The most bytes that an answer to ``asked`` bytes may have."""
    return min(_BESIDE + _FOR_A_BYTE * asked, LONGEST_ANSWER)


def client_options(
    *,
    local: bool,
    seconds: float,
    most: int | None = None,
    only: Collection[str] | None = None,
) -> dict[str, Any]:
    """What every ``httpx2.AsyncClient`` that asks a provider is made with.

    An answer that is longer than ``most`` bytes, or than ``longest_answer`` of its request, or
    packed, is a ``BadAnswer`` and its connection is closed; of an error, as of its status, only
    the beginning is read. ``local``: it asks this machine, through no proxy. ``seconds`` for each
    read. ``only``: what headers, in lower case, a request has beside those of HTTP; a library that
    adds more (of itself, Python and this machine) is asked with none of these. None: all that it is
    given. A provider's cookie is never sent back: by it one request is known from another.
    """

    async def reduce(request: httpx2.Request) -> None:
        request.headers.pop("cookie", None)
        if only is not None:
            unneeded = request.headers.keys() - _OF_HTTP.union(only)
            request.extensions[_UNSENT] = {name: request.headers.pop(name) for name in unneeded}
            request.headers.update(_HEADERS)

    async def bound(response: httpx2.Response) -> None:
        allowed = longest_answer(int(response.request.headers.get("content-length", 0)))
        packed = response.headers.get("content-encoding", "identity").lower() != "identity"
        if packed and response.is_success:
            raise BadAnswer("The provider's answer is packed, which it was asked not to be.")
        if packed:
            del response.headers["content-encoding"]
        response.request.headers.update(response.request.extensions.get(_UNSENT, {}))
        response.stream = _Bounded(
            response.stream, 0 if packed else most or allowed, is_error=not response.is_success
        )

    return {
        "event_hooks": {"request": [reduce], "response": [bound]},
        "follow_redirects": False,
        "headers": _HEADERS,
        "timeout": seconds,
        "trust_env": not local,
    }


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: Any, most: int, *, is_error: bool) -> None:
        self._stream, self._most, self._is_error = stream, most, is_error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = self._most
        async for part in self._stream:
            left -= len(part)
            if left >= 0:
                yield part
            elif self._is_error:
                return
            else:
                raise BadAnswer("The provider's answer is absurdly long.")

    async def aclose(self) -> None:
        await self._stream.aclose()


async def lines_of(parts: AsyncIterator[bytes], longest: int) -> AsyncIterator[bytes]:
    """The lines of ``parts``, without their ends, but for those of more than ``longest`` bytes."""
    line = bytearray()
    async for part in parts:
        for number, piece in enumerate(part.split(b"\n")):
            if number:
                if len(line) <= longest:
                    yield bytes(line)
                line.clear()
            line += piece[: longest + 1 - len(line)]
    if len(line) <= longest:
        yield bytes(line)
