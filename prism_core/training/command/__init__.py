"""The command ``prism train``, which the product finds as a plug-in."""

from typer import Typer

__all__ = ["add_commands"]


def add_commands(app: Typer) -> None:
    """Add the command of this distribution to the ``prism`` command."""
    from flows.command import EXIT_CODES
    from prism_core.training.command.train import TRAIN_HELP, train

    app.command(help=TRAIN_HELP, epilog=EXIT_CODES)(train)
