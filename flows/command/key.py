"""The commands ``prism key …``: make, show, rotate and destroy the key of the state.

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
    command,
    confirm_losses,
    make_output_job,
    open_console,
    settings_of,
)
from prism_core.errors import ConfigurationError

if TYPE_CHECKING:
    from prism_core.settings import Job

_HELP = """
Make, show, replace and destroy keys.

Your key (a file, the OS keyring or an environment variable; \\[key] in the settings) wraps the \
data keys of an archive's state: one key for data that outlives a run, and one for each run. Data \
keys seal everything in OUT/.prism. No command ever shows a key.
"""
key_app = typer.Typer(help=_HELP, no_args_is_help=True)
OutputIfAny = Annotated[
    Path | None, typer.Argument(metavar="[OUT]", help="An output folder.", show_default=False)
]


@command(key_app, "new")
def new(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="File to make.", show_default=False)
    ] = None,
    settings: options.SettingsFile = None,
) -> None:
    """Make a new key in FILE, or in the place that the settings name.

    An existing key is never overwritten. A key is 32 random bytes in base64, readable by you alone.

    [bold]Examples[/]

      prism key new /etc/prism/legal.key
    """
    from prism_core.cipher import fingerprint
    from prism_core.state import UserKey

    key = UserKey.in_file(file) if file else UserKey(settings_of(settings, asks_nobody=True).key)
    if key.file is None:
        raise ConfigurationError(
            "the settings name no file for the key; name one: prism key new FILE"
        )
    if not key.make():
        raise ConfigurationError(f"{key.place} exists already, and a key is never overwritten")
    typer.echo(f"{key.place}: {fingerprint(key.load())}")


@command(key_app, "show")
def show(
    output: OutputIfAny = None,
    settings: options.SettingsFile = None,
    as_json: options.AsJson = False,
) -> None:
    """Show the place, the fingerprint and the age of the key; with OUT also how that archive uses it.

    A fingerprint identifies a key and reveals nothing about it.

    [bold]Examples[/]

      prism key show

      prism key show contracts-es/ --json
    """  # noqa: E501 (the first line is its summary)
    from flows.command.state_console import key_facts, print_facts, store_facts

    facts = key_facts(settings_of(settings, asks_nobody=True).key)
    if output is not None:
        facts |= store_facts(make_output_job(output, settings))
    print_facts(open_console(), facts, as_json=as_json)


@command(key_app, "rotate")
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
    """Replace the key of the state of each OUT by a new one; the old key no longer opens them.

    The command makes a new key in the place of the old one. It keeps the old key beside it as
    FILE.FINGERPRINT, because other archives may use it. Only the data keys of each state are
    wrapped again, so this is quick. If the command is interrupted, every state opens with the key
    that is in place, and the same command continues. With [bold]--to FILE[/] the new key is the one
    in FILE; change the settings (or PRISM_KEY) afterwards.

    Later runs use data keys that the old key never wrapped. Earlier data stays under its data keys:
    a person who has the old key [bold]and[/] an earlier copy of the state can still open that copy.

    [bold]Examples[/]

      prism key rotate contracts-es/

      prism key rotate contracts-es/ mail-es/ --destroy-old

      prism key rotate contracts-es/ --to /etc/prism/legal.key

    [bold]What still needs the old key[/]

    Sealed memories (prism memory export), unfinished dictionary builds, archives that are not named
    in the command, and every earlier copy of a state.
    """
    if to is not None and destroy_old:
        raise ConfigurationError(
            "with --to the old key stays where it is; destroy it when nothing needs it any more"
        )
    with ExitStack() as held:
        from prism_core.state import StatePlace

        jobs = [make_output_job(output, settings) for output in outputs]
        for place in map(StatePlace.of, jobs):
            place.check_exists()
            held.enter_context(place.hold())
        if destroy_old:
            lost = ["the old key is destroyed: data that still needs it can never be opened again"]
            confirm_losses(open_console(stderr=True), lost, yes=yes)
        _rotate(jobs, to, destroy_old=destroy_old)


def _rotate(jobs: Sequence[Job], to: Path | None, *, destroy_old: bool) -> None:
    from prism_core.cipher import fingerprint
    from prism_core.state import StatePlace, UserKey

    user_key = UserKey(jobs[0].settings.key)
    old = user_key.find()
    if old is None:
        raise ConfigurationError(
            "there is no key in the place that the settings name; see prism key show"
        )
    new = user_key.prepare_successor() if to is None else _load_key_file(to)
    for job in jobs:
        StatePlace.of(job).admit(old, new)
    kept = user_key.replace(old, new) if to is None else ""
    for job in jobs:
        StatePlace.of(job).dismiss_others(new)
    typer.echo(
        f"the key is now {fingerprint(new)}" + (f"; put {to} into the settings" if to else "")
    )
    if destroy_old:
        user_key.destroy_earlier(old)
        typer.echo("the old key is destroyed")
    elif to is None:
        typer.echo(f"the old key is kept: {kept}")


@command(key_app, "destroy")
def destroy(
    output: OutputIfAny = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="The key in FILE.")
    ] = None,
    yes: options.Yes = False,
    settings: options.SettingsFile = None,
) -> None:
    """Destroy a key, after saying exactly what is lost with it.

    Without options the command destroys your key, in the place that the settings name. With
    [bold]--file[/] it destroys the key in FILE, for example an old one that a rotation kept. With
    OUT it says what that archive loses. To destroy the data keys of runs, use prism state purge.

    [bold]Examples[/]

      prism key destroy contracts-es/

      prism key destroy --file ~/.local/state/prism/key.5f0a94c19d3ee27b

    [bold]What it cannot reach[/]

    Copies of the key, and the remains of a deleted file on a disk. A backup of the state holds
    wrapped data keys: it opens with the user's key of its time until that key is destroyed
    everywhere (prism key rotate --destroy-old).
    """
    from flows.command.state_console import losses_of_key
    from prism_core.cipher import fingerprint
    from prism_core.state import UserKey

    job = make_output_job(output, settings) if output else None
    user_key = (
        UserKey.in_file(file) if file else UserKey(settings_of(settings, asks_nobody=True).key)
    )
    user_key.check_destroyable()
    key = user_key.find() if file is None else _load_key_file(file)
    if key is None:
        raise ConfigurationError(
            "there is no key in the place that the settings name; nothing to destroy"
        )
    confirm_losses(open_console(stderr=True), losses_of_key(fingerprint(key), job), yes=yes)
    user_key.destroy()
    typer.echo(f"the key is destroyed: {user_key.place}")


def _load_key_file(file: Path) -> bytes:
    from prism_core.state import UserKey

    if (key := UserKey.in_file(file).find()) is not None:
        return key
    raise ConfigurationError(f"{file} does not exist; make a key with: prism key new {file}")
