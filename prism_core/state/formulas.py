"""Sentences that look alike to a translator but for what is hidden in them, counted by documents.

Entry: ``Formulas.mark`` what was encoded, then ``withhold`` what stands in several documents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import and_, distinct, func, select, update

from prism_core.cipher import Cipher
from prism_core.state.database import Database, split_ids
from prism_core.state.exchange import Chunk
from prism_core.state.schema import SentenceStatus, document_sentences, sentences

_OF, _LINK = sentences.c, document_sentences.c


@dataclass(frozen=True, slots=True)
class Formulas:
    """The skeletons of sentences: keyed, so that none can be read in the store."""

    _database: Database
    _cipher: Cipher

    def mark(self, skeletons: Mapping[str, str]) -> None:
        """Store the skeleton of each sentence, by its id."""
        keyed = self._cipher.keyed_id
        self._database.update_each(
            sentences,
            _OF.status == SentenceStatus.ENCODED,
            [
                {"id": row_id, "skeleton": keyed("skeleton", skeleton.encode())}
                for row_id, skeleton in skeletons.items()
            ],
            "own",
        )

    def withhold(self, chunk: Chunk, least: int, reason: str) -> int:
        """Withhold what was not sent yet of ``chunk`` and stands in ``least`` documents or more.

        Gives the number of sentences.
        """
        theirs = select(_LINK.sentence).where(_LINK.document.in_(chunk))
        waiting = and_(_OF.id.in_(theirs), _OF.status == SentenceStatus.ENCODED, _OF.draws == 0)
        rows = self._database.rows(select(distinct(_OF.skeleton)).where(waiting))
        withheld = 0
        for batch in split_ids(row[0] for row in rows if row[0]):
            several = (
                select(_OF.skeleton)
                .join(document_sentences, _LINK.sentence == _OF.id)
                .where(_OF.skeleton.in_(batch))
                .group_by(_OF.skeleton)
                .having(func.count(distinct(_LINK.document)) >= least)
            )
            with self._database.writing() as connection:
                found = connection.execute(
                    update(sentences)
                    .where(waiting, _OF.skeleton.in_(several))
                    .values(status=SentenceStatus.WITHHELD, reason=reason)
                )
                withheld += found.rowcount
        return withheld
