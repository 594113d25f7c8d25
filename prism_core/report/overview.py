"""The HTML page over all runs of a report folder, which shows the change from run to run.

Entry: ``write_overview``; ``read_runs`` -> ``render_overview``, with a ``Trend`` for each figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from prism_core.connections import is_this_machine
from prism_core.report.chain import Signer
from prism_core.report.reading import read_run_rows
from prism_core.report.rendering import number, percent, render, write_pieces
from prism_core.report.rows import read_toml

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

    def figure(self, part: str, whole: str = "", less: str = "") -> float | None:
        """Return its total ``part``, as a share of ``whole`` without ``less`` if these are named.

        None where it was not evaluated.
        """
        value = self.row.get(part)
        if value is None or not whole:
            return value
        base = (self.row.get(whole) or 0) - (self.row.get(less) or 0)
        return value / base if base > 0 else None

    @property
    def left_machine(self) -> str:
        """Answer if text left the machine, from the one row that is read of each run."""
        hosts = [self.row["endpoint_host"]]
        hosts += [other.partition("@")[2] for other in self.row["other_translators"]]
        is_local = set(map(is_this_machine, hosts))
        if not self.row["requests"] or is_local == {True}:
            return "no"
        return "yes" if is_local == {False} else "see its page"


@dataclass(frozen=True, slots=True)
class Trend:
    """A figure over all runs that have it, in words at its ends and as a line.

    ``points`` have a place in the drawing, and a label.
    """

    title: str
    meaning: str
    points: list[tuple[float, float, str]]
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
    trends = []
    for stated in read_toml("columns.toml")["overview"]["trends"]:
        columns = stated["columns"]
        known = [(run.day, v) for run in runs if (v := run.figure(*columns)) is not None]
        if len(known) < 2:
            continue
        shown = percent if len(columns) > 1 else number
        values, step = [value for _, value in known], WIDTH / (len(known) - 1)
        scale = (BOTTOM - TOP) / (max(values) or 1.0)
        points = [
            (place * step, BOTTOM - scale * value, f"{day:%d %b}: {shown(value)}")
            for place, (day, value) in enumerate(known)
        ]
        trend = Trend(
            title=stated["title"],
            meaning=stated["meaning"],
            points=points,
            first=shown(values[0]),
            last=shown(values[-1]),
            lowest=shown(min(values)),
            highest=shown(max(values)),
            since=f"{known[0][0]:%Y-%m-%d}",
            until=f"{known[-1][0]:%Y-%m-%d}",
        )
        trends.append(trend)
    return render("overview.html", runs=list(reversed(runs)), trends=trends)
