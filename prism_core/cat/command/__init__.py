"""The commands ``prism review``, ``serve`` and ``terms``, found by the product as plug-ins."""

from typer import Typer

__all__ = ["add_commands"]


def add_commands(app: Typer) -> None:
    """Add the commands of this distribution to the ``prism`` command."""
    from flows.command import command
    from prism_core.cat.command.review import review_app
    from prism_core.cat.command.serve import serve
    from prism_core.cat.command.terminology import terms

    app.add_typer(review_app, name="review")
    command(app, "terms")(terms)
    command(app, "serve")(serve)
