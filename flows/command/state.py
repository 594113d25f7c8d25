"""The commands ``prism state …``: what is kept of an archive, going on with it, destroying it.

Entry: ``show``, ``resume`` and ``purge`` (-> ``_purge_all`` or ``_purge_old``); ``state_console``
prints. Like the rest of the command they import nothing heavy before it is needed.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.command import options
from flows.command.command_line import EXIT_CODES, confirm, job_of, open_console, print_line
from flows.command.running import run_and_summarise, translate_locally
from prism_core.errors import ConfigurationError

if TYPE_CHECKING:
    from prism_core.settings import Job

_HELP = """
See, continue or destroy what PRISM keeps of an archive.

OUT/.prism (or the database that state.url names) holds every sentence with what was sent for it, \
what came back and how to undo the replacements, sealed with a key that lies elsewhere. It is what \
a run goes on from, and why an unchanged document is never sent twice. Whoever has it [bold]and[/] \
the key can read everything.
"""
_SHOW_HELP = """
Show what the state of OUT holds: counts, runs, sizes and what waits.

Reads counts alone: it needs no key, changes nothing, and may be used while a run goes on.

[bold]Examples[/]

  prism state show contracts-es/

  prism state show contracts-es/ --json

  prism state show contracts-es/ --settings prism.toml
"""
_RESUME_HELP = """
Go on with the last translation into OUT, with the input, languages and settings it had.

The same as giving the last [bold]prism translate[/] command again: what was answered is not sent \
again, what has not changed is skipped, what failed is tried again. --settings is needed only when \
it says where the state or its key is; API keys come from the environment, as ever.

[bold]Examples[/]

  prism state resume contracts-es/

  prism state resume contracts-es/ --settings prism.toml --quiet
"""
_PURGE_HELP = """
Destroy what the state of OUT holds, and say first what can no longer be done after it.

With [bold]--documents-older-than DAYS[/]: the mappings, answers, translations and layouts that \
documents translated more than DAYS ago left behind, and the data keys of runs of which nothing \
is left. They are still skipped while they are unchanged. With [bold]--all[/]: everything, the \
salt of its keys included; the next run starts afresh. The translations in OUT and the reports stay.

[bold]Examples[/]

  prism state purge contracts-es/ --documents-older-than 30

  prism state purge contracts-es/ --all

  prism state purge contracts-es/ --all --with-key --yes

[bold]What it cannot reach[/]

Backups, snapshots, and what a disk keeps of files that are gone. All of that is sealed: replace \
the key and destroy the old one (prism key rotate OUT --destroy-old), or destroy it with \
everything (--all --with-key), and nobody can open it any more, nor any other archive with the \
same key.
"""
state_app = typer.Typer(help=_HELP, no_args_is_help=True)
Output = Annotated[Path, typer.Argument(metavar="OUT", help="The output folder.")]


@state_app.command("show", help=_SHOW_HELP, epilog=EXIT_CODES)
def show(
    output: Output, settings: options.SettingsFile = None, as_json: options.AsJson = False
) -> None:
    """Show counts; the help text is ``_SHOW_HELP``."""
    from flows.command.state_console import print_overview
    from prism_core.state import StatePlace

    print_overview(open_console(), StatePlace.of(job_of(output, settings)), as_json=as_json)


@state_app.command("resume", help=_RESUME_HELP, epilog=EXIT_CODES)
def resume(
    output: Output,
    settings: options.SettingsFile = None,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Go on; the help text is ``_RESUME_HELP``."""
    from prism_core.jobs import last_job
    from prism_core.stages import Folders

    job = last_job(job_of(output, settings))
    Folders(job).check()
    if job.settings.language.experimental:
        said = "--experimental was accepted with the last command, and holds for this run too"
        print_line(open_console(stderr=True, quiet=quiet or as_json), said)
    raise typer.Exit(
        run_and_summarise(job, partial(translate_locally, job), quiet=quiet, as_json=as_json)
    )


@state_app.command("purge", help=_PURGE_HELP, epilog=EXIT_CODES)
def purge(
    output: Output,
    days: Annotated[
        float | None,
        typer.Option(
            "--documents-older-than", metavar="DAYS", min=0, help="Of documents finished before."
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything.")] = False,
    with_key: Annotated[
        bool, typer.Option("--with-key", help="With --all: destroy the key as well.")
    ] = False,
    yes: options.Yes = False,
    settings: options.SettingsFile = None,
) -> None:
    """Destroy; the help text is ``_PURGE_HELP``."""
    if (days is None) is not everything:
        raise ConfigurationError("say what to destroy: --documents-older-than DAYS, or --all")
    if with_key and not everything:
        raise ConfigurationError("--with-key destroys the key of everything: it needs --all")
    from prism_core.state import StatePlace

    job = job_of(output, settings)
    StatePlace.of(job).check_exists()
    with StatePlace.of(job).hold():
        if everything:
            _purge_all(job, with_key=with_key, yes=yes)
        else:
            _purge_old(job, days or 0.0, yes=yes)


def _purge_all(job: Job, *, with_key: bool, yes: bool) -> None:
    from flows.command.state_console import warn_of_all
    from prism_core.stages import Folders
    from prism_core.state import StatePlace, UserKey

    key, place = UserKey(job.settings.key), StatePlace.of(job)
    if with_key:
        key.check_destroyable()
    warn_of_all(open_console(stderr=True), place, with_key=with_key)
    confirm("Destroy it?", yes)
    place.purge_all()
    Folders(job).remove_partial()
    typer.echo("the state is destroyed")
    if with_key:
        key.destroy()
        typer.echo(f"the key is destroyed: {key.place}")


def _purge_old(job: Job, days: float, *, yes: bool) -> None:
    from flows.command.state_console import warn_of_old
    from prism_core.state import StatePlace

    place = StatePlace.of(job)
    found = place.old_material(days)
    if not found.documents and not found.sentences:
        typer.echo(f"nothing to destroy: no document was finished more than {days:g} days ago")
        return
    warn_of_old(open_console(stderr=True), found.documents, found.sentences, found.shared, days)
    confirm("Destroy it?", yes)
    gone = place.purge_old(days)
    typer.echo(f"destroyed: {gone.sentences:,} sentences of {gone.documents:,} documents")
