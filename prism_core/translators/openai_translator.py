"""OpenAI, and every server that speaks the same: vLLM, Ollama, LM Studio ...

What is asked and how answers are read: ``openai_prompt``, ``openai_interfaces``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import httpx2
import openai

from prism_core.errors import Transient, TranslatorError
from prism_core.translators.addresses import address_of, key_of, silence
from prism_core.translators.base import Limits
from prism_core.translators.by_position import translated
from prism_core.translators.openai_errors import typed
from prism_core.translators.openai_interfaces import INTERFACES, Question
from prism_core.translators.openai_prompt import instructions, joined, paper_prompt, sentences
from prism_core.translators.settings import TranslatorSettings

ADDRESS = "https://api.openai.com/v1"
KEY = "OPENAI_API_KEY"

LIMITS = Limits(
    texts_per_request=40,
    characters_per_request=8_000,
    concurrency=4,
    paced_concurrency=64,  # a thousand requests a minute that take four seconds each
    characters_beside=1_150,  # the instruction, the schema, the JSON of the request
    characters_around=34,
)
"""Ours, not the provider's: its rates depend on the account, so state them in the settings. More
sentences a request save little and lose more when one answer is broken."""

_OF_THE_PAPER = replace(LIMITS, texts_per_request=1, characters_beside=140, characters_around=0)


def limits_of(settings: TranslatorSettings) -> Limits:
    """Those of the prompt that ``settings`` choose."""
    return _OF_THE_PAPER if settings.prompt == "paper" else LIMITS


class OpenAITranslator:
    """Any pair of languages that the model knows.

    The key is read from the environment when the translator is made. Only the sentences, the two
    languages and the model's name are in the body of a request; see docs/translators.md for the
    headers. No retry happens here, and none in the SDK: the scheduler resends identical bytes.
    """

    name = "openai"

    def __init__(self, settings: TranslatorSettings) -> None:
        address = address_of(settings, ADDRESS)
        self._of_the_paper = settings.prompt == "paper"
        self.limits = settings.limits(limits_of(settings))
        self.price = settings.price(None)  # it depends on the model and the contract
        self.endpoint, self._local = address.host, address.local
        self._url = address.url
        self._settings = settings
        self._interface = INTERFACES[settings.api]
        # Servers on this machine mostly ask for no key, but the SDK does.
        self._key = key_of(settings, KEY, needed=not self._local) or "none"
        self._client: openai.AsyncOpenAI | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        silence("openai", "httpx2", "httpcore2")

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """See ``Translator``. An answer that was cut off or refused is ``Rejected``."""

        async def together(asked: list[str]) -> list[str]:
            strict = self._settings.answer_format == "json_schema"
            question = Question(sentences(asked), instructions(source, target), strict)
            return joined(await self._ask(question), len(asked))

        async def one_by_one(asked: list[str]) -> list[str]:
            return [
                (await self._ask(Question(paper_prompt(text, source, target)))).strip()
                for text in asked
            ]

        return await translated(texts, one_by_one if self._of_the_paper else together)

    async def close(self) -> None:
        """Close the connections; a later ``translate`` opens new ones."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.close()

    async def _ask(self, question: Question) -> str:
        """What the model writes. The same question gives the same bytes."""
        return self._interface.content(await self._send(self._body(question)))

    def _body(self, question: Question) -> dict[str, Any]:
        temperature = self._settings.temperature
        return {
            "model": self._settings.model,
            **({} if temperature == "default" else {"temperature": temperature}),
            **self._interface.body(question),
        }

    async def _send(self, body: dict[str, Any]) -> bytes:
        try:
            # The SDK's time-out is for each read; this one is for the whole request.
            async with asyncio.timeout(self._settings.timeout_seconds):
                return await self._interface.send(self._client_of_this_loop(), body)
        except TimeoutError:
            fault: TranslatorError = Transient("The provider did not answer in time.")
        except (openai.OpenAIError, openai.InvalidWebhookSignatureError) as error:
            fault = typed(error)
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError):
            fault = Transient("The provider cannot be reached.")
        raise fault  # out here, so that it does not carry the request along as its context

    def _client_of_this_loop(self) -> openai.AsyncOpenAI:
        """Connections belong to an event loop; in a new loop there is a new client."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._client, self._loop = self._new_client(), loop
        return self._client

    def _new_client(self) -> openai.AsyncOpenAI:
        timeout = self._settings.timeout_seconds
        client = openai.AsyncOpenAI(
            api_key=self._key,
            base_url=self._url,
            max_retries=0,
            timeout=timeout,
            # A redirect would take the texts to a host that nobody has agreed to; and what is
            # meant for this machine must not go through a proxy.
            http_client=openai.DefaultAsyncHttpx2Client(
                follow_redirects=False, trust_env=not self._local, timeout=timeout
            ),
        )
        if self.endpoint != "api.openai.com":
            # The SDK takes these from the environment; no other provider needs to know them.
            client.organization = client.project = None
        return client
