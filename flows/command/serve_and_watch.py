"""The commands ``prism serve`` and ``prism watch``, which translate what comes in until Ctrl-C.

Like the rest of the command they import nothing heavy before it is needed.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from flows.command import options
from flows.command.command_line import say, warn
from flows.command.running import run_and_summarise, translate_locally

if TYPE_CHECKING:
    from prism_core.settings import Job

SERVE_HELP = """
Translate for other programs on this machine, and on a page for single documents.

OmegaT, Weblate and other programs ask PRISM with the plug-in that they have for a translation \
service. Their texts are translated as documents are: on this machine, or encoded for the \
translator. What may not be sent, and cannot be translated here, is refused. FOLDER keeps the \
state, and gets the report when the server ends.

The server listens on this machine alone. Programs need the key that is printed, or that the file \
of [bold]--token-file[/] holds.

[bold]Example[/]

  prism serve desk/ --to pt --as deepl --port 5060 --token-file desk.key
"""
WATCH_HELP = """
Translate what is put into the folder IN, and write it to OUT, until Ctrl-C.

A document is taken when it has not changed for a while. Each time it is a run as of \
[bold]prism translate[/] IN OUT, with the same state, report and marks. A watch that was ended or \
killed goes on where it was.

[bold]Example[/]

  prism watch inbox/ translated/ --to pt
"""


def serve(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Folder for the state and the report.")
    ],
    to: options.Target = None,
    source: options.Source = None,
    speaks: Annotated[
        Literal["deepl", "libretranslate", "openai", "apertium"] | None,
        typer.Option("--as", help="Service to speak as.", show_default="the page alone"),
    ] = None,
    port: Annotated[int, typer.Option(help="Port; 0 is any free port.", min=0, max=65535)] = 0,
    token_file: Annotated[
        Path | None,
        typer.Option(help="File with the key; made if missing.", show_default="a new key, printed"),
    ] = None,
    translator: options.Translators = None,
    settings: options.SettingsFile = None,
) -> None:
    """Serve programs and a page; the help text is ``SERVE_HELP``."""
    from prism_core import serving
    from prism_core.jobs import prepare_job
    from prism_core.loopback import serve_site

    def announce(address: str) -> None:
        if speaks is not None:
            say(f"{speaks}  {address}")
            say(f"key  {token if token_file is None else f'in {token_file}'}")
        say(f"page  {address}/{token if token_file is None else 'KEY'}/")
        say("press Ctrl-C to end; the report is written then")

    job = prepare_job(folder, folder, settings, options.run_flags(source, to, translator))
    token = serving.read_token(token_file)
    dialect = serving.DIALECTS[speaks] if speaks else None
    with serving.Desk.open(job) as desk:
        serve_site(serving.make_app(desk, dialect, token), port, announce)


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
    """Watch a folder; the help text is ``WATCH_HELP``."""
    from prism_core.jobs import prepare_job
    from prism_core.jobs import watch as watch_folder

    def run(job: Job) -> None:
        run_and_summarise(job, partial(translate_locally, job), quiet=quiet, as_json=False)

    if not quiet:
        say("watching; press Ctrl-C to end")
    job = prepare_job(archive, output, settings, options.run_flags(source, to, translator))
    job = job.model_copy(update={"still": still})
    watch_folder(job, run, lambda error: warn(f"{error}; it is tried again"))
