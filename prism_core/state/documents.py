"""Documents of an archive: their status, their output and their layout, sealed.

Entry: ``Documents``; ``record`` found documents -> ``set_read`` -> ``set_outputs`` ->
``set_written`` or ``set_failed``; ``fetch`` returns rows, ``layout`` the sealed layout.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

from sqlalchemy import (
    ColumnElement,
    Connection,
    Update,
    delete,
    func,
    insert,
    select,
    true,
    update,
)

from prism_core.cipher import Cipher
from prism_core.errors import DocumentError
from prism_core.record import Remark
from prism_core.settings import NO_POLICY, Treatment
from prism_core.state.database import Database, insert_new, split_ids, update_each
from prism_core.state.outputs import Claim
from prism_core.state.schema import (
    PENDING,
    TRANSLATED_DOCUMENTS,
    DocumentStatus,
    SentenceStatus,
    count_by_status,
    count_empty,
    default_values,
    document_sentences,
    documents,
    sentences,
)
from prism_core.state.sealed_columns import SegmentLayout, layout_from_bytes, layout_to_bytes
from prism_core.state.stage_records import WHOLE, Chunk, Part, Reading, Sighting, StoredDocument


@dataclass(frozen=True, slots=True)
class Documents:
    """Table of documents."""

    _database: Database
    _cipher: Cipher
    _of_run: Cipher

    def id_of(self, path: str) -> str:
        """Return the keyed id of the document at ``path``, relative to the input folder."""
        return self._cipher.keyed_id("document", os.fsencode(path))

    def fetch(self, ids: Iterable[str]) -> list[StoredDocument]:
        """Return the known documents of ``ids``, in the order of their ids."""
        query = select(documents).where(documents.c.id.in_(list(ids))).order_by(documents.c.id)
        found = []
        for row in self._database.rows(query):
            stored = {column.name: getattr(row, column.name) for column in fields(StoredDocument)}
            for name in ("path", "output"):
                if stored[name] is not None:
                    plain = self._cipher.open(f"documents.{name}:{row.id}", stored[name])
                    stored[name] = os.fsdecode(plain)
            stored["status"] = DocumentStatus(row.status)
            stored["treatment"] = Treatment(row.treatment)
            stored["notices"] = tuple(map(Remark, json.loads(row.notices)))
            found.append(StoredDocument(**stored))
        return found

    def paths(self, ids: Iterable[str]) -> dict[str, str]:
        """Return the path of each known document of ``ids``, relative to the input, by its id.

        The names of documents are kept nowhere but here, sealed: show them to the person at the
        terminal, and put them into no file that travels.
        """
        return {found.id: found.path for batch in split_ids(ids) for found in self.fetch(batch)}

    def of_run(self, run: str) -> Iterator[StoredDocument]:
        """Yield every document of ``run``, in the order of their ids."""
        yield from self._select(documents.c.run == run)

    def not_of_run(self, run: str) -> Iterator[StoredDocument]:
        """Yield every document that ``run`` did not find, except those that were pruned."""
        was_pruned = documents.c.status == DocumentStatus.PRUNED
        yield from self._select(documents.c.run != run, ~was_pruned)

    def found_elsewhere(
        self, run: str, statuses: Iterable[DocumentStatus] = DocumentStatus
    ) -> set[str]:
        """Return the ids of documents that ``run`` found under another name only.

        Their content is in a document in one of ``statuses``. Empty files are all alike, and left
        out.
        """
        other = documents.alias().c
        found = select(other.content).where(other.run == run, other.status.in_(list(statuses)))
        missing = documents.c.run != run, documents.c.bytes > 0, documents.c.content != ""
        return set(
            self._database.scalars(
                select(documents.c.id).where(*missing, documents.c.content.in_(found))
            )
        )

    def _select(self, *conditions: ColumnElement[bool]) -> Iterator[StoredDocument]:
        query = select(documents.c.id).where(*conditions)
        for page in self._database.pages(query, documents.c.id):
            yield from self.fetch(row.id for row in page)

    def by_treatment(self, chunk: Chunk) -> dict[Treatment, Chunk]:
        """Group the documents of ``chunk`` by the treatment that they were read under."""
        query = select(documents.c.treatment, documents.c.id).where(documents.c.id.in_(chunk))
        found: dict[str, list[str]] = {}
        for treatment, document in self._database.rows(query.order_by(documents.c.id)):
            found.setdefault(treatment, []).append(document)
        return {Treatment(treatment): tuple(ids) for treatment, ids in found.items()}

    def first_with(self, some: Sequence[str]) -> dict[str, tuple[str, int]]:
        """Return the least document id and the number of draws of each sentence of ``some``.

        Draws are its different encodings that were sent; ``some`` are at most a few hundred.
        """
        document = func.min(document_sentences.c.document).label("document")
        query = (
            select(sentences.c.id, sentences.c.draws, document)
            .join(document_sentences, document_sentences.c.sentence == sentences.c.id)
            .where(sentences.c.id.in_(some))
            .group_by(sentences.c.id, sentences.c.draws)
        )
        return {row.id: (row.document, row.draws) for row in self._database.rows(query)}

    def with_sentences(self, some: Iterable[str]) -> set[str]:
        """Return the ids of the documents that hold one of ``some`` sentences."""
        links = document_sentences.c
        query = select(links.document).distinct()
        rows = self._database.rows_of(query, links.sentence, some)
        return {row.document for row in rows}

    def count_sentences(self, chunk: Chunk) -> int:
        """Count the sentences, with repeats, of the documents of ``chunk``."""
        query = select(func.coalesce(func.sum(documents.c.sentences), 0))
        return int(self._database.scalar(query.where(documents.c.id.in_(chunk))))

    def sizes(self, run: str, status: DocumentStatus, part: Part = WHOLE) -> dict[str, int]:
        """Return the bytes of each document in status ``found``, else its sentences with repeats.

        The documents are those of a ``part`` of the run. Their order is that of the keyed ids: a
        random mix of the archive's folders.
        """
        in_status = documents.c.run == run, documents.c.status == status
        size = documents.c.bytes if status is DocumentStatus.FOUND else documents.c.sentences
        return self._sizes(size, *in_status, part.holds(documents.c.id))

    def settled(self, run: str, part: Part, last: str = "g") -> dict[str, int]:
        """Return the sentences of each document that can be written.

        They have an output name, none of their sentences is pending in any shard, and their ids are
        not after ``last``.
        """
        links = document_sentences.c
        pending = (
            select(links.document)
            .join(sentences, sentences.c.id == links.sentence)
            .where(links.document == documents.c.id, sentences.c.status.in_(PENDING))
        )
        named = documents.c.output.is_not(None), documents.c.id <= last
        read = documents.c.run == run, documents.c.status == DocumentStatus.READ
        wanted = *read, *named, ~pending.exists(), part.holds(documents.c.id)
        return self._sizes(documents.c.sentences, *wanted)

    def _sizes(self, size: ColumnElement[int], *wanted: ColumnElement[bool]) -> dict[str, int]:
        query = select(documents.c.id, size).where(*wanted).order_by(documents.c.id)
        with self._database.reading() as connection:  # row by row: all at once would be a peak
            return dict(iter(connection.execute(query).tuples()))

    def withheld(self, run: str) -> dict[str, Counter[str]]:
        """Count the different withheld sentences of each document, by its id and by reason."""
        query = (
            select(documents.c.id, sentences.c.reason, func.count())
            .join(document_sentences, document_sentences.c.document == documents.c.id)
            .join(sentences, sentences.c.id == document_sentences.c.sentence)
            .where(documents.c.run == run, sentences.c.status == SentenceStatus.WITHHELD)
            .group_by(documents.c.id, sentences.c.reason)
        )
        found: dict[str, Counter[str]] = {}
        for document, reason, count in self._database.rows(query):
            found.setdefault(document, Counter())[reason] += count
        return found

    def count(self, run: str) -> dict[DocumentStatus, int]:
        """Count the documents of ``run`` in each status."""
        with self._database.reading() as connection:
            return count_by_status(connection, documents, DocumentStatus, run)

    def count_empty(self, run: str) -> int:
        """Count the documents of ``run`` with nothing to translate; see ``schema.count_empty``."""
        with self._database.reading() as connection:
            return count_empty(connection, run)

    def count_partly(self, run: str) -> int:
        """Count the documents of ``run`` whose translations hold text in the source language."""
        query = select(func.count()).where(
            documents.c.run == run,
            documents.c.status.in_(TRANSLATED_DOCUMENTS),
            documents.c.left_in_source > 0,
        )
        return self._database.scalar(query)

    def record(self, run: str, seen: Sequence[tuple[Sighting, DocumentStatus]]) -> None:
        """Make ``seen`` part of ``run``, each in the status given, replacing earlier data.

        ``read`` and ``unchanged`` keep the layout and the counts of the earlier run.
        """
        with self._database.writing() as connection:
            changes: dict[tuple[str, ...], list[dict[str, object]]] = {}
            known: list[dict[str, object]] = []
            for sighting, status in seen:
                row_id = self.id_of(sighting.path)
                path = self._cipher.seal(f"documents.path:{row_id}", os.fsencode(sighting.path))
                values: dict[str, object] = {
                    "id": row_id,
                    "path": path,
                    "run": run,
                    "status": status,
                    "bytes": sighting.bytes,
                    "content": sighting.content,
                    "version": sighting.version,
                    "fingerprint": sighting.fingerprint,
                }
                known.append(values)
                if status in (DocumentStatus.FOUND, DocumentStatus.FAILED):
                    values = values | _UNREAD
                if sighting.error is not None:
                    values = values | _describe_failure(sighting.error)
                changes.setdefault(tuple(values), []).append(values)
            insert_new(connection, documents, known)
            for rows in changes.values():
                update_each(connection, documents, true(), rows)

    def set_read(self, connection: Connection, readings: Mapping[str, Reading]) -> None:
        """Store readings, within the transaction that stores the sentences."""
        rows: list[dict[str, object]] = []
        links: list[dict[str, str]] = []
        for row_id, reading in readings.items():
            places = [place.sentence for segment in reading.layout for place in segment.places()]
            packed = layout_to_bytes(reading.layout)
            rows.append(
                {
                    "id": row_id,
                    "status": DocumentStatus.READ,
                    "format": reading.format,
                    "source": reading.source,
                    "layout": self._of_run.seal(f"documents.layout:{row_id}", packed),
                    "notices": json.dumps(reading.notices),
                    "segments": len(reading.layout),
                    "sentences": len(places),
                    "treatment": reading.treatment,
                    "privacy_score": reading.privacy_score,
                    "gate": reading.gate,
                }
            )
            links += ({"document": row_id, "sentence": name} for name in dict.fromkeys(places))
        update_each(connection, documents, true(), rows)
        table = document_sentences
        for ids in split_ids(readings):
            connection.execute(delete(table).where(table.c.document.in_(ids)))
        if links:
            connection.execute(insert(table), links)

    def set_outputs(self, connection: Connection, claims: Iterable[Claim]) -> None:
        """Store the output paths of documents, relative to the output folder, and their notices."""
        rows = [
            {
                "id": claim.document,
                "output": self._cipher.seal(
                    f"documents.output:{claim.document}", os.fsencode(claim.path)
                ),
                "notices": json.dumps(list(claim.notices)),
            }
            for claim in claims
        ]
        update_each(connection, documents, true(), rows)

    def paths_of(self, run: str, paths: Iterable[str]) -> set[str]:
        """Return those of ``paths`` at which ``run`` found a document."""
        by_id = {self.id_of(path): path for path in paths}
        query = select(documents.c.id).where(
            documents.c.run == run, documents.c.id.in_(list(by_id))
        )
        return {by_id[row_id] for row_id in self._database.scalars(query)}

    def layout(self, row_id: str) -> Iterator[SegmentLayout]:
        """Return the layout of a document that was read, segment by segment."""
        query = select(documents.c.layout).where(documents.c.id == row_id)
        sealed = self._database.scalar(query)
        return layout_from_bytes(self._of_run.open(f"documents.layout:{row_id}", sealed))

    def seal_parsed(self, row_id: str, parsed: bytes) -> bytes:
        """Seal the parsed form of a document for a file that the run deletes."""
        return self._of_run.seal(f"documents.parsed:{row_id}", parsed)

    def open_parsed(self, row_id: str, sealed: bytes) -> bytes:
        """Open a parsed form sealed by ``seal_parsed``; raise ``WrongKey`` if it was damaged."""
        return self._of_run.open(f"documents.parsed:{row_id}", sealed)

    def set_written(
        self, connection: Connection, row_id: str, notices: Sequence[str], left: int, *, retry: bool
    ) -> None:
        """Record that the output of the document is in its place."""
        values = {
            "status": DocumentStatus.WRITTEN,
            "notices": json.dumps(list(notices)),
            "left_in_source": left,
            "retry": int(retry),
            "finished": time.time(),
        }
        connection.execute(_change(row_id, values))

    def set_gone(self, row_id: str, run: str, status: DocumentStatus) -> None:
        """Record that ``run`` did not find the document, or only under another name.

        What was made of it stays.
        """
        self._database.execute(_change(row_id, {"status": status, "run": run, "retry": 0}))

    def set_pruned(self, connection: Connection, row_id: str, run: str) -> None:
        """Record that ``run`` destroyed what was made of the document: only its id is kept."""
        values = _UNREAD | {
            "status": DocumentStatus.PRUNED,
            "run": run,
            "path": self._cipher.seal(f"documents.path:{row_id}", b""),
            "fingerprint": "",
            "content": "",
            "version": "",
            "bytes": 0,
            "finished": time.time(),
        }
        connection.execute(_change(row_id, values))

    def set_failed(
        self, row_id: str, error: DocumentError, treatment: Treatment = NO_POLICY, gate: str = ""
    ) -> None:
        """Record that the document cannot be handled, with its class and advice for the report.

        ``treatment`` is the one that it was refused under; empty keeps its own. ``gate`` is the
        gate's prediction.
        """
        values = _describe_failure(error) | ({"treatment": treatment} if treatment else {})
        self._database.execute(_change(row_id, values | ({"gate": gate} if gate else {})), "own")


def _change(row_id: str, values: Mapping[str, object]) -> Update:
    return update(documents).where(documents.c.id == row_id).values(values)


_UNREAD = default_values(
    documents,
    *("output", "layout", "format", "source", "failure", "advice", "notices", "segments"),
    *("sentences", "left_in_source", "retry", "treatment", "privacy_score", "gate", "finished"),
)
"""Values of the columns that are unknown before a document is read."""


def _describe_failure(error: DocumentError) -> dict[str, object]:
    return {
        "status": DocumentStatus.FAILED,
        "failure": error.failure.value,
        "advice": error.advice[:500],
        "finished": time.time(),
    }
