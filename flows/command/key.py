"""The commands ``prism key …``: the key of the state, its rotation and its destruction.

Like the rest of the command they import nothing heavy before it is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from flows.command.command_line import (
    EXIT_CODES,
    AsJson,
    SettingsFile,
    Yes,
    confirmed,
    interruptible,
    job_of,
    settings_of,
)
from flows.command.printing import print_losses
from prism_core.errors import ConfigurationError

if TYPE_CHECKING:
    from prism_core.settings.job import Job
    from prism_core.settings.sections import KeySettings

_HELP = """
Make, show, replace and destroy keys.

Your key (a file, the OS keyring or an environment variable; \\[key] in the settings) wraps a \
master key, which wraps the data keys of an archive's state: one for what outlives a run, one for \
each run. Data keys seal everything in OUT/.prism. No command ever shows a key.
"""
_NEW_HELP = """
Make a new key, in FILE or where the settings say.

An existing key is never written over. Keys are 32 random bytes in base64, readable by you alone.

[bold]Examples[/]

  prism key new /etc/prism/legal.key
"""
_SHOW_HELP = """
Show where the key is, its fingerprint and age, and with OUT what it has to do with that archive.

A fingerprint tells keys from each other and nothing about them. For each run: when its data key \
was made, and of how many sentences it seals the text.

[bold]Examples[/]

  prism key show

  prism key show contracts-es/ --json
"""
_ROTATE_HELP = """
Put the state of each OUT under a new key; the old one opens them no more.

The new key is made and takes the place of the old one; the old one stays beside it as \
FILE.FINGERPRINT, since other archives may have it. One small value of each state is sealed anew, \
so it is quick. It may be killed at any point: every state opens with the key that is in place \
then, and the same command goes on. With [bold]--to FILE[/] the new key is the one in FILE, and \
you change the settings (or PRISM_KEY) afterwards.

With [bold]--deep[/] everything is encrypted anew too, under new data keys: whoever had the old \
key [bold]and[/] a copy of the state could otherwise open the state of today. A state that an \
earlier version of PRISM made is always encrypted anew.

[bold]Examples[/]

  prism key rotate contracts-es/

  prism key rotate contracts-es/ mail-es/ --deep --destroy-old

  prism key rotate contracts-es/ --to /etc/prism/legal.key

[bold]What keeps the old key[/]

Sealed memories (prism memory export), dictionary builds under way, archives not named here, and \
every copy of a state that was made before.
"""
_DESTROY_HELP = """
Destroy a key, and say first exactly what is lost with it.

Without options your key, wherever the settings say it is; with [bold]--file[/] the one in FILE, \
as an old one that a rotation left. With [bold]--run RUN[/] and OUT the data key of one run: the \
text, mappings, answers and translations that this run sealed are gone, here and in every copy of \
the state made from now on.

[bold]Examples[/]

  prism key destroy contracts-es/ --run 9f2c51d0e6a34b87

  prism key destroy --file ~/.local/state/prism/key.5f0a94c19d3ee27b

[bold]What it cannot reach[/]

Copies of the key, and what a disk keeps of a file that is gone. A backup of the state holds data \
keys, wrapped: it opens with the user's key of its time until that one is destroyed everywhere \
(prism key rotate --destroy-old).
"""
key_app = typer.Typer(help=_HELP, no_args_is_help=True)
OutputIfAny = Annotated[
    Path | None, typer.Argument(metavar="[OUT]", help="An output folder.", show_default=False)
]


@key_app.command("new", help=_NEW_HELP, epilog=EXIT_CODES)
def new(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Where.", show_default=False)
    ] = None,
    settings: SettingsFile = None,
) -> None:
    """Make a key; the help text is ``_NEW_HELP``."""
    from prism_core.cipher import fingerprint
    from prism_core.state.key import key_file, make_key_file, read_key_file

    place = file or key_file(settings_of(settings, asks_nobody=True).key)
    if place is None:
        raise ConfigurationError(
            "the settings name no file for the key; say which: prism key new FILE"
        )
    if not make_key_file(place):
        raise ConfigurationError(f"{place} exists already, and a key is never written over")
    typer.echo(f"{place}: {fingerprint(read_key_file(place))}")


@key_app.command("show", help=_SHOW_HELP, epilog=EXIT_CODES)
def show(
    output: OutputIfAny = None,
    settings: SettingsFile = None,
    as_json: AsJson = False,
) -> None:
    """Show a key's fingerprint; the help text is ``_SHOW_HELP``."""
    from flows.command.key_console import key_facts, print_facts, store_facts

    facts = key_facts(settings_of(settings, asks_nobody=True).key)
    if output is not None:
        facts |= store_facts(job_of(output, settings))
    print_facts(Console(), facts, as_json=as_json)


