"""A cluster that cannot be used is refused with one message, before anything is read."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from prefect.settings import PREFECT_API_URL, temporary_settings
from pydantic import ValidationError

from flows import cluster_shards
from flows.cluster_shards import check_cluster, open_cluster
from prism_core.errors import ConfigurationError, ExitCode
from prism_core.jobs.sharding import ShardProcess
from prism_core.settings import Job, Shard
from prism_core.settings.run_settings import ShardSettings, StateSettings
from tests.flows.clusters import dask_cluster, free_port
from tests.stages.archive import make_job

SERVER = {PREFECT_API_URL: "http://127.0.0.1:1/api"}


def make(folder: Path, count: int = 2, engine: str = "dask", **shards: object) -> Job:
    chosen = ShardSettings.model_validate({"count": count, "engine": engine, **shards})
    state = StateSettings(url="postgresql://prism@127.0.0.1:1/prism")
    return make_job(folder, shards=chosen, state=state)


def refusal(job: Job) -> str:
    with pytest.raises(ConfigurationError) as refused, open_cluster(job, None):
        pass
    assert refused.value.exit_code is ExitCode.BAD_CONFIGURATION
    assert refused.value.__context__ is None, "nothing of the cluster's words"
    return str(refused.value)


def test_what_the_settings_leave_out_is_named_with_the_fix(tmp_path: Path) -> None:
    with temporary_settings(SERVER):
        assert "PRISM_SHARDS__ADDRESS" in refusal(make(tmp_path))
        assert "--shards" in refusal(make(tmp_path, 1, address="tcp://127.0.0.1:1"))
    with temporary_settings(restore_defaults={PREFECT_API_URL}):
        assert "PREFECT_API_URL" in refusal(make(tmp_path, address="tcp://127.0.0.1:1"))


def test_what_is_no_address_or_two_places_is_refused_with_the_settings(tmp_path: Path) -> None:
    for address in ("tcp://here", "here", "tcp://host:8786/path", "two words:1"):
        with pytest.raises(ValidationError, match="address"):
            make(tmp_path, address=address)
    with pytest.raises(ValidationError, match="two places"):
        make(tmp_path, deployment="flow/deployment")


@pytest.mark.parametrize("engine", ["dask", "ray"])
def test_a_missing_package_is_named(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, f"prefect_{engine}", None)
    monkeypatch.setitem(sys.modules, "ray", None)
    with temporary_settings(SERVER):
        said = refusal(make(tmp_path, engine=engine, address="127.0.0.1:1"))
    assert f"prism-translate[{engine}]" in said


def test_a_cluster_that_does_not_answer_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_shards, "_TIMEOUT_SECONDS", 0.3)
    address = f"tcp://127.0.0.1:{free_port()}"
    with temporary_settings(SERVER):
        said = refusal(make(tmp_path, address=address))
    assert f"{address} does not answer" in said


def wait_for(shard: ShardProcess) -> None:
    deadline = time.monotonic() + 30
    while shard.is_running() and time.monotonic() < deadline:
        time.sleep(0.1)


def test_a_cluster_that_goes_away_is_not_waited_for(tmp_path: Path) -> None:
    with dask_cluster(tmp_path / "cluster", 0) as cluster, temporary_settings(SERVER):
        job = make(tmp_path, address=cluster.address)
        with open_cluster(job, None) as fleet:
            waiting = fleet.start(job, Shard(phase="read", number=0, of=2))
            assert waiting.is_running(), "there is no worker yet"
            cluster.processes["scheduler"].kill()
            with pytest.raises(ConfigurationError, match="was lost"):
                wait_for(waiting)
            waiting.stop()
            with pytest.raises(ConfigurationError):
                fleet.start(job, Shard(phase="read", number=1, of=2)).is_running()


def test_without_an_engine_there_is_nothing_to_check(tmp_path: Path) -> None:
    check_cluster(make_job(tmp_path))
