"""What leaves a stage is a count or a clean error: whoever records it records no text."""

from __future__ import annotations

import traceback
from pathlib import Path

import pytest

from prism_core.errors import DocumentError, DocumentFailure, InternalFault, StateError
from prism_core.stages import Run, StageResult
from prism_core.stages.run import stage
from prism_core.state import StatePlace
from tests.stages.archive import make_job

SECRET = "Alice is heading to the hideout"


@stage("breaking")
def breaking(run: Run, error: Exception) -> StageResult:
    try:
        raise ValueError(SECRET)
    except ValueError as first:
        raise error from first


@stage("working")
def working(run: Run) -> StageResult:
    return StageResult(documents=1)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (KeyError(SECRET), InternalFault),
        (RuntimeError(SECRET), InternalFault),
        (StateError("the disk is full"), StateError),
        (DocumentError(DocumentFailure.CORRUPT), DocumentError),
    ],
)
def test_no_error_carries_text_out(
    tmp_path: Path, error: Exception, expected: type[Exception]
) -> None:
    job = make_job(tmp_path)
    with Run.open(job) as run, pytest.raises(expected) as raised:
        breaking(run, error)
    assert SECRET not in "".join(traceback.format_exception(raised.value))
    assert raised.value.__cause__ is None
    assert raised.value.__context__ is None
    frames = traceback.walk_tb(raised.value.__traceback__)
    stage_frames = [frame for frame, _ in frames if frame.f_code.co_name == "breaking"]
    assert stage_frames == [], "a frame keeps its locals"


def test_a_stage_says_in_the_store_that_it_was_reached(tmp_path: Path) -> None:
    job = make_job(tmp_path)
    with Run.open(job) as run:
        run.store.runs.begin(job.run_id)
        assert working(run) == StageResult(documents=1)
        assert StatePlace.of(job).progress(job.run_id).stage == "working"
