"""The flow ``translate-archive``: the job of the night, and of ``--engine prefect``.

Its parameters are paths, an id, and which shard of a run it is to do. Texts, keys and settings
never enter Prefect, which keeps parameters, messages, results and artifacts in its database: stages
exchange ids, settings are read from file and environment where the flow runs, every error is
stripped of foreign words, and the artifacts hold counts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from prefect import flow
from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.client.schemas.objects import State
from prefect.states import Completed

from flows.cluster_shards import check_cluster
from flows.prefect_environment import run_flow
from flows.shard_runs import open_fleet
from prism_core.errors import TooManyFailed, sanitize_errors
from prism_core.jobs import (
    count_failures,
    make_notice,
    notify_on_exit,
    prepare_job,
    run_shard,
    translate,
)
from prism_core.notification import Notice
from prism_core.report import ReportFolder
from prism_core.settings import Job, Phase, Shard
from tasks import PREFECT_STAGES

TOTALS_KEY, SUMMARY_KEY = "prism-run-totals", "prism-run-summary"
SOME_FAILED = "CompletedWithFailures"
"""The name of the state of a flow run in which documents failed, but not too many."""


@contextmanager
def keep_artifacts(job: Job) -> Iterator[None]:
    """Keep the artifacts of the flow run that the block is part of, also when it fails.

    When Prefect cannot keep them, a line on standard error says so, and the run is as it was.
    """
    try:
        yield
    except Exception as error:
        _keep(job, error)
        raise
    _keep(job, None)


def _keep(job: Job, error: Exception | None) -> None:
    try:
        notice = make_notice(job, error)
        if notice.totals:
            table = [{"counted": k, "count": count} for k, count in notice.counts().items()]
            create_table_artifact(table=table, key=TOTALS_KEY, description=f"Run {notice.run_id}")
        create_markdown_artifact(markdown=markdown_of(notice), key=SUMMARY_KEY)
    except Exception as fault:  # noqa: BLE001 - neither the run's outcome nor foreign words
        said = f"prism: Prefect could not keep the artifacts of the run ({type(fault).__name__})\n"
        sys.stderr.write(said)


def markdown_of(notice: Notice) -> str:
    """How the run ended and what came of documents, sentences and tokens."""
    head = f"# {notice.outcome}\n\nRun `{notice.run_id}`, exit code {int(notice.exit_code)}."
    if not notice.totals:
        return f"{head} It did not come to its report.\n"
    totals, lines = notice.totals, []
    for whole, parts in (
        ("documents", ("translated", "partly", "unchanged", "failed")),
        ("sentences", ("withheld", "unrestored", "from_memory")),
        ("tokens", ("replaced", "identifier", "unknown", "kept", "withheld")),
    ):
        counts = (f"{totals[f'{whole}_{part}']:,} {part.replace('_', ' ')}" for part in parts)
        lines.append(f"- {totals[whole]:,} {whole}: {', '.join(counts)}")
    sent = f"- {totals['requests']:,} requests, {totals['characters']:,} characters"
    classes = [f"- failed: {name}, {n:,}" for name, n in sorted(notice.failed.items())]
    return "\n".join([head, "", *lines, sent, *classes]) + "\n"


def run_translation(
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
    Documents that fail are rows of the report. With ``notify`` whoever the settings name is told
    how it ended, and the flow fails also when more failed than ``night.most_failed`` allows; else
    the caller sees to both.

    Where the settings ask for shards, each is a run of this flow too, which is given the ``phase``
    that it is in, and that it is ``shard`` of ``shards``.
    """

    def run() -> State[None] | None:
        settings = Path(settings_file) if settings_file else None
        job = prepare_job(input_folder, output_folder, settings, run_id=run_id)
        if phase is not None:
            own = Shard(phase=phase, number=shard, of=shards)
            run_shard(job.model_copy(update={"shard": own}), PREFECT_STAGES)
            return None
        with (
            notify_on_exit(job) if notify else nullcontext(),
            keep_artifacts(job),
            open_fleet(job, settings) as fleet,
        ):
            translate(job, PREFECT_STAGES, fleet)
        return _state_of(job) if notify else None

    return sanitize_errors(run)


translate_archive = flow(
    run_translation, name="translate-archive", persist_result=False, log_prints=False
)
"""``run_translation``; a function with the name of its flow could not be sent to a cluster."""


def _state_of(job: Job) -> State[None] | None:
    """The state that the flow run ends in: named where documents failed; None is Prefect's own.

    Raises ``TooManyFailed``.
    """
    report = ReportFolder(job.report_folder).find(job.run_id)
    failed = count_failures(job, report) if report else 0
    if report is None or not failed:
        return None
    documents = report.totals.documents
    counted = f"{failed:,} of {documents:,} documents failed"
    if failed > job.settings.night.most_failed * documents:
        raise TooManyFailed(f"{counted}, more than night.most_failed allows; see the report")
    return Completed(name=SOME_FAILED, message=f"{counted}; see the report")


def run_translation_as_flow(job: Job, settings_file: Path | None) -> None:
    """``translate`` as a flow of this process, on the server of Prefect's own settings.

    The caller notifies whoever the settings name. Raises ``ConfigurationError`` before Prefect does
    anything where shards are for a cluster, and a setting is missing.
    """
    check_cluster(job)
    run_flow(
        lambda: translate_archive(
            str(job.input),
            str(job.output),
            settings_file=str(settings_file) if settings_file else None,
            run_id=job.run_id,
            notify=False,
        )
    )
