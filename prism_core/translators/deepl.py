"""DeepL through its own library (the optional extra ``deepl``).

The library is synchronous, so it works in a thread. It retries by itself, follows redirects and
logs requests and answers; none of that happens here.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any, cast

import deepl
import requests
from deepl.http_client import HttpClient

from prism_core.errors import BadAnswer, Transient, TranslatorError
from prism_core.settings.addresses import Address, address_of, key_of, silence
from prism_core.settings.translators import TranslatorSettings
from prism_core.translators.base import override_limits, override_price
from prism_core.translators.by_position import translated
from prism_core.translators.deepl_errors import Said, typed
from prism_core.translators.deepl_terms import LIMITS, PRICE
from prism_core.translators.language_codes import target_code

ADDRESS, FREE_ADDRESS = "https://api.deepl.com", "https://api-free.deepl.com"
KEY = "DEEPL_AUTH_KEY"

_CODES = {"en": "en-US", "pt": "pt-PT", "no": "nb"}
LONGEST_ANSWER = 16 * 2**20


class DeepLTranslator:
    """Any pair of its languages. The key is read from the environment when it is made.

    Keys that end in ``:fx`` are of free accounts, which have an address of their own.
    """

    name = "deepl"

    def __init__(self, settings: TranslatorSettings, source: str, target: str) -> None:  # noqa: ARG002 - any source; DeepL decides
        self._key = key_of(settings, KEY)
        free = deepl.auth_key_is_free_account(self._key)
        self._address = address_of(settings, FREE_ADDRESS if free else ADDRESS)
        self.limits = override_limits(settings, LIMITS)
        self.price = override_price(settings, PRICE)
        self.endpoint = self._address.host
        self._settings = settings
        target_code(settings, target, _CODES)
        self._idle: list[_Client] = []
        silence("deepl", "urllib3")

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """See ``Translator``."""
        code = target_code(self._settings, target, _CODES)

        async def ask(asked: list[str]) -> list[str]:
            return await self._ask(asked, "nb" if source == "no" else source, code)

        return await translated(texts, ask)

    async def close(self) -> None:
        """Close the connections; a later ``translate`` opens new ones."""
        while self._idle:
            self._idle.pop().close()

    async def _ask(self, texts: list[str], source: str, target: str) -> list[str]:
        client = self._idle.pop() if self._idle else self._new_client()
        fault: TranslatorError
        try:
            async with asyncio.timeout(self._settings.timeout_seconds):
                answers = await asyncio.to_thread(client.answers, texts, source, target)
        except TimeoutError:  # the thread ends by itself, a little later
            fault = Transient("The provider did not answer in time.")
        else:
            self._idle.append(client)
            if not isinstance(answers, TranslatorError):
                return answers
            fault = answers
        raise fault  # out here, so that it does not carry the request along as its context

    def _new_client(self) -> _Client:
        return _Client(self._key, self._address, self._settings.timeout_seconds)


class _Client:
    """The library's client with our transport; one thread uses it at a time."""

    def __init__(self, key: str, address: Address, timeout: float) -> None:
        self._transport = _OneRequest(address, timeout)
        self._client = deepl.DeepLClient(
            key, server_url=address.url + "/", send_platform_info=False
        )
        self._client._client = self._transport

    def answers(self, texts: list[str], source: str, target: str) -> list[str] | TranslatorError:
        """Blocking. An error is returned, so that no frame of the library stays with it."""
        try:
            results = self._client.translate_text(texts, source_lang=source, target_lang=target)
        except deepl.DeepLException as error:
            return typed(error, self._transport.said)
        except requests.exceptions.ContentDecodingError:
            return BadAnswer("The provider's answer cannot be unpacked.")
        except requests.RequestException:
            return Transient("The provider cannot be reached.")
        except (TypeError, ValueError, LookupError, AttributeError, RecursionError):
            # What the library makes of an answer that is not of the form it expects.
            return typed(None, self._transport.said)
        found = results if isinstance(results, list) else [results]
        if not all(isinstance(result.text, str) for result in found):
            return BadAnswer("The provider's answer is not what its interface promises.")
        return [result.text for result in found]

    def close(self) -> None:
        """Close the connection."""
        self._transport.close()  # type: ignore[no-untyped-call]


class _OneRequest(HttpClient):
    """The library's transport without its retries, redirects and proxies for this machine."""

    def __init__(self, address: Address, timeout: float) -> None:
        super().__init__(send_platform_info=False)
        self._session.trust_env = not address.local
        self._timeout = timeout
        self.said = Said()

    def request_with_backoff(
        self,
        method: str,
        url: str,
        data: dict[str, Any] | None,
        json: dict[str, Any] | None,
        headers: dict[str, str],
        stream: bool = False,  # noqa: ARG002 - a translation is read to its end
        **more: Any,
    ) -> tuple[int, str]:
        """One request; its status and body. ``said`` keeps the status and the wait asked for."""
        self.said = Said()
        deadline = time.monotonic() + self._timeout
        request = self._prepare_request(method, url, data, json, headers, **more)
        _, answer = self._internal_request(
            request, stream=True, timeout=self._timeout, allow_redirects=False
        )
        response = cast(requests.Response, answer)  # always, with stream
        with response:
            self.said = Said(response.status_code, response.headers)
            body = _read(response, deadline)
        if 300 <= response.status_code < 400:
            # The library takes it for an answer without translations.
            raise deepl.DeepLException("redirect", http_status_code=response.status_code)
        return response.status_code, body


def _read(response: requests.Response, deadline: float) -> str:
    """The body, unless it goes on for longer than anybody should wait or keep."""
    body = bytearray()
    for part in response.iter_content(2**16):
        body += part
        if len(body) > LONGEST_ANSWER:
            raise ValueError("longer than any answer")
        if time.monotonic() > deadline:
            raise deepl.ConnectionException("too slow")
    return body.decode("utf-8", "replace")
