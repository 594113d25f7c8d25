"""The command ``prism serve``, which translates for other programs until Ctrl-C.

Like the rest of the command it imports nothing heavy before it is needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.command import options, say


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
    """Translate for other programs on this machine, and on a page for single documents.

    OmegaT, Weblate and other programs ask PRISM with the plug-in that they have for a translation
    service. Their texts are translated as documents are: on this machine, or encoded for the
    translator. What may not be sent, and cannot be translated here, is refused. FOLDER keeps the
    state, and gets the report when the server ends.

    The server listens on this machine alone. Programs need the key that is printed, or that the
    file of [bold]--token-file[/] holds.

    [bold]Example[/]

      prism serve desk/ --to pt --as deepl --port 5060 --token-file desk.key
    """
    from prism_core.cat import serving
    from prism_core.cat.loopback import serve_site
    from prism_core.jobs import prepare_job

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
