"""Show progress to a person at a terminal, drawn by a thread of its own.

Entry: ``show_until_done`` draws anything until a block ends; ``show_progress`` draws a run with it,
with ``progress_line`` or bars.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import NamedTuple, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bars

from flows.command.command_line import print_line
from prism_core.state import Progress

Watched = TypeVar("Watched")


class Bar(NamedTuple):
    """A bar at a moment: ``done`` of ``total`` (0 if unknown), and a note."""

    name: str
    done: int
    total: int
    note: str


_POLL_SECONDS = 0.5
_LINE_SECONDS = 10.0
"""Seconds between printed lines where bars cannot be drawn."""
_READING = ("", "ingest", "read")
"""Stages before the first document can be done."""
_STARTING = "loading the language model and the dictionary"
_SHARE_OF_POLLING = 0.05
"""Largest share of time spent on polling: counting takes longer as an archive grows, and must not
slow down the run."""


@contextmanager
def show_until_done(
    console: Console,
    watched: Watched,
    *,
    bars: Callable[[Watched], Sequence[Bar]],
    line: Callable[[Watched], str],
    width: int,
    start: str = "",
) -> Iterator[Watched]:
    """Show ``watched`` until the block ends: ``bars`` on a terminal, else ``line`` at intervals.

    Both are called from a thread of its own, which ends with the block in any case. Their
    exceptions are dropped, because the work itself meets the same problem and reports it. Names of
    bars have ``width``; an empty line is not printed; ``start`` is the first line. A quiet console
    shows nothing, and nothing is polled.
    """
    if console.quiet:
        yield watched
        return
    is_over = threading.Event()
    if console.is_terminal:
        draw = partial(_refresh_progress, console, is_over, partial(bars, watched), width)
    else:
        draw = partial(_print_lines, console, is_over, partial(line, watched))
        if start:
            console.print(start, highlight=False)
    thread = threading.Thread(target=draw, daemon=True)
    thread.start()
    try:
        yield watched
    finally:
        is_over.set()
        thread.join()


def _refresh_progress(
    console: Console, is_over: threading.Event, bars: Callable[[], Sequence[Bar]], width: int
) -> None:
    """Redraw the progress bars every 0.5 s and once at the end, then clear them."""
    columns = (
        SpinnerColumn(),
        TextColumn(f"{{task.description:<{width}}}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[note]}"),
    )
    with Bars(*columns, console=console, transient=True) as progress:
        tasks: list[TaskID] = []
        is_last = False
        while not is_last:
            is_last = is_over.is_set()
            with suppress(Exception):
                for index, bar in enumerate(bars()):
                    if index == len(tasks):
                        tasks.append(progress.add_task("", note=""))
                    progress.update(
                        tasks[index],
                        description=bar.name,
                        completed=bar.done,
                        total=bar.total or None,
                        note=bar.note,
                    )
            is_over.wait(_POLL_SECONDS)


def _print_lines(console: Console, is_over: threading.Event, line: Callable[[], str]) -> None:
    """Print a line every ten seconds until the work is over."""
    while not is_over.wait(_LINE_SECONDS):
        with suppress(Exception):
            if text := line():
                print_line(console, text)


def show_progress(
    console: Console, poll: Callable[[], Progress]
) -> AbstractContextManager[LastKnown]:
    """Show the progress that ``poll`` returns until the block ends.

    It is called twice a second, or less often if it takes long.
    """
    previous = ""

    def bars(known: LastKnown) -> list[Bar]:
        now = known()
        stage = now.stage or _STARTING
        done, failed = count_settled(now)
        failures = f", {failed:,} failed" if failed else ""
        translated = now.sentences_answered + now.sentences_done
        return [
            Bar("documents", done, now.documents_total, stage + failures),
            Bar("sentences", translated, now.sentences_total, f"{now.requests:,} requests"),
        ]

    def line(known: LastKnown) -> str:
        nonlocal previous
        now = known()
        last_line, previous = previous, progress_line(now)
        return "" if previous == last_line else previous

    return show_until_done(
        console, LastKnown(poll), bars=bars, line=line, width=10, start=_STARTING
    )


class LastKnown:
    """Result of ``poll``, or its last result when it fails or has to pause.

    After each call it pauses until at most ``_SHARE_OF_POLLING`` of the time was spent on it.
    """

    def __init__(
        self, poll: Callable[[], Progress], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._poll = poll
        self._clock = clock
        self._last = Progress()
        self._next = clock()

    def __call__(self) -> Progress:
        """Return the progress of the run as far as is known."""
        started = self._clock()
        if started >= self._next:
            with suppress(Exception):
                self._last = self._poll()
            self._next = started + (self._clock() - started) / _SHARE_OF_POLLING
        return self._last


def count_settled(now: Progress) -> tuple[int, int]:
    """Count the finished documents, and those of them that failed.

    While the archive is read, unreadable documents do not count as finished: no other could be
    finished yet.
    """
    reading = now.stage in _READING
    failed = 0 if reading else now.documents_failed
    return now.documents_done - (now.documents_failed if reading else 0), failed


def progress_line(now: Progress) -> str:
    """Return one moment of a run as a line."""
    translated = now.sentences_answered + now.sentences_done
    done, failed = count_settled(now)
    failures = f" ({failed:,} failed)" if failed else ""
    return (
        f"{now.stage or _STARTING}: "
        f"documents {done:,}/{now.documents_total:,}{failures}, "
        f"sentences {translated:,}/{now.sentences_total:,}, {now.requests:,} requests"
    )


def duration(seconds: float) -> str:
    """Format seconds as ``45 s``, ``3 min``, ``2 h 10 min`` or ``24 h``."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min" if minutes % 60 else f"{minutes // 60} h"
