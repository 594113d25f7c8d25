"""The shards of a run as tasks on a cluster of Dask or of Ray, for those who have one.

Entry: ``open_cluster`` -> ``ClusterFleet.start`` -> ``tasks.SHARD_TASK`` on a worker, which has the
shard done by a process beside it. Through the cluster pass paths, the id of the run, the phase and
numbers; an error of ours without frames; and what Prefect sends with a task, which are the flow,
its parameters and Prefect's own settings, with its API key and without the secrets of its server.

A cluster begins the task of a worker that died again by itself. The lease in the state decides who
does the shard: whoever comes while it is held ends, and the run begins it again.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prefect.futures import PrefectFuture
from prefect.settings import (
    PREFECT_API_URL,
    PREFECT_SERVER_API_AUTH_STRING,
    PREFECT_SERVER_DATABASE_CONNECTION_URL,
    PREFECT_SERVER_DATABASE_PASSWORD,
    temporary_settings,
)
from prefect.task_runners import TaskRunner

from prism_core.errors import ConfigurationError, PrismError, WorkerLost
from prism_core.settings import Job, Shard
from tasks import SHARD_TASK

_PATIENCE = 30
"""Seconds in which a cluster must answer."""
_OF_SERVER = {
    PREFECT_SERVER_API_AUTH_STRING,
    PREFECT_SERVER_DATABASE_CONNECTION_URL,
    PREFECT_SERVER_DATABASE_PASSWORD,
}
"""Secrets of Prefect's server, of which a worker needs none: they are not sent with its task."""


@dataclass(frozen=True)
class _Submitted:
    """The task of a shard; ``is_done`` and ``cancel`` are its engine's, over the future."""

    future: PrefectFuture[Any]
    is_done: Callable[[Any], bool]
    cancel: Callable[[Any], object]

    def is_running(self) -> bool:
        """See ``ShardProcess``. Raises ``ConfigurationError`` when nobody is there to be asked: a
        cluster that comes back knows of no task."""
        try:
            return not self.is_done(self.future.wrapped_future)
        except Exception as error:  # noqa: BLE001 - the cluster's, told without its words
            kind = type(error).__name__
        raise ConfigurationError(
            f"the cluster that does the shards was lost ({kind}); see whether it is there, then "
            "run again: nothing is lost"
        )

    def fault(self) -> PrismError | None:
        outcome: object
        try:
            outcome = self.future.result(timeout=_PATIENCE, raise_on_failure=False)
        except Exception as error:  # noqa: BLE001 - of the cluster; its words are not repeated
            outcome = error
        if outcome is None or isinstance(outcome, PrismError):
            return outcome
        problem = WorkerLost if not isinstance(outcome, ImportError) else ConfigurationError
        return problem(
            f"a worker of the cluster could not do a shard ({type(outcome).__name__}). Each needs "
            "the same PRISM, Prefect and packages as here, and a way to Prefect's server; see "
            "docs/shards.md, then run again: nothing is lost"
        )

    def stop(self) -> None:
        """Take it from the cluster; one at work ends when it finds that its lease is gone."""
        with suppress(Exception):
            if self.is_running():
                self.cancel(self.future.wrapped_future)


@dataclass(frozen=True)
class ClusterFleet:
    """Tasks of ``runner``, of a cluster that is connected."""

    runner: TaskRunner[Any]
    settings_file: Path | None
    is_done: Callable[[Any], bool]
    cancel: Callable[[Any], object]
    pause: float = 0.5

    def start(self, job: Job, shard: Shard) -> _Submitted:
        """See ``Fleet``. Raises ``ConfigurationError``."""
        parameters = {
            "input_folder": str(job.input),
            "output_folder": str(job.output),
            "settings_file": str(self.settings_file.absolute()) if self.settings_file else None,
            "run_id": job.run_id,
            "phase": shard.phase,
            "number": shard.number,
            "of": shard.of,
        }
        try:
            with temporary_settings(restore_defaults=_OF_SERVER):
                future = self.runner.submit(SHARD_TASK, parameters)
            return _Submitted(future, self.is_done, self.cancel)
        except Exception as error:  # noqa: BLE001 - the cluster's, told without its words
            kind = type(error).__name__
        raise ConfigurationError(
            f"the cluster at {job.settings.shards.address} takes no shard ({kind}); see whether it "
            "is there, then run again: nothing is lost"
        )


def check_cluster(job: Job) -> None:
    """Raise ``ConfigurationError`` where the settings ask for a cluster and leave out what a run
    needs of it."""
    shards = job.settings.shards
    if shards.engine is None:
        return
    if shards.address is None:
        raise ConfigurationError(
            f"shards.engine is {shards.engine}, and nothing says where the cluster is: set "
            "shards.address (PRISM_SHARDS__ADDRESS), such as "
            + {"dask": "tcp://scheduler:8786", "ray": "ray://head:10001"}[shards.engine]
        )
    if shards.count == 1:
        raise ConfigurationError(
            f"shards.engine is {shards.engine}, and a cluster does shards: say how many, with "
            "shards.count or --shards"
        )
    if not PREFECT_API_URL.value():
        raise ConfigurationError(
            f"the tasks of a cluster of {shards.engine} need a server of Prefect that its workers "
            "reach, too: start one (prefect server start), and name it with PREFECT_API_URL"
        )


@contextmanager
def open_cluster(job: Job, settings_file: Path | None) -> Iterator[ClusterFleet]:
    """The cluster that the settings of ``job`` name, for as long as the block lasts.

    Raises ``ConfigurationError`` where a package is missing or the cluster does not answer.
    """
    check_cluster(job)
    shards = job.settings.shards
    with ExitStack() as stack:
        problem = ""
        try:
            fleet = _ENGINES[str(shards.engine)](stack, str(shards.address), settings_file)
        except ImportError:
            problem = f"needs a library: pip install 'prism-translate[{shards.engine}]'"
        except Exception as error:  # noqa: BLE001 - the cluster's, told without its words
            problem = (
                f"does not answer ({type(error).__name__}); see shards.address, and "
                "whether client and cluster have the same versions"
            )
        if problem:
            raise ConfigurationError(
                f"the cluster of {shards.engine} at {shards.address} {problem}"
            )
        yield fleet


def _open_dask(stack: ExitStack, address: str, settings_file: Path | None) -> ClusterFleet:
    from prefect_dask import DaskTaskRunner

    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # how a run ends, the run says
    runner = DaskTaskRunner(address=address, client_kwargs={"timeout": _PATIENCE})
    stack.enter_context(runner).client.scheduler_info(n_workers=0)  # which connects
    return ClusterFleet(runner, settings_file, _is_done_in_dask, lambda future: future.cancel())


def _is_done_in_dask(future: Any) -> bool:
    if future.client.status != "running":
        raise ConnectionError  # it would wait for a scheduler that may never come
    return bool(future.done())


def _open_ray(stack: ExitStack, address: str, settings_file: Path | None) -> ClusterFleet:
    import ray
    from prefect_ray import RayTaskRunner

    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    quiet = {"log_to_driver": False, "logging_level": logging.CRITICAL}
    runner = stack.enter_context(RayTaskRunner(address=address, init_kwargs=quiet))
    return ClusterFleet(
        runner, settings_file, lambda ref: bool(ray.wait([ref], timeout=0)[0]), ray.cancel
    )


_ENGINES = {"dask": _open_dask, "ray": _open_ray}
