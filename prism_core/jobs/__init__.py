"""Jobs: what the product does for somebody, as plain functions over a ``Job`` or a ``Run``.

Each module is one job, imported when one of its functions is first used: a command needs but one.
Whoever shows what a job gives also uses the modules that are named here, with their records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from prism_core.jobs import (
        archive_evaluation,
        auditing,
        building,
        evaluation,
        extension,
        gate_training,
        model_evaluation,
        planning,
        reviewing,
        training,
    )
    from prism_core.jobs.memory_files import export_memory, open_memory, place_of_export
    from prism_core.jobs.merging import measure_dictionary, merge_dictionaries
    from prism_core.jobs.notifying import count_failures, notice_of, notify, notify_on_exit
    from prism_core.jobs.preparation import check_settings, prepare_job, variables_of
    from prism_core.jobs.recipe import BuildRecipe, make_build_recipe
    from prism_core.jobs.shard import do_shard
    from prism_core.jobs.sharding import Fleet, do_shard_apart
    from prism_core.jobs.translation import LOCAL_STAGES, Stages, at_once, last_job, translate

__all__ = [
    "LOCAL_STAGES",
    "BuildRecipe",
    "Fleet",
    "Stages",
    "archive_evaluation",
    "at_once",
    "auditing",
    "building",
    "check_settings",
    "count_failures",
    "do_shard",
    "do_shard_apart",
    "evaluation",
    "export_memory",
    "extension",
    "gate_training",
    "last_job",
    "make_build_recipe",
    "measure_dictionary",
    "merge_dictionaries",
    "model_evaluation",
    "notice_of",
    "notify",
    "notify_on_exit",
    "open_memory",
    "place_of_export",
    "planning",
    "prepare_job",
    "reviewing",
    "training",
    "translate",
    "variables_of",
]

__getattr__ = lazy_door(
    __name__,
    {
        "memory_files": "export_memory open_memory place_of_export",
        "merging": "measure_dictionary merge_dictionaries",
        "notifying": "count_failures notice_of notify notify_on_exit",
        "preparation": "check_settings prepare_job variables_of",
        "recipe": "BuildRecipe make_build_recipe",
        "shard": "do_shard",
        "sharding": "Fleet do_shard_apart",
        "translation": "LOCAL_STAGES Stages at_once last_job translate",
    },
)
