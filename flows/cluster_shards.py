"""Run the shards of a run on a cluster of Dask or of Ray, or as runs of a deployment.

Entry: ``open_fleet`` -> ``open_cluster`` or ``DeployedFleet``. ``ClusterFleet.start`` submits
``tasks.SHARD_TASK`` to a worker, which runs the shard in a process beside it. These pass through
the cluster: paths, the id of the run, the phase and numbers; an error of PRISM without frames; and
what Prefect sends with a task, which are the flow, its parameters and Prefect's own settings, with
its API key and without the secrets of its server. A cluster restarts the task of a worker that died
by itself. The lease in the state decides which process runs the shard: a process that starts while
the lease is held ends, and the run restarts it.

Runs of a deployment can be taken by workers of any pool. Their parameters are paths, the id of the
run, the phase and numbers. Prefect keeps showing a run whose worker was killed as running; its
lease tells that it must be run again.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from prefect.client.orchestration import get_client
from prefect.context import FlowRunContext
from prefect.deployments import run_deployment
from prefect.futures import PrefectFuture
from prefect.settings import (
    PREFECT_API_URL,
    PREFECT_SERVER_API_AUTH_STRING,
    PREFECT_SERVER_DATABASE_CONNECTION_URL,
    PREFECT_SERVER_DATABASE_PASSWORD,
    temporary_settings,
)
from prefect.states import Cancelling
from prefect.task_runners import TaskRunner

from prism_core.errors import ConfigurationError, PrismError, WorkerLost
from prism_core.jobs import Fleet
from prism_core.settings import Job, Shard
from tasks import SHARD_TASK

TAGS = ("prism", "shard")
_TIMEOUT_SECONDS = 30
"""Seconds within which a cluster must answer."""
_SERVER_SECRETS = {
    PREFECT_SERVER_API_AUTH_STRING,
    PREFECT_SERVER_DATABASE_CONNECTION_URL,
    PREFECT_SERVER_DATABASE_PASSWORD,
}
"""Secrets of Prefect's server, which workers do not need: they are not sent with a task."""


@dataclass(frozen=True)
class _Submitted:
    """The task of a shard; ``is_done`` and ``cancel`` are its engine's functions of the future."""

    future: PrefectFuture[Any]
    is_done: Callable[[Any], bool]
    cancel: Callable[[Any], object]

    def is_running(self) -> bool:
        """Return True while the task runs; see ``ShardProcess``.

        Raises ``ConfigurationError`` when the cluster does not answer, because a cluster that comes
        back does not know the task.
        """
        try:
            return not self.is_done(self.future.wrapped_future)
        except Exception as error:  # noqa: BLE001 - the cluster's error, without its message
            kind = type(error).__name__
        raise ConfigurationError(
            f"the connection to the cluster that runs the shards was lost ({kind}); check that the "
            "cluster is up, then run again: nothing is lost"
        )

    def fault(self) -> PrismError | None:
        outcome: object
        try:
            outcome = self.future.result(timeout=_TIMEOUT_SECONDS, raise_on_failure=False)
        except Exception as error:  # noqa: BLE001 - the cluster's error, without its message
            outcome = error
        if outcome is None or isinstance(outcome, PrismError):
            return outcome
        problem = WorkerLost if not isinstance(outcome, ImportError) else ConfigurationError
        return problem(
            f"a worker of the cluster could not run a shard ({type(outcome).__name__}). Each "
            "worker needs the same PRISM, Prefect and packages as here, and access to Prefect's "
            "server; see docs/shards.md, then run again: nothing is lost"
        )

    def stop(self) -> None:
        """Remove it from the cluster; a running task ends when it finds that its lease is gone."""
        with suppress(Exception):
            if self.is_running():
                self.cancel(self.future.wrapped_future)


@dataclass(frozen=True)
class ClusterFleet:
    """Tasks of ``runner``, which is connected to a cluster."""

    runner: TaskRunner[Any]
    settings_file: Path | None
    is_done: Callable[[Any], bool]
    cancel: Callable[[Any], object]
    pause: float = 0.5

    def start(self, job: Job, shard: Shard) -> _Submitted:
        """Start the task of a shard; see ``Fleet``. Raises ``ConfigurationError``."""
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
            with temporary_settings(restore_defaults=_SERVER_SECRETS):
                future = self.runner.submit(SHARD_TASK, parameters)
            return _Submitted(future, self.is_done, self.cancel)
        except Exception as error:  # noqa: BLE001 - the cluster's error, without its message
            kind = type(error).__name__
        raise ConfigurationError(
            f"the cluster at {job.settings.shards.address} accepts no shard ({kind}); check that "
            "it is up, then run again: nothing is lost"
        )


