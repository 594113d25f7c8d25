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
        command,
        count_noun,
        escape,
        make_output_job,
        make_table,
        open_console,
        print_cautions,
        print_fact,
        print_line,
        say,
        settings_of,
        warn,
    )
    from flows.command.display import Bar, duration, show_until_done

__all__ = [
    "EXIT_CODES",
    "Bar",
    "command",
    "count_noun",
    "duration",
    "escape",
    "main",
    "make_output_job",
    "make_table",
    "open_console",
    "options",
    "print_cautions",
    "print_fact",
    "print_line",
    "say",
    "settings_of",
    "show_until_done",
    "warn",
]

__getattr__ = lazy_door(__name__)

_NEW_OBJECTS = 50_000
"""Number of new objects after which Python collects garbage. Nearly all objects of a run live until
its end or are freed by reference counts; with the default of 700, collections take one twentieth of
the start."""


def main() -> NoReturn:
    """Run the program in this process, and end the process; it is imported when it is run."""
    gc.set_threshold(_NEW_OBJECTS)
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # its own keeps what it frees
    codes: list[object] = []
    atexit.register(_leave, codes)  # registered first, so it is called last
    from flows.command.cli import main as run

    try:
        run()
    except SystemExit as error:
        codes.append(error.code)
        raise


def _leave(codes: list[object]) -> None:
    """End the process without freeing its objects, after closing everything and joining threads.

    Freeing a million objects that are no longer needed takes half a second. If no exit code is
    known, Python ends the process as usual.
    """
    if codes and isinstance(codes[0], int):
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(codes[0])
