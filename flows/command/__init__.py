"""The ``prism`` command: sub-commands, tables, progress, exit codes."""

from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """The program, imported when it is run."""
    from flows.command.cli import main as run

    run()