def check_cluster(job: Job) -> None:
    """Raise ``ConfigurationError`` if the settings name a cluster but lack what a run needs."""
    shards = job.settings.shards
    if shards.engine is None:
        return
    if shards.address is None:
        raise ConfigurationError(
            f"shards.engine is {shards.engine}, but the address of the cluster is not set: set "
            "shards.address (PRISM_SHARDS__ADDRESS), such as "
            + {"dask": "tcp://scheduler:8786", "ray": "ray://head:10001"}[shards.engine]
        )
    if shards.count == 1:
        raise ConfigurationError(
            f"shards.engine is {shards.engine}, and a cluster runs shards: set their number with "
            "shards.count or --shards"
        )
    if not PREFECT_API_URL.value():
        raise ConfigurationError(
            f"the tasks of a cluster of {shards.engine} need a Prefect server that its workers can "
            "reach: start one (prefect server start), and set PREFECT_API_URL to its address"
        )


@contextmanager
def open_cluster(job: Job, settings_file: Path | None) -> Iterator[ClusterFleet]:
    """Open the cluster that the settings of ``job`` name, for as long as the block lasts.

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
        except Exception as error:  # noqa: BLE001 - the cluster's error, without its message
            problem = (
                f"does not answer ({type(error).__name__}); check shards.address, and "
                "that client and cluster have the same versions"
            )
        if problem:
            raise ConfigurationError(
                f"the cluster of {shards.engine} at {shards.address} {problem}"
            )
        yield fleet


def _open_dask(stack: ExitStack, address: str, settings_file: Path | None) -> ClusterFleet:
    from prefect_dask import DaskTaskRunner

    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # the run reports how it ends
    runner = DaskTaskRunner(address=address, client_kwargs={"timeout": _TIMEOUT_SECONDS})
    stack.enter_context(runner).client.scheduler_info(n_workers=0)  # which connects
    return ClusterFleet(runner, settings_file, _is_done_in_dask, lambda future: future.cancel())


def _is_done_in_dask(future: Any) -> bool:
    if future.client.status != "running":
        raise ConnectionError  # done() would wait for a scheduler that may never come back
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


@dataclass(frozen=True)
class _ShardRun:
    """A flow run of a shard."""

    id: UUID

    def is_running(self) -> bool:
        """Return True while it runs, or while the server does not answer.

        In the second case the lease tells whether it is lost.
        """
        with suppress(Exception), get_client(sync_client=True) as client:
            state = client.read_flow_run(self.id).state
            return state is None or not state.is_final()
        return True

    def fault(self) -> PrismError | None:
        """Return None: the error is not known here, but Prefect shows it."""
        return None

    def stop(self) -> None:
        """Cancel it unless it has ended; without its lease it cannot write any more in any case."""
        if self.is_running():
            with suppress(Exception), get_client(sync_client=True) as client:
                client.set_flow_run_state(self.id, Cancelling())


@dataclass(frozen=True)
class DeployedFleet:
    """Runs of ``deployment``, a name or an id, as sub-flows of the flow run that starts them."""

    deployment: str | UUID
    settings_file: Path | None
    pause: float = 2.0

    def start(self, job: Job, shard: Shard) -> _ShardRun:
        """Start a run for the shard; see ``Fleet``. Raises ``ConfigurationError``."""
        parameters: dict[str, Any] = {
            "input_folder": str(job.input),
            "output_folder": str(job.output),
            "run_id": job.run_id,
            "notify": False,
            "phase": shard.phase,
            "shard": shard.number,
            "shards": shard.of,
        }
        if self.settings_file is not None:
            parameters["settings_file"] = str(self.settings_file)
        try:
            flow_run: Any = run_deployment(
                self.deployment,
                parameters=parameters,
                flow_run_name=f"{job.run_id}-{shard.phase}-{shard.number}",
                tags=TAGS,
                timeout=0,
            )
        except Exception as error:  # noqa: BLE001 - Prefect's error, without its message
            kind = type(error).__name__
        else:
            return _ShardRun(flow_run.id)
        raise ConfigurationError(
            f"Prefect could not start a shard ({kind}). Check that the server knows the deployment "
            f"{self.deployment} (shards.deployment; prefect --no-prompt deploy --all makes "
            "translate-archive/shard), then run again: nothing is lost"
        )


@contextmanager
def open_fleet(job: Job, settings_file: Path | None) -> Iterator[Fleet | None]:
    """Yield the fleet that runs the shards of ``job``; None where none is configured.

    It is the cluster that the settings name, or the deployment that they name, else the deployment
    of this flow run. Raises as ``open_cluster`` does.
    """
    shards = job.settings.shards
    if shards.engine is not None:
        with open_cluster(job, settings_file) as cluster:
            yield cluster
        return
    context = FlowRunContext.get()
    own_deployment = context.flow_run.deployment_id if context and context.flow_run else None
    deployment = shards.deployment or own_deployment
    yield DeployedFleet(deployment, settings_file) if deployment else None
