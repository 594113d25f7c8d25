"""Measure one method over one corpus, as a Prefect task."""

from __future__ import annotations

from prefect import task

from prism_core.evaluation.laboratory import open_laboratory
from tasks.options import PRIVATE


@task(name="measure", task_run_name="measure-{corpus}-{method}", **PRIVATE)
def measure(place: str, corpus: str, method: str) -> None:
    """See ``prism_core.evaluation.laboratory``; ``place`` names the one that is open there."""
    open_laboratory(place).measure(corpus, method)
