"""The commands ``prism memory …``: export translations to a translation memory, and open one.

Like the rest of the command they import nothing heavy before it is needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.command import options
from flows.command.command_line import command, count_noun, make_output_job, say, warn

memory_app = typer.Typer(
    help="Export translations to a translation memory, or open a sealed one.",
    no_args_is_help=True,
)

Replace = Annotated[bool, typer.Option("--replace", help="Overwrite an existing file.")]


@command(memory_app, "export")
def export(
    output: Annotated[Path, typer.Argument(metavar="OUT", help="The output folder of a run.")],
    file: Annotated[Path, typer.Argument(metavar="FILE.tmx", help="The memory to write.")],
    plain: Annotated[
        bool, typer.Option("--plain", help="Write in clear: readers of the file read the archive.")
    ] = False,
    replace: Replace = False,
    settings: options.SettingsFile = None,
    quiet: options.Quiet = False,
) -> None:
    """Write the translations in OUT to a translation memory (TMX 1.4).

    The file holds every finished sentence of the last run with its translation, once each, in
    random order, and no name, id or date of a document. It is as confidential as the archive.
    Therefore it is sealed (AES-256-GCM, under the key of the state) and named FILE.tmx.sealed,
    unless you give --plain. Nothing is sent.

    [bold]Examples[/]

      prism memory export contracts-es/ contracts.tmx

      prism memory export contracts-es/ contracts.tmx --plain

      prism translate more/ more-es/ --memory contracts.tmx.sealed

    Sentences that still contain source words have the property x-untranslated-words, so that a
    reviewer can find and complete them. A memory is used as it is: PRISM does not translate its
    sentences again.
    """
    from prism_core.jobs import choose_memory_path, export_memory

    job = make_output_job(output, settings)
    if plain:
        _warn_of_clear_text(choose_memory_path(file, plain=True))
    exported = export_memory(job, file, plain=plain, replace=replace)
    if quiet:
        return
    left = exported.with_source_words
    say(f"{count_noun(exported.sentences, 'sentence')} in {exported.path}")
    if left:
        say(f"{left:,} of them with words of the source language (x-untranslated-words)")


@command(memory_app, "open")
def open_sealed(
    sealed: Annotated[Path, typer.Argument(metavar="FILE.tmx.sealed", help="A sealed memory.")],
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE.tmx", help="File to write.", show_default="beside it"),
    ] = None,
    replace: Replace = False,
    settings: options.SettingsFile = None,
    quiet: options.Quiet = False,
) -> None:
    """Write a sealed memory in clear, to review it or to use it in another program.

    The command needs the key that sealed the memory ([bold]key[/] in the settings). Only the owner
    can read the file (mode 0600). You need not open a sealed memory to translate with it.

    [bold]Examples[/]

      prism memory open contracts.tmx.sealed

      prism memory open contracts.tmx.sealed /media/usb/contracts.tmx
    """
    from prism_core.jobs import choose_memory_path, open_memory

    place = choose_memory_path(file or sealed.with_suffix(""), plain=True)
    job = make_output_job(sealed.parent, settings)
    _warn_of_clear_text(place)
    open_memory(job, sealed, place, replace=replace)
    if not quiet:
        say(f"in clear: {place}")


def _warn_of_clear_text(place: Path) -> None:
    warn(
        f"{place} will hold sentences of the archive and their translations in clear; protect it "
        "like the archive, and delete it when you no longer need it"
    )
