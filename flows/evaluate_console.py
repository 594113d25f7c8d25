"""What a person at a terminal sees of an evaluation: progress, and a table like the paper's."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn
from rich.progress import Progress as Bars
from rich.table import Table as Shown

from flows.evaluation import Evaluated
from prism_core.evaluation.laboratory import Progress
from prism_core.evaluation.page import provenance
from prism_core.evaluation.summary import Summary
from prism_core.evaluation.tables import Cell, Table, as_json, by_method, by_setting

_POLL_SECONDS = 0.5
_LINE_SECONDS = 10.0


@contextmanager
def shown_evaluation(console: Console) -> Iterator[Progress]:
    """Show an evaluation until the block ends: a bar on a terminal, else a line now and then."""
    progress, done = Progress(), threading.Event()
    if console.quiet:
        yield progress
        return
    show = _bar if console.is_terminal else _lines
    thread = threading.Thread(target=show, args=(console, progress, done), daemon=True)
    thread.start()
    try:
        yield progress
    finally:
        done.set()
        thread.join()


def _bar(console: Console, progress: Progress, done: threading.Event) -> None:
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description:<44}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("runs{task.fields[note]}"),
    )
    with Bars(*columns, console=console, transient=True) as bars:
        runs = bars.add_task(progress.stage, total=None, note="")
        over = False
        while not over:
            over = done.wait(_POLL_SECONDS)
            bars.update(
                runs,
                description=progress.stage,
                total=progress.total or None,
                completed=progress.done,
                note=f", {progress.known:,} known before" if progress.known else "",
            )


def _lines(console: Console, progress: Progress, done: threading.Event) -> None:
    said = time.monotonic()
    while not done.wait(_POLL_SECONDS):
        if time.monotonic() - said >= _LINE_SECONDS:
            said = time.monotonic()
            counts = f"{progress.done:,} of {progress.total:,} runs" if progress.total else ""
            console.print(f"{progress.stage} {counts}".strip(), soft_wrap=True, highlight=False)


def print_evaluated(evaluated: Evaluated, *, quiet: bool, as_json: bool) -> None:
    """The table of each corpus, over what it was measured, and where the rest is."""
    if as_json:
        typer.echo(_json(evaluated))
        return
    if quiet:
        return
    console = Console()
    for summary in evaluated.summaries:
        console.print(_shown(_table_of(summary)))
        for line in provenance(summary):
            console.print(f"  {escape(line)}", highlight=False, soft_wrap=True)
    pages = [path for path in evaluated.published.files if path.suffix == ".html"]
    for path in pages:
        console.print(f"\nEverything else: {escape(str(path))}", soft_wrap=True, highlight=False)


def _json(evaluated: Evaluated) -> str:
    return json.dumps([as_json(one) for one in evaluated.summaries], separators=(",", ":"))


def _table_of(summary: Summary) -> Table:
    """What fits a terminal; all columns are in the files."""
    if not summary.questions:
        return by_setting(summary)
    return by_method(summary, qs_at=(0.5, 0.65), chrf_at=(0.65,))


def _shown(table: Table) -> Shown:
    """Intervals stand under their figures, so that nothing is cut off in 80 columns."""
    shown = Shown(box=SIMPLE_HEAD, caption=table.note or None, pad_edge=False)
    shown.title, shown.title_justify = table.title, "left"
    for place, name in enumerate(table.columns):
        shown.add_column(name, justify="left" if place == 0 else "right", overflow="fold")
    for row in table.rows:
        marks = {1: "bold", 2: "underline"}
        shown.add_row(*(_marked(cell, marks.get(cell.rank)) for cell in row))
    return shown


def _marked(cell: Cell, mark: str | None) -> str:
    value, bracket, bounds = cell.text.removesuffix("]").partition(" [")
    value = f"[{mark}]{escape(value)}[/]" if mark else escape(value)
    bounds = escape(bounds.replace(", ", "–"))
    return f"{value}\n[dim]{bounds}[/]" if bracket else value
