"""Write a whole report: the tables and the page."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from prism_core.report.overview import write_overview
from prism_core.report.page import write_page
from prism_core.report.parquet import Written, write_tables
from prism_core.report.rows import Row, RunFacts
from prism_core.report.signing import Signer
from prism_core.report.succession import BEGINNING, Link


def write_report(
    report: Path,
    facts: RunFacts,
    *rows: Iterable[Row],
    signer: Signer | None = None,
    remembered: Link = BEGINNING,
) -> Written:
    """Write a new ``report/run=<id>/`` with tables and page; ``report/index.html`` is over all.

    See ``write_tables``; raises ``OutputError`` when a row does not fit or the disk refuses.
    """
    written = write_tables(report, facts, *rows, signer=signer, remembered=remembered)
    write_page(written.folder, written.summary)
    write_overview(report)
    return written
