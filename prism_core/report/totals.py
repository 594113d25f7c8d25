"""Count the totals of a run while its rows pass on their way to disk.

Entry: ``TotalsCounter``; ``add`` -> ``totals``, which are ``RunTotals``.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import median
from tempfile import SpooledTemporaryFile
from typing import Any, Final

import numpy as np

from prism_core.report.notices import COPIED, PICTURE
from prism_core.report.rows import (
    ABSENT,
    DocumentRow,
    Outcome,
    RequestRow,
    Row,
    RunFacts,
    SentenceRow,
)

_SHARES = 64
_BUFFER = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTotals:
    """Totals over the rows of a run."""

    documents: int
    documents_translated: int
    documents_partly: int
    documents_unchanged: int
    documents_empty: int
    documents_in_target: int
    documents_pictures: int
    documents_failed: int
    documents_copied: int
    documents_gone: int
    documents_renamed: int
    documents_pruned: int
    sentences: int
    sentences_distinct: int
    sentences_withheld: int
    sentences_unrestored: int
    sentences_from_memory: int
    sentences_reviewed: int
    sentences_by_local_model: int
    sentences_unsure: int
    sentences_to_look_at: int
    places_to_look_at: int
    sentences_in_clear: int
    gate_predicted: int
    gate_too_hopeful: int
    gate_too_careful: int
    tokens: int
    tokens_replaced: int
    tokens_identifier: int
    tokens_unknown: int
    tokens_kept: int
    kept_marks: int
    kept_grammar: int
    kept_words: int
    tokens_withheld: int
    identifiers_detected: int | None = None
    identifiers_replaced: int | None = None
    identifiers_remaining: int | None = None
    words_to_restore: int
    words_restored: int
    words_form: int
    words_order: int
    words_alignment: int
    words_near: int
    words_joined: int
    words_pair: int
    words_association: int
    words_elimination: int
    words_untranslated: int
    pool_smallest: int | None = None
    pool_median: float | None = None
    requests: int
    requests_refused: int
    retries: int
    characters: int
    cost: float | None = None
    cost_unanswered: float | None = None


def _shared_columns(annotation: str) -> tuple[str, ...]:
    """Return the columns of type ``annotation`` that a run shares with its documents by name."""
    document_columns = {(column.name, column.type) for column in fields(DocumentRow)}
    shared = [c for c in fields(RunTotals) if (c.name, c.type) in document_columns]
    return tuple(c.name for c in shared if c.type == annotation)


_COSTS: Final = ("cost", "cost_unanswered")
SUMMED: Final = _shared_columns("int")
"""Columns of a document that a run sums under the same name."""

SUMMED_WHERE_KNOWN: Final = tuple(n for n in _shared_columns("int | None") if n != "pool_smallest")
"""The same for columns that may be null: null only if no document has a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """A run: its facts, its totals, and the hashes that bind it."""

    facts: RunFacts
    totals: RunTotals
    chain_heads: tuple[tuple[str, str], ...]
    """Pairs ``(table, hash)``, the run itself last: if its hash is noted elsewhere, neither a row
    of this run nor any run before it can be changed unnoticed."""


class TotalsCounter:
    """Counter of rows that keeps no more than 8 bytes a document in memory.

    ``folder`` is used for files without a name, which end with ``opened``.
    """

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        self._sums: Counter[str] = Counter()
        self._known: Counter[str] = Counter()
        self._outcomes: Counter[str] = Counter()
        self._notices: Counter[str] = Counter()
        self._distinct = _DistinctCounter(folder, opened)
        self._smallest = math.inf
        self._medians = array("d")
        self._requests: Counter[str] = Counter()
        self._costs: dict[str, float] = defaultdict(float)

    def add(self, rows: Sequence[Row]) -> None:
        """Count ``rows``, all of one table."""
        for row in rows:
            if isinstance(row, DocumentRow):
                self._count_document(row)
            elif isinstance(row, RequestRow):
                self._requests.update(
                    requests=1,
                    refused=int(row.outcome in ("rejected", "failed")),
                    retries=max(row.attempts - 1, 0),
                    characters=row.characters,
                )
                for name in _COSTS:
                    if (cost := getattr(row, name)) is not None:
                        self._costs[name] += cost
        self._distinct.add([row.sentence_id for row in rows if isinstance(row, SentenceRow)])

    def _count_document(self, row: DocumentRow) -> None:
        self._outcomes[row.outcome] += 1
        if row.outcome not in ABSENT:
            self._notices.update({COPIED, PICTURE}.intersection(row.notices))
        for name in SUMMED:
            self._sums[name] += getattr(row, name)
        for name in SUMMED_WHERE_KNOWN:
            if (count := getattr(row, name)) is not None:
                self._known[name] += count
        if row.pool_smallest is not None:
            self._smallest = min(self._smallest, row.pool_smallest)
        if row.pool_median is not None:
            self._medians.append(row.pool_median)

    def totals(self) -> RunTotals:
        """Return the totals of all rows that have passed."""
        known: dict[str, Any] = {name: self._known.get(name) for name in SUMMED_WHERE_KNOWN}
        known |= {name: self._costs.get(name) for name in _COSTS}
        return RunTotals(
            documents=sum(n for outcome, n in self._outcomes.items() if outcome not in ABSENT),
            documents_translated=self._outcomes[Outcome.TRANSLATED],
            documents_partly=self._outcomes[Outcome.PARTLY],
            documents_unchanged=self._outcomes[Outcome.UNCHANGED],
            documents_empty=self._outcomes[Outcome.EMPTY],
            documents_in_target=self._outcomes[Outcome.IN_TARGET],
            documents_pictures=self._notices[PICTURE],
            documents_failed=self._outcomes[Outcome.FAILED],
            documents_copied=self._notices[COPIED],
            documents_gone=self._outcomes[Outcome.GONE],
            documents_renamed=self._outcomes[Outcome.RENAMED],
            documents_pruned=self._outcomes[Outcome.PRUNED],
            sentences_distinct=len(self._distinct),
            pool_smallest=None if self._smallest == math.inf else int(self._smallest),
            pool_median=median(self._medians) if self._medians else None,
            requests=self._requests["requests"],
            requests_refused=self._requests["refused"],
            retries=self._requests["retries"],
            characters=self._requests["characters"],
            **{name: self._sums[name] for name in SUMMED},
            **known,
        )


class _DistinctCounter:
    """Counter of different texts by 64 bits of each.

    One in 30 million runs of a million sentences would count two texts as one. The bits wait
    partitioned by the lowest of them, each part in a nameless file of ``folder`` once it is large,
    so that only one large part is ever in memory. They are the bits of Python's own hash, which
    differs in each process and reveals nothing.
    """

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        files = [SpooledTemporaryFile(_BUFFER, dir=str(folder)) for _ in range(_SHARES)]  # noqa: SIM115 (closed with ``opened``)
        self._files = [opened.enter_context(file) for file in files]

    def add(self, texts: Sequence[str]) -> None:
        bits = np.fromiter(map(hash, texts), np.int64, len(texts))
        for part, file in enumerate(self._files):
            file.write(bits[bits % _SHARES == part].tobytes())

    def __len__(self) -> int:
        count = 0
        for file in self._files:
            file.seek(0)
            count += len(set(np.frombuffer(file.read(), np.int64).tolist()))
        return count
