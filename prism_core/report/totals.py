"""The totals of a run, and what counts them while its rows pass on their way to disk.

Entry: ``TotalsCounter``; ``add`` -> ``totals``, which are ``RunTotals``.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile
from typing import Any, Final

import numpy as np

from prism_core.report.columns import ABSENT, Outcome, column, found_by
from prism_core.report.notices import COPIED, PICTURE
from prism_core.report.rows import DocumentRow, RequestRow, Row, SentenceRow
from prism_core.report.run_rows import RunFacts

_SHARES = 64
_BUFFER = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTotals:
    """What is counted over the rows of a run."""

    documents: int = column("Documents found.", unit="documents")
    documents_translated: int = column("Written with every sentence translated.", unit="documents")
    documents_partly: int = column("Written with sentences left as they were.", unit="documents")
    documents_unchanged: int = column("Skipped as unchanged.", unit="documents")
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
        "Beside those found: no longer in the input, what was made of them stays.",
        unit="documents",
    )
    documents_renamed: int = column(
        "Beside those found: in the input under another name, what was made of them stays.",
        unit="documents",
    )
    documents_pruned: int = column(
        "Beside those found: no longer in the input, what was made of them destroyed.",
        unit="documents",
    )
    sentences: int = column("Sentences, repeats included.", unit="sentences")
    sentences_distinct: int = column("Different sentences.", unit="sentences")
    sentences_withheld: int = column("Not sent.", unit="sentences")
    sentences_unrestored: int = column("Sent, left in the source language.", unit="sentences")
    sentences_from_memory: int = column("Translated from a memory.", unit="sentences")
    sentences_reviewed: int = column("Given or confirmed by a person.", unit="sentences")
    sentences_by_local_model: int = column(
        "Translated by the model on this machine, since nothing of them may be sent, or no more.",
        unit="sentences",
    )
    sentences_unsure: int = column("Translated, to be looked at.", unit="sentences")
    sentences_in_clear: int = column("Sent with nothing replaced.", unit="sentences")
    gate_predicted: int = column(
        "Of which the gate's prediction can be held against what came back.", unit="documents"
    )
    gate_too_hopeful: int = column(
        "Of these, fewer sentences came back than predicted.", unit="documents"
    )
    gate_too_careful: int = column("Of these, more came back.", unit="documents")
    tokens: int = column("Tokens, repeats included.", unit="tokens")
    tokens_replaced: int = column("Sent as a substitute.", unit="tokens")
    tokens_identifier: int = column("Sent as a surrogate.", unit="tokens")
    tokens_unknown: int = column("Outside the dictionary, sent replaced.", unit="tokens")
    tokens_kept: int = column("Sent in clear.", unit="tokens")
    kept_marks: int = column("Of these, punctuation and other signs.", unit="tokens")
    kept_grammar: int = column("Of these, function words (*the, of, not*).", unit="tokens")
    kept_words: int = column("Of these, all others: words that carry meaning.", unit="tokens")
    tokens_withheld: int = column("Not sent.", unit="tokens")
    identifiers_detected: int | None = column(
        "Identifiers recognised, over the documents that counted them.",
        unit="identifiers",
        optional=True,
    )
    identifiers_replaced: int | None = column(
        "The same, sent as a surrogate.", unit="identifiers", optional=True
    )
    identifiers_remaining: int | None = column(
        "The same, found in what was sent by an independent check.",
        unit="identifiers",
        optional=True,
    )
    words_to_restore: int = column("Substitutes and surrogates to undo.", unit="words")
    words_restored: int = column("Of these, restored.", unit="words")
    words_form: int = found_by("form")
    words_alignment: int = found_by("alignment")
    words_near: int = found_by("near")
    words_joined: int = found_by("joined")
    words_pair: int = found_by("pair")
    words_association: int = found_by("association")
    words_elimination: int = found_by("elimination")
    words_untranslated: int = column("Source words left in the output.", unit="words")
    pool_smallest: int | None = column("Smallest pool drawn from.", unit="words", optional=True)
    pool_median: float | None = column(
        "Median of the documents' medians.", unit="words", optional=True
    )
    requests: int = column("Requests recorded.", unit="requests")
    requests_refused: int = column("Of these, refused or failed.", unit="requests")
    retries: int = column(
        "Requests with texts that had been sent before as they are.", unit="sends"
    )
    characters: int = column("Characters sent, in retries too.", unit="characters")
    cost: float | None = column("Sum of the known costs.", unit="currency", optional=True)


def _shared_columns(annotation: str) -> tuple[str, ...]:
    """The columns of that type that a run has under the same name as its documents."""
    of_documents = {(column.name, column.type) for column in fields(DocumentRow)}
    shared = (c for c in fields(RunTotals) if (c.name, c.type) in of_documents)
    return tuple(c.name for c in shared if c.type == annotation)


SUMMED: Final = _shared_columns("int")
"""Columns of a document that a run sums under the same name."""

SUMMED_WHERE_KNOWN: Final = tuple(n for n in _shared_columns("int | None") if n != "pool_smallest")
"""The same for columns that may be null: null only when no document has a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """A run: its facts, its totals, and the hashes that hold it together."""

    facts: RunFacts
    totals: RunTotals
    chain_heads: tuple[tuple[str, str], ...]
    """``(table, hash)``, the run itself last: note that one elsewhere, and neither a row of this
    run nor any run before it can be changed unnoticed."""


class TotalsCounter:
    """Counts rows; no more than 8 bytes a document stay in memory.

    ``folder`` takes files that have no name and end with ``opened``.
    """

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        self._sums: Counter[str] = Counter()
        self._known: Counter[str] = Counter()
        self._outcomes: Counter[str] = Counter()
        self._notices: Counter[str] = Counter()
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
                refused = int(row.outcome in ("rejected", "failed"))
                self._requests.update(
                    requests=1, refused=refused, retries=retries, characters=row.characters
                )
                if row.cost is not None:
                    self._cost = (self._cost or 0.0) + row.cost
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
        """The totals of all rows that have passed."""
        known: dict[str, Any] = {name: self._known.get(name) for name in SUMMED_WHERE_KNOWN}
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
