"""One row of a table as bytes that anybody can make again, and the hashes over them.

A whole number is written in decimal, a time as the whole number of its microseconds since 1970
(UTC), a number with a fraction as the whole number that its 64 bits (IEEE 754, two's complement)
are. A string is the number of its bytes in UTF-8, a colon and itself; a list the same over its
strings, written so, one after the other. A value that is not there is a hyphen. A row is its
values in the order of the columns, with commas between them: it can be read in one way only.
``docs/report_verification.md`` says the same in Python; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

NO_RUN = "0" * 64
"""What the first run of a folder follows."""
_TYPES = {
    pa.string(): "string",
    pa.int64(): "int64",
    pa.float64(): "double",
    pa.timestamp("us", tz="UTC"): "timestamp",
}
_LIST = "list of string"


def type_name(column: pa.DataType) -> str:
    """The type as the documentation calls it; ``KeyError`` for one that no report has."""
    if pa.types.is_list(column) and column.value_type == pa.string():
        return _LIST
    return _TYPES[column]


def columns_of(schema: pa.Schema) -> list[tuple[str, str]]:
    """The name and the type of each column, in order."""
    return [(column.name, type_name(column.type)) for column in schema]


def genesis(version: str, table: str, run: str, schema: pa.Schema, previous: str = "") -> str:
    """What the first row of a table follows: it binds schema version, run and columns.

    ``previous`` is the last hash of the run before, for the table that is the run itself.
    """
    columns = "".join(f"\n{name} {kind}" for name, kind in columns_of(schema))
    return sha256(f"prism-report {version} {table} {run} {previous}{columns}".encode()).hexdigest()


def chain_hashes(previous: str, rows: Iterable[bytes]) -> list[str]:
    """The hash of each row: SHA-256 over the hash before it (64 hex digits) and its bytes."""
    hashes = []
    for row in rows:
        previous = sha256(previous.encode() + row).hexdigest()
        hashes.append(previous)
    return hashes


def expect_hashes(previous: str, rows: Iterable[bytes], stated: Sequence[str]) -> list[str]:
    """The hash that each row should have, if that of the row before it is as stated."""
    before = [previous, *stated[:-1]]
    return [sha256(one.encode() + row).hexdigest() for one, row in zip(before, rows, strict=True)]


def row_bytes(batch: pa.RecordBatch) -> Iterator[bytes]:
    """The bytes of each row of ``batch``."""
    if not batch.num_rows:
        return iter(())
    joined = pc.binary_join_element_wise(*map(_text, batch.columns), ",")
    _, offsets, content = joined.buffers()
    places = np.frombuffer(offsets, np.int32)[joined.offset : joined.offset + len(joined) + 1]
    data = content.to_pybytes()
    return (data[start:end] for start, end in pairwise(places.tolist()))


def run_head(run: pa.Table) -> str:
    """The hash over everything in ``run.parquet`` that stands before ``run_head``.

    Raises ``KeyError`` or ``ValueError`` for a table that is no such thing.
    """
    covered = run.select(run.schema.names[: run.schema.names.index("run_head")])
    (batch,) = covered.combine_chunks().to_batches()
    row = batch.to_pylist()[0]
    version = (run.schema.metadata or {})[b"prism.schema_version"].decode()
    first = genesis(version, "run", row["run_id"], covered.schema, row["previous_head"])
    return chain_hashes(first, row_bytes(batch))[-1]


def _text(column: pa.Array) -> pa.Array:
    """Each value of a column as it is written."""
    match type_name(column.type):
        case "string":
            text = _prefix_length(column)
        case "int64":
            text = column.cast(pa.string())
        case kind if kind == _LIST:
            lengths = pc.fill_null(pc.list_value_length(column), 0).to_numpy(zero_copy_only=False)
            starts = pa.array(np.concatenate(([0], np.cumsum(lengths))), pa.int32())
            strings = pa.ListArray.from_arrays(starts, _prefix_length(column.flatten()))
            text = _prefix_length(pc.binary_join(strings, ""))
        case _:
            text = column.view(pa.int64()).cast(pa.string())
    return pc.fill_null(text, "-") if text.null_count else text


def _prefix_length(text: pa.Array) -> pa.Array:
    return pc.binary_join_element_wise(pc.binary_length(text).cast(pa.string()), text, ":")
