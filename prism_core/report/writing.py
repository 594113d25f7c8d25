"""Write a whole report: the tables and the page."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from prism_core.report.page import write_page
from prism_core.report.parquet import Written, write_tables
from prism_core.report.rows import DocumentRow, RequestRow, RunFacts, SentenceRow


def write_report(
    report: Path,
    facts: RunFacts,
    documents: Iterable[DocumentRow],
    sentences: Iterable[SentenceRow],
    requests: Iterable[RequestRow],
) -> Written:
    """Write ``report/run=<id>/`` with tables and page, and ``report/index.html`` for the latest.

    Rows are checked and streamed; raises ``OutputError`` when one does not fit or the disk refuses.
    """
    written = write_tables(report, facts, documents, sentences, requests)
    pages = (written.folder / "index.html", report / "index.html")
    write_page(pages, written.summary, written.documents)
    return written
