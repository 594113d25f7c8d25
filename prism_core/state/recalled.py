"""Sentences that the user's own translation memory settles, and the export of a memory.

The status of such a sentence is ``recalled``. It follows the memory: when that changes, its
translation does too, or it returns to its earlier status.

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
    default_values,
    document_sentences,
    documents,
    sentences,
)
from prism_core.state.sealed_columns import SentenceColumns
from prism_core.state.stage_records import select_by_treatment

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
    """Sentence to look up; ``settled`` when an earlier memory held it."""

    id: str
    text: str
    settled: bool


@dataclass(frozen=True, slots=True)
class Finished:
    """Sentence and its translation; ``untranslated`` counts source words left in it.

    ``language`` is that of ``source``.
    """

    source: str
    translation: str
    untranslated: int
    language: str


@dataclass(frozen=True, slots=True)
class Recalled:
    """Table of sentences, as far as translation memories go."""

    _database: Database
    _columns: SentenceColumns

    def candidates(
        self, run: str, *, all_unanswered: bool, bounded: Sequence[str] = ()
    ) -> Iterator[list[Candidate]]:
        """Yield the sentences of ``run`` that a memory settled before, a batch at a time.

        ``all_unanswered`` adds every sentence without a translation, unless an answer waits to be
        decoded; of documents under one of the treatments ``bounded`` only those that a draw
        withheld. Batches may be settled or released while the next is read.
        """
        unanswered: ColumnElement[bool] = sentences.c.status.in_(_UNANSWERED)
        if bounded:
            withheld = and_(sentences.c.status == SentenceStatus.WITHHELD, sentences.c.draws == 0)
            free = sentences.c.id.not_in(select_by_treatment(bounded))
            unanswered = and_(unanswered, or_(free, withheld))
        wanted = or_(_FROM_MEMORY, unanswered) if all_unanswered else _FROM_MEMORY
        for rows in self._read_pages(and_(sentences.c.run == run, wanted)):
            yield [
                Candidate(row.id, self._columns.text(row), row.status == SentenceStatus.RECALLED)
                for row in rows
            ]

    def texts(self, run: str, bounded: Sequence[str] = ()) -> Iterator[list[tuple[str, str]]]:
        """Yield id and text of every sentence of ``run``, a batch at a time.

        Of documents under one of the treatments ``bounded`` only those of which nothing waits to be
        sent or decoded.
        """
        wanted: ColumnElement[bool] = sentences.c.run == run
        if bounded:
            settled = sentences.c.status.not_in(PENDING)
            wanted = and_(wanted, or_(settled, sentences.c.id.not_in(select_by_treatment(bounded))))
        for rows in self._read_pages(wanted):
            yield [(row.id, self._columns.text(row)) for row in rows]

    def fetch(self, ids: Iterable[str]) -> dict[str, tuple[str, Translation]]:
        """Return text and translation (empty if none) of the known sentences of ``ids``."""
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
        unsure: str = "",
    ) -> None:
        """Store the memory's translation of each sentence, by id; nothing more of it is sent.

        With the status *reviewed* the translation is a person's. ``unsure`` is the reason for which
        one should look at them, if there is one.
        """
        settled = default_values(sentences, *_OF_AN_ANSWER) | {"status": status}
        if unsure:
            settled |= {"unsure": 1, "reason": unsure}
        for batch in split_ids(translations):
            self._database.update_each(
                sentences,
                true(),
                [
                    settled
                    | {
                        "id": row_id,
                        "decoded": self._columns.seal("decoded", row_id, translation.text),
                        "alignment": self._columns.seal_alignment(row_id, translation.matches),
                    }
                    for row_id, translation in ((row_id, translations[row_id]) for row_id in batch)
                ],
            )

    def release(self, ids: Iterable[str]) -> None:
        """Return sentences that no memory holds any more to their earlier status.

        An encoded sentence keeps its encoding: if it was sent, it is sent again as it was; if it
        was withheld, it stays so, since under some mechanisms a second draw would reveal more.
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
        """Yield the translated sentences of the documents that ``run`` wrote or found unchanged.

        Once each, in the order of their keyed ids, which has no meaning. Left out are sentences
        that were copied without a translator, and those that were not restored (the mechanism
        ``no-decode``).
        """
        linked = (
            select(document_sentences.c.sentence)
            .join(documents, documents.c.id == document_sentences.c.document)
            .where(documents.c.run == run, documents.c.status.in_(_WRITTEN))
        )
        translated = or_(sentences.c.encoded.is_not(None), _FROM_MEMORY, _REVIEWED)
        restored = and_(translated, sentences.c.restored >= sentences.c.to_restore)
        wanted = and_(
            sentences.c.status.in_(TRANSLATED),
            or_(sentences.c.status == SentenceStatus.LOCAL, restored),
            sentences.c.id.in_(linked),
        )
        for rows in self._read_pages(wanted):
            for row in rows:
                source = self._columns.text(row)
                yield Finished(source, self._columns.decoded(row), row.untranslated, row.source)

    def _read_pages(self, wanted: ColumnElement[bool]) -> Iterator[list[AnyRow]]:
        """Yield rows in the order of their ids, each page read on demand."""
        last = ""
        while True:
            query = select(*_READ).where(wanted, sentences.c.id > last).order_by(sentences.c.id)
            rows = self._database.rows(query.limit(ROWS_OF_A_STATEMENT))
            if not rows:
                return
            yield rows
            last = rows[-1].id
