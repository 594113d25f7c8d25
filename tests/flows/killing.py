"""Runs of the composition in a real process that is really killed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from prism_core.errors import ExitCode, PrismError
from prism_core.jobs import translate
from prism_core.settings import Job
from prism_core.stages import Run
from prism_core.state.schema import SentenceStatus
from prism_core.state.stage_records import StoredSentence
from tests.child_process import die, die_at_transaction, exit_code_of
from tests.stages.archive import (
    DISTINCT,
    EXPECTED,
    Backwards,
    again,
    install,
    outputs,
    texts_received,
)


def run_in_child(job: Job, prepare: Callable[[], None]) -> int:
    """Run ``job`` in a child process after ``prepare``; its exit code, negative for a signal."""

    def child() -> None:
        prepare()
        try:
            translate(job)
        except PrismError as error:
            os._exit(error.exit_code)
        os._exit(ExitCode.OK)

    return exit_code_of(child)


def kill_at_request(log: Path, number: int, moment: str) -> Callable[[], None]:
    """Kill when request ``number`` has arrived, or when its answer is about to leave."""

    def die_at(arrived: int) -> None:
        if arrived == number:
            die()

    return lambda: install(Backwards(log, **{moment: die_at}))


def kill_at_transaction(log: Path, number: int, *, committed: bool) -> Callable[[], None]:
    """Kill just before or after transaction ``number`` of the run is committed."""

    def prepare() -> None:
        install(Backwards(log))
        die_at_transaction(number, committed=committed)

    return prepare


def check_resumed(job: Job, log: Path) -> None:
    """Finish the run of ``job``: same output, nothing answered sent again, nothing drawn anew."""
    answered = answered_texts(job)
    before = len(texts_received(log))
    install(Backwards(log))
    translate(again(job))
    assert outputs(job) == EXPECTED
    assert not answered & set(texts_received(log)[before:])
    assert len(set(texts_received(log))) == DISTINCT


def answered_texts(job: Job) -> set[str]:
    """The texts whose answers are in the store."""
    settled = (SentenceStatus.ANSWERED, SentenceStatus.DONE)
    return {s.encoded.text for s in _sentences(job) if s.encoded and s.status in settled}


def ids_by_text(job: Job) -> dict[str, str]:
    """The id of the sentence that each text was sent for."""
    return {s.encoded.text: s.id for s in _sentences(job) if s.encoded}


def _sentences(job: Job) -> list[StoredSentence]:
    with Run.open(job) as run:
        return [
            sentence
            for document in run.store.documents.of_run(job.run_id)
            for sentence in run.store.sentences.of_document(document.id).values()
        ]
