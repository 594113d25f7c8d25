"""The chain of runs: each report of a folder follows the one before it.

A run carries its place and the last hash of the report before it, so that a report that was
removed, inserted or moved is detected. Removal of the last report is detected by whoever remembers
it: the state store does.

The hashes of a report show alterations to whoever noted the last hash. A person who can rewrite the
folder can also compute all hashes anew, but cannot sign the last one (``Signer``).

The hashes are made over the rows of a table, as bytes that anybody can reproduce. A whole number is
written in decimal, a time as the whole number of its microseconds since 1970 (UTC), a number with a
fraction as the whole number that its 64 bits (IEEE 754, two's complement) are. A string is the
number of its bytes in UTF-8, a colon and itself; a list is the same over its strings, each written
so, one after the other. A missing value is a hyphen. A row is its values in the order of the
columns, separated by commas: it can be read in one way only. ``docs/report_verification.md`` gives
the same in Python; a test keeps the two consistent.
"""

from __future__ import annotations

import fcntl
import hmac
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

NO_RUN = "0" * 64
"""Hash that the first run of a folder follows."""
_TYPES = {
    pa.string(): "string",
    pa.int64(): "int64",
    pa.float64(): "double",
    pa.timestamp("us", tz="UTC"): "timestamp",
}
_LIST = "list of string"


def type_name(column: pa.DataType) -> str:
    """Return the documentation's name of a type; ``KeyError`` for one that no report has."""
    if pa.types.is_list(column) and column.value_type == pa.string():
        return _LIST
    return _TYPES[column]


def column_types(schema: pa.Schema) -> list[tuple[str, str]]:
    """Return the name and the type of each column, in order."""
    return [(column.name, type_name(column.type)) for column in schema]


def genesis(version: str, table: str, run: str, schema: pa.Schema, previous: str = "") -> str:
    """Return the hash before the first row of a table: it binds schema version, run and columns.

    ``previous`` is the last hash of the run before, for the table that is the run itself.
    """
    columns = "".join(f"\n{name} {kind}" for name, kind in column_types(schema))
    return sha256(f"prism-report {version} {table} {run} {previous}{columns}".encode()).hexdigest()


def chain_hashes(previous: str, rows: Iterable[bytes]) -> list[str]:
    """Return the hash of each row: SHA-256 of the hash before it (64 hex digits) and its bytes."""
    hashes = []
    for row in rows:
        previous = sha256(previous.encode() + row).hexdigest()
        hashes.append(previous)
    return hashes


def expect_hashes(previous: str, rows: Iterable[bytes], stated: Sequence[str]) -> list[str]:
    """Return the hash that each row should have if the hash of the row before it is as stated."""
    before = [previous, *stated[:-1]]
    return [sha256(head.encode() + row).hexdigest() for head, row in zip(before, rows, strict=True)]


def row_bytes(batch: pa.RecordBatch) -> Iterator[bytes]:
    """Yield the bytes of each row of ``batch``."""
    if not batch.num_rows:
        return iter(())
    joined = pc.binary_join_element_wise(*map(_serialize, batch.columns), ",")
    _, offsets, content = joined.buffers()
    places = np.frombuffer(offsets, np.int32)[joined.offset : joined.offset + len(joined) + 1]
    data = content.to_pybytes()
    return (data[start:end] for start, end in pairwise(places.tolist()))


def run_head(run: pa.Table) -> str:
    """Return the hash of everything in ``run.parquet`` that stands before ``run_head``.

    Raises ``KeyError`` or ``ValueError`` for another table.
    """
    covered = run.select(run.schema.names[: run.schema.names.index("run_head")])
    (batch,) = covered.combine_chunks().to_batches()
    row = batch.to_pylist()[0]
    version = (run.schema.metadata or {})[b"prism.schema_version"].decode()
    first = genesis(version, "run", row["run_id"], covered.schema, row["previous_head"])
    return chain_hashes(first, row_bytes(batch))[-1]


def _serialize(column: pa.Array) -> pa.Array:
    """Return each value of a column as the text that is hashed."""
    match type_name(column.type):
        case "string":
            text = _prefix_length(column)
        case "int64":
            text = column.cast(pa.string())
        case kind if kind == _LIST:
            lengths = pc.fill_null(pc.list_value_length(column), 0).to_pylist()
            starts = pa.array([*accumulate(lengths, initial=0)], pa.int32())
            strings = pa.ListArray.from_arrays(starts, _prefix_length(column.flatten()))
            text = _prefix_length(pc.binary_join(strings, ""))
        case _:
            text = column.view(pa.int64()).cast(pa.string())
    return pc.fill_null(text, "-") if text.null_count else text


def _prefix_length(text: pa.Array) -> pa.Array:
    return pc.binary_join_element_wise(pc.binary_length(text).cast(pa.string()), text, ":")


PREFIX = "run="
_LINK = ("sequence", "run_head", "previous_run", "previous_head")
_PURPOSE = b"prism report signature 1"
_KEY_ID_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Link:
    """A report as the next one sees it: its name after ``run=``, place, last hash and predecessor.

    Without arguments it stands for what the first report follows.
    """

    name: str = ""
    sequence: int = 0
    head: str = NO_RUN
    previous_run: str = ""
    previous_head: str = NO_RUN


BEGINNING = Link()


def run_folders(report: Path) -> list[Path]:
    """Return the folders of all reports in ``report``, complete or not."""
    return sorted(folder for folder in report.glob(f"{PREFIX}*") if folder.is_dir())


def report_name(folder: Path) -> str:
    """Return the name of the report in ``folder``: its run's id, with ``.2`` for a second."""
    return folder.name.removeprefix(PREFIX)


def read_link(folder: Path) -> Link | None:
    """Return the link of the report in ``folder``; None when ``run.parquet`` cannot be read."""
    try:
        with pq.ParquetFile(folder / "run.parquet") as file:
            row = file.read(list(_LINK)).to_pylist()[0]
        sequence, head, previous_run, previous_head = (row[column] for column in _LINK)
        return Link(report_name(folder), int(sequence), head, previous_run or "", previous_head)
    except (OSError, pa.ArrowException, LookupError, TypeError, ValueError):
        return None


def last_link(report: Path) -> Link:
    """Return the report that the next one follows; ``BEGINNING`` when there is none."""
    links = [link for folder in run_folders(report) if (link := read_link(folder))]
    return max(links, key=lambda link: (link.sequence, link.name), default=BEGINNING)


@contextmanager
def lock_for_append(report: Path) -> Iterator[None]:
    """Let one process at a time add a report to the folder.

    Where the file system has no such lock, two reports written in the same instant may follow the
    same one; nothing is lost, and verification detects it.
    """
    descriptor = os.open(report, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


class Signer:
    """Signer with HMAC-SHA-256 under a key of its own, derived from the key of the state store.

    It needs no state store, so a report can be checked when the store is gone. The signing key
    cannot decrypt anything.
    """

    def __init__(self, key: bytes) -> None:
        self._key = hmac.digest(key, _PURPOSE, sha256)
        self.key_id = hmac.digest(self._key, b"name", sha256).hex()[:_KEY_ID_DIGITS]
        """Id that distinguishes this key from another, and reveals nothing else about it."""

    def sign(self, head: str) -> str:
        """Return the signature of a run's last hash, 64 hex digits."""
        return hmac.digest(self._key, b"head\0" + head.encode(), sha256).hex()

    def has_signed(self, head: str, signature: str) -> bool:
        """Return True if ``signature`` is this key's signature of ``head``."""
        return hmac.compare_digest(self.sign(head), signature)
