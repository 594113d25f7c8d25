"""What a person at a terminal sees of an evaluation: progress, and a table like the paper's."""

from __future__ import annotations

import json
import threading
from contextlib import AbstractContextManager

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid

from flows.command.display import bars_on, looks, now_and_then, show_until_done
from flows.command.printing import print_line
from prism_core.evaluation import ResultTable, SweepProgress, short_table, summary_as_json
from prism_core.jobs.evaluation import Evaluated


def show_evaluation(console: Console) -> AbstractContextManager[SweepProgress]:
    """Show an evaluation until the block ends: a bar on a terminal, else a line now and then."""
    return show_until_done(console, SweepProgress(), bars=_bar, lines=_lines)


def _bar(console: Console, progress: SweepProgress, over: threading.Event) -> None:
    with bars_on(console, 44) as bars:
        runs = bars.add_task(progress.stage, total=None, note="runs")
        for _ in looks(over):
            known = f", {progress.known:,} known before" if progress.known else ""
            bars.update(
                runs,
                description=progress.stage,
                total=progress.total or None,
                completed=progress.done,
                note=f"runs{known}",
            )


def _lines(console: Console, progress: SweepProgress, over: threading.Event) -> None:
    for _ in now_and_then(over):
        counts = f"{progress.done:,} of {progress.total:,} runs" if progress.total else ""
        print_line(console, f"{progress.stage} {counts}".strip())


def print_evaluated(evaluated: Evaluated, *, quiet: bool, as_json: bool) -> None:
    """The table of each corpus, over what it was measured, and where the rest is."""
    if as_json:
        summaries = [summary_as_json(summary) for summary in evaluated.summaries]
        typer.echo(json.dumps(summaries, separators=(",", ":")))
        return
    if quiet:
        return
    console = Console()
    for summary in evaluated.summaries:
        console.print(_shown(short_table(summary)))
        for line in summary.provenance():
            print_line(console, f"  {escape(line)}")
    pages = [path for path in evaluated.files if path.suffix == ".html"]
    for path in pages:
        print_line(console, f"\nEverything else: {escape(str(path))}")


def _shown(table: ResultTable) -> Grid:
    """Intervals stand under their figures, so that nothing is cut off in 80 columns."""
    grid = Grid(box=SIMPLE_HEAD, caption=table.note or None, pad_edge=False)
    grid.title, grid.title_justify = table.title, "left"
    for place, name in enumerate(table.columns):
        grid.add_column(name, justify="left" if place == 0 else "right", overflow="fold")
    for row in table.rows:
        marks = {1: "bold", 2: "underline"}
        grid.add_row(*(_marked(cell.text, marks.get(cell.rank)) for cell in row))
    return grid


def _marked(text: str, mark: str | None) -> str:
    value, bracket, bounds = text.removesuffix("]").partition(" [")
    value = f"[{mark}]{escape(value)}[/]" if mark else escape(value)
    bounds = escape(bounds.replace(", ", "–"))
    return f"{value}\n[dim]{bounds}[/]" if bracket else value
