"""Run a translation in several processes, on several machines, until all shards are done.

Entry: ``translate_in_shards`` -> ``_do_phase`` for each of *read*, *translate* and *write*. All
shards end one phase before any begins the next, because nothing may be encoded before every
identifier of the archive is known. How a process is started is injected: see ``Fleet``. Its work is
in ``shard.py``; leases in the database ensure that no other process does it at the same time.
"""

from __future__ import annotations

import time
from typing import Final, Protocol

from prism_core.errors import PrismError, StateError, TranslatorError, WorkerLost
from prism_core.settings import Job, Phase, Shard
from prism_core.stages import Run, check_run, name_outputs, recall
from prism_core.state import ShardLease

_END: Final = 30.0
"""Seconds that a process may take to end after it was told to."""


class ShardProcess(Protocol):
    """A process on some machine that was started for a shard."""

    def is_running(self) -> bool:
        """Return True while it works, or waits for a machine."""

    def stop(self) -> None:
        """End it; nothing happens when it has ended."""


class Fleet(Protocol):
    """Machines that process the shards of a run, which are polled every ``pause`` seconds."""

    @property
    def pause(self) -> float:
        """Seconds between two polls."""

    def start(self, job: Job, shard: Shard) -> ShardProcess:
        """Start a process that runs ``shard`` of ``job`` with ``run_shard``, soon and somewhere."""


def translate_in_shards(run: Run, fleet: Fleet) -> PrismError | None:
    """Read, translate and write ``run`` in shards; return the error that stopped one, if any.

    What was done until then is kept, and all shards have ended. Nothing is encoded unless every
    document was read. Raises as ``check_run`` does.
    """
    if run.unread_chunks() and (error := _do_phase(run, fleet, "read")):
        return error
    if run.unread_chunks():
        return StateError("not every document was read; run again, nothing is lost")
    archive = run.waves()
    recall(run)
    check_run(run, archive)
    if not archive:
        return None
    read = tuple(chunk for wave in archive for chunk in wave)
    name_outputs(run, read, early=True)
    error = _do_phase(run, fleet, "translate")
    name_outputs(run, read)
    later = _do_phase(run, fleet, "write") if run.settled_chunks() else None
    return error or later


def _do_phase(run: Run, fleet: Fleet, phase: Phase) -> PrismError | None:
    """Have every shard do ``phase``, and restart those that are lost; return the worst error."""
    leases, count, run_id = run.store.leases, run.job.settings.shards.count, run.job.run_id
    run.store.keep("basis", run.basis.encode())
    leases.divide(run_id, phase, count)
    watched: list[_WatchedShard] = []
    try:
        for number in range(count):
            part = Shard(phase=phase, number=number, of=count)
            watched.append(_WatchedShard(run, fleet, part))
        while True:
            running = [shard.process.is_running() for shard in watched]
            found = leases.read(run_id)  # afterwards, to see the last record of an ended process
            sightings = zip(watched, running, found, strict=True)
            ended = [shard.has_ended(is_running, lease) for shard, is_running, lease in sightings]
            if all(ended):
                break
            time.sleep(fleet.pause)
        accounts = leases.accounts(run_id)
        until = time.monotonic() + _END  # all is recorded: the processes may end by themselves
        while any(shard.process.is_running() for shard in watched) and time.monotonic() < until:
            time.sleep(fleet.pause)
    finally:
        try:
            leases.clear(run_id)
        finally:
            for shard in watched:
                shard.process.stop()
    for stage, seconds in ((s, n) for account in accounts for s, n in account.seconds.items()):
        run.seconds[stage] += seconds
    errors = [account.error for account in accounts if account.error]
    return min(errors, key=lambda error: isinstance(error, TranslatorError), default=None)


class _WatchedShard:
    """A shard, and the process that was last started for it."""

    def __init__(self, run: Run, fleet: Fleet, shard: Shard) -> None:
        self._run, self._fleet, self._shard = run, fleet, shard
        self._begun = 1
        self.process = fleet.start(run.job, shard)

    def has_ended(self, is_running: bool, lease: ShardLease) -> bool:
        """Return True if the shard has ended; restart it if its process was lost.

        It is given up after several attempts.
        """
        if lease.outcome:
            return True
        if is_running and not lease.is_overdue:
            return False
        run_id, number = self._run.job.run_id, self._shard.number
        leases, attempts = self._run.store.leases, self._run.job.settings.shards.attempts
        leases.release(run_id, number)
        self.process.stop()
        if self._begun < attempts:
            self._begun += 1
            self.process = self._fleet.start(self._run.job, self._shard)
            return False
        lost = WorkerLost(
            f"the process of shard {number} was lost {self._begun} times; look at the machines "
            "that it ran on (memory, environment), then run again: nothing is lost. "
            "shards.attempts is how often it is started"
        )
        leases.give_up(run_id, number, lost)
        return True
