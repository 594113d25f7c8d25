"""Counts a run's totals while its rows stream past on their way to disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from statistics import median

from prism_core.report.rows import DocumentRow, Outcome, RequestRow, RunTotals, SentenceRow

_SUMMED = (
    "sentences",
    "sentences_withheld",
    "sentences_unrestored",
    "sentences_from_memory",
    "tokens",
    "tokens_replaced",
    "tokens_identifier",
    "tokens_unknown",
    "tokens_kept",
    "tokens_withheld",
    "words_to_restore",
    "words_restored",
    "words_fallback",
    "words_untranslated",
)
"""Columns of a document that are summed under the same name."""
_SUMMED_WHERE_KNOWN = ("identifiers_detected", "identifiers_replaced", "identifiers_remaining")
"""The same for columns that may be null: null only when no document has a value."""


class Tally:
    """Passes rows through and counts them."""

    def __init__(self) -> None:
        self._sums: Counter[str] = Counter()
        self._known: dict[str, int] = {}
        self._outcomes: Counter[str] = Counter()
        self._distinct: set[int] = set()
        self._smallest: list[int] = []
        self._medians: list[float] = []
        self._requests: Counter[str] = Counter()
        self._costs: list[float] = []

    def documents(self, rows: Iterable[DocumentRow]) -> Iterator[DocumentRow]:
        """Count documents and everything that is known per document."""
        for row in rows:
            self._outcomes[row.outcome] += 1
            self._sums.update({name: getattr(row, name) for name in _SUMMED})
            for name in _SUMMED_WHERE_KNOWN:
                if getattr(row, name) is not None:
                    self._known[name] = self._known.get(name, 0) + getattr(row, name)
            self._smallest += [] if row.pool_smallest is None else [row.pool_smallest]
            self._medians += [] if row.pool_median is None else [row.pool_median]
            yield row

    def sentences(self, rows: Iterable[SentenceRow]) -> Iterator[SentenceRow]:
        """Count different sentences."""
        for row in rows:
            self._distinct.add(hash(row.sentence_id))
            yield row

    def requests(self, rows: Iterable[RequestRow]) -> Iterator[RequestRow]:
        """Count requests, retries, characters and cost."""
        for row in rows:
            retries = max(row.attempts - 1, 0)
            self._requests.update(requests=1, retries=retries, characters=row.characters)
            self._costs += [] if row.cost is None else [row.cost]
            yield row

    def totals(self) -> RunTotals:
        """The totals of all rows that have passed."""
        return RunTotals(
            documents=self._outcomes.total(),
            documents_translated=self._outcomes[Outcome.TRANSLATED],
            documents_partly=self._outcomes[Outcome.PARTLY],
            documents_unchanged=self._outcomes[Outcome.UNCHANGED],
            documents_failed=self._outcomes[Outcome.FAILED],
            sentences_distinct=len(self._distinct),
            pool_smallest=min(self._smallest, default=None),
            pool_median=median(self._medians) if self._medians else None,
            requests=self._requests["requests"],
            retries=self._requests["retries"],
            characters=self._requests["characters"],
            cost=sum(self._costs) if self._costs else None,
            **{name: self._sums[name] for name in _SUMMED},
            identifiers_detected=self._known.get("identifiers_detected"),
            identifiers_replaced=self._known.get("identifiers_replaced"),
            identifiers_remaining=self._known.get("identifiers_remaining"),
        )
