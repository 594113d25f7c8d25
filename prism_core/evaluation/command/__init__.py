"""The commands ``prism evaluate``, ``gate`` and ``reproduce``, found by the product as plug-ins."""

from typer import Typer

__all__ = ["add_commands"]


def add_commands(app: Typer) -> None:
    """Add the commands of this distribution to the ``prism`` command."""
    from flows.command import command
    from prism_core.evaluation.command.evaluate import evaluate_app
    from prism_core.evaluation.command.gate import gate_app
    from prism_core.evaluation.command.reproduce import reproduce

    app.add_typer(evaluate_app, name="evaluate")
    app.add_typer(gate_app, name="gate")
    command(app, "reproduce")(reproduce)
