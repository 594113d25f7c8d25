"""Google Cloud Translation v3 ("Advanced"), over its REST interface."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pydantic import Field

from prism_core.errors import Misconfigured, TranslatorError
from prism_core.settings.addresses import address_of
from prism_core.settings.translators import TranslatorSettings
from prism_core.translators.base import Limits, Price, override_limits, override_price
from prism_core.translators.by_position import translated
from prism_core.translators.google_token import credentials_of
from prism_core.translators.http_errors import (
    NOT_ALLOWED,
    WRONG_ADDRESS,
    WRONG_LANGUAGES,
    Meaning,
    by_status,
    fix,
    later,
    refused,
    slow_down,
    spent,
)
from prism_core.translators.http_post import Answer, Poster, Reply
from prism_core.translators.language_codes import target_code

ADDRESS = "https://translation.googleapis.com"

LIMITS = Limits(
    texts_per_request=200,
    characters_per_request=5_000,
    characters_per_minute=6_000_000,
    concurrency=8,
)
"""A request may have 1,024 texts and 30,000 code points; 5,000 are advised.
[cloud.google.com/translate/quotas]"""

PRICE = Price(
    amount=20.0,
    unit="characters",
    source="https://cloud.google.com/translate/pricing (Advanced, NMT, from 500,000 a month)",
    as_of="2026",
)

_CODES = {"zh": "zh-CN", "he": "iw"}

_TOKEN = fix(
    "the access token is missing, wrong or expired; they last an hour: put a fresh one into the "
    "environment, or use a service account, and run again: everything answered is kept"
)

BY_REASON: Mapping[str, Meaning] = {
    "RATE_LIMIT_EXCEEDED": slow_down,
    "RESOURCE_QUOTA_EXCEEDED": spent,
    "ACCESS_TOKEN_EXPIRED": _TOKEN,
    "ACCESS_TOKEN_TYPE_UNSUPPORTED": _TOKEN,
    "CREDENTIALS_MISSING": _TOKEN,
    "API_KEY_INVALID": _TOKEN,
    "API_KEY_SERVICE_BLOCKED": _TOKEN,
    "BILLING_DISABLED": fix("billing is not enabled for the project"),
    "CONSUMER_INVALID": fix("translator.project is not a project"),
    "CONSUMER_SUSPENDED": NOT_ALLOWED,
    "IAM_PERMISSION_DENIED": fix("the account lacks the role Cloud Translation API User"),
    "LOCATION_POLICY_VIOLATED": fix("the project may not use this translator.region"),
    "SERVICE_DISABLED": fix("the Cloud Translation API is not enabled for the project"),
    "USER_PROJECT_DENIED": fix("the account may not use translator.project"),
}
"""What the reason of an ``ErrorInfo`` means: it says more than the status."""

BY_CANONICAL: Mapping[str, Meaning] = {
    "ABORTED": later,
    "ALREADY_EXISTS": refused,
    "CANCELLED": later,
    "DATA_LOSS": later,
    "DEADLINE_EXCEEDED": later,
    "FAILED_PRECONDITION": refused,
    "INTERNAL": later,
    "INVALID_ARGUMENT": refused,
    "NOT_FOUND": fix("there is no such translator.project or translator.region"),
    "OUT_OF_RANGE": refused,
    "PERMISSION_DENIED": NOT_ALLOWED,
    "RESOURCE_EXHAUSTED": slow_down,
    "UNAUTHENTICATED": _TOKEN,
    "UNAVAILABLE": later,
    "UNIMPLEMENTED": WRONG_ADDRESS,
    "UNKNOWN": later,
}
"""Every canonical code of Google's interfaces but OK."""

BY_STATUS: Mapping[int, Meaning] = {401: _TOKEN}

_FOR_THE_DAY = re.compile(r"daily limit|per day", re.IGNORECASE)
_FOR_THE_MINUTE = re.compile(r"rate limit", re.IGNORECASE)
_UNKNOWN_LANGUAGE = re.compile(
    r"(bad language pair|((invalid|unsupported) )?(source|target) language)", re.IGNORECASE
)
"""How a message begins that is about the pair; others may quote a text that speaks of language."""


class _Translation(Answer):
    translated_text: str = Field(alias="translatedText")


class _Translations(Answer):
    translations: list[_Translation]


class _Detail(Answer):
    reason: str = ""


class _Error(Answer):
    code: int = 0
    status: str = ""
    message: str = ""
    details: tuple[_Detail, ...] = ()


class _Failure(Answer):
    error: _Error


class GoogleTranslator:
    """Any pair of its languages. Who asks is read from the environment when it is made.

    A request holds the texts, the two languages, a token and the project.
    """

    name = "google"

    def __init__(self, settings: TranslatorSettings, source: str, target: str) -> None:  # noqa: ARG002 - any source; Google decides
        address = address_of(settings, ADDRESS)
        if not settings.project:
            raise Misconfigured("google needs translator.project: the number or id of the project.")
        self.limits = override_limits(settings, LIMITS)
        self.price = override_price(settings, PRICE)
        self.endpoint = address.host
        self._credentials = credentials_of(settings)
        self._charged = (
            {"X-Goog-User-Project": settings.project}
            if self._credentials.counts_for_the_project_named
            else {}
        )
        self._settings = settings
        target_code(settings, target, _CODES)
        place = f"projects/{settings.project}/locations/{settings.region or 'global'}"
        self._path = f"/v3/{place}:translateText"
        self._poster = Poster(address, settings.timeout_seconds)

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """See ``Translator``."""
        code = target_code(self._settings, target, _CODES)

        async def ask(asked: list[str]) -> list[str]:
            body = {
                "contents": asked,
                "mimeType": "text/plain",
                "sourceLanguageCode": _CODES.get(source, source),
                "targetLanguageCode": code,
            }
            return _answers(await self._poster.post(self._path, headers=self._headers(), json=body))

        return await translated(texts, ask)

    async def close(self) -> None:
        """Close the connections; a later ``translate`` opens new ones."""
        await self._poster.close()

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._credentials.bearer()}", **self._charged}


def _answers(reply: Reply) -> list[str]:
    if reply.status != 200:
        raise typed(reply)
    found = reply.parsed(_Translations).translations
    return [translation.translated_text for translation in found]


def typed(reply: Reply) -> TranslatorError:
    """The error of ours that a reply stands for: total."""
    failure = reply.parsed_if(_Failure)
    meaning = _meaning(failure.error) if failure else None
    if meaning is not None:
        return meaning(reply.status, reply.pause)
    return by_status(reply.status, reply.pause, BY_STATUS)


def _meaning(error: _Error) -> Meaning | None:
    """By the reason, then by what sets two faults of one code apart, then by the code."""
    if error.code in (403, 429):
        if _FOR_THE_DAY.search(error.message):
            return spent
        if _FOR_THE_MINUTE.search(error.message):
            return slow_down
    if error.status == "INVALID_ARGUMENT" and _UNKNOWN_LANGUAGE.match(error.message):
        return WRONG_LANGUAGES
    reasons = (BY_REASON.get(detail.reason) for detail in error.details)
    return next(filter(None, reasons), None) or BY_CANONICAL.get(error.status)
