"""How a stage runs over chunks: at the same time, each chunk in a worker process."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from functools import wraps

from prism_core.job import Job
from prism_core.stages.boundary import Counted
from prism_core.stages.workers import ChunkStage, end_workers, in_worker, want_workers
from prism_core.state.documents import Chunk


def in_workers(stage: ChunkStage) -> ChunkStage:
    """``stage``, run in a worker process of the job when it has some."""

    @wraps(stage)
    def elsewhere(job: Job, chunk: Chunk) -> Counted:
        return in_worker(stage, job, chunk)

    return elsewhere


def one_after_another(stage: ChunkStage, job: Job, chunks: Sequence[Chunk]) -> list[Counted]:
    """Run ``stage`` over ``chunks`` in this thread."""
    return [stage(job, chunk) for chunk in chunks]


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


def _results(futures: Sequence[Future[Counted]]) -> list[Counted]:
    """The results in order, or the first error among those that ran."""
    ran = [future for future in futures if not future.cancelled()]
    return [future.result() for future in ran]
