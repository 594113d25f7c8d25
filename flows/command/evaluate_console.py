"""What a person at a terminal sees of an evaluation: progress, and a table like the paper's."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid

from flows.command.command_line import print_line
from flows.command.display import bars_on, looks, now_and_then, show_until_done
from prism_core.evaluation import Finding, ResultTable, SweepProgress, short_table, summary_as_json
from prism_core.jobs import archive_evaluation, evaluation

_COLOURS = {"above chance": "yellow", "at chance": "green"}
_TOO_LITTLE = (
    "There is too little to attack: nothing was read, or a single text of few sentences. See what "
    "failed with prism plan."
)


def attack_and_show(
    archive: Path,
    embeddings: Path | None,
    output: Path | None,
    settings: Path | None,
    flags: Mapping[str, object],
    *,
    quiet: bool,
    as_json: bool,
) -> None:
    """Attack the user's own documents, before anything of them is sent, and say what came of it.

    With ``output`` the figures are kept in that folder.
    """
    job = archive_evaluation.archive_job(archive, settings, flags)
    with Console(stderr=True, quiet=quiet or as_json).status(
        "reading, encoding and attacking; nothing is sent"
    ):
        evaluated = archive_evaluation.evaluate_archive(job, embeddings)
        kept = None if output is None else archive_evaluation.keep_evaluation(output, evaluated)
    if as_json:
        typer.echo(archive_evaluation.evaluation_json(evaluated))
    else:
        print_evaluation(Console(quiet=quiet), evaluated, kept)


def print_evaluation(
    console: Console, evaluated: Sequence[archive_evaluation.Attacked], kept: Path | None = None
) -> None:
    """A table for each treatment, with what each attack would let an attacker do.

    ``kept``: the file that the figures were written into.
    """
    if not evaluated:
        console.print(_TOO_LITTLE)
    for one in evaluated:
        print_line(console, _heading(one))
        console.print(_table(one.findings))
        print_line(console, _by_chance(one.findings))
    if kept is None:
        console.print("[dim]nothing was sent, nothing was written[/]")
    else:
        print_line(
            console,
            f"[dim]nothing was sent; these figures, and no text, are in {escape(str(kept))}[/]",
        )


def _heading(one: archive_evaluation.Attacked) -> str:
    unit = "pieces of documents" if one.in_pieces else "documents"
    name = f"[bold]{escape(one.mechanism)}[/]" + (
        f", policy {escape(one.treatment)}" if one.treatment else ""
    )
    score = "" if one.privacy_score is None else f" PPS {one.privacy_score:.2f} (empty text .75)."
    return (
        f"{name}: {one.documents} {unit}, {one.sentences} sentences, attacked by one who knows the "
        f"settings, the dictionary and {one.known} other {unit} of the archive in clear.{score}"
    )


def _table(findings: Sequence[Finding]) -> Grid:
    """What it means stands under each attack and the interval under its figure, so that nothing is
    cut off in 80 columns."""
    table = Grid(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("attack, and what the attacker would do")
    for name in ("reached", "chance", "cases"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for found in findings:
        low, high = found.interval()
        said = found.verdict
        table.add_row(
            f"{found.attack}\n[dim]{found.explanation}[/]",
            f"{found.value:.3f}\n[dim]{low:.3f} to {high:.3f}[/]",
            f"{found.chance:.3f}",
            f"{found.n:,}",
            f"[{_COLOURS.get(said, 'dim')}]{said}[/]",
        )
    return table


def _by_chance(findings: Sequence[Finding]) -> str:
    missed = sum(found.differs_from_chance() for found in findings)
    return (
        f"{missed} of {len(findings)} intervals miss chance; about {len(findings) / 20:.0f} would "
        "if nothing leaked at all. docs/adversaries.md says what each attack is."
    )


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


def print_evaluated(evaluated: evaluation.Evaluated, *, quiet: bool, as_json: bool) -> None:
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
