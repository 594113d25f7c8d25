"""Purge of what finished documents left in a state store.

Deleted rows are overwritten and the file is written anew without them; in PostgreSQL the tables
are. The data keys of runs of which nothing is left are destroyed too. Old content that a file
system, a disk or a backup keeps cannot be reached from here: it stays sealed there, and can be
opened by anybody who also has the key.

Nothing here needs the user's key: the first bytes of a value name its data key.

Entry: ``delete_old``; ``old_material`` reports beforehand what is there; ``delete_document`` deals
with what a single one left.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import (
    ColumnElement,
    Connection,
    LargeBinary,
    Select,
    and_,
    delete,
    exists,
    func,
    literal_column,
    select,
    update,
)

from prism_core.cipher import HEADER_BYTES, header
from prism_core.state.data_keys import Purpose
from prism_core.state.database import split_ids
from prism_core.state.schema import (
    DocumentStatus,
    Sealed,
    contexts,
    data_keys,
    decoys,
    document_identifiers,
    document_sentences,
    documents,
    identifiers,
    outputs,
    reviews,
    sentences,
)

_SEALED = [column for column in sentences.columns if isinstance(column.type, Sealed)]
_FIRST: ColumnElement[int] = literal_column("1")
_LENGTH: ColumnElement[int] = literal_column(str(HEADER_BYTES))
_SETTLED = (
    DocumentStatus.WRITTEN,
    DocumentStatus.UNCHANGED,
    DocumentStatus.FAILED,
    DocumentStatus.GONE,
    DocumentStatus.RENAMED,
)


@dataclass(frozen=True, slots=True)
class OldMaterial:
    """Extent of a purge: the mappings, answers and translations of ``sentences`` of ``documents``.

    ``shared`` sentences of theirs stay, because other documents need them too.
    """

    documents: int
    sentences: int
    shared: int


def old_material(connection: Connection, before: float) -> OldMaterial:
    """Count what ``delete_old`` would delete."""
    links = document_sentences
    doomed = select(documents.c.id).where(_is_finished_before(before))
    own_decoys = select(links.c.sentence).where(links.c.document.in_(doomed))
    needed = select(links.c.sentence).where(links.c.document.not_in(doomed))
    shared = select(sentences.c.id).where(
        sentences.c.id.in_(own_decoys), sentences.c.id.in_(needed)
    )
    kept = needed.union_all(_select_other_decoys(doomed))
    gone = select(sentences.c.id).where(sentences.c.id.not_in(kept))
    counts = (select(func.count()).select_from(q.subquery()) for q in (doomed, gone, shared))
    return OldMaterial(*(connection.execute(query).scalar_one() for query in counts))


def delete_old(connection: Connection, before: float) -> OldMaterial:
    """Delete what documents finished ``before`` a time left in the store; return its extent.

    ``before`` is in seconds since the epoch. Reviews from before it are deleted too, and then the
    data keys of runs of which nothing is left.
    """
    found = old_material(connection, before)
    old = _is_finished_before(before)
    doomed = select(documents.c.id).where(old)
    links = document_sentences
    for table in (links, contexts):
        connection.execute(delete(table).where(table.c.document.in_(doomed)))
    needed = select(links.c.sentence).union_all(_select_other_decoys(doomed))
    connection.execute(delete(sentences).where(sentences.c.id.not_in(needed)))
    connection.execute(update(documents).where(old).values(layout=None))
    connection.execute(delete(reviews).where(reviews.c.reviewed < before))
    delete_unused_keys(connection)
    return found


def select_exclusive(document: str, link: ColumnElement[str]) -> Select[tuple[str]]:
    """Select the ids in column ``link`` that belong to ``document`` alone.

    ``link`` holds the id of a sentence or an identifier.
    """
    links, others = link.table, link.table.alias()
    shared = exists().where(others.c[link.name] == link, others.c.document != document)
    return select(link).where(links.c.document == document, ~shared)


def delete_document(
    connection: Connection, document: str, only: Iterable[str], reviewed: Iterable[str]
) -> None:
    """Delete what ``document`` left, except what other documents need.

    Deleted are the sentences ``only`` it has, its own identifiers and names of files, its decoys,
    and the ``reviewed`` sentences, by the ids of their reviews.
    """
    link = document_identifiers.c.identifier
    forms = connection.execute(select_exclusive(document, link)).scalars().all()
    own_decoys = select(decoys.c.id).where(decoys.c.document == document)
    decoy_ids = connection.execute(own_decoys).scalars()
    for links in (document_sentences, document_identifiers, contexts, outputs):
        connection.execute(delete(links).where(links.c.document == document))
    doomed = {sentences: {*only, *decoy_ids}, identifiers: forms, reviews: reviewed}
    for table, row_ids in doomed.items():
        for ids in split_ids(row_ids):
            connection.execute(delete(table).where(table.c.id.in_(ids)))


def delete_unused_keys(connection: Connection) -> None:
    """Delete the data keys of runs of which nothing is left."""
    of_run = select(data_keys.c.number).where(data_keys.c.purpose == Purpose.RUN)
    unused = set(connection.execute(of_run).scalars())
    for column in (documents.c.layout, *_SEALED):  # one scan of the table for each
        first = func.substr(column, _FIRST, _LENGTH, type_=LargeBinary)
        used = select(first).where(first.in_([header(number) for number in unused])).distinct()
        unused -= {int.from_bytes(begin) for begin in connection.execute(used).scalars()}
    connection.execute(delete(data_keys).where(data_keys.c.number.in_(unused)))


def _is_finished_before(before: float) -> ColumnElement[bool]:
    return and_(
        documents.c.status.in_(list(_SETTLED)),
        documents.c.retry == 0,
        documents.c.layout.is_not(None),
        documents.c.finished < before,
    )


def _select_other_decoys(doomed: Select[tuple[str]]) -> Select[tuple[str]]:
    return select(decoys.c.id).where(decoys.c.document.not_in(doomed))
