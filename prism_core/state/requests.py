"""The requests to translators: on disk before they are sent, and their answers before use."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import case, insert, select, update

from prism_core.state.cipher import Cipher
from prism_core.state.database import Database
from prism_core.state.schema import SentenceStatus, requests, sentences


@dataclass(frozen=True, slots=True)
class StoredRequest:
    """A row of the table. ``status``: unanswered, answered, rejected or failed. Epoch seconds."""

    id: int
    status: str
    provider: str
    endpoint: str
    texts: int
    characters: int
    attempts: int
    recorded: float
    answered: float | None


class Requests:
    """The table of requests, and what requests do to sentences."""

    def __init__(self, database: Database, cipher: Cipher) -> None:
        self._database = database
        self._cipher = cipher

    def begin(
        self,
        run: str,
        ids: Sequence[str],
        characters: int,
        *,
        provider: str,
        endpoint: str,
        translator: str,
    ) -> int:
        """Record a request for the sentences ``ids``; when this returns it may be sent.

        ``characters`` is the length of their texts, ``translator`` the keyed id of the adapter
        with its settings. A sentence that goes out for the first time in its present encoding
        counts one draw.
        """
        first = case((sentences.c.status == SentenceStatus.ENCODED, 1), else_=0)
        with self._database.writing() as connection:
            result = connection.execute(
                insert(requests).values(
                    run=run,
                    status="unanswered",
                    provider=provider,
                    endpoint=endpoint,
                    texts=len(ids),
                    characters=characters,
                    recorded=time.time(),
                )
            )
            connection.execute(
                update(sentences)
                .where(sentences.c.id.in_(ids))
                .values(
                    status=SentenceStatus.SENT,
                    draws=sentences.c.draws + first,
                    sends=sentences.c.sends + 1,
                    translator=translator,
                )
            )
            primary_key = result.inserted_primary_key
        assert primary_key is not None  # noqa: S101 (SQLAlchemy gives one for a single row)
        return int(primary_key[0])

    def repeat(self, request: int) -> None:
        """Record that the same bytes are about to be sent once more."""
        with self._database.writing() as connection:
            connection.execute(
                update(requests)
                .where(requests.c.id == request)
                .values(attempts=requests.c.attempts + 1)
            )

    def answer(self, request: int, answers: Mapping[str, str]) -> None:
        """Store the answers of a request, by sentence; when this returns they may be used."""
        with self._database.writing() as connection:
            for row_id, text in answers.items():
                plain = text.encode("utf-8", "surrogatepass")
                sealed = self._cipher.seal(f"sentences.answer:{row_id}", plain)
                connection.execute(
                    update(sentences)
                    .where(sentences.c.id == row_id, sentences.c.status == SentenceStatus.SENT)
                    .values(status=SentenceStatus.ANSWERED, answer=sealed)
                )
            connection.execute(
                update(requests)
                .where(requests.c.id == request)
                .values(status="answered", answered=time.time())
            )

    def fail(self, request: int, status: str) -> None:
        """Record that a request ends without answers: ``rejected`` or ``failed``."""
        with self._database.writing() as connection:
            connection.execute(
                update(requests).where(requests.c.id == request).values(status=status)
            )

    def of_run(self, run: str) -> Iterator[StoredRequest]:
        """The requests of ``run`` in the order in which they were recorded."""
        last = 0
        while True:
            query = select(requests).where(requests.c.run == run, requests.c.id > last)
            with self._database.reading() as connection:
                rows = connection.execute(query.order_by(requests.c.id).limit(1000)).all()
            if not rows:
                return
            last = rows[-1].id
            for row in rows:
                yield StoredRequest(
                    id=row.id,
                    status=row.status,
                    provider=row.provider,
                    endpoint=row.endpoint,
                    texts=row.texts,
                    characters=row.characters,
                    attempts=row.attempts,
                    recorded=row.recorded,
                    answered=row.answered,
                )
