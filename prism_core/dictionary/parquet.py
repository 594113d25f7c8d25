"""Dictionaries on disk: one Parquet file, with its provenance in the file's metadata.

Columns: ``word``, ``tag``, ``translator``, ``forms`` (list of ``text``, ``score``, ``features``),
``agreement``, ``confidence``, ``calls``, ``method``, ``built``, ``calibrated``, which a file may
lack. One row for each word, tag and translator. The schema carries ``format_version`` and every
provenance field.

Entry: ``load_dictionary`` for use with one translator (``for_translator``), ``read_dictionary`` for
everything a file has, ``save_dictionary``; ``pause_collection`` while what stays is loaded.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise, repeat
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from prism_core.dictionary.dictionary import DRAWN_FROM, Dictionary
from prism_core.dictionary.entry import Entry, Forms
from prism_core.dictionary.exonyms import read_exonyms
from prism_core.dictionary.preference import (
    Made,
    clean_calendar,
    for_translator,
    is_asked,
    known_tags,
    plural_weekdays,
    unchanged_names,
)
from prism_core.dictionary.prepared import PreparedFile, load_or_make, pack_entries, unpack_entries
from prism_core.errors import ConfigurationError
from prism_core.files import make_file
from prism_core.languages import load_language
from prism_core.resources import shipped_pairs

FORMAT_VERSION = "2"

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
        ("calibrated", pa.float32()),
    ]
)
_Places = NDArray[Any]
_STORED = tuple(name for name in Entry._fields if name in _SCHEMA.names)


def load_dictionary(path: Path, translator: str = "") -> Dictionary:
    """Read a dictionary for use with ``translator``: see ``preferred``.

    Raises ``ConfigurationError`` when the file is missing or not a PRISM dictionary.
    """
    with pause_collection():
        file = _File.open(path)
        provenance = file.provenance
        source, target = provenance.get("source", "en"), provenance.get("target", "")
        ending = load_language(source).dates.plural_ending
        prepared = PreparedFile.of(path, file.content, translator, ending)

        def merge() -> tuple[bool, list[Entry]]:
            rows = file.read(translator)
            entries = clean_calendar(for_translator(rows, translator))
            entries += plural_weekdays(entries, ending)
            of_all = chain.from_iterable(entry.rows for entry in entries)
            return is_asked(of_all, translator), entries

        was_asked, entries = load_or_make(
            prepared,
            merge,
            lambda merged: (merged[0], pack_entries(merged[1])),
            lambda plain: (plain[0], unpack_entries(plain[1])),
        )
        return Dictionary(
            entries,
            provenance,
            file.digest,
            is_asked=was_asked,
            translator=translator,
            unchanged=partial(unchanged_names, source, target, translator),
            exonyms=read_exonyms(source, target),
            prepared=prepared,
        )


@contextmanager
def pause_collection() -> Iterator[None]:
    """Pause garbage collection, since everything that is read stays and would be scanned in vain.

    Collection during the reading would double the time. At the end the objects go to the oldest
    generation, or the first three collections would scan all of them. Where the process has frozen
    objects this would thaw them, so it is not done.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


@dataclass(frozen=True)
class StoredDictionary:
    """A dictionary file as stored: every entry of every translator, in the file's order."""

    entries: list[Entry]
    provenance: dict[str, str]
    digest: str


def read_dictionary(path: Path) -> StoredDictionary:
    """Read everything a file has. Raises ``ConfigurationError`` as ``load_dictionary`` does."""
    file = _File.open(path)
    return StoredDictionary(file.read(), file.provenance, file.digest)


