"""Data of the audit page of a run, read from its tables and added up there.

Entry: ``read_page_data``, which returns ``PageData``: its bins, reasons and receivers.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow.compute as pc

from prism_core.report.notices import say_notices
from prism_core.report.reading import (
    Receiver,
    identifiers_by_class,
    make_document_row,
    read_batches,
    read_receivers,
    read_rows,
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
_COUNTED: Final = ("tokens_kept", "words_restored", "words_to_restore", *NOT_EVALUATED)
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


class DocumentKind(NamedTuple):
    """Outcome of documents, with its reasons; very many documents have few kinds."""

    outcome: str
    failure: str
    advice: str
    treatment: str
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageData:
    """A run beyond its totals.

    ``kinds`` are in the order of their first documents, and ``order`` has the indices of the rows
    of documents with the worst first. There may be very many, so the rows stay in the tables of
    ``folder``. ``not_evaluated`` lists in words what the run did not measure.
    """

    folder: Path
    kinds: Counter[DocumentKind]
    order: np.ndarray[Any, Any]
    not_evaluated: list[str]
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
        first = self.order[:SHOWN_DOCUMENTS].tolist()
        return tuple(map(make_document_row, take_rows(self.folder / _DOCUMENTS, first)))

    def rows(self, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield ``columns`` of all documents in stored order, with some in memory at a time."""
        return read_rows(self.folder / _DOCUMENTS, columns)


def read_page_data(folder: Path) -> PageData:
    """Read the data from the tables in ``folder``, with some rows in memory at a time."""
    numbers, restored, evaluated = dict[DocumentKind, int](), Counter[int](), set[str]()
    kind_of_row, kept = array("q"), array("q")
    for batch in read_batches(folder / _DOCUMENTS, [*DocumentKind._fields, *_COUNTED]):
        *texts, notices = (batch[name].to_pylist() for name in DocumentKind._fields)
        for kind in map(DocumentKind, *texts, map(tuple, notices)):
            kind_of_row.append(numbers.setdefault(kind, len(numbers)))
        kept.extend(batch["tokens_kept"].to_pylist())
        evaluated |= {name for name in NOT_EVALUATED if batch[name].null_count < batch.num_rows}
        words = batch.filter(pc.greater(batch["words_to_restore"], 0))
        shares = words["words_restored"].to_numpy() / words["words_to_restore"].to_numpy()
        restored.update(np.searchsorted(RESTORED, shares, "right").tolist())
    kinds = Counter(dict(zip(numbers, np.bincount(kind_of_row).tolist(), strict=True)))
    pools, withheld = _count_sentences(folder)
    return PageData(
        folder=folder,
        kinds=kinds,
        order=_order_documents(kinds, kind_of_row, kept),
        not_evaluated=[words for name, words in NOT_EVALUATED.items() if name not in evaluated],
        identifiers=identifiers_by_class(folder),
        receivers=read_receivers(folder),
        pools=_make_bins(pools, _POOL_NAMES, ["clear"]),
        restored=_make_bins(restored, _SHARE_NAMES, ["bad", "clear", "clear"]),
        failures=_count_failures(kinds),
        withheld=withheld,
        notices=say_notices((kind.notices, count) for kind, count in kinds.items()),
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


def _order_documents(
    kinds: Iterable[DocumentKind], kind_of_row: array[int], kept: array[int]
) -> np.ndarray[Any, Any]:
    """Return the indices of documents by outcome and failure, the most tokens in clear first."""
    heads = [(_ORDER.index(kind.outcome), kind.failure) for kind in kinds]
    places = {head: place for place, head in enumerate(sorted(set(heads)))}
    place_of_kind = np.array([places[head] for head in heads], np.int64)
    return np.lexsort((np.negative(kept), place_of_kind[kind_of_row]))


def _make_bins(found: Mapping[int, int], names: Sequence[str], css: Sequence[str]) -> list[Bin]:
    """Return a bar for each of ``names`` with the count ``found`` at its place; empty for none."""
    if not found:
        return []
    counts = [found.get(place, 0) for place in range(len(names))]
    most = max(counts)
    classes = [*css, *["replaced"] * (len(counts) - len(css))]
    return [
        Bin(name.replace("%", " %"), count, count / most, style)
        for name, count, style in zip(names, counts, classes, strict=True)
    ]


def _count_failures(kinds: Mapping[DocumentKind, int]) -> list[ReasonCount]:
    advice, counts = defaultdict[str, set[str]](set), Counter[str]()
    for kind, count in kinds.items():
        if kind.failure:
            advice[kind.failure].add(kind.advice)
            counts[kind.failure] += count
    return [
        ReasonCount(failure, _DIFFERS if len(advice[failure]) > 1 else min(advice[failure]), count)
        for failure, count in counts.most_common()
    ]


def _count_sentences(folder: Path) -> tuple[Counter[int], list[ReasonCount]]:
    """Count the sentences by the place of their smallest pool, and those left by their reason."""
    pools, left = Counter[int](), Counter[tuple[str, str]]()
    columns = ["outcome", "reason", "pool_smallest"]
    for batch in read_batches(folder / "sentences.parquet", columns):
        sizes = batch["pool_smallest"].drop_null()
        pools.update(np.searchsorted(POOLS, sizes, "right").tolist())
        reasons = batch.filter(pc.not_equal(batch["reason"], ""))
        reasons = reasons.filter(pc.not_equal(reasons["outcome"], "translated"))
        left.update(zip(*(reasons[name].to_pylist() for name in columns[:2]), strict=True))
    return pools, [
        ReasonCount(
            _OUTCOMES.get(outcome, outcome), REASONS.get(reason, reason.replace("-", " ")), count
        )
        for (outcome, reason), count in left.most_common()
    ]
