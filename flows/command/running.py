"""A run for a person at a terminal: progress while it goes on, and a summary however it ends.

Nothing heavy is imported before it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from prism_core.errors import ExitCode, PrismError

if TYPE_CHECKING:
    from prism_core.settings.job import Job


def run_and_summarise(
    job: Job, run: Callable[[], object], *, quiet: bool, as_json: bool
) -> ExitCode:
    """Run under a progress display, then say how it ended, also when it was stopped by an error.

    Whoever the settings name is told too, also when it was interrupted.
    """
    from flows.command.console import shown_progress
    from prism_core.jobs.notify import tell
    from prism_core.state import read_progress

    console = Console(stderr=True, quiet=quiet or as_json)
    try:
        with shown_progress(console, lambda: read_progress(job)):
            run()
    except BaseException as error:
        untold = tell(job, error)
        if isinstance(error, PrismError):
            summarise(job, error.exit_code, untold, quiet=quiet, as_json=as_json)
        raise
    return summarise(job, None, tell(job, None), quiet=quiet, as_json=as_json)


def summarise(
    job: Job, stopped: ExitCode | None, untold: Sequence[str], *, quiet: bool, as_json: bool
) -> ExitCode:
    """Print the summary, if there is a report; gives the exit code of the run.

    ``untold``: why somebody who was to be told of it was not.
    """
    from flows.command.summary import print_summary, summary_json
    from prism_core.report import read_report

    report = read_report(job.report_folder, job.run_id)
    if report is None:
        return stopped or ExitCode.OUTPUT_UNWRITABLE
    failed = bool(report.totals.documents_failed)
    exit_code = stopped or (ExitCode.SOME_DOCUMENTS_FAILED if failed else ExitCode.OK)
    if as_json:
        typer.echo(summary_json(job, report, exit_code, untold))
    elif not quiet:
        print_summary(Console(), job, report, names_of(job), untold)
    return exit_code


def names_of(job: Job) -> dict[str, str]:
    """File names, which the state store keeps sealed, for the person at the terminal."""
    from prism_core.stages.report import document_names
    from prism_core.stages.shared import close_store

    try:
        return document_names(job)
    finally:
        close_store(job)


def local_run(job: Job) -> Callable[[], object]:
    """The run in this process, without Prefect."""

    def run() -> object:
        from prism_core.jobs.translate import translate as run_stages

        return run_stages(job)

    return run
