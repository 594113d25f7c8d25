"""The HTML page over all runs of a report folder, which shows the change from run to run.

Entry: ``write_overview``; ``read_runs`` -> ``render_overview``, with a ``_make_trend`` for each
figure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from prism_core.connections import is_this_machine
from prism_core.report.chain import Signer
from prism_core.report.reading import read_run_rows
from prism_core.report.rendering import number, percent, render, write_pieces

SHOWN_RUNS: Final = 400
_SIGNATURE: Final = "<!-- signature "
WIDTH, TOP, BOTTOM = 480.0, 20.0, 110.0
"""Box of a trend, in the units of its drawing."""


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A run as the overview shows it: the row of ``run.parquet``, and the path of its page."""

    row: dict[str, Any]
    page: str

    @property
    def day(self) -> datetime:
        """Time of its end."""
        ended: datetime = self.row["finished_at"]
        return ended

    def total(self, name: str) -> float | None:
        """Return one of its totals; None where it was not evaluated."""
        value = self.row.get(name)
        return None if value is None else float(value)

    @property
    def left_machine(self) -> str:
        """Answer if text left the machine, from the one row that is read of each run."""
        hosts = [self.row["endpoint_host"]]
        hosts += [other.partition("@")[2] for other in self.row["other_translators"]]
        is_local = set(map(is_this_machine, hosts))
        if not self.row["requests"] or is_local == {True}:
            return "no"
        return "yes" if is_local == {False} else "see its page"

    def share(self, part: str, whole: str) -> float | None:
        """Return one total as a share of another."""
        amount, base = self.total(part), self.total(whole)
        return None if amount is None or not base else amount / base

    def clear_share(self) -> float | None:
        """Return the share of the tokens sent that were sent unchanged."""
        kept, tokens = self.total("tokens_kept"), self.total("tokens")
        sent = (tokens or 0) - (self.total("tokens_withheld") or 0)
        return kept / sent if kept is not None and sent > 0 else None


@dataclass(frozen=True, slots=True)
class Dot:
    """A run in a trend."""

    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Trend:
    """A figure over all runs that have it, in words at its ends and as a line."""

    title: str
    meaning: str
    points: list[Dot]
    first: str
    last: str
    lowest: str
    highest: str
    since: str
    until: str


def write_overview(report: Path, signer: Signer | None = None) -> None:
    """Write ``report/index.html``, in one step; raises ``OutputError``.

    It is written anew after each run, so no hash of a run covers it: ``signer`` signs the page.
    """
    page = render_overview(read_runs(report))
    signature = f"{_SIGNATURE}{signer.sign(_hash(page))} -->\n" if signer else ""
    write_pieces(report / "index.html", [page, signature])


def is_signed(report: Path, signer: Signer) -> bool:
    """Return True if ``report/index.html`` is as it was written with ``signer``."""
    content = (report / "index.html").read_text("utf-8", "replace")
    page, _, signature = content.rpartition(_SIGNATURE)
    return signer.has_signed(_hash(page), signature.partition(" ")[0])


def _hash(page: str) -> str:
    return sha256(page.encode()).hexdigest()


def read_runs(report: Path) -> list[ListedRun]:
    """Return the latest runs of the folder, oldest first."""
    rows = read_run_rows(report)[-SHOWN_RUNS:]
    return [ListedRun(row, f"{folder.name}/index.html") for folder, row in rows]


def render_overview(runs: Sequence[ListedRun]) -> str:
    """Return the page as HTML."""
    trends = [trend for figure in _FIGURES if (trend := _make_trend(runs, *figure)) is not None]
    return render("overview.html", runs=list(reversed(runs)), trends=trends)


_Figure = tuple[str, str, Callable[[ListedRun], float | None], Callable[[float], str]]

_FIGURES: Final[tuple[_Figure, ...]] = (
    (
        "Identifiers found in what was sent",
        "by a check that reads the sent text alone; should be none",
        lambda run: run.total("identifiers_remaining"),
        number,
    ),
    (
        "Tokens sent in clear",
        "as a share of all tokens that were sent",
        ListedRun.clear_share,
        percent,
    ),
    (
        "Sentences withheld",
        "as a share of all sentences",
        lambda run: run.share("sentences_withheld", "sentences"),
        percent,
    ),
    (
        "Hidden words restored",
        "as a share of all that were hidden",
        lambda run: run.share("words_restored", "words_to_restore"),
        percent,
    ),
    (
        "Sentences left in the source language",
        "though they were sent, as a share of all sentences",
        lambda run: run.share("sentences_unrestored", "sentences"),
        percent,
    ),
    ("Documents", "found in the input", lambda run: run.total("documents"), number),
    ("Documents that failed", "of these", lambda run: run.total("documents_failed"), number),
    ("Characters sent", "of encoded text", lambda run: run.total("characters"), number),
)


def _make_trend(
    runs: Sequence[ListedRun],
    title: str,
    meaning: str,
    value_of: Callable[[ListedRun], float | None],
    shown: Callable[[float], str],
) -> Trend | None:
    known = [(run, value) for run in runs if (value := value_of(run)) is not None]
    if len(known) < 2:
        return None
    values = [value for _, value in known]
    most = max(values) or 1.0
    step = WIDTH / (len(known) - 1)
    points = [
        Dot(
            place * step, BOTTOM - (BOTTOM - TOP) * value / most, f"{run.day:%d %b}: {shown(value)}"
        )
        for place, (run, value) in enumerate(known)
    ]
    return Trend(
        title=title,
        meaning=meaning,
        points=points,
        first=shown(values[0]),
        last=shown(values[-1]),
        lowest=shown(min(values)),
        highest=shown(max(values)),
        since=f"{known[0][0].day:%Y-%m-%d}",
        until=f"{known[-1][0].day:%Y-%m-%d}",
    )
