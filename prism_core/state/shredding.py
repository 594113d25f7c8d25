"""Destroys data keys of runs, and with them what these runs made of documents.

Nothing here needs the user's key. A value says by its first bytes under which data key it is.
What a copy of the store holds that was made before, the data keys in it included, is out of reach:
it opens with the user's key of that time, until that one is destroyed too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import (
    ColumnElement,
    Connection,
    LargeBinary,
    Select,
    and_,
    delete,
    func,
    inspect,
    literal_column,
    or_,
    select,
    update,
)

from prism_core.cipher import HEADER_BYTES, header
from prism_core.errors import ConfigurationError
from prism_core.state.data_keys import Purpose
from prism_core.state.database import in_batches, open_database
from prism_core.state.migrations import check_version
from prism_core.state.overview import stored_version
from prism_core.state.schema import (
    SCHEMA_VERSION,
    DocumentStatus,
    Sealed,
    SentenceStatus,
    data_keys,
    document_sentences,
    documents,
    sentences,
)

_SEALED = [column for column in sentences.columns if isinstance(column.type, Sealed)]
_FIRST: ColumnElement[int] = literal_column("1")
_LENGTH: ColumnElement[int] = literal_column(str(HEADER_BYTES))
_IN_FLIGHT = (SentenceStatus.SENT, SentenceStatus.ANSWERED, SentenceStatus.FAILED)
_WAITING = (DocumentStatus.FOUND, DocumentStatus.READ)


@dataclass(frozen=True, slots=True)
class RunKey:
    """The data key of a run: when it was made, and of how many sentences it seals the text."""

    run: str
    made: float
    sentences: int


@dataclass(frozen=True, slots=True)
class Shredded:
    """What goes with the data key of a run.

    Of ``sentences``, ``in_flight`` were sent and are not decoded; ``documents`` hold some of them,
    of which ``documents_waiting`` are not written yet.
    """

    sentences: int
    in_flight: int
    documents: int
    documents_waiting: int


def run_keys(folder: Path, url: str | None) -> list[RunKey]:
    """The data keys of runs, oldest first; nothing is changed."""
    database = open_database(folder, url, read_only=True)
    try:
        with database.reading() as connection:
            if not inspect(connection).has_table(data_keys.name):
                return []
            mine = data_keys.c.purpose == Purpose.RUN
            rows = connection.execute(select(data_keys).where(mine).order_by(data_keys.c.made))
            keys = rows.all()
            counts = _counts(connection, sentences.c.annotated, [row.number for row in keys])
            return [RunKey(row.run, row.made, counts.get(row.number, 0)) for row in keys]
    finally:
        database.close()


def would_shred(folder: Path, url: str | None, run: str) -> Shredded:
    """What ``shred`` would destroy; raises ``ConfigurationError`` for a run without a key."""
    database = open_database(folder, url, read_only=True)
    try:
        with database.reading() as connection:
            check_version(stored_version(connection), SCHEMA_VERSION, {})
            return _shredded(connection, _numbers(connection, run))
    finally:
        database.close()


def shred(folder: Path, url: str | None, run: str) -> Shredded:
    """Destroy the data key of ``run``, and every value that it sealed.

    Documents that wait are read again by the next run; those that are done are still skipped while
    they are unchanged. Call it while ``exclusive`` is held.
    """
    database = open_database(folder, url)
    try:
        with database.writing() as connection:
            check_version(stored_version(connection), SCHEMA_VERSION, {})
            numbers = _numbers(connection, run)
            found = _shredded(connection, numbers)
            _delete(connection, numbers)
            connection.execute(delete(data_keys).where(data_keys.c.number.in_(numbers)))
        database.rewrite()
        return found
    finally:
        database.close()


def drop_unused(connection: Connection) -> int:
    """Destroy the data keys of runs of which nothing is left; how many."""
    query = select(data_keys.c.number).where(data_keys.c.purpose == Purpose.RUN)
    numbers = list(connection.execute(query).scalars())
    used = {
        number
        for column in (documents.c.layout, *_SEALED)
        for number in _counts(connection, column, numbers)
    }
    unused = [number for number in numbers if number not in used]
    connection.execute(delete(data_keys).where(data_keys.c.number.in_(unused)))
    return len(unused)


def _numbers(connection: Connection, run: str) -> list[int]:
    """The numbers of the run's data keys: one, or two while all is encrypted anew."""
    named = and_(data_keys.c.run == run, data_keys.c.run != "")
    numbers = list(connection.execute(select(data_keys.c.number).where(named)).scalars())
    if not numbers:
        raise ConfigurationError(
            f"there is no data key of a run {run}; prism key show OUT lists those there are"
        )
    return numbers


def _delete(connection: Connection, numbers: Sequence[int]) -> None:
    links, gone = document_sentences, _ids(numbers)
    touched = list(connection.execute(select(documents.c.id).where(_touched(numbers))).scalars())
    waiting = documents.c.status == DocumentStatus.READ
    for ids in in_batches(touched):
        these = documents.c.id.in_(ids)
        again = update(documents).where(these, waiting)
        connection.execute(again.values(status=DocumentStatus.FOUND))
        connection.execute(update(documents).where(these).values(layout=None))
        connection.execute(delete(links).where(links.c.document.in_(ids)))
    connection.execute(delete(sentences).where(sentences.c.id.in_(gone)))


def _shredded(connection: Connection, numbers: Sequence[int]) -> Shredded:
    sealed, touched = _sealed_with(numbers), _touched(numbers)
    waiting = documents.c.status.in_(_WAITING)
    in_documents = select(func.count()).select_from(documents).where(touched)
    return Shredded(
        sentences=_count(connection, sealed),
        in_flight=_count(connection, and_(sealed, sentences.c.status.in_(_IN_FLIGHT))),
        documents=connection.execute(in_documents).scalar_one(),
        documents_waiting=connection.execute(in_documents.where(waiting)).scalar_one(),
    )


def _touched(numbers: Sequence[int]) -> ColumnElement[bool]:
    """Documents whose layout is sealed with one of these keys, or one of whose sentences is."""
    links = document_sentences
    holding = select(links.c.document).where(links.c.sentence.in_(_ids(numbers)))
    return or_(_begins(documents.c.layout, numbers), documents.c.id.in_(holding))


def _ids(numbers: Sequence[int]) -> Select[tuple[str]]:
    return select(sentences.c.id).where(_sealed_with(numbers))


def _sealed_with(numbers: Sequence[int]) -> ColumnElement[bool]:
    """Sentences of which any value is sealed with one of these keys."""
    return or_(*(_begins(column, numbers) for column in _SEALED))


def _begins(column: ColumnElement[bytes], numbers: Iterable[int]) -> ColumnElement[bool]:
    return _header(column).in_([header(number) for number in numbers])


def _counts(
    connection: Connection, column: ColumnElement[bytes], numbers: Sequence[int]
) -> dict[int, int]:
    """How many values of ``column`` each of these keys sealed, if any: one look at the table."""
    query = select(_header(column), func.count()).where(_begins(column, numbers))
    rows = connection.execute(query.group_by(_header(column)))
    return {int.from_bytes(first): count for first, count in rows}


def _header(column: ColumnElement[bytes]) -> ColumnElement[bytes]:
    return func.substr(column, _FIRST, _LENGTH, type_=LargeBinary)


def _count(connection: Connection, wanted: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(sentences).where(wanted)
    return connection.execute(query).scalar_one()
