"""What the commands share: exit codes, settings, questions, and how they print.

Entry: ``settings_of`` or ``job_of``; then ``make_table``, ``print_line`` and ``print_fact`` for
what comes of it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich import markup
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from prism_core.errors import ExitCode

if TYPE_CHECKING:
    from prism_core.settings import Job, Settings

_EMOJI = re.compile(r"(:)(?=\S+?:)")
_WIDEST = 1000
"""Columns, where nothing bounds a line."""
EXIT_CODES = "\n[bold]Exit codes[/]\n\n" + "".join(
    f"  {code:<4} {code.meaning}\n" for code in ExitCode
)


def settings_of(
    file: Path | None, flags: Mapping[str, object] | None = None, *, asks_nobody: bool = False
) -> Settings:
    """Settings from ``file``, the environment and ``flags``. Raises ``ConfigurationError``."""
    from prism_core.jobs import check_settings

    return check_settings(file, flags, asks_nobody=asks_nobody)


def job_of(output: Path, settings: Path | None) -> Job:
    """A job for what is kept of ``output``: where its state, its reports and its key are.

    Raises ``ConfigurationError`` for an output in a bucket of which no state is named.
    """
    from prism_core.jobs import prepare_job

    job = prepare_job(output, output, settings, asks_nobody=True)
    if not isinstance(job.output, Path):
        job.check_state_named()
    return job


def confirm(question: str, yes: bool) -> None:
    """Go on only when the person says so; a program has to say ``--yes``."""
    if yes:
        return
    try:
        answered = typer.confirm(question, err=True)
    except (typer.Abort, OSError):  # there is nobody to ask
        answered = False
    if not answered:
        typer.echo("nothing was destroyed", err=True)
        raise typer.Exit(ExitCode.BAD_CONFIGURATION)


def open_console(
    *, stderr: bool = False, quiet: bool = False, force_terminal: bool | None = None
) -> Console:
    """What all is printed with: as wide as the terminal; in a file or a journal nothing is cut."""
    console = Console(stderr=stderr, quiet=quiet, force_terminal=force_terminal)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _WIDEST
    return console


def escape(text: str, *, one_line: bool = False) -> str:
    """``text`` as markup that shows what it says: brackets, ``:smile:``, and control characters and
    bytes that are no text as ``\\x1b``; line breaks, too, in what has to stay on ``one_line``."""
    kept = "" if one_line else "\n"
    shown = "".join(
        c if c.isprintable() or c in kept else c.encode("unicode_escape").decode() for c in text
    )
    return _EMOJI.sub(r"\1[not dim][/]", markup.escape(shown))


def print_line(console: Console, markup: str) -> None:
    """A line as long as it is. Whatever of it comes from outside has to be escaped."""
    console.print(markup, soft_wrap=True, highlight=False)


def say(line: str) -> None:
    """A line of a result, in which nothing is markup."""
    print_line(open_console(), escape(line))


def warn(text: str) -> None:
    """On standard error, also when quiet: this is how text leaves in clear."""
    open_console(stderr=True).print(f"[bold yellow]prism:[/] {escape(text)}", soft_wrap=True)


def print_fact(console: Console, label: str, value: object) -> None:
    """A dim ``label`` and its value, in which nothing is markup."""
    print_line(console, f"[dim]{label}[/]  {escape(str(value))}")


def print_losses(console: Console, losses: Iterable[str]) -> None:
    """What a destruction takes away, before it is confirmed."""
    print_line(console, "[bold]After this[/]")
    for loss in losses:
        print_line(console, f"  - {escape(loss)}")


def money(amount: float, currency: str) -> str:
    """``1,234.50 USD``; less than a cent is shown as less, never as nothing."""
    return f"< 0.01 {currency}" if 0 < amount < 0.01 else f"{amount:,.2f} {currency}"


def print_cautions(console: Console, cautions: Iterable[str]) -> None:
    """What makes a run weaker than its settings sound."""
    for caution in cautions:
        print_line(console, f"[yellow]caution[/]  {escape(caution)}")


def share(part: int, whole: int) -> str:
    """``12.5%``; empty of nothing."""
    return f"{part / whole:.1%}" if whole else ""


def make_table(
    *headings: str, rows: Iterable[Iterable[str | int]] = (), fold: bool = False
) -> Table:
    """A table of ``rows``; a heading after ``>`` has its column to the right.

    With ``fold`` a word that is longer than its column goes on in the next line, and is not cut.
    """
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        table.add_column(
            heading.removeprefix(">"),
            justify="right" if heading.startswith(">") else "left",
            overflow="fold" if fold else "ellipsis",
        )
    for row in rows:
        table.add_row(*(cell if isinstance(cell, str) else f"{cell:,}" for cell in row))
    return table
