"""Whom to tell is checked before the run, and what would expose something is refused."""

from __future__ import annotations

import pytest

from prism_core.errors import ConfigurationError
from prism_core.settings import load_settings

MAIL = {
    "notify.mail_to": ("ops@example.org",),
    "notify.mail_from": "prism@example.org",
    "notify.smtp_host": "mail.example.org",
}


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"notify.webhook": "http://hooks.example.org/a"}, "https://"),
        ({"notify.webhook": "ftp://hooks.example.org/a"}, "https://"),
        ({"notify.webhook": "https:///a"}, "name a host"),
        ({"notify.webhook": "https://hooks.example.org/a#b"}, "fragment"),
        ({"notify.webhook": "https://hooks.example.org:port/a"}, "webhook"),
        ({"notify.webhook_secret_env": "HOOK"}, "webhook is missing"),
        ({"notify.mail_to": ("ops@example.org",)}, "needs mail_from and smtp_host"),
        ({"notify.smtp_host": "mail.example.org"}, "mail_to is missing"),
        (MAIL | {"notify.mail_to": ("ops@example.org\nBcc: a@example.com",)}, "mail_to"),
        (MAIL | {"notify.smtp_security": "none"}, "this machine"),
        (MAIL | {"notify.smtp_user": "ops"}, "go together"),
        ({"notify.label": "<b>night</b>"}, "label"),
        ({"notify.timeout_seconds": 0}, "timeout_seconds"),
    ],
)
def test_what_would_expose_something_or_do_nothing_is_refused(flags, message) -> None:
    with pytest.raises(ConfigurationError, match=message):
        load_settings(flags=flags)


def test_an_address_that_may_be_a_secret_is_not_repeated() -> None:
    with pytest.raises(ConfigurationError) as error:
        load_settings(flags={"notify.webhook": "http://hooks.example.org/T0/very-secret"})
    assert "very-secret" not in str(error.value)


def test_recipients_in_the_environment_stand_as_in_path() -> None:
    variables = {
        "PRISM_NOTIFY__MAIL_TO": "a@example.org:b@example.org",
        "PRISM_NOTIFY__MAIL_FROM": "prism@example.org",
        "PRISM_NOTIFY__SMTP_HOST": "localhost",
        "PRISM_NOTIFY__SMTP_SECURITY": "none",
    }
    assert load_settings(environment=variables).notify.mail_to == ("a@example.org", "b@example.org")


def test_whom_to_tell_changes_no_document() -> None:
    told = load_settings(flags={"notify.webhook": "https://hooks.example.org/a"})
    assert told.digest() == load_settings().digest()
