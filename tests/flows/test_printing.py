from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from rich.console import Console

from flows.command.command_line import confirm_losses, escape, make_table, print_fact, print_line

LONG = "a folder's name " * 12
NOT_MARKUP = "in/[bold]2024[/] :smile: [limits]"


def printed(show: Callable[[Console], None]) -> str:
    written = io.StringIO()
    show(Console(file=written, force_terminal=True, width=40))
    return written.getvalue()


def test_a_line_is_not_cut_where_the_terminal_ends() -> None:
    assert printed(lambda console: print_line(console, LONG)) == f"{LONG}\n"


@pytest.mark.parametrize(
    "show",
    [
        lambda console: print_fact(console, "file", NOT_MARKUP),
        lambda console: confirm_losses(console, [NOT_MARKUP], yes=True),
    ],
)
def test_what_comes_from_outside_is_shown_as_it_is(show: Callable[[Console], None]) -> None:
    assert NOT_MARKUP in printed(show)


def test_what_would_steer_a_terminal_is_shown_escaped() -> None:
    name = "a\x1b[31m\x07\u202eb\udcff\nc"
    shown = printed(lambda console: print_line(console, escape(name, one_line=True)))
    assert shown == "a\\x1b[31m\\x07\\u202eb\\udcff\\nc\n"
    assert printed(lambda console: print_line(console, escape("one\ntwo"))) == "one\ntwo\n"


def test_every_loss_has_a_line() -> None:
    shown = printed(lambda console: confirm_losses(console, ["one", "two"], yes=True))
    assert shown.splitlines()[1:] == ["  - one", "  - two"]


def test_columns_of_a_table_stand_left_or_right_and_counts_have_their_thousands() -> None:
    table = make_table("found", ">", rows=[("documents", 12_345), ("share", "1.5%")])
    lines = printed(lambda console: console.print(table)).splitlines()
    assert [line.rstrip() for line in lines if "12,345" in line or "1.5%" in line] == [
        " documents   12,345",
        " share         1.5%",
    ]


@pytest.mark.parametrize("fold", [True, False])
def test_a_word_too_long_for_its_column_is_cut_unless_it_is_folded(fold: bool) -> None:
    table = make_table("name", rows=[("x" * 60,)], fold=fold)
    written = printed(lambda console: console.print(table))
    assert (written.count("x") == 60) is fold
