"""``prism evaluate subjects``: what a recipient infers about each data subject.

Entry: ``subjects`` -> ``_print_table``; the job is ``jobs.evaluate_subjects``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.command import escape, make_table, open_console, options, print_line

if TYPE_CHECKING:
    from prism_core.evaluation import Measured


_Place = Annotated[Path, typer.Argument(metavar="PLACE", help="An output folder, or a file.")]
_Methods = Annotated[
    str | None, typer.Option(help="Methods to compare, for a file.", show_default="PRISM")
]
_Most = Annotated[int | None, typer.Option(min=2, help="Use N subjects.", show_default="all")]
_Model = Annotated[str | None, typer.Option(help="A language model to ask.", show_default=False)]
_Endpoint = Annotated[
    str | None, typer.Option(metavar="URL", help="Address of the model.", show_default="OpenAI")
]
_Cost = Annotated[float | None, typer.Option(min=0, help="Stop before the run costs more.")]


def subjects(
    place: _Place,
    methods: _Methods = None,
    most: _Most = None,
    model: _Model = None,
    endpoint: _Endpoint = None,
    max_cost: _Cost = None,
    to: options.Target = None,
    settings: options.SettingsFile = None,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Say what a recipient infers about each data subject from what was sent, over chance.

    Attacks look for names and case numbers, link what was sent to one of all documents or to known
    facts, and guess years, places, nationality or profession. Beside each stands what chance
    reaches. Protected is who cannot be told better than by chance.

    [bold]A finished run[/]: PLACE is its output folder. Each document stands for one subject. The
    result, without text or names, is subjects.json in a new report of the run. Its digest is in the
    chain that prism audit verify checks.

    [bold]The benchmark[/]: PLACE is a file of the Text Anonymization Benchmark, such as
    echr_test.json. Methods are compared over it, and nothing is sent.

    [bold]Methods[/]

      in-clear                                       no protection
      identifiers-only, light, standard, strongest   PRISM
      FILE                                           another tool: lines {"subject": …, "text": …}

    With [bold]--model[/] a language model is asked about each subject too, at any endpoint that
    speaks OpenAI's interface. It has to be on this machine, except for the published benchmark.

    [bold]Examples[/]

      prism evaluate subjects contracts-es/

      prism evaluate subjects echr_test.json --to es --methods in-clear,presidio.jsonl,standard

      prism evaluate subjects contracts-es/ --endpoint http://localhost:11434/v1 --model llama3
    """
    import os

    from prism_core.evaluation.jobs import evaluate_subjects as job
    from prism_core.jobs import prepare_job
    from prism_core.settings import Settings, load_settings

    def settings_of(strength: str) -> Settings:
        flags = {"strength": strength, "target": to}
        return load_settings(settings, os.environ, flags, asks_nobody=True)

    written = ""
    public = place if place.is_file() else None
    asking = job.open_model(model, endpoint, max_cost, public) if model else nullcontext()
    with open_console(stderr=True, quiet=quiet or as_json).status("attacking"), asking as ask:
        if public is None:
            found, folder = job.prove_run(
                prepare_job(place, place, settings, asks_nobody=True), ask
            )
            measured, written = [found], f"in the chain of {folder}: prism audit verify {place}"
        else:
            chosen = methods.split(",") if methods else []
            measured = list(job.measure_methods(place, chosen, settings_of, ask, most))
    if as_json:
        typer.echo(json.dumps([one.as_row() for one in measured]))
        return
    _print_table(measured, quiet=quiet)
    if written and not quiet:
        print_line(open_console(), escape(written))


def _print_table(measured: Sequence[Measured], *, quiet: bool) -> None:
    """Print a row an attack; a share above whose chance the whole interval lies is marked."""
    rows: dict[str, dict[str, str]] = {}
    for each in measured:
        for found in each.shown:
            mark = " *" if found.interval()[0] > found.chance else ""
            row = rows.setdefault(found.attack, {"chance": f"{found.chance:.2f}"})
            row[each.method] = f"{found.value:.2f}{mark}"
    columns = ["chance", *(Path(each.method).stem for each in measured)]
    table = make_table("attack", *columns, fold=True)
    for attack, row in rows.items():
        cells = (row.get(each.method, "") for each in measured)
        table.add_row(attack.removeprefix("subject-"), row["chance"], *cells)
    console = open_console(quiet=quiet)
    console.print(table)
    console.print("[dim]share of the subjects; * above chance (95 %, exact)[/]")
