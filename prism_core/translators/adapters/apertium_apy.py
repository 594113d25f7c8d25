"""Apertium through its web interface, apertium-apy, on your own or another server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from prism_core.errors import TranslatorError
from prism_core.settings import Sees, ServerSettings
from prism_core.translators.base import Adapter, Limits
from prism_core.translators.endpoints import address_of
from prism_core.translators.http import (
    WRONG_LANGUAGES,
    Answer,
    Meaning,
    PostingTranslator,
    Reply,
    error_of_status,
    refused,
)

ADDRESS = "http://localhost:2737"

LIMITS = Limits(texts_per_request=1, characters_per_request=5_000, concurrency=4)
"""Limits of an interface that takes one text a request."""

BY_STATUS: Mapping[int, Meaning] = {400: refused}

_UNKNOWN_PAIR = "That pair is"
"""Beginning of the message about a pair that the server does not have; it has no codes."""

_MARKS = "#@"
"""Characters that Apertium puts before a word it could not inflect or translate. The server removes
only its mark of unknown words."""


class ApertiumApySettings(ServerSettings):
    """Settings of a server of apertium-apy."""

    usual_address: ClassVar[str] = ADDRESS
    usual_sees: ClassVar[Sees] = "clear"

    name: Literal["apertium-apy"] = "apertium-apy"
    mode: str | None = Field(default=None, pattern=r"^[A-Za-z_]+-[A-Za-z_]+$")
    """Mode, e.g. ``eng-spa``; None picks it from the languages."""


class _ApertiumApyData(Answer):
    text: str = Field(alias="translatedText")


class _ApertiumApyAnswer(Answer):
    data: _ApertiumApyData = Field(alias="responseData")


class _ApertiumApyFailure(Answer):
    explanation: str


class ApertiumApyTranslator(PostingTranslator):
    """Any pair that the server has; it needs no key. A request holds one text and the pair.

    Unlike the local adapter it cannot promise that an answer depends on its text alone: the
    server's programs remember earlier texts.
    """

    name = "apertium-apy"

    def __init__(self, settings: ApertiumApySettings, source: str, target: str) -> None:  # noqa: ARG002 - any pair; the server decides
        super().__init__(settings, address_of(settings, ADDRESS), LIMITS, None, error_of)
        self._mode = settings.mode

    async def ask(self, texts: list[str], source: str, target: str) -> list[str]:
        """Send texts one after another; see ``PostingTranslator``."""
        pair = "|".join(self._mode.split("-") if self._mode else (source, target))
        answers = []
        for text in texts:
            form = {"langpair": pair, "q": text, "markUnknown": "no", "format": "txt"}
            reply = await self.post("/translate", data=form)
            answer = reply.parsed(_ApertiumApyAnswer).data.text
            for mark in _MARKS:
                if mark not in text:
                    answer = answer.replace(mark, "")
            answers.append(answer)
        return answers


def error_of(reply: Reply) -> TranslatorError:
    """Map a reply to one of our errors: total."""
    failure = reply.parsed_if(_ApertiumApyFailure)
    if reply.status == 400 and failure and failure.explanation.startswith(_UNKNOWN_PAIR):
        return WRONG_LANGUAGES(reply.status, reply.pause)
    return error_of_status(reply.status, reply.pause, BY_STATUS)


ADAPTER = Adapter(
    settings=ApertiumApySettings,
    make=ApertiumApyTranslator,
    limits=lambda _settings: LIMITS,
    price=None,
    error_of=error_of,
)
