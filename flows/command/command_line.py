"""What the commands share: arguments, options, exit codes, and how an interruption is told."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from prism_core.errors import ExitCode

if TYPE_CHECKING:
    from prism_core.settings.job import Job
    from prism_core.settings.sections import Settings

EXIT_CODES = "\n[bold]Exit codes[/]\n\n" + "".join(
    f"  {code:<4} {code.meaning}\n" for code in ExitCode
)


class Engine(StrEnum):
    """How the stages of a run are run."""

    LOCAL = "local"
    PREFECT = "prefect"


class TranslatorName(StrEnum):
    """The adapters that ship with PRISM."""

    APERTIUM = "apertium"
    OPENAI = "openai"
    OPENAI_BATCH = "openai-batch"
    DEEPL = "deepl"
    AZURE = "azure"
    GOOGLE = "google"
    LIBRETRANSLATE = "libretranslate"
    APERTIUM_APY = "apertium-apy"
    LOCAL = "local"
    FAKE = "fake"


class PdfOutput(StrEnum):
    """What a PDF becomes."""

    PDF = "pdf"
    DOCX = "docx"


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
    TranslatorName | None,
    typer.Option("--translator", help="Who translates.", show_default="apertium"),
]
WhoMayTranslate = Annotated[
    list[TranslatorName] | None,
    typer.Option(
        "--translator",
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


def settings_of(file: Path | None, flags: Mapping[str, object] | None = None) -> Settings:
    """Settings from ``file``, the environment and ``flags``. Raises ``ConfigurationError``."""
    from prism_core.settings.sources import load_settings

    return load_settings(file, os.environ, flags)


def job_of(output: Path, settings: Path | None) -> Job:
    """A job for what is kept of ``output``: where its state, its reports and its key are."""
    from prism_core.jobs import prepare_job

    return prepare_job(output, output, settings)


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
