"""The flow ``translate-archive``: for nightly runs, and for ``--engine prefect``.

Its parameters are paths, an id, and the shard of a run to process. Texts, keys and settings never
enter Prefect, which keeps parameters, messages, results and artifacts in its database: stages
exchange ids, settings are read from file and environment where the flow runs, every error is
stripped of foreign messages, and the artifacts hold counts.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path

from prefect import flow
from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.client.schemas.objects import State
from prefect.states import Completed

from flows.deployed_shards import find_fleet
from flows.prefect_environment import run_flow
from prism_core.errors import ExitCode, TooManyFailed, sanitize_errors
from prism_core.jobs import (
    call_on_exit,
    count_failures,
    judge_documents,
    make_notice,
    prepare_job,
    run_shard,
    translate,
)
from prism_core.jobs import notify as send_notice
from prism_core.notification import Notice
from prism_core.report import ReportFolder
from prism_core.settings import Job, Phase, Shard
from tasks import PREFECT_STAGES

TOTALS_KEY, SUMMARY_KEY = "prism-run-totals", "prism-run-summary"
SOME_FAILED, TOO_MANY_PARTLY = "CompletedWithFailures", "CompletedPartly"
"""Names of the states of a flow run in which documents failed, but not too many, and in which too
many are partly in the source language."""


def create_artifacts(job: Job, error: BaseException | None) -> None:
    """Create the artifacts of this flow run, unless it was interrupted.

    It ended with ``error`` or with none. If Prefect cannot keep them, a line on standard error says
    so, and the run is not affected.
    """
    if not (error is None or isinstance(error, Exception)):
        return
    try:
        notice = make_notice(job, error)
        if notice.totals:
            table = [{"counted": k, "count": count} for k, count in notice.counts().items()]
            create_table_artifact(table=table, key=TOTALS_KEY, description=f"Run {notice.run_id}")
        create_markdown_artifact(markdown=make_markdown(notice), key=SUMMARY_KEY)
    except Exception as fault:  # noqa: BLE001 - the run's outcome stays, the message is not shown
        message = (
            f"prism: Prefect could not keep the artifacts of the run ({type(fault).__name__})\n"
        )
        sys.stderr.write(message)


def make_markdown(notice: Notice) -> str:
    """Return how the run ended, with the counts of documents, sentences and tokens."""
    head = f"# {notice.outcome}\n\nRun `{notice.run_id}`, exit code {int(notice.exit_code)}."
    if not notice.totals:
        return f"{head} It did not come to its report.\n"
    totals, lines = notice.totals, []
    for whole, parts in (
        ("documents", ("translated", "partly", "unchanged", "failed")),
        ("sentences", ("to_look_at", "withheld", "unrestored", "from_memory")),
        ("tokens", ("replaced", "identifier", "unknown", "kept", "withheld")),
    ):
        counts = (f"{totals[f'{whole}_{part}']:,} {part.replace('_', ' ')}" for part in parts)
        lines.append(f"- {totals[whole]:,} {whole}: {', '.join(counts)}")
    sent = f"- {totals['requests']:,} requests, {totals['characters']:,} characters"
    classes = [f"- failed: {name}, {n:,}" for name, n in sorted(notice.failed.items())]
    return "\n".join([head, "", *lines, sent, *classes]) + "\n"


@flow(name="translate-archive", persist_result=False, log_prints=False)
def translate_archive(
    input_folder: str,
    output_folder: str,
    settings_file: str | None = None,
    run_id: str | None = None,
    notify: bool = True,
    phase: Phase | None = None,
    shard: int = 0,
    shards: int = 1,
) -> State[None] | None:
    """Translate every document in ``input_folder`` into ``output_folder``.

    Settings come from ``settings_file`` and from the environment of the process that runs this.
    Documents that fail are rows of the report. With ``notify`` the recipients in the settings are
    notified of the end, and the flow also fails when more documents failed than
    ``night.most_failed`` allows; otherwise the caller does both.

    Where the settings ask for shards, each is a run of this flow too, with its ``phase`` and as
    ``shard`` of ``shards``.
    """

    def run() -> State[None] | None:
        settings = Path(settings_file) if settings_file else None
        job = prepare_job(input_folder, output_folder, settings, run_id=run_id)
        if phase is not None:
            own_shard = Shard(phase=phase, number=shard, of=shards)
            run_shard(job.model_copy(update={"shard": own_shard}), PREFECT_STAGES)
            return None
        with (
            call_on_exit(send_notice, job) if notify else nullcontext(),
            call_on_exit(create_artifacts, job),
        ):
            translate(job, PREFECT_STAGES, find_fleet(job, settings))
        return _final_state(job) if notify else None

    return sanitize_errors(run)


def _final_state(job: Job) -> State[None] | None:
    """Return the final state of the flow run: named where documents failed; None is Prefect's own.

    Raises ``TooManyFailed``.
    """
    report = ReportFolder(job.report_folder).find(job.run_id)
    if report is None:
        return None
    documents, failed = report.totals.documents, count_failures(job, report)
    if judge_documents(job, report) is ExitCode.TOO_MANY_PARTLY:
        partly = f"{report.totals.documents_partly:,} of {documents:,} documents"
        message = f"{partly} are partly in the source language; see the report"
        return Completed(name=TOO_MANY_PARTLY, message=message)
    if not failed:
        return None
    summary = f"{failed:,} of {documents:,} documents failed"
    if failed > job.settings.night.most_failed * documents:
        raise TooManyFailed(f"{summary}, more than night.most_failed allows; see the report")
    return Completed(name=SOME_FAILED, message=f"{summary}; see the report")


def run_translation_as_flow(job: Job, settings_file: Path | None) -> None:
    """Run ``translate`` as a flow of this process, on the server of Prefect's own settings.

    The caller notifies the recipients in the settings.
    """
    run_flow(
        lambda: translate_archive(
            str(job.input),
            str(job.output),
            settings_file=str(settings_file) if settings_file else None,
            run_id=job.run_id,
            notify=False,
        )
    )
