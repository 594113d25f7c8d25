"""The commands ``prism models …``: put models of the translator ``firefox`` in place.

Entry: ``add`` and ``show_models``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.command.command_line import command

_HELP = """
Put translation models of Firefox on this machine, and list them.

With a model of the pair, prism translate uses it unless you name another translator. It sees the \
text as it is, and nothing leaves the machine.
"""
models_app = typer.Typer(help=_HELP, no_args_is_help=True)


@command(models_app, "add")
def add(
    model: Annotated[
        str, typer.Argument(metavar="FOLDER|PAIR", help="A folder, or a pair of languages.")
    ],
) -> None:
    """Add a model: from a folder with its files, or from the network for a pair such as en-es.

    A folder holds model.*.bin, vocab.*.spm and, if there is one, lex.*.bin, as Mozilla publishes
    them. The files are copied, with their checksums (SHA256SUMS).

    A pair is downloaded from Mozilla, whose service is not meant for regular use by many machines:
    for these, copy the folder that prism models list names, and add it there. This is the only
    command that downloads a model.

    [bold]Examples[/]

      prism models add downloads/enpt/

      prism models add en-es
    """
    from prism_core.resources import models_folder
    from prism_core.translators import add_model_folder, add_model_pair

    if Path(model).is_dir():
        pair = add_model_folder(Path(model))
    else:
        pair = model
        add_model_pair(pair)
    typer.echo(f"{pair}: {models_folder() / pair}")


@command(models_app, "list")
def show_models() -> None:
    """List the pairs of the models that were added, and their folder.

    [bold]Examples[/]

      prism models list
    """
    from prism_core.resources import models_folder
    from prism_core.translators import list_models

    for pair in list_models():
        typer.echo(f"{pair}: {models_folder() / pair}")
