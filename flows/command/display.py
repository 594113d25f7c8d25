"""What a person at a terminal sees while work goes on, drawn by a thread of its own.

Entry: ``show_until_done`` draws anything until a block ends; ``show_progress`` draws a run so, with
``progress_line`` or bars, and the ``TimeLeft``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn
from rich.progress import Progress as Bars

from flows.command.command_line import print_line
from prism_core.state import Progress

Watched = TypeVar("Watched")
Draw = Callable[[Console, Watched, threading.Event], None]
"""Draws what it is given until the event is set, and returns soon after."""

_POLL_SECONDS = 0.5
_LINE_SECONDS = 10.0
"""How often a line is printed where bars cannot be drawn."""
_STARTING = "loading the language model and the dictionary"
_SHARE_OF_POLLING = 0.05
"""Of the time: counting takes longer as an archive grows, and must not hold up the run."""


@contextmanager
def show_until_done(
    console: Console, watched: Watched, *, bars: Draw[Watched], lines: Draw[Watched]
) -> Iterator[Watched]:
    """Draw ``watched`` until the block ends: with ``bars`` on a terminal, else with ``lines``.

    A quiet console shows nothing, and nothing is looked at. However the block ends, the thread has
    ended before it.
    """
    if console.quiet:
        yield watched
        return
    draw = bars if console.is_terminal else lines
    over = threading.Event()
    thread = threading.Thread(target=draw, args=(console, watched, over), daemon=True)
    thread.start()
    try:
        yield watched
    finally:
        over.set()
        thread.join()


def bars_on(console: Console, width: int) -> Bars:
    """Bars that vanish at the end: a description of ``width``, how many of how many, a ``note``."""
    return Bars(
        SpinnerColumn(),
        TextColumn(f"{{task.description:<{width}}}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}"),
        console=console,
        transient=True,
    )


def looks(over: threading.Event) -> Iterator[None]:
    """The moments to draw bars anew: twice a second, and once more when it is over."""
    while not over.wait(_POLL_SECONDS):
        yield
    yield


def now_and_then(over: threading.Event) -> Iterator[None]:
    """The moments to print a line: every ten seconds, and none when it is over."""
    while not over.wait(_LINE_SECONDS):
        yield


def show_progress(
    console: Console, poll: Callable[[], Progress]
) -> AbstractContextManager[LastKnown]:
    """Show what ``poll`` says until the block ends: bars on a terminal, else a line now and then.

    ``poll`` is called from a thread of its own, twice a second, or less often where it takes long.
    What it raises is dropped: the run itself meets the same trouble, and says so once.
    """
    return show_until_done(console, LastKnown(poll), bars=_bars, lines=_lines)


class LastKnown:
    """Calls ``poll``; when that fails, or has to rest, gives what it last gave.

    After each call it rests until no more than ``_SHARE_OF_POLLING`` of the time went into it.
    """

    def __init__(
        self, poll: Callable[[], Progress], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._poll = poll
        self._clock = clock
        self._last = Progress()
        self._next = clock()

    def __call__(self) -> Progress:
        """How far the run has come, as far as is known."""
        started = self._clock()
        if started >= self._next:
            with suppress(Exception):
                self._last = self._poll()
            self._next = started + (self._clock() - started) / _SHARE_OF_POLLING
        return self._last


def _bars(console: Console, known: LastKnown, over: threading.Event) -> None:
    with bars_on(console, 10) as bars:
        documents = bars.add_task("documents", total=None, note=_STARTING)
        sentences = bars.add_task("sentences", total=None, note="")
        estimate = TimeLeft()
        for _ in looks(over):
            now = known()
            bars.update(
                documents,
                total=now.documents_total or None,
                completed=now.documents_done,
                note=_documents_note(now),
            )
            bars.update(
                sentences,
                total=now.sentences_total or None,
                completed=now.sentences_answered + now.sentences_done,
                note=f"{now.requests:,} requests, {estimate.text(now)}",
            )


def _lines(console: Console, known: LastKnown, over: threading.Event) -> None:
    estimate = TimeLeft()
    previous = ""
    console.print(_STARTING, highlight=False)
    for _ in now_and_then(over):
        now = known()
        line = progress_line(now)
        if line != previous:
            print_line(console, f"{line}, {estimate.text(now)}")
            previous = line


def progress_line(now: Progress) -> str:
    """A run at one moment, in one line."""
    translated = now.sentences_answered + now.sentences_done
    return (
        f"{now.stage or _STARTING}: "
        f"documents {now.documents_done:,}/{now.documents_total:,} "
        f"({now.documents_failed:,} failed), "
        f"sentences {translated:,}/{now.sentences_total:,}, {now.requests:,} requests"
    )


def _documents_note(now: Progress) -> str:
    failed = f", {now.documents_failed:,} failed" if now.documents_failed else ""
    return f"{now.stage or _STARTING}{failed}"


class TimeLeft:
    """Estimates the rest from the share of work done and the time since work was first seen.

    Documents and sentences count alike: reading is slow and so is translating, and neither alone
    tells how far the whole is. No estimate is given below 3 % of the work or 5 seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began: tuple[float, float] | None = None

    def text(self, now: Progress) -> str:
        """``about 3 min left``, or that it is not known yet, or nearly over."""
        share = work_done(now)
        if share == 1:
            return "finishing"
        if self._began is None:
            self._began = (self._clock(), share)
        elapsed, gained = self._clock() - self._began[0], share - self._began[1]
        if gained < 0.03 or elapsed < 5:
            return "time left not known yet"
        return f"about {duration(elapsed / gained * (1 - share))} left"


def work_done(now: Progress) -> float:
    """The share of a run that is done, in [0, 1].

    Documents are read and written, sentences translated in between: a third each, by count.
    """
    if not now.documents_total:
        return 0.0
    settled = now.documents_done / now.documents_total
    read = max(now.documents_read / now.documents_total, settled)
    translated = now.sentences_answered + now.sentences_done
    answered = translated / now.sentences_total if now.sentences_total else 0.0
    return min((read + answered * read + settled) / 3, 1.0)


def duration(seconds: float) -> str:
    """``45 s``, ``3 min``, ``2 h 10 min``, ``24 h``."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min" if minutes % 60 else f"{minutes // 60} h"
