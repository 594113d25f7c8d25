"""The ``prism`` command, forked from a process that has loaded its modules and the model already.

To load them is half of a small run, and a drill takes many. What runs is the whole command, in a
process, a session and an environment of its own; it is killed as any other.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from multiprocessing.util import get_temp_dir
from pathlib import Path

get_temp_dir()  # its socket, made now: below the TMPDIR of a test its path would be too long
CONTEXT = multiprocessing.get_context("forkserver")
"""Processes of it come from one that never used an object store, which cannot be forked after."""
CONTEXT.set_forkserver_preload(
    [
        "tests.end_to_end.warm_model",
        "flows.command.cli",
        "prism_core.jobs.translation",
        "prism_core.translators.openai.batch",
    ]
)


class WarmCommand:
    """As much of ``subprocess.Popen`` as tests ask for."""

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        printed: tuple[Path, Path],
    ) -> None:
        self._process = CONTEXT.Process(target=_run, args=(arguments, environment, folder, printed))
        self._process.start()
        self.pid = self._process.pid or 0
        self.kill = self._process.kill

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired("prism", timeout or 0.0)
        return self.returncode


def _run(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    printed: tuple[Path, Path],
) -> None:
    from flows.command import main

    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = environment["PYTHONPATH"].split(os.pathsep)
    tempfile.tempdir = None
    for file, standard in zip(printed, (1, 2), strict=True):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), standard)
    sys.argv = ["prism", *arguments]
    try:
        main()
    finally:
        atexit._run_exitfuncs()
