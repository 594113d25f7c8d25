"""Whole runs over a provider that answers by the batch: ended anywhere, nothing is asked twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from inspect import iscoroutinefunction
from itertools import count
from pathlib import Path

import pytest

from prism_core.errors import BudgetReached, ExitCode, Misconfigured
from prism_core.jobs import translate
from prism_core.jobs.planning import plan
from prism_core.settings import Job, TranslatorSettings
from prism_core.settings.run_settings import StateSettings
from prism_core.settings.sections import LimitSettings, MixingSettings
from prism_core.stages import Run
from prism_core.state.batch_ledger import RunBatchLedger
from prism_core.state.request_ledger import RunLedger
from prism_core.translators.openai.batch import OpenAIBatchTranslator
from tests.child_process import KILLED, die
from tests.flows.killing import kill_at_transaction, run_in_child
from tests.interrupting import heed_interrupts
from tests.openai_batch_server import BatchServer
from tests.openai_server import Fault
from tests.postgres import PostgresServer
from tests.stages.archive import (
    DISTINCT,
    EXPECTED,
    again,
    backwards,
    make_job,
    outputs,
    write_archive,
)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[BatchServer]:
    with BatchServer(lambda texts: [backwards(text) for text in texts]) as running:
        monkeypatch.setenv("OPENAI_API_KEY", running.key)
        yield running


@pytest.fixture
def job(tmp_path: Path, server: BatchServer) -> Job:
    write_archive(tmp_path / "in")
    return make_job(tmp_path, translator=server.settings(texts_per_request=3))


def batches_on_record(job: Job) -> int:
    with Run.open(job) as run, run.store._database.reading() as connection:
        return connection.exec_driver_sql("SELECT count(*) FROM batches").scalar_one()


def assert_done(job: Job, server: BatchServer) -> None:
    """Everything is translated, every sentence was asked once, and nobody keeps anything."""
    assert outputs(job) == EXPECTED
    assert len(server.texts()) == len(set(server.texts())) == DISTINCT
    assert server.kept() == []
    assert batches_on_record(job) == 0


def test_an_archive_is_translated_in_one_batch(job: Job, server: BatchServer) -> None:
    summary = translate(job)
    assert (summary.documents_written, summary.requests) == (3, 3)
    assert_done(job, server)
    assert [len(texts) for texts in server.handed_in] == [DISTINCT]


def test_all_waves_are_handed_in_before_one_is_waited_for(job: Job, server: BatchServer) -> None:
    server.looks = 3
    translate(again(job, limits=LimitSettings(wave_documents=1, workers=1)))
    assert_done(job, server)
    assert len(server.handed_in) == 3
    assert server.calls.index("look") > max(n for n, c in enumerate(server.calls) if c == "create")


Moment = tuple[type, str, str, int]
"""A method, and whether to be killed before or after that call of it."""

MOMENTS: dict[str, Moment] = {
    "before the file leaves": (RunBatchLedger, "submitting", "after", 1),
    "with a file and no batch of it": (OpenAIBatchTranslator, "_check_shape", "after", 1),
    "with a batch that nobody has noted": (OpenAIBatchTranslator, "submit", "after", 1),
    "while it is looked at": (OpenAIBatchTranslator, "look", "after", 2),
    "when its answers have come": (OpenAIBatchTranslator, "results", "after", 1),
    "between two answers": (RunLedger, "answered", "after", 2),
    "when all of it is on record": (RunBatchLedger, "closed", "before", 1),
    "before the provider deletes its files": (RunBatchLedger, "closed", "after", 1),
}


def killed_at(moment: Moment) -> Callable[[], None]:
    """Let this process be killed there."""
    kind, name, when, number = moment
    original, calls = getattr(kind, name), count(1)

    def die_at(passed: int) -> None:
        if passed == number:
            die()

    async def waited_for(self: object, *given: object) -> object:
        passed = next(calls)
        if when == "before":
            die_at(passed)
        answer = await original(self, *given)
        die_at(passed)
        return answer

    def called(self: object, *given: object) -> object:
        passed = next(calls)
        if when == "before":
            die_at(passed)
        answer = original(self, *given)
        die_at(passed)
        return answer

    return lambda: setattr(kind, name, waited_for if iscoroutinefunction(original) else called)


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_run_that_is_killed_is_finished_by_the_next(
    job: Job, server: BatchServer, moment: str
) -> None:
    job = again(job, limits=LimitSettings(wave_documents=2, workers=1))
    server.looks = 3
    assert run_in_child(job, killed_at(MOMENTS[moment])) == KILLED
    translate(again(job))
    assert_done(job, server)


@pytest.mark.parametrize(("number", "committed"), [(12, True), (17, False), (22, True)])
def test_a_run_killed_at_a_transaction_is_finished_by_the_next(
    job: Job, server: BatchServer, tmp_path: Path, number: int, committed: bool
) -> None:
    ended = run_in_child(job, kill_at_transaction(tmp_path / "log", number, committed=committed))
    assert ended == KILLED
    translate(again(job))
    assert_done(job, server)


def test_what_is_in_a_batch_of_an_ended_run_is_collected_and_reported_by_the_next(
    job: Job, server: BatchServer
) -> None:
    server.trouble["look"].append(Fault.UNAUTHORIZED)
    with pytest.raises(Misconfigured):
        translate(job)
    assert outputs(job) == {}
    summary = translate(again(job))
    assert (summary.documents_written, summary.requests) == (3, 3)
    assert_done(job, server)


def test_what_is_in_a_batch_is_not_planned_again(job: Job, server: BatchServer) -> None:
    server.trouble["look"].append(Fault.UNAUTHORIZED)
    with pytest.raises(Misconfigured):
        translate(job)
    translators = job.settings.translator, TranslatorSettings.choose(name="openai")
    ours, others = (plan(again(job), [one]) for one in translators)
    assert [row.expected.texts for row in ours.rows if row.expected] == [0]
    assert [row.expected.texts for row in others.rows if row.expected] == [DISTINCT]


def test_a_budget_that_ends_what_is_handed_in_ahead_keeps_what_was_handed_in(
    job: Job, server: BatchServer
) -> None:
    priced = {"price_per_million": 1_000.0, "price_unit": "characters", "max_cost": 0.2}
    limited = server.settings(texts_per_request=3, **priced)
    waves = LimitSettings(wave_documents=1, workers=1)
    job = again(job, translator=limited, limits=waves)
    with pytest.raises(BudgetReached):
        translate(job)
    assert 0 < len(outputs(job)) < len(EXPECTED)
    assert outputs(job).items() < EXPECTED.items()
    for _ in range(3):
        with suppress(BudgetReached):
            translate(again(job))
    assert_done(job, server)


def test_other_settings_ask_anew_and_cancel_what_was_handed_in(
    job: Job, server: BatchServer
) -> None:
    server.trouble["look"].append(Fault.UNAUTHORIZED)
    server.looks = 2
    with pytest.raises(Misconfigured):
        translate(job)
    other = server.settings(texts_per_request=3, model="another-model")
    translate(again(job, translator=other))
    assert outputs(job) == EXPECTED
    assert len(server.cancelled) == 1
    assert (server.kept(), batches_on_record(job)) == ([], 0)


def test_a_state_in_postgresql_resumes_batches_too(
    job: Job, server: BatchServer, postgres: PostgresServer
) -> None:
    job = again(job, state=StateSettings(url=postgres.url()))
    assert run_in_child(job, killed_at(MOMENTS["with a batch that nobody has noted"])) == KILLED
    assert run_in_child(again(job), killed_at(MOMENTS["between two answers"])) == KILLED
    translate(again(job))
    assert_done(job, server)


def test_a_run_that_is_interrupted_says_that_its_batches_go_on(
    job: Job, server: BatchServer, tmp_path: Path
) -> None:
    server.looks = 10_000
    given = {
        "PRISM_TRANSLATOR__NAME": "openai-batch",
        "PRISM_TRANSLATOR__BASE_URL": server.base_url,
        "PRISM_TRANSLATOR__POLL_SECONDS": "1",
        "PRISM_DICTIONARY__PATH": str(tmp_path / "dictionary.parquet"),
        "PRISM_MECHANISM__THRESHOLD": "0.5",
        "PRISM_MECHANISM__MINIMUM_POOL": "2",
        "PRISM_MECHANISM__DRAWS": "uniform",
        "PRISM_KEY_FILE": str(tmp_path / "key"),
    }
    command = [
        sys.executable,
        "-m",
        "flows.command",
        "translate",
        str(job.input),
        str(job.output),
    ]
    running = subprocess.Popen(
        command,
        env=os.environ | given,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    )
    while running.poll() is None and "look" not in server.calls:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == ExitCode.INTERRUPTED, said
    assert "batches under way at the provider: 1" in said
    assert "the same command collects them" in said
    assert "Traceback" not in said
    server.looks = 0
    for each in server.jobs.values():
        each.looks = 0
    translate(again(job))
    assert_done(job, server)


def test_a_sentence_that_fits_into_no_request_does_not_keep_its_document_waiting(
    job: Job, server: BatchServer
) -> None:
    long = "The old doctor opened the heavy window and the teacher cleaned the table."
    (job.input / "long.txt").write_text(f"{long}\n\nThe dog followed the farmer.\n", "utf-8")
    narrow = server.settings(characters_per_request=60)
    summary = translate(again(job, translator=narrow))
    assert (summary.documents_written, server.kept()) == (4, [])
    assert outputs(job)["long.txt"].decode().splitlines()[0] == long


def beside(server: BatchServer) -> TranslatorSettings:
    """The same provider, asked for an answer at once."""
    return TranslatorSettings.choose(name="openai", base_url=server.base_url, texts_per_request=3)


def test_what_a_batch_leaves_is_asked_of_the_next_translator(job: Job, server: BatchServer) -> None:
    server.endings.append("insufficient_quota")
    translate(again(job, other_translators=(beside(server),)))
    assert outputs(job) == EXPECTED
    assert (server.handed_in, server.kept()) == ([], [])
    assert sorted(Counter(text for texts in server.batches for text in texts).values()) == [1] * 9


def test_sentences_are_dealt_to_a_batch_and_to_others(job: Job, server: BatchServer) -> None:
    split = MixingSettings(routing="split")
    translate(again(job, other_translators=(beside(server),), mixing=split))
    assert outputs(job) == EXPECTED
    asked = Counter(text for texts in server.batches for text in texts)
    assert sorted(asked.values()) == [1] * 9
    assert 3 <= len(server.texts()) <= 6
    assert server.kept() == []
