"""Watch a folder, and translate what is put into it, a run for all that is ready.

A file is ready when its size and its time have not changed for a while. The runs are those of
``translate`` over the same folders: what is unchanged is skipped, and a watch that was killed goes
on where it was.

Entry: ``watch``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from glob import escape
from pathlib import Path

from prism_core.errors import ConfigurationError, StoreInUse, Transient
from prism_core.settings import Job, new_run_id
from prism_core.stages import Folders

FileState = tuple[int, int]
"""Size of a file, and its time in nanoseconds."""
_RETRY = 60.0
"""Seconds before a run that could not reach its translator or its state is tried again."""


def watch(
    job: Job,
    run: Callable[[Job], object],
    report: Callable[[Exception], object],
    *,
    still: float = 5.0,
    every: float = 1.0,
) -> None:
    """Call ``run`` with a job of its own run whenever files are ready, until Ctrl-C.

    ``still`` are the seconds for which a file must not change, ``every`` those between two looks.
    Where a translator does not answer, or another run has the state, ``report`` gets the error and
    the run is tried again. Raises ``ConfigurationError`` unless the input is a folder.
    """
    if not isinstance(job.input, Path) or not job.input.is_dir():
        raise ConfigurationError(f"{job.input} is not a folder of this machine: watch needs one")
    changed: dict[str, tuple[FileState, float]] = {}
    done: dict[str, FileState] = {}
    while True:
        now, pause = time.monotonic(), every
        found = dict(_find_files(job, job.input))
        changed = {
            path: changed[path] if changed.get(path, (None,))[0] == seen else (seen, now)
            for path, seen in found.items()
        }
        moving = {path for path, (_, since) in changed.items() if now - since < still}
        names = {Path(path).name.casefold() for path in moving}  # a pattern may mean several
        ready = {p: seen for p, seen in found.items() if Path(p).name.casefold() not in names}
        if any(done.get(path) != seen for path, seen in ready.items()):
            try:
                run(_leave_out(job, moving))
                done = ready
            except (Transient, StoreInUse) as error:
                report(error)
                pause = _RETRY
        try:
            time.sleep(pause)
        except KeyboardInterrupt:  # no run is under way
            return


def _leave_out(job: Job, moving: set[str]) -> Job:
    """Return ``job`` as a new run that leaves out the files ``moving``."""
    documents = job.settings.documents
    excluded = (*documents.exclude, *map(escape, sorted(moving)))
    settings = job.settings.model_copy(
        update={"documents": documents.model_copy(update={"exclude": excluded})}
    )
    return job.model_copy(update={"settings": settings, "run_id": new_run_id()})


def _find_files(job: Job, folder: Path) -> Iterator[tuple[str, FileState]]:
    """Yield each file in ``folder`` that the settings count as a document, by its path."""
    with closing(Folders(job)) as folders:
        for found in folders.found_files():
            with suppress(OSError):  # it went away meanwhile, or may not be read
                seen = (folder / found.path).lstat()
                yield found.path, (seen.st_size, seen.st_mtime_ns)
