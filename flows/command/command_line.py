"""What the commands share: arguments, options, exit codes, and how an interruption is told.

Entry: the annotated types (``Archive``, ``Target`` ...), then ``settings_of`` or ``job_of``, all
within ``interruptible``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape

from prism_core.errors import ExitCode
from prism_core.plugins import plugin_names

if TYPE_CHECKING:
    from prism_core.settings import Job, Settings

EXIT_CODES = "\n[bold]Exit codes[/]\n\n" + "".join(
    f"  {code:<4} {code.meaning}\n" for code in ExitCode
)


class Engine(StrEnum):
    """How the stages of a run are run."""

    LOCAL = "local"
    PREFECT = "prefect"


class PdfOutput(StrEnum):
    """What a PDF becomes."""

    PDF = "pdf"
    DOCX = "docx"


_ADAPTERS = "prism_core.translators.adapters"
TRANSLATORS = f"[{'|'.join(plugin_names(_ADAPTERS))}]"


def check_translators(names: list[str] | str | None) -> list[str] | str | None:
    """``names`` if every one is a translator's; else an error that lists those there are."""
    known = plugin_names(_ADAPTERS)
    for name in [names] if isinstance(names, str) else names or ():
        if name not in known:
            raise typer.BadParameter(f"{name!r} is not one of {', '.join(known)}.")
    return names


Archive = Annotated[Path, typer.Argument(metavar="IN", help="A folder, or one document.")]
RunBy = Annotated[Engine, typer.Option(help="In this process, or as a Prefect flow.")]
SettingsFile = Annotated[
    Path | None, typer.Option("--settings", "-s", help="Settings file (TOML).", show_default=False)
]
Target = Annotated[
    str | None, typer.Option("--to", help="Target language, ISO 639.", show_default="es")
]
Source = Annotated[str | None, typer.Option("--from", help="Source language.", show_default="en")]
WhoTranslates = Annotated[
    str | None,
    typer.Option(
        "--translator",
        metavar=TRANSLATORS,
        callback=check_translators,
        help="Who translates.",
        show_default="apertium",
    ),
]
WhoMayTranslate = Annotated[
    list[str] | None,
    typer.Option(
        "--translator",
        metavar=TRANSLATORS,
        callback=check_translators,
        help="Who translates. Repeat it for who is asked when the first fails.",
        show_default="apertium",
    ),
]
MaxCost = Annotated[
    float | None,
    typer.Option(
        metavar="AMOUNT",
        min=0,
        help="Stop before the run costs more, in the currency of the translator's price.",
        show_default="no budget",
    ),
]
Memories = Annotated[
    list[Path] | None,
    typer.Option(
        "--memory",
        help="A translation memory: what it holds is never sent. May be repeated.",
        show_default=False,
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show what would be sent, and send nothing.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the summary as one line of JSON.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def settings_of(
    file: Path | None, flags: Mapping[str, object] | None = None, *, asks_nobody: bool = False
) -> Settings:
    """Settings from ``file``, the environment and ``flags``. Raises ``ConfigurationError``."""
    from prism_core.jobs import check_settings

    return check_settings(file, flags, asks_nobody=asks_nobody)


def job_of(output: Path, settings: Path | None) -> Job:
    """A job for what is kept of ``output``: where its state, its reports and its key are."""
    from prism_core.jobs import prepare_job

    return prepare_job(output, output, settings, asks_nobody=True)


def confirmed(question: str, yes: bool) -> None:
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


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C end the command with one message and its own exit code.

    What was interrupted may say itself what that means.
    """
    try:
        yield
    except KeyboardInterrupt as interruption:
        message = str(interruption) or (
            "interrupted; everything answered so far is kept. Run the same command again to go on."
        )
        Console(stderr=True).print(f"prism: {message}", soft_wrap=True)
        raise typer.Exit(ExitCode.INTERRUPTED) from None


def print_line(console: Console, markup: str) -> None:
    """A line as long as it is. Whatever of it comes from outside has to be escaped."""
    console.print(markup, soft_wrap=True, highlight=False)


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
