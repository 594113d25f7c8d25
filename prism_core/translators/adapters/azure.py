"""Azure Translator, text translation v3, over its REST interface.

Entry: ``AzureTranslator.ask``; then ``post`` -> ``error_of`` for any status but 200.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal
from urllib.parse import urlencode

from pydantic import Field, RootModel

from prism_core.errors import BadAnswer, TranslatorError
from prism_core.settings import ServiceSettings
from prism_core.translators.adapter import Adapter
from prism_core.translators.addresses import Address, address_of, key_of, target_code
from prism_core.translators.base import Limits, Price
from prism_core.translators.http import (
    NOT_ALLOWED,
    WRONG_LANGUAGES,
    Answer,
    Meaning,
    PostingTranslator,
    Reply,
    error_of_status,
    fix,
    later,
    refused,
    slow_down,
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
"""Its own are 1,000 texts and 50,000 characters, some of which count twice; smaller requests cost
the same and lose less when one fails. The rate is that of tier S1, 40 million an hour, spread
evenly as it asks; tier F0 has a twentieth. [learn.microsoft.com, Translator service limits]"""

PRICE = Price(
    amount=10.0,
    unit="characters",
    source="https://azure.microsoft.com/pricing/details/translator/ (S1, pay as you go)",
    as_of="2025",
)

_CODES = {"zh": "zh-Hans", "no": "nb", "sr": "sr-Latn", "mn": "mn-Cyrl"}

_KEY_OR_REGION = fix("the key is missing, wrong, or of another region than translator.region")

BY_CODE: Mapping[int, Meaning] = {
    400003: WRONG_LANGUAGES,
    400019: WRONG_LANGUAGES,
    400021: fix("this version of the interface is no longer served"),
    400023: WRONG_LANGUAGES,
    400035: WRONG_LANGUAGES,
    400036: WRONG_LANGUAGES,
    400050: refused,
    400072: refused,
    400075: WRONG_LANGUAGES,
    400077: refused,
    401000: _KEY_OR_REGION,
    401015: fix("the key is for the Speech service, not for Translator"),
    403000: NOT_ALLOWED,
    403001: spent,
    408001: later,
    408002: later,
    429000: slow_down,
    429001: slow_down,
    429002: slow_down,
}
"""What its six-digit codes mean where they say more than the status; others go by the status."""

BY_STATUS: Mapping[int, Meaning] = {401: _KEY_OR_REGION}


class AzureSettings(ServiceSettings):
    """What can be said to Azure Translator."""

    name: Literal["azure"] = "azure"
    region: str | None = Field(default=None, pattern=r"^[a-z0-9-]+$")
    """Region of the resource, if it has one."""


class _AzureTranslation(Answer):
    text: str


class _AzureItem(Answer):
    translations: list[_AzureTranslation]


class _AzureItems(RootModel[list[_AzureItem]]):
    pass


class _AzureError(Answer):
    code: int


class _AzureFailure(Answer):
    error: _AzureError


class AzureTranslator(PostingTranslator):
    """Any pair of its languages. The key is read from the environment when it is made.

    A request holds the texts, the two languages, the key and the region of the resource.
    """

    name = "azure"

    def __init__(self, settings: AzureSettings, source: str, target: str) -> None:  # noqa: ARG002 - any source; Azure decides
        address = address_of(settings, ADDRESS)
        super().__init__(settings, address, LIMITS, PRICE, error_of)
        self._headers = {"Ocp-Apim-Subscription-Key": key_of(settings, KEY)}
        if settings.region:
            self._headers["Ocp-Apim-Subscription-Region"] = settings.region
        self._settings = settings
        target_code(settings, target, _CODES)
        self._path = _path(address)

    async def ask(self, texts: list[str], source: str, target: str) -> list[str]:
        """See ``PostingTranslator``."""
        pair = {
            "api-version": "3.0",
            "from": _CODES.get(source, source),
            "to": target_code(self._settings, target, _CODES),
            "textType": "plain",
        }
        reply = await self.post(
            f"{self._path}?{urlencode(pair)}",
            headers=self._headers,
            json=[{"Text": text} for text in texts],
        )
        items = reply.parsed(_AzureItems).root
        if any(len(item.translations) != 1 for item in items):
            raise BadAnswer("The provider's answer is not into one language.")
        return [item.translations[0].text for item in items]


def _path(address: Address) -> str:
    """A resource of one's own has the interface under a path, the common address at its root."""
    own = address.host.endswith(".cognitiveservices.azure.com")
    return "/translator/text/v3.0/translate" if own and address.is_bare else "/translate"


def error_of(reply: Reply) -> TranslatorError:
    """The error of ours that a reply stands for: total."""
    failure = reply.parsed_if(_AzureFailure)
    by_code = BY_CODE.get(failure.error.code) if failure else None
    if by_code is not None:
        return by_code(reply.status, reply.pause)
    return error_of_status(reply.status, reply.pause, BY_STATUS)


ADAPTER = Adapter(
    settings=AzureSettings,
    make=AzureTranslator,
    limits=lambda _settings: LIMITS,
    price=PRICE,
    error_of=error_of,
)
