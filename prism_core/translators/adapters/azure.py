"""Azure Translator, text translation, over its REST interface: version 3.0, or 2026-06-06.

Version 3.0 aligns words. The later one does not, and is sent tags around words where they are to be
found again.

Entry: ``AzureV3Translator.ask`` or ``AzureTranslator.ask``; then ``post`` -> ``error_of`` for any
status but 200.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal
from urllib.parse import urlencode

from pydantic import Field, RootModel

from prism_core.alignment import Match, Span, Translation, is_inside_word
from prism_core.errors import BadAnswer, TranslatorError
from prism_core.settings import Marks, ServiceSettings
from prism_core.translators.alignment_tags import Tag, keep_consistent, words_to_mark
from prism_core.translators.base import Adapter, Limits, Price
from prism_core.translators.endpoints import Address, address_of, key_of
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

ADDRESS = "https://api.cognitive.microsofttranslator.com"
KEY = "AZURE_TRANSLATOR_KEY"

LIMITS = Limits(
    texts_per_request=200,
    characters_per_request=10_000,
    characters_per_minute=666_000,
    concurrency=8,
)
"""Limits below the provider's own 1,000 texts and 50,000 characters, some of which count twice;
smaller requests cost the same and lose less when one fails. The rate is that of tier S1, 40 million
an hour, spread evenly as it asks; tier F0 has a twentieth. [learn.microsoft.com, Translator service
limits]"""

TAG = Tag("span", "id")

TAGGED_LIMITS = replace(LIMITS, characters_per_mark=TAG.size)
"""Limits of version 2026-06-06. Tags count like text. [learn.microsoft.com, how characters count]
"""

PRICE = Price(
    amount=10.0,
    unit="characters",
    source="https://azure.microsoft.com/pricing/details/translator/ (S1, pay as you go)",
    as_of="2025",
)

_KEY_OR_REGION = fix("the key is missing, wrong, or of another region than translator.region")

BY_CODE: Mapping[int, Meaning] = {
    400003: WRONG_LANGUAGES,
    400019: WRONG_LANGUAGES,
    400021: fix("this version of the interface is no longer served"),
    400023: WRONG_LANGUAGES,
    400035: WRONG_LANGUAGES,
    400036: WRONG_LANGUAGES,
    400075: WRONG_LANGUAGES,
    401000: _KEY_OR_REGION,
    401015: fix("the key is for the Speech service, not for Translator"),
    403001: spent,
}
"""Meanings of its six-digit codes that say more than the status; others go by the status."""

BY_STATUS: Mapping[int, Meaning] = {401: _KEY_OR_REGION}


class AzureSettings(ServiceSettings):
    """Settings of Azure Translator."""

    name: Literal["azure"] = "azure"
    api_version: Literal["3.0", "2026-06-06"] = "3.0"
    """Version of the interface. The later one has no alignment."""
    region: str | None = Field(default=None, pattern=r"^[a-z0-9-]+$")
    """Region of the resource, if it has one."""

    @property
    def asked_marks(self) -> Marks:
        """Use of markup: always where alignment costs nothing, which is so in version 3.0.

        [learn.microsoft.com, word alignment]
        """
        return self.marks or ("always" if self.api_version == "3.0" else "lost")


class _AzureAlignment(ProviderResponse):
    proj: str = ""


class _AzureTranslation(ProviderResponse):
    text: str
    alignment: _AzureAlignment | None = None


class _AzureItem(ProviderResponse):
    translations: list[_AzureTranslation]


class _AzureItems(RootModel[list[_AzureItem]]):
    pass


class _AzureAnswers(ProviderResponse):
    value: list[_AzureItem]


class _AzureError(ProviderResponse):
    code: int | str


class _AzureFailure(ProviderResponse):
    error: _AzureError


class AzureTranslator(MarkingTranslator):
    """Version 2026-06-06: any pair of its languages. The key is read when it is made.

    A request holds the texts, the two languages, the key and the region of the resource.
    """

    name = "azure"
    codes: ClassVar = {"zh": "zh-Hans", "no": "nb", "sr": "sr-Latn", "mn": "mn-Cyrl"}
    tag = TAG
    path_of_resource = "/translator/text/translate"

    def __init__(self, settings: AzureSettings, source: str, target: str) -> None:  # noqa: ARG002 - any source; Azure decides
        address = address_of(settings, ADDRESS)
        super().__init__(settings, target, address, limits_of(settings), PRICE, error_of)
        self._headers = {"Ocp-Apim-Subscription-Key": key_of(settings, KEY)}
        if settings.region:
            self._headers["Ocp-Apim-Subscription-Region"] = settings.region
        self._version = settings.api_version
        self._path = _path(address, self.path_of_resource)

    async def request_answers(
        self, texts: list[str], source: str, target: str, *, tagged: bool
    ) -> list[str]:
        """Return the answers; see ``MarkingTranslator``."""
        source_code, target_code = self.pair(source, target)
        about = {
            "language": source_code,
            "textType": "html" if tagged else "plain",
            "targets": [{"language": target_code}],
        }
        reply = await self._send({}, {"inputs": [{"text": text, **about} for text in texts]})
        return [found.text for found in _read_items(reply.parsed(_AzureAnswers).value)]

    async def _send(self, parameters: Mapping[str, str], body: Any) -> Reply:
        query = urlencode({"api-version": self._version, **parameters})
        return await self.post(f"{self._path}?{query}", headers=self._headers, json=body)


class AzureV3Translator(AzureTranslator):
    """Version 3.0, which needs no marks to align words (``includeAlignment``).

    The texts are the same with or without alignment.
    """

    path_of_resource = "/translator/text/v3.0/translate"

    async def request_answers(
        self, texts: list[str], source: str, target: str, *, tagged: bool
    ) -> list[str]:
        """Return the answers; see ``MarkingTranslator``. Azure takes no tags."""
        asked = self._request_translations(texts, source, target, aligned=tagged)
        return [found.text for found in await asked]

    async def translate_with_markup(
        self, texts: list[str], source: str, target: str
    ) -> list[Translation | None]:
        """Translate texts with Azure's own alignment; see ``MarkingTranslator``."""
        found = await self._request_translations(texts, source, target, aligned=True)
        if len(found) != len(texts):
            raise BadAnswer(f"{len(found)} answers came for {len(texts)} texts.")
        return [
            _align(text, translation, words_to_mark(text, source))
            for text, translation in zip(texts, found, strict=True)
        ]

    async def _request_translations(
        self, texts: list[str], source: str, target: str, *, aligned: bool
    ) -> list[_AzureTranslation]:
        source_code, target_code = self.pair(source, target)
        pair = {"from": source_code, "to": target_code, "textType": "plain"}
        pair |= {"includeAlignment": "true"} if aligned else {}
        reply = await self._send(pair, [{"Text": text} for text in texts])
        return _read_items(reply.parsed(_AzureItems).root)


