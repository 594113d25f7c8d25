"""Stages in worker processes, one for each core; the caller's end of them, and theirs.

entry: `workers_for` opens `Workers` for a run; then `in_workers(stage)` -> `Workers.call` in the
caller, and `WorkerEnd.answer` in the worker.

A server process (`processes`) loads the language model and the dictionary once and forks the
workers, which share that memory: `WorkerEnd.load` opens neither store nor document there, so no
database handle crosses a fork. Each worker opens a run of its own. Requests hold a stage and ids;
answers are counts or a ``PrismError``: no text passes between the processes.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import Final

from prism_core.errors import InternalFault, PrismError, WorkerLost
from prism_core.language import load_identifier
from prism_core.processes import Child, ForkServer, ServerLostError
from prism_core.settings import Job
from prism_core.stages.asking import who_may_answer
from prism_core.stages.run import Counted, Encoders, Run
from prism_core.state import Chunk, DocumentStatus, StatePlace

ChunkStage = Callable[[Run, Chunk], Counted]

MEMORY_OF_A_WORKER: Final = 500_000_000
"""Bytes that a worker may come to need beside what it shares, with the document it works on."""
_ATTEMPTS: Final = 2
_DOCUMENTS_AHEAD: Final = 2
"""One is parsed while another is annotated; the other cores have workers of their own."""
_ONE_THREAD: Final = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""Workers are as many as cores; threads below them would only get into each other's way."""


class Workers:
    """Worker processes of ``job``, ``most`` of them, each started when it is first needed.

    Until they are ``wanted``, stages run in the caller: a small archive need not wait for them.
    """

    def __init__(self, job: Job, most: int) -> None:
        self.most = most
        self.wanted = False
        self._slots = threading.Semaphore(most)
        self._guard = threading.Lock()
        self._idle: list[Child] = []
        ours = WorkerEnd(job)
        self._server = ForkServer(ours.answer, lambda: os.environ | _ONE_THREAD, ours.load)
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
            self._server.stop()
            for worker in self._idle:
                worker.close()
            self._idle.clear()

    def _ask(self, stage: ChunkStage, chunk: Chunk) -> Counted | PrismError | None:
        """What a worker makes of it, None when it ended without an answer."""
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
            worker.connection.send((stage, chunk))
            outcome: Counted | PrismError = worker.connection.recv()
        except (OSError, EOFError):
            worker.close()
            return None
        with self._guard:
            self._idle.append(worker)
        return outcome


class WorkerEnd:
    """What the server loads and its workers answer with; it travels there as the job alone."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._encoders: Encoders | None = None
        self._run: Run | None = None

    def load(self) -> None:
        """Load model, dictionary and what tells languages apart, to be shared by all workers."""
        self._encoders = Encoders(self._job)
        self._encoders.load()
        if self._job.settings.language.identify:
            load_identifier()

    def answer(self, request: bytes) -> bytes:
        """Run the stage that ``request`` names, in a worker; its counts or error."""
        stage, chunk = pickle.loads(request)  # noqa: S301 (from our own caller)
        outcome: Counted | PrismError
        try:
            with StatePlace.of(self._job).share():
                if self._run is None:
                    self._run = Run.open(
                        self._job, encoders=self._encoders, documents_ahead=_DOCUMENTS_AHEAD
                    )
                outcome = stage(self._run, chunk)
        except PrismError as error:
            outcome = error
        except Exception as error:  # noqa: BLE001 (its words may quote a document)
            outcome = InternalFault.of(error)
        return pickle.dumps(outcome)


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
    free = [sys.maxsize]
    group = Path("/sys/fs/cgroup")
    with suppress(OSError, ValueError):
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        free += [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    with suppress(OSError, ValueError):  # no container, or one without a limit
        used = int((group / "memory.current").read_text())
        free.append(int((group / "memory.max").read_text()) - used)
    return min(free)


Wave = tuple[Chunk, ...]
"""Documents whose sentences are sent together, in chunks; memory is bounded by one wave."""

_BYTES_OF_A_CHUNK = 250_000
_SENTENCES_OF_A_CHUNK = 500
"""About two seconds of work: with less, workers would cost more than they save."""
_BYTES_BESIDE = 20_000
_SENTENCES_BESIDE = 20
"""What a document costs beside its content: a process of its own, and the writing of it."""
_CHUNKS_OF_A_WORKER = 3
"""Several small chunks for each worker end closer together than one large one."""


def unread(run: Run) -> tuple[Chunk, ...]:
    """The documents to read, in chunks."""
    found = run.store.documents.sizes(run.job.run_id, DocumentStatus.FOUND)
    weights = {document: size + _BYTES_BESIDE for document, (size, _) in found.items()}
    return _in_chunks(run, weights, _BYTES_OF_A_CHUNK)


def waves(run: Run) -> tuple[Wave, ...]:
    """The documents that were read, in waves of chunks; their sentences join this run.

    Call it when every document of the archive is read: only then is the deny list complete.
    A wave has at most ``limits.wave_documents`` documents, and no further document when it has
    ``limits.wave_sentences`` sentences.
    """
    store, limits = run.store, run.job.settings.limits
    store.sentences.adopt(run.job.run_id, who_may_answer(run))
    groups: list[dict[str, int]] = [{}]
    sentences = 0
    read = store.documents.sizes(run.job.run_id, DocumentStatus.READ)
    for document, (_, count) in read.items():
        full = len(groups[-1]) >= limits.wave_documents
        if groups[-1] and (full or sentences + count > limits.wave_sentences):
            groups.append({})
            sentences = 0
        groups[-1][document] = count + _SENTENCES_BESIDE
        sentences += count
    return tuple(_in_chunks(run, group, _SENTENCES_OF_A_CHUNK) for group in groups if group)


def _in_chunks(run: Run, weights: Mapping[str, int], least: int) -> tuple[Chunk, ...]:
    """The documents in their order, in chunks of about equal weight.

    There are enough chunks for every worker, unless they would weigh less than ``least``, and none
    has more than ``limits.chunk_documents`` documents. How an archive is cut changes who does the
    work, never what comes of it.
    """
    workers, total = worker_count(run), sum(weights.values())
    wanted = min(total // least, workers * _CHUNKS_OF_A_WORKER) if workers > 1 else 1
    share = total / max(wanted, 1)
    chunks: list[list[str]] = []
    weight = 0.0
    for document, own in weights.items():
        full = not chunks or len(chunks[-1]) >= run.job.settings.limits.chunk_documents
        if full or weight + own / 2 > share:
            chunks.append([])
            weight = 0
        chunks[-1].append(document)
        weight += own
    return tuple(tuple(chunk) for chunk in chunks)
