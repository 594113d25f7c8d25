"""Jobs: the operations of the product, as plain functions over a ``Job`` or a ``Run``.

Each module is one job and is imported when one of its functions is first used, because a command
needs only one. Code that displays results also uses the modules named here, with their records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from prism_core.jobs import auditing, planning
    from prism_core.jobs.memory_files import choose_memory_path, export_memory, open_memory
    from prism_core.jobs.notifying import (
        call_on_exit,
        count_failures,
        judge_documents,
        make_notice,
        notify,
    )
    from prism_core.jobs.planning import (
        choose_unused_output,
        job_without_state,
        open_scratch_run,
        read_on_scratch_state,
    )
    from prism_core.jobs.preparation import check_settings, prepare_job, to_environment_variables
    from prism_core.jobs.shard import run_shard
    from prism_core.jobs.sharding import Fleet
    from prism_core.jobs.translation import (
        LOCAL_STAGES,
        Pipeline,
        Stages,
        last_job,
        last_report,
        run_in_workers,
        translate,
        watch,
    )

__all__ = [
    "LOCAL_STAGES",
    "Fleet",
    "Pipeline",
    "Stages",
    "auditing",
    "call_on_exit",
    "check_settings",
    "choose_memory_path",
    "choose_unused_output",
    "count_failures",
    "export_memory",
    "job_without_state",
    "judge_documents",
    "last_job",
    "last_report",
    "make_notice",
    "notify",
    "open_memory",
    "open_scratch_run",
    "planning",
    "prepare_job",
    "read_on_scratch_state",
    "run_in_workers",
    "run_shard",
    "to_environment_variables",
    "translate",
    "watch",
]

__getattr__ = lazy_door(__name__)
