"""Jobs: what the product does for somebody, as plain functions over a ``Job`` or a ``Run``.

Each module is one job, imported when one of its functions is first used: a command needs but one.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prism_core.jobs.archive_evaluation import evaluate_archive
    from prism_core.jobs.building import add_glossary, build_from
    from prism_core.jobs.evaluation import evaluate
    from prism_core.jobs.extension import plan_extension, run_extension
    from prism_core.jobs.memory_files import export_memory, open_memory
    from prism_core.jobs.notifying import notify, notify_on_exit
    from prism_core.jobs.planning import plan, rehearse
    from prism_core.jobs.preparation import last_job, prepare_job
    from prism_core.jobs.translation import LOCAL_STAGES, Stages, at_once, translate

__all__ = [
    "LOCAL_STAGES",
    "Stages",
    "add_glossary",
    "at_once",
    "build_from",
    "evaluate",
    "evaluate_archive",
    "export_memory",
    "last_job",
    "notify",
    "notify_on_exit",
    "open_memory",
    "plan",
    "plan_extension",
    "prepare_job",
    "rehearse",
    "run_extension",
    "translate",
]

_HOME = {
    "add_glossary": "glossary",
    "at_once": "parallel",
    "build_from": "building",
    "evaluate": "evaluation",
    "evaluate_archive": "archive_evaluation",
    "export_memory": "memory_files",
    "last_job": "preparation",
    "notify": "notifying",
    "notify_on_exit": "notifying",
    "open_memory": "memory_files",
    "plan": "planning",
    "plan_extension": "extension",
    "prepare_job": "preparation",
    "rehearse": "planning",
    "run_extension": "extension",
}


def __getattr__(name: str) -> object:
    """What is called ``name``, from its module, which is imported now."""
    if name not in __all__:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{_HOME.get(name, 'translation')}"), name)
