"""The command ``prism watch``, which translates what comes into a folder until Ctrl-C.

Like the rest of the command it imports nothing heavy before it is needed.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.command import options
from flows.command.command_line import say, warn
from flows.command.running import run_and_summarise

if TYPE_CHECKING:
    from prism_core.settings import Job


def watch(
    archive: Annotated[Path, typer.Argument(metavar="IN", help="A folder.")],
    output: Annotated[Path, typer.Argument(metavar="OUT", help="Folder for the translations.")],
    to: options.Target = None,
    source: options.Source = None,
    translator: options.Translators = None,
    still: Annotated[
        float, typer.Option(help="Seconds for which a document must not change.", min=0)
    ] = 5.0,
    settings: options.SettingsFile = None,
    quiet: options.Quiet = False,
) -> None:
    """Translate what is put into the folder IN, and write it to OUT, until Ctrl-C.

    A document is taken when it has not changed for a while. Each time is a run like that of
    [bold]prism translate[/] IN OUT, with the same state, report and marks. A watch that was
    ended or killed goes on where it was.

    [bold]Example[/]

      prism watch inbox/ translated/ --to pt
    """
    from prism_core import jobs

    def run(job: Job) -> None:
        run_and_summarise(job, partial(jobs.translate, job), quiet=quiet, as_json=False)

    if not quiet:
        say("watching; press Ctrl-C to end")
    job = jobs.prepare_job(archive, output, settings, options.run_flags(source, to, translator))
    job = job.model_copy(update={"still": still})
    jobs.watch(job, run, lambda error: warn(f"{error}; it is tried again"))
