"""The command ``prism reproduce``: tables of the papers beside ours, from stored rows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.command import escape, open_console, print_line


def reproduce(
    paper: Annotated[Literal["prism", "dp-nmt", "dx"], typer.Argument(help="Paper to show.")],
    rows: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="prism: a results folder.", show_default=False),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a page in Markdown.")] = False,
) -> None:
    """Print the tables of a paper with our figures beside them. Nothing is measured, nobody is asked.

    Our figures are read from rows that ship. A dash is a figure that was not run; the command that
    fills it is printed below. Each figure's seeds, versions and digests are printed too.

      prism    Sato 2024: Table 1 and the points of Figure 3
      dp-nmt   Igamberdiev et al. 2024: Table 1, Figure 2 with Table 3
      dx       Carpentier et al. 2024: experiments 1 and 2, the regression of Table 1

    [bold]Examples[/]

      prism reproduce dx

      prism reproduce prism --rows en-fr-T5

      prism reproduce prism --markdown > prism.md
    """  # noqa: E501 (the first line is its summary)
    from prism_core.evaluation import reproduce as read
    from prism_core.evaluation.command.evaluate_console import result_grid

    found = read(paper, rows)
    if markdown:
        typer.echo(found.as_markdown(), nl=False)
        return
    console = open_console()
    print_line(console, f"[bold]{escape(found.paper)}[/]")
    for table in found.tables:
        console.print(result_grid(table))
    for fact in (*found.made, *found.missing):
        print_line(console, escape(fact.strip()) + "\n")
