"""Limits on the size of an answer: no more is read than the request can need, as it arrives.

A provider is not trusted to end its answers. Compression is not requested, so that the bytes
received are the bytes of the answer; an answer that is compressed all the same is not unpacked.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from typing import Any

import httpx2

from prism_core.errors import BadAnswer

_FRAME_BYTES = 2**18
_BYTES_PER_REQUEST_BYTE = 20
"""Bytes of answer allowed for each byte of a request. An answer may have three times the characters
of its text (``AnswerChecks``), each of six bytes in JSON; its frame fits in ``_FRAME_BYTES``, with
what some models write while they think."""
LONGEST_ANSWER = 2**22
"""Bytes of the longest answer: enough for a hundred times the largest request any provider
takes."""

_HEADERS = {"Accept-Encoding": "identity", "User-Agent": "python-httpx2"}
"""Headers without versions: a provider is told nothing that it need not know."""
_HTTP_HEADERS = frozenset(
    "accept accept-encoding connection content-length content-type host transfer-encoding "
    "user-agent".split()
)


_UNSENT = "prism_unsent"
"""Extension of a request that holds its withheld headers. The library that set them looks for them
when the answer arrives."""


def longest_answer(asked: int) -> int:
    """Return the largest number of bytes allowed in an answer to ``asked`` bytes."""
    return min(_FRAME_BYTES + _BYTES_PER_REQUEST_BYTE * asked, LONGEST_ANSWER)


def client_options(
    *,
    local: bool,
    seconds: float,
    most: int | None = None,
    only: Collection[str] | None = None,
) -> dict[str, Any]:
    """Return the options of every ``httpx2.AsyncClient`` that calls a provider.

    An answer that is longer than ``most`` bytes, or than ``longest_answer`` of its request, or
    compressed, raises ``BadAnswer`` and its connection is closed. Of an answer with an error status
    only the beginning is read. A provider's cookie is never sent back: it would link one request to
    another.

    Args:
        local: The client calls this machine, through no proxy.
        seconds: Time-out of each read.
        most: Largest number of bytes of an answer; None uses ``longest_answer``.
        only: Headers, in lower case, that a request has beside those of HTTP. Others, such as those
            in
            which a library describes itself, Python and this machine, are removed. None keeps all.
    """

    async def strip_headers(request: httpx2.Request) -> None:
        request.headers.pop("cookie", None)
        if only is not None:
            unneeded = request.headers.keys() - _HTTP_HEADERS.union(only)
            request.extensions[_UNSENT] = {name: request.headers.pop(name) for name in unneeded}
            request.headers.update(_HEADERS)

    async def limit_size(response: httpx2.Response) -> None:
        allowed = longest_answer(int(response.request.headers.get("content-length", 0)))
        packed = response.headers.get("content-encoding", "identity").lower() != "identity"
        if packed and response.is_success:
            raise BadAnswer("The provider compressed its answer although that was not allowed.")
        if packed:
            del response.headers["content-encoding"]
        response.request.headers.update(response.request.extensions.get(_UNSENT, {}))
        response.stream = _Bounded(
            response.stream, 0 if packed else most or allowed, is_error=not response.is_success
        )

    return {
        "event_hooks": {"request": [strip_headers], "response": [limit_size]},
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
                raise BadAnswer("The provider's answer is far longer than the request allows.")

    async def aclose(self) -> None:
        await self._stream.aclose()
