"""Measure one method over one corpus, as a Prefect task."""

from __future__ import annotations

from prefect import task

from prism_core.evaluation import Laboratory
from tasks.options import PRIVATE


def measure_in_task(laboratory: Laboratory, corpus: str, method: str) -> None:
    """``laboratory.measure`` as a task of this process.

    The task is given names alone: Prefect looks through the objects that are handed to it.
    """

    @task(name="measure", task_run_name="measure-{corpus}-{method}", **PRIVATE)
    def measure(corpus: str, method: str) -> None:
        laboratory.measure(corpus, method)

    measure(corpus, method)
