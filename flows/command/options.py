"""The arguments and options that several commands have, as annotated types.

Entry: the annotated types, each an argument or option with its help; ``translator_option`` makes
that of translators, whose names ``check_translators`` checks against the adapters there are.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from prism_core.plugins import plugin_names


class Engine(StrEnum):
    """How the stages of a run are run."""

    LOCAL = "local"
    PREFECT = "prefect"


class ArchiveEngine(StrEnum):
    """How an archive is translated; the last two are flows of Prefect, their shards elsewhere."""

    LOCAL = "local"
    PREFECT = "prefect"
    DASK = "dask"
    RAY = "ray"


class PdfOutput(StrEnum):
    """What a PDF becomes."""

    PDF = "pdf"
    DOCX = "docx"


class LogFormat(StrEnum):
    """What is written to standard error where nobody watches."""

    TEXT = "text"
    JSON = "json"


_ADAPTERS = "prism_core.translators.adapters"
TRANSLATORS = f"[{'|'.join(plugin_names(_ADAPTERS))}]"


def check_translators(names: list[str] | str | None) -> list[str] | str | None:
    """``names`` if every one is a translator's; else an error that lists those there are."""
    known = plugin_names(_ADAPTERS)
    for name in [names] if isinstance(names, str) else names or ():
        if name not in known:
            raise typer.BadParameter(f"{name!r} is not one of {', '.join(known)}.")
    return names


class Strength(StrEnum):
    """How strongly an archive is protected."""

    STANDARD = "standard"
    STRONG = "strong"
    STRONGEST = "strongest"


HowStrongly = Annotated[
    Strength | None,
    typer.Option(
        "--strength",
        help="How much is hidden: strong sends clauses apart, strongest keeps no content word.",
        show_default="standard",
    ),
]
STRENGTH_HELP = """
[bold]Strength[/]

  standard    content words and identifiers are hidden, sentences are mixed
  strong      + long sentences go in parts, with larger bags; with several translators each
              sees a part alone; with mixing.decoys_file a decoy for every two sentences.
              Costs about 1 to 2 points of chrF, and what the decoys cost
  strongest   + no content word is kept at all, a decoy for every sentence.
              Costs about 3 points of chrF

What a setting says itself stays as it is, and is reported. docs/strength.md has the figures.
"""
Archive = Annotated[Path, typer.Argument(metavar="IN", help="A folder, or one document.")]
RunBy = Annotated[Engine, typer.Option(help="In this process, or as a Prefect flow.")]
TranslatedBy = Annotated[
    ArchiveEngine | None,
    typer.Option(
        "--engine",
        help="In this process, as a Prefect flow, or as one whose shards a cluster of Dask or Ray "
        "does (shards.address).",
        show_default="local, or shards.engine",
    ),
]
SettingsFile = Annotated[
    Path | None, typer.Option("--settings", "-s", help="Settings file (TOML).", show_default=False)
]
Target = Annotated[
    str | None, typer.Option("--to", help="Target language, ISO 639.", show_default="es")
]
Source = Annotated[
    str | None,
    typer.Option(
        "--from",
        help="Source language, or auto: each document's own.",
        show_default="en",
    ),
]


def translator_option(about: str) -> Any:
    """``--translator``, with ``about`` for its help."""
    return typer.Option(
        "--translator",
        metavar=TRANSLATORS,
        callback=check_translators,
        autocompletion=lambda: list(plugin_names(_ADAPTERS)),
        help=about,
        show_default="apertium",
    )


WhoTranslates = Annotated[str | None, translator_option("Who translates.")]
WhoMayTranslate = Annotated[
    list[str] | None,
    translator_option("Who translates. Repeat it for who is asked when the first fails."),
]
WhoIsCompared = Annotated[
    list[str] | None, translator_option("Who may translate; repeat it to compare.")
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
AcceptLosses = Annotated[
    bool | None,
    typer.Option(
        "--accept-losses",
        help="Run also where less than half of the sentences are expected to be restored.",
        show_default=False,
    ),
]
Experimental = Annotated[
    bool | None,
    typer.Option(
        "--experimental",
        help="Take a source language that is not yet fit for confidential documents.",
        show_default=False,
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
Prune = Annotated[
    bool | None,
    typer.Option(
        "--prune",
        help="Destroy what was made of documents that IN has no more.",
        show_default=False,
    ),
]
Shards = Annotated[
    int | None,
    typer.Option(
        "--shards",
        metavar="N",
        min=1,
        help="Cut the archive into N shards, for several processes or machines; the state must be "
        "in PostgreSQL (state.url).",
        show_default="1",
    ),
]
CopyUntranslated = Annotated[
    bool | None,
    typer.Option(
        "--copy-untranslated",
        help="Copy what has nothing to translate, or failed, to OUT: in clear, as it is.",
        show_default=False,
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show what would be sent, and send nothing.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the summary as one line of JSON.")]
HowToLog = Annotated[
    LogFormat,
    typer.Option(
        "--log-format",
        help="Progress and one line a document on standard error: text where that is no terminal, "
        "or json, with counts and ids alone.",
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
