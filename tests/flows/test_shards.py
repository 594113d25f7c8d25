"""A run in shards: processes over one database make what one process makes, whoever is killed."""

from __future__ import annotations

import multiprocessing
import os
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from prism_core.errors import PrismError
from prism_core.jobs import do_shard, translate
from prism_core.settings import Job, Shard
from prism_core.settings.sections import ShardSettings, StateSettings
from tests.postgres import PostgresServer
from tests.stages.archive import (
    EXPECTED,
    make_job,
    outputs,
    texts_received,
    write_archive,
)

_FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class _Forked:
    process: BaseProcess

    def is_running(self) -> bool:
        return self.process.is_alive()

    def stop(self) -> None:
        self.process.kill()
        self.process.join()


def _work(job: Job) -> None:
    try:
        do_shard(job)
    except PrismError:
        os._exit(1)
    os._exit(0)


@dataclass
class ForkedFleet:
    """Shards in forks of this process, which have the translator that a test installed."""

    pause: float = 0.05
    started: list[_Forked] = field(default_factory=list)

    def start(self, job: Job, shard: Shard) -> _Forked:
        told = job.model_copy(update={"shard": shard})
        process = _FORK.Process(target=_work, args=(told,))
        process.start()
        self.started.append(_Forked(process))
        return self.started[-1]


@pytest.fixture
def job(tmp_path: Path, postgres: PostgresServer) -> Job:
    write_archive(tmp_path / "in")
    return make_job(
        tmp_path, state=StateSettings(url=postgres.url()), shards=ShardSettings(count=3)
    )


def test_shards_make_what_one_process_makes_and_equal_sentences_leave_once(
    job: Job, log: Path
) -> None:
    summary = translate(job, fleet=ForkedFleet())
    assert summary.documents_written == 3
    assert outputs(job) == EXPECTED
    sent = texts_received(log)
    assert len(sent) == len(set(sent))
