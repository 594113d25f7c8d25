"""PDFs before and after, page by page, as poppler sees them.

entry: `check`; then `_of_pages`, `_of_refused`, `_of_blocks`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from benchmarks.documents.findings import Finding
from benchmarks.documents.job import Translated
from benchmarks.documents.poppler import SeenPage, read_pages
from prism_core.errors import DocumentError
from prism_core.formats import read_document
from prism_core.formats.base import FormatOptions
from prism_core.formats.sandbox import Sandbox

run = Sandbox().call
_FEW: Final = 3
"""Words that a page may lose without being called lost."""
_OF_PAGES: Final = (
    *("page-unchanged", "unreadable-pages", "scan-pages", "words-unread"),
    *("only-pages-readable", "signature-void"),
)
_OF_OVERLAPS: Final = ("texts-overlapping", "blocks-overflowing")
_OF_PLACES: Final = ("blocks-shrunk", "blocks-overflowing", "blocks-unchanged")
_ENDS: Final = re.compile(r"[.!?:;…»”\"')\]]\W*$")
_WORDS: Final = re.compile(r"[^\W\d_]{2,}")
_REFUSED: Final = ("corrupt", "empty", "crashed", "timed-out", "out-of-memory", "unrebuildable")


def check(row: Translated) -> Iterator[Finding]:
    """All that is found of one PDF."""
    before = read_pages(row.source)
    if row.written is None or row.written.suffix != ".pdf":
        yield from _of_refused(row, before)
        return
    after = read_pages(row.written)
    if len(before) != len(after):
        yield Finding(row.name, "page count", abs(len(before) - len(after)))
    yield from _of_pages(row, before, after)
    yield _of_blocks(row)


def _of_refused(row: Translated, before: list[SeenPage]) -> Iterator[Finding]:
    """A refused file of which poppler shows more than a few words."""
    words = sum(len(page.legible) for page in before)
    if row.failure in _REFUSED and words > _FEW:
        yield Finding(row.name, f"refused ({row.failure}) with text", 1)


def _of_pages(row: Translated, before: list[SeenPage], after: list[SeenPage]) -> Iterator[Finding]:
    lost, unchanged = [], []
    overlaps: dict[int, int] = {}
    beyond: dict[int, int] = {}
    for number, (old, new) in enumerate(zip(before, after, strict=False), start=1):
        few = len(old.legible) <= _FEW
        if not few and (len(new.legible) < len(old.legible) / 2 or new.ink < old.ink / 2):
            lost.append(number)
        if not few and [w.text for w in old.words] == [w.text for w in new.words]:
            unchanged.append(number)
        overlaps[number] = max(new.overlaps - old.overlaps, 0)
        beyond[number] = max(new.beyond - old.beyond, 0)
    told_of_pages = row.tells(*_OF_PAGES)
    told = told_of_pages or row.tells(*_OF_PLACES)
    yield Finding(row.name, "pages lost", len(lost), told_of_pages, tuple(lost), of=len(before))
    yield Finding(
        row.name,
        "pages unchanged",
        len(unchanged),
        told or row.outcome == "partly-translated",
        tuple(unchanged),
        of=len(before),
    )
    for name, counts in (("overlapping words", overlaps), ("words over the edge", beyond)):
        pages = tuple(number for number, count in counts.items() if count)
        yield Finding(row.name, name, sum(counts.values()), row.tells(*_OF_OVERLAPS), pages)


def _of_blocks(row: Translated) -> Finding:
    """How many paragraphs of words begin with a small letter where none ended before."""
    try:
        segments = run(read_document, row.source, FormatOptions(source="en")).segments
    except DocumentError:
        segments = ()
    texts = [one.text for one in segments if one.kind == "paragraph" and _WORDS.search(one.text)]
    cut = sum(
        text.lstrip()[:1].islower() and not _ENDS.search(before)
        for before, text in zip(["", *texts], texts, strict=False)
        if before
    )
    return Finding(row.name, "blocks in mid-sentence", cut, of=len(texts))
