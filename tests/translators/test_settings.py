"""What a user may say about the translator, and what is refused at once."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from prism_core.settings import TranslatorSettings
from prism_core.translators import Limits, make_translator


def test_the_limits_of_the_adapter_hold_where_the_settings_say_nothing() -> None:
    stated = Limits(50, 5_000, requests_per_minute=60, concurrency=3)
    assert stated.override_by(TranslatorSettings.choose()) == stated
    changed = stated.override_by(TranslatorSettings.choose(requests_per_minute=30, concurrency=1))
    assert changed == Limits(50, 5_000, requests_per_minute=30, concurrency=1)


def test_a_stated_rate_decides_how_many_requests_are_under_way() -> None:
    stated = Limits(50, 5_000, concurrency=3, paced_concurrency=20)
    assert stated.override_by(TranslatorSettings.choose()).concurrency == 3
    assert stated.override_by(TranslatorSettings.choose(tokens_per_minute=30_000)).concurrency == 20
    asked = TranslatorSettings.choose(tokens_per_minute=30_000, concurrency=5)
    assert stated.override_by(asked).concurrency == 5


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "telepathy"},
        {"api_key": "sk-in-the-settings"},
        {"api_key_env": "sk-not a name"},
        {"requests_per_minute": 0},
        {"timeout_seconds": 0},
        {"name": "openai", "temperature": 3},
        {"name": "openai", "temperature": "hot"},
        {"mode": "../../etc/passwd"},
    ],
)
def test_nonsense_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        TranslatorSettings.choose(**wrong)  # type: ignore[arg-type]


def test_settings_do_not_change_after_they_were_checked() -> None:
    with pytest.raises(ValidationError):
        TranslatorSettings.choose().name = "fake"  # type: ignore[misc]


@pytest.mark.parametrize("name", ["apertium", "fake"])
def test_the_registry_makes_what_the_settings_name(name: str) -> None:
    assert make_translator(TranslatorSettings.choose(name=name), "en", "es").name == name  # type: ignore[arg-type]
