"""Count the totals of a run while its rows pass on their way to disk.

Entry: ``TotalsCounter``; ``add`` -> ``totals``, which are ``RunTotals``.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile
from typing import Any, Final

import numpy as np

from prism_core.report.columns import ABSENT, Outcome, column, shared_column
from prism_core.report.notices import COPIED, PICTURE
from prism_core.report.rows import DocumentRow, RequestRow, Row, SentenceRow
from prism_core.report.run_rows import RunFacts

_SHARES = 64
_BUFFER = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTotals:
    """Totals over the rows of a run."""

    documents: int = column("Documents found.", unit="documents")
    documents_translated: int = column("Written with every sentence translated.", unit="documents")
    documents_partly: int = column(
        "Written, now or by an earlier run, with text in the source language.", unit="documents"
    )
    documents_unchanged: int = column(
        "Skipped as unchanged, and translated in full.", unit="documents"
    )
    documents_empty: int = column("Without text to translate.", unit="documents")
    documents_in_target: int = column(
        "In the target language already, copied as they are.", unit="documents"
    )
    documents_pictures: int = column("Of those without text, pictures.", unit="documents")
    documents_failed: int = column("Not translated.", unit="documents")
    documents_copied: int = column(
        "Of those that failed or are without text, copied as they are.", unit="documents"
    )
    documents_gone: int = column(
        "Besides those found: no longer in the input, their translations are kept.",
        unit="documents",
    )
    documents_renamed: int = column(
        "Besides those found: in the input under another name, their translations are kept.",
        unit="documents",
    )
    documents_pruned: int = column(
        "Besides those found: no longer in the input, their translations are destroyed.",
        unit="documents",
    )
    sentences: int = shared_column("sentences")
    sentences_distinct: int = column("Different sentences.", unit="sentences")
    sentences_withheld: int = shared_column("sentences_withheld")
    sentences_unrestored: int = shared_column("sentences_unrestored")
    sentences_from_memory: int = shared_column("sentences_from_memory")
    sentences_reviewed: int = shared_column("sentences_reviewed")
    sentences_by_local_model: int = shared_column("sentences_by_local_model")
    sentences_unsure: int = shared_column("sentences_unsure")
    sentences_to_look_at: int = shared_column("sentences_to_look_at")
    sentences_in_clear: int = shared_column("sentences_in_clear")
    gate_predicted: int = column(
        "Documents with a prediction that can be compared with the result.", unit="documents"
    )
    gate_too_hopeful: int = column(
        "Of these, fewer sentences were restored than predicted.", unit="documents"
    )
    gate_too_careful: int = column(
        "Of these, more sentences were restored than predicted.", unit="documents"
    )
    tokens: int = shared_column("tokens")
    tokens_replaced: int = shared_column("tokens_replaced")
    tokens_identifier: int = shared_column("tokens_identifier")
    tokens_unknown: int = shared_column("tokens_unknown")
    tokens_kept: int = shared_column("tokens_kept")
    kept_marks: int = shared_column("kept_marks")
    kept_grammar: int = shared_column("kept_grammar")
    kept_words: int = shared_column("kept_words")
    tokens_withheld: int = shared_column("tokens_withheld")
    identifiers_detected: int | None = shared_column("identifiers_detected")
    identifiers_replaced: int | None = shared_column("identifiers_replaced")
    identifiers_remaining: int | None = shared_column("identifiers_remaining")
    words_to_restore: int = shared_column("words_to_restore")
    words_restored: int = shared_column("words_restored")
    words_form: int = shared_column("words_form")
    words_order: int = shared_column("words_order")
    words_alignment: int = shared_column("words_alignment")
    words_near: int = shared_column("words_near")
    words_joined: int = shared_column("words_joined")
    words_pair: int = shared_column("words_pair")
    words_association: int = shared_column("words_association")
    words_elimination: int = shared_column("words_elimination")
    words_untranslated: int = shared_column("words_untranslated")
    pool_smallest: int | None = shared_column("pool_smallest")
    pool_median: float | None = column(
        "Median of the documents' medians.", unit="words", optional=True
    )
    requests: int = column("Requests recorded.", unit="requests")
    requests_refused: int = column("Of these, refused or failed.", unit="requests")
    retries: int = column("Requests with texts that had been sent before unchanged.", unit="sends")
    characters: int = column("Characters sent, including retries.", unit="characters")
    cost: float | None = column("Sum of the known costs.", unit="currency", optional=True)
    cost_unanswered: float | None = column(
        "The most that requests without an answer may cost beside it.",
        unit="currency",
        optional=True,
    )


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
        self._smallest: int | None = None
        self._medians = array("d")
        self._requests: Counter[str] = Counter()
        self._costs: dict[str, float] = defaultdict(float)

    def add(self, rows: Sequence[Row]) -> None:
        """Count ``rows``, all of one table."""
        for row in rows:
            if isinstance(row, DocumentRow):
                self._count_document(row)
            elif isinstance(row, RequestRow):
                retries = max(row.attempts - 1, 0)
                refused = int(row.outcome in ("rejected", "failed"))
                self._requests.update(
                    requests=1, refused=refused, retries=retries, characters=row.characters
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
            known = row.pool_smallest if self._smallest is None else self._smallest
            self._smallest = min(known, row.pool_smallest)
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
            pool_smallest=self._smallest,
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

    One in 30 million runs of a million sentences would count two texts as one. The bits wait in
    nameless files of ``folder``, partitioned by the lowest of them, so that only one part is ever
    in memory. They are the bits of Python's own hash, which differs in each process and reveals
    nothing.
    """

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        files = [TemporaryFile(dir=folder, buffering=_BUFFER) for _ in range(_SHARES)]  # noqa: SIM115 (closed with ``opened``)
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