@key_app.command("rotate", help=_ROTATE_HELP, epilog=EXIT_CODES)
def rotate(
    outputs: Annotated[list[Path], typer.Argument(metavar="OUT...", help="Output folders.")],
    to: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The new key.", show_default=False)
    ] = None,
    deep: Annotated[bool, typer.Option("--deep", help="Encrypt everything anew.")] = False,
    destroy_old: Annotated[
        bool, typer.Option("--destroy-old", help="Destroy the old key at the end.")
    ] = False,
    yes: Yes = False,
    settings: SettingsFile = None,
) -> None:
    """Replace the key; the help text is ``_ROTATE_HELP``."""
    if to is not None and destroy_old:
        raise ConfigurationError(
            "with --to the old key stays where it is; destroy it when nothing needs it any more"
        )
    with interruptible(), ExitStack() as held:
        from prism_core.state.lock import exclusive
        from prism_core.state.overview import check_has_state

        jobs = [job_of(output, settings) for output in outputs]
        for job in jobs:
            check_has_state(job.state_folder, job.settings.state.url)
            held.enter_context(exclusive(job.state_folder, job.settings.state.url))
        if destroy_old:
            print_losses(
                Console(stderr=True),
                ["the old key is destroyed: what has it and is not named here never opens again"],
            )
            confirmed("Destroy it?", yes)
        _rotate(jobs, to, deep=deep, destroy_old=destroy_old)


def _rotate(jobs: Sequence[Job], to: Path | None, *, deep: bool, destroy_old: bool) -> None:
    from prism_core.cipher import fingerprint
    from prism_core.state.key import existing_key, forget_in_keyring
    from prism_core.state.key_succession import next_key, succeed
    from prism_core.state.overwriting import overwrite_and_remove
    from prism_core.state.rotation import admit, dismiss_others

    settings = jobs[0].settings.key
    old = existing_key(settings)
    if old is None:
        raise ConfigurationError("there is no key where the settings say it is; see prism key show")
    new = next_key(settings) if to is None else _key_in(to)
    for job in jobs:
        admit(job.state_folder, job.settings.state.url, old, new)
    kept = succeed(settings, old, new) if to is None else None
    for job in jobs:
        dismiss_others(job.state_folder, job.settings.state.url, new)
    _encrypt_anew(jobs, new, deep=deep)
    typer.echo(
        f"the key is now {fingerprint(new)}" + (f"; put {to} into the settings" if to else "")
    )
    if destroy_old and kept is not None:
        overwrite_and_remove(kept)
    elif destroy_old:
        forget_in_keyring(fingerprint(old))
    if destroy_old:
        typer.echo("the old key is destroyed")
    elif to is None:
        typer.echo(f"the old key is kept: {kept or f'{fingerprint(old)} in the OS keyring'}")


def _encrypt_anew(jobs: Sequence[Job], key: bytes, *, deep: bool) -> None:
    from prism_core.state.reencryption import encrypt_anew, needs_it

    console = Console(stderr=True)
    for job in jobs:
        folder, url = job.state_folder, job.settings.state.url
        if deep or needs_it(folder, url):
            with console.status("encrypting anew") as status:
                count = encrypt_anew(
                    folder, url, key, lambda n: status.update(f"encrypting anew: {n:,} values")
                )
            typer.echo(f"{job.output}: {count:,} values are encrypted anew")


@key_app.command("destroy", help=_DESTROY_HELP, epilog=EXIT_CODES)
def destroy(
    output: OutputIfAny = None,
    run: Annotated[
        str | None, typer.Option(metavar="RUN", help="The data key of a run of OUT.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="The key in FILE.")
    ] = None,
    yes: Yes = False,
    settings: SettingsFile = None,
) -> None:
    """Destroy a key; the help text is ``_DESTROY_HELP``."""
    with interruptible():
        if run is not None:
            if output is None or file is not None:
                raise ConfigurationError("say of which archive: prism key destroy OUT --run RUN")
            _destroy_run(job_of(output, settings), run, yes=yes)
        else:
            job = output and job_of(output, settings)
            _destroy_key(job, settings_of(settings, asks_nobody=True).key, file, yes=yes)


def _destroy_run(job: Job, run: str, *, yes: bool) -> None:
    from flows.command.key_console import losses_of_run
    from prism_core.state.lock import exclusive
    from prism_core.state.overview import check_has_state
    from prism_core.state.shredding import shred, would_shred

    folder, url = job.state_folder, job.settings.state.url
    check_has_state(folder, url)
    with exclusive(folder, url):
        print_losses(Console(stderr=True), losses_of_run(would_shred(folder, url, run)))
        confirmed("Destroy it?", yes)
        gone = shred(folder, url, run)
    typer.echo(f"destroyed: the data key of run {run}, and {gone.sentences:,} sentences with it")


def _destroy_key(job: Job | None, settings: KeySettings, file: Path | None, *, yes: bool) -> None:
    from flows.command.key_console import losses_of_key
    from prism_core.cipher import fingerprint
    from prism_core.state.key import check_destroyable, destroy_key, existing_key
    from prism_core.state.overwriting import overwrite_and_remove

    if file is None:
        check_destroyable(settings)
    key = existing_key(settings) if file is None else _key_in(file)
    if key is None:
        raise ConfigurationError("there is no key where the settings say it is; nothing to destroy")
    print_losses(Console(stderr=True), losses_of_key(fingerprint(key), job))
    confirmed("Destroy it?", yes)
    if file is None:
        place = destroy_key(settings)
    else:
        overwrite_and_remove(file)
        place = str(file)
    typer.echo(f"the key is destroyed: {place}")


def _key_in(file: Path) -> bytes:
    from prism_core.state.key import read_key_file

    try:
        return read_key_file(file)
    except FileNotFoundError:
        pass
    raise ConfigurationError(f"{file} does not exist; make a key with: prism key new {file}")
