"""Table of batches: those that a provider works on, and those it keeps files of.

A batch and all of its requests are on disk before any of it leaves. The sentences of each request
are sealed; each has a keyed hash of the text that was sent, since the answer to one encoding must
never be taken for the answer to another.

Entry: ``Batches.ledger``; then ``submitting`` -> ``submitted`` -> ``answered`` -> ``closed`` ->
``forgotten``, in the order of a batch's life.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from sqlalchemy import ColumnElement, and_, delete, func, insert, select, update

from prism_core.cipher import Cipher
from prism_core.state.database import Database, split_ids
from prism_core.state.request_ledger import UNANSWERED, Destination, RunLedger, record_request
from prism_core.state.schema import BatchStatus, SentenceStatus, batches, requests, sentences
from prism_core.state.sealed_columns import SentenceColumns

_HASH_DIGITS = 16
"""Hex digits of a keyed hash: 64 bits distinguish the few texts of one sentence."""
_ROW = sentences.c
_OPEN = (BatchStatus.RECORDED, BatchStatus.SUBMITTED)


@dataclass(frozen=True, slots=True)
class StoredBatch:
    """Row of the table; ``requests`` holds by request the hash of each sentence's text."""

    id: str
    batch: str
    recorded: float
    requests: Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Batches:
    """Table of batches."""

    _database: Database
    cipher: Cipher
    _columns: SentenceColumns

    def ledger(self, run: str, to: Destination, known: Sequence[str]) -> RunBatchLedger:
        """Return the ledger of the batches of ``run`` at one translator.

        ``known`` are the keyed names of all translators that the run may ask.
        """
        return RunBatchLedger(self._database, self._columns, run, to, self, known)

    def held(self, translator: str) -> set[str]:
        """Return the sentences in batches of ``translator`` that are not closed."""
        handed_in = and_(batches.c.translator == translator, batches.c.status.in_(list(_OPEN)))
        return {
            row_id
            for batch in self.read(handed_in)
            for marks in batch.requests.values()
            for row_id in marks
        }

    def count(self) -> int:
        """Count the batches that providers work on."""
        query = select(func.count()).where(batches.c.status.in_(list(_OPEN)))
        return self._database.scalar(query)

    def read(self, wanted: ColumnElement[bool]) -> Iterator[StoredBatch]:
        """Yield the batches ``wanted``, oldest first, one at a time, since a batch may be large."""
        query = select(batches.c.id).where(wanted).order_by(batches.c.recorded, batches.c.id)
        ids = self._database.scalars(query)
        for row_id in ids:
            for row in self._database.rows(select(batches).where(batches.c.id == row_id)):
                packed = self.cipher.open(_associated_data(row.id), row.requests)
                marks: dict[str, dict[str, str]] = json.loads(zlib.decompress(packed))
                yield StoredBatch(row.id, row.batch, row.recorded, marks)


