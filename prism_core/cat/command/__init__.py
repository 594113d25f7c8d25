"""The commands ``prism review``, ``serve`` and ``terms``, found by the product as plug-ins."""

from typer import Typer

__all__ = ["add_commands"]


def add_commands(app: Typer) -> None:
    """Add the commands of this distribution to the ``prism`` command."""
    from flows.command import EXIT_CODES
    from prism_core.cat.command.review import review_app
    from prism_core.cat.command.serve import SERVE_HELP, serve
    from prism_core.cat.command.terminology import TERMS_HELP, terms

    app.add_typer(review_app, name="review")
    app.command(help=TERMS_HELP, epilog=EXIT_CODES)(terms)
    app.command(help=SERVE_HELP, epilog=EXIT_CODES)(serve)
