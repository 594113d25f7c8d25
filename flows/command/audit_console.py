"""Print the results of ``prism audit``: tables for a person, JSON for a program.

Entry: ``print_audit``, ``print_run`` and ``print_runs``.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from flows.command.command_line import (
    count_noun,
    escape,
    make_table,
    print_fact,
    print_line,
    share,
)
from flows.command.running import print_counts
from prism_core.jobs import auditing
from prism_core.report import RunReport, Signed

_COUNTS = ("identifier_class", "detected", "replaced", "remaining")
_UNKNOWN = "\N{EN DASH}"


def print_audit(console: Console, audit: auditing.Audit, *, as_json: bool) -> None:
    """Print every finding, then what was checked and what was not."""
    verdict = audit.verdict
    if as_json:
        content = {
            "report": str(audit.location.folder or audit.location.report),
            "runs": verdict.runs,
            "rows": verdict.rows,
            "signatures": {signed.value: verdict.signed.count(signed) for signed in Signed},
            "end_known": audit.asked_store,
            "findings": [asdict(finding) for finding in verdict.findings],
        }
        typer.echo(json.dumps(content))
        return
    for finding in verdict.findings:
        print_line(console, f"[bold red]altered[/]  {escape(str(finding))}")
    if not verdict.findings:
        print_line(console, "every row is as it was written")
    checked = f"{verdict.rows:,} rows in {count_noun(verdict.runs, 'run')}"
    print_line(console, f"[dim]checked[/]  {checked}")
    for signed, runs in Counter(verdict.signed).items():
        print_line(console, f"[dim]runs[/]  {runs:,} {signed.meaning}")
    if audit.location.folder is not None:
        print_line(
            console, "[dim]not checked[/]  the runs before and after it: give the whole folder"
        )
    elif not audit.asked_store:
        print_line(
            console,
            "[dim]not checked[/]  whether runs are missing at the end: only the state store and "
            "its key can tell",
        )


def print_run(console: Console, report: RunReport, *, as_json: bool) -> None:
    """Print the answer in words, then recipients, times, outcomes, fates, identifiers, failures."""
    run = report.row
    if as_json:
        counts = [{name: getattr(row, name) for name in _COUNTS} for row in report.identifiers]
        classes = dict(report.failure_counts)
        _print_json({"run": run, "identifiers": counts, "failures": classes})
        return
    print_line(console, f"[bold]{escape(report.answer.title)}[/]")
    for question, paragraphs in report.answer.points:
        print_line(console, f"[bold]{question}[/]")
        for paragraph in paragraphs:
            indented = Padding(escape(paragraph), (0, 0, 0, 2), expand=False)
            console.print(indented, highlight=False)
    recipient = f"{run['provider']} at {run['endpoint_host']}"
    for label, value in (
        ("run", run["run_id"]),
        ("time", f"{_minute(run['started_at'])} to {_minute(run['finished_at'])} UTC"),
        ("languages", f"{run['source']} to {run['target']}"),
        ("sent to", f"{recipient}, {count_noun(run['requests'], 'request')}"),
        ("mechanism", run["mechanism"]),
        *(("policy", policy) for policy in run["policies"]),
        ("purpose", run["purpose"] or "not stated"),
        ("last hash", run["run_head"]),
    ):
        print_fact(console, label, value)
    print_counts(console, report)
    identifiers = [
        (row.identifier_class, *map(_count, (row.detected, row.replaced, row.remaining)))
        for row in report.identifiers
    ]
    headings = ">detected", ">replaced", ">remaining"
    found = identifiers or [("none recorded", "", "", "")]
    console.print(make_table("identifiers", *headings, rows=found))
    if failures := report.failure_counts.most_common():
        console.print(make_table("documents that failed, by class", ">", rows=failures))


def print_runs(console: Console, rows: Sequence[Mapping[str, Any]], *, as_json: bool) -> None:
    """Print the trend of all runs, the last one at the end; in JSON all of ``run.parquet``."""
    if as_json:
        _print_json(rows)
        return
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("run", no_wrap=True)
    table.add_column("day (UTC)", no_wrap=True)
    headings = ("docs", "fail", "sentences", "held", "clear", "ids", "left")
    for heading in headings:
        table.add_column(heading, justify="right")
    for row in rows:
        columns = ("documents", "documents_failed", "sentences", "sentences_withheld")
        table.add_row(
            str(row["run_id"]),
            f"{row['started_at']:%Y-%m-%d}",
            *(_count(row[name]) for name in columns),
            share(row["tokens_kept"], row["tokens"]),
            _count(row["identifiers_detected"]),
            _count(row["identifiers_remaining"]),
        )
    console.print(table)
    print_line(
        console,
        "[dim]held[/] sentences not sent  [dim]clear[/] share of tokens sent unchanged  "
        "[dim]left[/] identifiers found in the text that was sent",
    )


def _count(value: int | None) -> str:
    return _UNKNOWN if value is None else f"{value:,}"


def _minute(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"


def _print_json(content: object) -> None:
    """Print ``content`` on one line of valid JSON."""
    typer.echo(json.dumps(_plain(content), allow_nan=False))


def _plain(value: object) -> object:
    """Return ``value`` in types of JSON; infinity is a string.

    Null would say that ε was not evaluated.
    """
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return "infinity" if value == math.inf else value
