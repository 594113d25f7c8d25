"""Jobs: what the product does for somebody, as plain functions over a ``Job`` or a ``Run``.

Each module is one job, imported when one of its functions is first used: a command needs but one.
Whoever shows what a job gives also uses the modules that are named here, with their records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from prism_core.jobs import auditing, planning, reviewing
    from prism_core.jobs.memory_files import export_memory, open_memory, place_of_export
    from prism_core.jobs.notifying import count_failures, notice_of, notify, notify_on_exit
    from prism_core.jobs.planning import (
        job_without_state,
        open_scratch_run,
        place_of_no_output,
        read_on_scratch_state,
    )
    from prism_core.jobs.preparation import check_settings, prepare_job, variables_of
    from prism_core.jobs.shard import do_shard
    from prism_core.jobs.sharding import Fleet, do_shard_apart
    from prism_core.jobs.translation import (
        LOCAL_STAGES,
        Stages,
        last_job,
        run_in_workers,
        translate,
    )

__all__ = [
    "LOCAL_STAGES",
    "Fleet",
    "Stages",
    "auditing",
    "check_settings",
    "count_failures",
    "do_shard",
    "do_shard_apart",
    "export_memory",
    "job_without_state",
    "last_job",
    "notice_of",
    "notify",
    "notify_on_exit",
    "open_memory",
    "open_scratch_run",
    "place_of_export",
    "place_of_no_output",
    "planning",
    "prepare_job",
    "read_on_scratch_state",
    "reviewing",
    "run_in_workers",
    "translate",
    "variables_of",
]

__getattr__ = lazy_door(
    __name__,
    {
        "memory_files": "export_memory open_memory place_of_export",
        "notifying": "count_failures notice_of notify notify_on_exit",
        "planning": "job_without_state open_scratch_run place_of_no_output read_on_scratch_state",
        "preparation": "check_settings prepare_job variables_of",
        "shard": "do_shard",
        "sharding": "Fleet do_shard_apart",
        "translation": "LOCAL_STAGES Stages last_job run_in_workers translate",
    },
)
