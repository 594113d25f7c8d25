"""``prism evaluate --archive IN``: what an attacker would learn of them; nothing is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from flows.command.printing import print_line
from prism_core.evaluation import Finding
from prism_core.jobs import evaluate_archive
from prism_core.jobs.archive_evaluation import (
    Attacked,
    archive_job,
    evaluation_json,
    keep_evaluation,
)

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
    job = archive_job(archive, settings, flags)
    with Console(stderr=True, quiet=quiet or as_json).status(
        "reading, encoding and attacking; nothing is sent"
    ):
        evaluated = evaluate_archive(job, embeddings)
        kept = None if output is None else keep_evaluation(output, evaluated)
    if as_json:
        typer.echo(evaluation_json(evaluated))
    else:
        print_evaluation(Console(quiet=quiet), evaluated, kept)


def print_evaluation(
    console: Console, evaluated: Sequence[Attacked], kept: Path | None = None
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


def _heading(one: Attacked) -> str:
    unit = "pieces of documents" if one.in_pieces else "documents"
    name = f"[bold]{escape(one.mechanism)}[/]" + (
        f", policy {escape(one.treatment)}" if one.treatment else ""
    )
    score = "" if one.privacy_score is None else f" PPS {one.privacy_score:.2f} (empty text .75)."
    return (
        f"{name}: {one.documents} {unit}, {one.sentences} sentences, attacked by one who knows the "
        f"settings, the dictionary and {one.known} other {unit} of the archive in clear.{score}"
    )


def _table(findings: Sequence[Finding]) -> Table:
    """What it means stands under each attack and the interval under its figure, so that nothing is
    cut off in 80 columns."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
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
