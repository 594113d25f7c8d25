"""What documents that are long done left in a state store, and how it is destroyed.

Deleted rows are overwritten and the file is written anew without them; in PostgreSQL the tables
are. The data keys of runs of which nothing is left are destroyed too. What a file system, a disk or
a backup keeps of old content, nobody here can reach: there it stays sealed, and can be opened by
whoever also has the key.

Nothing here needs the user's key: a value says by its first bytes under which data key it is.

Entry: ``delete_old``; ``old_material`` and ``run_keys`` say before what is there;
``delete_document`` deletes what a single one left.
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
    """What a purge of old documents destroys: of ``documents``, the mappings, answers and
    translations of ``sentences``. ``shared`` sentences of theirs stay: others need them too."""

    documents: int
    sentences: int
    shared: int


@dataclass(frozen=True, slots=True)
class RunKey:
    """The data key of a run: when it was made, and of how many sentences it seals the text."""

    run: str
    made: float
    sentences: int


def run_keys(connection: Connection) -> list[RunKey]:
    """The data keys of runs, oldest first."""
    of_run = data_keys.c.purpose == Purpose.RUN
    keys = {row.number: row for row in connection.execute(select(data_keys).where(of_run))}
    counts = _counts(connection, sentences.c.annotated, keys)
    found = (RunKey(row.run, row.made, counts.get(n, 0)) for n, row in keys.items())
    return sorted(found, key=lambda key: key.made)


def old_material(connection: Connection, before: float) -> OldMaterial:
    """What ``delete_old`` would delete."""
    links = document_sentences
    doomed = select(documents.c.id).where(_finished_before(before))
    theirs = select(links.c.sentence).where(links.c.document.in_(doomed))
    needed = select(links.c.sentence).where(links.c.document.not_in(doomed))
    shared = select(sentences.c.id).where(sentences.c.id.in_(theirs), sentences.c.id.in_(needed))
    kept = needed.union_all(_decoys_of_others(doomed))
    gone = select(sentences.c.id).where(sentences.c.id.not_in(kept))
    counts = (select(func.count()).select_from(q.subquery()) for q in (doomed, gone, shared))
    return OldMaterial(*(connection.execute(query).scalar_one() for query in counts))


def delete_old(connection: Connection, before: float) -> OldMaterial:
    """Delete what documents that were finished ``before`` a time (seconds since the epoch) left in
    the store, what was reviewed before it, and the data keys of runs of which nothing is left then;
    gives what that was."""
    found = old_material(connection, before)
    old = _finished_before(before)
    doomed = select(documents.c.id).where(old)
    links = document_sentences
    for table in (links, contexts):
        connection.execute(delete(table).where(table.c.document.in_(doomed)))
    needed = select(links.c.sentence).union_all(_decoys_of_others(doomed))
    connection.execute(delete(sentences).where(sentences.c.id.not_in(needed)))
    connection.execute(update(documents).where(old).values(layout=None))
    connection.execute(delete(reviews).where(reviews.c.reviewed < before))
    delete_unused_keys(connection)
    return found


def only_of(document: str, link: ColumnElement[str]) -> Select[tuple[str]]:
    """The ids in the column ``link`` (of a sentence, or an identifier) of no document but this."""
    links, others = link.table, link.table.alias()
    shared = exists().where(others.c[link.name] == link, others.c.document != document)
    return select(link).where(links.c.document == document, ~shared)


def delete_document(
    connection: Connection, document: str, only: Iterable[str], reviewed: Iterable[str]
) -> None:
    """Delete the sentences ``only`` it has, the identifiers and names of files of no document but
    ``document``, its decoys, and the ``reviewed`` sentences, by the ids of their reviews."""
    link = document_identifiers.c.identifier
    forms = connection.execute(only_of(document, link)).scalars().all()
    theirs = select(decoys.c.id).where(decoys.c.document == document)
    made_up = connection.execute(theirs).scalars()
    for links in (document_sentences, document_identifiers, contexts, outputs):
        connection.execute(delete(links).where(links.c.document == document))
    doomed = {sentences: {*only, *made_up}, identifiers: forms, reviews: reviewed}
    for owner, every in doomed.items():
        for ids in split_ids(every):
            connection.execute(delete(owner).where(owner.c.id.in_(ids)))


def delete_unused_keys(connection: Connection) -> None:
    """Delete the data keys of runs of which nothing is left."""
    numbers = set(
        connection.execute(
            select(data_keys.c.number).where(data_keys.c.purpose == Purpose.RUN)
        ).scalars()
    )
    for column in (documents.c.layout, *_SEALED):
        numbers -= _counts(connection, column, numbers).keys()
    connection.execute(delete(data_keys).where(data_keys.c.number.in_(numbers)))


def _finished_before(before: float) -> ColumnElement[bool]:
    return and_(
        documents.c.status.in_(list(_SETTLED)),
        documents.c.retry == 0,
        documents.c.layout.is_not(None),
        documents.c.finished < before,
    )


def _decoys_of_others(doomed: Select[tuple[str]]) -> Select[tuple[str]]:
    return select(decoys.c.id).where(decoys.c.document.not_in(doomed))


def _counts(
    connection: Connection, column: ColumnElement[bytes], numbers: Iterable[int]
) -> dict[int, int]:
    """How many values of ``column`` each of these keys sealed, if any: one look at the table."""
    first = func.substr(column, _FIRST, _LENGTH, type_=LargeBinary)
    query = select(first, func.count()).where(first.in_([header(number) for number in numbers]))
    rows = connection.execute(query.group_by(first))
    return {int.from_bytes(begin): count for begin, count in rows}
