"""A run that is killed: the next one finishes it, and each request is in one report."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from prism_core.jobs import translate
from prism_core.report import ReportFolder
from prism_core.settings import Job
from prism_core.state.store import Runs
from tests.child_process import KILLED, die
from tests.flows.killing import (
    check_resumed,
    kill_at_request,
    kill_at_transaction,
    run_in_child,
)
from tests.stages.archive import EXPECTED, Backwards, again, install, outputs, received

REQUESTS = [(1, "before"), (1, "after"), (2, "before"), (2, "after"), (3, "after")]


def test_requests_of_a_run_that_was_killed_are_in_the_report_of_the_next_and_of_no_other(
    job: Job, log: Path
) -> None:
    assert run_in_child(job, kill_at_request(log, 2, "before")) == KILLED
    install(Backwards(log))
    resumed, later = (again(job), again(job))
    translate(resumed)
    written = ReportFolder(resumed.report_folder).find(resumed.run_id)
    assert written is not None
    assert written.totals.requests == len(received(log))
    assert 1 <= written.totals.retries <= 2, "the texts that were under way, shuffled afresh"
    translate(later)
    written = ReportFolder(later.report_folder).find(later.run_id)
    assert written is not None
    assert (written.totals.requests, written.totals.retries) == (0, 0)


def test_requests_of_a_run_that_was_killed_after_its_report_are_in_that_one_alone(
    job: Job, log: Path
) -> None:
    def prepare() -> None:
        install(Backwards(log))
        Runs.end = lambda *_: die()  # type: ignore[method-assign, assignment]

    assert run_in_child(job, prepare) == KILLED
    install(Backwards(log))
    translate(again(job))
    reports = [folder.name for folder in job.report_folder.glob("run=*")]
    assert len(reports) == 2
    written = [ReportFolder(job.report_folder).find(name.removeprefix("run=")) for name in reports]
    assert sum(one.totals.requests for one in written if one) == len(received(log))


@pytest.mark.parametrize(("number", "moment"), REQUESTS)
def test_a_run_killed_at_a_request_is_finished_by_the_next(
    job: Job, log: Path, number: int, moment: str
) -> None:
    assert run_in_child(job, kill_at_request(log, number, moment)) == KILLED
    check_resumed(job, log)


@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize("number", [2, 5, 8, 11, 14, 17, 20, 23, 26])
def test_a_run_killed_at_a_transaction_is_finished_by_the_next(
    job: Job, log: Path, number: int, committed: bool
) -> None:
    assert run_in_child(job, kill_at_transaction(log, number, committed=committed)) == KILLED
    check_resumed(job, log)


def test_a_run_killed_between_output_and_record_is_finished_by_the_next(
    job: Job, log: Path
) -> None:
    def prepare() -> None:
        folder: Any = import_module("prism_core.storage.folder_location")
        original = folder.put_in_place

        def killed_after(*paths: Path, replace: bool) -> None:
            original(*paths, replace=replace)
            die()

        folder.put_in_place = killed_after
        install(Backwards(log))

    assert run_in_child(job, prepare) == KILLED
    assert 1 <= len(outputs(job)) < len(EXPECTED)
    check_resumed(job, log)
