"""Data of the audit page of a run, read from its tables and added up there.

Entry: ``read_page_data``, which returns ``PageData``: its bins, reasons and receivers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prism_core.report.notices import say_notices
from prism_core.report.reading import (
    Receiver,
    identifiers_by_class,
    make_document_row,
    read_receivers,
    read_rows,
    read_table,
    take_rows,
)
from prism_core.report.rows import ABSENT, DocumentRow, IdentifierRow, Outcome

SHOWN_DOCUMENTS: Final = 1000
"""Number of rows of the table that are shown without scripts; with scripts, all are."""

REASONS: Final = {
    "policy": "Its policy lets no translator see it; nothing was sent.",
    "leak": "A check of the finished text found an identifier in every draw; nothing was sent.",
    "never-send": "It shows a term of the user's list; nothing was sent.",
    "unknown-word": "It holds a word outside the dictionary, and the settings withhold such.",
    "withheld-class": "It holds an identifier of a class that the settings withhold.",
    "no-substitute": "No substitute was allowed for one of its words; nothing was sent.",
    "unread": "OCR was not sure of a word of it, which is marked ⍰; nothing was sent.",
    "encoder-fault": "PRISM could not encode it; nothing was sent.",
    "unrestored": "It was sent, and a substitute could not be found in the answer.",
    "redraws-spent": "It was sent and lost a substitute, and no more may be sent again.",
    "decoder-fault": "It was sent, and PRISM could not decode the answer.",
    "rejected": "The translator refuses it.",
    "bad-answer": "No answer to it could be used.",
}
"""Reasons why a sentence stayed in the source language, in words; other reasons are shown as they
are."""

_DOCUMENTS: Final = "documents.parquet"
NOT_EVALUATED: Final = {
    "identifiers_detected": "how many identifiers the documents hold, by class",
    "identifiers_remaining": "whether an independent check finds identifiers in what was sent",
    "privacy_score": "how much an adversary that answers questions about the documents learns",
}
"""Columns that are null in every document of a run that did not measure them, in words."""
_ADDED_UP: Final = (
    *("outcome", "failure", "advice", "notices", "treatment", "tokens_kept"),
    *("words_restored", "words_to_restore", *NOT_EVALUATED),
)
"""Columns of all documents that are in memory at once: some 100 bytes a document, not 600."""
_OUTCOMES: Final = {
    "withheld": "Not sent",
    "unrestored": "Sent, not restored",
    "failed": "Sent, no answer that could be used",
}
_DIFFERS: Final = "Not the same for all of them: each document below has its own."

POOLS: Final = (20, 50, 100, 200, 500, 1000)
_POOL_NAMES: Final = (
    f"under {POOLS[0]}",
    *(f"{low:,} to {high - 1:,}" for low, high in pairwise(POOLS)),
    f"{POOLS[-1]:,} or more",
)
RESTORED: Final = (0.5, 0.8, 0.95, 0.99, 1.0)
_SHARE_NAMES: Final = (
    f"under {RESTORED[0]:.0%}",
    *(f"{low:.0%} and more" for low in RESTORED[:-1]),
    "all",
)


@dataclass(frozen=True, slots=True)
class Bin:
    """A bar of a histogram: ``length`` in [0, 1] of the longest."""

    name: str
    count: int
    length: float
    css: str = "replaced"


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """A class, its meaning or the advice about it, and its number of occurrences."""

    name: str
    advice: str
    count: int


@dataclass(frozen=True, slots=True)
class PageData:
    """A run beyond its totals.

    ``documents`` are some columns of its table in Arrow, and ``order`` the indices of its rows with
    the worst first. There may be very many, so the rows stay in the tables of ``folder``.
    """

    folder: Path
    documents: pa.Table
    order: pa.Array
    identifiers: list[IdentifierRow]
    receivers: list[Receiver]
    pools: list[Bin]
    restored: list[Bin]
    failures: list[ReasonCount]
    withheld: list[ReasonCount]
    notices: list[tuple[str, int]]

    @property
    def worst(self) -> tuple[DocumentRow, ...]:
        """The first documents to look at, which are shown without scripts."""
        first = self.order.slice(0, SHOWN_DOCUMENTS).to_pylist()
        return tuple(map(make_document_row, take_rows(self.folder / _DOCUMENTS, first)))

    def rows(self, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield ``columns`` of all documents in stored order, with some in memory at a time."""
        return read_rows(self.folder / _DOCUMENTS, columns)


