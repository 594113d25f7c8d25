"""What every task of PRISM tells Prefect: keep nothing, cache nothing, print nothing."""

from __future__ import annotations

from typing import Any, Final

from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State

from prism_core.errors import Transient

PRIVATE: Final[dict[str, Any]] = {
    "persist_result": False,
    "cache_policy": NO_CACHE,
    "log_prints": False,
}
"""Results and cache keys would carry what a stage was given; the state store remembers instead."""


def is_transient(_task: object, _run: object, state: State[Any]) -> bool:
    """Whether the failure in ``state`` may pass: nothing else is tried again."""
    return isinstance(state.data, Transient)
