"""Arguments and options that several commands share, as annotated types.

Entry: the annotated types, each an argument or option with its help; ``translator_option`` makes
the option for translators, whose names ``check_translators`` checks against the adapters;
``run_flags`` turns the commonest options into settings.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from prism_core.plugins import plugin_names

Engine = Literal["local", "prefect"]
_ADAPTERS = "prism_core.translators.adapters"
TRANSLATORS = f"[{'|'.join(plugin_names(_ADAPTERS))}]"


def check_translators(names: list[str] | str | None) -> list[str] | str | None:
    """Return ``names`` if all are translators; else raise an error that lists the translators."""
    known = plugin_names(_ADAPTERS)
    for name in [names] if isinstance(names, str) else names or ():
        if name not in known:
            from prism_core.settings import TranslatorSettings

            raise typer.BadParameter(f"{name!r} {TranslatorSettings.refuse_name(known)}")
    return names


Sending = Annotated[
    Literal["when-better", "always", "never"] | None,
    typer.Option(
        "--send",
        help="Where there is a model on this machine: send if a translator is shown to be better.",
        show_default="when-better",
    ),
]
HowStrongly = Annotated[
    Literal["identifiers-only", "light", "standard", "strong", "strongest"] | None,
    typer.Option(
        "--strength",
        help="Strength of protection: identifiers-only and light send ordinary words in clear, "
        "strong sends clauses apart, strongest a decoy for each sentence.",
        show_default="standard",
    ),
]
EveryStrength = Annotated[
    bool,
    typer.Option(
        "--strengths",
        help="Show what each strength would send in clear and cost, tried with the model on this "
        "machine.",
    ),
]
STRENGTH_HELP = """
[bold]Strength[/]

  identifiers-only
              names, numbers and codes are hidden, and no other word: the translator reads
              what each sentence says
  light       + words that tell something of a person (illness, crime, family, occupation) and
              unknown words are hidden; ordinary words are sent as they are
  standard    content words and identifiers are hidden, sentences are mixed
  strong      + long sentences are sent in parts, more of them together; with several translators
              each sees only a part; with mixing.decoys_file one decoy for every two sentences.
              Costs about 1 to 2 points of chrF, and the price of the decoys
  strongest   + one decoy for every sentence

A setting that you give yourself takes precedence, and is reported. See docs/strength.md.
"""
Archive = Annotated[Path, typer.Argument(metavar="IN", help="A folder, or one document.")]
RunBy = Annotated[Engine, typer.Option(help="Run in this process, or as a Prefect flow.")]
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
        help="Source language, ISO 639; of an archive also auto: that of each document.",
        show_default="en",
    ),
]


def translator_option(about: str) -> Any:
    """Make the option ``--translator``, with ``about`` as its help."""
    return typer.Option(
        "--translator",
        metavar=TRANSLATORS,
        callback=check_translators,
        autocompletion=lambda: list(plugin_names(_ADAPTERS)),
        help=about,
        show_default="firefox if its model of the pair is installed, else apertium",
    )


WhoTranslates = Annotated[str | None, translator_option("Translator to use.")]
Translators = Annotated[
    list[str] | None,
    translator_option("Translator to use. Repeat it to add translators to use if the first fails."),
]
ComparedTranslators = Annotated[
    list[str] | None, translator_option("Translator to plan with. Repeat it to compare several.")
]


def run_flags(
    source: str | None, target: str | None, translators: list[str] | None
) -> dict[str, object]:
    """Return the settings that the options of languages and translators stand for."""
    return {
        "source": source,
        "target": target,
        "translator.name": translators[0] if translators else None,
        "other_translators": translators[1:] if translators else None,
    }


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
        help="Run even if less than half of the sentences are expected to be restored.",
        show_default=False,
    ),
]
Experimental = Annotated[
    bool | None,
    typer.Option(
        "--experimental",
        help="Accept a source language that is not yet fit for confidential documents.",
        show_default=False,
    ),
]
Memories = Annotated[
    list[Path] | None,
    typer.Option(
        "--memory",
        help="A translation memory; its sentences are never sent. May be repeated.",
        show_default=False,
    ),
]
Prune = Annotated[
    bool | None,
    typer.Option(
        "--prune",
        help="Destroy the translations and the data of documents that are no longer in IN.",
        show_default=False,
    ),
]
Shards = Annotated[
    int | None,
    typer.Option(
        "--shards",
        metavar="N",
        min=1,
        help="Divide the run into N shards, for several processes or machines; the state must be "
        "in PostgreSQL (state.url).",
        show_default="1",
    ),
]
CopyUntranslated = Annotated[
    bool | None,
    typer.Option(
        "--copy-untranslated",
        help="Copy documents that failed or have nothing to translate to OUT, unchanged.",
        show_default=False,
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show what would be sent, and send nothing.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only errors.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the summary as one line of JSON.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
