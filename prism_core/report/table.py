"""One table of a report with a hash chain over its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from prism_core.report.canonical import chained, genesis, row_bytes
from prism_core.report.rows import SCHEMA_VERSION, Row
from prism_core.report.schema import HASH, as_batch, checked_columns, schema_of

BATCH_ROWS = 2_000
"""Rows of a table that are worked on at a time."""
_GROUP_ROWS = 20_000
"""Rows of a row group: what a reader that looks for one document has to read, and what is held in
memory until it is written."""
_NEARLY_UNIQUE = ("sentence_id", "request_id", HASH.name)
"""Columns whose values repeat too seldom for a dictionary of them to be of use."""


class Table:
    """A table while it is written. ``rows`` and ``head``, its last hash, grow with it.

    What is hashed is the row as Arrow stores it, so that a reader gets the same value.
    """

    def __init__(self, folder: Path, name: str, row_type: type, run_id: str) -> None:
        self._row_type, self._schema = row_type, schema_of(row_type)
        self._stored = self._schema.append(HASH)
        self._file = folder / f"{name}.parquet"
        self._waiting: list[pa.RecordBatch] = []
        self.rows, self.head = 0, genesis(SCHEMA_VERSION, name, run_id, self._schema)

    def __enter__(self) -> Table:
        self._writer = pq.ParquetWriter(
            self._file,
            self._stored,
            compression="zstd",
            use_dictionary=[n for n in self._schema.names if n not in _NEARLY_UNIQUE],
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._write_group()
        self._writer.close()

    def add(self, rows: Sequence[Row]) -> None:
        """Check, chain and store ``rows``, which are of this table; at least one."""
        batch = as_batch(checked_columns(self._row_type, rows), self._schema)
        hashes = chained(self.head, row_bytes(batch))
        self.rows, self.head = self.rows + len(rows), hashes[-1]
        self._waiting.append(
            pa.record_batch([*batch.columns, pa.array(hashes, HASH.type)], self._stored)
        )
        if sum(one.num_rows for one in self._waiting) >= _GROUP_ROWS:
            self._write_group()

    def _write_group(self) -> None:
        if self._waiting:
            self._writer.write_table(pa.Table.from_batches(self._waiting, self._stored))
            self._waiting = []


def batches(file: Path) -> Iterator[pa.RecordBatch]:
    """The rows of a table as they are stored, some at a time."""
    with pq.ParquetFile(file) as parquet:
        yield from parquet.iter_batches(BATCH_ROWS)
