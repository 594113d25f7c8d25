"""Process one shard of a run that several processes share.

Entry: ``run_shard`` -> ``Leases.claim`` -> ``_hold_lease`` while ``_PHASES`` are done, each with
the stages of any run -> ``Leases.end``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final

from prism_core.errors import ConfigurationError, LeaseLost, PrismError, StateError, sanitize_errors
from prism_core.jobs.translation import LOCAL_STAGES, Pipeline, Stages, last_job
from prism_core.settings import Job, Shard
from prism_core.stages import Folders, Run, Wave, open_workers
from prism_core.state import Account

_RENEWALS: Final = 5
"""Number of renewals of a lease during its lifetime."""


def run_shard(job: Job, stages: Stages = LOCAL_STAGES) -> None:
    """Process the shard of ``job``, whose run another process has begun, and record the outcome.

    Only the output folder, the place of the state and the key are taken from ``job``; everything
    else is as it was for the run. Raises ``LeaseLost`` when the shard is not, or no longer, to be
    done here: then nothing more of it is sent or written. Every other error is recorded for the
    process that waits for it, and is raised too.
    """
    requested = job.shard
    if requested is None:
        raise ConfigurationError("the job names no shard; shards are started by prism translate")
    whole = last_job(job).model_copy(update={"run_id": job.run_id})
    seconds = whole.settings.shards.lease_seconds
    with Run.open(whole) as run:
        shard = run.store.leases.claim(job.run_id, requested, seconds)
    with Run.open(whole.model_copy(update={"shard": shard})) as run:
        try:
            with _hold_lease(run, shard, seconds):
                account = _run_phase(run, shard, stages)
                run.store.leases.end(shard, account)
        finally:
            Folders(run.job).remove_partial()
    if account.error:
        raise account.error


def _run_phase(run: Run, shard: Shard, stages: Stages) -> Account:
    """Run the phase of the shard and return its account; raises ``LeaseLost``."""

    def work() -> None:
        if run.store.kept("basis") != run.basis.encode():
            # sentences would be encoded in one way and decoded in another
            raise ConfigurationError(
                "this machine has another version of PRISM, of its dictionaries, models or lists "
                "than the one that began the run; install the same on all of them, then run again"
            )
        with open_workers(run):
            _PHASES[shard.phase](run, stages)

    error: PrismError | None = None
    try:
        sanitize_errors(work)
    except LeaseLost:
        raise
    except PrismError as stopped:
        run.store.check_held()  # an error after the lease was lost does not count
        error = stopped
    return Account(dict(run.seconds), error)


@contextmanager
def _hold_lease(run: Run, shard: Shard, seconds: float) -> Iterator[None]:
    """Renew the lease of ``shard`` while the block lasts; if it is lost, stop the run's work."""
    done = threading.Event()

    def renew() -> None:
        until = time.monotonic() + seconds
        while not done.wait(seconds / _RENEWALS):
            with suppress(StateError):  # the database may be back in time
                if not run.store.leases.renew(shard, seconds):
                    break
                until = time.monotonic() + seconds
            if time.monotonic() > until:
                break
        else:
            return
        run.stop()

    thread = threading.Thread(target=renew, name="prism-lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


_PHASES: Final[Mapping[str, Callable[[Run, Stages], object]]] = {
    "read": lambda run, stages: stages.each(
        stages.read, run, [(chunk,) for chunk in run.unread_chunks()]
    ),
    "translate": lambda run, stages: _ShardPipeline(run, stages).translate(run.waves()),
    "write": lambda run, stages: stages.each(
        stages.write, run, [(chunk,) for chunk in run.settled_chunks()]
    ),
}


class _ShardPipeline(Pipeline):
    """Pipeline over waves of all documents, with this shard's share of their sentences.

    It writes its own documents among those that all shards have finished by now.
    """

    def _write(self, wave: Wave) -> Wave:
        run, stages = self._run, self._stages
        stages.each(stages.decode, run, run.parts(wave))
        if not wave:
            return wave
        stages.each(stages.translate_here, run, run.parts(wave))
        last = max(document for chunk in wave for document in chunk)
        stages.each(stages.write, run, [(chunk,) for chunk in run.settled_chunks(last)])
        return tuple(chunk for chunk in wave if run.store.sentences.waits(chunk, run.part))
