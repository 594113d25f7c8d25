"""Google Cloud Translation v3 ("Advanced"), over its REST interface.

The caller is identified by an access token from the environment, or by a service account's own
signature. A service account needs nobody to give it tokens: Google takes JSON Web Tokens that the
account signed itself (AIP-4111, RFC 7519), so that a job may last longer than the hour of a token.

Entry: ``GoogleTranslator.ask``; then ``credentials_of`` -> ``post`` -> ``error_of``.
"""

from __future__ import annotations

import base64
import json
import os
import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from prism_core.errors import Misconfigured, TranslatorError
from prism_core.settings import Marks, ServiceSettings
from prism_core.translators.alignment_tags import Tag
from prism_core.translators.base import Adapter, Limits, Price
from prism_core.translators.endpoints import address_of, key_of
from prism_core.translators.http import (
    NOT_ALLOWED,
    WRONG_ADDRESS,
    WRONG_LANGUAGES,
    MarkingTranslator,
    Meaning,
    ProviderResponse,
    Reply,
    error_of_status,
    fix,
    later,
    refused,
    slow_down,
    spent,
)

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

ADDRESS = "https://translation.googleapis.com"

TAG = Tag("a", "i", quote="")
"""Tag that Google's own translation of web pages uses for text that must find its place again."""

LIMITS = Limits(
    texts_per_request=200,
    characters_per_request=5_000,
    characters_per_minute=6_000_000,
    concurrency=8,
    characters_per_mark=TAG.size,
)
"""Limits of a request: 1,024 texts and 30,000 code points are allowed, 5,000 are advised.
[cloud.google.com/translate/quotas]"""

PRICE = Price(
    amount=20.0,
    unit="characters",
    source="https://cloud.google.com/translate/pricing (Advanced, NMT, from 500,000 a month)",
    as_of="2026",
)

TOKEN = "GOOGLE_ACCESS_TOKEN"  # noqa: S105 - the name of a variable
ACCOUNT_FILE = "GOOGLE_APPLICATION_CREDENTIALS"

LIFETIME = 3600
RENEWED_BEFORE = 600
"""Seconds before its end at which a token is renewed: a request in flight must not outlive it."""

_SCOPE = "https://www.googleapis.com/auth/cloud-translation"

Clock = Callable[[], float]

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
"""Meanings of the reason of an ``ErrorInfo``, which says more than the status."""

BY_CANONICAL: Mapping[str, Meaning] = {
    "ALREADY_EXISTS": refused,
    "CANCELLED": later,
    "NOT_FOUND": fix("there is no such translator.project or translator.region"),
    "UNIMPLEMENTED": WRONG_ADDRESS,
}
"""Meanings of canonical codes that say more than the status; others go by the status."""

BY_STATUS: Mapping[int, Meaning] = {401: _TOKEN}

_DAILY_LIMIT = re.compile(r"daily limit|per day", re.IGNORECASE)
_RATE_LIMIT = re.compile(r"rate limit", re.IGNORECASE)
_UNKNOWN_LANGUAGE = re.compile(
    r"(bad language pair|((invalid|unsupported) )?(source|target) language)", re.IGNORECASE
)
"""Beginning of a message about the pair; other messages may quote a text that speaks of
language."""


class GoogleSettings(ServiceSettings):
    """Settings of Google Cloud Translation."""

    name: Literal["google"] = "google"
    usual_marks: ClassVar[Marks] = "lost"
    """Only for lost sentences: every character of markup is billed like text."""
    region: str | None = Field(default=None, pattern=r"^[a-z0-9-]+$")
    """Location; None is ``global``."""
    project: str | None = Field(default=None, pattern=r"^[a-z0-9][a-z0-9.:-]*$")
    """Number or id of the project."""


class _GoogleTranslation(ProviderResponse):
    translated_text: str = Field(alias="translatedText")


class _GoogleTranslations(ProviderResponse):
    translations: list[_GoogleTranslation]


class _GoogleDetail(ProviderResponse):
    reason: str = ""


class _GoogleError(ProviderResponse):
    code: int = 0
    status: str = ""
    message: str = ""
    details: tuple[_GoogleDetail, ...] = ()


class _GoogleFailure(ProviderResponse):
    error: _GoogleError