@dataclass(frozen=True)
class RunBatchLedger(RunLedger):
    """Ledger of the batches of one run at one translator, and of their requests."""

    _batches: Batches
    _known: Sequence[str]

    def adopt(self) -> Self:
        """Make open batches a part of this run, which will collect and report them."""
        for batch in self.under_way():
            with self._database.writing() as connection:
                for ids in split_ids(batch.requests):
                    connection.execute(
                        update(requests).where(requests.c.id.in_(ids)).values(run=self._run)
                    )
                connection.execute(
                    update(batches).where(batches.c.id == batch.id).values(run=self._run)
                )
        return self

    def mark(self, text: str) -> str:
        """Return the keyed hash of the text that was sent of a sentence."""
        return self._batches.cipher.keyed_id("sent", text.encode("utf-8", "surrogatepass"))[
            :_HASH_DIGITS
        ]

    def submitting(self, batch: str, requests: Mapping[str, Mapping[str, str]]) -> None:
        """Record a batch and its requests, with the text of each sentence by its id."""
        marks = {
            request: {row_id: self.mark(text) for row_id, text in texts.items()}
            for request, texts in requests.items()
        }
        packed = zlib.compress(json.dumps(marks, separators=(",", ":")).encode(), 1)
        row = {
            "id": batch,
            "run": self._run,
            "status": BatchStatus.RECORDED,
            "endpoint": self._to.endpoint,
            "translator": self._to.translator,
            "batch": "",
            "requests": self._batches.cipher.seal(_associated_data(batch), packed),
            "recorded": time.time(),
        }
        with self._database.writing() as connection:
            connection.execute(insert(batches).values(row))
            for request, texts in requests.items():
                record_request(connection, self._run, self._to, request, list(texts))

    def submitted(self, batch: str, provider_id: str) -> None:
        """Store the provider's id of a batch."""
        known = {"status": BatchStatus.SUBMITTED, "batch": provider_id}
        self._database.execute(update(batches).where(batches.c.id == batch).values(known))

    def under_way(self) -> Iterator[StoredBatch]:
        """Return the batches submitted to this translator and not closed, oldest first."""
        at_translator = and_(
            batches.c.endpoint == self._to.endpoint, batches.c.translator == self._to.translator
        )
        return self._batches.read(and_(at_translator, batches.c.status.in_(list(_OPEN))))

    def unwanted(self) -> Iterator[StoredBatch]:
        """Yield the batches at that host that are not closed, and that nobody waits for.

        They were submitted to no translator that the run may ask, or all of their sentences are
        settled.
        """
        at_host = and_(batches.c.endpoint == self._to.endpoint, batches.c.status.in_(list(_OPEN)))
        yield from self._batches.read(and_(at_host, batches.c.translator.not_in(self._known)))
        for batch in self.under_way():
            groups = split_ids(row_id for marks in batch.requests.values() for row_id in marks)
            waits = (_ROW.id.in_(ids) & (_ROW.status == SentenceStatus.SENT) for ids in groups)
            if not any(self._database.rows(select(_ROW.id).where(w).limit(1)) for w in waits):
                yield batch

    def texts(self, batch: str) -> dict[str, dict[str, str]]:
        """Return the text of each sentence by request, for requests whose texts are all as sent."""
        stored = next(self._batches.read(batches.c.id == batch), None)
        marks = stored.requests if stored else {}
        texts: dict[str, str] = {}
        for group in split_ids(row_id for of_request in marks.values() for row_id in of_request):
            query = select(sentences.c.id, sentences.c.encoded).where(
                sentences.c.id.in_(group), sentences.c.encoded.is_not(None)
            )
            rows = self._database.rows(query)
            texts |= {row.id: self._columns.encoding(row).text for row in rows}
        as_sent = {row_id: self.mark(text) for row_id, text in texts.items()}
        return {
            request: {row_id: texts[row_id] for row_id in of_request}
            for request, of_request in marks.items()
            if all(as_sent.get(row_id) == mark for row_id, mark in of_request.items())
        }

    def closed(self, batch: str, failure: str) -> None:
        """Close a batch; ``failure`` is recorded for its requests without an answer."""
        stored = next(self._batches.read(batches.c.id == batch), None)
        with self._database.writing() as connection:
            for ids in split_ids(stored.requests if stored else ()):
                unanswered = and_(requests.c.id.in_(ids), requests.c.status == UNANSWERED)
                connection.execute(update(requests).where(unanswered).values(status=failure[:40]))
            connection.execute(
                update(batches).where(batches.c.id == batch).values(status=BatchStatus.COLLECTED)
            )

    def leftovers(self) -> Iterator[StoredBatch]:
        """Return the closed batches of which that host may keep something."""
        closed = batches.c.status == BatchStatus.COLLECTED
        return self._batches.read(and_(batches.c.endpoint == self._to.endpoint, closed))

    def forgotten(self, batch: str) -> None:
        """Delete the row of a batch of which nobody keeps anything."""
        self._database.execute(delete(batches).where(batches.c.id == batch))


def _associated_data(batch: str) -> str:
    return f"batches.requests:{batch}"
