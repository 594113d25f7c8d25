"""The command ``prism train``, which the product finds as a plug-in."""

from typer import Typer

__all__ = ["add_commands"]


def add_commands(app: Typer) -> None:
    """Add the command of this distribution to the ``prism`` command."""
    from flows.command import command
    from prism_core.training.command.train import train

    command(app, "train")(train)
