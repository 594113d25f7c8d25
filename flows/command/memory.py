"""The commands ``prism memory …``: what was translated, as a translation memory.

Like the rest of the command they import nothing heavy before it is needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.command import options
from flows.command.command_line import EXIT_CODES, job_of, say, warn

_EXPORT_HELP = """
Write what was translated into OUT as a translation memory (TMX 1.4).

It holds every finished sentence of the last run beside its translation, once each, in an order \
without meaning, and no name, id or date of a document. Such a file is as confidential as the \
archive: it is sealed (AES-256-GCM, under the key of the state store) and called FILE.tmx.sealed, \
unless you ask for --plain. Nothing is sent.

[bold]Examples[/]

  prism memory export contracts-es/ contracts.tmx

  prism memory export contracts-es/ contracts.tmx --plain

  prism translate more/ more-es/ --memory contracts.tmx.sealed

Sentences that kept source words carry the property x-untranslated-words, to be found and \
completed by a reviewer. A memory is used as it stands: what is in it is not translated again.
"""
_OPEN_HELP = """
Write a sealed memory in clear, to review it or to use it in another program.

It needs the key that it was sealed with, as [bold]key[/] in the settings says. The file is for \
its owner alone (mode 0600). To translate from a sealed memory it need not be opened.

[bold]Examples[/]

  prism memory open contracts.tmx.sealed

  prism memory open contracts.tmx.sealed /media/usb/contracts.tmx
"""

memory_app = typer.Typer(
    help="Export what was translated as a translation memory, or open a sealed one.",
    no_args_is_help=True,
)

Replace = Annotated[bool, typer.Option("--replace", help="Write over an existing file.")]


@memory_app.command("export", help=_EXPORT_HELP, epilog=EXIT_CODES)
def export(
    output: Annotated[Path, typer.Argument(metavar="OUT", help="The output folder of a run.")],
    file: Annotated[Path, typer.Argument(metavar="FILE.tmx", help="The memory to write.")],
    plain: Annotated[
        bool, typer.Option("--plain", help="In clear: whoever can read the file reads the archive.")
    ] = False,
    replace: Replace = False,
    settings: options.SettingsFile = None,
    quiet: options.Quiet = False,
) -> None:
    """Export a memory; the help text is ``_EXPORT_HELP``."""
    from prism_core.jobs import choose_memory_path, export_memory

    job = job_of(output, settings)
    if plain:
        _warn(choose_memory_path(file, plain=True))
    exported = export_memory(job, file, plain=plain, replace=replace)
    if quiet:
        return
    left = exported.with_source_words
    say(f"{exported.sentences:,} sentences in {exported.path}")
    if left:
        say(f"{left:,} of them hold words of the source language (x-untranslated-words)")


@memory_app.command("open", help=_OPEN_HELP, epilog=EXIT_CODES)
def open_sealed(
    sealed: Annotated[Path, typer.Argument(metavar="FILE.tmx.sealed", help="A sealed memory.")],
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE.tmx", help="Where to write it.", show_default="beside it"),
    ] = None,
    replace: Replace = False,
    settings: options.SettingsFile = None,
    quiet: options.Quiet = False,
) -> None:
    """Open a sealed memory; the help text is ``_OPEN_HELP``."""
    from prism_core.jobs import choose_memory_path, open_memory

    place = choose_memory_path(file or sealed.with_suffix(""), plain=True)
    job = job_of(sealed.parent, settings)
    _warn(place)
    open_memory(job, sealed, place, replace=replace)
    if not quiet:
        say(f"in clear: {place}")


def _warn(place: Path) -> None:
    warn(
        f"{place} will hold sentences of the archive and their translations in clear; keep it as "
        "you keep the archive, and delete it when it has served"
    )
