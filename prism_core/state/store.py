"""The state store of one archive: its key check, its version, and its tables behind their doors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import delete, insert, inspect, select

from prism_core.cipher import StoreCipher
from prism_core.language import Sentence
from prism_core.state.batches import Batches
from prism_core.state.data_keys import Purpose, drop_other_masters, unlock_store
from prism_core.state.database import Database, open_database
from prism_core.state.decoys import Decoys
from prism_core.state.documents import Documents
from prism_core.state.identifiers import Identifiers
from prism_core.state.migrations import MIGRATIONS
from prism_core.state.outputs import OutputName, Outputs
from prism_core.state.recalled import Recalled
from prism_core.state.records import Layout
from prism_core.state.requests import Requests
from prism_core.state.runs import Runs
from prism_core.state.schema import KEPT, SCHEMA_VERSION, meta, metadata
from prism_core.state.sentences import Sentences
from prism_core.state.unlocking import check_not_empty

_JOB, _LAST_REPORT = KEPT


@dataclass(frozen=True, slots=True)
class Reading:
    """A document as read; ``privacy_score`` is the PPS estimated for its ``treatment``, if any."""

    format: str
    notices: tuple[str, ...]
    layout: Layout
    sentences: Mapping[str, Sentence]
    identifiers: frozenset[str]
    treatment: str = ""
    privacy_score: float | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """A document as written: ``content`` is the keyed hash of the file, ``left`` how many of its
    sentences stayed in the source language, ``retry`` whether a later run may do better."""

    content: str
    notices: tuple[str, ...]
    left: int
    retry: bool


class Store:
    """Everything a run must not forget. One object serves all threads of a process.

    ``of_run`` seals what the run makes of documents; ``cipher`` what outlives it, and it has the
    ids. Either opens what the other sealed.
    """

    def __init__(
        self, database: Database, cipher: StoreCipher, of_run: StoreCipher | None = None
    ) -> None:
        of_run = of_run or cipher
        self._database = database
        self.cipher = cipher
        self.runs = Runs(database)
        self.documents = Documents(database, cipher, of_run)
        self.outputs = Outputs(database, cipher)
        self.sentences = Sentences(database, of_run)
        self.decoys = Decoys(database, of_run)
        self.recalled = Recalled(database, of_run)
        self.identifiers = Identifiers(database, cipher)
        self.requests = Requests(database, of_run)
        self.batches = Batches(database, cipher)

    @classmethod
    def open(
        cls, folder: Path, key: bytes, url: str | None = None, run: str | None = None
    ) -> Store:
        """Open the store in ``folder`` (or at ``url``), making it when there is none.

        What is made of documents is sealed under the data key of ``run``, which is made with the
        first opening; without a run under that of the store. What an earlier version of PRISM wrote
        is brought up to date. Raises ``WrongKey``, or ``StateError`` when it is of a version that
        cannot be, damaged, or cannot be written.
        """
        database = open_database(folder, url)
        with _closed_unless_opened(database), database.writing() as connection:
            if not inspect(connection).has_table(meta.name):
                metadata.create_all(connection)
            keys = unlock_store(connection, key, SCHEMA_VERSION, MIGRATIONS)
            drop_other_masters(connection, key)
            if run is not None:
                keys = keys.with_run(connection, run)
        cipher = keys.cipher()
        if run is None:
            return cls(database, cipher)
        return cls(database, cipher, cipher.sealing_with(keys.current(Purpose.RUN, run).number))

    @classmethod
    def view(cls, folder: Path, key: bytes, url: str | None = None) -> Store:
        """Open the store to read from it; nothing is made, changed or brought up to date.

        Raises ``WrongKey``, or ``StateError`` when there is none or it is of another version.
        """
        database = open_database(folder, url, read_only=True)
        with _closed_unless_opened(database), database.reading() as connection:
            check_not_empty(connection, meta)
            keys = unlock_store(connection, key, SCHEMA_VERSION)
        return cls(database, keys.cipher())

    def add_reading(self, run: str, document: str, reading: Reading) -> None:
        """Store what reading a document gave, all of it or nothing.

        Its identifiers are on the archive's deny list before any sentence of it can be encoded.
        """
        with self._database.writing() as connection:
            self.identifiers.add(connection, reading.identifiers)
            self.sentences.add(connection, run, reading.sentences.items())
            self.documents.set_read(
                connection,
                document,
                format_name=reading.format,
                notices=reading.notices,
                layout=reading.layout,
                treatment=reading.treatment,
                privacy_score=reading.privacy_score,
            )

    def add_name(
        self, document: str, name: OutputName, notices: Sequence[str], released: Sequence[str]
    ) -> None:
        """Store where ``document`` will be written; the paths ``released`` are its own no more.

        Raises ``NameTaken`` when the path is another document's by now.
        """
        with self._database.writing() as connection:
            self.outputs.release(connection, document, released)
            self.outputs.claim(connection, document, name)
            self.documents.set_output(connection, document, name.path, notices)

    def add_writing(self, document: str, output: str, written: Written) -> None:
        """Store that ``document`` is in its place; every other name that it had is free."""
        with self._database.writing() as connection:
            self.outputs.settle(connection, document, output, written.content)
            self.documents.set_written(
                connection, document, written.notices, written.left, retry=written.retry
            )

    def keep_job(self, job: bytes) -> None:
        """Remember the job that this archive was last translated by, sealed."""
        self._keep(_JOB, job)

    def kept_job(self) -> bytes | None:
        """What ``keep_job`` was last given."""
        return self._kept(_JOB)

    def keep_last_report(self, link: bytes) -> None:
        """Remember the report that was written last, sealed, so that it will be missed."""
        self._keep(_LAST_REPORT, link)

    def last_report(self) -> bytes | None:
        """What ``keep_last_report`` was last given."""
        return self._kept(_LAST_REPORT)

    def _keep(self, name: str, value: bytes) -> None:
        sealed = {"name": name, "value": self.cipher.seal(f"meta.value:{name}", value)}
        with self._database.writing() as connection:
            connection.execute(delete(meta).where(meta.c.name == name))
            connection.execute(insert(meta).values(sealed))

    def _kept(self, name: str) -> bytes | None:
        query = select(meta.c.value).where(meta.c.name == name)
        with self._database.reading() as connection:
            sealed = connection.execute(query).scalar()
        return None if sealed is None else self.cipher.open(f"meta.value:{name}", sealed)

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()


@contextmanager
def _closed_unless_opened(database: Database) -> Iterator[None]:
    try:
        yield
    except BaseException:
        database.close()
        raise