@dataclass(frozen=True)
class _File:
    """A dictionary file whose metadata were read and checked, and whose rows were not."""

    path: Path
    content: bytes
    metadata: pq.FileMetaData
    provenance: dict[str, str]

    @classmethod
    def open(cls, path: Path) -> _File:
        """Read the file at ``path``. Raises ``ConfigurationError``."""
        try:
            content = path.read_bytes()
        except OSError:
            raise ConfigurationError(
                f"There is no dictionary at {path}. There ships one for "
                f"{', '.join(shipped_pairs())}; for another pair build one (prism dictionary "
                "build), or name yours in dictionary.path."
            ) from None
        try:
            found = pq.read_metadata(pa.BufferReader(content))
        except pa.ArrowException:
            raise ConfigurationError(
                f"{path} is not a Parquet file; rebuild the dictionary."
            ) from None
        stated = found.schema.to_arrow_schema().metadata or {}
        provenance = {k.decode(): v.decode() for k, v in stated.items()}
        if provenance.get("format_version") != FORMAT_VERSION:
            raise ConfigurationError(
                f"{path} is not a PRISM dictionary of format {FORMAT_VERSION}; rebuild it."
            )
        drawn_from = provenance.get(DRAWN_FROM, "0")
        if not (drawn_from.replace(".", "", 1).isdecimal() and 0 <= float(drawn_from) <= 1):
            raise ConfigurationError(
                f"{path} states {DRAWN_FROM} {drawn_from!r}, which is no number from "
                "0 to 1; rebuild the dictionary."
            )
        return cls(path, content, found, provenance)

    @property
    def digest(self) -> str:
        """Hash that identifies the content."""
        return hashlib.sha256(self.content).hexdigest()[:16]

    def read(self, translator: str | None = None) -> list[Entry]:
        """Read the rows, for ``translator`` without those that it has no use for."""
        try:
            table = _read_table(self.content, self.metadata)
            if translator is not None:
                table = _select_known_rows(table, translator)
            if "calibrated" not in table.column_names:
                unknown = pa.array([0.0] * len(table), pa.float32())
                table = table.append_column("calibrated", unknown)
            rows = table["forms"].combine_chunks()
            texts = tuple(_read_values(rows.values.field("text")))
            stored = _FormColumns(rows.values)
            ends = pairwise(_list_ends(rows).tolist())
            forms = [_StoredForms(texts[a:b], stored, a) for a, b in ends]
            # Column by column: a Python object for each field of each row would cost far more.
            columns = [forms if name == "forms" else _read_values(table[name]) for name in _STORED]
            pa.default_memory_pool().release_unused()
        except (pa.ArrowException, OSError):
            raise ConfigurationError(f"{self.path} is damaged; rebuild the dictionary.") from None
        sureness = columns[_STORED.index("confidence")]
        return list(map(Entry._make, zip(*columns, repeat(()), sureness, strict=False)))


def _read_table(content: bytes, metadata: pq.FileMetaData) -> pa.Table:
    """Read the rows, every different text once, by row group: Arrow reads nested texts only so.

    They are read with the memory of the system: Arrow's own takes twice as much, and keeps it.
    """
    columns = [metadata.schema.column(index) for index in range(metadata.num_columns)]
    texts = [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]
    own = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        file = pq.ParquetFile(pa.BufferReader(content), metadata=metadata, read_dictionary=texts)
        groups = range(file.num_row_groups)
        tables = [file.read_row_group(group, use_threads=False) for group in groups]
        return pa.concat_tables(tables or [file.schema_arrow.empty_table()]).unify_dictionaries()
    finally:
        pa.set_memory_pool(own)


def save_dictionary(entries: Iterable[Entry], provenance: Mapping[str, str], path: Path) -> None:
    """Write ``entries`` (sorted, so equal dictionaries are equal files) with their provenance.

    Only the owner can read the file: the words of an archive may be in it.
    """
    ordered = sorted(entries, key=lambda entry: (entry.word, entry.tag, entry.translator))
    rows = [
        {name: getattr(entry, name) for name in _STORED}
        | {"forms": [form._asdict() for form in entry.forms]}
        for entry in ordered
    ]
    table = pa.Table.from_pylist(rows, schema=_SCHEMA)
    metadata = {"format_version": FORMAT_VERSION, **provenance}
    temporary = path.with_suffix(".partial")
    make_file(temporary)
    pq.write_table(table.replace_schema_metadata(metadata), temporary, compression="zstd")
    temporary.replace(path)


