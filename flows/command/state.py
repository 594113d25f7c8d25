"""The commands ``prism state …``: show and destroy the state of an archive.

Entry: ``show`` and ``purge`` (-> ``_purge_all`` or ``_purge_old``); ``state_console``
prints. Like the rest of the command they import nothing heavy before it is needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.command import options
from flows.command.command_line import (
    command,
    confirm_losses,
    count_noun,
    make_output_job,
    open_console,
)
from prism_core.errors import ConfigurationError

if TYPE_CHECKING:
    from prism_core.settings import Job

_HELP = """
Show or destroy the state that PRISM keeps of an archive.

The state is in OUT/.prism, or in the database that state.url names. For every sentence it holds \
the request, the answer and how to undo the replacements, sealed with a key that is kept \
elsewhere. A run continues from the state, and because of it no unchanged document is sent twice. \
Anyone who has the state [bold]and[/] the key can read everything.
"""
state_app = typer.Typer(help=_HELP, no_args_is_help=True)
Output = Annotated[Path, typer.Argument(metavar="OUT", help="The output folder.")]


@command(state_app, "show")
def show(
    output: Output, settings: options.SettingsFile = None, as_json: options.AsJson = False
) -> None:
    """Show the contents of the state of OUT: counts, runs, sizes and waiting work.

    The command reads only counts. It needs no key, changes nothing, and can be used during a run.

    [bold]Examples[/]

      prism state show contracts-es/

      prism state show contracts-es/ --json

      prism state show contracts-es/ --settings prism.toml
    """
    from flows.command.state_console import print_overview
    from prism_core.state import StatePlace

    print_overview(
        open_console(), StatePlace.of(make_output_job(output, settings)), as_json=as_json
    )


@command(state_app, "purge")
def purge(
    output: Output,
    days: Annotated[
        float | None,
        typer.Option(
            "--documents-older-than",
            metavar="DAYS",
            min=0,
            help="Destroy the data of documents finished more than DAYS ago.",
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Destroy everything.")] = False,
    with_key: Annotated[
        bool, typer.Option("--with-key", help="With --all: also destroy the key.")
    ] = False,
    yes: options.Yes = False,
    settings: options.SettingsFile = None,
) -> None:
    """Destroy data in the state of OUT, after saying what will no longer be possible.

    With [bold]--documents-older-than DAYS[/] the command destroys the mappings, answers,
    translations and layouts of documents that were translated more than DAYS ago, and the data keys
    of runs of which nothing is left. These documents are still skipped while they are unchanged.
    With [bold]--all[/] it destroys everything, including the salt of the keys; the next run starts
    anew. The translations in OUT and the reports stay.

    [bold]Examples[/]

      prism state purge contracts-es/ --documents-older-than 30

      prism state purge contracts-es/ --all

      prism state purge contracts-es/ --all --with-key --yes

    [bold]What it cannot reach[/]

    Backups, snapshots, and the remains of deleted files on a disk. All of these are sealed. To make
    them unreadable, replace the key and destroy the old one (prism key rotate OUT --destroy-old),
    or destroy the key with everything (--all --with-key). Then nobody can open them any more, nor
    any other archive with the same key.
    """
    if (days is None) is not everything:
        raise ConfigurationError("say what to destroy: --documents-older-than DAYS, or --all")
    if with_key and not everything:
        raise ConfigurationError("--with-key destroys the key of the whole state: it needs --all")
    from prism_core.state import StatePlace

    job = make_output_job(output, settings)
    StatePlace.of(job).check_exists()
    with StatePlace.of(job).hold():
        if everything:
            _purge_all(job, with_key=with_key, yes=yes)
        else:
            _purge_old(job, days or 0.0, yes=yes)


def _purge_all(job: Job, *, with_key: bool, yes: bool) -> None:
    from flows.command.state_console import losses_of_all
    from prism_core.stages import Folders
    from prism_core.state import StatePlace, UserKey

    key, place = UserKey(job.settings.key), StatePlace.of(job)
    if with_key:
        key.check_destroyable()
    confirm_losses(open_console(stderr=True), losses_of_all(place, with_key=with_key), yes=yes)
    place.purge_all()
    Folders(job).remove_partial()
    typer.echo("the state is destroyed")
    if with_key:
        key.destroy()
        typer.echo(f"the key is destroyed: {key.place}")


def _purge_old(job: Job, days: float, *, yes: bool) -> None:
    from flows.command.state_console import losses_of_old
    from prism_core.state import StatePlace

    place = StatePlace.of(job)
    found = place.old_material(days)
    if not found.documents and not found.sentences:
        typer.echo(f"nothing to destroy: no document was finished more than {days:g} days ago")
        return
    losses = losses_of_old(found.documents, found.sentences, found.shared, days)
    confirm_losses(open_console(stderr=True), losses, yes=yes)
    gone = place.purge_old(days)
    sentences = count_noun(gone.sentences, "sentence")
    typer.echo(f"destroyed: {sentences} of {count_noun(gone.documents, 'document')}")
