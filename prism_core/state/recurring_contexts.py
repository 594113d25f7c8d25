"""Contexts of hidden words that several documents share, which show formulas of an archive.

The table ``contexts`` holds, under a keyed number, the documents in which a hidden word stands
between the same tokens; the column of that name packs the numbers of a sentence, 8 bytes each.

Entry: ``Formulas.mark`` after encoding, then ``withhold`` sentences with mostly shared contexts.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import and_, func, select, update

from prism_core.cipher import StoreCipher
from prism_core.state.database import Database, insert_new, split_ids
from prism_core.state.schema import (
    DocumentStatus,
    SentenceStatus,
    contexts,
    document_sentences,
    documents,
    sentences,
)
from prism_core.state.sentences import UNSENT
from prism_core.state.stage_records import Chunk

_ROW, _LINK = sentences.c, document_sentences.c
RECURRING = "recurring"
"""Reason for withholding a sentence that is a formula."""
_FORMULA_SHARE = 0.5
"""Share of a sentence's hidden words in shared contexts from which it is a formula: of court cases
33 % of the sentences, of stories and news 1 %."""


@dataclass(frozen=True, slots=True)
class Formulas:
    """Contexts of hidden words, as keyed numbers, by document."""

    _database: Database
    _cipher: StoreCipher

    def mark(self, found: Mapping[str, Sequence[str]]) -> None:
        """Store the contexts of the hidden words of each sentence that was not sent, by its id."""
        keyed = self._cipher.keyed_id
        numbers = {
            row_id: [int(keyed("context", c.encode())[:16], 16) - 2**63 for c in row_contexts]
            for row_id, row_contexts in found.items()
        }
        packed = [{"id": n, "contexts": struct.pack(f"<{len(c)}q", *c)} for n, c in numbers.items()]
        self._database.update_each(sentences, UNSENT, packed, "own")
        for batch in split_ids(numbers):
            links = self._database.rows(
                select(_LINK.sentence, _LINK.document).where(_LINK.sentence.in_(batch))
            )
            rows = {(number, link.document) for link in links for number in numbers[link.sentence]}
            named = [{"context": number, "document": document} for number, document in sorted(rows)]
            with self._database.writing() as connection:
                insert_new(connection, contexts, named)

    def withhold(self, chunk: Chunk, least: int) -> int:
        """Withhold the formulas of ``chunk`` of which nothing was sent yet; return their number.

        At least half of the hidden words of a formula stand in contexts that ``least`` documents
        share.
        """
        linked = select(_LINK.sentence).where(_LINK.document.in_(chunk))
        waiting = and_(_ROW.status == SentenceStatus.ENCODED, _ROW.draws == 0)
        marked = and_(_ROW.id.in_(linked), waiting, _ROW.contexts.is_not(None))
        rows = self._database.rows(select(_ROW.id, _ROW.contexts).where(marked))
        numbers = {row.id: [n for (n,) in struct.iter_unpack("<q", row.contexts)] for row in rows}
        every = {number for row_contexts in numbers.values() for number in row_contexts}
        column = contexts.c.context
        several = func.count(contexts.c.document) >= least
        query = select(column).group_by(column).having(several)
        shared = {row.context for row in self._database.rows_of(query, column, every)}
        formulas = [
            row_id
            for row_id, row_contexts in numbers.items()
            if row_contexts
            and sum(number in shared for number in row_contexts)
            >= _FORMULA_SHARE * len(row_contexts)
        ]
        for batch in split_ids(formulas):
            change = update(sentences).where(_ROW.id.in_(batch), waiting)
            change = change.values(status=SentenceStatus.WITHHELD, reason=RECURRING)
            self._database.execute(change)
        return len(formulas)

    def release(self, run: str) -> None:
        """Have formulas withheld in the documents read by ``run`` encoded and judged anew.

        The settings of the run may differ. Sentences that a model translated stay.
        """
        linked = select(_LINK.sentence).join(documents, documents.c.id == _LINK.document)
        read = and_(documents.c.run == run, documents.c.status == DocumentStatus.READ)
        withheld = and_(_ROW.status == SentenceStatus.WITHHELD, _ROW.reason == RECURRING)
        change = update(sentences).where(withheld, _ROW.draws == 0, _ROW.id.in_(linked.where(read)))
        self._database.execute(change.values(status=SentenceStatus.NEW, reason=""))
