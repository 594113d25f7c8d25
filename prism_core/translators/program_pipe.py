"""Long-running programs that answer NUL-terminated records one for one.

They use plain threads and pipes, no event loop: a program outlives the loop that first used it.

Entry: ``ProgramPipe.exchange`` writes records, reads answers and reads standard error, each as its
pipe is ready; then ``close``.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import IO

from prism_core.errors import BadAnswer, TimedOut

_CHUNK = 65_536
LONGEST = 2**24
"""Largest number of bytes read of the answers to one request: a hundred times the longest
request."""


class ProgramEnded(BadAnswer):
    """Error raised when a program of the pipeline ended, or its pipes broke, before it answered."""

    def __init__(self) -> None:
        super().__init__("A program of the translator ended unexpectedly.")


class ProgramPipe:
    """Programs joined by pipes: records ended by NUL go in, as many come out.

    ``stages`` are argument lists. With ``watch_errors`` the standard error of the last stage is
    kept in memory for ``take_errors``; it is read along with the answers, since a program whose
    standard error nobody reads stops and waits. Otherwise it is discarded, since it may quote a
    text.
    """

    def __init__(
        self,
        stages: Sequence[Sequence[str]],
        environment: Mapping[str, str],
        *,
        watch_errors: bool = False,
    ) -> None:
        self._programs: list[subprocess.Popen[bytes]] = []
        self._left_over = b""
        self._error_output = bytearray()
        upstream: int | IO[bytes] | None = subprocess.PIPE
        try:
            for stage in stages:
                watched = watch_errors and stage is stages[-1]
                program = subprocess.Popen(  # noqa: S603 - argument lists from the installed mode file, no shell
                    stage,
                    stdin=upstream,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE if watched else subprocess.DEVNULL,
                    env=environment,
                    bufsize=0,
                    start_new_session=True,  # Ctrl-C is for us to handle, not for them
                )
                self._programs.append(program)
                upstream = program.stdout
        except OSError:
            self.close()
            raise
        for program in self._programs[:-1]:
            _require_pipe(program.stdout).close()
        self._entry = _require_pipe(self._programs[0].stdin)
        self._exit = _require_pipe(self._programs[-1].stdout)
        self._errors = self._programs[-1].stderr
        for pipe in filter(None, (self._entry, self._exit, self._errors)):
            os.set_blocking(pipe.fileno(), False)

    def exchange(self, records: Sequence[bytes], deadline: float) -> list[bytes]:
        """Send ``records`` and wait for as many answers, until ``deadline`` (``time.monotonic``).

        Raises ``ProgramEnded``, ``TimedOut``, or ``BadAnswer`` for answers that are too long; the
        pipeline is unusable then.
        """
        waiting = memoryview(b"".join(record + b"\0" for record in records))
        received = bytearray(self._left_over)
        count = received.count(0)
        with selectors.DefaultSelector() as selector:
            selector.register(self._exit, selectors.EVENT_READ)
            if waiting:
                selector.register(self._entry, selectors.EVENT_WRITE)
            if self._errors:
                selector.register(self._errors, selectors.EVENT_READ)
            while count < len(records):
                ready = selector.select(max(0.0, deadline - time.monotonic()))
                if not ready and time.monotonic() >= deadline:
                    raise TimedOut("The translator gave no answer in time.")
                for key, _ in ready:
                    if key.fileobj is self._exit:
                        count += self._read(received)
                    elif key.fileobj is self._errors:
                        if not self._read_errors():
                            selector.unregister(self._errors)
                    else:
                        waiting = waiting[self._write(waiting) :]
                        if not waiting:
                            selector.unregister(self._entry)
        *answers, left_over = bytes(received).split(b"\0", len(records))
        self._left_over = left_over
        return answers

    def take_errors(self) -> bytes:
        """Return the standard error of the last stage since the last call."""
        while self._read_errors():
            pass
        output = bytes(self._error_output)
        self._error_output.clear()
        return output

    def interrupt(self) -> None:
        """End every program, from any thread; ``exchange`` then raises ``ProgramEnded``."""
        for program in self._programs:
            program.kill()

    def close(self) -> None:
        """End every program and close the pipes; not while another thread exchanges."""
        self.interrupt()
        for program in self._programs:
            program.wait()
            for pipe in filter(None, (program.stdin, program.stdout, program.stderr)):
                pipe.close()

    def _read(self, received: bytearray) -> int:
        """Append available bytes to ``received``; return the number of answers that end in them."""
        try:
            chunk = os.read(self._exit.fileno(), _CHUNK)
        except (OSError, ValueError):
            raise ProgramEnded from None
        if not chunk:
            raise ProgramEnded
        received += chunk
        if len(received) > LONGEST:
            raise BadAnswer("A program of the translator answers without end.")
        return chunk.count(0)

    def _read_errors(self) -> int:
        """Keep the bytes available on standard error; return their number."""
        try:
            chunk = os.read(self._errors.fileno(), _CHUNK) if self._errors else b""
        except (OSError, ValueError):
            return 0
        self._error_output += chunk
        del self._error_output[:-LONGEST]
        return len(chunk)

    def _write(self, waiting: memoryview) -> int:
        try:
            return os.write(self._entry.fileno(), waiting[:_CHUNK])
        except BlockingIOError:
            return 0
        except (OSError, ValueError):
            raise ProgramEnded from None


def _require_pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    """Return a pipe that was requested, narrowed for the type checker."""
    assert pipe is not None  # noqa: S101 - for the type checker: Popen was given PIPE
    return pipe
