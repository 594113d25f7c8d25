"""How a stage runs over chunks: at the same time, each chunk in a worker process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_EXCEPTION,
    CancelledError,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import wraps
from threading import Event
from typing import TypeVar

from prism_core.settings.job import Job
from prism_core.stages.boundary import Counted
from prism_core.stages.workers import ChunkStage, end_workers, in_worker, want_workers
from prism_core.state import Chunk

Result = TypeVar("Result")

_ending: ContextVar[Event | None] = ContextVar("ending", default=None)
"""Set where work goes on beside other work, to be told when that has ended badly."""


def in_workers(stage: ChunkStage) -> ChunkStage:
    """``stage``, run in a worker process of the job when it has some."""

    @wraps(stage)
    def elsewhere(job: Job, chunk: Chunk) -> Counted:
        return in_worker(stage, job, chunk)

    return elsewhere


def one_after_another(stage: ChunkStage, job: Job, chunks: Sequence[Chunk]) -> list[Counted]:
    """Run ``stage`` over ``chunks`` in this thread; no further one when the run is ending."""
    counted = []
    for chunk in chunks:
        if (ending := _ending.get()) and ending.is_set():
            raise CancelledError
        counted.append(stage(job, chunk))
    return counted


def at_once(stage: ChunkStage, job: Job, chunks: Sequence[Chunk]) -> list[Counted]:
    """Run ``stage`` over ``chunks``, as many at a time as ``job`` has workers.

    ``stage`` is called in threads that wait for the workers, each with the context of this one,
    which is where Prefect keeps the run. A single chunk runs here: it is not worth a process. The
    first error ends the rest, and is raised when the chunks under way are done; Ctrl-C ends all.
    """
    count = want_workers(job, len(chunks))
    if count < 2:
        return one_after_another(stage, job, chunks)
    with ThreadPoolExecutor(count, thread_name_prefix="prism-chunks") as threads:
        futures = [threads.submit(copy_context().run, stage, job, chunk) for chunk in chunks]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        except BaseException:
            end_workers(job)
            raise
        finally:
            for future in futures:
                future.cancel()
    return _results(futures)


@contextmanager
def meanwhile(job: Job, work: Callable[[], Result]) -> Iterator[Future[Result]]:
    """Run ``work`` in another thread while the block runs in this one; both end together.

    An error of the block, Ctrl-C too, ends the workers that ``work`` waits for and is raised; else
    an error of ``work`` is.
    """
    ending = Event()
    context = copy_context()
    context.run(_ending.set, ending)
    with ThreadPoolExecutor(1, thread_name_prefix="prism-meanwhile") as thread:
        future = thread.submit(context.run, work)
        try:
            yield future
        except BaseException:
            ending.set()
            end_workers(job)
            raise
    future.result()


def _results(futures: Sequence[Future[Counted]]) -> list[Counted]:
    """The results in order, or the first error among those that ran."""
    ran = [future for future in futures if not future.cancelled()]
    return [future.result() for future in ran]
