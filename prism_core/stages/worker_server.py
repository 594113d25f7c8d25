"""The process behind `workers`: loads what the stages need once, and forks a worker on demand.

It has one thread of Python and opens neither store nor document, so forking is safe and no
database handle crosses it. It ends when the caller's end of its control connection closes,
however the caller ended; its workers are killed with it, by the kernel if need be.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle
from pathlib import Path
from typing import Final

from prism_core.errors import InternalFault, PrismError
from prism_core.language.identification import load_identifier
from prism_core.settings.job import Job
from prism_core.stages.boundary import Counted
from prism_core.stages.run import Encoders, Run
from prism_core.stages.workers import ChunkStage
from prism_core.state.documents import Chunk
from prism_core.state.lock import working

_PR_SET_PDEATHSIG: Final = 1
_DOCUMENTS_AHEAD: Final = 2
"""One is parsed while another is annotated; the other cores have workers of their own."""


def serve(control: Connection) -> None:
    """Fork a worker for each connection that ``control`` brings, until it closes."""
    libc = ctypes.CDLL(None)  # loaded here once, not in every worker
    workers: list[int] = []
    try:
        job: Job = control.recv()
        encoders = _load(job)
        while True:
            handle = recv_handle(control)
            server = os.getpid()
            worker = os.fork()
            if worker == 0:
                control.close()
                libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
                _become_worker(Connection(handle), server, job, encoders)
            os.close(handle)
            workers.append(worker)
    except (EOFError, OSError):  # the caller closed it, or is gone
        _kill(workers)


def _load(job: Job) -> Encoders:
    """Load model, dictionary and what tells languages apart, to be shared by all workers.

    What cannot be loaded is tried again by the stage that needs it, which says what is wrong.
    """
    encoders = Encoders(job)
    with suppress(Exception):
        encoders.load()
        if job.settings.language.identify:
            load_identifier()
    gc.collect()
    gc.freeze()  # a collection in a worker would write to every shared page
    return encoders


def _become_worker(connection: Connection, server: int, job: Job, encoders: Encoders) -> None:
    """Answer requests until the caller closes ``connection``; never returns."""
    code = 1
    try:
        with suppress(OSError):  # when memory runs out, a worker goes before its caller does
            Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")
        if os.getppid() == server:  # else it was gone before it could be told to take us along
            _work(connection, job, encoders)
        code = 0
    finally:
        os._exit(code)


def _work(connection: Connection, job: Job, encoders: Encoders) -> None:
    opening = partial(Run.open, job, encoders=encoders, documents_ahead=_DOCUMENTS_AHEAD)
    open_run = cache(opening)  # with the first chunk, and no second time
    with suppress(EOFError, OSError):
        while True:
            stage, chunk = connection.recv()
            connection.send(_outcome(job, open_run, stage, chunk))


def _outcome(
    job: Job, open_run: Callable[[], Run], stage: ChunkStage, chunk: Chunk
) -> Counted | PrismError:
    try:
        with working(job.state_folder):
            return stage(open_run(), chunk)
    except PrismError as error:
        return error
    except Exception as error:  # noqa: BLE001 (its words may quote a document)
        return InternalFault.of(error)


def _kill(workers: list[int]) -> None:
    """Kill and await them: when this process has ended, none of them uses the store any more."""
    for worker in workers:
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)
    with suppress(ChildProcessError):
        while True:
            os.wait()


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
