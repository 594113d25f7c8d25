"""The sentences of an archive, each stored once, with its one encoding and its one answer.

Entry: ``Sentences``; ``add`` -> ``adopt`` -> ``to_encode`` -> ``set_encoded`` -> ``to_send`` ->
``answered`` -> ``set_restored`` -> ``texts`` to write and ``of_document`` to report.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, and_, case, or_, select, true, update

from prism_core.alignment import Translation
from prism_core.language import Sentence
from prism_core.record import Encoded
from prism_core.state.database import (
    AnyRow,
    Database,
    insert_new,
    split_ids,
)
from prism_core.state.schema import (
    PENDING,
    TRANSLATED,
    DocumentStatus,
    SentenceStatus,
    blank,
    count_by_status,
    document_sentences,
    documents,
    sentences,
)
from prism_core.state.sealed_columns import Answers, SentenceColumns
from prism_core.state.stage_records import (
    WHOLE,
    Answered,
    Chunk,
    Part,
    Reading,
    Restoration,
    StoredSentence,
    read_in_batches,
)

_OF, _LINK = sentences.c, document_sentences.c
UNSENT = or_(_OF.status == SentenceStatus.NEW, _OF.status == SentenceStatus.ENCODED)
_STAYS = or_(_OF.status == SentenceStatus.WITHHELD, _OF.status == SentenceStatus.REFUSED)
_TO_ENCODE = (_OF.id, _OF.annotated)
_TO_SEND = (_OF.id, _OF.encoded)
_TO_DECODE = (*_TO_ENCODE, _OF.encoded, _OF.answer, _OF.draws, _OF.marked, _OF.earlier)
_TO_WRITE = (_OF.id, _OF.status, _OF.annotated, _OF.decoded, _OF.alignment)
_HERE = blank(sentences, "alignment", "unsure", "untranslated") | {"status": SentenceStatus.LOCAL}
_UNANSWERED = blank(sentences, "answer", "decoded", "translator", "marked")
_OUTCOME = ("reason", "draws", "to_restore", "restored", "untranslated")
_TO_REPORT = (
    *(_OF.id, _OF.status, _OF.source, _OF.encoded, _OF.ways, _OF.unsure),
    *(_OF[name] for name in _OUTCOME),
)
"""What each stage reads of a sentence: the rest of a row is most of its bytes."""


def _is_in(source: str) -> ColumnElement[bool]:
    return _OF.source == source if source else true()


@dataclass(frozen=True, slots=True)
class Sentences:
    """The table of sentences."""

    _database: Database
    _columns: SentenceColumns

    def id_of(self, text: str, context: str) -> str:
        """The keyed id of a sentence: equal text in an equal ``context`` is one sentence.

        ``context`` names what decides the encoding: languages, dictionary, mechanism settings.
        """
        return self._columns.cipher.keyed_id("sentence", json.dumps([context, text]).encode())

    def add(self, connection: Connection, run: str, readings: Iterable[Reading]) -> None:
        """Store sentences that are not there yet, within the transaction of their documents, each
        with the language that it is in.

        The same sentence may be annotated differently in another document. While nothing was made
        of it, the lesser annotation is kept, so that it does not matter which is read first.
        """
        new: dict[str, bytes] = {}
        source_of: dict[str, str] = {}
        for reading in readings:
            source_of |= dict.fromkeys(reading.sentences, reading.source) | dict(reading.sources)
            for row_id, packed in reading.sentences.packed.items():
                new[row_id] = min(packed, new.get(row_id, packed))
        for ids in split_ids(new):
            query = select(_OF.id, _OF.annotated).where(
                _OF.id.in_(ids), _OF.status == SentenceStatus.NEW
            )
            sealed = {
                row_id: self._columns.seal("annotated", row_id, new[row_id]) for row_id in ids
            }
            for row in connection.execute(query).all():
                if new[row.id] < self._columns.open("annotated", row):
                    connection.execute(
                        update(sentences).where(_OF.id == row.id).values(annotated=sealed[row.id])
                    )
            given = {"run": run, "status": SentenceStatus.NEW}
            rows = [
                {"id": row_id, **given, "source": source_of[row_id], "annotated": seal}
                for row_id, seal in sealed.items()
            ]
            insert_new(connection, sentences, rows)

    def adopt(self, run: str, translators: Sequence[str]) -> None:
        """Make the sentences of the documents that are ``read`` part of ``run``.

        What none of ``translators`` answered is asked again of them, and what failed is tried
        again: in both cases the very text that was sent before. Why it failed is kept for
        ``set_failed``. What a model on this machine translated is withheld until it does again.
        """
        of_run = (
            select(_LINK.sentence)
            .join(documents, documents.c.id == _LINK.document)
            .where(documents.c.run == run, documents.c.status == DocumentStatus.READ)
        )
        is_sent = _OF.status == SentenceStatus.SENT
        asked_elsewhere = and_(_OF.translator.not_in(translators), _OF.characters > 0, ~is_sent)
        has_failed = _OF.status == SentenceStatus.FAILED
        again = or_(asked_elsewhere, has_failed)
        why = case((has_failed, _OF.reason), else_="")
        with self._database.writing() as connection:
            elsewhere = and_(_OF.id.in_(of_run), _OF.run != run)
            connection.execute(update(sentences).where(elsewhere).values(run=run))
            connection.execute(
                update(sentences)
                .where(_OF.run == run, _OF.id.in_(of_run), _OF.status == SentenceStatus.LOCAL)
                .values(status=SentenceStatus.WITHHELD, decoded=None)
            )
            connection.execute(
                update(sentences)
                .where(_OF.run == run, _OF.id.in_(of_run), again)
                .values(status=SentenceStatus.SENT, reason=why, **_UNANSWERED)
            )

    def by_source(self, chunk: Chunk) -> dict[str, Chunk]:
        """The documents of ``chunk`` by the languages of their sentences; one with sentences in
        several is named for each."""
        query = (
            select(_OF.source, _LINK.document)
            .join(sentences, _OF.id == _LINK.sentence)
            .where(_LINK.document.in_(chunk))
            .order_by(_OF.source, _LINK.document)
            .distinct()
        )
        found: dict[str, list[str]] = {}
        for source, document in self._database.rows(query):
            found.setdefault(source, []).append(document)
        return {source: tuple(ids) for source, ids in found.items()}

    def sources(self, run: str) -> list[str]:
        """The languages of the sentences of ``run``."""
        query = select(_OF.source).where(_OF.run == run).order_by(_OF.source).distinct()
        return self._database.scalars(query)

    def to_encode(
        self, chunk: Chunk, checks: str, part: Part = WHOLE, source: str = ""
    ) -> Iterator[list[tuple[str, Sentence]]]:
        """The sentences of a ``part`` of ``chunk``, decoys too, that need an encoding, a batch at a
        time; with a ``source`` those in that language.

        Also those that were encoded but never sent, when ``checks``, which names what the leak
        check knows, has changed since: the deny list has grown, or the user's lists.
        """
        outdated = and_(_OF.status == SentenceStatus.ENCODED, _OF.checked_with != checks)
        new = or_(_OF.status == SentenceStatus.NEW, outdated)
        wanted = and_(part.holds(_OF.id), _is_in(source), new)
        for rows in read_in_batches(self._database, chunk, wanted, _TO_ENCODE, with_decoys=True):
            yield [(row.id, self._columns.sentence(row)) for row in rows]

    def set_encoded(self, encoded: Sequence[tuple[str, Encoded]], checks: str) -> None:
        """Store encodings, each only while nothing was sent of its sentence's last one."""
        self._database.update_each(
            sentences,
            UNSENT,
            [
                {"id": row_id, **self._columns.encoding_values(row_id, made, checks)}
                for row_id, made in encoded
            ],
            "own",
        )

    def set_copied(self, copied: Mapping[str, Sentence]) -> None:
        """Settle sentences that need no translator: each is its own translation, never sent."""
        self._database.update_each(
            sentences,
            UNSENT,
            [
                {
                    "id": row_id,
                    "status": SentenceStatus.DONE,
                    "decoded": self._columns.seal("decoded", row_id, sentence.text),
                }
                for row_id, sentence in copied.items()
            ],
            "own",
        )

    def to_send(
        self, chunks: Sequence[Chunk], source: str = "", part: Part = WHOLE
    ) -> list[tuple[str, str]]:
        """``(id, x_pub)`` of every sentence of a ``part`` of ``chunks`` that waits for an answer,
        decoys too; with a ``source`` of those in that language."""
        waits = _OF.status.in_([SentenceStatus.ENCODED, SentenceStatus.SENT])
        wanted = and_(part.holds(_OF.id), _is_in(source), waits)
        waiting: dict[str, str] = {}
        for chunk in chunks:
            for rows in read_in_batches(self._database, chunk, wanted, _TO_SEND, with_decoys=True):
                for row in rows:
                    waiting[row.id] = self._columns.encoding(row).text
        return list(waiting.items())

    def to_mark(self, chunks: Sequence[Chunk], part: Part = WHOLE) -> set[str]:
        """Those of ``to_send`` that are to be asked for with marks."""
        marked = and_(part.holds(_OF.id), _OF.status == SentenceStatus.SENT, _OF.marked == 1)
        return {
            row.id
            for chunk in chunks
            for rows in read_in_batches(self._database, chunk, marked, (_OF.id,))
            for row in rows
        }

    def answered(
        self, chunk: Chunk, part: Part = WHOLE, source: str = ""
    ) -> Iterator[list[Answered]]:
        """The sentences of a ``part`` of ``chunk`` to decode, a batch at a time; with a ``source``
        those in that language."""
        waits = _OF.status == SentenceStatus.ANSWERED
        is_answered = and_(part.holds(_OF.id), _is_in(source), waits)
        for rows in read_in_batches(self._database, chunk, is_answered, _TO_DECODE):
            yield [
                Answered(
                    row.id,
                    self._columns.text(row),
                    self._columns.encoding(row),
                    self._columns.answer(row),
                    row.draws,
                    bool(row.marked),
                    self._columns.earlier(row),
                )
                for row in rows
            ]

    def earlier(self, ids: Iterable[str]) -> dict[str, Answers]:
        """What was sent and came back before, of those of ``ids`` that are to be sent once more."""
        query = select(_OF.id, _OF.earlier).where(_OF.earlier.is_not(None))
        batches = (self._database.rows(query.where(_OF.id.in_(b))) for b in split_ids(ids))
        return {row.id: self._columns.earlier(row) for rows in batches for row in rows}

    def set_restored(self, restorations: Sequence[Restoration]) -> None:
        """Store what decoding gave."""
        self._database.update_each(
            sentences,
            _OF.status == SentenceStatus.ANSWERED,
            [
                {
                    "id": item.sentence,
                    "status": item.status,
                    "reason": item.reason[:200],
                    "decoded": None
                    if item.text is None
                    else self._columns.seal("decoded", item.sentence, item.text),
                    "alignment": self._columns.seal_alignment(item.sentence, item.alignment),
                    "earlier": self._columns.seal_earlier(item.sentence, item.earlier),
                    "to_restore": item.to_restore,
                    "restored": item.restored,
                    "ways": json.dumps(dict(item.ways), sort_keys=True),
                    "unsure": int(item.unsure),
                    "untranslated": item.untranslated,
                    "marked": int(item.marked),
                }
                for item in restorations
            ],
            "own",
        )

    def set_unanswered(
        self, ids: Sequence[str], status: SentenceStatus, reason: str, *, twice: bool = False
    ) -> None:
        """Record that no answer can be had in this run (``failed``) or at all (``refused``), or
        that no more may be sent (``withheld``); also of what no request can hold, never sent.

        ``twice``: only of those that failed for the same ``reason`` in the run before.
        """
        states = [SentenceStatus.ENCODED, SentenceStatus.SENT]
        waiting: ColumnElement[bool] = _OF.status.in_(states)
        if twice:
            waiting = and_(waiting, _OF.reason == reason)
        with self._database.writing("own") as connection:
            for batch in split_ids(ids):
                connection.execute(
                    update(sentences)
                    .where(_OF.id.in_(batch), waiting)
                    .values(status=status, reason=reason[:200])
                )

    def withheld(self, chunk: Chunk, part: Part = WHOLE) -> Iterator[list[tuple[str, str]]]:
        """Id and text of each sentence of a ``part`` of ``chunk`` that nothing more may be sent of,
        and that has no translation, a batch at a time."""
        wanted = and_(part.holds(_OF.id), _STAYS)
        for rows in read_in_batches(self._database, chunk, wanted, _TO_ENCODE):
            yield [(row.id, self._columns.text(row)) for row in rows]

    def set_local(self, translations: Mapping[str, str]) -> None:
        """Store what a model on this machine made of sentences of ``withheld``, by their ids. Why
        they were withheld is kept."""
        self._database.update_each(
            sentences,
            _STAYS,
            [
                _HERE | {"id": row_id, "decoded": self._columns.seal("decoded", row_id, text)}
                for row_id, text in translations.items()
            ],
            "own",
        )

    def waits(self, chunk: Chunk, part: Part = WHOLE) -> bool:
        """Whether a sentence of a ``part`` of ``chunk`` is pending."""
        theirs = select(_LINK.sentence).where(_LINK.document.in_(chunk))
        query = select(_OF.id).where(_OF.id.in_(theirs), part.holds(_OF.id))
        return bool(self._database.rows(query.where(_OF.status.in_(PENDING)).limit(1)))

    def documents_waiting(self, chunk: Chunk) -> set[str]:
        """Those documents of ``chunk`` that cannot be written yet, for a sentence is pending."""
        return self.documents_with(chunk, PENDING)

    def documents_with(self, chunk: Chunk, statuses: Iterable[SentenceStatus]) -> set[str]:
        """Those documents of ``chunk`` that hold a sentence in one of ``statuses``."""
        query = (
            select(_LINK.document)
            .join(sentences, _OF.id == _LINK.sentence)
            .where(_LINK.document.in_(chunk), _OF.status.in_(list(statuses)))
            .distinct()
        )
        return set(self._database.scalars(query))

    def source_texts(self, document: str) -> Iterator[tuple[str, str]]:
        """Id and text, as it was read, of each sentence of ``document``, in the order of ids."""
        for rows in self._of(document, None, _TO_ENCODE):
            for row in rows:
                yield row.id, self._columns.text(row)

    def texts(
        self, document: str, only: Iterable[str] | None = None
    ) -> dict[str, tuple[str, Translation | None]]:
        """``(source, translation)`` of each sentence of ``document``, or ``only`` of some of them,
        by their ids; None where there is none."""
        return {
            row.id: (
                self._columns.text(row),
                self._columns.translation(row) if row.status in TRANSLATED else None,
            )
            for rows in self._of(document, only, _TO_WRITE)
            for row in rows
        }

    def of_document(
        self, document: str, only: Iterable[str] | None = None, *, encodings: bool = True
    ) -> dict[str, StoredSentence]:
        """The sentences of ``document``, or ``only`` some of them, as the report sees them, by id.
        Without ``encodings`` none is opened."""
        columns = [c for c in _TO_REPORT if encodings or c is not _OF.encoded]
        return {
            row.id: StoredSentence(
                row.id,
                SentenceStatus(row.status),
                row.source,
                self._columns.encoding(row) if encodings and row.encoded is not None else None,
                ways=json.loads(row.ways),
                unsure=bool(row.unsure),
                **{name: row._mapping[name] for name in _OUTCOME},
            )
            for rows in self._of(document, only, columns)
            for row in rows
        }

    def count(self, run: str) -> dict[SentenceStatus, int]:
        """How many different sentences of ``run`` are in each status; decoys are not counted."""
        with self._database.reading() as connection:
            return count_by_status(connection, sentences, SentenceStatus, run)

    def _of(
        self, document: str, only: Iterable[str] | None, columns: Sequence[Column[Any]]
    ) -> Iterator[list[AnyRow]]:
        if only is None:
            return read_in_batches(self._database, (document,), true(), columns)
        query = select(*columns)
        return (self._database.rows(query.where(_OF.id.in_(ids))) for ids in split_ids(only))
