"""The commands ``prism review …``: what a person should look at, and what they made of it.

Like the rest of the command they import nothing heavy before it is needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.command import options
from flows.command.command_line import EXIT_CODES, job_of, say, warn

_EXPORT_HELP = """
Write what should be looked at into FILE, for a translator's tool or a spreadsheet.

FILE.xlf is XLIFF 1.2, which OmegaT, Trados and memoQ open ([bold]--xliff-2[/]: 2.1); FILE.tsv and \
FILE.xlsx are tables. Of the documents of the last run it holds each sentence once that was \
withheld, that has words of the source language in its translation, or that is unsure; what costs \
most comes first. Nothing is sent.

The file holds sentences and names of documents in clear, for its owner alone (mode 0600). Called \
FILE.xlf.sealed it is sealed under the key of the state; [bold]import[/] reads it sealed, too.

[bold]Examples[/]

  prism review export contracts-es/ review.xlf

  prism review export contracts-es/ review.xlsx --only withheld,unsure --document 'smith/*'
"""
_IMPORT_HELP = """
Put into the documents what a person made of FILE.

Taken is every translation that was changed, and every one that is confirmed: in XLIFF by its \
state (translated, reviewed, signed-off, final, approved), in a table by yes in the column \
[bold]approved[/]. It goes into the documents, which are written anew, and is kept: in later \
nights it wins over every answer wherever the same sentence stands. Nothing is sent.

The report of this run says which documents were reviewed, and by whom. A sentence that is not in \
the archive as it is now is reported, and nothing is made of it.

[bold]Examples[/]

  prism review import contracts-es/ review.xlf --reviewer "M. Ortega"
"""

_SERVE_HELP = """
Review in a browser, on this machine alone: for those who have no translator's tool.

The page shows each sentence that was withheld, is unsure or holds words of the source language \
beside its translation. What you accept is kept at once; the documents are written when you say \
so, and when you end it with Ctrl-C. The address holds a secret: who has it can read the sentences \
as long as the command runs. Nothing leaves this machine.

[bold]Examples[/]

  prism review serve contracts-es/ --reviewer "M. Ortega"
"""

review_app = typer.Typer(
    help="Export what should be looked at, and put in place what came of it.",
    no_args_is_help=True,
)
Reviewer = Annotated[
    str, typer.Option(metavar="NAME", help="Who reviews it; the report names them.")
]
Output = Annotated[Path, typer.Argument(metavar="OUT", help="The output folder of a run.")]


@review_app.command("export", help=_EXPORT_HELP, epilog=EXIT_CODES)
def export(
    output: Output,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="NAME.xlf, .tsv or .xlsx.")],
    only: Annotated[
        str,
        typer.Option(
            help="Of withheld, local, untranslated, unsure, translated; with commas between."
        ),
    ] = "withheld,local,untranslated,unsure",
    document: Annotated[
        str, typer.Option(metavar="PATTERN", help="Only of documents with such a path.")
    ] = "*",
    newest: Annotated[bool, typer.Option("--xliff-2", help="XLIFF 2.1 in place of 1.2.")] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Write over an existing file.")
    ] = False,
    settings: options.SettingsFile = None,
    quiet: options.Quiet = False,
) -> None:
    """Export a review; the help text is ``_EXPORT_HELP``."""
    from prism_core.jobs import reviewing

    exported = reviewing.export_review(
        job_of(output, settings),
        file,
        only=reviewing.parse_reasons(only),
        documents=document,
        newest=newest,
        replace=replace,
    )
    if exported.in_clear:
        warn(
            f"{file} holds sentences of the archive in clear; keep it as you keep the archive, and "
            "delete it when it has served"
        )
    if not quiet:
        say(f"{exported.units:,} sentences of {exported.documents:,} documents in {file}")
        if exported.left_out:
            say(f"{exported.left_out:,} more hold characters that no such file can")


@review_app.command("import", help=_IMPORT_HELP, epilog=EXIT_CODES)
def import_file(
    output: Output,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What came back.")],
    reviewer: Reviewer,
    terms: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the terms that follow, as proposals for a glossary (CSV)."
        ),
    ] = None,
    settings: options.SettingsFile = None,
    quiet: options.Quiet = False,
) -> None:
    """Import a review; the help text is ``_IMPORT_HELP``."""
    from prism_core.jobs import reviewing

    found = reviewing.import_review(job_of(output, settings), file, reviewer, terms)
    if quiet:
        return
    say(f"{found.corrected:,} sentences corrected, {found.confirmed:,} confirmed")
    say(f"{found.rebuilt:,} documents written anew")
    for path in found.changed:
        say(f"not written, since its source has changed: {path}; the next run takes it up")
    if terms and found.terms:
        say(
            f"{len(found.terms):,} proposals for a glossary in {terms}, in clear; nothing uses them"
        )
    for ids, what in (
        (found.misfits, "sentences are not in the archive as it is now, and were left"),
        (found.broken, "sentences have broken formatting marks, and were left"),
        (found.unmarked, "sentences were taken without their formatting marks; look at them"),
    ):
        if ids:
            say(f"{len(ids):,} {what}")
            for row_id in ids[:_SHOWN]:
                say(f"  {row_id}")


@review_app.command("serve", help=_SERVE_HELP, epilog=EXIT_CODES)
def serve(
    output: Output,
    reviewer: Reviewer,
    port: Annotated[int, typer.Option(help="0 is any that is free.", min=0, max=65535)] = 0,
    settings: options.SettingsFile = None,
) -> None:
    """Serve the page; the help text is ``_SERVE_HELP``."""
    from prism_core.jobs import reviewing

    def announce(address: str) -> None:
        say(f"open  {address}")
        say("end it with Ctrl-C")

    done = reviewing.serve_review(job_of(output, settings), reviewer, port, announce)
    if done is not None:
        say(f"{done.rebuilt:,} documents written anew")


_SHOWN = 20