def read_page_data(folder: Path) -> PageData:
    """Read the data from the tables in ``folder``."""
    documents = read_table(folder / _DOCUMENTS, _ADDED_UP)
    rank = pc.index_in(documents["outcome"], pa.array(_ORDER, pa.string()))
    sort_order = [("rank", "ascending"), ("failure", "ascending"), ("tokens_kept", "descending")]
    keys = documents.select(["failure", "tokens_kept"]).append_column("rank", rank)
    sentences = read_table(folder / "sentences.parquet", ["outcome", "reason", "pool_smallest"])
    pools = sentences["pool_smallest"].drop_null().to_numpy()
    words = documents.select(["words_restored", "words_to_restore"])
    restored, whole = words.filter(pc.greater(words["words_to_restore"], 0)).itercolumns()
    shares = restored.to_numpy() / whole.to_numpy()
    return PageData(
        folder=folder,
        documents=documents,
        order=pc.sort_indices(keys, sort_order),
        identifiers=identifiers_by_class(folder),
        receivers=read_receivers(folder),
        pools=_make_bins(pools, POOLS, _POOL_NAMES, ["clear"]),
        restored=_make_bins(shares, RESTORED, _SHARE_NAMES, ["bad", "clear", "clear"]),
        failures=_count_failures(documents),
        withheld=_count_withheld(sentences),
        notices=say_notices(notices.as_py() for notices in documents["notices"]),
    )


_ORDER: Final = [
    str(outcome)
    for outcome in (
        *(Outcome.FAILED, Outcome.PARTLY, Outcome.TRANSLATED, Outcome.UNCHANGED),
        *(Outcome.EMPTY, Outcome.IN_TARGET, *ABSENT),
    )
]
COUNTS: Final = ("identifier_class", "detected", "replaced", "remaining")


def identifiers_of_documents(folder: Path) -> Iterator[tuple[str, list[list[Any]]]]:
    """Yield each document with its identifiers: class, detected, replaced and remaining counts.

    The rows of one document stand together in its table.
    """
    rows = read_rows(folder / "identifiers.parquet", ["document_id", *COUNTS])
    for document, found in groupby(rows, key=itemgetter("document_id")):
        yield document, [[row[name] for name in COUNTS] for row in found]


def _make_bins(
    values: np.ndarray[Any, Any], borders: Sequence[float], names: Sequence[str], css: Sequence[str]
) -> list[Bin]:
    """Count the ``values`` below, between and above the ``borders``; empty for no values."""
    if not len(values):
        return []
    counts = np.histogram(values, (0, *borders, math.inf))[0].tolist()
    most = max(counts) or 1
    classes = [*css, *["replaced"] * (len(counts) - len(css))]
    return [
        Bin(name.replace("%", " %"), count, count / most, style)
        for name, count, style in zip(names, counts, classes, strict=True)
    ]


def _count_failures(documents: pa.Table) -> list[ReasonCount]:
    failed = documents.filter(pc.not_equal(documents["failure"], ""))
    counted = failed.group_by("failure", use_threads=False).aggregate(
        [("advice", "distinct"), ("advice", "count")]
    )
    return [
        ReasonCount(
            row["failure"],
            _DIFFERS if row["advice_distinct"][1:] else row["advice_distinct"][0],
            row["advice_count"],
        )
        for row in sorted(counted.to_pylist(), key=lambda row: -row["advice_count"])
    ]


def _count_withheld(sentences: pa.Table) -> list[ReasonCount]:
    left = sentences.filter(pc.not_equal(sentences["reason"], ""))
    left = left.filter(pc.not_equal(left["outcome"], "translated"))
    found = left.group_by(["outcome", "reason"]).aggregate([("reason", "count")]).to_pylist()
    ordered = sorted(found, key=lambda row: -row["reason_count"])
    return [
        ReasonCount(
            _OUTCOMES.get(row["outcome"], row["outcome"]),
            REASONS.get(row["reason"], row["reason"].replace("-", " ")),
            row["reason_count"],
        )
        for row in ordered
    ]
