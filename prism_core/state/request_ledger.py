"""Requests to translators: on disk before they are sent, and their answers before use.

Entry: ``Requests.ledger``; then ``RunLedger.sending`` -> ``answered`` or ``failed``.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

from sqlalchemy import Connection, case, func, insert, select, tuple_, update

from prism_core.alignment import Alignment, Translation
from prism_core.state.database import Database, update_each
from prism_core.state.schema import (
    SentenceStatus,
    decoys,
    document_sentences,
    requests,
    sentences,
)
from prism_core.state.sealed_columns import SentenceColumns
from prism_core.state.stage_records import WHOLE, Chunk, Part

UNANSWERED = "unanswered"
ANSWERED = "answered"


@dataclass(frozen=True, slots=True)
class Destination:
    """Recipient of a request: the adapter, its host, and the keyed id of both with settings."""

    provider: str
    endpoint: str
    translator: str


@dataclass(frozen=True, slots=True)
class StoredRequest:
    """Row of the table; times in seconds since the epoch.

    ``status`` is ``unanswered``, ``answered`` (in part at least) or the class of its failure.
    ``again`` is 1 when some of its texts had been sent before, as they are, else 0.
    """

    id: str
    status: str
    provider: str
    endpoint: str
    texts: int
    characters: int
    recorded: float
    answered: float | None
    again: int


@dataclass(frozen=True, slots=True)
class Requests:
    """Table of requests."""

    _database: Database
    _columns: SentenceColumns

    def ledger(self, run: str, to: Destination) -> RunLedger:
        """Return the ledger of the requests of ``run`` to one translator."""
        return RunLedger(self._database, self._columns, run, to)

    def sent(
        self,
        of: Sequence[str],
        *to: str,
        shard: int | None = None,
        but: Collection[str] = (),
    ) -> tuple[int, int, int]:
        """Count the requests that the runs ``of`` recorded, and their texts and characters.

        All requests count, whatever their answer, or those ``to`` one translator, by its provider
        and endpoint; those of all shards, or of the one with that number; and not those with a
        status of ``but``.
        """
        query = select(
            func.count(),
            func.coalesce(func.sum(requests.c.texts), 0),
            func.coalesce(func.sum(requests.c.characters), 0),
        ).where(requests.c.run.in_(of), requests.c.status.not_in(but))
        if to:
            query = query.where(tuple_(requests.c.provider, requests.c.endpoint) == to)
        if shard is not None:
            query = query.where(requests.c.shard == shard)
        [(count, texts, characters)] = self._database.rows(query)
        return int(count), int(texts), int(characters)

    def asked_of(self, chunk: Chunk, part: Part = WHOLE) -> dict[str, dict[str, str | None]]:
        """Map the sentences and decoys of each document of ``chunk`` to their translator.

        The sentences are those of a ``part``; None stands for one that was not sent.
        """
        links = select(document_sentences.c.document, document_sentences.c.sentence).union_all(
            select(decoys.c.document, decoys.c.id)
        )
        link = links.subquery()
        query = (
            select(link.c.document, link.c.sentence, sentences.c.translator)
            .where(link.c.document.in_(chunk), sentences.c.id == link.c.sentence)
            .where(part.holds(sentences.c.id))
            .order_by(link.c.document, link.c.sentence)
        )
        asked: dict[str, dict[str, str | None]] = {}
        for document, sentence, translator in self._database.rows(query):
            asked.setdefault(document, {})[sentence] = translator
        return asked

    def of_run(self, run: str) -> Iterator[StoredRequest]:
        """Yield the requests of ``run`` in the order in which they were recorded."""
        columns = (requests.c[column.name] for column in fields(StoredRequest))
        query = select(*columns).where(requests.c.run == run)
        for page in self._database.pages(query, requests.c.recorded, requests.c.id):
            yield from (StoredRequest(*row) for row in page)


def record_request(
    connection: Connection,
    run: str,
    to: Destination,
    request: str,
    ids: Sequence[str],
    marks: int = 0,
    shard: int = 0,
) -> None:
    """Record a request within a transaction; see ``RunLedger.sending``."""
    sent = sentences.c.id.in_(ids)
    first = case((sentences.c.status == SentenceStatus.ENCODED, 1), else_=0)
    characters, again = connection.execute(
        select(
            func.coalesce(func.sum(sentences.c.characters), 0),
            func.coalesce(func.max(1 - first), 0),
        ).where(sent)
    ).one()
    connection.execute(
        insert(requests).values(
            id=request,
            run=run,
            status=UNANSWERED,
            provider=to.provider,
            endpoint=to.endpoint,
            texts=len(ids),
            characters=characters + marks,
            recorded=time.time(),
            again=again,
            shard=shard,
        )
    )
    connection.execute(
        update(sentences)
        .where(sent)
        .values(
            status=SentenceStatus.SENT,
            draws=sentences.c.draws + first,
            sends=sentences.c.sends + 1,
            translator=to.translator,
        )
    )


@dataclass(frozen=True)
class RunLedger:
    """Ledger of the requests of one run to one translator; see ``translators`` for the order."""

    _database: Database
    _columns: SentenceColumns
    _run: str
    _to: Destination

    def sending(self, request_id: str, ids: Sequence[str], marks: int = 0) -> None:
        """Record a request for the sentences ``ids``; when this returns it may be sent.

        A sentence that is sent for the first time in its present encoding counts one draw.
        ``marks`` are characters of marks, counted with those of the sentences.
        """
        shard = self._database.shard.number if self._database.shard else 0
        with self._database.writing("own") as connection:
            record_request(connection, self._run, self._to, request_id, ids, marks, shard)

    def answered(
        self,
        request_id: str,
        answers: Mapping[str, str],
        links: Mapping[str, Alignment] | None = None,
    ) -> None:
        """Store answers to a request, by sentence; when this returns they may be used.

        ``links`` align the words of an answer with those of x_pub.
        """
        alignments = links or {}
        rows: list[dict[str, object]] = [
            {
                "id": row_id,
                "status": SentenceStatus.ANSWERED,
                "answer": self._columns.seal_answer(
                    row_id, Translation(text, alignments.get(row_id, ()))
                ),
            }
            for row_id, text in answers.items()
        ]
        with self._database.writing("own") as connection:
            update_each(connection, sentences, sentences.c.status == SentenceStatus.SENT, rows)
            connection.execute(
                update(requests)
                .where(requests.c.id == request_id)
                .values(status=ANSWERED, answered=time.time())
            )

    def failed(self, request_id: str, ids: Sequence[str], failure: str) -> None:  # noqa: ARG002 (its sentences stay as sent)
        """Record the class of a request's failure, unless a part of it was answered."""
        self._database.execute(
            update(requests)
            .where(requests.c.id == request_id, requests.c.status == UNANSWERED)
            .values(status=failure[:40]),
            "own",
        )
