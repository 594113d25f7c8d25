"""``prism plan``: what a run would send, cost and leave out, with whom; nothing is sent."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from flows.command.command_line import (
    TRANSLATORS,
    Archive,
    AsJson,
    Memories,
    Quiet,
    SettingsFile,
    Source,
    Target,
    check_translators,
    interruptible,
)
from prism_core.errors import ConfigurationError

if TYPE_CHECKING:
    from prism_core.settings.job import Job
    from prism_core.settings.translators import TranslatorSettings

PLAN_HELP = """
Say what translating IN would take, with one translator or several side by side.

Everything is read and encoded as a run would, then counted: documents, sentences, requests, \
characters, tokens, the price, the time at the rates the translator states, and which documents \
would fail or have sentences withheld, and why. Nothing is sent, and nothing is left behind.

With OUT, what earlier runs into that folder were answered is not counted again.

[bold]Examples[/]

  prism plan contracts/ --to es

  prism plan contracts/ --to es --translator deepl --translator azure --translator google

  prism plan contracts/ contracts-es/ --to es --translator deepl

  prism plan contracts/ --to es --translator openai --settings prism.toml --json

[bold]Prices[/]

Of deepl, azure and google the list prices are known; state what you pay, and what tokens of a \
model cost, in the settings:

  \\[translator]
  name = "openai"
  price_per_million = 0.40
  price_per_million_answered = 1.60

Costs of tokens are estimated, rather too high than too low. A translator needs no key for its \
plan. Then: prism translate IN OUT --max-cost 5
"""


def plan(
    archive: Archive,
    output: Annotated[
        Path | None,
        typer.Argument(
            metavar="[OUT]",
            help="Folder for the translations, to count only what is new.",
            show_default=False,
        ),
    ] = None,
    to: Target = None,
    source: Source = None,
    translator: Annotated[
        list[str] | None,
        typer.Option(
            "--translator",
            metavar=TRANSLATORS,
            callback=check_translators,
            help="Who may translate; repeat it to compare.",
            show_default="apertium",
        ),
    ] = None,
    memory: Memories = None,
    settings: SettingsFile = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Plan a run; the help text is ``PLAN_HELP``."""
    names = list(dict.fromkeys(translator or []))
    with interruptible():
        from prism_core.jobs.prepare import prepare_job
        from prism_core.settings.sources import translator_without_flags
        from prism_core.stages.folders import check_folders

        is_chosen = len(names) == 1 or translator_without_flags(settings, os.environ) is None
        flags = {
            "source": source,
            "target": to,
            "translator.name": names[0] if names and is_chosen else None,
            "memory.files": memory,
        }
        job = prepare_job(archive, output or nowhere(archive), settings, flags)
        check_folders(job)
        if output is None:
            job = knowing_nothing(job)
        with Console(stderr=True, quiet=quiet or as_json).status(
            "reading and encoding; nothing is sent"
        ):
            from prism_core.jobs.translate import plan as plan_run

            planned = plan_run(job, candidates(job.settings.translators, names))
        from flows.command.plan_table import plan_json, print_plan

        if as_json:
            typer.echo(plan_json(planned))
        else:
            print_plan(Console(quiet=quiet), planned, dealt_among=dealt_among(job, names))


def candidates(
    listed: Sequence[TranslatorSettings], names: list[str]
) -> Sequence[TranslatorSettings]:
    """The settings for each of ``names``, as ``listed`` where they are; without names, all listed.

    The others are as they are by themselves: one's address, rates or price would be wrong for
    another.
    """
    from prism_core.settings.translators import TranslatorSettings

    known = {settings.name: settings for settings in reversed(listed)}
    return [known.get(name) or TranslatorSettings.choose(name=name) for name in names] or listed


def dealt_among(job: Job, names: list[str]) -> int:
    """Among how many translators a run deals its sentences; each other plan is for one alone."""
    is_split = job.settings.mixing.routing == "split" and not names
    return len(job.settings.translators) if is_split else 1


def knowing_nothing(job: Job) -> Job:
    """``job`` without the state that the settings name, which is that of some output."""
    settings = job.settings.model_copy(update={"state": type(job.settings.state)()})
    return job.model_copy(update={"settings": settings})


def nowhere(archive: Path) -> Path:
    """A folder beside the input that does not exist, and will not."""
    place = archive.expanduser().absolute()
    if place.parent == place:
        raise ConfigurationError("the root of a file system cannot be planned without OUT")
    return place.parent / f".prism-plan-of-{place.name}"
