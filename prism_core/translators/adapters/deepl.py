"""DeepL, over its REST interface.

Entry: ``DeepLTranslator.ask``; then ``post`` -> ``error_of`` for any status but 200.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from prism_core.errors import TranslatorError
from prism_core.settings import Marks, ServiceSettings
from prism_core.translators.alignment_tags import Tag
from prism_core.translators.base import Adapter, Limits, Price
from prism_core.translators.endpoints import address_of, key_of
from prism_core.translators.http import (
    WRONG_KEY,
    WRONG_LANGUAGES,
    MarkingTranslator,
    Meaning,
    ProviderResponse,
    Reply,
    error_of_status,
    slow_down,
)

ADDRESS, FREE_ADDRESS = "https://api.deepl.com", "https://api-free.deepl.com"
KEY = "DEEPL_AUTH_KEY"

TAG = Tag("w", "i", strict=True)
TAG_OPTIONS: Mapping[str, Any] = {
    "tag_handling": "xml",
    "tag_handling_version": "v2",
    "outline_detection": False,
    "non_splitting_tags": [TAG.element],
}
"""Options by which tags stay on the words they wrap, and none ends a sentence.
[developers.deepl.com, translating XML]"""

LIMITS = Limits(
    texts_per_request=50,
    characters_per_request=10_000,
    concurrency=4,
    characters_per_mark=TAG.size,
)
"""Limits of 50 texts and 128 KiB a request. A character takes six bytes at most in JSON, so 10,000
of them, with the JSON around 50 texts, always fit. DeepL states no rates. [developers.deepl.com,
usage and limits]"""

PRICE = Price(
    amount=25.0,
    unit="characters",
    source="https://www.deepl.com/pro-api (API Pro, beside a monthly fee; free accounts pay none)",
    as_of="2026",
    bills_marks=False,  # [support.deepl.com, usage count and billing in DeepL API]
)

BY_STATUS: Mapping[int, Meaning] = {403: WRONG_KEY, 529: slow_down}

_UNKNOWN_LANGUAGE = re.compile(r"Value for '(source|target)_lang' not supported")
"""Message about an unknown language; DeepL has no codes. A message that quotes the request names
these parameters too."""


class DeepLSettings(ServiceSettings):
    """Settings of DeepL."""

    name: Literal["deepl"] = "deepl"
    usual_marks: ClassVar[Marks] = "lost"
    """Only for lost sentences: tags are not billed, but now and then they move and take a blank
    along. [github.com/DeepL: deepl-python 72, 136, 142, deepl-node 30, 48]"""


class _DeepLTranslation(ProviderResponse):
    text: str


class _DeepLTranslations(ProviderResponse):
    translations: list[_DeepLTranslation]


class _DeepLFailure(ProviderResponse):
    message: str


class DeepLTranslator(MarkingTranslator):
    """Any pair of its languages. The key is read from the environment when it is made.

    Keys that end in ``:fx`` belong to free accounts, which have an address of their own.
    """

    name = "deepl"
    codes: ClassVar = {"en": "en-US", "pt": "pt-PT", "no": "nb"}
    tag = TAG

    def __init__(self, settings: DeepLSettings, source: str, target: str) -> None:  # noqa: ARG002 - any source; DeepL decides
        key = key_of(settings, KEY)
        address = address_of(settings, FREE_ADDRESS if key.endswith(":fx") else ADDRESS)
        super().__init__(settings, target, address, LIMITS, PRICE, error_of)
        self._headers = {"Authorization": f"DeepL-Auth-Key {key}"}

    async def request_answers(
        self, texts: list[str], source: str, target: str, *, tagged: bool
    ) -> list[str]:
        """Return the answers; see ``MarkingTranslator``. DeepL knows no variants of sources."""
        body = {
            "text": texts,
            "source_lang": ("nb" if source == "no" else source).upper(),
            "target_lang": self.pair(source, target)[1].upper(),
            **(TAG_OPTIONS if tagged else {}),
        }
        reply = await self.post("/v2/translate", headers=self._headers, json=body)
        return [found.text for found in reply.parsed(_DeepLTranslations).translations]


def error_of(reply: Reply) -> TranslatorError:
    """Map a reply to one of our errors: total."""
    failure = reply.parsed_if(_DeepLFailure) if reply.status == 400 else None
    if failure is not None and _UNKNOWN_LANGUAGE.match(failure.message):
        return WRONG_LANGUAGES(reply.status, None)
    return error_of_status(reply.status, reply.pause, BY_STATUS)


ADAPTER = Adapter(
    settings=DeepLSettings,
    make=DeepLTranslator,
    limits=lambda _settings: LIMITS,
    price=PRICE,
)
