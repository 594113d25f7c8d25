"""Stages in worker processes, one for each core; the caller's end of them.

A server process (`worker_server`) loads the language model and the dictionary once and forks the
workers, which share that memory. Each opens a store of its own. Requests hold a stage and
ids; answers are counts or a ``PrismError``: no text passes between the processes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from multiprocessing.connection import Connection, Pipe
from multiprocessing.reduction import send_handle
from pathlib import Path
from typing import Final

from prism_core.errors import PrismError, WorkerLost
from prism_core.settings.job import Job
from prism_core.stages.boundary import Counted
from prism_core.stages.run import Run
from prism_core.state.documents import Chunk

ChunkStage = Callable[[Run, Chunk], Counted]

MEMORY_OF_A_WORKER: Final = 500_000_000
"""Bytes that a worker may come to need beside what it shares, with the document it works on."""
_SERVER_MODULE: Final = "prism_core.stages.worker_server"
_ATTEMPTS: Final = 2
_GRACE: Final = 1.0
"""Seconds in which the server is to end before it is killed."""
_ONE_THREAD: Final = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""Workers are as many as cores; threads below them would only get into each other's way."""


class Workers:
    """Worker processes of ``job``, ``most`` of them, each started when it is first needed.

    Until they are ``wanted``, stages run in the caller: a small archive need not wait for them.
    """

    def __init__(self, job: Job, most: int) -> None:
        self.most = most
        self.wanted = False
        self._job = job
        self._slots = threading.Semaphore(most)
        self._guard = threading.Lock()
        self._idle: list[Connection] = []
        self._server: tuple[subprocess.Popen[bytes], Connection] | None = None
        self._ended = False

    def call(self, stage: ChunkStage, chunk: Chunk) -> Counted:
        """Run ``stage`` over ``chunk`` in a worker; waits for a free one. For any thread.

        Raises the ``PrismError`` of the stage. A worker that was killed, for want of memory say,
        is replaced once: what it did is in the store. Raises ``WorkerLost`` when that one ends too.
        """
        with self._slots:
            for _ in range(_ATTEMPTS):
                outcome = self._ask(stage, chunk)
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
        """End the workers, also those at work: what they were doing fails with ``WorkerLost``."""
        with self._guard:
            self._ended = True
            self._discard_server()
            for connection in self._idle:
                connection.close()
            self._idle.clear()

    def _ask(self, stage: ChunkStage, chunk: Chunk) -> Counted | PrismError | None:
        """What a worker makes of it, None when it ended without an answer."""
        connection = self._worker()
        if connection is None:
            return None
        try:
            connection.send((stage, chunk))
            outcome: Counted | PrismError = connection.recv()
        except (OSError, EOFError):
            connection.close()
            return None
        with self._guard:
            self._idle.append(connection)
        return outcome

    def _worker(self) -> Connection | None:
        """A worker without work, a new one if need be; None when there can be none."""
        with self._guard:
            if self._ended:
                return None
            if self._idle:
                return self._idle.pop()
            ours, theirs = Pipe()
            with theirs:
                try:
                    process, control = self._running_server()
                    send_handle(control, theirs.fileno(), process.pid)
                except OSError:
                    ours.close()
                    return None
            return ours

    def _running_server(self) -> tuple[subprocess.Popen[bytes], Connection]:
        if self._server is None or self._server[0].poll() is not None:
            self._discard_server()
            self._server = _start_server(self._job)
        return self._server

    def _discard_server(self) -> None:
        """Closing its control connection ends the server, and its workers with it."""
        if self._server is not None:
            process, control = self._server
            control.close()
            try:
                process.wait(timeout=_GRACE)
            except subprocess.TimeoutExpired:  # it is still loading, and has no workers yet
                process.kill()
                process.wait()
        self._server = None


def _start_server(job: Job) -> tuple[subprocess.Popen[bytes], Connection]:
    control, remote = Pipe()
    folders = [folder or str(Path.cwd()) for folder in sys.path]
    with remote:
        process = subprocess.Popen(  # noqa: S603 (our own module, no shell)
            # -P: nothing is imported from the folder PRISM is started in
            [sys.executable, "-P", "-m", _SERVER_MODULE, str(remote.fileno())],
            pass_fds=(remote.fileno(),),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | _ONE_THREAD | {"PYTHONPATH": os.pathsep.join(folders)},
            start_new_session=True,  # Ctrl-C is for the caller, who then ends the workers
        )
    control.send(job)
    return process, control


@contextmanager
def workers_for(run: Run) -> Iterator[None]:
    """Let stages of ``run`` run in worker processes within the block; they end with it."""
    run.workers = Workers(run.job, _most(run.job.settings.limits.workers))
    try:
        yield
    finally:
        run.workers.end()
        run.workers = None


def worker_count(run: Run) -> int:
    """How many chunks of ``run`` can be worked on at the same time: 1 outside ``workers_for``."""
    return run.workers.most if run.workers else 1


def want_workers(run: Run, chunks: int) -> int:
    """How many of ``chunks`` run at the same time; when it is several, workers run them."""
    count = min(worker_count(run), chunks)
    if run.workers is not None and count > 1:
        run.workers.wanted = True
    return count


def in_workers(stage: ChunkStage) -> ChunkStage:
    """``stage`` in a worker of its run; here when the run has none or they are not wanted yet."""

    @wraps(stage)
    def run_stage(run: Run, chunk: Chunk) -> Counted:
        if run.workers is None or not run.workers.wanted:
            return stage(run, chunk)
        return run.workers.call(stage, chunk)

    return run_stage


def _most(wanted: int | None) -> int:
    """``wanted``, or a worker for each core that has the memory for one."""
    if wanted is not None:
        return wanted
    cores = len(os.sched_getaffinity(0))
    return max(1, min(cores, _free_memory() // MEMORY_OF_A_WORKER))


def _free_memory() -> int:
    """Bytes that can be had without swapping, within the limit of the container if it has one."""
    free = [_available()]
    group = Path("/sys/fs/cgroup")
    try:
        used = int((group / "memory.current").read_text())
        free.append(int((group / "memory.max").read_text()) - used)
    except (OSError, ValueError):  # no container, or one without a limit
        pass
    return min(free)


def _available() -> int:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return sys.maxsize
    kilobytes = (line.split()[1] for line in lines if line.startswith("MemAvailable:"))
    return int(next(kilobytes, sys.maxsize)) * 1024
