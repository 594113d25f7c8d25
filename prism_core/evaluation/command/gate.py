"""Commands ``prism gate …``: teach the gate.

Like the rest of the command they import nothing heavy before it is needed.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from flows.command import command, open_console, options, print_fact, say

gate_app = typer.Typer(
    help="What the gate knows: what of a document will come back.", no_args_is_help=True
)


@gate_app.callback()
def _gate() -> None:
    """Keep ``train`` a command of its own."""


@command(gate_app, "train")
def train_gate(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File of the gate (JSON).")],
    to: options.Target = None,
    source: options.Source = None,
    translator: Annotated[
        str | None,
        typer.Option(metavar=options.TRANSLATORS, help="Translator to learn.", show_default=False),
    ] = None,
    text: Annotated[
        list[str] | None,
        typer.Option(metavar="SOURCE:REFERENCE", help="Public text; repeat it for more."),
    ] = None,
    answered: Annotated[
        list[str] | None,
        typer.Option(metavar="SOURCE:ANSWERS:REFERENCE", help="Public text with its output."),
    ] = None,
    run: Annotated[
        list[Path] | None, typer.Option(metavar="OUT", help="The output folder of a finished run.")
    ] = None,
    lines: Annotated[
        int | None,
        typer.Option(
            min=1, help="Use N lines of each; some 24 count as a document.", show_default="all"
        ),
    ] = None,
    settings: options.SettingsFile = None,
    quiet: options.Quiet = False,
) -> None:
    """Teach the gate what comes back from a translator, and write that to FILE.

    It learns from public text with several settings: which sentences were restored, and what was
    lost in chrF. Text is really translated by a translator on this machine (--text), or roles are
    swapped in a translator's own output, without a call (--answered): lines of the files agree.
    With --run it learns from the reports of finished runs instead, whose gate was on: what they
    restored moves what is predicted. Text of documents is not in what is written.

    [bold]Examples[/]

      prism gate train gate.json --to es --translator apertium --text news.en:news.es

      prism gate train gate.json --to de --translator deepl --answered news.en:news.deepl.de:news.de

      prism gate train gate.json --to de --translator deepl --run letters-de/

    Then name FILE in the settings as gate.model. FILE keeps what it knows of other translators.
    """
    from prism_core.errors import ConfigurationError
    from prism_core.evaluation.jobs import train_gate as job
    from prism_core.resources import shipped_gate
    from prism_core.settings import load_settings

    flags = {"source": source, "target": to, "translator.name": translator}
    found = load_settings(settings, os.environ, flags, asks_nobody=True)
    lessons = [job.Lesson.parse(said, answered=False) for said in text or ()]
    lessons += [job.Lesson.parse(said, answered=True) for said in answered or ()]
    if run:
        if lessons:
            raise ConfigurationError("--run moves what is known already; give no text with it")
        known = file if file.exists() else shipped_gate(found.source, found.target)
        documents = job.mend_gate(found, run, known, file)
        say(f"{documents:,} documents; written to {file}")
        return
    taught = job.train_gate(found, lessons, file, lines)
    console = open_console(quiet=quiet)
    for name, value in taught.quality._asdict().items():
        told = f"{value:.3f}" if isinstance(value, float) else f"{value:,}"
        print_fact(console, name.replace("_", " "), told)
    say(f"written to {file}")
