"""Sentences of an archive, each stored once, with its one encoding and its one answer.

Entry: ``Sentences``; ``add`` -> ``adopt`` -> ``to_encode`` -> ``set_encoded`` -> ``to_send`` ->
``answered`` -> ``set_restored`` -> ``texts`` to write and ``of_document`` to report.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, and_, case, or_, select, true, update

from prism_core.alignment import Translation
from prism_core.language import Sentence
from prism_core.record import Encoded
from prism_core.state.database import AnyRow, Database, insert_new, split_ids
from prism_core.state.schema import (
    LOCAL_BETTER,
    PENDING,
    TRANSLATED,
    TRANSLATED_DOCUMENTS,
    DocumentStatus,
    SentenceStatus,
    count_by_status,
    default_values,
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
from prism_core.translation_memory import WORD_ALONE

_ROW, _LINK = sentences.c, document_sentences.c
UNSENT = or_(_ROW.status == SentenceStatus.NEW, _ROW.status == SentenceStatus.ENCODED)
_TO_ENCODE = (_ROW.id, _ROW.annotated)
_TO_SEND = (_ROW.id, _ROW.encoded)
_TO_DECODE = (*_TO_ENCODE, _ROW.encoded, _ROW.answer, _ROW.draws, _ROW.marked, _ROW.earlier)
_TO_WRITE = (_ROW.id, _ROW.status, _ROW.annotated, _ROW.decoded, _ROW.alignment)
_UNANSWERED = default_values(sentences, "answer", "decoded", "translator", "marked")
_TO_REPORT = tuple(_ROW[column.name] for column in fields(StoredSentence))
"""Columns that each stage reads of a sentence: the rest of a row is most of its bytes."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """Table of sentences."""

    _database: Database
    _columns: SentenceColumns

    def id_of(self, text: str, context: str) -> str:
        """Return the keyed id of a sentence: equal text in an equal ``context`` is one sentence.

        ``context`` names what decides the encoding: languages, dictionary, mechanism settings.
        """
        return self._columns.cipher.keyed_id("sentence", json.dumps([context, text]).encode())

    def add(self, connection: Connection, run: str, readings: Iterable[Reading]) -> None:
        """Store new sentences and their languages, within the transaction of their documents.

        The same sentence may be annotated differently in another document. While nothing was made
        of it, the lesser annotation is kept, so that the order of reading does not matter.
        """
        new: dict[str, bytes] = {}
        source_of: dict[str, str] = {}
        for reading in readings:
            source_of |= dict.fromkeys(reading.sentences, reading.source) | dict(reading.sources)
            for row_id, packed in reading.sentences.packed.items():
                new[row_id] = min(packed, new.get(row_id, packed))
        for ids in split_ids(new):
            query = select(_ROW.id, _ROW.annotated).where(
                _ROW.id.in_(ids), _ROW.status == SentenceStatus.NEW
            )
            sealed = {
                row_id: self._columns.seal("annotated", row_id, new[row_id]) for row_id in ids
            }
            for row in connection.execute(query).all():
                if new[row.id] < self._columns.open("annotated", row):
                    connection.execute(
                        update(sentences).where(_ROW.id == row.id).values(annotated=sealed[row.id])
                    )
            given = {"run": run, "status": SentenceStatus.NEW}
            rows = [
                {"id": row_id, **given, "source": source_of[row_id], "annotated": seal}
                for row_id, seal in sealed.items()
            ]
            insert_new(connection, sentences, rows)

    def adopt(self, run: str, translators: Sequence[str]) -> None:
        """Make the sentences of the documents that are ``read`` part of ``run``.

        Sentences that none of ``translators`` answered are sent to them again, and failed ones are
        tried again: in both cases the very text that was sent before. The reason of a failure is
        kept for ``set_failed``. Sentences that a local model translated are withheld until it does
        so again.
        """
        of_run = (
            select(_LINK.sentence)
            .join(documents, documents.c.id == _LINK.document)
            .where(documents.c.run == run, documents.c.status == DocumentStatus.READ)
        )
        is_sent = _ROW.status == SentenceStatus.SENT
        asked_elsewhere = and_(_ROW.translator.not_in(translators), _ROW.characters > 0, ~is_sent)
        has_failed = _ROW.status == SentenceStatus.FAILED
        again = or_(asked_elsewhere, has_failed)
        why = case((has_failed, _ROW.reason), else_="")
        with self._database.writing() as connection:
            elsewhere = and_(_ROW.id.in_(of_run), _ROW.run != run)
            connection.execute(update(sentences).where(elsewhere).values(run=run))
            connection.execute(
                update(sentences)
                .where(
                    _ROW.run == run,
                    _ROW.id.in_(of_run),
                    _ROW.status == SentenceStatus.LOCAL,
                    ~_ROW.reason.startswith(LOCAL_BETTER),  # its answer was decoded
                )
                .values(status=SentenceStatus.WITHHELD, decoded=None)
            )
            connection.execute(
                update(sentences)
                .where(_ROW.run == run, _ROW.id.in_(of_run), again)
                .values(status=SentenceStatus.SENT, reason=why, **_UNANSWERED)
            )

    def sources(self, run: str) -> list[str]:
        """Return the languages of the sentences of ``run``."""
        query = select(_ROW.source).where(_ROW.run == run).distinct()
        return sorted(self._database.scalars(query))

    def by_source(self, chunk: Chunk) -> dict[str, Chunk]:
        """Group the documents of ``chunk`` by each of the languages of their sentences."""
        query = (
            select(_ROW.source, _LINK.document)
            .join(sentences, _ROW.id == _LINK.sentence)
            .where(_LINK.document.in_(chunk))
            .order_by(_ROW.source, _LINK.document)
            .distinct()
        )
        found: dict[str, list[str]] = {}
        for source, document in self._database.rows(query):
            found.setdefault(source, []).append(document)
        return {source: tuple(ids) for source, ids in found.items()}

    def to_encode(
        self, chunk: Chunk, checks: str, part: Part = WHOLE, source: str = ""
    ) -> Iterator[list[tuple[str, Sentence]]]:
        """Yield the sentences, decoys too, of a ``part`` of ``chunk`` that need an encoding.

        They come a batch at a time; with a ``source`` those in that language. Sentences that were
        encoded but never sent are included when ``checks``, which names what the leak check knows,
        has changed since: the deny list has grown, or the user's lists.
        """
        outdated = and_(_ROW.status == SentenceStatus.ENCODED, _ROW.checked_with != checks)
        new = or_(_ROW.status == SentenceStatus.NEW, outdated)
        for rows in read_in_batches(
            self._database, chunk, new, _TO_ENCODE, part, source, with_decoys=True
        ):
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

    def set_copied(self, copied: Mapping[str, Sentence], unclear: Collection[str] = ()) -> None:
        """Settle sentences that need no translator: each is its own translation, never sent.

        A person should look at those that are ``unclear``, by id: one word of several senses.
        """
        self._database.update_each(
            sentences,
            UNSENT,
            [
                {
                    "id": row_id,
                    "status": SentenceStatus.DONE,
                    "decoded": self._columns.seal("decoded", row_id, sentence.text),
                    "unsure": int(row_id in unclear),
                    "reason": WORD_ALONE if row_id in unclear else "",
                }
                for row_id, sentence in copied.items()
            ],
            "own",
        )

    def to_send(
        self, chunks: Sequence[Chunk], source: str = "", part: Part = WHOLE
    ) -> list[tuple[str, str]]:
        """Return ``(id, x_pub)`` of the sentences, decoys too, that wait for an answer.

        They are those of a ``part`` of ``chunks``; with a ``source`` those in that language.
        """
        waits = _ROW.status.in_([SentenceStatus.ENCODED, SentenceStatus.SENT])
        waiting: dict[str, str] = {}
        for chunk in chunks:
            for rows in read_in_batches(
                self._database, chunk, waits, _TO_SEND, part, source, with_decoys=True
            ):
                waiting |= {row.id: self._columns.encoding(row).text for row in rows}
        return list(waiting.items())

    def to_mark(self, chunks: Sequence[Chunk], part: Part = WHOLE) -> set[str]:
        """Return those of ``to_send`` that are to be sent with marks."""
        marked = and_(_ROW.status == SentenceStatus.SENT, _ROW.marked == 1)
        return {
            row.id
            for chunk in chunks
            for rows in read_in_batches(self._database, chunk, marked, (_ROW.id,), part)
            for row in rows
        }

    def answered(
        self, chunk: Chunk, part: Part = WHOLE, source: str = ""
    ) -> Iterator[list[Answered]]:
        """Yield the answered sentences of a ``part`` of ``chunk`` to decode, a batch at a time."""
        waits = _ROW.status == SentenceStatus.ANSWERED
        for rows in read_in_batches(self._database, chunk, waits, _TO_DECODE, part, source):
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
        """Return the earlier encodings and answers of those of ``ids`` to be sent again."""
        query = select(_ROW.id, _ROW.earlier).where(_ROW.earlier.is_not(None))
        rows = self._database.rows_of(query, _ROW.id, ids)
        return {row.id: self._columns.earlier(row) for row in rows}

    def set_restored(self, restorations: Sequence[Restoration]) -> None:
        """Store the results of decoding."""
        self._database.update_each(
            sentences,
            _ROW.status == SentenceStatus.ANSWERED,
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
                    "quality": item.quality,
                    "marked": int(item.marked),
                }
                for item in restorations
            ],
            "own",
        )

    def set_unanswered(
        self, ids: Sequence[str], status: SentenceStatus, reason: str, *, twice: bool = False
    ) -> None:
        """Record that sentences got no answer (``failed``, ``refused``) or are ``withheld``.

        ``failed`` is for this run, ``refused`` for good, also for text that fits in no request.
        ``twice``: only those that failed for the same ``reason`` in the run before.
        """
        states = [SentenceStatus.ENCODED, SentenceStatus.SENT]
        waiting: ColumnElement[bool] = _ROW.status.in_(states)
        if twice:
            waiting = and_(waiting, _ROW.reason == reason)
        with self._database.writing("own") as connection:
            for batch in split_ids(ids):
                connection.execute(
                    update(sentences)
                    .where(_ROW.id.in_(batch), waiting)
                    .values(status=status, reason=reason[:200])
                )

    def waits(self, chunk: Chunk, part: Part = WHOLE) -> bool:
        """Return True if a sentence of a ``part`` of ``chunk`` is pending."""
        linked = select(_LINK.sentence).where(_LINK.document.in_(chunk))
        query = select(_ROW.id).where(_ROW.id.in_(linked), part.holds(_ROW.id))
        return bool(self._database.rows(query.where(_ROW.status.in_(PENDING)).limit(1)))

    def documents_with(
        self, chunk: Chunk, statuses: Iterable[SentenceStatus] = PENDING
    ) -> set[str]:
        """Return the documents of ``chunk`` that hold a sentence in one of ``statuses``.

        By default these are the documents that cannot be written yet.
        """
        query = (
            select(_LINK.document)
            .join(sentences, _ROW.id == _LINK.sentence)
            .where(_LINK.document.in_(chunk), _ROW.status.in_(list(statuses)))
            .distinct()
        )
        return set(self._database.scalars(query))

    def count_reviewed(self, document: str) -> int:
        """Count the sentences of ``document`` whose translation a person gave or confirmed."""
        linked = select(_LINK.sentence).where(_LINK.document == document)
        reviewed = and_(_ROW.id.in_(linked), _ROW.status == SentenceStatus.REVIEWED)
        return len(self._database.scalars(select(_ROW.id).where(reviewed)))

    def source_texts(self, document: str) -> Iterator[tuple[str, str]]:
        """Yield id and source text of each sentence of ``document``, in the order of ids."""
        for rows in self._read(document, None, _TO_ENCODE):
            for row in rows:
                yield row.id, self._columns.text(row)

    def texts(
        self, document: str, only: Iterable[str] | None = None
    ) -> dict[str, tuple[str, Translation | None]]:
        """Return ``(source, translation or None)`` of the sentences of ``document``, by id."""
        return {
            row.id: (
                self._columns.text(row),
                self._columns.translation(row) if row.status in TRANSLATED else None,
            )
            for rows in self._read(document, only, _TO_WRITE)
            for row in rows
        }

    def of_document(
        self, document: str, only: Iterable[str] | None = None, *, encodings: bool = True
    ) -> dict[str, StoredSentence]:
        """Return the sentences of ``document`` as the report sees them; encodings on request."""
        columns = [c for c in _TO_REPORT if encodings or c is not _ROW.encoded]
        open_encoding = self._columns.encoding
        return {
            row.id: StoredSentence.of(
                row, open_encoding(row) if encodings and row.encoded is not None else None
            )
            for rows in self._read(document, only, columns)
            for row in rows
        }

    def doubted(self, run: str) -> Iterator[tuple[str, StoredSentence]]:
        """Yield the id of each written or unchanged document with each of its doubtful sentences.

        These are not translated, unsure, hold words of the source language or have a reason. Their
        encodings are left out.
        """
        doubts = _ROW.status.not_in(TRANSLATED), _ROW.unsure > 0, _ROW.untranslated > 0
        written = documents.c.status.in_(TRANSLATED_DOCUMENTS)
        query = (
            select(_LINK.document, *(c for c in _TO_REPORT if c is not _ROW.encoded))
            .join(documents, documents.c.id == _LINK.document)
            .join(sentences, _ROW.id == _LINK.sentence)
            .where(documents.c.run == run, written, or_(*doubts, _ROW.reason != ""))
            .order_by(_LINK.document, _ROW.id)
        )
        with self._database.reading() as connection:
            for row in connection.execute(query):
                yield row.document, StoredSentence.of(row)

    def count(self, run: str) -> dict[SentenceStatus, int]:
        """Count the different sentences of ``run`` in each status, without decoys."""
        with self._database.reading() as connection:
            return count_by_status(connection, sentences, SentenceStatus, run)

    def _read(
        self, document: str, only: Iterable[str] | None, columns: Sequence[Column[Any]]
    ) -> Iterator[list[AnyRow]]:
        if only is None:
            return read_in_batches(self._database, (document,), true(), columns)
        query = select(*columns)
        return (self._database.rows(query.where(_ROW.id.in_(ids))) for ids in split_ids(only))
