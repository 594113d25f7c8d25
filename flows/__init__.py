"""What Prefect runs, and the ``prism`` command, which can run the same as a flow of its process.

``enter_prefect`` comes first: what else is named here imports Prefect when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flows.build_dictionary import run_build_as_flow
    from flows.evaluate_privacy import run_evaluation_as_flow
    from flows.prefect_environment import enter_prefect
    from flows.translate_archive import run_translation_as_flow

__all__ = [
    "enter_prefect",
    "run_build_as_flow",
    "run_evaluation_as_flow",
    "run_translation_as_flow",
]

_HOME = {
    "enter_prefect": "prefect_environment",
    "run_build_as_flow": "build_dictionary",
    "run_evaluation_as_flow": "evaluate_privacy",
    "run_translation_as_flow": "translate_archive",
}


def __getattr__(name: str) -> object:
    """What is called ``name``, from its module, which is imported now."""
    if name not in _HOME:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
