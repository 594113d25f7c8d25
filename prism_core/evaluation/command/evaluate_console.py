"""Terminal output of an evaluation: progress, and a table like the paper's.

Entry: ``measure_and_show`` of public corpora; ``attack_and_show`` -> ``print_evaluation`` of the
user's own documents.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid

from flows.command import Bar, escape, open_console, print_line, show_until_done
from prism_core.evaluation import Finding, ResultTable, SweepProgress, short_table, summary_as_json
from prism_core.evaluation.jobs import evaluate, evaluate_archive

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
    """Attack the user's own documents before anything of them is sent, and print the result."""
    job = evaluate_archive.archive_job(archive, settings, flags)
    with open_console(stderr=True, quiet=quiet or as_json).status(
        "reading, encoding and attacking; nothing is sent"
    ):
        evaluated = evaluate_archive.evaluate_archive(job, embeddings)
        kept = None if output is None else evaluate_archive.keep_evaluation(output, evaluated)
    if as_json:
        typer.echo(evaluate_archive.evaluation_json(evaluated))
    else:
        print_evaluation(open_console(quiet=quiet), evaluated, kept)


def print_evaluation(
    console: Console, evaluated: Sequence[evaluate_archive.Attacked], kept: Path | None = None
) -> None:
    """Print a table for each treatment, with what each attack would let an attacker do."""
    if not evaluated:
        console.print(_TOO_LITTLE)
    for attacked in evaluated:
        findings = attacked.findings
        missed = sum(found.differs_from_chance() for found in findings)
        print_line(console, _heading(attacked))
        console.print(_table(findings))
        for reason in attacked.left_out:
            print_line(console, reason)
        print_line(
            console,
            f"{missed} of {len(findings)} intervals miss chance; about {len(findings) / 20:.0f} "
            "would if nothing leaked at all. docs/adversaries.md says what each attack is.",
        )
    if kept is None:
        console.print("[dim]nothing was sent, nothing was written[/]")
    else:
        print_line(
            console,
            f"[dim]nothing was sent; these figures, and no text, are in {escape(str(kept))}[/]",
        )


def _heading(attacked: evaluate_archive.Attacked) -> str:
    unit = "pieces of documents" if attacked.in_pieces else "documents"
    policy = f", policy {escape(attacked.treatment)}" if attacked.treatment else ""
    pps = attacked.privacy_score
    score = "" if pps is None else f" PPS {pps:.2f} (empty text .75)."
    return (
        f"[bold]{escape(attacked.mechanism)}[/]{policy}: {attacked.documents} {unit}, "
        f"{attacked.sentences} sentences, attacked by one who knows the settings, the dictionary "
        f"and {attacked.known} other {unit} of the archive in clear.{score}"
    )


def _table(findings: Sequence[Finding]) -> Grid:
    """Build a table with explanations and intervals on their own lines, never cut off."""
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


def measure_and_show(recipe: evaluate.EvaluationRecipe, *, quiet: bool, as_json: bool) -> None:
    """Measure under a progress display; then print a table of each corpus."""

    def bars(progress: SweepProgress) -> list[Bar]:
        known = f", {progress.known:,} known before" if progress.known else ""
        return [Bar(progress.stage, progress.done, progress.total, f"runs{known}")]

    def line(progress: SweepProgress) -> str:
        counts = f"{progress.done:,} of {progress.total:,} runs" if progress.total else ""
        return f"{progress.stage} {counts}".strip()

    errors, console = open_console(stderr=True, quiet=quiet or as_json), open_console(quiet=quiet)
    with show_until_done(errors, SweepProgress(), bars=bars, line=line, width=44) as progress:
        evaluated = evaluate.evaluate(recipe, progress)
    if as_json:
        summaries = [summary_as_json(summary) for summary in evaluated.summaries]
        typer.echo(json.dumps(summaries, separators=(",", ":")))
        return
    for summary in evaluated.summaries:
        console.print(result_grid(short_table(summary)))
        for fact in summary.provenance():
            print_line(console, f"  {escape(fact)}")
    for path in evaluated.files:
        if path.name == "results.md":
            print_line(console, f"\nEverything else: {escape(str(path))}")


def result_grid(table: ResultTable) -> Grid:
    """Build a table with intervals under their figures, for 80 columns."""
    grid = Grid(box=SIMPLE_HEAD, caption=table.note or None, pad_edge=False)
    grid.title, grid.title_justify = table.title, "left"
    for place, name in enumerate(table.columns):
        grid.add_column(name, justify="left" if place == 0 else "right", overflow="fold")
    for row in table.rows:
        cells = []
        for cell in row:
            value, bracket, bounds = cell.text.removesuffix("]").partition(" [")
            mark = {1: "bold", 2: "underline"}.get(cell.rank)
            value = f"[{mark}]{escape(value)}[/]" if mark else escape(value)
            bounds = escape(bounds.replace(", ", " to " if "-" in bounds else "–"))
            cells.append(f"{value}\n[dim]{bounds}[/]" if bracket else value)
        grid.add_row(*cells)
    return grid
