"""Places of hidden words that several documents have alike: what formulas of an archive show.

The table ``contexts`` says in which documents a hidden word stands between the same tokens, under a
keyed number; the column of that name packs the numbers of a sentence, 8 bytes each.

Entry: ``Formulas.mark`` what was encoded, then ``withhold`` sentences of mostly such places.
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

_OF, _LINK = sentences.c, document_sentences.c
RECURRING = "recurring"
"""Why a sentence is withheld that is a formula."""
_HALF = 0.5
"""The share of the hidden words of a sentence that stand in known places, from which it is a
formula: of court cases 33 % of the sentences, of stories and news 1 %."""


@dataclass(frozen=True, slots=True)
class Formulas:
    """The contexts of hidden words, as keyed numbers, by document."""

    _database: Database
    _cipher: StoreCipher

    def mark(self, found: Mapping[str, Sequence[str]]) -> None:
        """Store the contexts of the hidden words of each sentence that was not sent, by its id."""
        numbers = {row_id: [*map(self._number, own)] for row_id, own in found.items()}
        self._database.update_each(
            sentences,
            UNSENT,
            [
                {"id": row_id, "contexts": struct.pack(f"<{len(own)}q", *own)}
                for row_id, own in numbers.items()
            ],
            "own",
        )
        for batch in split_ids(numbers):
            links = self._database.rows(
                select(_LINK.sentence, _LINK.document).where(_LINK.sentence.in_(batch))
            )
            rows = {(number, link.document) for link in links for number in numbers[link.sentence]}
            named = [{"context": number, "document": document} for number, document in sorted(rows)]
            with self._database.writing() as connection:
                insert_new(connection, contexts, named)

    def _number(self, context: str) -> int:
        return int(self._cipher.keyed_id("context", context.encode())[:16], 16) - 2**63

    def withhold(self, chunk: Chunk, least: int) -> int:
        """Withhold the formulas of ``chunk`` of which nothing was sent yet; give their number.

        Half of the hidden words of such a sentence, or more, stand in places that ``least``
        documents have alike.
        """
        theirs = select(_LINK.sentence).where(_LINK.document.in_(chunk))
        waiting = and_(_OF.status == SentenceStatus.ENCODED, _OF.draws == 0)
        marked = and_(_OF.id.in_(theirs), waiting, _OF.contexts.is_not(None))
        rows = self._database.rows(select(_OF.id, _OF.contexts).where(marked))
        numbers = {row.id: [n for (n,) in struct.iter_unpack("<q", row.contexts)] for row in rows}
        known = self._known({number for own in numbers.values() for number in own}, least)
        formulas = [
            row_id
            for row_id, own in numbers.items()
            if own and sum(number in known for number in own) >= _HALF * len(own)
        ]
        for batch in split_ids(formulas):
            with self._database.writing() as connection:
                connection.execute(
                    update(sentences)
                    .where(_OF.id.in_(batch), waiting)
                    .values(status=SentenceStatus.WITHHELD, reason=RECURRING)
                )
        return len(formulas)

    def release(self, run: str) -> None:
        """Have what was withheld of the documents that ``run`` has read encoded and judged anew, as
        its settings are now; what a model translated stays."""
        theirs = select(_LINK.sentence).join(documents, documents.c.id == _LINK.document)
        read = and_(documents.c.run == run, documents.c.status == DocumentStatus.READ)
        withheld = and_(_OF.status == SentenceStatus.WITHHELD, _OF.reason == RECURRING)
        with self._database.writing() as connection:
            connection.execute(
                update(sentences)
                .where(withheld, _OF.draws == 0, _OF.id.in_(theirs.where(read)))
                .values(status=SentenceStatus.NEW, reason="")
            )

    def _known(self, numbers: set[int], least: int) -> set[int]:
        """Those of ``numbers`` that ``least`` documents have, or more."""
        column, known = contexts.c.context, set[int]()
        for batch in split_ids(numbers):
            query = select(column).where(column.in_(batch)).group_by(column)
            several = query.having(func.count(contexts.c.document) >= least)
            known.update(row.context for row in self._database.rows(several))
        return known
