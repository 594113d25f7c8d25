"""Write the report of a run, as a Prefect task."""

from __future__ import annotations

from prefect import task

from prism_core.settings.job import Job
from prism_core.stages.boundary import Counted
from prism_core.stages.report import report as stage
from tasks.options import PRIVATE


@task(name="report", **PRIVATE)
def report(job: Job) -> Counted:
    """See ``prism_core.stages.report``."""
    return stage(job)
