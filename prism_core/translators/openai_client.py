"""The connection to an OpenAI interface: with which key, to whom, and what can go wrong with it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import openai

from prism_core.settings.addresses import address_of, key_of, silence
from prism_core.settings.translators import TranslatorSettings
from prism_core.translators.connection import Connection
from prism_core.translators.openai_errors import typed

ADDRESS = "https://api.openai.com/v1"
KEY = "OPENAI_API_KEY"

_Answer = TypeVar("_Answer")


class OpenAIClient:
    """Calls the SDK. The key is read from the environment when this is made.

    No retry happens here, and none in the SDK: whoever schedules resends identical bytes.
    """

    def __init__(self, settings: TranslatorSettings) -> None:
        address = address_of(settings, ADDRESS)
        self.endpoint, self._local = address.host, address.local
        self._url = address.url
        self._seconds = settings.timeout_seconds
        # Servers on this machine mostly ask for no key, but the SDK does.
        self._key = key_of(settings, KEY, needed=not self._local) or "none"
        self._connection = Connection(
            self._new_client,
            openai.AsyncOpenAI.close,
            known=(openai.OpenAIError, openai.InvalidWebhookSignatureError),
            typed=typed,
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

    def _new_client(self) -> openai.AsyncOpenAI:
        client = openai.AsyncOpenAI(
            api_key=self._key,
            base_url=self._url,
            max_retries=0,
            timeout=self._seconds,
            # A redirect would take the texts to a host that nobody has agreed to; and what is
            # meant for this machine must not go through a proxy.
            http_client=openai.DefaultAsyncHttpx2Client(
                follow_redirects=False, trust_env=not self._local, timeout=self._seconds
            ),
        )
        if self.endpoint != "api.openai.com":
            # The SDK takes these from the environment; no other provider needs to know them.
            client.organization = client.project = None
        return client