def _select_known_rows(table: pa.Table, translator: str) -> pa.Table:
    """Return ``table`` without the rows of tags that ``for_translator`` gives no entries of.

    Rows that are read only to be dropped leave gaps all over the memory. Later objects would lie
    scattered in them and slow down everything that looks at a text.
    """
    fields = [_encode(table[name]) for name in Made._fields]
    number = np.zeros(len(table), np.int64)
    for different, places in fields:
        number = number * len(different) + places
    _, first, places = np.unique(number, return_index=True, return_inverse=True)
    made = [Made(*(different[at[row]] for different, at in fields)) for row in first.tolist()]
    known = known_tags(made, translator)
    is_known = np.array([row.tag in known for row in made], bool)
    if is_known.all():
        return table
    mask = np.packbits(is_known[places], bitorder="little")
    return table.filter(pa.Array.from_buffers(pa.bool_(), len(table), [None, pa.py_buffer(mask)]))


def _encode(column: pa.ChunkedArray | pa.Array) -> tuple[list[Any], _Places]:
    """Return the different values of a column, and for each row the place of its own among them.

    They come by DLPack: ``to_numpy`` imports pandas where it is installed, which takes 35 MB.
    """
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if not isinstance(array, pa.DictionaryArray):
        array = array.dictionary_encode()
    return array.dictionary.to_pylist(), np.from_dlpack(array.indices)


def _read_values(column: pa.ChunkedArray | pa.Array) -> list[Any]:
    """Return the values of a column; equal ones are one object."""
    different, places = _encode(column)
    found: list[Any] = np.array([*different, None], object)[places].tolist()
    return found


class _StoredForms(Forms):
    """Forms of a row of a file, whose scores and features are read when they are first asked for.

    Few words of a dictionary occur in a text, and of the others the texts alone are needed.
    """

    __slots__ = ("_begin", "_columns")

    def __init__(self, texts: tuple[str, ...], columns: _FormColumns, begin: int) -> None:
        self.texts, self._columns, self._begin = texts, columns, begin

    def __getattr__(self, name: str) -> Any:
        """Return the value of a slot that is still empty, and fill it in."""
        if name not in ("scores", "features"):
            raise AttributeError(name)
        found = getattr(self._columns, name)(self._begin, self._begin + len(self.texts))
        setattr(self, name, found)
        return found


class _FormColumns:
    """Scores and features of all forms of a file, in its order."""

    def __init__(self, forms: pa.StructArray) -> None:
        lists = forms.field("features")
        self._scores = np.from_dlpack(forms.field("score"))
        self._names, self._places = _encode(lists.values)
        self._ends = _list_ends(lists)
        self._known: dict[bytes, tuple[str, ...]] = {}  # a few dozen different lists of features

    def scores(self, begin: int, end: int) -> tuple[float, ...]:
        """Return the scores of the forms from ``begin`` to ``end``."""
        return tuple(self._scores[begin:end].tolist())

    def features(self, begin: int, end: int) -> tuple[tuple[str, ...], ...]:
        """Return the features of the forms from ``begin`` to ``end``; equal ones are one object."""
        found = []
        for a, b in pairwise(self._ends[begin : end + 1].tolist()):
            places = self._places[a:b]
            key = places.tobytes()
            if key not in self._known:
                self._known[key] = tuple(self._names[place] for place in places.tolist())
            found.append(self._known[key])
        return tuple(found)


def _list_ends(lists: pa.ListArray) -> _Places:
    """Return where each list begins among the values of all, and where the last one ends."""
    return np.from_dlpack(lists.offsets)
