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
from contextvars import copy_context
from typing import TypeVar

from prism_core.stages import ChunkStage, Counted, Run, want_workers
from prism_core.state import Chunk

Result = TypeVar("Result")


def one_after_another(stage: ChunkStage, run: Run, chunks: Sequence[Chunk]) -> list[Counted]:
    """Run ``stage`` over ``chunks`` in this thread; no further one when the run is ending."""
    counted = []
    for chunk in chunks:
        if run.stopping.is_set():
            raise CancelledError
        counted.append(stage(run, chunk))
    return counted


def at_once(stage: ChunkStage, run: Run, chunks: Sequence[Chunk]) -> list[Counted]:
    """Run ``stage`` over ``chunks``, as many at a time as ``run`` has workers.

    ``stage`` is called in threads that wait for the workers, each with the context of this one,
    which is where Prefect keeps the run. A single chunk runs here: it is not worth a process. The
    first error ends the rest, and is raised when the chunks under way are done; Ctrl-C ends all.
    """
    count = want_workers(run, len(chunks))
    if count < 2:
        return one_after_another(stage, run, chunks)
    with ThreadPoolExecutor(count, thread_name_prefix="prism-chunks") as threads:
        futures = [threads.submit(copy_context().run, stage, run, chunk) for chunk in chunks]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        except BaseException:
            run.stop()
            raise
        finally:
            for future in futures:
                future.cancel()
    # Those that were cancelled have no result: an error among the others is why, and is raised.
    return [future.result() for future in futures if not future.cancelled()]


@contextmanager
def meanwhile(run: Run, work: Callable[[], Result]) -> Iterator[Future[Result]]:
    """Run ``work`` in another thread while the block runs in this one; both end together.

    An error of the block, Ctrl-C too, ends the workers that ``work`` waits for and is raised; else
    an error of ``work`` is.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="prism-meanwhile") as thread:
        future = thread.submit(copy_context().run, work)
        try:
            yield future
        except BaseException:
            run.stop()
            raise
    future.result()