class GoogleTranslator(MarkingTranslator):
    """Any pair of its languages. Credentials are read from the environment when it is made.

    A request holds the texts, the two languages, a token and the project.
    """

    name = "google"
    codes: ClassVar = {"zh": "zh-CN", "he": "iw"}
    tag = TAG

    def __init__(self, settings: GoogleSettings, source: str, target: str) -> None:  # noqa: ARG002 - any source; Google decides
        super().__init__(settings, target, address_of(settings, ADDRESS), LIMITS, PRICE, error_of)
        if not settings.project:
            raise Misconfigured("google needs translator.project: the number or id of the project.")
        self._credentials = credentials_of(settings)
        self._charged = (
            {"X-Goog-User-Project": settings.project}
            if self._credentials.names_billed_project
            else {}
        )
        place = f"projects/{settings.project}/locations/{settings.region or 'global'}"
        self._path = f"/v3/{place}:translateText"

    async def request_answers(
        self, texts: list[str], source: str, target: str, *, tagged: bool
    ) -> list[str]:
        """Return the answers; see ``MarkingTranslator``."""
        source_code, target_code = self.pair(source, target)
        body = {
            "contents": texts,
            "mimeType": "text/html" if tagged else "text/plain",
            "sourceLanguageCode": source_code,
            "targetLanguageCode": target_code,
        }
        headers = {"Authorization": f"Bearer {self._credentials.bearer()}", **self._charged}
        reply = await self.post(self._path, headers=headers, json=body)
        found = reply.parsed(_GoogleTranslations).translations
        return [translation.translated_text for translation in found]


def error_of(reply: Reply) -> TranslatorError:
    """Map a reply to one of our errors: total.

    The message of a quota counts first, then the reason, the code and the status.
    """
    failure = reply.parsed_if(_GoogleFailure)
    if failure is None:
        return error_of_status(reply.status, reply.pause, BY_STATUS)
    error, is_quota = failure.error, failure.error.code in (403, 429)
    reasons = (BY_REASON.get(detail.reason) for detail in error.details)
    if is_quota and _DAILY_LIMIT.search(error.message):
        meaning: Meaning | None = spent
    elif is_quota and _RATE_LIMIT.search(error.message):
        meaning = slow_down
    elif error.status == "INVALID_ARGUMENT" and _UNKNOWN_LANGUAGE.match(error.message):
        meaning = WRONG_LANGUAGES
    else:
        meaning = next(filter(None, reasons), None) or BY_CANONICAL.get(error.status)
    table = BY_STATUS if meaning is None else {reply.status: meaning}
    return error_of_status(reply.status, reply.pause, table)


class _AccountFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    client_email: str
    private_key_id: str
    private_key: str


class AccessToken:
    """Token that was made elsewhere and that is not renewed."""

    names_billed_project = True
    """True if the request must say which project is billed."""

    def __init__(self, token: str) -> None:
        self._token = token

    def bearer(self) -> str:
        """Return the token."""
        return self._token


class ServiceAccount:
    """Service account that signs tokens for itself, an hour each.

    ``clock`` gives seconds since the epoch.
    """

    names_billed_project = False

    def __init__(self, file: _AccountFile, key: RSAPrivateKey, clock: Clock) -> None:
        self._file, self._key, self._clock = file, key, clock
        self._made, self._token = float("-inf"), ""

    def bearer(self) -> str:
        """Return a token that is valid for at least ten minutes."""
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import padding

        now = self._clock()
        if now - self._made > LIFETIME - RENEWED_BEFORE or now < self._made:
            made, who = int(now), self._file.client_email
            header = {"alg": "RS256", "typ": "JWT", "kid": self._file.private_key_id}
            claims = {"iss": who, "sub": who, "scope": _SCOPE, "iat": made, "exp": made + LIFETIME}
            unsigned = f"{_encode(_as_json(header))}.{_encode(_as_json(claims))}"
            signature = self._key.sign(unsigned.encode(), padding.PKCS1v15(), hashes.SHA256())
            self._made, self._token = now, f"{unsigned}.{_encode(signature)}"
        return self._token


Credentials = AccessToken | ServiceAccount


def credentials_of(settings: GoogleSettings, clock: Clock = time.time) -> Credentials:
    """Return the token of the environment, else the account it names. Raises ``Misconfigured``."""
    path = os.environ.get(ACCOUNT_FILE, "").strip()
    token = key_of(settings, TOKEN, needed=not path or settings.api_key_env is not None)
    if token:
        return AccessToken(token)
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

    try:
        file = _AccountFile.model_validate_json(Path(path).read_bytes())
        key = serialization.load_pem_private_key(file.private_key.encode(), None)
    except OSError as error:
        wrong = f"cannot be read ({error.strerror})"
    except (ValidationError, ValueError, TypeError, UnsupportedAlgorithm):
        wrong = "is not the key file of a service account"
    else:
        if isinstance(key, RSAPrivateKey):
            return ServiceAccount(file, key, clock)
        wrong = "holds no RSA key"
    raise Misconfigured(f"The file that {ACCOUNT_FILE} names {wrong}.")


def _as_json(content: object) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode()


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


ADAPTER = Adapter(
    settings=GoogleSettings,
    make=GoogleTranslator,
    limits=lambda _settings: LIMITS,
    price=PRICE,
)
