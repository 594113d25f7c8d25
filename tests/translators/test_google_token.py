"""A service account signs for itself: what Google could verify, and nothing of the key."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

from prism_core.errors import ExitCode, Misconfigured
from prism_core.settings import TranslatorSettings
from prism_core.translators import make_translator
from prism_core.translators.adapters.fake import mark_words
from prism_core.translators.adapters.google import LIFETIME, ServiceAccount, credentials_of
from tests.provider_servers import GoogleServer

WHO = "prism@loopback-1.iam.gserviceaccount.com"
GOOGLE = TranslatorSettings.choose(name="google", project="loopback-1")


@pytest.fixture(scope="module")
def key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def pem(key: Any) -> str:
    plain = serialization.NoEncryption()
    kind = serialization.PrivateFormat.PKCS8
    return key.private_bytes(serialization.Encoding.PEM, kind, plain).decode()


@pytest.fixture
def account(tmp_path: Path, key: rsa.RSAPrivateKey, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "account.json"
    given = {"type": "service_account", "client_email": WHO, "private_key_id": "key-7"}
    file.write_text(json.dumps(given | {"private_key": pem(key), "project_id": "loopback-1"}))
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(file))
    monkeypatch.delenv("GOOGLE_ACCESS_TOKEN", raising=False)
    return file


def decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def verified(token: str, key: rsa.RSAPrivateKey) -> tuple[dict[str, Any], dict[str, Any]]:
    """Header and claims of a token whose signature is right."""
    said, _, signature = token.rpartition(".")
    key.public_key().verify(decoded(signature), said.encode(), padding.PKCS1v15(), hashes.SHA256())
    header, claims = (json.loads(decoded(part)) for part in said.split("."))
    return header, claims


def test_a_token_says_who_asks_for_what_and_until_when(
    account: Path, key: rsa.RSAPrivateKey
) -> None:
    header, claims = verified(credentials_of(GOOGLE, clock=lambda: 1_000_000.9).bearer(), key)
    assert header == {"alg": "RS256", "typ": "JWT", "kid": "key-7"}
    assert claims == {
        "iss": WHO,
        "sub": WHO,
        "scope": "https://www.googleapis.com/auth/cloud-translation",
        "iat": 1_000_000,
        "exp": 1_003_600,
    }


def test_a_token_is_kept_for_most_of_its_hour_and_made_anew_before_its_end(account: Path) -> None:
    moments = iter([0.0, 10.0, 2_900.0, 3_100.0, 3_200.0, 50.0])
    made = credentials_of(GOOGLE, clock=lambda: next(moments))
    assert isinstance(made, ServiceAccount)
    first, *others = [made.bearer() for _ in range(6)]
    assert [token == first for token in others[:2]] == [True, True]
    assert others[2] == others[3] != first
    assert others[4] not in {first, others[3]}, "the clock was set back"
    assert LIFETIME == 3600


def test_the_translator_signs_for_itself_and_names_no_project_to_charge(
    account: Path, key: rsa.RSAPrivateKey
) -> None:
    seen: list[tuple[str, str | None]] = []

    class Server(GoogleServer):
        def is_known(self, authorization: str, project: str | None) -> bool:
            seen.append((authorization, project))
            return True

    with Server() as server:
        made = make_translator(server.settings(), "en", "es")
        assert asyncio.run(made.translate(["A text."], "en", "es")) == [mark_words("A text.")]
        ((authorization, project),) = seen
        assert project is None
        assert verified(authorization.removeprefix("Bearer "), key)[1]["iss"] == WHO
        assert b"PRIVATE" not in server.received[0]


def test_a_token_of_the_environment_goes_before_an_account(
    account: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_ACCESS_TOKEN", "token")
    assert credentials_of(GOOGLE).bearer() == "token"


def test_a_variable_that_the_settings_name_must_be_set(
    account: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MY_TOKEN", raising=False)
    with pytest.raises(Misconfigured, match="MY_TOKEN"):
        credentials_of(GOOGLE.model_copy(update={"api_key_env": "MY_TOKEN"}))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not JSON at all: canary",
        b'{"type": "authorized_user", "client_id": "canary", "refresh_token": "canary"}',
        b'{"client_email": "canary", "private_key_id": "canary", "private_key": "canary"}',
        json.dumps(
            {
                "client_email": WHO,
                "private_key_id": "k",
                "private_key": pem(ec.generate_private_key(ec.SECP256R1())),
            }
        ).encode(),
    ],
)
def test_a_file_that_is_no_account_is_said_at_once_and_not_quoted(
    account: Path, content: bytes
) -> None:
    account.write_bytes(content)
    with pytest.raises(Misconfigured, match="GOOGLE_APPLICATION_CREDENTIALS") as caught:
        make_translator(GOOGLE, "en", "es")
    assert caught.value.exit_code is ExitCode.BAD_CONFIGURATION
    assert caught.value.__context__ is None
    assert "canary" not in str(caught.value)


def test_a_file_that_is_not_there_is_said_at_once(account: Path) -> None:
    account.unlink()
    with pytest.raises(Misconfigured, match="No such file"):
        make_translator(GOOGLE, "en", "es")
