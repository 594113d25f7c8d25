from __future__ import annotations

import io
import threading

import pytest
from rich.console import Console

from flows.command import display
from flows.command.display import Bar, progress_line, show_until_done
from prism_core.state import Progress


class Work:
    """What is drawn, and how often it was looked at."""

    def __init__(self) -> None:
        self.looks = 0
        self.enough = threading.Event()

    def bars(self, _watched: str) -> list[Bar]:
        self._look()
        return [Bar("documents", 4, 10, "one failed")]

    def line(self, watched: str) -> str:
        self._look()
        return f"{watched} goes on"

    def _look(self) -> None:
        self.looks += 1
        if self.looks == 3:
            self.enough.set()


def console(*, terminal: bool = False, quiet: bool = False) -> Console:
    return Console(file=io.StringIO(), force_terminal=terminal, quiet=quiet, width=100)


def shown(work: Work, on: Console):
    return show_until_done(on, "work", bars=work.bars, line=work.line, width=12, start="begins")


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "_POLL_SECONDS", 0.01)
    monkeypatch.setattr(display, "_LINE_SECONDS", 0.01)


@pytest.mark.parametrize("terminal", [True, False])
def test_bars_are_drawn_on_a_terminal_alone_and_until_the_block_ends(terminal: bool) -> None:
    work, on = Work(), console(terminal=terminal)
    with shown(work, on) as watched:
        assert watched == "work"
        assert work.enough.wait(10)
    seen, written = work.looks, on.file.getvalue()
    assert ("documents" in written) is terminal
    assert ("work goes on" in written) is not terminal
    assert (written.splitlines()[0] == "begins") is not terminal
    assert work.looks == seen


@pytest.mark.parametrize("terminal", [True, False])
def test_a_block_that_fails_ends_the_drawing_and_its_error_passes(terminal: bool) -> None:
    before = set(threading.enumerate())
    with pytest.raises(KeyError), shown(Work(), console(terminal=terminal)):
        raise KeyError
    for thread in set(threading.enumerate()) - before:
        thread.join(5)  # it may be at its last lines
    assert set(threading.enumerate()) <= before


def test_a_quiet_console_draws_nothing() -> None:
    work = Work()
    with shown(work, console(quiet=True, terminal=True)) as watched:
        assert watched == "work"
    assert work.looks == 0


def test_bars_are_looked_at_when_it_is_over_and_lines_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(display, "_LINE_SECONDS", 60)
    for terminal in (True, False):
        work = Work()
        with shown(work, console(terminal=terminal)):
            work.looks = -100
        assert (work.looks > -100) is terminal


@pytest.mark.parametrize("terminal", [True, False])
def test_what_looking_raises_is_dropped(terminal: bool) -> None:
    looked = threading.Event()

    def fail(_watched: str) -> list[Bar]:
        looked.set()
        raise TypeError("text of a document")

    on = console(terminal=terminal)
    with show_until_done(on, "work", bars=fail, line=fail, width=12):  # type: ignore[arg-type]
        assert looked.wait(10)
    assert "text of a document" not in on.file.getvalue()


def test_a_bar_shows_what_is_done_and_its_note() -> None:
    work, on = Work(), console(terminal=True)
    with shown(work, on):
        assert work.enough.wait(10)
    line = next(one for one in on.file.getvalue().splitlines() if "documents" in one)
    assert "documents    " in line
    assert "4/10" in line
    assert "one failed" in line


def test_documents_that_cannot_be_read_are_not_counted_before_others_can_be_done() -> None:
    reading = Progress("read", 10, documents_read=6, documents_done=3, documents_failed=2)
    assert progress_line(reading).startswith("read: documents 1/10, ")
    later = Progress("encode", 10, documents_read=10, documents_done=3, documents_failed=2)
    assert progress_line(later).startswith("encode: documents 3/10 (2 failed), ")
