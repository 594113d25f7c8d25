"""What every adapter states, in its one file, and that it is the only place that does."""

from __future__ import annotations

import subprocess
import sys

import pytest

from prism_core import translators
from prism_core.errors import ConfigurationError
from prism_core.settings import (
    Settings,
    TranslatorSettings,
    load_settings,
)
from prism_core.translators import Limits, Price
from tests.test_import_direction import edges, is_in

CHANGED: dict[str, object] = {
    "texts_per_request": 3,
    "characters_per_request": 300,
    "requests_per_minute": 30,
    "characters_per_minute": 30,
    "tokens_per_minute": 30,
    "concurrency": 3,
    "timeout_seconds": 3.0,
    "poll_seconds": 3.0,
    "shared_pace": "postgresql://prism@db/pace",
    "account": "team",
    "price_per_million": 3.0,
    "price_per_million_answered": 3.0,
    "price_unit": "characters",
    "price_currency": "EUR",
    "max_cost": 3.0,
    "accept_losses": True,
    "allow_plain_http": True,
    "api_key_env": "OUR_KEY",
}
"""Options that are terms: how fast, for how much, with which account or permission."""
WHO_AND_HOW: dict[str, object] = {
    "base_url": "https://translate.example.org",
    "target_code": "es-MX",
    "model": "another",
    "api": "responses",
    "prompt": "paper",
    "answer_format": "json_object",
    "temperature": 1.0,
    "prefix": "translate English to Spanish: ",
    "region": "westeurope",
    "api_version": "2026-06-06",
    "project": "another",
    "program": "another",
    "mode": "eng-cat",
    "folder": "another",
    "style": "reverse",
    "marks": "always",
}
BESIDE: dict[str, dict[str, object]] = {
    "account": {"shared_pace": "postgresql://prism@db/pace"},
    "price_per_million": {"price_per_million": 1.0, "price_per_million_answered": 1.0},
    "price_per_million_answered": {"price_per_million": 1.0, "price_per_million_answered": 1.0},
}
"""What an option cannot be without."""
LIBRARIES = "fxtranslate httpx2 openai requests ctranslate2 sentencepiece cryptography".split()


@pytest.mark.parametrize("name", TranslatorSettings.names())
def test_an_adapter_states_settings_limits_price_errors_and_how_it_answers(name: str) -> None:
    adapter = TranslatorSettings.load(name)
    settings = TranslatorSettings.choose(name=name)
    assert type(settings) is adapter.settings
    assert settings.name == adapter.settings().name == name
    limits = adapter.limits(settings)
    assert isinstance(limits, Limits)
    assert min(limits.texts_per_request, limits.characters_per_request, limits.concurrency) >= 1
    price = adapter.price
    assert price is None or (isinstance(price, Price) and price.source and price.as_of)
    assert settings.answers_by_the_batch == (limits.answered_within is not None)
    assert callable(adapter.make)
    assert adapter.settings.__doc__


def test_an_option_means_the_same_wherever_it_is() -> None:
    known: dict[str, object] = {}
    for _, model in TranslatorSettings.kinds():
        for option, field in model.model_fields.items():
            if option not in ("name", "sees"):
                assert known.setdefault(option, field.annotation) == field.annotation, option
    assert set(known) == CHANGED.keys() | WHO_AND_HOW.keys()


@pytest.mark.parametrize("name", TranslatorSettings.names())
def test_a_document_changes_with_who_is_asked_and_how_and_not_with_the_terms(name: str) -> None:
    for option in TranslatorSettings.load(name).settings.model_fields:
        if option in ("name", "sees"):
            continue
        beside = BESIDE.get(option, {})
        given = (CHANGED | WHO_AND_HOW)[option]
        before = TranslatorSettings.choose(name=name, **beside)
        after = TranslatorSettings.choose(name=name, **{**beside, option: given})
        assert after != before
        told = {Settings(translator=settings).digest() for settings in (before, after)}
        asked = {settings.asked_of() for settings in (before, after)}
        assert len(told) == len(asked) == (1 if option in CHANGED else 2), option


