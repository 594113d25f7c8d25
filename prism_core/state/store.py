"""State store of one archive: its keys, its version, and its tables.

Entry: ``Store.open`` (or ``Store.view``, to read from it); then ``store.documents``,
``store.sentences``, ``store.requests`` … each serve one table; changes to several tables at once
(``add_readings``, ``add_names``, ``add_writing``) are methods of the store.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

from sqlalchemy import Connection, delete, func, insert, inspect, select, update

from prism_core.cipher import Cipher, StoreCipher
from prism_core.settings import Shard
from prism_core.state.batch_ledger import Batches
from prism_core.state.data_keys import drop_other_keys, make_keys, unlock_store
from prism_core.state.database import Database, close_on_error, insert_new, split_ids
from prism_core.state.documents import Documents
from prism_core.state.further_sends import Decoys, Redraws
from prism_core.state.leases import Leases
from prism_core.state.location import StatePlace
from prism_core.state.outputs import Claim, Outputs
from prism_core.state.purging import delete_document, delete_unused_keys, select_exclusive
from prism_core.state.recurring_contexts import Formulas
from prism_core.state.request_ledger import Requests
from prism_core.state.schema import (
    DocumentStatus,
    document_identifiers,
    document_sentences,
    documents,
    identifiers,
    meta,
    metadata,
    runs,
    sentences,
)
from prism_core.state.sealed_columns import SentenceColumns
from prism_core.state.sentences import Sentences
from prism_core.state.settled_here import Recalled, Reviews, WithheldSentences
from prism_core.state.stage_records import Reading

Kept = Literal["job", "last_report", "forecast", "encoders", "basis"]
"""Names in ``meta`` whose values are sealed: the last translated job, the last report, the
forecast of the run, what is known of the encoders, and what decides the translations of
a run in shards."""


@dataclass(frozen=True, slots=True)
class Runs:
    """Table of runs."""

    _database: Database

    def begin(self, run: str) -> None:
        """Record that ``run`` has begun now; a run that is known already continues."""
        with self._database.writing() as connection:
            insert_new(connection, runs, [{"id": run, "started": time.time()}])

    def enter(self, run: str, stage: str) -> None:
        """Record the stage that ``run`` has reached."""
        self._database.execute(
            update(runs).where(runs.c.id == run, runs.c.stage != stage).values(stage=stage), "own"
        )

    def end(self, run: str, outcome: str) -> None:
        """Record how ``run`` ended: ``complete``, or the class of the error that stopped it."""
        self._database.execute(
            update(runs).where(runs.c.id == run).values(finished=time.time(), outcome=outcome)
        )

    def list_continued(self, run: str) -> list[str]:
        """Return ``run``, and the runs before it that it continues, since they never ended.

        A run that was killed or interrupted has no end; one that a translator stopped has.
        """
        query = select(runs.c.id, runs.c.finished).order_by(runs.c.started.desc(), runs.c.id)
        rows = self._database.rows(query)
        ids = [row.id for row in rows]
        before = rows[ids.index(run) + 1 :] if run in ids else []
        return [run, *(row.id for row in takewhile(lambda row: row.finished is None, before))]

    def start_of(self, run: str) -> float:
        """Return when ``run`` began, in seconds since the epoch; raise ``KeyError`` if unknown."""
        started = self._database.scalars(select(runs.c.started).where(runs.c.id == run))
        if not started:
            raise KeyError(run)
        return float(started[0])


@dataclass(frozen=True, slots=True)
class StoredIdentifiers:
    """Identifiers recognised anywhere in the archive.

    They grow with each document, and lose those that only pruned documents held.
    """

    _database: Database
    _cipher: Cipher

    def count(self) -> int:
        """Count the known forms; the number changes exactly when the deny list does."""
        return self._database.scalar(select(func.count()).select_from(identifiers))

    def __iter__(self) -> Iterator[str]:
        with self._database.reading() as connection:  # row by row: all at once would be a peak
            for row in connection.execute(select(identifiers)):
                yield self._cipher.open(f"identifiers.form:{row.id}", row.form).decode()

    def add(self, connection: Connection, found: Mapping[str, Iterable[str]]) -> None:
        """Store the forms ``found`` in each document, by its id, within the caller's transaction.

        They replace the earlier forms of these documents.
        """
        rows: dict[str, dict[str, object]] = {}
        links: list[dict[str, str]] = []
        for document, forms in found.items():
            for plain in {form.encode("utf-8", "replace") for form in forms}:
                row_id = self._cipher.keyed_id("identifier", plain)
                if row_id not in rows:
                    sealed = self._cipher.seal(f"identifiers.form:{row_id}", plain)
                    rows[row_id] = {"id": row_id, "form": sealed}
                links.append({"document": document, "identifier": row_id})
        insert_new(connection, identifiers, list(rows.values()))
        table = document_identifiers
        for ids in split_ids(found):
            connection.execute(delete(table).where(table.c.document.in_(ids)))
        if links:
            connection.execute(insert(table), links)


class Store:
    """Data that a run must not lose. One object serves all threads of a process.

    ``of_run`` seals what the run makes of documents; ``cipher`` seals what outlives it, and makes
    the ids. Each opens what the other sealed.
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
        columns = SentenceColumns(of_run)
        self.sentences = Sentences(database, columns)
        self.redraws = Redraws(database, columns)
        self.formulas = Formulas(database, cipher)
        self.decoys = Decoys(database, columns)
        self.recalled = Recalled(database, columns)
        self.withheld = WithheldSentences(database, columns)
        self.identifiers = StoredIdentifiers(database, cipher)
        self.reviews = Reviews(database, cipher)
        self.requests = Requests(database, columns)
        self.batches = Batches(database, cipher, columns)
        self.leases = Leases(database, cipher)

    @classmethod
    def open(
        cls, place: StatePlace, key: bytes, run: str | None = None, shard: Shard | None = None
    ) -> Store:
        """Open the store at ``place``, making it when there is none.

        What is made of documents is sealed under the data key of ``run``, which is made with the
        first opening; without a run under that of the store. With a ``shard`` nothing is written
        that its holder may no longer write (``LeaseLost``). Raises ``WrongKey``, or ``StateError``
        when it is of another version, damaged, or cannot be written.
        """
        database = place.open()
        with close_on_error(database), database.writing() as connection:
            if not inspect(connection).has_table(meta.name):
                metadata.create_all(connection)
                keys = make_keys(connection, key)
            else:
                keys = unlock_store(connection, key)
                drop_other_keys(connection, key)
            if run is not None:
                keys = keys.add_run(connection, run)
        database.shard = shard
        return cls(database, keys.cipher(), keys.cipher(run))

    @classmethod
    def view(cls, place: StatePlace, key: bytes) -> Store:
        """Open the store to read from it; nothing is made or changed.

        Raises ``WrongKey``, or ``StateError`` when there is none or it is of another version.
        """
        database = place.open(read_only=True)
        with close_on_error(database), database.reading() as connection:
            keys = unlock_store(connection, key)
        return cls(database, keys.cipher())

    def add_readings(self, run: str, readings: Mapping[str, Reading]) -> None:
        """Store the readings of documents, by the id of each, all of it or nothing.

        Their identifiers are on the archive's deny list before any sentence of them can be encoded.
        """
        if not readings:
            return
        with self._database.writing() as connection:
            found = {document: reading.identifiers for document, reading in readings.items()}
            self.identifiers.add(connection, found)
            self.sentences.add(connection, run, readings.values())
            self.documents.set_read(connection, readings)

    def add_names(self, claims: Sequence[Claim], *, folds: bool = False) -> set[str]:
        """Store where documents will be written, all of it or nothing; return the ids not stored.

        Those are the documents whose path is another document's by now.
        """
        with self._database.writing() as connection:
            met = self.outputs.claim(connection, claims, folds=folds)
            self.documents.set_outputs(connection, met)
        return {claim.document for claim in claims} - {claim.document for claim in met}

    def add_writing(
        self,
        document: str,
        output: str,
        content: str,
        notices: Sequence[str],
        left: int,
        *,
        retry: bool,
    ) -> None:
        """Store that ``document`` is at ``output``; every other name that it had is free.

        ``content`` is the keyed hash of the file, ``left`` the number of its sentences that stayed
        in the source language, ``retry`` says if a later run may do better.
        """
        with self._database.writing("own") as connection:
            self.outputs.settle(connection, document, output, content)
            self.documents.set_written(connection, document, notices, left, retry=retry)

    def add_copy(self, document: str, output: str, content: str, notices: Sequence[str]) -> None:
        """Store that ``document``, which is not translated, is at ``output`` as it is."""
        with self._database.writing() as connection:
            self.outputs.settle(connection, document, output, content)
            self.documents.set_outputs(connection, [Claim(document, output, output, notices)])

    def reopen(self, run: str, last: str, rebuilt: Iterable[str]) -> None:
        """Make the documents of the run ``last`` part of ``run``.

        Documents that are to be ``rebuilt`` count as read, all others that were written as
        unchanged.
        """
        row, links, change = documents.c, document_sentences.c, update(documents)
        was_written = row.run == run, row.status == DocumentStatus.WRITTEN
        with self._database.writing() as connection:
            connection.execute(change.where(row.run == last).values(run=run))
            connection.execute(change.where(*was_written).values(status=DocumentStatus.UNCHANGED))
            for ids in split_ids(rebuilt):
                connection.execute(change.where(row.id.in_(ids)).values(status=DocumentStatus.READ))
                linked = select(links.sentence).where(links.document.in_(ids))
                connection.execute(
                    update(sentences).where(sentences.c.id.in_(linked)).values(run=run)
                )

    def prune(self, run: str, document: str, languages: tuple[str, str]) -> None:
        """Destroy what ``document`` left, except what other documents need.

        That is its text in every form, its names, their reviews in these ``languages``, and its
        path. An empty row of it is part of ``run``. Call ``rewrite`` after the last.
        """
        only = self._database.scalars(select_exclusive(document, document_sentences.c.sentence))
        texts = self.sentences.texts(document, only)
        reviewed = [self.reviews.id_of(source, languages) for source, _ in texts.values()]
        with self._database.writing() as connection:
            delete_document(connection, document, only, reviewed)
            self.documents.set_pruned(connection, document, run)

    def rewrite(self) -> None:
        """Destroy the keys of runs without data, and what the file keeps of deleted rows."""
        with self._database.writing() as connection:
            delete_unused_keys(connection)
        self._database.rewrite()

    def check_held(self) -> None:
        """Raise ``LeaseLost`` if the shard of this store is another process's by now."""
        if self._database.shard is not None:
            with self._database.writing("own"):
                pass

    def keep(self, name: Kept, value: bytes) -> None:
        """Store ``value``, sealed, under ``name``: the last translated job, the last report."""
        sealed = {"name": name, "value": self.cipher.seal(f"meta.value:{name}", value)}
        with self._database.writing() as connection:
            connection.execute(delete(meta).where(meta.c.name == name))
            connection.execute(insert(meta).values(sealed))

    def kept(self, name: Kept) -> bytes | None:
        """Return the value that ``keep`` stored last; None when there is none."""
        query = select(meta.c.value).where(meta.c.name == name)
        values = self._database.scalars(query)
        return self.cipher.open(f"meta.value:{name}", values[0]) if values else None

    def close(self) -> None:
        """Close the database."""
        self._database.close()
