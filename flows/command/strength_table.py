"""Table of the strengths that ``prism plan --strengths`` tried on this machine.

Entry: ``print_strengths``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from flows.command.command_line import make_table, print_line

if TYPE_CHECKING:
    from rich.console import Console

    from prism_core.stages import StrengthTrial

_HEADINGS = ">words with meaning sent in clear", ">restored", ">chrF against local"
_REMARKS = (
    "local: all is translated by the model on this machine, and nothing leaves. Its translation is "
    "the measure of chrF for the others, so 100 would be the same text and no better",
    "the same model stood in for the translator, and unrestored sentences do not count for chrF; a "
    "provider elsewhere may do better or worse",
    "strong sends the words of standard, and is left out: it also cuts and mixes, which single "
    "sentences do not show",
    "how much attackers find out at each strength: docs/strength.md",
)


def print_strengths(console: Console, trials: Sequence[StrengthTrial]) -> None:
    """Print what each of ``trials``, the local one first, sends in clear and gets back.

    Without trials there is nothing to print.
    """
    if not trials:
        return
    local, *others = trials
    rows = [(local.strength, "nothing leaves", "", "the measure")]
    for trial in others:
        clear, restored = trial.in_clear / (trial.words or 1), trial.restored / trial.sentences
        chrf = "" if trial.chrf is None else f"{trial.chrf:.1f}"
        rows.append((trial.strength, f"{clear:.0%}", f"{restored:.0%}", chrf))
    heading = f"strength, on {local.sentences:,} sentences"
    console.print(make_table(heading, *_HEADINGS, rows=rows, fold=True))
    for remark in _REMARKS:
        print_line(console, f"[yellow]strengths[/]  {remark}")
