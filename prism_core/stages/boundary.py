"""The edge of every stage: what may leave it is a count or a clean error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec

from prism_core.errors import InternalFault, PrismError
from prism_core.job import Job
from prism_core.stages.shared import open_store

Ids = ParamSpec("Ids")


@dataclass(frozen=True, slots=True)
class Counted:
    """What a call of a stage did. ``again`` counts sentences that an earlier stage must redo."""

    documents: int = 0
    sentences: int = 0
    again: int = 0


Stage = Callable[Concatenate[Job, Ids], Counted]


def stage(name: str) -> Callable[[Stage[Ids]], Stage[Ids]]:
    """Make a function a stage: note in the store that the run has come to it, and seal its errors.

    A ``PrismError`` goes on without cause, context and frames; anything else becomes an
    ``InternalFault``, since its message and its locals may hold text of a document.
    """

    def decorate(function: Stage[Ids]) -> Stage[Ids]:
        @wraps(function)
        def bounded(job: Job, /, *ids: Ids.args, **options: Ids.kwargs) -> Counted:
            try:
                open_store(job).runs.enter(job.run_id, name)
                return function(job, *ids, **options)
            except PrismError as error:
                clean = error.with_traceback(None)
            except Exception as error:  # noqa: BLE001 (any fault may quote a document)
                clean = InternalFault.of(error)
            clean.__cause__ = clean.__context__ = None
            raise clean from None

        return bounded

    return decorate
