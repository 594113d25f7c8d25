"""Run the shards of a run as runs of a deployment, which workers of any pool can take.

Their parameters are paths, the id of the run, the phase and numbers. Prefect keeps showing a run
whose worker was killed as running; its lease in the state tells that it must be run again.

Entry: ``find_fleet`` -> ``DeployedFleet``.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from prefect.client.orchestration import get_client
from prefect.context import FlowRunContext
from prefect.deployments import run_deployment
from prefect.states import Cancelling

from prism_core.errors import ConfigurationError
from prism_core.jobs import Fleet
from prism_core.settings import Job, Shard

TAGS = ("prism", "shard")


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
            "settings_file": None if self.settings_file is None else str(self.settings_file),
            "run_id": job.run_id,
            "notify": False,
            "phase": shard.phase,
            "shard": shard.number,
            "shards": shard.of,
        }
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


def find_fleet(job: Job, settings_file: Path | None) -> Fleet | None:
    """Return the fleet that runs the shards of ``job``, if any.

    It is the deployment that the settings name, else the deployment of this flow run.
    """
    context = FlowRunContext.get()
    own_deployment = context.flow_run.deployment_id if context and context.flow_run else None
    deployment = job.settings.shards.deployment or own_deployment
    return DeployedFleet(deployment, settings_file) if deployment else None
