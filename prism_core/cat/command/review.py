"""The commands ``prism review …``: export sentences for review, and import the corrections.

Like the rest of the command they import nothing heavy before it is needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.command import command, count_noun, make_output_job, options, say, warn

review_app = typer.Typer(
    help="Export sentences for review, and import the corrections.",
    no_args_is_help=True,
)
Reviewer = Annotated[
    str, typer.Option(metavar="NAME", help="Name of the reviewer, for the report.")
]
Output = Annotated[Path, typer.Argument(metavar="OUT", help="The output folder of a run.")]


@command(review_app, "export")
def export(
    output: Output,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="NAME.xlf, .tsv or .xlsx.")],
    only: Annotated[
        str,
        typer.Option(
            help="One or more of withheld, local, untranslated, unsure, translated, separated by "
            "commas."
        ),
    ] = "withheld,local,untranslated,unsure",
    document: Annotated[
        str, typer.Option(metavar="PATTERN", help="Only documents whose path matches.")
    ] = "*",
    worst: Annotated[
        int,
        typer.Option(
            metavar="PERCENT",
            help="Add the worst sentences by their estimated quality, so many percent of all.",
            min=0,
            max=100,
        ),
    ] = 0,
    newest: Annotated[
        bool, typer.Option("--xliff-2", help="Write XLIFF 2.1 instead of 1.2.")
    ] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite an existing file.")] = False,
    settings: options.SettingsFile = None,
    quiet: options.Quiet = False,
) -> None:
    """Write the sentences that need a review to FILE, for a CAT tool or a spreadsheet.

    FILE.xlf is XLIFF 1.2, for OmegaT, Trados and memoQ ([bold]--xliff-2[/]: 2.1); FILE.tsv and
    FILE.xlsx are tables. FILE contains each sentence of the last run once that was withheld, that
    has words of the source language in its translation, or that is unsure. The most serious come
    first. Nothing is sent.

    FILE contains sentences and document names in clear; only its owner can read it (mode 0600). If
    you name it FILE.xlf.sealed, it is sealed under the key of the state; [bold]import[/] also reads
    sealed files.

    [bold]Examples[/]

      prism review export contracts-es/ review.xlf

      prism review export contracts-es/ review.xlsx --only withheld,unsure --document 'smith/*'
    """
    from prism_core.cat.jobs import reviewing

    exported = reviewing.export_review(
        make_output_job(output, settings),
        file,
        only=reviewing.parse_reasons(only),
        documents=document,
        worst=worst,
        newest=newest,
        replace=replace,
    )
    if exported.in_clear:
        warn(
            f"{file} contains sentences of the archive in clear; protect it like the archive, and "
            "delete it when you no longer need it"
        )
    if not quiet:
        sentences = count_noun(exported.units, "sentence")
        say(f"{sentences} of {count_noun(exported.documents, 'document')} in {file}")
        if exported.places:
            places = count_noun(exported.places, "other place")
            say(f"not in it: {places} to look at, such as pictures, that the report names")
        if exported.left_out:
            say(
                f"left out: {count_noun(exported.left_out, 'sentence')} with characters that such "
                "a file cannot hold"
            )


@command(review_app, "import")
def import_file(
    output: Output,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The reviewed file.")],
    reviewer: Reviewer,
    terms: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write terms from corrections, as proposals for a glossary (CSV)."
        ),
    ] = None,
    settings: options.SettingsFile = None,
    quiet: options.Quiet = False,
) -> None:
    """Put the corrections in FILE into the documents.

    The command accepts every translation that was changed, and every one that is confirmed: in
    XLIFF by its state (translated, reviewed, signed-off, final, approved), in a table by yes in the
    column [bold]approved[/]. It rewrites the documents and keeps the corrections. In later runs
    they take precedence over every answer, wherever the same sentence occurs. Nothing is sent.

    The report of this run says which documents were reviewed, and by whom. A sentence that is no
    longer in the archive is reported and ignored.

    [bold]Examples[/]

      prism review import contracts-es/ review.xlf --reviewer "M. Ortega"
    """
    from prism_core.cat.jobs import reviewing

    found = reviewing.import_review(make_output_job(output, settings), file, reviewer, terms)
    if quiet:
        return
    say(found.summary)
    if terms and found.terms:
        proposals = count_noun(len(found.terms), "proposal")
        say(f"{proposals} for a glossary in {terms}, in clear; nothing uses them yet")
    for ids, problem in (
        (found.misfits, "ignored because they are no longer in the archive"),
        (found.broken, "ignored because their formatting marks are broken"),
        (found.unmarked, "accepted without their formatting marks; check them"),
    ):
        if ids:
            say(f"{count_noun(len(ids), 'sentence')} {problem}")
            for row_id in ids[:_SHOWN]:
                say(f"  {row_id}")


@command(review_app, "serve")
def serve(
    output: Output,
    reviewer: Reviewer,
    port: Annotated[int, typer.Option(help="Port; 0 is any free port.", min=0, max=65535)] = 0,
    settings: options.SettingsFile = None,
) -> None:
    """Review in a browser on this machine, without a CAT tool.

    The page lists each sentence that was withheld, is unsure or contains words of the source
    language, and all others on request. It shows a sentence beside its translation, between its
    neighbours, with the doubtful words highlighted. What you accept is kept at once. The documents
    are written when you click the button, and when you end the command with Ctrl-C; a closing line
    says how many. The address contains a secret: anyone who has it can read the sentences while the
    command runs. Nothing leaves this machine.

    [bold]Examples[/]

      prism review serve contracts-es/ --reviewer "M. Ortega"
    """
    from prism_core.cat.jobs import reviewing

    def announce(address: str) -> None:
        say(f"open  {address}")
        say("press Ctrl-C to end")

    done = reviewing.serve_review(make_output_job(output, settings), reviewer, port, announce)
    say(done.summary if done is not None else reviewing.NOTHING_ACCEPTED)


_SHOWN = 20
