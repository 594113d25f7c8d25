"""Hand in the sentences of a wave to a translator that answers by the batch, as a Prefect task."""

from __future__ import annotations

from prefect import task

from prism_core.settings.job import Job
from prism_core.stages.boundary import Counted
from prism_core.stages.gather import Wave
from prism_core.stages.translate import submit as stage
from tasks.options import PRIVATE, is_transient


@task(name="submit", retries=2, retry_delay_seconds=60, retry_condition_fn=is_transient, **PRIVATE)
def submit(job: Job, wave: Wave) -> Counted:
    """See ``prism_core.stages.translate.submit``."""
    return stage(job, wave)
