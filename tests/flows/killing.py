"""Runs of the composition in a real process that is really killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection

from flows.composition import translate
from prism_core.errors import ExitCode, PrismError
from prism_core.job import Job
from prism_core.stages.shared import close_store, open_store
from prism_core.state.database import Database
from prism_core.state.schema import SentenceStatus
from prism_core.state.sentences import StoredSentence
from tests.stages.archive import Backwards, install

_FORK = multiprocessing.get_context("fork")


def run_in_child(job: Job, prepare: Callable[[], None]) -> int:
    """Run ``job`` in a child process after ``prepare``; its exit code, negative for a signal."""

    def child() -> None:
        prepare()
        try:
            translate(job)
        except PrismError as error:
            os._exit(error.exit_code)
        os._exit(ExitCode.OK)

    process = _FORK.Process(target=child)
    process.start()
    process.join(120)
    assert process.exitcode is not None, "the run hangs"
    return process.exitcode


def kill_at_request(log: Path, number: int, moment: str) -> Callable[[], None]:
    """Kill when request ``number`` has arrived, or when its answer is about to leave."""

    def die(arrived: int) -> None:
        if arrived == number:
            os.kill(os.getpid(), signal.SIGKILL)

    return lambda: install(Backwards(log, **{moment: die}))


def kill_at_transaction(log: Path, number: int, *, committed: bool) -> Callable[[], None]:
    """Kill just before or after transaction ``number`` of the run is committed."""
    passed = 0
    original = Database.writing

    @contextmanager
    def writing(self: Database) -> Iterator[Connection]:
        nonlocal passed
        passed += 1
        with original(self) as connection:
            yield connection
            if passed == number and not committed:
                os.kill(os.getpid(), signal.SIGKILL)
        if passed == number and committed:
            os.kill(os.getpid(), signal.SIGKILL)

    def prepare() -> None:
        install(Backwards(log))
        Database.writing = writing  # type: ignore[method-assign]

    return prepare


def answered_texts(job: Job) -> set[str]:
    """The texts whose answers are in the store."""
    settled = (SentenceStatus.ANSWERED, SentenceStatus.DONE)
    return {s.encoded.text for s in _sentences(job) if s.encoded and s.status in settled}


def ids_by_text(job: Job) -> dict[str, str]:
    """The id of the sentence that each text was sent for."""
    return {s.encoded.text: s.id for s in _sentences(job) if s.encoded}


def _sentences(job: Job) -> list[StoredSentence]:
    store = open_store(job)
    try:
        return [
            sentence
            for document in store.documents.of_run(job.run_id)
            for sentence in store.sentences.of_document(document.id).values()
        ]
    finally:
        close_store(job)
