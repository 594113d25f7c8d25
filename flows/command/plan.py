"""``prism plan``: what a run would send, cost and leave out, with whom; nothing is sent.

Entry: ``plan`` -> ``prism_core.jobs.planning`` -> ``print_plan`` or ``plan_json``. Nothing heavy is
imported before it is needed.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from flows.command import options
from flows.command.command_line import (
    escape,
    make_table,
    money,
    open_console,
    print_cautions,
    print_line,
    settings_of,
)

if TYPE_CHECKING:
    from rich.table import Table

    from prism_core.jobs import planning
    from prism_core.recovery import Forecast
    from prism_core.settings import Job, Settings
    from prism_core.stages import LocalTrial, Summary
    from prism_core.translators import Expected

_NAMES_OF_A_CLASS = 5

PLAN_HELP = f"""
Say what translating IN would take, with one translator or several side by side.

Everything is read and encoded as a run would, then counted: documents, sentences, requests, \
characters, tokens, the price, the time at the rates the translator states, which documents \
would fail or have sentences withheld, and why. Of what would be sent it says which share is \
expected to be restored, by what the dictionary knows of each translator, and with the first one \
the documents of which least would come back (the gate). Nothing is sent, and nothing is left \
behind.

With OUT, what earlier runs into that folder were answered is not counted again.

[bold]Examples[/]

  prism plan contracts/ --to es

  prism plan contracts/ --to es --translator deepl --translator azure --translator google

  prism plan contracts/ contracts-es/ --to es --translator deepl

  prism plan contracts/ --to es --translator openai --settings prism.toml --json

{options.STRENGTH_HELP}
[bold]Prices[/]

Of deepl, azure and google the list prices are known; state what you pay, and what tokens of a \
model cost, in the settings:

  \\[translator]
  name = "openai"
  price_per_million = 0.40
  price_per_million_answered = 1.60

Costs of tokens are estimated, rather too high than too low. A translator needs no key for its \
plan. Then: prism translate IN OUT --max-cost 5
"""

_UNACCEPTED = "a run would be refused without --experimental"
OutputIfAny = Annotated[
    Path | None,
    typer.Argument(
        metavar="[OUT]",
        help="Folder for the translations, to count only what is new.",
        show_default=False,
    ),
]


def plan(
    archive: options.Archive,
    output: OutputIfAny = None,
    to: options.Target = None,
    source: options.Source = None,
    translator: options.WhoIsCompared = None,
    strength: options.HowStrongly = None,
    memory: options.Memories = None,
    settings: options.SettingsFile = None,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Plan a run; the help text is ``PLAN_HELP``."""
    names = list(dict.fromkeys(translator or []))
    from prism_core.jobs import planning, prepare_job
    from prism_core.settings import named_translator
    from prism_core.stages import Folders

    is_chosen = len(names) == 1 or named_translator(settings, os.environ) is None
    flags: dict[str, object] = {
        "source": source,
        "target": to,
        "translator.name": names[0] if names and is_chosen else None,
        "strength": strength and str(strength),
        "memory.files": memory,
    }
    place = output or planning.choose_unused_output(archive)
    named = settings_of(settings, flags)
    unaccepted = is_refused(named)
    flags["language.experimental"] = named.language.experimental or unaccepted
    job = prepare_job(archive, place, settings, flags)
    Folders(job).check()
    if output is None:
        job = planning.job_without_state(job)
    asked = planning.select_candidates(job.settings.translators, names)
    with open_console(stderr=True, quiet=quiet or as_json).status(
        "reading and encoding; nothing is sent"
    ):
        planned = planning.plan(job, asked)
    if unaccepted:
        planned = replace(planned, cautions=(*planned.cautions, _UNACCEPTED))
    if as_json:
        typer.echo(plan_json(planned))
    else:
        print_plan(open_console(quiet=quiet), planned, dealt_among=dealt_among(job, names))


def is_refused(settings: Settings) -> bool:
    """Whether a run with ``settings`` would be refused, since their source is experimental."""
    from prism_core.errors import ConfigurationError
    from prism_core.languages import require_source

    try:
        require_source(settings.source, experimental=settings.language.experimental)
    except ConfigurationError:
        return True
    return False


def dealt_among(job: Job, names: list[str]) -> int:
    """Among how many translators a run deals its sentences; each other plan is for one alone."""
    is_split = job.settings.mixing.routing == "split" and not names
    return len(job.settings.translators) if is_split else 1


