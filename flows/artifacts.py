"""What Prefect's pages show of a run: its totals as a table, and how it ended in a few lines.

Both are made from a ``Notice``, which holds counts and classes alone: Prefect keeps artifacts in
its database.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from prefect.artifacts import create_markdown_artifact, create_table_artifact
from rich.console import Console

from prism_core.jobs.notifying import notice_of
from prism_core.notification import Notice
from prism_core.settings.job import Job

TOTALS_KEY, SUMMARY_KEY = "prism-run-totals", "prism-run-summary"


@contextmanager
def keep_artifacts(job: Job) -> Iterator[None]:
    """Keep the artifacts of the flow run that the block is part of, also when it fails.

    When Prefect cannot keep them, a line on standard error says so, and the run is as it was.
    """
    try:
        yield
    except Exception as error:
        _keep(job, error)
        raise
    _keep(job, None)


def _keep(job: Job, error: Exception | None) -> None:
    try:
        notice = notice_of(job, error)
        if notice.totals:
            create_table_artifact(
                table=table_of(notice), key=TOTALS_KEY, description=f"Run {notice.run_id}"
            )
        create_markdown_artifact(markdown=markdown_of(notice), key=SUMMARY_KEY)
    except Exception as fault:  # noqa: BLE001 - neither the run's outcome nor foreign words
        Console(stderr=True).print(
            f"prism: Prefect could not keep the artifacts of the run ({type(fault).__name__})",
            soft_wrap=True,
        )


def table_of(notice: Notice) -> list[dict[str, str | int | float]]:
    """The totals that are known and the failures by class, a row a count."""
    totals: list[dict[str, str | int | float]] = [
        {"counted": name.replace("_", " "), "count": value}
        for name, value in notice.totals.items()
        if value is not None
    ]
    failed = sorted(notice.failed.items())
    return [*totals, *({"counted": f"failed: {name}", "count": n} for name, n in failed)]


def markdown_of(notice: Notice) -> str:
    """How the run ended and what came of documents, sentences and tokens."""
    head = f"# {notice.outcome}\n\nRun `{notice.run_id}`, exit code {int(notice.exit_code)}."
    if not notice.totals:
        return f"{head} It did not come to its report.\n"
    shown = (
        ("documents", ("translated", "partly", "unchanged", "failed")),
        ("sentences", ("withheld", "unrestored", "from_memory")),
        ("tokens", ("replaced", "identifier", "unknown", "kept", "withheld")),
    )
    lines = [_line(notice, whole, parts) for whole, parts in shown]
    sent = f"- {notice.totals['requests']:,} requests, {notice.totals['characters']:,} characters"
    classes = [f"- failed: {name}, {n:,}" for name, n in sorted(notice.failed.items())]
    return "\n".join([head, "", *lines, sent, *classes]) + "\n"


def _line(notice: Notice, whole: str, parts: tuple[str, ...]) -> str:
    counts = (f"{notice.totals[f'{whole}_{part}']:,} {part.replace('_', ' ')}" for part in parts)
    return f"- {notice.totals[whole]:,} {whole}: {', '.join(counts)}"
