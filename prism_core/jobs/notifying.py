"""Notify the recipients in the settings of how a run ended.

The notice is made from the run's report, which holds no text; for an error it names the class.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from prism_core.errors import ExitCode, InternalFault, PrismError
from prism_core.notification import COMPLETE, Notice, configured_channels, deliver
from prism_core.report import NOT_REACHED, ReportFolder, RunReport
from prism_core.settings import Job


def notify(job: Job, error: BaseException | None) -> tuple[str, ...]:
    """Send the notice of a run that ended with ``error``, or with none; return the problems.

    Never raises; problems are also printed on standard error.
    """
    settings = job.settings.notify
    if not configured_channels(settings):
        return ()
    try:
        problems = deliver(settings, make_notice(job, error), os.environ)
    except Exception as fault:  # noqa: BLE001 - the notice must not change how the run ended
        problems = (
            f"the summary of the run could not be made: {InternalFault.from_exception(fault)}",
        )
    for problem in problems:
        sys.stderr.write(f"prism: {problem}\n")
    return problems


@contextmanager
def call_on_exit(act: Callable[[Job, BaseException | None], object], job: Job) -> Iterator[None]:
    """Call ``act`` with how the block ended, also when it is interrupted; raise its exception."""
    try:
        yield
    except BaseException as error:
        act(job, error)
        raise
    act(job, None)


def make_notice(job: Job, error: BaseException | None) -> Notice:
    """Return the notice of a run, in counts and classes."""
    report = ReportFolder(job.report_folder).find(job.run_id)
    if isinstance(error, Exception) and not isinstance(error, PrismError):
        error = InternalFault.from_exception(error)  # not even the class of a foreign error is sent
    if isinstance(error, PrismError):
        outcome, exit_code = type(error).__name__, error.exit_code
    elif error is not None:
        outcome, exit_code = "Interrupted", ExitCode.INTERRUPTED
    else:
        outcome, exit_code = COMPLETE, judge_documents(job, report) if report else ExitCode.OK
    return Notice.from_report(job.run_id, outcome, exit_code, report, job.settings.notify.label)


def judge_documents(job: Job, report: RunReport) -> ExitCode:
    """Return the exit code of a run that ended by itself: see ``NightSettings``."""
    if count_failures(job, report):
        return ExitCode.SOME_DOCUMENTS_FAILED
    totals = report.totals
    if totals.documents_partly > job.settings.night.most_partly * totals.documents:
        return ExitCode.TOO_MANY_PARTLY
    return ExitCode.OK


def count_failures(job: Job, report: RunReport) -> int:
    """Return the number of failed documents that count for the exit code: see ``NightSettings``.

    Documents that a stopped run did not reach always count.
    """
    if job.settings.night.known_failures == "count":
        return report.totals.documents_failed
    return len(report.failed_anew) + report.failure_counts[NOT_REACHED]
