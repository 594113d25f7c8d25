from __future__ import annotations

import io
import threading
from collections.abc import Callable

import pytest
from rich.console import Console

from flows.command import display
from flows.command.display import bars_on, looks, now_and_then, show_until_done


def drawing(drawn: list[str], name: str) -> Callable[[Console, str, threading.Event], None]:
    def draw(_console: Console, watched: str, over: threading.Event) -> None:
        drawn.append(f"{name} {watched}")
        over.wait()
        drawn.append("over")

    return draw


def console(*, terminal: bool = False, quiet: bool = False) -> Console:
    return Console(file=io.StringIO(), force_terminal=terminal, quiet=quiet, width=100)


@pytest.mark.parametrize(("terminal", "name"), [(True, "bars"), (False, "lines")])
def test_bars_are_drawn_on_a_terminal_alone_and_until_the_block_ends(
    terminal: bool, name: str
) -> None:
    drawn: list[str] = []
    bars, lines = drawing(drawn, "bars"), drawing(drawn, "lines")
    with show_until_done(console(terminal=terminal), "work", bars=bars, lines=lines) as watched:
        assert watched == "work"
        assert "over" not in drawn
    assert drawn == [f"{name} work", "over"]


def test_a_block_that_fails_ends_the_drawing_and_its_error_passes() -> None:
    drawn: list[str] = []
    draw, before = drawing(drawn, "drawn"), set(threading.enumerate())
    with pytest.raises(KeyError), show_until_done(console(), "work", bars=draw, lines=draw):
        raise KeyError
    assert drawn[-1] == "over"
    assert set(threading.enumerate()) <= before


def test_a_quiet_console_draws_nothing() -> None:
    drawn: list[str] = []
    draw = drawing(drawn, "drawn")
    with show_until_done(
        console(quiet=True, terminal=True), "work", bars=draw, lines=draw
    ) as watched:
        assert watched == "work"
    assert drawn == []


def test_bars_are_looked_at_once_more_when_it_is_over_and_lines_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(display, "_POLL_SECONDS", 0.01)
    monkeypatch.setattr(display, "_LINE_SECONDS", 0.01)
    for moments, more in ((looks, 1), (now_and_then, 0)):
        over, seen = threading.Event(), 0
        for _ in moments(over):
            seen += 1
            if seen == 3:
                over.set()
        assert seen == 3 + more


def test_a_bar_shows_what_is_done_and_its_note() -> None:
    written = io.StringIO()
    with bars_on(Console(file=written, force_terminal=True, width=100), 12) as bars:
        bars.add_task("documents", total=10, completed=4, note="one failed")
    line = next(one for one in written.getvalue().splitlines() if "documents" in one)
    assert "documents    " in line
    assert "4/10" in line
    assert "one failed" in line
