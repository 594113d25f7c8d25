"""OpenAI, and every server that speaks the same: vLLM, Ollama, LM Studio ...

What is asked and how answers are read: ``openai_prompt``, ``openai_interfaces``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from prism_core.settings.translators import TranslatorSettings
from prism_core.translators.base import Limits, override_limits, override_price
from prism_core.translators.by_position import translated
from prism_core.translators.openai_client import OpenAIClient
from prism_core.translators.openai_interfaces import INTERFACES, Question, body_of, question_of
from prism_core.translators.openai_prompt import joined, paper_prompt

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
        self._client = OpenAIClient(settings)
        self._of_the_paper = settings.prompt == "paper"
        self.limits = override_limits(settings, limits_of(settings))
        self.price = override_price(settings, None)  # it depends on the model and the contract
        self.endpoint = self._client.endpoint
        self._settings = settings
        self._interface = INTERFACES[settings.api]

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """See ``Translator``. An answer that was cut off or refused is ``Rejected``."""

        async def together(asked: list[str]) -> list[str]:
            question = question_of(asked, source, target, self._settings)
            return joined(await self._ask(question), len(asked))

        async def one_by_one(asked: list[str]) -> list[str]:
            return [
                (await self._ask(Question(paper_prompt(text, source, target)))).strip()
                for text in asked
            ]

        return await translated(texts, one_by_one if self._of_the_paper else together)

    async def ask(self, content: str) -> str:
        """What the model writes when it is told ``content`` and nothing else. Raises as above."""
        return await self._ask(Question(content))

    async def close(self) -> None:
        """Close the connections; a later ``translate`` opens new ones."""
        await self._client.close()

    async def _ask(self, question: Question) -> str:
        """What the model writes. The same question gives the same bytes."""
        body = body_of(question, self._settings)
        sent = await self._client.call(lambda client: self._interface.send(client, body))
        return self._interface.content(sent)
