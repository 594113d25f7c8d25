"""Define the stages as Prefect tasks: name, stage, retries; nothing else.

Prefect gets ids and a ``Job``, and keeps neither results nor logs. A task uses the run of its
process, which is kept here and nowhere else: the run that ``PREFECT_STAGES`` are called with. In a
process that got only the task, a run is opened for the job and stays open.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, Final
from weakref import WeakValueDictionary

from prefect import Task, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State

from prism_core import stages
from prism_core.errors import Transient, sanitize_errors
from prism_core.jobs import Stages, run_in_workers
from prism_core.settings import Job
from prism_core.stages import Run, StageResult

__all__ = ["PREFECT_STAGES", "PRIVATE", "TASKS", "is_transient"]

PRIVATE: Final[dict[str, Any]] = {
    "persist_result": False,
    "cache_policy": NO_CACHE,
    "log_prints": False,
}
"""Options without results and cache keys, which would carry task parameters; the state store keeps
what is needed."""

_runs: Final[WeakValueDictionary[str, Run]] = WeakValueDictionary()
"""Open runs of this process by their ids; the code that opened a run closes it."""
_opened: Final[list[Run]] = []
"""Runs that were opened here, for as long as the process lasts."""
_opening: Final = threading.Lock()


def is_transient(_task: object, _run: object, state: State[Any]) -> bool:
    """Return True if the failure in ``state`` may pass; no other failure is retried."""
    return isinstance(state.data, Transient)


def _find_run(job: Job) -> Run:
    """Return the run of this process for ``job``."""
    with _opening:
        run = _runs.get(job.run_id)
        if run is None:
            run = _runs[job.run_id] = sanitize_errors(partial(Run.open, job))
            _opened.append(run)
        return run


def _make_task(
    name: str, stage: Callable[..., StageResult], options: dict[str, Any]
) -> Task[..., StageResult]:
    def work(job: Job, *ids: Any) -> StageResult:
        return stage(_find_run(job), *ids)

    return task(name=name, **options, **PRIVATE)(work)


_RETRIED: Final[dict[str, Any]] = {
    "retries": 2,
    "retry_delay_seconds": 60,
    "retry_condition_fn": is_transient,
}
TASKS: Final = {
    name: _make_task(name, stage, options)
    for name, stage, options in (
        ("ingest", stages.ingest, {}),
        ("read", stages.read, {}),
        ("encode", stages.encode, {}),
        ("submit", stages.submit, _RETRIED),
        ("translate", stages.translate, _RETRIED),
        ("decode", stages.decode, {}),
        ("write", stages.write, {}),
        ("report", stages.report, {}),
    )
}
"""Tasks by name, one for each stage but ``translate_here``, which asks nobody."""


def _make_starter(name: str) -> Callable[..., StageResult]:
    def start(run: Run, *ids: Any) -> StageResult:
        _runs[run.job.run_id] = run
        return TASKS[name](run.job, *ids)

    return start


PREFECT_STAGES: Final = Stages(**{name: _make_starter(name) for name in TASKS}, each=run_in_workers)
"""Stages as tasks over a chunk of documents; the tasks wait for worker processes."""
