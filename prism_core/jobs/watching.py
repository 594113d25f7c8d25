"""Watch a folder, and translate what is put into it, a run for all that is ready.

A file is ready when it has not changed for a while (``Job.still``). The runs are those of
``translate`` over the same folders: what is unchanged is skipped, and a watch that was killed goes
on where it was.

Entry: ``watch``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from prism_core.errors import ConfigurationError, StoreInUse, Transient
from prism_core.settings import Job, new_run_id
from prism_core.stages import Folders

_RETRY = 60.0
"""Seconds before a run that could not reach its translator or its state is tried again."""


def watch(
    job: Job,
    run: Callable[[Job], object],
    report: Callable[[Exception], object],
    every: float = 1.0,
) -> None:
    """Call ``run`` with ``job`` under a new id whenever files are ready, until Ctrl-C.

    ``every`` are the seconds between two looks. Where a translator does not answer, or another run
    has the state, ``report`` gets the error and the run is tried again. Raises
    ``ConfigurationError`` unless the input is a folder.
    """
    if not isinstance(job.input, Path) or not job.input.is_dir():
        raise ConfigurationError(f"{job.input} is not a folder of this machine: watch needs one")
    done: dict[str, tuple[int, int]] = {}
    while True:
        pause, ready = every, dict[str, tuple[int, int]]()
        with closing(Folders(job)) as folders:
            for found in folders.found_files():
                with suppress(OSError):  # it went away meanwhile, or may not be read
                    seen = (job.input / found.path).lstat()
                    ready[found.path] = seen.st_size, seen.st_mtime_ns
        if any(done.get(path) != seen for path, seen in ready.items()):
            try:
                run(job.model_copy(update={"run_id": new_run_id()}))
                done = ready
            except (Transient, StoreInUse) as error:
                report(error)
                pause = _RETRY
        try:
            time.sleep(pause)
        except KeyboardInterrupt:  # no run is under way
            return