def _read_items(items: Sequence[_AzureItem]) -> list[_AzureTranslation]:
    """Return the translation of each item. Raises ``BadAnswer`` where there is not one."""
    if any(len(item.translations) != 1 for item in items):
        raise BadAnswer("The provider's answer is not into one language.")
    return [item.translations[0] for item in items]


_LINK = re.compile(r"(\d{1,6}):(\d{1,6})[-\N{EN DASH}](\d{1,6}):(\d{1,6})")
"""First and last character in the source and in the translation, counted from 0."""


def _align(text: str, found: _AzureTranslation, words: Sequence[Span]) -> Translation:
    """Align ``words`` with the answer by Azure's alignment.

    The alignment links function words and punctuation too. It may see several words in one of ours,
    or a possessive as one word: whole words without a blank belong to the word they overlap.
    """
    written = (found.alignment.proj if found.alignment else "").split()
    numbers = [tuple(map(int, link.groups())) for link in map(_LINK.fullmatch, written) if link]
    in_text, in_answer = _map_code_units(text), _map_code_units(found.text)
    links = [
        Match((in_text[start], in_text[end + 1]), (in_answer[first], in_answer[last + 1]))
        for start, end, first, last in numbers
        if end + 1 < len(in_text) and last + 1 < len(in_answer)
    ]
    of_words = [
        Match(word, place)
        for (start, end), place in links
        if not any(map(str.isspace, text[start:end]))
        and not (is_inside_word(text, start) or is_inside_word(text, end))
        for word in words
        if start < word[1] and word[0] < end
    ]
    return Translation(found.text, keep_consistent(words, found.text, of_words))


def _map_code_units(text: str) -> list[int]:
    """Return the character at each UTF-16 code unit, in which Azure counts, and the end."""
    return [n for n, sign in enumerate(text) for _ in range(1 + (ord(sign) > 0xFFFF))] + [len(text)]


def _path(address: Address, of_resource: str) -> str:
    """Return the path: ``of_resource`` at a resource of one's own, short at the common address."""
    is_resource = address.host.endswith(".cognitiveservices.azure.com")
    return of_resource if is_resource and address.is_bare else "/translate"


def limits_of(settings: AzureSettings) -> Limits:
    """Return the limits of the version that is asked."""
    return LIMITS if settings.api_version == "3.0" else TAGGED_LIMITS


def make_azure(settings: AzureSettings, source: str, target: str) -> AzureTranslator:
    """Make the translator of the version that ``settings`` name."""
    kind = AzureV3Translator if settings.api_version == "3.0" else AzureTranslator
    return kind(settings, source, target)


def error_of(reply: Reply) -> TranslatorError:
    """Map a reply to one of our errors: total."""
    failure = reply.parsed_if(_AzureFailure)
    code = str(failure.error.code) if failure else ""
    by_code = BY_CODE.get(int(code)) if code.isascii() and code.isdecimal() else None
    table = BY_STATUS if by_code is None else {reply.status: by_code}
    return error_of_status(reply.status, reply.pause, table)


ADAPTER = Adapter(
    settings=AzureSettings,
    make=make_azure,
    limits=limits_of,
    price=PRICE,
)
