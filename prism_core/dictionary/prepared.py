"""Merged entries of a shipped dictionary, kept beside the bytecode of the package.

Merging the rows of a dictionary for a translator takes longer than everything else at the start, so
the result is kept as Python keeps compiled modules: in ``__pycache__``, where only those can write
who could change the program itself. A dictionary of the user's own is never kept: its words may be
those of an archive, and its folder may be anybody's.

Entry: ``PreparedFile.of`` a dictionary; then ``load``, or ``save`` what was merged.
"""

from __future__ import annotations

import hashlib
import marshal
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import MAGIC_NUMBER, cache_from_source
from itertools import chain
from pathlib import Path
from typing import Any

from prism_core.dictionary.entry import Entry, Forms
from prism_core.files import atomic_write
from prism_core.resources import shipped_dictionary

_FORMS, _OTHERS = (Entry._fields.index(name) for name in ("forms", "others"))


@dataclass(frozen=True)
class PreparedFile:
    """File of the entries merged from one dictionary for one translator.

    ``key`` names all that the entries follow from: the dictionary's content, the translator, the
    code that merges, the version of Python.
    """

    path: Path
    key: bytes

    @classmethod
    def of(cls, dictionary: Path, content: bytes, *made_with: str) -> PreparedFile | None:
        """Return the file for ``dictionary``, of ``content``; None for one that does not ship."""
        source, _, target = dictionary.stem.partition("-")
        if dictionary != shipped_dictionary(source, target) or not _hash_code():
            return None
        parts = (content, _hash_code(), MAGIC_NUMBER, "\0".join(made_with).encode())
        key = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts))
        name = hashlib.sha256(parts[-1]).hexdigest()[:8]
        kept = cache_from_source(str(dictionary.with_suffix(f".{name}.py")))
        return cls(Path(kept).with_suffix(".entries"), key.digest())

    def load(self) -> list[Entry] | None:
        """Return the entries that were saved under the same key; None where there are none."""
        try:
            content = self.path.read_bytes()
        except OSError:
            return None
        if content[: len(self.key)] != self.key:
            return None
        try:
            others, entries, places = marshal.loads(  # noqa: S302 (as trusted as bytecode)
                memoryview(content)[len(self.key) :]
            )
        except (EOFError, TypeError, ValueError):  # cut short: it is written anew
            return None
        rows = _unpack(others, [()] * len(others[0]))
        further: list[tuple[Entry, ...]] = [()] * len(entries[0])
        for place, begin, end in places:
            further[place] = tuple(rows[begin:end])
        return _unpack(entries, further)

    def save(self, entries: Sequence[Entry]) -> None:
        """Keep ``entries``, unless the folder is read-only or Python writes no bytecode."""
        if sys.dont_write_bytecode:
            return
        places, end = [], 0
        for place, entry in enumerate(entries):
            if entry.others:
                begin, end = end, end + len(entry.others)
                places.append((place, begin, end))
        rows = chain.from_iterable(entry.others for entry in entries)
        content = marshal.dumps((_pack(rows), _pack(entries), places))
        try:
            self.path.parent.mkdir(exist_ok=True)
            with atomic_write(self.path) as file:
                file.write(self.key + content)
            self.path.chmod(0o644)  # as public as the dictionary
        except OSError:
            return


@cache
def _hash_code() -> bytes:
    """Return a hash of the code that merges entries; empty where it is not in files."""
    code = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in code)).digest() if code else b""


def _pack(entries: Iterable[Entry]) -> list[list[Any]]:
    """Return ``entries`` as columns of plain values, those of ``others`` empty; equal ones once."""
    known: dict[Any, Any] = {}
    columns: list[list[Any]] = [[] for _ in (*Entry._fields, "scores", "features")]
    for entry in entries:
        forms = entry.forms
        features = tuple(known.setdefault(row, row) for row in forms.features)
        values = [*entry, forms.scores, features]
        values[_FORMS], values[_OTHERS] = tuple(known.setdefault(t, t) for t in forms.texts), None
        for column, value in zip(columns, values, strict=True):
            column.append(known.setdefault(value, value))
    columns[_OTHERS] = []
    return columns


def _unpack(columns: Sequence[list[Any]], others: list[tuple[Entry, ...]]) -> list[Entry]:
    *fields, scores, features = columns
    fields[_FORMS] = list(map(Forms, fields[_FORMS], scores, features))
    fields[_OTHERS] = others
    return list(map(Entry._make, zip(*fields, strict=True)))
