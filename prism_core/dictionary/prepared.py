"""What follows from a shipped dictionary, kept beside the bytecode of the package.

To merge the rows of a dictionary for a translator, and to index and arrange them, takes longer than
everything else at the start. So the result is kept as Python keeps compiled modules: in
``__pycache__``, where only those can write who could change the program itself. Nothing of a
dictionary of the user's own is kept: its words may be those of an archive, and its folder may be
anybody's.

Entry: ``PreparedFile.of`` a dictionary for its entries (``pack_entries``), ``derive`` for what is
made of these; then ``load_or_make``.
"""

from __future__ import annotations

import hashlib
import marshal
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import MAGIC_NUMBER, cache_from_source
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from prism_core.dictionary.entry import Entry, Forms
from prism_core.files import atomic_write
from prism_core.resources import SHIPPED_NAMES, shipped_dictionary

Made = TypeVar("Made")

_FORMS, _OTHERS = (Entry._fields.index(name) for name in ("forms", "others"))


@dataclass(frozen=True)
class PreparedFile:
    """File of plain data that follow from one dictionary.

    ``key`` names all that they follow from: the dictionary's content, the translator, the code, the
    version of Python.
    """

    path: Path
    key: bytes

    @classmethod
    def of(cls, dictionary: Path, content: bytes, *made_with: str) -> PreparedFile | None:
        """Return the file for ``dictionary``, of ``content``; None for one that does not ship."""
        source, _, target = dictionary.stem.partition("-")
        if dictionary != shipped_dictionary(source, target) or not _hash_code():
            return None
        name = hashlib.sha256("\0".join(made_with).encode()).hexdigest()[:8]
        kept = cache_from_source(str(dictionary.with_suffix(f".{name}.py")))
        key = _hash(content, _hash_code(), MAGIC_NUMBER, *map(str.encode, made_with))
        return cls(Path(kept).with_suffix(".entries"), key)

    def derive(self, name: str, settings: str, files: Iterable[Path]) -> PreparedFile:
        """Return the file called ``name`` of what ``settings`` and ``files`` make of these data."""
        contents = [file.read_bytes() for file in files if file.exists()]
        digest = _hash(self.key, settings.encode(), *contents)
        suffix = f".{_hash(settings.encode()).hex()[:8]}.{name}"
        return PreparedFile(self.path.with_suffix(suffix), digest)

    def load(self) -> Any:
        """Return the plain data that were saved under the same key; None where there are none."""
        try:
            content = self.path.read_bytes()
            if content[: len(self.key)] != self.key:
                return None
            return marshal.loads(memoryview(content)[len(self.key) :])  # noqa: S302 (as trusted as bytecode)
        except (OSError, EOFError, TypeError, ValueError):  # cut short: it is written anew
            return None

    def save(self, plain: Any) -> None:
        """Keep ``plain`` data, unless the folder is read-only or Python writes no bytecode."""
        if sys.dont_write_bytecode:
            return
        content = marshal.dumps(plain)
        try:
            self.path.parent.mkdir(exist_ok=True)
            with atomic_write(self.path) as file:
                file.write(self.key + content)
            self.path.chmod(0o644)  # as public as the dictionary
        except OSError:
            return


def load_or_make(
    file: PreparedFile | None,
    make: Callable[[], Made],
    pack: Callable[[Made], Any] = lambda made: made,
    unpack: Callable[[Any], Made] = lambda plain: plain,
) -> Made:
    """Return what ``file`` has, else ``make()``, which it has from then on as ``pack`` made it."""
    plain = file.load() if file else None
    if plain is not None:
        return unpack(plain)
    made = make()
    if file:
        file.save(pack(made))
    return made


@cache
def _hash_code() -> bytes:
    """Return a hash of the code that merges entries, and of names; empty if it is not in files."""
    own = Path(__file__).parent
    code = [file for folder in (own, own.with_name("languages")) for file in folder.glob("*.py")]
    files = sorted((*code, *SHIPPED_NAMES.rglob("*.t*")))
    return _hash(*(file.read_bytes() for file in files)) if code else b""


def _hash(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).digest()


def pack_entries(entries: Sequence[Entry]) -> Any:
    """Return ``entries`` as plain data."""
    places, end = [], 0
    for place, entry in enumerate(entries):
        if entry.others:
            begin, end = end, end + len(entry.others)
            places.append((place, begin, end))
    rows = chain.from_iterable(entry.others for entry in entries)
    return _pack(rows), _pack(entries), places


def unpack_entries(plain: Any) -> list[Entry]:
    """Return the entries that ``pack_entries`` made plain data of."""
    others, entries, places = plain
    rows = _unpack(others, [()] * len(others[0]))
    further: list[tuple[Entry, ...]] = [()] * len(entries[0])
    for place, begin, end in places:
        further[place] = tuple(rows[begin:end])
    return _unpack(entries, further)


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
