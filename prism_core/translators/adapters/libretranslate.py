"""LibreTranslate, on your own or another server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from prism_core.errors import TranslatorError
from prism_core.settings import Marks, Sees, ServiceSettings
from prism_core.translators.alignment_tags import Tag
from prism_core.translators.base import Adapter, Limits
from prism_core.translators.endpoints import address_of, key_of
from prism_core.translators.http import (
    WRONG_LANGUAGES,
    MarkingTranslator,
    Meaning,
    ProviderResponse,
    Reply,
    error_of_status,
    fix,
    spent,
)

ADDRESS = "http://localhost:5000"
KEY = "LIBRETRANSLATE_API_KEY"

TAG = Tag("span", "id")

LIMITS = Limits(
    texts_per_request=25,
    characters_per_request=5_000,
    concurrency=2,
    characters_per_mark=TAG.size,
)
"""Usual limits; each server sets its own: state them in the settings where they are lower."""

_KEY = fix("it wants a key, another one than this, or has banned this address")

BY_STATUS: Mapping[int, Meaning] = {403: _KEY}

BY_MESSAGE: Mapping[str, Meaning] = {
    "api key": _KEY,
    "is not supported": WRONG_LANGUAGES,
    "is not available as a target language": WRONG_LANGUAGES,
    "per 1 day": spent,
}
"""Meanings of words in a message that distinguish faults of one status; it has no codes."""


class LibreTranslateSettings(ServiceSettings):
    """Settings of a server of LibreTranslate."""

    usual_address: ClassVar[str] = ADDRESS
    usual_sees: ClassVar[Sees] = "clear"

    name: Literal["libretranslate"] = "libretranslate"
    usual_marks: ClassVar[Marks] = "never"
    """Never: it translates the content of a tag by itself and looks for that in its answer, which
    tells no more than a dictionary, and gives up the sentence where it is not found.
    [argostranslate/tags.py]"""


class _LibreTranslations(ProviderResponse):
    texts: list[str] = Field(alias="translatedText")


class _LibreFailure(ProviderResponse):
    error: str


class LibreTranslator(MarkingTranslator):
    """Any pair that the server has. A key, if the server wants one, is read when it is made.

    A request holds the texts, the two languages and the key, all in its body.
    """

    name = "libretranslate"
    codes: ClassVar = {"zh": "zh-Hans"}
    tag = TAG

    def __init__(self, settings: LibreTranslateSettings, source: str, target: str) -> None:  # noqa: ARG002 - any source; the server decides
        super().__init__(settings, target, address_of(settings, ADDRESS), LIMITS, None, error_of)
        key = key_of(settings, KEY, needed=False)
        self._key = {"api_key": key} if key else {}

    async def request_answers(
        self, texts: list[str], source: str, target: str, *, tagged: bool
    ) -> list[str]:
        """Return the answers; see ``MarkingTranslator``."""
        source_code, target_code = self.pair(source, target)
        form = "html" if tagged else "text"
        body = {
            "q": texts,
            "source": source_code,
            "target": target_code,
            "format": form,
            **self._key,
        }
        reply = await self.post("/translate", json=body)
        return reply.parsed(_LibreTranslations).texts


def error_of(reply: Reply) -> TranslatorError:
    """Map a reply to one of our errors: total."""
    failure = reply.parsed_if(_LibreFailure)
    if failure is not None and 400 <= reply.status < 500:
        message = failure.error.casefold()
        for words, meaning in BY_MESSAGE.items():
            if words in message:
                return meaning(reply.status, reply.pause)
    return error_of_status(reply.status, reply.pause, BY_STATUS)


ADAPTER = Adapter(
    settings=LibreTranslateSettings,
    make=LibreTranslator,
    limits=lambda _settings: LIMITS,
    price=None,
)
