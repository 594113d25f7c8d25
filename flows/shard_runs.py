"""The shards of a run as runs of a deployment, so that workers of any pool, anywhere, take them.

Their parameters are paths, the id of the run, the phase and numbers. Prefect goes on showing a run
whose worker was killed as running: that it is done again follows from its lease, in the state.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from prefect.client.orchestration import get_client
from prefect.context import FlowRunContext
from prefect.deployments import run_deployment
from prefect.states import Cancelling

from flows.cluster_shards import open_cluster
from prism_core.errors import ConfigurationError, PrismError
from prism_core.jobs import Fleet
from prism_core.settings import Job, Shard

TAGS = ("prism", "shard")


@dataclass(frozen=True)
class _ShardRun:
    """A flow run that does a shard."""

    id: UUID

    def is_running(self) -> bool:
        """Also when the server cannot be asked: then the lease says whether it is lost."""
        with suppress(Exception), get_client(sync_client=True) as client:
            state = client.read_flow_run(self.id).state
            return state is None or not state.is_final()
        return True

    def fault(self) -> PrismError | None:
        """Not known here: Prefect shows it."""
        return None

    def stop(self) -> None:
        """Have it cancelled unless it has ended; it can write nothing any more in any case."""
        if self.is_running():
            with suppress(Exception), get_client(sync_client=True) as client:
                client.set_flow_run_state(self.id, Cancelling())


@dataclass(frozen=True)
class DeployedFleet:
    """Runs of ``deployment``, a name or an id, as sub-flows of the one that they are started in."""

    deployment: str | UUID
    settings_file: Path | None
    pause: float = 2.0

    def start(self, job: Job, shard: Shard) -> _ShardRun:
        """See ``Fleet``. Raises ``ConfigurationError``."""
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
            made: Any = run_deployment(
                self.deployment,
                parameters=parameters,
                flow_run_name=f"{job.run_id}-{shard.phase}-{shard.number}",
                tags=TAGS,
                timeout=0,
            )
        except Exception as error:  # noqa: BLE001 - Prefect's, told without its words
            kind = type(error).__name__
        else:
            return _ShardRun(made.id)
        raise ConfigurationError(
            f"Prefect could not start a shard ({kind}). Check that the server knows the deployment "
            f"{self.deployment} (shards.deployment; prefect --no-prompt deploy --all makes "
            "translate-archive/shard), then run again: nothing is lost"
        )


@contextmanager
def open_fleet(job: Job, settings_file: Path | None) -> Iterator[Fleet | None]:
    """Where the shards of ``job`` are done while the block lasts: on the cluster that the settings
    name, or as runs of the deployment that they do, else of the one that this flow run is of; None
    where there is neither. Raises as ``open_cluster`` does."""
    shards = job.settings.shards
    if shards.engine is not None:
        with open_cluster(job, settings_file) as cluster:
            yield cluster
        return
    context = FlowRunContext.get()
    own = context.flow_run.deployment_id if context and context.flow_run else None
    deployment = shards.deployment or own
    yield DeployedFleet(deployment, settings_file) if deployment else None
