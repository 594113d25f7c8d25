"""Commands ``prism dictionary ...``, which the product finds as a plug-in."""

from typer import Typer

__all__ = ["add_commands"]


def add_commands(app: Typer) -> None:
    """Add the commands of this distribution to the ``prism`` command."""
    from prism_core.building.command.dictionary_commands import dictionary_app

    app.add_typer(dictionary_app, name="dictionary")
