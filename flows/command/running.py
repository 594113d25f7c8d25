"""Run a job for a person at a terminal: progress while it runs, and a summary however it ends.

Entry: ``run_and_summarise`` -> ``summarise`` -> ``print_summary`` (a table for a person) or
``summary_json`` (for a program). Nothing heavy is imported before it is needed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from flows.command.command_line import (
    escape,
    make_table,
    money,
    open_console,
    print_cautions,
    print_fact,
    print_line,
    share,
)
from prism_core.errors import ExitCode, PrismError

if TYPE_CHECKING:
    from rich.table import Table

    from prism_core.report import RunReport
    from prism_core.settings import Job

_SHOWN_FAILURES = 20
_LOGGED = ("bytes", "sentences", "sentences_withheld", "sentences_unrestored", "tokens_kept")
"""Columns of the report that are logged for each document."""


def run_and_summarise(
    job: Job,
    run: Callable[[], object],
    *,
    quiet: bool,
    as_json: bool,
) -> ExitCode:
    """Run under a progress display, then report how it ended, also when an error stopped it.

    The recipients in the settings are notified too, also when it was interrupted. If standard error
    is not a terminal, it gets a line for each document at the end.
    """
    from flows.command.display import show_progress
    from prism_core.jobs import notify
    from prism_core.report import ReportFolder
    from prism_core.state import StatePlace

    def end(stopped: ExitCode | None, ended: datetime, untold: Sequence[str]) -> ExitCode:
        report = ReportFolder(job.report_folder).find(job.run_id)
        if report is None:
            return stopped or ExitCode.OUTPUT_UNWRITABLE
        if not console.quiet and not console.is_terminal:
            _log_documents(report, ended)
        return summarise(job, report, stopped, untold, quiet=quiet, as_json=as_json)

    console = open_console(stderr=True, quiet=quiet or as_json)
    try:
        poll = partial(StatePlace.of(job).progress, job.run_id)
        with show_progress(console, poll):
            run()
    except BaseException as error:
        ended, untold = datetime.now(UTC), notify(job, error)
        if isinstance(error, PrismError):
            end(error.exit_code, ended, untold)
        raise
    return end(None, datetime.now(UTC), notify(job, None))


def _log_documents(report: RunReport, ended: datetime) -> None:
    """Log a line for each document that the run processed, and the seconds of each stage.

    The lines hold ids, classes and counts. The report does not know how long it took to write: that
    is the time until the run ``ended``.
    """
    from prism_core.report import Outcome

    for row in report.documents:
        if row.outcome == Outcome.UNCHANGED:
            continue
        labels = filter(None, (row.document_id, row.outcome, row.failure))
        counts = (f"{name.replace('_', ' ')} {getattr(row, name)}" for name in _LOGGED)
        typer.echo(f"{' '.join(labels)}: {', '.join(counts)}", err=True)
    writing = (ended - report.facts.finished_at).total_seconds()
    spent = {**report.facts.seconds_by_stage, "report": writing}
    listed = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in spent.items())
    typer.echo(f"seconds: {listed}", err=True)


def summarise(
    job: Job,
    report: RunReport,
    stopped: ExitCode | None,
    untold: Sequence[str],
    *,
    quiet: bool,
    as_json: bool,
) -> ExitCode:
    """Print the summary of ``report``; return the exit code of the run.

    ``untold`` are the reasons why a recipient was not notified.
    """
    from prism_core.jobs import judge_documents

    exit_code = stopped or judge_documents(job, report)
    if as_json:
        typer.echo(summary_json(job, report, exit_code, untold))
    elif not quiet:
        from prism_core.stages import Run

        with Run.view(job) as run:  # file names are sealed in the store; a person may see them
            names = run.store.documents.paths(row.document_id for row in report.failures)
        print_summary(open_console(), job, report, names, untold)
    return exit_code


def print_summary(
    console: Console,
    job: Job,
    report: RunReport,
    names: dict[str, str],
    untold: Sequence[str] = (),
) -> None:
    """Print outcomes, tokens by fate, failures with their reasons, and the places of the results.

    ``names`` maps document ids to paths: file names are shown here and only here. ``untold`` are
    the reasons why a recipient was not notified.
    """
    print_line(console, f"[bold]{escape(report.answer.title)}[/]")
    if report.facts.stopped:
        print_line(console, f"[bold red]ended early[/]  {escape(report.facts.stopped)}")
    else:
        for silent in report.answer.silent:
            print_line(console, f"[bold red]failed[/]  {escape(silent)}")
    print_counts(console, report)
    if not report.totals.documents:
        print_line(console, f"[bold]{escape(str(job.input))} holds no document[/]")
    if report.failures:
        console.print(_make_failures_table(report, names))
    print_cautions(console, report.facts.cautions)
    if report.totals.cost or report.totals.cost_unanswered:
        currency = report.facts.currency or ""
        cost = f"{money(report.totals.cost or 0.0, currency)}, about"
        if more := report.totals.cost_unanswered:
            cost += f"; at most {money(more, currency)} more, if requests without an answer count"
        console.print(f"[dim]cost[/]    {cost}", highlight=False)
    print_fact(console, "output", job.output)
    print_fact(console, "report", report.html_path)
    for problem in untold:
        print_fact(console, "untold", problem)


def summary_json(job: Job, report: RunReport, exit_code: int, untold: Sequence[str] = ()) -> str:
    """Return the summary as JSON on one line: ids instead of file names, ``null`` if unknown."""
    new_failures = {row.document_id for row in report.failed_anew}
    content = {
        "run_id": report.facts.run_id,
        "exit_code": exit_code,
        "output": str(job.output),
        "report": report.html_path,
        "totals": asdict(report.totals),
        "currency": report.facts.currency,
        "cautions": list(report.facts.cautions),
        "answer": report.answer.title,
        "stopped": report.facts.stopped,
        "silent": report.answer.silent,
        "failures": [
            {
                "document_id": row.document_id,
                "class": row.failure,
                "advice": row.advice,
                "new": row.document_id in new_failures,
            }
            for row in report.failures
        ],
        "untold": list(untold),
    }
    return json.dumps(content)


def print_counts(console: Console, report: RunReport) -> None:
    """Print outcomes of documents and sentences, and tokens by fate where some were encoded."""
    t = report.totals
    rows: list[tuple[str | int, ...]] = [
        ("translated", t.documents_translated, "found", t.sentences),
        ("partly translated", t.documents_partly, "withheld, not sent", t.sentences_withheld),
        ("unchanged", t.documents_unchanged, "sent, not restored", t.sentences_unrestored),
        ("failed", t.documents_failed, "requests", t.requests),
    ]
    documents = (
        ("without text", t.documents_empty),
        ("in the target language already", t.documents_in_target),
        ("failed or without text, copied", t.documents_copied),
        ("gone from the input", t.documents_gone),
        ("renamed in the input", t.documents_renamed),
        ("gone, and destroyed", t.documents_pruned),
    )
    sentences = (
        ("from memory, not sent", t.sentences_from_memory),
        ("translated on this machine", t.sentences_by_local_model),
        ("to look at (prism review)", t.sentences_to_look_at),
        ("other places to look at (report)", t.places_to_look_at),
    )
    rows += [(name, count, "", "") for name, count in documents if count]
    rows += [("", "", name, count) for name, count in sentences if count]
    console.print(make_table("documents", ">", "sentences", ">", rows=rows))
    fates = (
        ("replaced", t.tokens_replaced, "sent as another word"),
        ("identifiers", t.tokens_identifier, "sent as surrogates"),
        ("unknown words", t.tokens_unknown, "sent as another word, kept untranslated"),
        ("words in clear", t.kept_words, "seen by the translator, with meaning"),
        ("function words", t.kept_grammar, "seen by the translator: the, of, not"),
        ("marks", t.kept_marks, "seen by the translator: punctuation"),
        ("withheld", t.tokens_withheld, "not sent"),
    )
    if t.tokens and report.facts.sees != "clear":
        shares = ((*row, share(row[1], t.tokens)) for row in fates)
        console.print(make_table("tokens by fate", ">", "", ">", rows=shares))


def _make_failures_table(report: RunReport, names: dict[str, str]) -> Table:
    """List documents that failed anew first; if none failed before, these are all."""
    from prism_core.report import NOT_REACHED

    table = make_table("not translated", "class", "what to do")
    new_failures = report.failed_anew
    waiting = [row for row in report.failures if row.failure == NOT_REACHED]
    shown = [*new_failures, *waiting]
    for row in shown[:_SHOWN_FAILURES]:
        name = names.get(row.document_id, row.document_id)
        table.add_row(escape(name, one_line=True), row.failure, escape(row.advice))
    if len(shown) > _SHOWN_FAILURES:
        table.add_row(f"… and {len(shown) - _SHOWN_FAILURES:,} more", "", "see the report")
    if known_count := len(report.failures) - len(shown):
        table.add_row(f"{known_count:,} known since before", "", "see the report")
    return table
