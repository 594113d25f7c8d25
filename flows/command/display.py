"""How work that goes on is shown: drawn by a thread of its own, until a block ends."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

Watched = TypeVar("Watched")
Draw = Callable[[Console, Watched, threading.Event], None]
"""Draws what it is given until the event is set, and returns soon after."""

_POLL_SECONDS = 0.5
_LINE_SECONDS = 10.0
"""How often a line is printed where bars cannot be drawn."""


@contextmanager
def shown(
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


def bars_on(console: Console, width: int) -> Progress:
    """Bars that vanish at the end: a description of ``width``, how many of how many, a ``note``."""
    return Progress(
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
