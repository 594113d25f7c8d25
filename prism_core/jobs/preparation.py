"""From what a person or a deployment says, or what the state remembers, to a ``Job``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from prism_core.errors import ConfigurationError, StateError
from prism_core.formats import FORMATS
from prism_core.settings.job import Job, new_run_id
from prism_core.settings.sections import Settings
from prism_core.settings.sources import load_settings
from prism_core.stages import Run
from prism_core.state import places


def prepare_job(
    archive: Path,
    output: Path,
    settings_file: Path | None = None,
    flags: Mapping[str, object] | None = None,
    run_id: str | None = None,
    *,
    asks_nobody: bool = False,
) -> Job:
    """Settings from file, environment and flags, and the two folders, as a job.

    Raises ``ConfigurationError`` before any work is done. Without ``run_id`` it is a new run.
    ``asks_nobody``: see ``load_settings``.
    """
    settings = check_settings(settings_file, flags, asks_nobody=asks_nobody)
    return Job(input=archive, output=output, settings=settings, run_id=run_id or new_run_id())


def check_settings(
    file: Path | None = None,
    flags: Mapping[str, object] | None = None,
    *,
    asks_nobody: bool = False,
) -> Settings:
    """Settings from ``file``, the environment and ``flags``, whose policies name known formats.

    Raises ``ConfigurationError``. ``asks_nobody``: see ``load_settings``.
    """
    settings = load_settings(file, os.environ, flags, asks_nobody=asks_nobody)
    for policy in settings.policies:
        if unknown := [name for name in policy.formats if name not in FORMATS]:
            raise ConfigurationError(
                f"policy {policy.name}: {unknown[0]!r} is no format; there are {', '.join(FORMATS)}"
            )
    return settings


def variables_of(flags: Mapping[str, object]) -> dict[str, str]:
    """Flags as the environment variables that say the same: ``PRISM_TRANSLATOR__NAME``."""
    return {
        "PRISM_" + name.upper().replace(".", "__"): _as_text(value)
        for name, value in flags.items()
        if value is not None
    }


def _as_text(value: object) -> str:
    """Several paths or names are written as in ``PATH``; none of them, ``none``."""
    if isinstance(value, list | tuple):
        return os.pathsep.join(map(str, value)) or "none"
    return str(value)


def remember_job(run: Run) -> None:
    """Keep the job in its own store, with every path absolute: it may go on from anywhere."""
    absolute = _with_absolute_paths(run.job.model_dump(exclude={"run_id", "temporary_state"}))
    run.store.keep_job(Job.model_validate(absolute).model_dump_json().encode())


def last_job(job: Job) -> Job:
    """The job that the output folder of ``job`` was last translated by, as a new run.

    Where the store and its key are is what ``job`` says, and so is the output folder: it may have
    been moved. Everything else is as it was. Raises ``ConfigurationError`` when the folder holds
    no state, and ``StateError`` when what is kept cannot be used.
    """
    places.check_has_state(job.state_folder, job.settings.state.url)
    with Run.view(job) as run:
        last = _parse_job(run.store.kept_job())
    where = {"state": job.settings.state, "key": job.settings.key}
    settings = last.settings.model_copy(update=where)
    changed = {"output": job.output, "settings": settings, "run_id": new_run_id()}
    return last.model_copy(update=changed)


def _parse_job(kept: bytes | None) -> Job:
    try:
        return Job.model_validate_json(kept or b"")
    except ValidationError:
        pass  # its words quote paths
    raise StateError(
        "the state does not say what was translated, or another version of PRISM wrote it; give "
        "the whole command once: prism translate IN OUT …"
    )


def _with_absolute_paths(value: Any) -> Any:
    if isinstance(value, Path):
        return value.expanduser().absolute()
    if isinstance(value, dict):
        return {name: _with_absolute_paths(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return tuple(map(_with_absolute_paths, value))
    return value
