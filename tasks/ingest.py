"""Find the documents of an archive, as a Prefect task."""

from __future__ import annotations

from prefect import task

from prism_core.settings.job import Job
from prism_core.stages.boundary import Counted
from prism_core.stages.ingest import ingest as stage
from tasks.options import PRIVATE


@task(name="ingest", **PRIVATE)
def ingest(job: Job) -> Counted:
    """See ``prism_core.stages.ingest``."""
    return stage(job)
