"""The edge of every stage: what may leave it is a count or a clean error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec

from prism_core.errors import cleanly
from prism_core.stages.run import Run

Ids = ParamSpec("Ids")


@dataclass(frozen=True, slots=True)
class Counted:
    """What a call of a stage did. ``again`` counts sentences that an earlier stage must redo."""

    documents: int = 0
    sentences: int = 0
    again: int = 0


Stage = Callable[Concatenate[Run, Ids], Counted]


def stage(name: str) -> Callable[[Stage[Ids]], Stage[Ids]]:
    """Make a function a stage: it notes that the run has come to it, and ends ``cleanly``."""

    def decorate(function: Stage[Ids]) -> Stage[Ids]:
        @wraps(function)
        def bounded(run: Run, /, *ids: Ids.args, **options: Ids.kwargs) -> Counted:
            def entered() -> Counted:
                run.store.runs.enter(run.job.run_id, name)
                return function(run, *ids, **options)

            return cleanly(entered)

        return bounded

    return decorate