def test_what_adapters_state_is_known_without_their_libraries() -> None:
    script = f"""
import sys
from prism_core.settings import TranslatorSettings
names = [name for name, _ in TranslatorSettings.kinds()]
assert len(names) > 9
print([name for name in {LIBRARIES} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_settings_load_the_adapter_of_the_chosen_translator_alone() -> None:
    script = f"""
import sys
from prism_core.settings import load_settings
load_settings(None, {{}}, {{"translator.name": "fake", "translator.concurrency": 2}})
print(sorted(name for name in sys.modules if name.startswith("{TranslatorSettings.package}.")))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (f"['{TranslatorSettings.package}.fake']\n", "")


USERS = {
    "region": "azure, google",
    "mode": "apertium",
    "folder": "firefox, local",
    "poll_seconds": "openai-batch",
    "model": "openai, openai-batch",
}


@pytest.mark.parametrize("option", USERS)
@pytest.mark.parametrize("origin", ["prism.toml", "the environment", "the command line"])
@pytest.mark.parametrize("name", ["deepl", "fake"])
def test_an_option_that_the_translator_has_no_use_for_is_refused(
    tmp_path, option: str, origin: str, name: str
) -> None:
    file, environment, flags = tmp_path / "prism.toml", {}, {}
    table = f'[translator]\nname = "{name}"\n'
    given = (CHANGED | WHO_AND_HOW)[option]
    if origin == "prism.toml":
        table += f"{option} = {given!r}\n"
    elif origin == "the environment":
        environment[f"PRISM_TRANSLATOR__{option.upper()}"] = str(given)
    else:
        flags[f"translator.{option}"] = given
    file.write_text(table)
    with pytest.raises(ConfigurationError) as refused:
        load_settings(file, environment, flags)
    (message,) = str(refused.value).splitlines()
    assert message.startswith(f"translator.{option} in ")
    assert origin in message
    assert message.endswith(f": {name} does not use it; it is for {USERS[option]}")


def test_the_same_holds_for_other_translators_and_for_the_default(tmp_path) -> None:
    file = tmp_path / "prism.toml"
    file.write_text('[[other_translators]]\nname = "azure"\n[[other_translators]]\nname = "deepl"\n'
                    'region = "eu"\n')  # fmt: skip
    with pytest.raises(
        ConfigurationError, match=r"other_translators\[2\].region in .*: deepl does"
    ):
        load_settings(file)
    file.write_text('[translator]\nregion = "eu"\n')
    with pytest.raises(ConfigurationError, match=f"{TranslatorSettings.default} does not use it"):
        load_settings(file)
    assert load_settings(file, {}, {"translator.name": "azure"}).translator.name == "azure"


def test_where_nobody_is_asked_the_options_of_a_translator_wait_until_one_is_named() -> None:
    environment = {"PRISM_TRANSLATOR__BASE_URL": "https://llm.example.org/v1", "PRISM_TARGET": "fr"}
    settings = load_settings(None, environment, asks_nobody=True)
    assert (settings.translator, settings.target) == (TranslatorSettings.choose(), "fr")
    with pytest.raises(ConfigurationError, match="does not use it"):
        load_settings(None, environment | {"PRISM_TRANSLATOR__NAME": "fake"}, asks_nobody=True)


def test_a_translator_that_there_is_none_of_is_refused_with_the_names_of_those_there_are() -> None:
    for flags in ({"translator.name": "telepathy"}, {"other_translators": ["telepathy"]}):
        with pytest.raises(ConfigurationError) as refused:
            load_settings(None, {}, flags)
        assert "'telepathy'" in str(refused.value)
        assert all(name in str(refused.value) for name in TranslatorSettings.names())


def test_nobody_but_the_package_goes_past_its_door() -> None:
    outside = [name for module, name in edges() if not is_in(module, "prism_core.translators")]
    used = {name for name in outside if is_in(name, "prism_core.translators")}
    assert used == {f"prism_core.translators.{name}" for name in translators.__all__}
