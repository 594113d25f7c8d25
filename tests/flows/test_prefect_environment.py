from __future__ import annotations

from flows.prefect_environment import prepare_prefect


def test_what_the_user_has_set_wins() -> None:
    environment = {"PREFECT_HOME": "here", "PREFECT_LOGGING_LEVEL": "DEBUG"}
    prepare_prefect(environment)
    assert environment["PREFECT_HOME"] == "here"
    assert environment["PREFECT_LOGGING_LEVEL"] == "DEBUG"
    assert environment["DO_NOT_TRACK"] == "1"


def test_what_could_store_text_is_off_whatever_the_user_has_set() -> None:
    environment = {
        "PREFECT_RESULTS_PERSIST_BY_DEFAULT": "true",
        "PREFECT_LOGGING_TO_API_ENABLED": "true",
    }
    prepare_prefect(environment)
    assert environment["PREFECT_RESULTS_PERSIST_BY_DEFAULT"] == "false"
    assert environment["PREFECT_LOGGING_TO_API_ENABLED"] == "false"
    assert environment["PREFECT_TASKS_DEFAULT_PERSIST_RESULT"] == "false"


def test_prefect_gets_a_home_of_its_own_in_the_users_state_folder() -> None:
    environment = {"XDG_STATE_HOME": "state"}
    prepare_prefect(environment)
    assert environment["PREFECT_HOME"] == "state/prism/prefect"
