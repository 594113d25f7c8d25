"""The flow ``translate-archive``: the job of the night, and of ``--engine prefect``.

Its parameters are paths and an id. Texts, keys and settings never enter Prefect, which keeps
parameters, messages, results and artifacts in its database: stages exchange ids, settings are read
from file and environment where the flow runs, every error is stripped of foreign words, and the
artifacts hold counts.
"""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

from prefect import flow

from flows.artifacts import keep_artifacts
from prism_core.errors import cleanly
from prism_core.jobs import notify_on_exit, prepare_job, translate
from tasks import PREFECT_STAGES


@flow(name="translate-archive", persist_result=False, log_prints=False)
def translate_archive(
    input_folder: str,
    output_folder: str,
    settings_file: str | None = None,
    run_id: str | None = None,
    notify: bool = True,
) -> None:
    """Translate every document in ``input_folder`` into ``output_folder``.

    Settings come from ``settings_file`` and from the environment of the process that runs this.
    Documents that fail are rows of the report; the flow fails only when the run does. With
    ``notify`` whoever the settings name is told how it ended; else the caller sees to that.
    """

    def run() -> None:
        settings = Path(settings_file) if settings_file else None
        job = prepare_job(Path(input_folder), Path(output_folder), settings, run_id=run_id)
        with notify_on_exit(job) if notify else nullcontext(), keep_artifacts(job):
            translate(job, PREFECT_STAGES)

    cleanly(run)