def print_plan(console: Console, plan: planning.Plan, *, dealt_among: int = 1) -> None:
    """What was found, what each translator would be sent, and what would stay behind, by name.

    ``dealt_among``: how many translators share what each row has in full.
    """
    found = plan.summary
    counts = (
        ("documents", found.documents),
        ("unchanged, skipped", found.documents_unchanged),
        ("that would fail", found.documents_failed),
        ("different sentences", found.sentences),
        ("that stay as they are, or are translated already", found.sentences_translated),
        ("that would be withheld", found.sentences_withheld),
    )
    console.print(make_table("found", ">", rows=counts, fold=True))
    headings = ">to send", ">characters", ">tokens", ">requests", ">price", ">time"
    rows = [_translator_row(row.candidate, row.expected) for row in plan.rows]
    console.print(make_table("translator", *headings, rows=rows, fold=True))
    shares = [_expected_row(row) for row in plan.rows]
    kinds = ">restored at the first send", ">within all sends", ">withheld"
    console.print(make_table("expected of what is sent", *kinds, rows=shares, fold=True))
    if table := _outlook_table(plan):
        console.print(table)
    if dealt_among > 1:
        said = f"each row is for all sentences; a run deals them among the {dealt_among}"
        print_line(console, f"[yellow]split[/]  {said}")
    if plan.here is not None:
        print_line(console, f"[yellow]local[/]  {_said_of_model(plan.here, found)}")
    for row in plan.rows:
        for remark in _remarks(row):
            name = row.candidate.settings.name
            print_line(console, f"[yellow]{name}[/]  {escape(remark)}")
    print_cautions(console, plan.cautions)
    if plan.obstacles:
        console.print(_obstacles(plan))
    console.print("[dim]nothing was sent, nothing was written[/]")


def _said_of_model(here: LocalTrial, found: Summary) -> str:
    given = f"{here.sentences:,} of {found.sentences_withheld:,} withheld sentences"
    if not here.tried:
        return f"{given} would be given to the model on this machine"
    return (
        f"{given} would be given to the model on this machine, and nothing of them leaves; it took "
        f"{here.taken:,} of the {here.tried:,} it was tried on ({here.taken / here.tried:.0%})"
    )


def plan_json(plan: planning.Plan) -> str:
    """The same as JSON on one line: counts and classes, without names; ``null`` is not known."""
    found = plan.summary
    content = {
        "documents": found.documents,
        "documents_unchanged": found.documents_unchanged,
        "documents_failed": found.documents_failed,
        "cautions": list(plan.cautions),
        "sentences": found.sentences,
        "sentences_settled": found.sentences_translated,
        "sentences_withheld": found.sentences_withheld,
        "local_model": plan.here and asdict(plan.here),
        "translators": [
            {
                "name": row.candidate.settings.name,
                **asdict(row.expected),
                **_expected_json(row.restored),
                "answered_within": row.candidate.terms.limits
                and row.candidate.terms.limits.answered_within,
                "ready": not row.candidate.terms.remark,
                "remarks": _remarks(row),
            }
            for row in plan.rows
        ],
        "gate": _gate_json(plan),
        "failures": Counter(
            obstacle.reason for obstacle in plan.obstacles if obstacle.sentences is None
        ),
        "withheld": [
            {"reason": reason, "documents": len(group), "sentences": _sentences(group)}
            for reason, group in _group_by_reason(plan).items()
            if group[0].sentences is not None
        ],
    }
    return json.dumps(content)


def _worst_first(plan: planning.Plan) -> list[planning.Outlook]:
    """What is predicted of documents, those first of which least would come back."""
    known = (outlook for outlook in plan.outlooks if outlook.forecast.is_known)
    return sorted(known, key=lambda outlook: (outlook.forecast.restored, -outlook.forecast.loss))


def _outlook_table(plan: planning.Plan) -> Table | None:
    """The documents of which least would come back, and what that would cost; None without any
    prediction."""
    worst = _worst_first(plan)
    if not worst:
        return None
    currency = plan.rows[0].expected.currency
    headings = ">restored", ">loss in chrF", ">paid for nothing", "gate"
    table = make_table("expected of documents, the worst", *headings, fold=True)
    for one in worst[:_NAMES_OF_A_CLASS]:
        restored, loss = f"{one.forecast.restored:.0%}", f"{max(one.forecast.loss, 0):.1f}"
        name = escape(one.path, one_line=True)
        table.add_row(name, restored, loss, _wasted([one], currency), one.decided)
    shares = [(one.forecast.restored, one.forecast.sentences) for one in worst]
    mean = sum(share * count for share, count in shares) / sum(count for _, count in shares)
    said = f"all {len(worst):,}"
    if unknown := len(plan.outlooks) - len(worst):
        said += f" ({unknown:,} not predicted)"
    table.add_row(said, f"{mean:.0%}", "", _wasted(worst, currency), "")
    return table


