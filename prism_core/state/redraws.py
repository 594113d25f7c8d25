"""Redraws: further encodings of a sentence, the number a run may have and had.

A translator is sent another encoding of a sentence whose answer lost a substitute. A translator
that loses them on purpose would get one of every sentence: so they are counted here, where each is
stored, whatever ends the process.

Entry: ``Redraws.grant``, in place of ``Sentences.set_encoded``; ``Redraws.count``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, case, func, select, update

from prism_core.record import Encoded
from prism_core.state.database import Database, split_ids
from prism_core.state.schema import LOCAL_BETTER, SentenceStatus, decoys, sentences
from prism_core.state.sealed_columns import SentenceColumns
from prism_core.state.sentences import UNSENT
from prism_core.state.stage_records import select_by_treatment

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
