from __future__ import annotations

import io

import pytest
from rich.console import Console

from flows.command.display import (
    LastKnown,
    duration,
    progress_line,
    show_progress,
)
from prism_core.state.store_overview import Progress

HALF = Progress(
    stage="translate",
    documents_total=10,
    documents_read=10,
    documents_done=4,
    documents_failed=1,
    sentences_total=2000,
    sentences_answered=500,
    sentences_done=600,
    requests=12,
)


def test_a_line_tells_stage_documents_sentences_and_requests() -> None:
    assert progress_line(HALF) == (
        "translate: documents 4/10 (1 failed), sentences 1,100/2,000, 12 requests"
    )


def test_before_anything_is_known_a_line_can_be_shown() -> None:
    assert progress_line(Progress()).startswith("loading the language model")


def test_counting_that_takes_long_is_done_less_often() -> None:
    now, counted = [100.0], []

    def count() -> Progress:
        now[0] += 2.0
        counted.append(now[0])
        return Progress(documents_total=len(counted))

    known = LastKnown(count, clock=lambda: now[0])
    shown = []
    while now[0] < 300:
        shown.append(known().documents_total)
        now[0] += 0.5
    assert counted == pytest.approx([102, 142, 182, 222, 262], abs=3)
    assert shown == sorted(shown)
    assert (shown[0], shown[-1], len(shown) > 300) == (1, 5, True)


def test_counting_that_takes_no_time_is_done_every_time_and_may_fail() -> None:
    answers = iter([HALF, None, Progress(documents_total=17)])

    def count() -> Progress:
        answer = next(answers)
        if answer is None:
            raise OSError
        return answer

    known = LastKnown(count, clock=lambda: 0.0)
    assert [known().documents_total for _ in range(3)] == [10, 10, 17]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(4.4, "4 s"), (59, "59 s"), (61, "1 min"), (3540, "59 min"), (7800, "2 h 10 min")],
)
def test_durations_read_like_speech(seconds, text) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_is_shown_until_the_block_ends_and_errors_pass_through(terminal) -> None:
    written = io.StringIO()
    console = Console(file=written, force_terminal=terminal, width=100)
    with pytest.raises(KeyError), show_progress(console, lambda: HALF):
        raise KeyError
    assert ("documents" if terminal else "loading") in written.getvalue()


def test_without_a_terminal_no_control_characters_are_written() -> None:
    written = io.StringIO()
    with show_progress(Console(file=written), lambda: HALF):
        pass
    assert written.getvalue() == "loading the language model and the dictionary\n"


def test_trouble_with_progress_is_not_trouble_with_the_run(capfd) -> None:
    def poll() -> Progress:
        raise TypeError("text of a document")

    written = io.StringIO()
    with show_progress(Console(file=written, force_terminal=True, width=100), poll):
        pass
    assert "text of a document" not in written.getvalue() + "".join(capfd.readouterr())
