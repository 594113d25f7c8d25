"""What a state store holds, in counts and times: read without its key, and without any text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Table, func, inspect, select

from prism_core.errors import ConfigurationError
from prism_core.state.copying import has_state
from prism_core.state.database import DATABASE_NAME, open_database
from prism_core.state.postgres import has_schema_file
from prism_core.state.schema import (
    PENDING,
    BatchStatus,
    DocumentStatus,
    SentenceStatus,
    batches,
    documents,
    identifiers,
    meta,
    requests,
    runs,
    sentences,
)
from prism_core.state.unlocking import check_not_empty

_RUNS_SHOWN = 10


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


def check_has_state(folder: Path, url: str | None) -> None:
    """Raise ``ConfigurationError`` unless there is a store where the settings say it is."""
    check_not_elsewhere(folder, url)
    if not has_state(folder, url):
        raise ConfigurationError(
            f"{folder.parent} holds no state: nothing was translated into it, or it was purged"
        )


def check_not_elsewhere(folder: Path, url: str | None) -> None:
    """Raise ``ConfigurationError`` when there is no store where the settings say, but elsewhere.

    A new one would send every sentence again, in a fresh encoding that can be compared.
    """
    if has_state(folder, url):
        return
    if url is None and has_schema_file(folder):
        raise ConfigurationError(
            f"the state of {folder.parent} is in a PostgreSQL database; give the settings that "
            "name it: --settings prism.toml, or PRISM_STATE__URL"
        )
    if url is not None and has_state(folder, None):
        raise ConfigurationError(
            f"the state of {folder.parent} is in {folder / DATABASE_NAME}, and state.url names a "
            "database: leave state.url out, or choose another output folder"
        )


def read_overview(folder: Path, url: str | None) -> Overview:
    """The store of the output folder whose state folder is ``folder``; nothing is changed.

    Raises ``ConfigurationError`` when there is none, or ``StateError``.
    """
    check_has_state(folder, url)
    database = open_database(folder, url, read_only=True)
    try:
        with database.reading() as connection:
            check_not_empty(connection, meta)
            size = _bytes_of_schema(connection) if database.schema else _bytes_of_files(folder)
            place = f"schema {database.schema}" if database.schema else str(folder / DATABASE_NAME)
            return Overview(
                place=place,
                bytes=size,
                version=stored_version(connection),
                documents=_by_status(connection, documents),
                sentences=_by_status(connection, sentences),
                requests=_by_status(connection, requests),
                identifiers=_count(connection, identifiers),
                batches=_batches(connection),
                runs=_last_runs(connection),
                runs_known=_count(connection, runs),
            )
    finally:
        database.close()


def stored_version(connection: Connection) -> int:
    """The version that the store says it has; 0 when it says none."""
    query = select(meta.c.value).where(meta.c.name == "schema_version")
    return int(connection.execute(query).scalar() or b"0")


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


def _by_status(connection: Connection, table: Table) -> dict[str, int]:
    query = select(table.c.status, func.count()).group_by(table.c.status)
    return {str(status): count for status, count in connection.execute(query)}


def _batches(connection: Connection) -> int:
    """None in a store of an earlier version, which has no such table."""
    if not inspect(connection).has_table(batches.name):
        return 0
    open_ones = batches.c.status != BatchStatus.COLLECTED
    query = select(func.count()).select_from(batches).where(open_ones)
    return connection.execute(query).scalar_one()


def _count(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


def _bytes_of_files(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob(f"{DATABASE_NAME}*"))


def _bytes_of_schema(connection: Connection) -> int:
    query = (
        "SELECT COALESCE(SUM(pg_total_relation_size(oid)), 0) FROM pg_class "
        "WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
    )
    return int(connection.exec_driver_sql(query).scalar_one())
