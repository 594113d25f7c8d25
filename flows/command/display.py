"""What a person at a terminal sees while work goes on, drawn by a thread of its own.

Entry: ``show_until_done`` draws anything until a block ends; ``show_progress`` draws a run so, with
``progress_line`` or bars, and the ``TimeLeft``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import fields
from functools import partial
from typing import NamedTuple, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TaskID, TextColumn
from rich.progress import Progress as Bars

from flows.command.command_line import print_line
from prism_core.state import Progress

Watched = TypeVar("Watched")


class Bar(NamedTuple):
    """One bar at a moment: ``done`` of ``total`` (0 where that is not known), and a note."""

    name: str
    done: int
    total: int
    note: str


_POLL_SECONDS = 0.5
_LINE_SECONDS = 10.0
"""How often a line is printed where bars cannot be drawn."""
_READING = ("", "ingest", "read")
"""Stages before the first document can be done."""
_STARTING = "loading the language model and the dictionary"
_SHARE_OF_POLLING = 0.05
"""Of the time: counting takes longer as an archive grows, and must not hold up the run."""


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
    """Draw ``watched`` until the block ends: ``bars`` on a terminal, else a ``line`` now and then.

    Both are called from a thread of its own, which has ended before the block, however that ends.
    What they raise is dropped: the work itself meets the same trouble, and says so once. Names of
    bars have ``width``; an empty line is not printed; ``start`` is the first one. A quiet console
    shows nothing, and nothing is looked at.
    """
    if console.quiet:
        yield watched
        return
    over = threading.Event()
    if console.is_terminal:
        draw = partial(_draw_bars, console, over, partial(bars, watched), width)
    else:
        draw = partial(_print_lines, console, over, partial(line, watched))
        if start:
            console.print(start, highlight=False)
    thread = threading.Thread(target=draw, daemon=True)
    thread.start()
    try:
        yield watched
    finally:
        over.set()
        thread.join()


def _draw_bars(
    console: Console, over: threading.Event, bars: Callable[[], Sequence[Bar]], width: int
) -> None:
    """Twice a second, and once more when it is over; the bars vanish at the end."""
    columns = (
        SpinnerColumn(),
        TextColumn(f"{{task.description:<{width}}}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}"),
    )
    with Bars(*columns, console=console, transient=True) as shown:
        tasks: list[TaskID] = []
        ended = False
        while not ended:
            ended = over.is_set()
            with suppress(Exception):
                for place, bar in enumerate(bars()):
                    if place == len(tasks):
                        tasks.append(shown.add_task("", note=""))
                    shown.update(
                        tasks[place],
                        description=bar.name,
                        completed=bar.done,
                        total=bar.total or None,
                        note=bar.note,
                    )
            over.wait(_POLL_SECONDS)


def _print_lines(console: Console, over: threading.Event, line: Callable[[], str]) -> None:
    while not over.wait(_LINE_SECONDS):
        with suppress(Exception):
            if text := line():
                print_line(console, text)


def show_progress(
    console: Console,
    poll: Callable[[], Progress],
    *,
    in_line: Callable[[Progress], str] | None = None,
) -> AbstractContextManager[LastKnown]:
    """Show what ``poll`` says of a run until the block ends.

    It is called twice a second, or less often where it takes long. ``in_line`` writes a moment as
    a line, where it is not to be one for people.
    """
    estimate, previous = TimeLeft(), ""

    def bars(known: LastKnown) -> list[Bar]:
        now = known()
        stage = now.stage or _STARTING
        done, failed = settled(now)
        told = f", {failed:,} failed" if failed else ""
        translated = now.sentences_answered + now.sentences_done
        left = f"{now.requests:,} requests, {estimate.text(now)}"
        return [
            Bar("documents", done, now.documents_total, stage + told),
            Bar("sentences", translated, now.sentences_total, left),
        ]

    def line(known: LastKnown) -> str:
        nonlocal previous
        now = known()
        before, previous = previous, (in_line or progress_line)(now)
        if previous == before:
            return ""
        return previous if in_line else f"{previous}, {estimate.text(now)}"

    return show_until_done(
        console,
        LastKnown(poll),
        bars=bars,
        line=line,
        width=10,
        start="" if in_line else _STARTING,
    )


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
                self._last = go_forward(self._last, self._poll())
            self._next = started + (self._clock() - started) / _SHARE_OF_POLLING
        return self._last


def go_forward(before: Progress, now: Progress) -> Progress:
    """``now``, none of whose counts is below that of ``before``.

    A sentence that has to be sent again, or a run that begins, would take some back.
    """
    counts = {
        field.name: max(getattr(before, field.name), getattr(now, field.name))
        for field in fields(Progress)
        if field.name != "stage"
    }
    translated = max(moment.sentences_answered + moment.sentences_done for moment in (before, now))
    counts["sentences_answered"] = translated - counts["sentences_done"]
    return Progress(now.stage, **counts)


def settled(now: Progress) -> tuple[int, int]:
    """How many documents are done, and how many of them failed.

    While the archive is read, those that cannot be read are not: nothing else could be done yet.
    """
    reading = now.stage in _READING
    failed = 0 if reading else now.documents_failed
    return now.documents_done - (now.documents_failed if reading else 0), failed


def progress_line(now: Progress) -> str:
    """A run at one moment, in one line."""
    translated = now.sentences_answered + now.sentences_done
    done, failed = settled(now)
    told = f" ({failed:,} failed)" if failed else ""
    return (
        f"{now.stage or _STARTING}: "
        f"documents {done:,}/{now.documents_total:,}{told}, "
        f"sentences {translated:,}/{now.sentences_total:,}, {now.requests:,} requests"
    )


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
