"""Who asks Google: an access token from the environment, or a service account's own signature.

A service account needs nobody to give it tokens: Google takes JSON Web Tokens that the account
signed itself (AIP-4111, RFC 7519), so that a job may go on for longer than the hour of a token.
"""

from __future__ import annotations

import base64
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from pydantic import BaseModel, ConfigDict, ValidationError

from prism_core.errors import Misconfigured
from prism_core.settings.addresses import key_of
from prism_core.settings.translators import TranslatorSettings

TOKEN = "GOOGLE_ACCESS_TOKEN"  # noqa: S105 - the name of a variable
ACCOUNT_FILE = "GOOGLE_APPLICATION_CREDENTIALS"

LIFETIME = 3600
RENEWED_BEFORE = 600
"""Seconds before its end at which a token is made anew: a request under way must not outlive it."""

_SCOPE = "https://www.googleapis.com/auth/cloud-translation"

Clock = Callable[[], float]


class _AccountFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    client_email: str
    private_key_id: str
    private_key: str


class AccessToken:
    """A token that somebody else made and that is not renewed."""

    counts_for_the_project_named = True
    """Whether the request must say which project is to be charged."""

    def __init__(self, token: str) -> None:
        self._token = token

    def bearer(self) -> str:
        """The token."""
        return self._token


class ServiceAccount:
    """Signs a token for itself, an hour each. ``clock`` is seconds since the epoch."""

    counts_for_the_project_named = False

    def __init__(self, file: _AccountFile, key: rsa.RSAPrivateKey, clock: Clock) -> None:
        self._file, self._key, self._clock = file, key, clock
        self._made, self._token = float("-inf"), ""

    def bearer(self) -> str:
        """A token with ten minutes to go at least."""
        now = self._clock()
        if now - self._made > LIFETIME - RENEWED_BEFORE or now < self._made:
            self._made, self._token = now, self._signed(int(now))
        return self._token

    def _signed(self, now: int) -> str:
        header = {"alg": "RS256", "typ": "JWT", "kid": self._file.private_key_id}
        who = self._file.client_email
        claims = {"iss": who, "sub": who, "scope": _SCOPE, "iat": now, "exp": now + LIFETIME}
        said = f"{_encoded(_json(header))}.{_encoded(_json(claims))}"
        signature = self._key.sign(said.encode(), padding.PKCS1v15(), hashes.SHA256())
        return f"{said}.{_encoded(signature)}"


Credentials = AccessToken | ServiceAccount


def credentials_of(settings: TranslatorSettings, clock: Clock = time.time) -> Credentials:
    """The token of the environment if there is one, else the account whose file it names.

    Raises ``Misconfigured``, and quotes nothing of the file.
    """
    path = os.environ.get(ACCOUNT_FILE, "").strip()
    token = key_of(settings, TOKEN, needed=not path or settings.api_key_env is not None)
    return AccessToken(token) if token else _service_account(Path(path), clock)


def _service_account(path: Path, clock: Clock) -> ServiceAccount:
    try:
        file = _AccountFile.model_validate_json(path.read_bytes())
        key = serialization.load_pem_private_key(file.private_key.encode(), None)
    except OSError as error:
        wrong = f"cannot be read ({error.strerror})"
    except (ValidationError, ValueError, TypeError, UnsupportedAlgorithm):
        wrong = "is not the key file of a service account"
    else:
        if isinstance(key, rsa.RSAPrivateKey):
            return ServiceAccount(file, key, clock)
        wrong = "holds no RSA key"
    raise Misconfigured(f"The file that {ACCOUNT_FILE} names {wrong}.")


def _json(content: object) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode()


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
