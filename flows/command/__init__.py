"""The ``prism`` command: sub-commands, tables, progress, exit codes.

``main`` is the program. The other names serve commands that plug-ins add (``prism.commands``).
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import TYPE_CHECKING, NoReturn

from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from flows.command import options
    from flows.command.command_line import (
        EXIT_CODES,
        escape,
        make_table,
        open_console,
        print_cautions,
        print_fact,
        print_line,
        say,
        settings_of,
    )
    from flows.command.display import Bar, duration, show_until_done

__all__ = [
    "EXIT_CODES",
    "Bar",
    "duration",
    "escape",
    "main",
    "make_table",
    "open_console",
    "options",
    "print_cautions",
    "print_fact",
    "print_line",
    "say",
    "settings_of",
    "show_until_done",
]

__getattr__ = lazy_door(
    __name__,
    {
        "command_line": "EXIT_CODES escape make_table open_console print_cautions print_fact "
        "print_line say settings_of",
        "display": "Bar duration show_until_done",
    },
)

_NEW_OBJECTS = 50_000
"""How many new objects let Python look for garbage. Nearly all that a run makes stays to its end or
goes by itself: at 700, as it comes, one twentieth of a start is the search."""


def main() -> NoReturn:
    """The program, imported when it is run; for a process of its own, which ends with it."""
    gc.set_threshold(_NEW_OBJECTS)
    codes: list[object] = []
    atexit.register(_leave, codes)  # the first, so it is called when all others were
    from flows.command.cli import main as run

    try:
        run()
    except SystemExit as error:
        codes.append(error.code)
        raise


def _leave(codes: list[object]) -> None:
    """End the process, with everything closed and every thread joined, as it is: to take apart a
    million objects that nobody needs any more takes half a second.

    Where no exit code is known, Python ends it as usual.
    """
    if codes and isinstance(codes[0], int):
        for printed in (sys.stdout, sys.stderr):
            printed.flush()
        os._exit(codes[0])
