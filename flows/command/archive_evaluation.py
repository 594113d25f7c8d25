"""``prism evaluate --archive IN``: what an attacker would learn of them; nothing is sent.

Documents are read as for a run, on a state that is gone afterwards, and attacked on this machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from random import SystemRandom

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from flows.command.planning import knowing_nothing, nowhere
from flows.command.printing import print_line
from prism_core.errors import OutputError
from prism_core.evaluation import Finding, load_embedder
from prism_core.jobs.prepare import prepare_job
from prism_core.jobs.translate import read_for_nobody
from prism_core.report import write_whole
from prism_core.settings.job import Job
from prism_core.stages.attacking import Attacked, attacked
from prism_core.stages.folders import check_folders

_COLOURS = {"above chance": "yellow", "at chance": "green"}
_TOO_LITTLE = (
    "There is too little to attack: nothing was read, or a single text of few sentences. See what "
    "failed with prism plan."
)


def archive_job(
    archive: Path, settings_file: Path | None = None, flags: Mapping[str, object] | None = None
) -> Job:
    """The job of evaluating ``archive``: without an output, and knowing of no earlier run.

    Raises ``ConfigurationError`` for wrong settings or an archive that is not there.
    """
    job = prepare_job(archive, nowhere(archive), settings_file, flags)
    check_folders(job)
    return knowing_nothing(job)


def evaluate_archive(job: Job, embeddings: Path | None = None) -> tuple[Attacked, ...]:
    """Attack the documents of ``job``, by their treatment; sends nothing, leaves nothing behind.

    ``embeddings``: a folder with a model of sentence embeddings, to link by meaning too. Empty
    where there is too little to attack. Raises ``PrismError`` for what stops any run.
    """
    embedder = load_embedder(embeddings) if embeddings else None
    with read_for_nobody(job) as (temporary, waves):
        return tuple(attacked(temporary, waves, SystemRandom(), embedder))


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


def keep_evaluation(folder: Path, evaluated: Sequence[Attacked]) -> Path:
    """Write the figures into ``folder/archive.json``, in one step; gives the file.

    Raises ``OutputError`` when that cannot be done.
    """
    file = folder / "archive.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"the folder {folder} cannot be made: {error.strerror}") from None
    write_whole(file, [evaluation_json(evaluated), "\n"])
    return file


def evaluation_json(evaluated: Sequence[Attacked]) -> str:
    """The same as JSON on one line: figures alone, no name and no text."""
    content = [
        {**asdict(one), "findings": [_as_dict(found) for found in one.findings]}
        for one in evaluated
    ]
    return json.dumps({"treatments": content})


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


def _as_dict(found: Finding) -> dict[str, object]:
    low, high = found.interval()
    return {
        "attack": found.attack,
        "value": found.value,
        "chance": found.chance,
        "low": low,
        "high": high,
        "n": found.n,
        "verdict": found.verdict,
        "means": found.explanation,
    }
