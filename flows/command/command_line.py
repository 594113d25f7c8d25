"""Shared parts of the commands: exit codes, settings, questions and printing.

Entry: ``settings_of`` or ``make_output_job``; then ``make_table``, ``print_line`` and
``print_fact`` for the results.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast

import typer
from rich import markup
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from flows.command.options import STRENGTH_HELP
from prism_core.errors import ExitCode

if TYPE_CHECKING:
    from prism_core.settings import Job, Settings

Command = TypeVar("Command", bound=Callable[..., Any])
_EMOJI = re.compile(r"(:)(?=\S+?:)")
_WIDEST = 1000
"""Columns of a console that is no terminal."""
EXIT_CODES = "\n[bold]Exit codes[/]\n\n" + "".join(
    f"  {code:<4} {code.meaning}\n" for code in ExitCode
)


def command(app: typer.Typer, name: str) -> Callable[[Command], Command]:
    """Make a function the command ``name`` of ``app``, with its docstring as help.

    The lines of a paragraph are joined, and ``{strength}`` stands for ``STRENGTH_HELP``.
    """

    def add(function: Command) -> Command:
        described = re.sub(r"(?<=\S)\n(?=\S)", " ", inspect.getdoc(function) or "")
        described = described.replace("{strength}", STRENGTH_HELP.rstrip())
        return app.command(name, help=described, epilog=EXIT_CODES)(function)

    return add


def settings_of(
    file: Path | None, flags: Mapping[str, object] | None = None, *, asks_nobody: bool = False
) -> Settings:
    """Load settings from ``file``, environment and ``flags``. Raises ``ConfigurationError``."""
    from prism_core.jobs import check_settings

    return check_settings(file, flags, asks_nobody=asks_nobody)


def make_output_job(output: Path, settings: Path | None) -> Job:
    """Make a job for the state, the reports and the key of ``output``.

    Raises ``ConfigurationError`` for an output in a bucket if no state is named.
    """
    from prism_core.jobs import prepare_job

    job = prepare_job(output, output, settings, asks_nobody=True)
    if not isinstance(job.output, Path):
        job.check_state_named()
    return job


def confirm_losses(console: Console, losses: Iterable[str], *, yes: bool) -> None:
    """Print what a destruction takes away, and continue only if the person confirms it.

    A program has to give ``--yes``.
    """
    print_line(console, "[bold]After this[/]")
    for loss in losses:
        print_line(console, f"  - {escape(loss)}")
    if yes:
        return
    try:
        confirmed = typer.confirm("Destroy it?", err=True)
    except (typer.Abort, OSError):  # no terminal to ask at
        confirmed = False
    if not confirmed:
        typer.echo("nothing was destroyed", err=True)
        raise typer.Exit(ExitCode.BAD_CONFIGURATION)


class _TrimmedOutput:
    """Output without the blanks that fill the lines of a table: ``_WIDEST`` would show in a log."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write ``text`` without blanks at the ends of its lines."""
        self._file.write(re.sub(r" +$", "", text, flags=re.MULTILINE))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def open_console(*, stderr: bool = False, quiet: bool = False) -> Console:
    """Open the console of all output: as wide as the terminal; elsewhere nothing is cut."""
    console = Console(stderr=stderr, quiet=quiet)
    if not console.is_terminal:
        console.file = cast("IO[str]", _TrimmedOutput(console.file))
        if "COLUMNS" not in os.environ:
            console.width = _WIDEST
    return console


def escape(text: str, *, one_line: bool = False) -> str:
    r"""Return ``text`` as markup that shows it literally, with brackets and ``:smile:``.

    Control characters and undecodable bytes are shown as ``\\x1b``, with ``one_line`` line breaks
    too.
    """
    allowed = "" if one_line else "\n"
    shown = "".join(
        c if c.isprintable() or c in allowed else c.encode("unicode_escape").decode() for c in text
    )
    return _EMOJI.sub(r"\1[not dim][/]", markup.escape(shown))


def count_noun(count: int, noun: str) -> str:
    """Return ``1 sentence`` or ``2,000 sentences``: the count with ``noun`` in its number."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def print_line(console: Console, markup: str) -> None:
    """Print a line of ``markup`` without wrapping; text from outside must be escaped."""
    console.print(markup, soft_wrap=True, highlight=False)


def say(line: str) -> None:
    """Print a line of a result, in which nothing is markup."""
    print_line(open_console(), escape(line))


def warn(text: str) -> None:
    """Print a warning on standard error, even with ``--quiet``: text is written in clear."""
    open_console(stderr=True).print(f"[bold yellow]prism:[/] {escape(text)}", soft_wrap=True)


def print_fact(console: Console, label: str, value: object) -> None:
    """Print a dim ``label`` and its value, in which nothing is markup."""
    print_line(console, f"[dim]{label}[/]  {escape(str(value))}")


def money(amount: float, currency: str) -> str:
    """Return ``1,234.50 USD``; less than a cent is shown as less, never as nothing."""
    return f"< 0.01 {currency}" if 0 < amount < 0.01 else f"{amount:,.2f} {currency}"


def print_cautions(console: Console, cautions: Iterable[str]) -> None:
    """Print what makes a run weaker than its settings suggest."""
    for caution in cautions:
        print_line(console, f"[yellow]caution[/]  {escape(caution)}")


def share(part: int, whole: int) -> str:
    """Return ``12.5%``; empty for a share of nothing."""
    return f"{part / whole:.1%}" if whole else ""


def make_table(
    *headings: str, rows: Iterable[Iterable[str | int]] = (), fold: bool = False
) -> Table:
    """Make a table of ``rows``; a heading after ``>`` has its column right-aligned.

    With ``fold`` a word that is longer than its column is wrapped, not cut.
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
