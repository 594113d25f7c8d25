"""A run for a person at a terminal: progress while it goes on, and a summary however it ends.

Entry: ``run_and_summarise`` -> ``summarise`` -> ``print_summary`` (a table for a person) or
``summary_json`` (for a program); ``rehearse_and_show`` instead sends nothing. Nothing heavy is
imported before it is needed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
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
    from prism_core.state import Progress

_SHOWN_FAILURES = 20
_LOGGED = ("bytes", "sentences", "sentences_withheld", "sentences_unrestored", "tokens_kept")
"""What is logged of each document, by the columns of the report."""


def run_and_summarise(
    job: Job,
    run: Callable[[], object],
    *,
    quiet: bool,
    as_json: bool,
    log_json: bool = False,
) -> ExitCode:
    """Run under a progress display, then say how it ended, also when it was stopped by an error.

    Whoever the settings name is told too, also when it was interrupted. Where standard error is no
    terminal, a line for each document stands there in the end. With ``log_json`` what is written
    there while all goes well is JSON, a line an event.
    """
    from flows.command.display import show_progress
    from prism_core.jobs import notify
    from prism_core.report import ReportFolder
    from prism_core.state import StatePlace

    def end(stopped: ExitCode | None, untold: Sequence[str]) -> ExitCode:
        report = ReportFolder(job.report_folder).find(job.run_id)
        if report is None:
            return stopped or ExitCode.OUTPUT_UNWRITABLE
        if not console.quiet and not console.is_terminal:
            _log_documents(report, as_json=log_json)
        return summarise(job, report, stopped, untold, quiet=quiet, as_json=as_json)

    console = open_console(
        stderr=True,
        quiet=quiet or (as_json and not log_json),
        force_terminal=False if log_json else None,
    )
    in_line = partial(_event, "progress") if log_json else None
    try:
        poll = partial(StatePlace.of(job).progress, job.run_id)
        with show_progress(console, poll, in_line=in_line):
            run()
    except BaseException as error:
        untold = notify(job, error)
        if isinstance(error, PrismError):
            end(error.exit_code, untold)
        raise
    return end(None, notify(job, None))


def _event(name: str, moment: Progress) -> str:
    return json.dumps({"event": name, **asdict(moment)})


def _log_documents(report: RunReport, *, as_json: bool) -> None:
    """A line for each document that the run worked on (ids, classes and counts), and one for the
    seconds that each stage took."""
    from prism_core.report import Outcome

    for row in report.documents:
        if row.outcome == Outcome.UNCHANGED:
            continue
        named = {"document": row.document_id, "outcome": row.outcome, "class": row.failure}
        counted = {name: getattr(row, name) for name in _LOGGED}
        if as_json:
            line = json.dumps({"event": "document", **named, **counted})
        else:
            counts = ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in counted.items())
            line = f"{' '.join(filter(None, named.values()))}: {counts}"
        typer.echo(line, err=True)
    spent = report.facts.seconds_by_stage
    told = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in spent.items())
    line = json.dumps({"event": "seconds", **spent}) if as_json else f"seconds: {told}"
    typer.echo(line, err=True)


def summarise(
    job: Job,
    report: RunReport,
    stopped: ExitCode | None,
    untold: Sequence[str],
    *,
    quiet: bool,
    as_json: bool,
) -> ExitCode:
    """Print the summary of ``report``; gives the exit code of the run.

    ``untold``: why somebody who was to be told of it was not.
    """
    from prism_core.jobs import count_failures

    failed = bool(count_failures(job, report))
    exit_code = stopped or (ExitCode.SOME_DOCUMENTS_FAILED if failed else ExitCode.OK)
    if as_json:
        typer.echo(summary_json(job, report, exit_code, untold))
    elif not quiet:
        from prism_core.stages import Run

        with Run.view(job) as run:  # the store keeps names sealed; a person may see them
            names = run.store.documents.paths(row.document_id for row in report.failures)
        print_summary(open_console(), job, report, names, untold)
    return exit_code


def translate_locally(job: Job) -> None:
    """Run in this process, without Prefect."""
    from prism_core.jobs import translate

    translate(job)


def rehearse_and_show(job: Job, *, quiet: bool, as_json: bool) -> None:
    """Do everything but send and write; show what a run would do, and what would be seen of texts.

    As JSON it is counts alone: the samples are for eyes, not for logs.
    """
    with open_console(stderr=True, quiet=quiet or as_json).status(
        "reading and encoding; nothing is sent"
    ):
        from prism_core.jobs import planning

        rehearsal = planning.dry_run(job)
    found, expected = rehearsal.summary, rehearsal.expected
    if as_json:
        typer.echo(
            json.dumps(
                {"summary": asdict(found), **asdict(expected), "cautions": rehearsal.cautions}
            )
        )
        return
    rows: list[tuple[str, str | int]] = [
        ("documents found", found.documents),
        ("documents unchanged, skipped", found.documents_unchanged),
        ("documents that cannot be handled", found.documents_failed),
        ("different sentences", found.sentences),
        ("sentences translated from memory", found.sentences_from_memory),
        ("sentences withheld", found.sentences_withheld),
        ("sentences to send", expected.texts),
        ("characters to send", expected.characters),
        ("requests", expected.requests),
    ]
    if expected.cost:
        rows.append(("price, about", money(expected.cost, expected.currency)))
    console = open_console()
    console.print(make_table("would be done", ">", rows=rows))
    print_cautions(console, rehearsal.cautions)
    if rehearsal.samples:
        console.print(f"[bold]what {job.settings.translator.name} would see, for example[/]")
    for text in rehearsal.samples:
        print_line(console, f"  {escape(text.strip())}")
    console.print("[dim]nothing was sent, nothing was written[/]")


def print_summary(
    console: Console,
    job: Job,
    report: RunReport,
    names: dict[str, str],
    untold: Sequence[str] = (),
) -> None:
    """Outcomes, tokens by fate, what failed and why, and where everything is.

    ``names`` maps document ids to paths: file names are shown here and only here. ``untold``: why
    somebody who was to be told of the run was not.
    """
    print_line(console, f"[bold]{escape(report.answer.title)}[/]")
    console.print(_documents(report))
    if not report.totals.documents:
        print_line(console, f"[bold]{escape(str(job.input))} holds no document[/]")
    if report.totals.tokens:
        console.print(_tokens(report))
    if report.failures:
        console.print(_failures(report, names))
    print_cautions(console, report.facts.cautions)
    if report.totals.cost:
        cost = money(report.totals.cost, report.facts.currency or "")
        console.print(f"[dim]cost[/]    {cost}, about", highlight=False)
    print_fact(console, "output", job.output)
    print_fact(console, "report", report.page)
    for problem in untold:
        print_fact(console, "untold", problem)


def summary_json(job: Job, report: RunReport, exit_code: int, untold: Sequence[str] = ()) -> str:
    """The same as JSON on one line: ids instead of file names, ``null`` for what is not known."""
    anew = {row.document_id for row in report.failed_anew}
    content = {
        "run_id": report.facts.run_id,
        "exit_code": exit_code,
        "output": str(job.output),
        "report": report.page,
        "totals": asdict(report.totals),
        "currency": report.facts.currency,
        "cautions": list(report.facts.cautions),
        "answer": report.answer.title,
        "failures": [
            {
                "document_id": d.document_id,
                "class": d.failure,
                "advice": d.advice,
                "new": d.document_id in anew,
            }
            for d in report.failures
        ],
        "untold": list(untold),
    }
    return json.dumps(content)


def _documents(report: RunReport) -> Table:
    t = report.totals
    rows: list[tuple[str | int, ...]] = [
        ("translated", t.documents_translated, "found", t.sentences),
        ("partly translated", t.documents_partly, "withheld, not sent", t.sentences_withheld),
        ("unchanged", t.documents_unchanged, "sent, not restored", t.sentences_unrestored),
        ("failed", t.documents_failed, "requests", t.requests),
    ]
    if t.documents_empty:
        rows.append(("without text", t.documents_empty, "", ""))
    if t.documents_in_target:
        rows.append(("in the target language already", t.documents_in_target, "", ""))
    if t.documents_copied:
        rows.append(("failed or without text, copied", t.documents_copied, "", ""))
    if t.documents_gone:
        rows.append(("gone from the input", t.documents_gone, "", ""))
    if t.documents_renamed:
        rows.append(("renamed in the input", t.documents_renamed, "", ""))
    if t.documents_pruned:
        rows.append(("gone, and destroyed", t.documents_pruned, "", ""))
    if t.sentences_from_memory:
        rows.append(("", "", "from memory, not sent", t.sentences_from_memory))
    if t.sentences_by_local_model:
        rows.append(("", "", "by the local model, not sent", t.sentences_by_local_model))
    if t.sentences_unsure:
        rows.append(("", "", "unsure, to look at", t.sentences_unsure))
    return make_table("documents", ">", "sentences", ">", rows=rows)


def _tokens(report: RunReport) -> Table:
    t = report.totals
    rows = (
        ("replaced", t.tokens_replaced, "sent as another word"),
        ("identifiers", t.tokens_identifier, "sent as surrogates"),
        ("unknown words", t.tokens_unknown, "sent as another word, kept untranslated"),
        ("words in clear", t.kept_words, "seen by the translator, and carry meaning"),
        ("function words", t.kept_grammar, "seen by the translator: the, of, not"),
        ("marks", t.kept_marks, "seen by the translator: punctuation"),
        ("withheld", t.tokens_withheld, "not sent"),
    )
    shares = ((*row, share(row[1], t.tokens)) for row in rows)
    return make_table("tokens by fate", ">", "", ">", rows=shares)


def _failures(report: RunReport, names: dict[str, str]) -> Table:
    """What failed anew comes first; where nothing failed before, all of it did."""
    from prism_core.report import NOT_REACHED

    table = make_table("not translated", "class", "what to do")
    anew = report.failed_anew
    waiting = [row for row in report.failures if row.failure == NOT_REACHED]
    shown = [*anew, *waiting]
    for row in shown[:_SHOWN_FAILURES]:
        name = names.get(row.document_id, row.document_id)
        table.add_row(escape(name, one_line=True), row.failure, escape(row.advice))
    if len(shown) > _SHOWN_FAILURES:
        table.add_row(f"… and {len(shown) - _SHOWN_FAILURES:,} more", "", "see the report")
    if known := len(report.failures) - len(shown):
        table.add_row(f"{known:,} known since before", "", "see the report")
    return table
