"""A run in shards: processes over one database make what one process makes, whoever is killed."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import pytest
from pydantic import ValidationError

from prism_core.errors import (
    BudgetReached,
    ConfigurationError,
    PrismError,
    WorkerLost,
)
from prism_core.jobs import translate
from prism_core.report import ReportFolder
from prism_core.settings import Job, Shard, TranslatorSettings
from prism_core.settings.run_settings import DocumentSettings, ShardSettings, StateSettings
from prism_core.settings.treatment import MixingSettings
from prism_core.stages import Run
from prism_core.translators import Price
from tests.flows.forked_shards import (
    FORK,
    Forked,
    ForkedFleet,
    clauses,
    killing,
    make_sharded,
    texts_by_status,
    write_clauses,
)
from tests.postgres import PostgresServer
from tests.stages.archive import (
    ADJECTIVES,
    DISTINCT,
    EXPECTED,
    NOUNS,
    Backwards,
    again,
    backwards,
    install,
    make_job,
    outputs,
    received,
    texts_received,
    write_archive,
)


@pytest.fixture
def job(tmp_path: Path, postgres: PostgresServer) -> Job:
    write_archive(tmp_path / "in")
    return make_sharded(tmp_path, postgres, 3)


def test_shards_make_what_one_process_makes_and_equal_sentences_leave_once(
    job: Job, log: Path
) -> None:
    summary = translate(job, fleet=ForkedFleet())
    assert summary.documents_written == 3
    assert outputs(job) == EXPECTED
    sent = texts_received(log)
    assert len(sent) == len(set(sent)) == DISTINCT
    [report] = job.report_folder.glob("run=*")
    written = ReportFolder(job.report_folder).find(report.name.removeprefix("run="))
    assert written is not None
    assert written.totals.requests == len(received(log))
    assert written.facts.seconds_by_stage["encode"] > 0
    assert translate(again(job), fleet=ForkedFleet()).documents_unchanged == 3


def test_without_a_fleet_a_run_in_shards_is_refused_before_anything_is_read(
    job: Job, log: Path
) -> None:
    with pytest.raises(ConfigurationError, match="needs a deployment of Prefect"):
        translate(again(job, shards=ShardSettings(count=2)))
    assert not received(log)
    assert not job.state_folder.exists()


def test_whoever_is_killed_nothing_is_lost_and_no_recorded_answer_asked_for_again(
    tmp_path: Path, postgres: PostgresServer, log: Path
) -> None:
    expected = write_clauses(tmp_path / "in", 12)
    job = make_sharded(tmp_path, postgres, 4)
    install(Backwards(log, before=lambda _number: time.sleep(0.02)))
    fleet = ForkedFleet()
    with killing(fleet, 12, 0.4) as killed:
        translate(job, fleet=fleet)
    assert killed
    assert outputs(job) == expected
    sent, recorded = texts_received(log), texts_by_status(job)
    assert recorded["answered"] == len(set(sent)), "each answer was recorded once"
    assert len(sent) - len(set(sent)) <= recorded.get("unanswered", 0), "in doubt, after a kill"


def test_shards_of_a_run_that_was_killed_write_nothing_into_the_next(
    tmp_path: Path, postgres: PostgresServer, log: Path
) -> None:
    expected = write_clauses(tmp_path / "in", 6)
    job = make_sharded(tmp_path, postgres, 2)
    install(Backwards(log, before=lambda _number: time.sleep(0.1)))
    parent = FORK.Process(target=translate, args=(job,), kwargs={"fleet": ForkedFleet()})
    parent.start()
    while len(received(log)) < 3:
        time.sleep(0.02)
    parent.kill()  # its shards are of nobody now, and at work
    parent.join()
    translate(again(job), fleet=ForkedFleet())
    assert outputs(job) == expected
    sent, recorded = texts_received(log), texts_by_status(job)
    assert recorded["answered"] == len(set(sent))


def test_a_run_whose_database_went_away_is_finished_by_the_next(
    tmp_path: Path, postgres: PostgresServer, log: Path
) -> None:
    expected = write_clauses(tmp_path / "in", 6)
    job = make_sharded(tmp_path, postgres, 2)

    def cut_off(number: int) -> None:
        time.sleep(0.05)
        if number == 5:  # as when the server is started anew: every connection is gone
            postgres.ask(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'prism'"
            )

    install(Backwards(log, before=cut_off))
    with suppress(PrismError):
        translate(job, fleet=ForkedFleet())
    translate(again(job), fleet=ForkedFleet())
    assert outputs(job) == expected
    assert texts_by_status(job)["answered"] == len(set(texts_received(log)))


def test_one_that_is_always_lost_ends_the_run_with_a_report(job: Job, log: Path) -> None:
    class Hopeless(ForkedFleet):
        def start(self, job: Job, shard: Shard) -> Forked:
            started = super().start(job, shard)
            if shard.number == 1 and shard.phase == "translate":
                started.process.kill()
            return started

    few = again(job, shards=ShardSettings(count=3, attempts=2))
    with pytest.raises(WorkerLost, match="shard 1 was lost 2 times"):
        translate(few, fleet=Hopeless())
    assert ReportFolder(few.report_folder).find(few.run_id) is not None
    assert outputs(few) != EXPECTED
    translate(again(job), fleet=ForkedFleet())
    assert outputs(job) == EXPECTED
    assert texts_by_status(job) == {"answered": DISTINCT}


def test_a_budget_is_of_all_shards_together(
    tmp_path: Path, postgres: PostgresServer, log: Path
) -> None:
    write_clauses(tmp_path / "in", 6)
    budget = 3.0  # about half of what the archive costs
    translator = TranslatorSettings.choose(
        name="fake", style="reverse", max_cost=budget, texts_per_request=1
    )
    job = make_sharded(tmp_path, postgres, 3, translator=translator)
    install(_Priced(log))
    with pytest.raises(BudgetReached):
        translate(job, fleet=ForkedFleet())
    spent = sum(map(len, texts_received(log))) * _Priced.price.amount / 1e6
    assert 0.7 * budget < spent <= budget


class _Priced(Backwards):
    price = Price(1000, "characters")


def test_a_machine_with_other_lists_does_nothing(job: Job, log: Path) -> None:
    class Other(ForkedFleet):
        def start(self, job: Job, shard: Shard) -> Forked:
            with Run.open(job) as run:
                run.store.keep("basis", b"another")
            return super().start(job, shard)

    with pytest.raises(ConfigurationError, match="another version"):
        translate(job, fleet=Other())
    assert texts_received(log) == []


def test_shards_send_decoys_of_their_own_and_no_line_twice(
    tmp_path: Path, postgres: PostgresServer, log: Path
) -> None:
    expected = write_clauses(tmp_path / "in", 6)
    public = clauses(1000, 200).replace("\n\n", " ").strip().split(". ")
    (tmp_path / "public.txt").write_text("\n".join(line.rstrip(".") + "." for line in public))
    mixing = MixingSettings(decoy_rate=1, decoys_file=tmp_path / "public.txt")
    job = make_sharded(tmp_path, postgres, 3, mixing=mixing)
    summary = translate(job, fleet=ForkedFleet())
    assert outputs(job) == expected
    sent = texts_received(log)
    assert len(sent) == len(set(sent)) == 2 * summary.sentences
    report = ReportFolder(job.report_folder).find(job.run_id)
    assert report is not None
    assert report.facts.decoys == summary.sentences


def test_shards_give_translated_names_as_one_process_does(
    tmp_path: Path, postgres: PostgresServer, log: Path
) -> None:
    named = {
        f"{adjective}_{noun}.txt": clauses(number, 4)
        for number, (adjective, noun) in enumerate(zip(ADJECTIVES, NOUNS, strict=False))
    }
    write_archive(tmp_path / "in", named)
    names = DocumentSettings(file_names="translate")
    job = make_sharded(tmp_path, postgres, 3, documents=names)
    assert translate(job, fleet=ForkedFleet()).documents_written == len(named)
    assert outputs(job) == {
        backwards(name.removesuffix(".txt").replace("_", " ")).replace(" ", "_")
        + ".txt": backwards(text).encode()
        for name, text in named.items()
    }
    assert translate(again(job), fleet=ForkedFleet()).documents_unchanged == len(named)


def test_shards_are_refused_where_they_could_not_work_together(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match=r"state\.url"):
        make_job(tmp_path, shards=ShardSettings(count=2))
    with pytest.raises(ValidationError, match="by the batch"):
        make_job(
            tmp_path,
            shards=ShardSettings(count=2),
            state=StateSettings(url="postgresql://host/database"),
            translator=TranslatorSettings.choose(name="openai-batch"),
        )
