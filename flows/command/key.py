"""The commands ``prism key …``: the key of the state, its rotation and its destruction.

Entry: ``new``, ``show``, ``rotate`` (-> ``_rotate``) and ``destroy``. Like the rest of the command
they import nothing heavy before it is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.command import options
from flows.command.command_line import (
    EXIT_CODES,
    confirm,
    job_of,
    open_console,
    print_losses,
    settings_of,
)
from prism_core.errors import ConfigurationError

if TYPE_CHECKING:
    from prism_core.settings import Job

_HELP = """
Make, show, replace and destroy keys.

Your key (a file, the OS keyring or an environment variable; \\[key] in the settings) wraps the \
data keys of an archive's state: one for what outlives a run, one for each run. Data keys seal \
everything in OUT/.prism. No command ever shows a key.
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
FILE.FINGERPRINT, since other archives may have it. Of each state only the data keys are wrapped \
anew, so it is quick. It may be killed at any point: every state opens with the key that is in \
place then, and the same command goes on. With [bold]--to FILE[/] the new key is the one in FILE, \
and you change the settings (or PRISM_KEY) afterwards.

What later runs make is sealed under data keys that the old key never wrapped. What was sealed \
before stays under its data keys: whoever has the old key [bold]and[/] a copy of the state from \
before can open that.

[bold]Examples[/]

  prism key rotate contracts-es/

  prism key rotate contracts-es/ mail-es/ --destroy-old

  prism key rotate contracts-es/ --to /etc/prism/legal.key

[bold]What keeps the old key[/]

Sealed memories (prism memory export), dictionary builds under way, archives not named here, and \
every copy of a state that was made before.
"""
_DESTROY_HELP = """
Destroy a key, and say first exactly what is lost with it.

Without options your key, wherever the settings say it is; with [bold]--file[/] the one in FILE, \
as an old one that a rotation left. With OUT it says what of that archive goes with it. The data \
keys of runs are destroyed by prism state purge.

[bold]Examples[/]

  prism key destroy contracts-es/

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
    settings: options.SettingsFile = None,
) -> None:
    """Make a key; the help text is ``_NEW_HELP``."""
    from prism_core.cipher import fingerprint
    from prism_core.state import UserKey

    key = UserKey.in_file(file) if file else UserKey(settings_of(settings, asks_nobody=True).key)
    if key.file is None:
        raise ConfigurationError(
            "the settings name no file for the key; say which: prism key new FILE"
        )
    if not key.make():
        raise ConfigurationError(f"{key.place} exists already, and a key is never written over")
    typer.echo(f"{key.place}: {fingerprint(key.load())}")


@key_app.command("show", help=_SHOW_HELP, epilog=EXIT_CODES)
def show(
    output: OutputIfAny = None,
    settings: options.SettingsFile = None,
    as_json: options.AsJson = False,
) -> None:
    """Show a key's fingerprint; the help text is ``_SHOW_HELP``."""
    from flows.command.state_console import key_facts, print_facts, store_facts

    facts = key_facts(settings_of(settings, asks_nobody=True).key)
    if output is not None:
        facts |= store_facts(job_of(output, settings))
    print_facts(open_console(), facts, as_json=as_json)


@key_app.command("rotate", help=_ROTATE_HELP, epilog=EXIT_CODES)
def rotate(
    outputs: Annotated[list[Path], typer.Argument(metavar="OUT...", help="Output folders.")],
    to: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The new key.", show_default=False)
    ] = None,
    destroy_old: Annotated[
        bool, typer.Option("--destroy-old", help="Destroy the old key at the end.")
    ] = False,
    yes: options.Yes = False,
    settings: options.SettingsFile = None,
) -> None:
    """Replace the key; the help text is ``_ROTATE_HELP``."""
    if to is not None and destroy_old:
        raise ConfigurationError(
            "with --to the old key stays where it is; destroy it when nothing needs it any more"
        )
    with ExitStack() as held:
        from prism_core.state import StatePlace

        jobs = [job_of(output, settings) for output in outputs]
        for place in map(StatePlace.of, jobs):
            place.check_exists()
            held.enter_context(place.hold())
        if destroy_old:
            print_losses(
                open_console(stderr=True),
                ["the old key is destroyed: what has it and is not named here never opens again"],
            )
            confirm("Destroy it?", yes)
        _rotate(jobs, to, destroy_old=destroy_old)


def _rotate(jobs: Sequence[Job], to: Path | None, *, destroy_old: bool) -> None:
    from prism_core.cipher import fingerprint
    from prism_core.state import StatePlace, UserKey

    own = UserKey(jobs[0].settings.key)
    old = own.find()
    if old is None:
        raise ConfigurationError("there is no key where the settings say it is; see prism key show")
    new = own.prepare_successor() if to is None else _key_in(to)
    for job in jobs:
        StatePlace.of(job).admit(old, new)
    kept = own.replace(old, new) if to is None else ""
    for job in jobs:
        StatePlace.of(job).dismiss_others(new)
    typer.echo(
        f"the key is now {fingerprint(new)}" + (f"; put {to} into the settings" if to else "")
    )
    if destroy_old:
        own.destroy_earlier(old)
        typer.echo("the old key is destroyed")
    elif to is None:
        typer.echo(f"the old key is kept: {kept}")


@key_app.command("destroy", help=_DESTROY_HELP, epilog=EXIT_CODES)
def destroy(
    output: OutputIfAny = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="The key in FILE.")
    ] = None,
    yes: options.Yes = False,
    settings: options.SettingsFile = None,
) -> None:
    """Destroy a key; the help text is ``_DESTROY_HELP``."""
    from flows.command.state_console import losses_of_key
    from prism_core.cipher import fingerprint
    from prism_core.state import UserKey

    job = job_of(output, settings) if output else None
    own = UserKey.in_file(file) if file else UserKey(settings_of(settings, asks_nobody=True).key)
    own.check_destroyable()
    key = own.find() if file is None else _key_in(file)
    if key is None:
        raise ConfigurationError("there is no key where the settings say it is; nothing to destroy")
    print_losses(open_console(stderr=True), losses_of_key(fingerprint(key), job))
    confirm("Destroy it?", yes)
    own.destroy()
    typer.echo(f"the key is destroyed: {own.place}")


def _key_in(file: Path) -> bytes:
    from prism_core.state import UserKey

    if (key := UserKey.in_file(file).find()) is not None:
        return key
    raise ConfigurationError(f"{file} does not exist; make a key with: prism key new {file}")
