"""Sentences that are settled without a translator: by a memory, a review, or a model here.

The status of a sentence from the user's translation memory is ``recalled``. It follows the memory:
when that changes, its translation does too, or it returns to its earlier status. A reviewed
translation takes precedence over every answer, in this run and later ones.

Entry: ``Recalled.candidates`` -> ``settle`` or ``release``, and ``finished_sentences`` to export;
``Reviews.record`` a review, ``find`` it for the sentences of a run; ``WithheldSentences.read`` what
a model on this machine is to translate -> ``settle``.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, delete, func, insert, or_, select, true, update

from prism_core.alignment import Translation
from prism_core.cipher import Cipher
from prism_core.record import UNREAD
from prism_core.state.database import AnyRow, Database, split_ids
from prism_core.state.schema import (
    LOCAL_BETTER,
    PENDING,
    TRANSLATED,
    DocumentStatus,
    SentenceStatus,
    default_values,
    document_sentences,
    documents,
    reviews,
    sentences,
)
from prism_core.state.sealed_columns import (
    SentenceColumns,
    translation_from_json,
    translation_to_json,
)
from prism_core.state.stage_records import (
    WHOLE,
    Chunk,
    Part,
    Withheld,
    read_in_batches,
    select_by_treatment,
)
from prism_core.translation_memory import WORD_ALONE, Translated

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
    *("to_restore", "restored", "ways", "unsure", "untranslated", "quality"),
)
_READ = [
    sentences.c[name] for name in ("id", "status", "source", "annotated", "decoded", "untranslated")
]
_READ_ALIGNED = [*_READ, sentences.c.alignment]
_WRITTEN = (DocumentStatus.WRITTEN, DocumentStatus.UNCHANGED)


@dataclass(frozen=True, slots=True)
class RecallCandidate:
    """Sentence to look up; ``settled`` when an earlier memory held it."""

    id: str
    text: str
    settled: bool


@dataclass(frozen=True, slots=True)
class Recalled:
    """Table of sentences, as far as translation memories go."""

    _database: Database
    _columns: SentenceColumns

    def candidates(
        self, run: str, *, all_unanswered: bool, bounded: Sequence[str] = ()
    ) -> Iterator[list[RecallCandidate]]:
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
                RecallCandidate(
                    row.id, self._columns.text(row), row.status == SentenceStatus.RECALLED
                )
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
        for row in self._database.rows_of(select(*_READ_ALIGNED), sentences.c.id, ids):
            is_translated = row.status in TRANSLATED
            translation = self._columns.translation(row) if is_translated else Translation("")
            found[row.id] = (self._columns.text(row), translation)
        return found

    def settle(
        self,
        translations: Mapping[str, Translation],
        status: SentenceStatus = SentenceStatus.RECALLED,
        unclear: Collection[str] = (),
    ) -> None:
        """Store the memory's translation of each sentence, by id; nothing more of it is sent.

        With the status *reviewed* the translation is a person's. For ``unclear`` see
        ``Sentences.set_copied``.
        """
        settled = default_values(sentences, *_OF_AN_ANSWER) | {"status": status}
        for batch in split_ids(translations.items()):
            self._database.update_each(
                sentences,
                true(),
                [
                    settled
                    | {
                        "id": row_id,
                        "decoded": self._columns.seal("decoded", row_id, translation.text),
                        "alignment": self._columns.seal_alignment(row_id, translation.matches),
                        "unsure": int(row_id in unclear),
                        "reason": WORD_ALONE if row_id in unclear else "",
                    }
                    for row_id, translation in batch
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

    def finished_sentences(self, run: str) -> Iterator[Translated]:
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
                by_machine = row.status not in (SentenceStatus.RECALLED, SentenceStatus.REVIEWED)
                decoded = self._columns.decoded(row)
                yield Translated(source, decoded, row.untranslated, row.source, by_machine)

    def _read_pages(self, wanted: ColumnElement[bool]) -> Iterator[list[AnyRow]]:
        return self._database.pages(select(*_READ).where(wanted), sentences.c.id)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """Translation that ``reviewer`` gave of a sentence, or confirmed."""

    translation: Translation
    reviewer: str


@dataclass(frozen=True, slots=True)
class Reviews:
    """Table of reviews."""

    _database: Database
    _cipher: Cipher

    def id_of(self, text: str, languages: tuple[str, str]) -> str:
        """Return the keyed id of a sentence with this ``text`` for a pair of ``languages``."""
        return self._cipher.keyed_id("review", "\t".join((*languages, text)).encode())

    def count(self) -> int:
        """Count the reviewed sentences."""
        return self._database.scalar(select(func.count()).select_from(reviews))

    def record(self, given: Mapping[str, Reviewed], held: Iterable[str]) -> None:
        """Store reviews by id, replacing earlier ones; all of it or nothing.

        The documents that hold one of the sentences ``held`` are written anew by the next run.
        """
        now, seal, links = time.time(), self._cipher.seal, document_sentences.c
        rows = [
            {
                "id": row_id,
                "translation": seal(
                    f"reviews.translation:{row_id}",
                    translation_to_json(review.translation).encode(),
                ),
                "reviewer": seal(f"reviews.reviewer:{row_id}", review.reviewer.encode()),
                "reviewed": now,
            }
            for row_id, review in given.items()
        ]
        with self._database.writing() as connection:
            for ids in split_ids(list(given)):
                connection.execute(delete(reviews).where(reviews.c.id.in_(ids)))
            if rows:
                connection.execute(insert(reviews), rows)
            for ids in split_ids(held):
                holding = select(links.document).where(links.sentence.in_(ids))
                connection.execute(
                    update(documents).where(documents.c.id.in_(holding)).values(retry=1)
                )

    def find(self, ids: Iterable[str]) -> dict[str, Reviewed]:
        """Return the reviews of those of ``ids`` that were reviewed."""
        found = {}
        for row in self._database.rows_of(select(reviews), reviews.c.id, list(ids)):
            translation, reviewer = (
                self._cipher.open(f"reviews.{name}:{row.id}", getattr(row, name)).decode()
                for name in ("translation", "reviewer")
            )
            found[row.id] = Reviewed(translation_from_json(translation), reviewer)
        return found


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
        columns = _ROW.id, _ROW.annotated, _ROW.reason
        for rows in read_in_batches(self._database, chunk, _FOR_MODEL, columns, part, source):
            yield [
                Withheld(row.id, self._columns.sentence(row), row.reason.partition(":")[0])
                for row in rows
            ]

    def settle(
        self,
        translated: Sequence[tuple[Withheld, str, Collection[str]]],
        qualities: Sequence[float | None],
    ) -> None:
        """Store a local model's translations of these sentences, each with its faults.

        The reason is kept, and the faults are written after it. ``qualities`` are estimates.
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
                    "quality": quality,
                }
                for (held, text, faults), quality in zip(translated, qualities, strict=True)
            ],
            "own",
        )
