"""Overview of a state store in counts and times: read without its key, and without any text.

Entry: ``read_overview``, of the whole store; ``read_progress``, of one run while it works.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Table, func, select

from prism_core.state.schema import (
    SCHEMA_VERSION,
    BatchStatus,
    DocumentStatus,
    SentenceStatus,
    batches,
    count_by_status,
    count_empty,
    documents,
    identifiers,
    requests,
    runs,
    sentences,
)

_RUNS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class RunOverview:
    """Overview of a run; ``finished`` is None when it was cut short.

    Times are in seconds since the epoch. ``outcome`` is ``complete`` or the class of the error that
    stopped it.
    """

    id: str
    stage: str
    started: float
    finished: float | None
    outcome: str
    requests: int
    characters: int


@dataclass(frozen=True, slots=True)
class Overview:
    """Overview of a store at one moment.

    ``place`` is the file, or the schema of a PostgreSQL database. ``documents``, ``sentences`` and
    ``requests`` count by status; ``runs`` are the last ones, latest first, of ``runs_known``;
    ``batches`` counts those that a provider works on.
    """

    place: str
    bytes: int
    version: int
    documents: Mapping[DocumentStatus, int]
    sentences: Mapping[SentenceStatus, int]
    requests: Mapping[str, int]
    identifiers: int
    batches: int
    runs: tuple[RunOverview, ...]
    runs_known: int

    @property
    def documents_waiting(self) -> int:
        """Number of documents that the next run will have to read or write."""
        return sum(n for status, n in self.documents.items() if status.is_waiting)

    @property
    def documents_translated(self) -> int:
        """Number of documents that the next run will skip when nothing has changed."""
        return sum(n for status, n in self.documents.items() if status.is_translated)

    @property
    def sentences_waiting(self) -> int:
        """Number of sentences to be encoded, answered or decoded, or tried again."""
        return sum(
            n
            for status, n in self.sentences.items()
            if status.is_pending or status is SentenceStatus.FAILED
        )

    @property
    def sentences_in_flight(self) -> int:
        """Number of sentences that were sent and not decoded: they are paid for, or may be."""
        in_flight = (SentenceStatus.SENT, SentenceStatus.ANSWERED, SentenceStatus.FAILED)
        return sum(self.sentences.get(status, 0) for status in in_flight)


def read_overview(connection: Connection, place: str, size: int) -> Overview:
    """Read the overview of the store at ``place``, of ``size`` bytes."""
    open_batches = select(func.count()).where(batches.c.status != BatchStatus.COLLECTED)
    count, characters = func.count().label("n"), func.sum(requests.c.characters).label("characters")
    sent = select(requests.c.run, count, characters).group_by(requests.c.run).subquery()
    columns: list[Any] = [runs.c[n] for n in ("id", "stage", "started", "finished", "outcome")]
    last_runs: Any = (
        select(*columns, func.coalesce(sent.c.n, 0), func.coalesce(sent.c.characters, 0))
        .outerjoin(sent, sent.c.run == runs.c.id)
        .order_by(runs.c.started.desc(), runs.c.id)
        .limit(_RUNS_SHOWN)
    )
    return Overview(
        place=place,
        bytes=size,
        version=SCHEMA_VERSION,
        documents=count_by_status(connection, documents, DocumentStatus),
        sentences=count_by_status(connection, sentences, SentenceStatus),
        requests=count_by_status(connection, requests, str),
        identifiers=_count_rows(connection, identifiers),
        batches=connection.execute(open_batches).scalar_one(),
        runs=tuple(RunOverview(*row) for row in connection.execute(last_runs)),
        runs_known=_count_rows(connection, runs),
    )


def _count_rows(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a run at one moment.

    ``documents_read`` counts documents whose sentences are known: ``sentences_total`` is final once
    it equals ``documents_total``. Sentences are counted once each, however often they occur.
    ``seconds`` counts from the run's start.
    """

    stage: str = ""
    documents_total: int = 0
    documents_read: int = 0
    documents_done: int = 0
    documents_failed: int = 0
    sentences_total: int = 0
    sentences_answered: int = 0
    sentences_done: int = 0
    requests: int = 0
    characters: int = 0
    seconds: float = 0.0


def read_progress(connection: Connection, run: str) -> Progress:
    """Read the progress of ``run``; everything is zero before it has begun."""
    run_row = connection.execute(select(runs).where(runs.c.id == run)).first()
    if run_row is None:
        return Progress()
    by_document = count_by_status(connection, documents, DocumentStatus, run)
    by_sentence = count_by_status(connection, sentences, SentenceStatus, run)
    sent = connection.execute(
        select(func.count(), func.coalesce(func.sum(requests.c.characters), 0)).where(
            requests.c.run == run
        )
    ).one()
    present = {status: n for status, n in by_document.items() if not status.is_absent}
    total = sum(present.values())
    return Progress(
        stage=run_row.stage,
        documents_total=total,
        documents_read=total - by_document.get(DocumentStatus.FOUND, 0),
        documents_done=sum(n for status, n in present.items() if not status.is_waiting),
        documents_failed=by_document.get(DocumentStatus.FAILED, 0) - count_empty(connection, run),
        sentences_total=sum(by_sentence.values()),
        sentences_answered=by_sentence.get(SentenceStatus.ANSWERED, 0),
        sentences_done=sum(n for status, n in by_sentence.items() if not status.is_pending),
        requests=sent[0],
        characters=sent[1],
        seconds=(run_row.finished or time.time()) - run_row.started,
    )
