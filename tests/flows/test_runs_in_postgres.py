"""The whole run with its state in PostgreSQL: what holds with a file holds here."""

from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.jobs import translate
from prism_core.settings import Job, TranslatorSettings
from prism_core.settings.run_settings import StateSettings
from prism_core.settings.sections import LimitSettings
from prism_core.state import StatePlace
from tests.child_process import KILLED
from tests.flows.killing import (
    check_resumed,
    kill_at_request,
    kill_at_transaction,
    run_in_child,
)
from tests.flows.search import files_with
from tests.postgres import PostgresServer
from tests.stages.archive import (
    DISTINCT,
    EXPECTED,
    NAME,
    again,
    make_job,
    outputs,
    rehearse,
    texts_received,
    write_archive,
)


@pytest.fixture
def job(tmp_path: Path, postgres: PostgresServer) -> Job:
    write_archive(tmp_path / "in")
    return make_job(tmp_path, state=StateSettings(url=postgres.url()))


def test_a_run_keeps_its_state_there_and_the_next_one_skips_everything(job: Job, log: Path) -> None:
    assert translate(job).documents_written == 3
    assert outputs(job) == EXPECTED
    assert not (job.state_folder / "state.db").exists()
    assert StatePlace.of(job).progress(job.run_id).sentences_done == DISTINCT
    assert translate(again(job)).documents_unchanged == 3
    assert len(texts_received(log)) == DISTINCT


def test_no_file_of_the_server_shows_text_names_or_paths(
    job: Job, log: Path, postgres: PostgresServer
) -> None:
    assert run_in_child(job, kill_at_request(log, 3, "after")) == KILLED
    sent = texts_received(log)
    translate(again(job))
    for secret in (NAME, "second.txt", str(job.input), *sent[:4]):
        assert files_with(secret, postgres.folder) == []


def test_a_rehearsal_counts_what_a_run_would_still_send(job: Job, log: Path) -> None:
    assert rehearse(job).rows[0].expected.texts == DISTINCT
    assert not job.output.exists()
    translate(job)
    (job.input / "new.txt").write_text("The small dog moved the candle.\n")
    assert rehearse(again(job)).rows[0].expected.texts == 1


def test_worker_processes_share_it(tmp_path: Path, postgres: PostgresServer) -> None:
    write_archive(tmp_path / "in")
    for number in range(12):
        text = "".join(f"The old dog opened the window {number * 50 + n}.\n\n" for n in range(40))
        (tmp_path / "in" / f"{number}.txt").write_text(text)
    job = make_job(
        tmp_path,
        state=StateSettings(url=postgres.url()),
        limits=LimitSettings(chunk_documents=4, workers=2),
        translator=TranslatorSettings.choose(name="fake", style="reverse"),
    )
    assert translate(job).documents_written == 15


@pytest.mark.parametrize("number", [1, 3])
def test_a_run_killed_at_a_request_is_finished_by_the_next(
    job: Job, log: Path, number: int
) -> None:
    assert run_in_child(job, kill_at_request(log, number, "after")) == KILLED
    check_resumed(job, log)


@pytest.mark.parametrize("number", [1, 2, 5, 9, 14, 20])
def test_a_run_killed_at_a_transaction_is_finished_by_the_next(
    job: Job, log: Path, number: int
) -> None:
    assert run_in_child(job, kill_at_transaction(log, number, committed=bool(number % 2))) == KILLED
    check_resumed(job, log)
