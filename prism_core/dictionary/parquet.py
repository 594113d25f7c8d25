"""Dictionaries on disk: one Parquet file, its provenance in the file's metadata.

Columns: ``word``, ``tag``, ``translator``, ``forms`` (list of ``text``, ``score``, ``features``),
``agreement``, ``confidence``, ``calls``, ``method``, ``built``. One row for each word, tag and
translator. The schema carries ``format_version`` and every provenance field.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from prism_core.dictionary.dictionary import Dictionary
from prism_core.dictionary.entry import Entry, FormColumns, StoredForms
from prism_core.dictionary.preference import for_translator
from prism_core.errors import ConfigurationError

FORMAT_VERSION = "2"
_BETWEEN = "\x1f"
"""Between features while they are read; no name of a frame holds it."""

_FORM = pa.struct(
    [("text", pa.string()), ("score", pa.float32()), ("features", pa.list_(pa.string()))]
)
_SCHEMA = pa.schema(
    [
        ("word", pa.string()),
        ("tag", pa.string()),
        ("translator", pa.string()),
        ("forms", pa.list_(_FORM)),
        ("agreement", pa.string()),
        ("confidence", pa.float32()),
        ("calls", pa.float32()),
        ("method", pa.string()),
        ("built", pa.string()),
    ]
)


def load_dictionary(path: Path, translator: str = "") -> Dictionary:
    """Read a dictionary for use with ``translator``: see ``preferred``.

    Raises ``ConfigurationError`` when it is missing or not one of ours.
    """
    with _without_collection():
        stored = read_dictionary(path)
        entries = for_translator(stored.entries, translator)
        return Dictionary(entries, stored.provenance, stored.digest)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Everything that is read is to stay: looking for garbage meanwhile would double the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@dataclass(frozen=True)
class StoredDictionary:
    """A dictionary file as it is: every entry of every translator, in the file's order."""

    entries: list[Entry]
    provenance: dict[str, str]
    digest: str


def read_dictionary(path: Path) -> StoredDictionary:
    """Read everything a file has. Raises ``ConfigurationError`` as ``load_dictionary`` does."""
    try:
        content = path.read_bytes()
    except OSError:
        raise ConfigurationError(
            f"There is no dictionary at {path}. Set [dictionary] path, or choose a language pair "
            "that ships with one."
        ) from None
    try:
        table = pq.ParquetFile(pa.BufferReader(content)).read(use_threads=False)
    except pa.ArrowException:
        raise ConfigurationError(f"{path} is not a Parquet file; rebuild the dictionary.") from None
    metadata = {k.decode(): v.decode() for k, v in (table.schema.metadata or {}).items()}
    if metadata.get("format_version") != FORMAT_VERSION:
        raise ConfigurationError(
            f"{path} is not a PRISM dictionary of format {FORMAT_VERSION}; rebuild it."
        )
    digest = hashlib.sha256(content).hexdigest()[:16]
    return StoredDictionary(_entries(table), metadata, digest)


def save_dictionary(entries: Iterable[Entry], provenance: Mapping[str, str], path: Path) -> None:
    """Write ``entries`` (sorted, so equal dictionaries are equal files) with their provenance."""
    ordered = sorted(entries, key=lambda one: (one.word, one.tag, one.translator))
    table = pa.Table.from_pylist([_row(entry) for entry in ordered], schema=_SCHEMA)
    metadata = {"format_version": FORMAT_VERSION, **provenance}
    temporary = path.with_suffix(".partial")
    pq.write_table(table.replace_schema_metadata(metadata), temporary, compression="zstd")
    temporary.replace(path)


def _entries(table: pa.Table) -> list[Entry]:
    """Read column by column: a Python object for each field of each row would cost far more."""
    return list(
        map(
            Entry,
            table["word"].to_pylist(),
            _shared(table["tag"]),
            _forms(table["forms"].combine_chunks()),
            _shared(table["agreement"]),
            table["confidence"].to_pylist(),
            table["calls"].to_pylist(),
            _shared(table["translator"]),
            _shared(table["method"]),
            _shared(table["built"]),
        )
    )


def _shared(column: pa.ChunkedArray) -> list[str]:
    """The values of a column that has few different ones; equal ones are one object."""
    encoded = column.combine_chunks().dictionary_encode()
    values = encoded.dictionary.to_pylist()
    return [values[index] for index in encoded.indices.to_pylist()]


def _forms(lists: pa.ListArray) -> Iterator[StoredForms]:
    flat = lists.flatten()
    columns = FormColumns(
        flat.field("text").to_pylist(),
        flat.field("score").to_pylist(),
        _features(flat.field("features")),
    )
    ends = accumulate(lists.value_lengths().to_pylist(), initial=0)
    return (StoredForms(columns, start, end) for start, end in pairwise(ends))


def _features(lists: pa.ListArray) -> list[tuple[str, ...]]:
    """The features of each form; there are a few dozen different lists of them."""
    joined = pc.binary_join(lists, _BETWEEN).dictionary_encode()
    values = [tuple(one.split(_BETWEEN)) if one else () for one in joined.dictionary.to_pylist()]
    return [values[index] for index in joined.indices.to_pylist()]


def _row(entry: Entry) -> dict[str, object]:
    return {
        "word": entry.word,
        "tag": entry.tag,
        "forms": [
            {"text": f.text, "score": f.score, "features": list(f.features)} for f in entry.forms
        ],
        "agreement": entry.agreement,
        "confidence": entry.confidence,
        "calls": entry.calls,
        "translator": entry.translator,
        "method": entry.method,
        "built": entry.built,
    }
