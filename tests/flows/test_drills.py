"""Faults that need no process of their own: a database that is locked, a clock that jumps."""

from __future__ import annotations

import sqlite3
import threading
import time
from contextlib import closing
from itertools import cycle
from pathlib import Path

import pytest

from prism_core.errors import StoreInUse
from prism_core.jobs import translate
from prism_core.settings import Job
from prism_core.state import database
from tests.stages.archive import (
    DISTINCT,
    EXPECTED,
    Backwards,
    again,
    install,
    outputs,
    received,
)


class Locker:
    """Locks the database of ``job`` when the second request arrives, for ``seconds``."""

    def __init__(self, job: Job, seconds: float) -> None:
        self._path, self._seconds = job.state_folder / "state.db", seconds
        self.thread: threading.Thread | None = None

    def __call__(self, number: int) -> None:
        if number == 2:
            locked = threading.Event()
            self.thread = threading.Thread(target=self._lock, args=(locked,))
            self.thread.start()
            assert locked.wait(10)

    def _lock(self, locked: threading.Event) -> None:
        with closing(sqlite3.connect(self._path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            locked.set()
            time.sleep(self._seconds)
            other.execute("ROLLBACK")


def test_a_run_waits_for_a_database_that_is_locked_for_a_moment(job: Job, log: Path) -> None:
    locker = Locker(job, 1.0)
    install(Backwards(log, before=locker))
    assert translate(job).documents_written == 3
    assert locker.thread is not None
    locker.thread.join()
    assert outputs(job) == EXPECTED
    assert sum(map(len, received(log))) == DISTINCT


def test_a_run_that_cannot_record_answers_ends_and_the_next_one_finishes(
    job: Job, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 1)
    locker = Locker(job, 4.0)
    install(Backwards(log, before=locker))
    with pytest.raises(StoreInUse):
        translate(job)
    assert locker.thread is not None
    locker.thread.join()
    first = received(log)
    install(Backwards(log))
    translate(again(job))
    assert outputs(job) == EXPECTED
    later = {text for request in received(log)[len(first) :] for text in request}
    assert not later & set(first[0]), "it was answered, and recorded"


def test_a_clock_that_jumps_changes_nothing(
    job: Job, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, jumps = time.time, cycle((0, -3_600, 86_400, -30 * 86_400, 5, 0, 3 * 86_400))
    monkeypatch.setattr(time, "time", lambda: real() + next(jumps))
    assert translate(job).documents_written == 3
    second = translate(again(job))
    assert (second.documents_unchanged, second.requests) == (3, 0)
    assert outputs(job) == EXPECTED
    assert sum(map(len, received(log))) == DISTINCT
