"""Send the sentences of a wave to the translator, as a Prefect task: the one with retries."""

from __future__ import annotations

from prefect import task

from prism_core.settings.job import Job
from prism_core.stages.boundary import Counted
from prism_core.stages.gather import Wave
from prism_core.stages.translate import translate as stage
from tasks.options import PRIVATE, is_transient


@task(
    name="translate", retries=2, retry_delay_seconds=60, retry_condition_fn=is_transient, **PRIVATE
)
def translate(job: Job, wave: Wave) -> Counted:
    """See ``prism_core.stages.translate``."""
    return stage(job, wave)
