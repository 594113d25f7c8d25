"""Run stages in worker processes, one for each core: the caller's side and the worker's side.

Entry: ``open_workers`` opens ``Workers`` for a run; then a ``stage`` -> ``Workers.call`` in the
caller, and ``WorkerEnd.answer`` in the worker.

A server process (``processes``) loads the language model and the dictionary once and forks the
workers, which share that memory. ``WorkerEnd.load`` opens neither store nor document there, so no
database handle crosses a fork. Each worker opens a run of its own. Requests hold a stage and ids;
answers are counts or a ``PrismError``: no text passes between the processes.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Final

from prism_core.errors import InternalFault, PrismError, WorkerLost
from prism_core.language import load_identifier
from prism_core.processes import (
    Child,
    ForkServer,
    ServerLostError,
    private_memory_bytes,
    release_free_memory,
)
from prism_core.settings import Job
from prism_core.stages.chunks import StageResult
from prism_core.stages.encoders import Encoders, list_pairs
from prism_core.stages.run import Run
from prism_core.state import StatePlace

MEMORY_OF_A_WORKER: Final = 500_000_000
"""Bytes that a worker may need besides the memory it shares, including its document."""
_MEMORY_KEPT: Final = 150_000_000
"""Most bytes of its own with which a worker may wait for more work; a new one has little."""
_ATTEMPTS: Final = 2
_DOCUMENTS_AHEAD: Final = 2
"""Documents in progress in a worker: while the first is annotated the second is parsed."""
_ONE_THREAD: Final = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""Environment of a worker: there is one for each core, so more threads would compete for cores."""


class Workers:
    """Worker processes of ``job``, at most ``most``, each started when it is needed.

    Until they are ``wanted``, stages run in the caller, so a small archive need not wait for them.
    They end when none is at work, and the memory that their stages used is freed with them.
    """

    def __init__(self, job: Job, most: int) -> None:
        self.most = most
        self.wanted = False
        self._slots = threading.Semaphore(most)
        self._guard = threading.Lock()
        self._idle: list[Child] = []
        self._calls = 0
        ours = WorkerEnd(job)
        self._server = ForkServer(ours.answer, lambda: os.environ | _ONE_THREAD, ours.load)
        self._ended = False

    def call(self, stage: Callable[..., StageResult], *chunk: object) -> StageResult:
        """Run ``stage`` over ``chunk`` in a free worker, waiting for one; for any thread.

        Raises the ``PrismError`` of the stage. A worker that was killed, for example for lack of
        memory, is replaced once: its finished work is in the store. Raises ``WorkerLost`` when that
        one ends too.
        """
        with self._at_work(), self._slots:
            for _ in range(_ATTEMPTS):
                outcome = self._ask(stage, *chunk)
                if outcome is not None:
                    break
        if outcome is None:
            raise WorkerLost(
                "a worker process was killed twice over the same documents, most likely because "
                "memory ran out; run again with limits.workers = 1, nothing is lost"
            )
        if isinstance(outcome, PrismError):
            raise outcome
        return outcome

    def end(self) -> None:
        """End the workers; the work of a busy one fails with ``WorkerLost``."""
        with self._guard:
            self._ended = True
            self._server.stop()
            self._end_idle()

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        with self._guard:
            self._calls += 1
        try:
            yield
        finally:
            with self._guard:
                self._calls -= 1
                if not self._calls:
                    self._end_idle()

    def _end_idle(self) -> None:
        for worker in self._idle:
            worker.close()
        self._idle.clear()

    def _ask(
        self, stage: Callable[..., StageResult], *chunk: object
    ) -> StageResult | PrismError | None:
        """Return the outcome from a worker, None when it ended without an answer."""
        with self._guard:
            if self._ended:
                return None
            if self._idle:
                worker = self._idle.pop()
            else:
                try:
                    worker = self._server.connect()
                except ServerLostError:
                    return None
        try:
            worker.connection.send((stage, *chunk))
            answer: tuple[StageResult | PrismError, bool] = worker.connection.recv()
        except (OSError, EOFError):
            worker.close()
            return None
        outcome, has_grown = answer
        if has_grown:
            worker.close()
        else:
            with self._guard:
                self._idle.append(worker)
        return outcome


class WorkerEnd:
    """Worker's side: what the server loads and its workers answer; pickled as the job alone."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._encoders: Encoders | None = None
        self._run: Run | None = None

    def load(self) -> None:
        """Load the model, the dictionary and the language identifier that all workers share."""
        self._encoders = Encoders(self._job)
        self._encoders.load(list_pairs(self._job))
        if self._job.settings.language.identify:
            load_identifier()

    def answer(self, request: bytes) -> bytes:
        """Run the stage that ``request`` names, in a worker.

        Returns its counts or error, pickled, and True if the worker holds too much memory to wait
        for more work.
        """
        stage, *chunk = pickle.loads(request)  # noqa: S301 (from our own caller)
        outcome: StageResult | PrismError
        try:
            # A holder that lost its shard cannot write any more; nothing has to wait for it.
            place = StatePlace.of(self._job)
            with place.share() if self._job.shard is None else nullcontext():
                if self._run is None:
                    self._run = Run.open(
                        self._job, encoders=self._encoders, documents_ahead=_DOCUMENTS_AHEAD
                    )
                outcome = stage(self._run, *chunk)
        except PrismError as error:
            outcome = error
        except Exception as error:  # noqa: BLE001 (its words may quote a document)
            outcome = InternalFault.from_exception(error)
        release_free_memory()
        return pickle.dumps((outcome, private_memory_bytes() > _MEMORY_KEPT))


@contextmanager
def open_workers(run: Run) -> Iterator[None]:
    """Let stages of ``run`` run in worker processes within the block; they end with it.

    Their number is that of the settings, else ``count_fitting_workers``. A single worker would do
    no more than the caller, so none is started.
    """
    most = run.job.settings.limits.workers or count_fitting_workers()
    run.workers = Workers(run.job, most) if most > 1 else None
    try:
        yield
    finally:
        if run.workers is not None:
            run.workers.end()
            run.workers = None


def count_fitting_workers() -> int:
    """Return the number of cores that have the memory for a worker, at least 1."""
    return max(1, min(len(os.sched_getaffinity(0)), _free_memory() // MEMORY_OF_A_WORKER))


def _free_memory() -> int:
    """Return the bytes available without swapping, within the limit of the container, if any."""
    free = [sys.maxsize]
    group = Path("/sys/fs/cgroup")
    with suppress(OSError, ValueError):
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        free += [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    with suppress(OSError, ValueError):  # no container, or one without a limit
        used = int((group / "memory.current").read_text())
        free.append(int((group / "memory.max").read_text()) - used)
    return min(free)
