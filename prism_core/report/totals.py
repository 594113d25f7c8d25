"""Counts a run's totals while its rows pass on their way to disk."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile
from typing import Any

import numpy as np

from prism_core.report.rows import (
    SUMMED,
    SUMMED_WHERE_KNOWN,
    DocumentRow,
    Outcome,
    RequestRow,
    Row,
    RunTotals,
    SentenceRow,
)

_SHARES = 64
_BUFFER = 1 << 16


class TotalsCounter:
    """Counts rows; no more than 8 bytes a document stay in memory.

    ``folder`` takes files that have no name and end with ``opened``.
    """

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        self._sums: Counter[str] = Counter()
        self._known: Counter[str] = Counter()
        self._outcomes: Counter[str] = Counter()
        self._distinct = _Distinct(folder, opened)
        self._smallest: int | None = None
        self._medians = array("d")
        self._requests: Counter[str] = Counter()
        self._cost: float | None = None

    def add(self, rows: Sequence[Row]) -> None:
        """Count ``rows``, all of one table, for what they add."""
        for row in rows:
            if isinstance(row, DocumentRow):
                self._count_document(row)
            elif isinstance(row, RequestRow):
                retries = max(row.attempts - 1, 0)
                self._requests.update(requests=1, retries=retries, characters=row.characters)
                if row.cost is not None:
                    self._cost = (self._cost or 0.0) + row.cost
        self._distinct.add([row.sentence_id for row in rows if isinstance(row, SentenceRow)])

    def _count_document(self, row: DocumentRow) -> None:
        self._outcomes[row.outcome] += 1
        for name in SUMMED:
            self._sums[name] += getattr(row, name)
        for name in SUMMED_WHERE_KNOWN:
            if (count := getattr(row, name)) is not None:
                self._known[name] += count
        if row.pool_smallest is not None:
            known = row.pool_smallest if self._smallest is None else self._smallest
            self._smallest = min(known, row.pool_smallest)
        if row.pool_median is not None:
            self._medians.append(row.pool_median)

    def totals(self) -> RunTotals:
        """The totals of all rows that have passed."""
        known: dict[str, Any] = {name: self._known.get(name) for name in SUMMED_WHERE_KNOWN}
        return RunTotals(
            documents=self._outcomes.total(),
            documents_translated=self._outcomes[Outcome.TRANSLATED],
            documents_partly=self._outcomes[Outcome.PARTLY],
            documents_unchanged=self._outcomes[Outcome.UNCHANGED],
            documents_failed=self._outcomes[Outcome.FAILED],
            sentences_distinct=len(self._distinct),
            pool_smallest=self._smallest,
            pool_median=median(self._medians) if self._medians else None,
            requests=self._requests["requests"],
            retries=self._requests["retries"],
            characters=self._requests["characters"],
            cost=self._cost,
            **{name: self._sums[name] for name in SUMMED},
            **known,
        )


class _Distinct:
    """How many different texts there are, by 64 bits of each: one in 30 million runs of a million
    sentences would count two as one.

    The bits wait in nameless files of ``folder``, apart by the lowest of them, so that no more than
    a share of them is ever in memory. They are those of Python's own hash, which is another one in
    each process: they say nothing to anybody.
    """

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        files = [TemporaryFile(dir=folder, buffering=_BUFFER) for _ in range(_SHARES)]  # noqa: SIM115 (closed with ``opened``)
        self._files = [opened.enter_context(file) for file in files]

    def add(self, texts: Sequence[str]) -> None:
        bits = np.fromiter(map(hash, texts), np.int64, len(texts))
        for share, file in enumerate(self._files):
            file.write(bits[bits % _SHARES == share].tobytes())

    def __len__(self) -> int:
        count = 0
        for file in self._files:
            file.seek(0)
            count += len(set(np.frombuffer(file.read(), np.int64).tolist()))
        return count
