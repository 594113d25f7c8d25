from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from flows.prefect_environment import enter_prefect, prepare_prefect
from prism_core.errors import ConfigurationError


def test_what_the_user_has_set_wins(tmp_path: Path) -> None:
    home = str(tmp_path / "here")
    environment = {"PREFECT_HOME": home, "PREFECT_LOGGING_LEVEL": "DEBUG"}
    prepare_prefect(environment)
    assert environment["PREFECT_HOME"] == home
    assert environment["PREFECT_LOGGING_LEVEL"] == "DEBUG"
    assert environment["DO_NOT_TRACK"] == "1"


def test_prefect_reports_to_nobody_whatever_the_user_has_set(tmp_path: Path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "PREFECT_HOME": str(tmp_path),
        "DO_NOT_TRACK": "0",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "true",
    }
    prepare_prefect(environment)
    ask = """
from prefect._internal.analytics.service import AnalyticsService
from prefect.settings import get_current_settings
service = AnalyticsService.instance()
print(service._quick_enabled_check(), get_current_settings().server.analytics_enabled)
"""
    told = subprocess.run(
        [sys.executable, "-c", ask], env=environment, capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == ["False", "False"]


def test_what_could_store_text_is_off_whatever_the_user_has_set(tmp_path: Path) -> None:
    environment = {
        "PREFECT_HOME": str(tmp_path),
        "PREFECT_RESULTS_PERSIST_BY_DEFAULT": "true",
        "PREFECT_LOGGING_TO_API_ENABLED": "true",
    }
    prepare_prefect(environment)
    assert environment["PREFECT_RESULTS_PERSIST_BY_DEFAULT"] == "false"
    assert environment["PREFECT_LOGGING_TO_API_ENABLED"] == "false"
    assert environment["PREFECT_TASKS_DEFAULT_PERSIST_RESULT"] == "false"


def test_prefect_gets_a_home_of_its_own_in_the_users_state_folder(tmp_path: Path) -> None:
    environment = {"XDG_STATE_HOME": str(tmp_path)}
    prepare_prefect(environment)
    home = tmp_path / "prism" / "prefect"
    assert environment["PREFECT_HOME"] == str(home)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_a_home_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="PREFECT_HOME"):
        prepare_prefect({"PREFECT_HOME": str(tmp_path / "file" / "home")})


def test_a_flow_is_not_given_the_address_of_another_translator_than_the_flag_names(
    tmp_path: Path,
) -> None:
    environment = {
        "PREFECT_HOME": str(tmp_path),
        "PRISM_TRANSLATOR__NAME": "openai",
        "PRISM_TRANSLATOR__BASE_URL": "https://llm.example.org/v1",
        "PRISM_TRANSLATOR__MAX_COST": "5",
    }
    enter_prefect({"translator.name": "deepl", "other_translators": None}, None, environment)
    kept = {name: value for name, value in environment.items() if "TRANSLATOR" in name}
    assert kept == {"PRISM_TRANSLATOR__NAME": "deepl", "PRISM_TRANSLATOR__MAX_COST": "5"}


@pytest.mark.parametrize(("in_file", "address_goes"), [("openai", False), ("deepl", True)])
def test_an_address_in_the_environment_is_that_of_the_translator_in_the_settings_file(
    tmp_path: Path, in_file: str, address_goes: bool
) -> None:
    settings = tmp_path / "prism.toml"
    settings.write_text(f'[translator]\nname = "{in_file}"\n')
    address = "PRISM_TRANSLATOR__BASE_URL"
    environment = {"PREFECT_HOME": str(tmp_path), address: "https://llm.example.org/v1"}
    enter_prefect({"translator.name": "deepl"}, settings, environment)
    assert (address in environment) == address_goes
