"""Prepare the environment of Prefect before its import: quiet, offline, with a home of its own.

Each value was measured (docs/prefect_reference.md says why). The user's own values take precedence,
except where such a value could put text of a document into Prefect's database.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, MutableMapping
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from prism_core.errors import ConfigurationError, PrismError
from prism_core.jobs import to_environment_variables
from prism_core.plugins import how_to_install
from prism_core.settings import named_translator

Result = TypeVar("Result")

_SUGGESTED = {
    "PREFECT_SERVER_UI_ENABLED": "false",
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_SERVER_LEVEL": "CRITICAL",
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "180",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_READ_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_TRIGGERS_ENABLED": "false",
    "PREFECT_CLI_PROMPT": "false",
}
_REQUIRED = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_LOGGING_TO_API_ENABLED": "false",
    "PREFECT_RESULTS_PERSIST_BY_DEFAULT": "false",
    "PREFECT_TASKS_DEFAULT_PERSIST_RESULT": "false",
}


def prepare_prefect(environment: MutableMapping[str, str]) -> None:
    """Complete ``environment`` (``os.environ``) for Prefect; call it before importing Prefect.

    Makes Prefect's folder, for its owner alone. Raises ``ConfigurationError`` when it cannot.
    """
    state_home = Path(environment.get("XDG_STATE_HOME") or "~/.local/state").expanduser()
    home = Path(environment.setdefault("PREFECT_HOME", str(state_home / "prism" / "prefect")))
    try:
        home.expanduser().mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(
            f"Prefect's folder {home} cannot be made: {error.strerror}; set PREFECT_HOME"
        ) from None
    for name, value in _SUGGESTED.items():
        environment.setdefault(name, value)
    environment.update(_REQUIRED)


def enter_prefect(
    flags: Mapping[str, object],
    settings: Path | None,
    environment: MutableMapping[str, str] | None = None,
) -> None:
    """Prepare this process to run a flow, which gets ``flags`` through the environment.

    Call it before importing Prefect. ``settings`` is the file that the flow will read,
    ``environment`` is ``os.environ`` by default. Raises as ``prepare_prefect`` does.
    """
    if find_spec("prefect") is None:
        raise ConfigurationError(f"--engine prefect needs Prefect. {how_to_install('prefect')}")
    environment = os.environ if environment is None else environment
    prepare_prefect(environment)
    chosen = flags.get("translator.name")
    if chosen and named_translator(settings, environment) not in (None, chosen):
        for name in list(environment):
            prefix, _, option = name.upper().partition("PRISM_TRANSLATOR__")
            if option and not prefix and option not in ("MAX_COST", "ACCEPT_LOSSES"):
                del environment[name]
    environment.update(to_environment_variables(flags))


def run_flow(flow: Callable[[], Result]) -> Result:
    """Return the result of ``flow``. A ``PrismError`` passes; others are reported by class alone.

    The error is raised where no other is being handled, so that it carries none as its context.
    """
    try:
        return flow()
    except PrismError:
        raise
    except Exception as error:  # noqa: BLE001 - the flow raises PrismError only: Prefect's own
        kind = type(error).__name__
    raise ConfigurationError(
        f"Prefect could not run the flow ({kind}). Check the server at PREFECT_API_URL, or that "
        "the variable is not set; --engine local needs no server."
    )
