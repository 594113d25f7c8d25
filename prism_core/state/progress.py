"""How far a run has come, read from the store beside it, without its key and without waiting."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Table, func, select

from prism_core.errors import StateError
from prism_core.settings.job import Job
from prism_core.state.database import DATABASE_NAME, open_database
from prism_core.state.schema import (
    DocumentStatus,
    SentenceStatus,
    decoys,
    documents,
    requests,
    runs,
    sentences,
)

_SETTLED_DOCUMENTS = (DocumentStatus.WRITTEN, DocumentStatus.UNCHANGED, DocumentStatus.FAILED)
_SETTLED_SENTENCES = (
    SentenceStatus.DONE,
    SentenceStatus.WITHHELD,
    SentenceStatus.FAILED,
    SentenceStatus.REFUSED,
)


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
        database = open_database(job.state_folder, url, read_only=True)
        try:
            with database.reading() as connection:
                return _read(connection, job.run_id)
        finally:
            database.close()
    except StateError:  # it is being made, or its first transaction is not over
        return Progress()


def _read(connection: Connection, run: str) -> Progress:
    run_row = connection.execute(select(runs).where(runs.c.id == run)).first()
    if run_row is None:
        return Progress()
    by_document = _counts(connection, documents, run)
    by_sentence = _counts(connection, sentences, run, sentences.c.id.not_in(select(decoys.c.id)))
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


def _counts(
    connection: Connection, table: Table, run: str, *wanted: ColumnElement[bool]
) -> dict[str, int]:
    """Rows of ``run`` by status, from indexes alone."""
    query = select(table.c.status, func.count()).where(table.c.run == run, *wanted)
    rows = connection.execute(query.group_by(table.c.status)).all()
    return {row[0]: row[1] for row in rows}
