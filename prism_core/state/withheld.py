"""Sentences that are not sent, and their translations by a model on this machine.

Entry: ``WithheldSentences``; ``read`` -> ``settle``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import and_, or_, true

from prism_core.record import UNREAD
from prism_core.state.database import Database
from prism_core.state.schema import LOCAL_BETTER, SentenceStatus, default_values, sentences
from prism_core.state.sealed_columns import SentenceColumns
from prism_core.state.stage_records import WHOLE, Chunk, Part, Withheld, read_in_batches

_ROW = sentences.c
_IS_BETTER_HERE = and_(_ROW.status == SentenceStatus.DONE, _ROW.reason == LOCAL_BETTER)
_FOR_MODEL = or_(
    and_(_ROW.status == SentenceStatus.WITHHELD, _ROW.reason != UNREAD),
    _ROW.status == SentenceStatus.REFUSED,
    _IS_BETTER_HERE,
)
_TRANSLATED_LOCALLY = default_values(sentences, "alignment", "untranslated") | {
    "status": SentenceStatus.LOCAL
}


@dataclass(frozen=True, slots=True)
class WithheldSentences:
    """Table of sentences, as far as these are not sent."""

    _database: Database
    _columns: SentenceColumns

    def read(self, chunk: Chunk, part: Part = WHOLE, source: str = "") -> Iterator[list[Withheld]]:
        """Yield the sentences that may not be sent and lack a translation, or have a worse one.

        They are those of a ``part`` of ``chunk``, a batch at a time; with a ``source`` those in
        that language.
        """
        wanted = and_(part.holds(_ROW.id), _ROW.source == source if source else true(), _FOR_MODEL)
        for rows in read_in_batches(
            self._database, chunk, wanted, (_ROW.id, _ROW.annotated, _ROW.reason)
        ):
            yield [
                Withheld(row.id, self._columns.sentence(row), row.reason.partition(":")[0])
                for row in rows
            ]

    def settle(self, translated: Sequence[tuple[Withheld, str, Collection[str]]]) -> None:
        """Store a local model's translations of these sentences, each with its faults.

        The reason is kept, and the faults are written after it.
        """
        self._database.update_each(
            sentences,
            _FOR_MODEL,
            [
                _TRANSLATED_LOCALLY
                | {
                    "id": held.id,
                    "decoded": self._columns.seal("decoded", held.id, text),
                    "reason": ": ".join(filter(None, (held.reason, ", ".join(sorted(faults))))),
                    "unsure": int(bool(faults)),
                }
                for held, text, faults in translated
            ],
            "own",
        )
