"""Sends beside the first encoding of each sentence: redraws of lost sentences, and decoys.

A translator is sent another encoding of a sentence whose answer lost a substitute. A translator
that loses them on purpose would get one of every sentence: so they are counted here, where each is
stored, whatever ends the process. Decoys are public sentences that are sent with those of an
archive, each of them once.

Entry: ``Redraws.grant``, in place of ``Sentences.set_encoded``; ``Redraws.count``; ``Decoys.add``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, case, func, select, update

from prism_core.language import Sentence
from prism_core.record import Encoded
from prism_core.state.database import Database, insert_new, split_ids
from prism_core.state.schema import (
    LOCAL_BETTER,
    SentenceStatus,
    decoys,
    document_sentences,
    sentences,
)
from prism_core.state.sealed_columns import SentenceColumns, pack
from prism_core.state.sentences import UNSENT
from prism_core.state.stage_records import WHOLE, Chunk, Part, select_by_treatment

_WAITING = (SentenceStatus.ENCODED, SentenceStatus.SENT)
_LOST_ONCE = (
    *(SentenceStatus.NEW, SentenceStatus.ENCODED),
    *(SentenceStatus.WITHHELD, SentenceStatus.SALVAGED),
)
"""Statuses of a sentence whose first answer lost a substitute, until the next one is sent."""


@dataclass(frozen=True, slots=True)
class Losses:
    """Losses among the ``answered`` sentences of a run, decoys aside.

    ``lost`` counts those whose first answer lost a substitute, ``further`` the encodings beside the
    first that they were given.
    """

    answered: int = 0
    lost: int = 0
    further: int = 0


@dataclass(frozen=True, slots=True)
class Redraws:
    """Further encodings, in the table of sentences."""

    _database: Database
    _columns: SentenceColumns

    def grant(
        self,
        run: str,
        redrawn: Sequence[tuple[str, Encoded]],
        checks: str,
        most: Callable[[int], int],
        spent: str,
        besides: Sequence[str] = (),
    ) -> None:
        """Store further encodings of sentences that were sent, up to the limit of ``run``.

        The limit is ``most`` of the number of sentences answered in it, without those of documents
        under one of the treatments ``besides``. An encoding over the limit is withheld for the
        reason ``spent``, and one that may not be sent for its own reason: both with the encoding
        that was sent. Where decoding kept what the weakest method found, the sentence is salvaged
        instead. Counting and storing are one transaction, so that no two processes spend the same.
        """
        if not redrawn:
            return
        ids = [row_id for row_id, _ in redrawn]
        stored = select(func.count()).where(sentences.c.status == SentenceStatus.ENCODED)
        with self._database.writing() as connection:
            counted = _count(connection, run, besides)
            room = most(counted.answered) - counted.further
            for batch in split_ids(ids):  # encodings that replace one already counted
                room += connection.execute(stored.where(sentences.c.id.in_(batch))).scalar_one()
            for row_id, made in redrawn:
                is_left = sentences.c.decoded.is_(None)
                values: dict[str, object] = {
                    "status": case(
                        (is_left, SentenceStatus.WITHHELD), else_=SentenceStatus.SALVAGED
                    ),
                    "reason": case((is_left, (made.withheld or spent)[:200]), else_=""),
                    "earlier": None,
                }
                if not made.withheld and room > 0:
                    room -= 1
                    values = self._columns.encoding_values(row_id, made, checks)
                connection.execute(
                    update(sentences).where(sentences.c.id == row_id, UNSENT).values(values)
                )

    def count(self, run: str, besides: Sequence[str] = ()) -> Losses:
        """Count the losses in ``run``, and the encodings that were sent again for them.

        Documents under one of the treatments ``besides`` are left out.
        """
        with self._database.reading() as connection:
            return _count(connection, run, besides)


def _count(connection: Connection, run: str, besides: Sequence[str] = ()) -> Losses:
    """Count losses from an index alone, except for decoys and excluded documents.

    A sentence that was restored counts as such also if another translation of it is written: what
    is sent must not depend on that choice.
    """
    of_run = (
        select(sentences.c.status, sentences.c.draws, func.count())
        .where(sentences.c.run == run, sentences.c.draws > 0)
        .group_by(sentences.c.status, sentences.c.draws)
    )
    if besides:
        of_run = of_run.where(sentences.c.id.not_in(select_by_treatment(besides)))
    rows: Counter[tuple[str, int]] = Counter()
    for status, draws, count in connection.execute(of_run):
        rows[status, draws] += count
    for status, draws, count in connection.execute(
        of_run.where(sentences.c.id.in_(select(decoys.c.id)))
    ):
        rows[status, draws] -= count
    lost = further = answered = 0
    for (status, draws), count in rows.items():
        was_lost = draws > 1 or status in _LOST_ONCE
        lost += was_lost * count
        answered += (was_lost or status == SentenceStatus.DONE) * count
        further += (draws - 1 + (status == SentenceStatus.ENCODED)) * count
    chosen = of_run.where(
        sentences.c.status == SentenceStatus.LOCAL,
        sentences.c.draws == 1,
        sentences.c.reason.startswith(LOCAL_BETTER),
    )
    answered += sum(count for *_, count in connection.execute(chosen))
    return Losses(answered, lost, further)


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
