"""Decoys: public sentences that are sent with those of an archive, each of them once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select, update

from prism_core.language import Sentence
from prism_core.record import Encoded
from prism_core.state.database import Database, insert_new
from prism_core.state.schema import SentenceStatus, decoys, document_sentences, sentences
from prism_core.state.sealed_columns import SentenceColumns, pack
from prism_core.state.stage_records import WHOLE, Chunk, Part

_WAITING = (SentenceStatus.ENCODED, SentenceStatus.SENT)


@dataclass(frozen=True, slots=True)
class Decoy:
    """Public sentence and its encoding, to be sent with those of ``document``."""

    id: str
    document: str
    sentence: Sentence
    encoded: Encoded


@dataclass(frozen=True, slots=True)
class Decoys:
    """Table of decoys, and the rows of sentences that are not the archive's own."""

    _database: Database
    _columns: SentenceColumns

    def id_of(self, text: str) -> str:
        """Return the keyed id of a line of the decoy list."""
        return self._columns.cipher.keyed_id("decoy", text.encode("utf-8", "surrogatepass"))

    def find_used(self, ids: Sequence[str]) -> AbstractSet[str]:
        """Return those of a few hundred ``ids`` that were used before, in this run or another."""
        query = select(decoys.c.id).where(decoys.c.id.in_(ids))
        return set(self._database.scalars(query))

    def add(self, run: str, new: Iterable[Decoy], checks: str) -> AbstractSet[str]:
        """Store a few hundred decoys, to be sent with their documents; return the stored ids.

        A decoy that was taken meanwhile is left out. ``checks`` names what their leak check knew.
        """
        wanted = {decoy.id: decoy for decoy in new}
        with self._database.writing() as connection:
            known = select(decoys.c.id).where(decoys.c.id.in_(list(wanted)))
            for taken in connection.execute(known).scalars():
                del wanted[taken]
            insert_new(
                connection,
                decoys,
                [{"id": decoy.id, "document": decoy.document} for decoy in wanted.values()],
            )
            rows = [
                {
                    "id": decoy.id,
                    "run": run,
                    "status": SentenceStatus.ENCODED,
                    "annotated": self._columns.seal("annotated", decoy.id, pack(decoy.sentence)),
                    "encoded": self._columns.seal("encoded", decoy.id, pack(decoy.encoded)),
                    "characters": len(decoy.encoded.text),
                    "checked_with": checks,
                }
                for decoy in wanted.values()
            ]
            insert_new(connection, sentences, rows)
        return wanted.keys()

    def missing(self, chunk: Chunk, rate: float, part: Part = WHOLE) -> dict[str, float]:
        """Return how many decoys each document of ``chunk`` lacks.

        ``rate`` is the number of decoys for each sentence that waits to be sent; both are counted
        in a ``part``. Documents that lack none are left out.
        """
        links = document_sentences.c
        real = self._count_waiting(links.document, links.sentence, chunk, part)
        decoy = self._count_waiting(decoys.c.document, decoys.c.id, chunk, part)
        lacking = {document: rate * n - decoy.get(document, 0) for document, n in real.items()}
        return {document: number for document, number in lacking.items() if number > 0}

    def settle(self, chunk: Chunk, part: Part = WHOLE) -> None:
        """Delete the answers to the decoys of a ``part`` of ``chunk``."""
        chunk_decoys = select(decoys.c.id).where(
            decoys.c.document.in_(chunk), part.holds(decoys.c.id)
        )
        answered = sentences.c.status == SentenceStatus.ANSWERED
        self._database.execute(
            update(sentences)
            .where(sentences.c.id.in_(chunk_decoys), answered)
            .values(status=SentenceStatus.DONE, answer=None),
            "own",
        )

    def count(self, run: str) -> int:
        """Count the decoys that ``run`` made."""
        query = select(func.count()).where(sentences.c.id == decoys.c.id, sentences.c.run == run)
        return self._database.scalar(query)

    def _count_waiting(
        self, document: ColumnElement[str], sentence: ColumnElement[str], chunk: Chunk, part: Part
    ) -> dict[str, int]:
        query = (
            select(document, func.count())
            .where(document.in_(chunk), sentences.c.id == sentence)
            .where(sentences.c.status.in_(_WAITING), part.holds(sentences.c.id))
            .group_by(document)
        )
        return {row[0]: row[1] for row in self._database.rows(query)}
