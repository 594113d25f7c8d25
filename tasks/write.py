"""Write the documents of a chunk, as a Prefect task."""

from __future__ import annotations

from prefect import task

from prism_core.settings.job import Job
from prism_core.stages.boundary import Counted
from prism_core.stages.workers import in_worker
from prism_core.stages.write import write as stage
from prism_core.state import Chunk
from tasks.options import PRIVATE


@task(name="write", **PRIVATE)
def write(job: Job, chunk: Chunk) -> Counted:
    """See ``prism_core.stages.write``."""
    return in_worker(stage, job, chunk)
