"""The rows of a chunk's sentences, a batch at a time: for all that reads the table of sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Column, ColumnElement, and_, select

from prism_core.state.database import ROWS_OF_A_STATEMENT, AnyRow, Database, split_ids
from prism_core.state.exchange import Chunk
from prism_core.state.schema import decoys, document_sentences, sentences


def read_in_batches(
    database: Database,
    chunk: Chunk,
    wanted: ColumnElement[bool],
    columns: Sequence[Column[Any]],
    *,
    with_decoys: bool = False,
) -> Iterator[list[AnyRow]]:
    """``columns`` of the chunk's sentences in the order of their ids, each batch afresh."""
    row_id, link = sentences.c.id, document_sentences.c
    query = select(*columns).order_by(row_id)
    theirs: Any = select(link.sentence).where(link.document.in_(chunk))
    if with_decoys:
        theirs = theirs.union_all(select(decoys.c.id).where(decoys.c.document.in_(chunk)))
    of_chunk = and_(row_id.in_(theirs), wanted)
    rows = database.rows(query.where(of_chunk).limit(ROWS_OF_A_STATEMENT))
    if rows:
        yield rows
    if len(rows) < ROWS_OF_A_STATEMENT:
        return
    later = select(row_id).where(of_chunk, row_id > rows[-1].id)
    ids = database.scalars(later.order_by(row_id))
    for batch in split_ids(ids):
        yield database.rows(query.where(row_id.in_(batch)))
