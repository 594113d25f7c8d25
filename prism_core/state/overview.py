"""What a state store holds, in counts and times: read without its key, and without any text.

Entry: ``read_overview``, of the whole store; ``read_progress``, of one run while it works.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, Table, func, select

from prism_core.errors import StateError
from prism_core.settings import Job
from prism_core.state.database import DATABASE_NAME, viewed
from prism_core.state.places import check_has_state
from prism_core.state.postgres import schema_of
from prism_core.state.schema import (
    PENDING,
    SCHEMA_VERSION,
    TRANSLATED,
    BatchStatus,
    DocumentStatus,
    SentenceStatus,
    batches,
    decoys,
    documents,
    identifiers,
    requests,
    runs,
    sentences,
)

_RUNS_SHOWN = 10
_SETTLED_DOCUMENTS = (DocumentStatus.WRITTEN, DocumentStatus.UNCHANGED, DocumentStatus.FAILED)
_SETTLED_SENTENCES = (
    *TRANSLATED,
    SentenceStatus.WITHHELD,
    SentenceStatus.FAILED,
    SentenceStatus.REFUSED,
)


@dataclass(frozen=True, slots=True)
class RunOverview:
    """A run: times in seconds since the epoch; ``finished`` is None when it was cut short.

    ``outcome`` is ``complete`` or the class of the error that stopped it.
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
    """A store at one moment. ``place`` is the file, or the schema of a PostgreSQL database.

    ``documents``, ``sentences`` and ``requests`` count by status; ``runs`` are the last ones,
    latest first, of ``runs_known``; ``batches`` are those that a provider works on.
    """

    place: str
    bytes: int
    version: int
    documents: Mapping[str, int]
    sentences: Mapping[str, int]
    requests: Mapping[str, int]
    identifiers: int
    batches: int
    runs: tuple[RunOverview, ...]
    runs_known: int

    @property
    def documents_waiting(self) -> int:
        """Documents that the next run will have to read or write."""
        return self._documents(DocumentStatus.FOUND, DocumentStatus.READ)

    @property
    def documents_translated(self) -> int:
        """Documents that the next run will skip when nothing has changed."""
        return self._documents(DocumentStatus.WRITTEN, DocumentStatus.UNCHANGED)

    @property
    def sentences_waiting(self) -> int:
        """Sentences that are not settled: to be encoded, answered or decoded, or tried again."""
        waiting = (*PENDING, SentenceStatus.FAILED)
        return sum(self.sentences.get(status, 0) for status in waiting)

    @property
    def sentences_in_flight(self) -> int:
        """Sentences that were sent and not decoded: they are paid for, or may be."""
        return sum(
            self.sentences.get(status, 0)
            for status in (SentenceStatus.SENT, SentenceStatus.ANSWERED, SentenceStatus.FAILED)
        )

    def _documents(self, *statuses: DocumentStatus) -> int:
        return sum(self.documents.get(status, 0) for status in statuses)


def read_overview(folder: Path, url: str | None) -> Overview:
    """The store of the output folder whose state folder is ``folder``; nothing is changed.

    Raises ``ConfigurationError`` when there is none, or ``StateError``.
    """
    check_has_state(folder, url)
    with viewed(folder, url) as connection:
        if url is None:
            place = str(folder / DATABASE_NAME)
            size = sum(path.stat().st_size for path in folder.glob(f"{DATABASE_NAME}*"))
        else:
            place = f"schema {schema_of(folder)}"
            size = int(connection.exec_driver_sql(_BYTES_OF_SCHEMA).scalar_one())
        open_batches = select(func.count()).where(batches.c.status != BatchStatus.COLLECTED)
        return Overview(
            place=place,
            bytes=size,
            version=SCHEMA_VERSION,
            documents=_by_status(connection, documents),
            sentences=_by_status(connection, sentences),
            requests=_by_status(connection, requests),
            identifiers=_count(connection, identifiers),
            batches=connection.execute(open_batches).scalar_one(),
            runs=_last_runs(connection),
            runs_known=_count(connection, runs),
        )


_BYTES_OF_SCHEMA = (
    "SELECT COALESCE(SUM(pg_total_relation_size(oid)), 0) FROM pg_class "
    "WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
)


def _last_runs(connection: Connection) -> tuple[RunOverview, ...]:
    sent = (
        select(
            requests.c.run,
            func.count().label("requests"),
            func.sum(requests.c.characters).label("characters"),
        )
        .group_by(requests.c.run)
        .subquery()
    )
    query = (
        select(runs, sent.c.requests, sent.c.characters)
        .outerjoin(sent, sent.c.run == runs.c.id)
        .order_by(runs.c.started.desc(), runs.c.id)
        .limit(_RUNS_SHOWN)
    )
    return tuple(
        RunOverview(
            id=row.id,
            stage=row.stage,
            started=row.started,
            finished=row.finished,
            outcome=row.outcome,
            requests=row.requests or 0,
            characters=row.characters or 0,
        )
        for row in connection.execute(query)
    )


def _by_status(
    connection: Connection, table: Table, *wanted: ColumnElement[bool]
) -> dict[str, int]:
    """Rows by status; those of one run from indexes alone."""
    query = select(table.c.status, func.count()).where(*wanted).group_by(table.c.status)
    return {str(status): count for status, count in connection.execute(query)}


def _count(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


@dataclass(frozen=True, slots=True)
class Progress:
    """A run at one moment.

    ``documents_read`` counts those whose sentences are known, so that ``sentences_total`` is final
    once it equals ``documents_total``. Sentences are counted once each, however often they occur.
    ``seconds`` since the run began.
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


def read_progress(job: Job) -> Progress:
    """The progress of ``job``, which may be running in another thread or process.

    Opens a connection of its own that cannot write, and closes it: cheap enough for twice a
    second. Before the run has made its store, or when the store is busy, everything is zero.
    """
    url = job.settings.state.url
    if url is None and not (job.state_folder / DATABASE_NAME).exists():
        return Progress()
    try:
        with viewed(job.state_folder, url) as connection:
            return _progress(connection, job.run_id)
    except StateError:  # it is being made, or its first transaction is not over
        return Progress()


def _progress(connection: Connection, run: str) -> Progress:
    run_row = connection.execute(select(runs).where(runs.c.id == run)).first()
    if run_row is None:
        return Progress()
    by_document = _by_status(connection, documents, documents.c.run == run)
    own = sentences.c.id.not_in(select(decoys.c.id))
    by_sentence = _by_status(connection, sentences, sentences.c.run == run, own)
    sent = connection.execute(
        select(func.count(), func.coalesce(func.sum(requests.c.characters), 0)).where(
            requests.c.run == run
        )
    ).one()
    total = sum(by_document.values())
    return Progress(
        stage=run_row.stage,
        documents_total=total,
        documents_read=total - by_document.get(DocumentStatus.FOUND, 0),
        documents_done=sum(by_document.get(status, 0) for status in _SETTLED_DOCUMENTS),
        documents_failed=by_document.get(DocumentStatus.FAILED, 0),
        sentences_total=sum(by_sentence.values()),
        sentences_answered=by_sentence.get(SentenceStatus.ANSWERED, 0),
        sentences_done=sum(by_sentence.get(status, 0) for status in _SETTLED_SENTENCES),
        requests=sent[0],
        characters=sent[1],
        seconds=(run_row.finished or time.time()) - run_row.started,
    )
