"""Runs and shards in processes of their own that may use an object store."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import repeat
from multiprocessing.context import ForkServerProcess

from prism_core.errors import PrismError
from prism_core.jobs import run_shard, translate
from prism_core.settings import Job, Shard
from tests.end_to_end.warm import CONTEXT
from tests.hosts import Host

Work = Callable[[Job], object]


def _do(work: Work, job: Job, environment: Mapping[str, str], host: Host | None) -> None:
    os.setsid()
    if host is not None:
        host.enter()
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None
    try:
        work(job)
    except PrismError as error:
        os._exit(int(error.exit_code))
    os._exit(0)


def start(work: Work, job: Job, host: Host | None = None) -> ForkServerProcess:
    """``work`` on ``job`` in a process and a session of its own, with this environment; on
    ``host``, where one is given."""
    process = CONTEXT.Process(target=_do, args=(work, job, dict(os.environ), host))
    process.start()
    return process


def start_run(job: Job) -> ForkServerProcess:
    """A whole run."""
    return start(translate, job)


@dataclass(frozen=True)
class _Started:
    process: ForkServerProcess

    def is_running(self) -> bool:
        return self.process.is_alive()

    def stop(self) -> None:
        self.process.kill()
        self.process.join()


@dataclass
class Processes:
    """A fleet of such processes; on ``places`` in turn."""

    pause: float = 0.05
    places: Iterator[Host | None] = field(default_factory=lambda: repeat(None))
    started: list[ForkServerProcess] = field(default_factory=list)

    def start(self, job: Job, shard: Shard) -> _Started:
        """See ``Fleet``."""
        self.started.append(
            start(run_shard, job.model_copy(update={"shard": shard}), next(self.places))
        )
        return _Started(self.started[-1])