def _wasted(outlooks: list[planning.Outlook], currency: str) -> str:
    amounts = [one.wasted for one in outlooks if one.wasted is not None]
    return money(sum(amounts), currency) if any(amounts) else ""


def _gate_json(plan: planning.Plan) -> dict[str, object]:
    worst = _worst_first(plan)
    amounts = [one.wasted for one in worst if one.wasted is not None]
    return {
        "documents_predicted": len(worst),
        "documents_not_predicted": len(plan.outlooks) - len(worst),
        "restored": [round(one.forecast.restored, 4) for one in worst],
        "loss": [round(one.forecast.loss, 2) for one in worst],
        "paid_for_nothing": round(sum(amounts), 6) if amounts else None,
        "decided": Counter(one.decided for one in plan.outlooks if one.decided),
    }


def _translator_row(candidate: planning.Candidate, expected: Expected) -> tuple[str | int, ...]:
    from flows.command.display import duration

    name = candidate.settings.name + (" [yellow]*[/]" if candidate.terms.remark else "")
    price = "not known" if expected.cost is None else "free"
    if expected.cost:
        price = money(expected.cost, expected.currency)
    within = candidate.terms.limits.answered_within
    if expected.seconds is not None:
        time = duration(expected.seconds)
    else:
        time = "no rate stated" if within is None else f"within {duration(within)}"
    counts = expected.texts, expected.characters, expected.tokens, expected.requests
    return (name, *counts, price, time)


def _expected_row(row: planning.PlanRow) -> tuple[str, ...]:
    shares = [
        f"{share:.0%}" for share in _expected_json(row.restored).values() if share is not None
    ]
    return (row.candidate.settings.name, *(shares or ["nothing is sent"] * 3))


def _expected_json(forecast: Forecast) -> dict[str, float | None]:
    """The shares that ``forecast`` states of a run; None where nothing would be sent."""
    shares = forecast.first_send, forecast.restored, forecast.withheld
    names = "expected_first_send", "expected_within_draws", "expected_withheld"
    known = forecast.is_known
    return {n: round(s, 4) if known else None for n, s in zip(names, shares, strict=True)}


def _remarks(row: planning.PlanRow) -> list[str]:
    candidate, expected, restored = row
    remarks = [candidate.terms.remark] if candidate.terms.remark else []
    if restored.is_too_little:
        remarks.append("a run would be refused without --accept-losses: too little comes back")
    if restored.further > restored.redraws:
        remarks.append(
            f"{restored.further:.2f} further encodings a sentence are needed for all that can "
            f"be restored, {restored.redraws:g} may be sent (decoding.redraws)"
        )
    if expected.too_long:
        remarks.append(f"{expected.too_long:,} sentences are too long for its requests")
    budget = candidate.settings.max_cost
    if budget is not None and expected.cost is None:
        remarks.append("a run would be refused: it has a budget, and the price is not known")
    if budget is not None and expected.cost is not None and expected.cost > budget:
        remarks.append(f"a run may be stopped by its budget of {money(budget, expected.currency)}")
    return remarks


def _obstacles(plan: planning.Plan) -> Table:
    headings = "would not be translated", ">documents", ">sentences", "for example", "what to do"
    table = make_table(*headings, fold=True)
    for reason, group in _group_by_reason(plan).items():
        names = [escape(obstacle.path, one_line=True) for obstacle in group[:_NAMES_OF_A_CLASS]]
        if len(group) > len(names):
            names.append(f"… and {len(group) - len(names):,} more")
        whole = group[0].sentences is None
        advice = list(dict.fromkeys(obstacle.advice for obstacle in group))
        table.add_row(
            reason if whole else f"withheld: {reason}",
            f"{len(group):,}",
            "all" if whole else f"{_sentences(group):,}",
            "\n".join(names),
            "\n".join(advice[:_NAMES_OF_A_CLASS]),
        )
    return table


def _group_by_reason(plan: planning.Plan) -> dict[str, list[planning.Obstacle]]:
    groups: dict[str, list[planning.Obstacle]] = {}
    for obstacle in plan.obstacles:
        groups.setdefault(obstacle.reason, []).append(obstacle)
    return groups


def _sentences(group: list[planning.Obstacle]) -> int:
    return sum(obstacle.sentences or 0 for obstacle in group)
