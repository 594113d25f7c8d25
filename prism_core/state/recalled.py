"""Sentences that the user's own translation memory settles, and what a memory can be made of.

A sentence so settled is ``recalled``. It follows the memory: when that
changes, its translation does too, or it goes back to where it was.

Entry: ``Recalled``; ``candidates`` -> ``settle`` or ``release``; ``finished_sentences`` to export.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, or_, select, true

from prism_core.alignment import Translation
from prism_core.state.database import ROWS_OF_A_STATEMENT, AnyRow, Database, split_ids
from prism_core.state.schema import (
    PENDING,
    TRANSLATED,
    DocumentStatus,
    SentenceStatus,
    blank,
    document_sentences,
    documents,
    sentences,
)
from prism_core.state.sealed_columns import SentenceColumns
from prism_core.state.stage_records import of_treatments

_FROM_MEMORY = sentences.c.status == SentenceStatus.RECALLED
_REVIEWED = sentences.c.status == SentenceStatus.REVIEWED
_UNANSWERED = (
    SentenceStatus.NEW,
    SentenceStatus.ENCODED,
    SentenceStatus.SENT,
    SentenceStatus.WITHHELD,
    SentenceStatus.FAILED,
    SentenceStatus.REFUSED,
)
_OF_AN_ANSWER = (
    *("reason", "answer", "alignment", "earlier"),
    *("to_restore", "restored", "ways", "unsure", "untranslated"),
)
_READ = [
    sentences.c[name] for name in ("id", "status", "source", "annotated", "decoded", "untranslated")
]
_READ_ALIGNED = [*_READ, sentences.c.alignment]
_WRITTEN = (DocumentStatus.WRITTEN, DocumentStatus.UNCHANGED)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence to look up; ``settled`` when an earlier memory held it."""

    id: str
    text: str
    settled: bool


@dataclass(frozen=True, slots=True)
class Finished:
    """A sentence and its translation; ``untranslated`` counts source words left in it.

    ``language`` is that of ``source``.
    """

    source: str
    translation: str
    untranslated: int
    language: str


@dataclass(frozen=True, slots=True)
class Recalled:
    """The table of sentences, as far as translation memories go."""

    _database: Database
    _columns: SentenceColumns

    def candidates(
        self, run: str, *, all_unanswered: bool, bounded: Sequence[str] = ()
    ) -> Iterator[list[Candidate]]:
        """The sentences of ``run`` that a memory settled before, a batch at a time.

        ``all_unanswered``: also every one without a translation, unless an answer waits to be
        decoded; of documents under one of the treatments ``bounded`` only those that a draw
        withheld. Batches may be settled or released while the next is asked for.
        """
        unanswered: ColumnElement[bool] = sentences.c.status.in_(_UNANSWERED)
        if bounded:
            withheld = and_(sentences.c.status == SentenceStatus.WITHHELD, sentences.c.draws == 0)
            free = sentences.c.id.not_in(of_treatments(bounded))
            unanswered = and_(unanswered, or_(free, withheld))
        wanted = or_(_FROM_MEMORY, unanswered) if all_unanswered else _FROM_MEMORY
        for rows in self._pages(and_(sentences.c.run == run, wanted)):
            yield [
                Candidate(row.id, self._columns.text(row), row.status == SentenceStatus.RECALLED)
                for row in rows
            ]

    def texts(self, run: str, bounded: Sequence[str] = ()) -> Iterator[list[tuple[str, str]]]:
        """Id and text of every sentence of ``run``, a batch at a time.

        Of documents under one of the treatments ``bounded`` only those of which nothing waits to be
        sent or decoded.
        """
        wanted: ColumnElement[bool] = sentences.c.run == run
        if bounded:
            settled = sentences.c.status.not_in(PENDING)
            wanted = and_(wanted, or_(settled, sentences.c.id.not_in(of_treatments(bounded))))
        for rows in self._pages(wanted):
            yield [(row.id, self._columns.text(row)) for row in rows]

    def fetch(self, ids: Iterable[str]) -> dict[str, tuple[str, Translation]]:
        """Text and translation, empty where there is none, of those of ``ids`` that are known."""
        found = {}
        for batch in split_ids(ids):
            for row in self._database.rows(select(*_READ_ALIGNED).where(sentences.c.id.in_(batch))):
                is_translated = row.status in TRANSLATED
                translation = self._columns.translation(row) if is_translated else Translation("")
                found[row.id] = (self._columns.text(row), translation)
        return found

    def settle(
        self,
        translations: Mapping[str, Translation],
        status: SentenceStatus = SentenceStatus.RECALLED,
    ) -> None:
        """Store the memory's translation of each sentence, by id; nothing more of it is sent.

        With the ``status`` *reviewed* it is a person's.
        """
        settled = blank(sentences, *_OF_AN_ANSWER) | {"status": status}
        for batch in split_ids(translations):
            self._database.update_each(
                sentences,
                true(),
                [
                    settled
                    | {
                        "id": row_id,
                        "decoded": self._columns.seal("decoded", row_id, said.text),
                        "alignment": self._columns.seal_alignment(row_id, said.matches),
                    }
                    for row_id, said in ((row_id, translations[row_id]) for row_id in batch)
                ],
            )

    def release(self, ids: Iterable[str]) -> None:
        """Put sentences that no memory holds any more back to where they were.

        What was encoded keeps its encoding: what was sent is sent again as it was, and what was
        withheld stays so, since under some mechanisms a second draw would tell more.
        """
        for batch in split_ids(ids):
            query = select(sentences.c.id, sentences.c.encoded, sentences.c.draws)
            released = []
            for row in self._database.rows(query.where(sentences.c.id.in_(batch))):
                withheld, status = "", SentenceStatus.NEW
                if row.encoded is not None:
                    withheld = self._columns.encoding(row).withheld[:200]
                    status = SentenceStatus.SENT if row.draws else SentenceStatus.ENCODED
                status = SentenceStatus.WITHHELD if withheld else status
                was = {"id": row.id, "status": status, "reason": withheld, "decoded": None}
                released.append(was)
            self._database.update_each(sentences, true(), released)

    def finished_sentences(self, run: str) -> Iterator[Finished]:
        """The translated sentences of the documents that ``run`` wrote or found unchanged.

        Once each, in the order of their keyed ids, which has no meaning. What was copied since it
        needed no translator is left out, what a model on this machine made of what was withheld,
        and what was not restored (the mechanism ``no-decode``).
        """
        linked = (
            select(document_sentences.c.sentence)
            .join(documents, documents.c.id == document_sentences.c.document)
            .where(documents.c.run == run, documents.c.status.in_(_WRITTEN))
        )
        translated = or_(sentences.c.encoded.is_not(None), _FROM_MEMORY, _REVIEWED)
        wanted = and_(
            sentences.c.status.in_(TRANSLATED),
            sentences.c.status != SentenceStatus.LOCAL,
            translated,
            sentences.c.restored >= sentences.c.to_restore,
            sentences.c.id.in_(linked),
        )
        for rows in self._pages(wanted):
            for row in rows:
                source = self._columns.text(row)
                yield Finished(source, self._columns.decoded(row), row.untranslated, row.source)

    def _pages(self, wanted: ColumnElement[bool]) -> Iterator[list[AnyRow]]:
        """Rows in the order of their ids, each page read when it is asked for."""
        last = ""
        while True:
            query = select(*_READ).where(wanted, sentences.c.id > last).order_by(sentences.c.id)
            rows = self._database.rows(query.limit(ROWS_OF_A_STATEMENT))
            if not rows:
                return
            yield rows
            last = rows[-1].id
