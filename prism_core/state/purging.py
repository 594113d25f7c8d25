"""Destroys what a state store keeps: all of it, or what documents that are long done left there.

Deleted rows are overwritten and the file is written anew without them; in PostgreSQL the tables
are. The data keys of runs of which nothing is left are destroyed too. What a file system, a disk or
a backup keeps of old content, nobody here can reach: there it stays sealed, and can be opened by
whoever also has the key.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, Select, and_, delete, func, select, update

from prism_core.state.database import DATABASE_NAME, open_database
from prism_core.state.migrations import check_version
from prism_core.state.overview import stored_version
from prism_core.state.overwriting import overwrite_and_remove
from prism_core.state.postgres import forget_schema
from prism_core.state.schema import (
    SCHEMA_VERSION,
    DocumentStatus,
    decoys,
    document_sentences,
    documents,
    sentences,
)
from prism_core.state.shredding import drop_unused

_DAY = 86_400.0
_SETTLED = (DocumentStatus.WRITTEN, DocumentStatus.UNCHANGED, DocumentStatus.FAILED)


@dataclass(frozen=True, slots=True)
class OldMaterial:
    """What a purge of old documents destroys: of ``documents``, the mappings, answers and
    translations of ``sentences``. ``shared`` sentences of theirs stay: others need them too."""

    documents: int
    sentences: int
    shared: int


def old_material(folder: Path, url: str | None, days: float) -> OldMaterial:
    """What ``purge_old`` would destroy; nothing is changed."""
    database = open_database(folder, url, read_only=True)
    try:
        with database.reading() as connection:
            return _old_material(connection, _finished_before(days))
    finally:
        database.close()


def purge_old(folder: Path, url: str | None, days: float) -> OldMaterial:
    """Destroy what documents that were finished more than ``days`` ago left in the store.

    Of each document its keyed hashes and sealed paths stay, by which it is skipped while it is
    unchanged: to forget them would send everything again. Documents that wait, or are to be tried
    again, keep everything. Call it while ``exclusive`` is held.
    """
    database = open_database(folder, url)
    try:
        with database.writing() as connection:
            check_version(stored_version(connection), SCHEMA_VERSION, {})
            old = _finished_before(days)
            found = _old_material(connection, old)
            doomed = select(documents.c.id).where(old)
            links = document_sentences
            connection.execute(delete(links).where(links.c.document.in_(doomed)))
            needed = select(links.c.sentence).union_all(_decoys_of_others(doomed))
            connection.execute(delete(sentences).where(sentences.c.id.not_in(needed)))
            connection.execute(update(documents).where(old).values(layout=None))
            drop_unused(connection)
        database.rewrite()
        return found
    finally:
        database.close()


def purge_all(folder: Path, url: str | None) -> None:
    """Destroy the whole store, the salt of its keys included; works without its key, and on a store
    that is damaged. Call it while ``exclusive`` is held."""
    if url is None:
        for path in sorted(folder.glob(f"{DATABASE_NAME}*")):
            overwrite_and_remove(path)
        return
    database = open_database(folder, url)
    try:
        with database.writing() as connection:
            connection.exec_driver_sql(f"DROP SCHEMA {database.schema} CASCADE")
    finally:
        database.close()
    forget_schema(folder)


def _finished_before(days: float) -> ColumnElement[bool]:
    return and_(
        documents.c.status.in_(list(_SETTLED)),
        documents.c.retry == 0,
        documents.c.layout.is_not(None),
        documents.c.finished < time.time() - days * _DAY,
    )


def _old_material(connection: Connection, old: ColumnElement[bool]) -> OldMaterial:
    links = document_sentences
    doomed = select(documents.c.id).where(old)
    theirs = select(links.c.sentence).where(links.c.document.in_(doomed))
    needed = select(links.c.sentence).where(links.c.document.not_in(doomed))
    shared = select(sentences.c.id).where(sentences.c.id.in_(theirs), sentences.c.id.in_(needed))
    kept = needed.union_all(_decoys_of_others(doomed))
    gone = select(sentences.c.id).where(sentences.c.id.not_in(kept))
    return OldMaterial(
        documents=_rows(connection, doomed),
        sentences=_rows(connection, gone),
        shared=_rows(connection, shared),
    )


def _decoys_of_others(doomed: Select[tuple[str]]) -> Select[tuple[str]]:
    return select(decoys.c.id).where(decoys.c.document.not_in(doomed))


def _rows(connection: Connection, query: Select[tuple[str]]) -> int:
    return connection.execute(select(func.count()).select_from(query.subquery())).scalar_one()
