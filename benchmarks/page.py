"""How long the audit page of a large run takes: to write, and to open in a browser.

    python -m benchmarks.page [--json] [--documents N ...]

Rows of ``documents, bytes, read_and_write_seconds, open_seconds, first_row_seconds``: the median of
five times that Chromium opened the page from disk until everything in it had run, and until the
first row of the table of documents could be read. An invented run, written for it.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.measure import argument_parser, show
from prism_core.report.page import write_page
from prism_core.report.rows import DocumentRow, IdentifierRow, SentenceRow
from prism_core.report.writing import write_tables
from tests.browser import Page, browser
from tests.report.sample_rows import FACTS, IDENTIFIERS, REQUESTS, SENTENCES, TRANSLATED

OPENED = 5
CLASSES = ("name", "date", "email", "phone", "record-number", "geography")


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--documents", type=int, nargs="+", default=[100, 1_000, 10_000])
    arguments = parser.parse_args()
    with browser() as page, tempfile.TemporaryDirectory() as folder:
        rows = [measure(page, Path(folder), count) for count in arguments.documents]
    show(rows, as_json=arguments.json)


def measure(page: Page, folder: Path, count: int) -> dict[str, object]:
    """One row."""
    written = write_tables(
        folder / str(count),
        FACTS,
        map(document, range(count)),
        (sentence(n) for n in range(count * 3)),
        (identifier(n, name) for n in range(count) for name in CLASSES),
        REQUESTS,
    )
    began = time.perf_counter()
    write_page(written.folder, written.summary)
    seconds = time.perf_counter() - began
    file = written.folder / "index.html"
    opened = [opening(page, file) for _ in range(OPENED)]
    return {
        "documents": count,
        "bytes": file.stat().st_size,
        "read_and_write_seconds": round(seconds, 2),
        "open_seconds": round(median(whole for whole, _ in opened), 3),
        "first_row_seconds": round(median(first for _, first in opened), 3),
    }


def opening(page: Page, file: Path) -> tuple[float, float]:
    """Seconds until the page was whole, as the browser says; and until a row of it was there."""
    began = time.perf_counter()
    whole = page.open(file)
    page.value("document.querySelector('#documents tbody tr').innerText")
    return whole, time.perf_counter() - began


def document(number: int) -> DocumentRow:
    """A document of the invented run."""
    rng = Random(number)
    tokens = rng.randrange(200, 4000)
    kept = tokens // 2
    return replace(
        TRANSLATED,
        document_id=f"{rng.getrandbits(128):032x}",
        tokens=tokens,
        tokens_kept=kept,
        tokens_replaced=tokens - kept - 17,
        sentences=tokens // 20,
        words_to_restore=tokens - kept,
        words_restored=int((tokens - kept) * rng.choice([1, 1, 0.99, 0.9])),
    )


def sentence(number: int) -> SentenceRow:
    """A sentence of it."""
    size = Random(number).randrange(5, 2_000)
    return replace(SENTENCES[0], ordinal=number % 3, pool_smallest=size)


def identifier(number: int, name: str) -> IdentifierRow:
    """The identifiers of one class in one document."""
    found = document(number).document_id
    return replace(IDENTIFIERS[0], document_id=found, identifier_class=name)


if __name__ == "__main__":
    main()
