"""The command ``prism terms``: candidate terms of an archive, as a glossary to edit.

Like the rest of the command it imports nothing heavy before it is needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.command import count_noun, open_console, options, say, warn


def terms(
    archive: options.Archive,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The glossary to write (TSV).")],
    to: options.Target = None,
    source: options.Source = None,
    least: Annotated[
        int, typer.Option(help="Leave out terms that stand in fewer sentences.", min=2)
    ] = 3,
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite an existing file.")] = False,
    experimental: options.Experimental = None,
    settings: options.SettingsFile = None,
    quiet: options.Quiet = False,
) -> None:
    """Write the candidate terms of IN to FILE, a glossary for you to edit before the first run.

    Candidates are noun phrases that stand in IN more often than public text explains, the most
    frequent first, with the number of sentences and of documents that have them. The model on this
    machine translates them, if there is one for the languages. Delete the rows that are no terms,
    correct the translations, and name FILE in the settings (dictionary.glossary). Nothing is sent.

    FILE holds words of the archive in clear; only its owner can read it (mode 0600).

    [bold]Examples[/]

      prism terms contracts/ terms.tsv --to es

      prism terms contracts/ terms.tsv --to es --least 10
    """
    from prism_core.cat.jobs import write_candidate_terms
    from prism_core.jobs import choose_unused_output, prepare_job

    flags = {"source": source, "target": to, "language.experimental": experimental}
    output = choose_unused_output(archive)
    job = prepare_job(archive, output, settings, flags, asks_nobody=True)
    with open_console(stderr=True, quiet=quiet).status("reading; nothing is sent"):
        found, translated = write_candidate_terms(job, file, fewest=least, replace=replace)
    warn(f"{file} holds words of the archive in clear; protect it like the archive")
    if not quiet:
        say(f"{count_noun(found, 'candidate')} in {file}, {translated:,} with a translation")
        say("edit it, then name it in the settings: dictionary.glossary")
