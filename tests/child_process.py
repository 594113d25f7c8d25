"""Work in a process of its own, which may be killed in the middle of it."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from prism_core.state.database import Database, Writes

KILLED = -signal.SIGKILL
"""The exit code of a process that was killed."""

_FORK = multiprocessing.get_context("fork")


def exit_code_of(work: Callable[[], object], seconds: float = 120) -> int:
    """Do ``work`` in a fork of this process; its exit code, negative for a signal."""
    process = _FORK.Process(target=work)
    process.start()
    process.join(seconds)
    assert process.exitcode is not None, "the process hangs"
    return process.exitcode


def die() -> None:
    """Kill this process as an operator or a full memory would: nothing is tidied up."""
    os.kill(os.getpid(), signal.SIGKILL)


def die_at_transaction(number: int, *, committed: bool) -> None:
    """Let this process be killed just before or after its transaction ``number`` is committed.

    It is counted from here, over all state stores.
    """
    passed = 0
    original = Database.writing

    @contextmanager
    def writing(self: Database, *what: Writes) -> Iterator[Connection]:
        nonlocal passed
        passed += 1
        with original(self, *what) as connection:
            yield connection
            if passed == number and not committed:
                die()
        if passed == number and committed:
            die()

    Database.writing = writing  # type: ignore[method-assign]
