"""The job that an archive was last translated by, kept sealed, so that it can go on by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from prism_core.errors import StateError
from prism_core.settings.job import Job, new_run_id
from prism_core.stages.shared import given_store, open_store
from prism_core.state import Store, load_key, places


def remember(job: Job) -> None:
    """Keep ``job`` in its own store, with every path absolute: it may go on from anywhere."""
    absolute = _with_absolute_paths(job.model_dump(exclude={"run_id", "temporary_state"}))
    open_store(job).keep_job(Job.model_validate(absolute).model_dump_json().encode())


def remembered(job: Job) -> Job:
    """The job that the output folder of ``job`` was last translated by, as a new run.

    Where the store and its key are is what ``job`` says, and so is the output folder: it may have
    been moved. Everything else is as it was. Raises ``ConfigurationError`` when the folder holds
    no state, and ``StateError`` when what is kept cannot be used.
    """
    url = job.settings.state.url
    places.check_has_state(job.state_folder, url)
    with given_store(job, Store.view(job.state_folder, load_key(job.settings.key), url)):
        kept = open_store(job).kept_job()
    last = _understood(kept)
    where = {"state": job.settings.state, "key": job.settings.key}
    settings = last.settings.model_copy(update=where)
    changed = {"output": job.output, "settings": settings, "run_id": new_run_id()}
    return last.model_copy(update=changed)


def _understood(kept: bytes | None) -> Job:
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
