"""The commands ``prism evaluate ...`` and ``prism gate ...``, found by the product as plug-ins."""

from typer import Typer

__all__ = ["add_commands"]


def add_commands(app: Typer) -> None:
    """Add the commands of this distribution to the ``prism`` command."""
    from prism_core.evaluation.command.evaluate import evaluate_app
    from prism_core.evaluation.command.gate import gate_app

    app.add_typer(evaluate_app, name="evaluate")
    app.add_typer(gate_app, name="gate")
