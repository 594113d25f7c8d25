"""The command ``prism plan``: what a run would send, cost and leave out; nothing is sent.

Entry: ``plan`` -> ``show_plan`` -> ``prism_core.jobs.planning`` -> ``print_plan`` or ``plan_json``.
Nothing heavy is imported before it is needed.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
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
    print_fact,
    print_line,
    settings_of,
)
from prism_core.errors import ConfigurationError

if TYPE_CHECKING:
    from rich.table import Table

    from prism_core.jobs import planning
    from prism_core.recovery import Forecast
    from prism_core.stages import StrengthTrial

_NAMES_OF_A_CLASS = 5

_NOT_BETTER = (
    "nothing would be sent: it was not shown to be better than the model on this machine (send = "
    '"always", or --send always, sends all the same)'
)
_UNACCEPTED = "a run would be refused without --experimental"
_SPLIT = "each row is for all sentences; a run divides them among the {}"
_KINDS = ">restored at the first send", ">within all sends", ">withheld"
_STRENGTH_HEADINGS = ">words with meaning sent in clear", ">restored", ">chrF against local"
_STRENGTH_REMARKS = (
    "local: all is translated by the model on this machine, and nothing leaves. Its translation is "
    "the measure of chrF for the others, so 100 would be the same text and no better",
    "the same model stood in for the translator, and unrestored sentences do not count for chrF; a "
    "provider elsewhere may do better or worse",
    "strong and strongest hide the words of standard, and are left out: they also cut and mix, "
    "which single sentences do not show",
    "how much attackers find out at each strength: docs/strength.md",
)
OutputIfAny = Annotated[
    Path | None,
    typer.Argument(
        metavar="[OUT]",
        help="Folder for the translations, to count only new sentences.",
        show_default=False,
    ),
]


def plan(
    archive: options.Archive,
    output: OutputIfAny = None,
    to: options.Target = None,
    source: options.Source = None,
    translator: options.ComparedTranslators = None,
    strength: options.HowStrongly = None,
    strengths: options.EveryStrength = False,
    send: options.Sending = None,
    memory: options.Memories = None,
    experimental: options.Experimental = None,
    settings: options.SettingsFile = None,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    r"""Estimate what translating IN would take, with one translator or several side by side.

    The command reads and encodes everything as a run would. Then it counts documents, sentences,
    requests, characters and tokens, and estimates the price and the time at the rates of each
    translator. It lists the documents that would fail or have sentences withheld, and why. For each
    translator it shows the share of sentences that is expected to be restored, and for the first
    one the documents with the lowest share (the gate). Nothing is sent, and no files are kept.

    With OUT, sentences that earlier runs into that folder have translated are not counted again.

    [bold]Examples[/]

      prism plan contracts/ --to es

      prism plan contracts/ --to es --translator deepl --translator azure --translator google

      prism plan contracts/ contracts-es/ --to es --translator deepl

      prism plan contracts/ --to pt --strengths

    {strength}

    [bold]Prices[/]

    The list prices of deepl, azure and google are known. If you pay another price, or use a model
    that is billed by tokens, state the price in the settings:

      \[translator]
      name = "openai"
      price_per_million = 0.40
      price_per_million_answered = 1.60

    The estimates for tokens are rather too high than too low. A plan needs no API key. To limit the
    price of the run: prism translate IN OUT --max-cost 5
    """
    names = list(dict.fromkeys(translator or []))
    from prism_core.jobs import planning, prepare_job
    from prism_core.languages import require_source
    from prism_core.settings import named_translator
    from prism_core.stages import Folders

    is_chosen = len(names) == 1 or named_translator(settings, os.environ) is None
    flags: dict[str, object] = {
        "source": source,
        "target": to,
        "translator.name": names[0] if names and is_chosen else None,
        "strength": strength,
        "send": send,
        "memory.files": memory,
        "language.experimental": experimental,
    }
    loaded = settings_of(settings, flags)
    unaccepted = False
    try:
        require_source(loaded.source, experimental=loaded.language.experimental)
    except ConfigurationError:  # it is experimental
        unaccepted = True
    flags["language.experimental"] = loaded.language.experimental or unaccepted
    job = prepare_job(archive, output or planning.choose_unused_output(archive), settings, flags)
    Folders(job).check()
    if output is None:
        job = planning.job_without_state(job)
    asked = planning.select_candidates(job.settings.translators, names)

    def make_plan() -> planning.Plan:
        tried = planning.measure_strengths(job) if strengths else ()
        planned = planning.plan(job, asked)
        cautions = list(planned.cautions)
        if unaccepted:
            cautions.append(_UNACCEPTED)
        if job.settings.mixing.routing == "split" and not names:
            cautions.append(_SPLIT.format(len(job.settings.translators)))
        return replace(planned, strengths=tried, cautions=tuple(cautions))

    show_plan(make_plan, quiet=quiet, as_json=as_json)


def show_plan(make_plan: Callable[[], planning.Plan], *, quiet: bool, as_json: bool) -> None:
    """Print the plan that ``make_plan`` returns; its samples are for eyes, and not in JSON."""
    console = open_console(stderr=True, quiet=quiet or as_json)
    with console.status("reading and encoding; nothing is sent"):
        planned = make_plan()
    if as_json:
        typer.echo(plan_json(planned))
    else:
        print_plan(open_console(quiet=quiet), planned)


def print_plan(console: Console, plan: planning.Plan) -> None:
    """Print the documents found, the requests for each translator, and what would stay behind."""
    found = plan.summary
    counts = (
        ("documents", found.documents),
        ("unchanged, skipped", found.documents_unchanged),
        ("that would fail", found.documents_failed),
        ("different sentences", found.sentences),
        ("that stay as they are, or are translated already", found.sentences_translated),
        (
            "to be translated on this machine" if plan.stays else "that would be withheld",
            found.sentences_withheld,
        ),
    )
    console.print(make_table("found", ">", rows=counts, fold=True))
    headings = ">to send", ">characters", ">tokens", ">requests", ">price", ">time"
    rows = map(_translator_row, plan.rows)
    console.print(make_table("translator", *headings, rows=rows, fold=True))
    if any(row.restored.is_known for row in plan.rows):
        shares = []
        for row in plan.rows:
            known = [f"{s:.0%}" for s in _expected_json(row.restored).values() if s is not None]
            shares.append((row.settings.name, *(known or ["nothing is sent"] * 3)))
        console.print(make_table("expected of what is sent", *_KINDS, rows=shares, fold=True))
    if table := _outlook_table(plan):
        console.print(table)
    print_strengths(console, plan.strengths)
    for label, remark in _list_remarks(plan):
        print_line(console, f"[yellow]{label}[/]  {escape(remark)}")
    if plan.obstacles:
        console.print(_make_obstacles_table(plan))
    print_fact(console, "assessment", plan.assessment)
    if plan.samples:
        print_line(console, "[bold]what the translator would see, for example[/]")
    for text in plan.samples:
        print_line(console, f"  {escape(text.strip())}")
    console.print("[dim]nothing was sent, nothing was written[/]")


def _list_remarks(plan: planning.Plan) -> Iterator[tuple[str, str]]:
    """Yield what the tables do not show, each with its label."""
    for margin in plan.margins:
        yield "margin", str(margin)
    if plan.stays == "not-better":
        yield "margin", _NOT_BETTER
    if (here := plan.here) is not None:
        withheld = f"{plan.summary.sentences_withheld:,} sentences that are not sent"
        trial = f"{here.sentences:,} of the {withheld} would be given to the model on this machine"
        if here.tried:
            trial += (
                f", and nothing of them leaves; it translated {here.taken:,} of the "
                f"{here.tried:,} in a trial ({here.taken / here.tried:.0%}), {here.doubted:,} of "
                "them with a fault to look at"
            )
        yield "local", trial
    for row in plan.rows:
        for remark in _remarks(row):
            yield row.settings.name, remark
    for caution in plan.cautions:
        yield "caution", caution


def plan_json(plan: planning.Plan) -> str:
    """Return the plan as JSON on one line: counts and classes, no names; ``null`` is unknown."""
    found, worst = plan.summary, _worst_first(plan)
    amounts = [outlook.wasted for outlook in worst if outlook.wasted is not None]
    content = {
        "documents": found.documents,
        "documents_unchanged": found.documents_unchanged,
        "documents_failed": found.documents_failed,
        "cautions": list(plan.cautions),
        "sentences": found.sentences,
        "sentences_settled": found.sentences_translated,
        "sentences_withheld": found.sentences_withheld,
        "stays": plan.stays,
        "assessment": plan.assessment,
        "margins": [asdict(margin) for margin in plan.margins],
        "local_model": plan.here and asdict(plan.here),
        "strengths": [asdict(trial) for trial in plan.strengths],
        "translators": [
            {
                "name": row.settings.name,
                **asdict(row.expected),
                **_expected_json(row.restored),
                "answered_within": row.terms.limits.answered_within,
                "ready": not row.terms.remark,
                "remarks": _remarks(row),
            }
            for row in plan.rows
        ],
        "gate": {
            "documents_predicted": len(worst),
            "documents_not_predicted": len(plan.outlooks) - len(worst),
            "restored": [round(outlook.forecast.restored, 4) for outlook in worst],
            "loss": [round(outlook.forecast.loss, 2) for outlook in worst],
            "paid_for_nothing": round(sum(amounts), 6) if amounts else None,
            "decided": Counter(outlook.decided for outlook in plan.outlooks if outlook.decided),
        },
        "failures": Counter(
            obstacle.reason for obstacle in plan.obstacles if obstacle.sentences is None
        ),
        "withheld": [
            {"reason": reason, "documents": len(counts), "sentences": sum(counts)}
            for reason, group in _group_by_reason(plan).items()
            if (counts := [found.sentences for found in group if found.sentences is not None])
        ],
    }
    return json.dumps(content)


def _worst_first(plan: planning.Plan) -> list[planning.Outlook]:
    """Return the known forecasts of documents, the lowest restored share first."""
    known = (outlook for outlook in plan.outlooks if outlook.forecast.is_known)
    return sorted(known, key=lambda outlook: (outlook.forecast.restored, -outlook.forecast.loss))


def _outlook_table(plan: planning.Plan) -> Table | None:
    """Return a table of the documents with the lowest restored share; None without a forecast."""
    worst = _worst_first(plan)
    if not worst:
        return None
    currency = plan.rows[0].expected.currency
    headings = ">restored", ">loss in chrF", ">paid for nothing", "gate"
    table = make_table("expected of documents, the worst", *headings, fold=True)
    for outlook in worst[:_NAMES_OF_A_CLASS]:
        forecast, name = outlook.forecast, escape(outlook.path, one_line=True)
        restored, loss = f"{forecast.restored:.0%}", f"{max(forecast.loss, 0):.1f}"
        wasted = _format_wasted([outlook], currency)
        table.add_row(name, restored, loss, wasted, outlook.decided)
    shares = [(outlook.forecast.restored, outlook.forecast.sentences) for outlook in worst]
    mean = sum(share * count for share, count in shares) / sum(count for _, count in shares)
    label = f"all {len(worst):,}"
    if unknown := len(plan.outlooks) - len(worst):
        label += f" ({unknown:,} not predicted)"
    table.add_row(label, f"{mean:.0%}", "", _format_wasted(worst, currency), "")
    return table


def _format_wasted(outlooks: list[planning.Outlook], currency: str) -> str:
    amounts = [outlook.wasted for outlook in outlooks if outlook.wasted is not None]
    return money(sum(amounts), currency) if any(amounts) else ""


def _translator_row(row: planning.PlanRow) -> tuple[str | int, ...]:
    from flows.command.display import duration

    expected, terms = row.expected, row.terms
    name = row.settings.name + (" [yellow]*[/]" if terms.remark else "")
    price = "not known" if expected.cost is None else "free"
    if expected.cost:
        price = money(expected.cost, expected.currency)
    within = terms.limits.answered_within
    if expected.seconds is not None:
        time = duration(expected.seconds)
    else:
        time = "no rate stated" if within is None else f"within {duration(within)}"
    counts = expected.texts, expected.characters, expected.tokens, expected.requests
    return (name, *counts, price, time)


def _expected_json(forecast: Forecast) -> dict[str, float | None]:
    """Return the shares that ``forecast`` states for a run; None where nothing would be sent."""
    shares = forecast.first_send, forecast.restored, forecast.withheld
    names = "expected_first_send", "expected_within_draws", "expected_withheld"
    known = forecast.is_known
    return {n: round(s, 4) if known else None for n, s in zip(names, shares, strict=True)}


def _remarks(row: planning.PlanRow) -> list[str]:
    terms, expected, restored = row.terms, row.expected, row.restored
    remarks = [terms.remark] if terms.remark else []
    if restored.is_too_little:
        remarks.append("a run would be refused without --accept-losses: too little comes back")
    if restored.further > restored.redraws:
        remarks.append(
            f"{restored.further:.2f} further encodings per sentence are needed to restore all that "
            f"can be restored, {restored.redraws:g} may be sent (decoding.redraws)"
        )
    if expected.too_long:
        remarks.append(f"{expected.too_long:,} sentences are too long for its requests")
    budget = row.settings.max_cost
    if budget is not None and expected.cost is None:
        remarks.append("a run would be refused: it has a budget, and the price is not known")
    if budget is not None and expected.cost is not None and expected.cost > budget:
        remarks.append(f"a run may be stopped by its budget of {money(budget, expected.currency)}")
    return remarks


def _make_obstacles_table(plan: planning.Plan) -> Table:
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
            "all" if whole else f"{sum(obstacle.sentences or 0 for obstacle in group):,}",
            "\n".join(names),
            "\n".join(advice[:_NAMES_OF_A_CLASS]),
        )
    return table


def _group_by_reason(plan: planning.Plan) -> dict[str, list[planning.Obstacle]]:
    groups: dict[str, list[planning.Obstacle]] = {}
    for obstacle in plan.obstacles:
        groups.setdefault(obstacle.reason, []).append(obstacle)
    return groups


def print_strengths(console: Console, trials: Sequence[StrengthTrial]) -> None:
    """Print what each of ``trials``, the local one first, sends in clear and gets back."""
    if not trials:
        return
    local, *others = trials
    rows = [(local.strength, "nothing leaves", "", "the measure")]
    for trial in others:
        clear, restored = trial.in_clear / (trial.words or 1), trial.restored / trial.sentences
        chrf = "" if trial.chrf is None else f"{trial.chrf:.1f}"
        rows.append((trial.strength, f"{clear:.0%}", f"{restored:.0%}", chrf))
    heading = f"strength, on {local.sentences:,} sentences"
    console.print(make_table(heading, *_STRENGTH_HEADINGS, rows=rows, fold=True))
    for remark in _STRENGTH_REMARKS:
        print_line(console, f"[yellow]strengths[/]  {remark}")
