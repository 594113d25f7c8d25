"""Encodings beside the first: how many a run may have, and how many it had.

A translator is sent another encoding of what its answer lost. One that loses on purpose would have
one of every sentence: so they are counted here, where each is stored, whatever ends the process.

Entry: ``Redraws.grant``, in the place of ``Sentences.set_encoded``; ``Redraws.count``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, case, func, select, update

from prism_core.record import Encoded
from prism_core.state.database import Database, split_ids
from prism_core.state.schema import SentenceStatus, decoys, sentences
from prism_core.state.sealed_columns import SentenceColumns
from prism_core.state.sentences import UNSENT
from prism_core.state.stage_records import of_treatments

_LOST_ONCE = (
    *(SentenceStatus.NEW, SentenceStatus.ENCODED),
    *(SentenceStatus.WITHHELD, SentenceStatus.SALVAGED),
)
"""Where a sentence stands whose first answer lost a substitute, until the next one is sent."""


@dataclass(frozen=True, slots=True)
class Losses:
    """Of the sentences of a run that were ``answered``, decoys aside: those whose first answer
    ``lost`` a substitute, and the encodings beside the first that they were given (``further``)."""

    answered: int = 0
    lost: int = 0
    further: int = 0


@dataclass(frozen=True, slots=True)
class Redraws:
    """The encodings beside the first, in the table of sentences."""

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
        """Store further encodings of sentences that were sent, as many as ``run`` still may have.

        That is ``most`` of the number of sentences that were answered in it, those of documents
        under one of the treatments ``besides`` left out. What is over that is withheld for the
        reason ``spent``, and what may not be sent for its own: both with the encoding that was
        sent; or salvaged, where decoding kept what the weakest way found. It is counted and stored
        in one transaction, so that no two processes spend the same.
        """
        if not redrawn:
            return
        ids = [row_id for row_id, _ in redrawn]
        stored = select(func.count()).where(sentences.c.status == SentenceStatus.ENCODED)
        with self._database.writing() as connection:
            counted = _count(connection, run, besides)
            room = most(counted.answered) - counted.further
            for batch in split_ids(ids):  # what takes the place of one that was counted
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
        """What was lost in ``run``, and what was sent again for it.

        Documents under one of the treatments ``besides`` are left out.
        """
        with self._database.reading() as connection:
            return _count(connection, run, besides)


def _count(connection: Connection, run: str, besides: Sequence[str] = ()) -> Losses:
    """From an index alone, but for the decoys and what is left out."""
    of_run = (
        select(sentences.c.status, sentences.c.draws, func.count())
        .where(sentences.c.run == run, sentences.c.draws > 0)
        .group_by(sentences.c.status, sentences.c.draws)
    )
    if besides:
        of_run = of_run.where(sentences.c.id.not_in(of_treatments(besides)))
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
    return Losses(answered, lost, further)
