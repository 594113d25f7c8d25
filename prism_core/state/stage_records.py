"""Records that stages exchange with the tables of documents and sentences.

Entry: ``Part``, the keyed ids that a process works on; then in the order of the stages ``Sighting``
-> ``StoredDocument``, ``Reading`` -> ``StoredSentence`` -> ``Answered`` -> ``Restoration``.
``read_in_batches`` reads the sentences of a ``Chunk``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from sqlalchemy import Column, ColumnElement, Select, and_, select, true

from prism_core.alignment import Alignment, Translation
from prism_core.errors import DocumentError
from prism_core.language import Sentence
from prism_core.record import Encoded, Remark
from prism_core.settings import NO_POLICY, Treatment
from prism_core.state.database import ROWS_OF_A_STATEMENT, AnyRow, Database, split_ids
from prism_core.state.schema import (
    DocumentStatus,
    SentenceStatus,
    decoys,
    document_sentences,
    documents,
    sentences,
)
from prism_core.state.sealed_columns import Answers, Layout, PackedSentences

Chunk = tuple[str, ...]
"""Ids of the documents that one call of a stage works on."""


class Part(NamedTuple):
    """Part ``number`` (from 0) of ``of`` equal parts of the sentences of a chunk, by keyed id.

    The division of a document decides who does the work, never the result.
    """

    number: int = 0
    of: int = 1

    def holds(self, row_id: ColumnElement[str]) -> ColumnElement[bool]:
        """Return the condition that ``row_id``, an id in hex, is in the part."""
        return row_id.between(*self._bounds)

    def has(self, row_id: str) -> bool:
        """Return True if ``row_id``, an id in hex, is in the part."""
        first, end = self._bounds
        return first <= row_id <= end

    def cut(self, number: int, of: int) -> Part:
        """Return part ``number`` of ``of`` equal parts of this one."""
        return Part(self.number * of + number, self.of * of)

    @property
    def _bounds(self) -> tuple[str, str]:
        first, end = (f"{i * 16**8 // self.of:08x}" for i in (self.number, self.number + 1))
        return first, end if self.number + 1 < self.of else "g"


WHOLE = Part()


@dataclass(frozen=True, slots=True)
class Sighting:
    """File as the walk found it.

    ``path`` is relative to the input folder. ``content`` is the keyed hash of its bytes and
    ``fingerprint`` the same over everything that decides its translation. ``version`` is derived
    from what an object store says changes with the content; empty for a file. ``error`` is set for
    a file that cannot be read at all, such as a link.
    """

    path: str
    bytes: int = 0
    content: str = ""
    fingerprint: str = ""
    version: str = ""
    error: DocumentError | None = None


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """Row of the table, with its paths opened; ``output`` is None until it was named.

    ``retry`` is 1 where a later run may do better, else 0.
    """

    id: str
    status: DocumentStatus
    path: str
    output: str | None
    content: str
    version: str
    fingerprint: str
    format: str
    source: str
    failure: str
    advice: str
    notices: tuple[Remark, ...]
    bytes: int
    segments: int
    sentences: int
    left_in_source: int
    retry: int
    treatment: Treatment
    privacy_score: float | None
    gate: str
    finished: float | None


@dataclass(frozen=True, slots=True)
class Reading:
    """Document as read.

    ``privacy_score`` is the PPS estimated for its ``treatment``, if any, and ``gate`` the
    gate's prediction. ``sources`` holds the languages of those of ``sentences``, by id, that are
    not in ``source``.
    """

    format: str
    notices: tuple[str, ...]
    layout: Layout
    sentences: PackedSentences
    identifiers: frozenset[str]
    treatment: Treatment = NO_POLICY
    privacy_score: float | None = None
    gate: str = ""
    source: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredSentence:
    """Fields of a sentence that the report may know, and its encoding, None before it was encoded.

    The counts are those of its ``Restoration``.
    """

    id: str
    status: SentenceStatus
    source: str
    encoded: Encoded | None
    reason: str
    draws: int
    to_restore: int
    restored: int
    ways: Mapping[str, Any]
    unsure: bool
    untranslated: int
    quality: float | None = None

    @classmethod
    def of(cls, row: AnyRow, encoded: Encoded | None = None) -> StoredSentence:
        """Return the sentence of ``row``, whose columns have the names of these fields."""
        values = dict[str, Any]((c.name, getattr(row, c.name, None)) for c in fields(cls))
        values |= {"status": SentenceStatus(row.status), "encoded": encoded}
        values |= {"ways": json.loads(row.ways), "unsure": bool(row.unsure)}
        return cls(**values)

    @property
    def doubtful(self) -> list[int]:
        """Positions of the words that were found by an unsure method."""
        return list(self.ways.get("doubtful", ()))


class Withheld(NamedTuple):
    """A sentence of which nothing may be sent, and the reason."""

    id: str
    sentence: Sentence
    reason: str


@dataclass(frozen=True, slots=True)
class Answered:
    """Sentence to decode: its source text, its encoding, and the answer.

    ``marked``: it was sent with marks, since an answer without them lost a substitute. ``earlier``
    are the previous encodings and answers, which lost one too, in the order of sending.
    """

    id: str
    source: str
    encoded: Encoded
    answer: Translation
    draws: int
    marked: bool = False
    earlier: Answers = ()

    @property
    def all_answers(self) -> Answers:
        """Each encoding that was answered, with its answer, the last one last."""
        return (*self.earlier, (self.encoded, self.answer))


@dataclass(frozen=True, slots=True)
class Restoration:
    """Result of decoding: the text, or None and why the sentence stays in the source language.

    Of the ``to_restore`` replacements ``restored`` were found; ``ways`` counts them by decoding
    method, and has the positions of ``doubtful`` ones. ``unsure``: a word may have been put in the
    wrong position. ``marked``: with the status ``sent``, the same x_pub is to be sent again with
    marks.
    """

    sentence: str
    status: SentenceStatus
    text: str | None = None
    alignment: Alignment = ()
    reason: str = ""
    to_restore: int = 0
    restored: int = 0
    ways: Mapping[str, Any] = field(default_factory=dict)
    unsure: bool = False
    untranslated: int = 0
    quality: float | None = None
    earlier: Answers = ()
    marked: bool = False


def select_by_treatment(treatments: Sequence[str]) -> Select[tuple[str]]:
    """Select the ids of the sentences of documents under one of ``treatments``."""
    link = document_sentences.c
    query = select(link.sentence).join(documents, documents.c.id == link.document)
    return query.where(documents.c.treatment.in_(treatments))


def read_in_batches(
    database: Database,
    chunk: Chunk,
    wanted: ColumnElement[bool],
    columns: Sequence[Column[Any]],
    part: Part = WHOLE,
    source: str = "",
    *,
    with_decoys: bool = False,
) -> Iterator[list[AnyRow]]:
    """Yield ``columns`` of sentences of a ``part`` of ``chunk``, by their ids, each batch afresh.

    With a ``source`` those in that language.
    """
    row_id, link = sentences.c.id, document_sentences.c
    query = select(*columns).order_by(row_id)
    of_documents: Any = select(link.sentence).where(link.document.in_(chunk))
    if with_decoys:
        of_documents = of_documents.union_all(
            select(decoys.c.id).where(decoys.c.document.in_(chunk))
        )
    in_language = sentences.c.source == source if source else true()
    of_chunk = and_(row_id.in_(of_documents), part.holds(row_id), in_language, wanted)
    rows = database.rows(query.where(of_chunk).limit(ROWS_OF_A_STATEMENT))
    if rows:
        yield rows
    if len(rows) < ROWS_OF_A_STATEMENT:
        return
    later = select(row_id).where(of_chunk, row_id > rows[-1].id)
    ids = database.scalars(later.order_by(row_id))
    for batch in split_ids(ids):
        yield database.rows(query.where(row_id.in_(batch)))
