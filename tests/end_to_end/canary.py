"""Looks for planted texts in bytes, through every encoding that could hide them.

The bytes are unpacked again and again (base64, hexadecimal, quoted-printable, percent, JSON and
HTML escapes, gzip, zlib, zip, zstd, bzip2, xz, SQLite, Parquet), and each layer is compared with
everything but letters and digits taken out. That makes UTF-16, markup within a word, other
spacing and line breaks invisible, and a match cannot depend on a separator.
"""

from __future__ import annotations

import binascii
import bz2
import html
import io
import json
import lzma
import quopri
import re
import sqlite3
import struct
import tempfile
import unicodedata
import urllib.parse
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import pyarrow
import pyarrow.parquet

DEPTH = 4
"""Layers of packing that are looked through."""
SHORTEST = 6
"""Bytes that a needle has at least: shorter ones occur by chance in a few megabytes."""

_WIDE = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le")
_NARROW = ("latin-1", "cp1252", "cp1250", "cp1251")
_SQLITE = b"SQLite format 3\0"
_DROPPED = bytes(b for b in range(128) if not chr(b).isalnum())
_LOWER = bytes(b + 32 if 65 <= b <= 90 else b for b in range(256))
_LARGEST_UNPACKED = 100_000_000


@dataclass(frozen=True, order=True)
class Finding:
    """``canary`` was found in ``place``, below the layers ``path``."""

    canary: str
    place: str
    path: str


class Searcher:
    """Finds any of ``canaries`` in bytes, files and folders.

    ``exact`` are byte strings that are looked for as they are in each layer, by what to call them.
    """

    def __init__(self, canaries: Iterable[str], exact: Mapping[str, bytes] | None = None) -> None:
        texts = list(canaries)
        short = [text for text in texts if len(squash(text.encode())) < SHORTEST]
        assert not short, f"too short to be told from chance: {short}"
        written = {one: text for text in texts for one in _written(text)}
        self._squashed = {squash(one): text for one, text in written.items() if _is_long(one)}
        self._exact = {one: text for one, text in written.items() if not _is_long(one)}
        self._exact |= {needle: name for name, needle in (exact or {}).items()}

    def in_bytes(self, content: bytes, place: str, depth: int = DEPTH) -> set[Finding]:
        """Every canary that ``content`` holds in any form, up to ``depth`` layers deep."""
        found: set[Finding] = set()
        waiting = [(content, "")]
        seen: set[int] = set()
        while waiting:
            layer, path = waiting.pop()
            if (mark := hash(layer)) in seen:
                continue
            seen.add(mark)
            squashed = squash(layer)
            hits = {text for needle, text in self._squashed.items() if needle in squashed}
            hits |= {text for needle, text in self._exact.items() if needle in layer}
            found |= {Finding(text, place, path) for text in hits}
            if path.count("/") < depth:
                last = path.rpartition("/")[2]
                waiting += [(inner, f"{path}/{name}") for name, inner in _unpacked(layer, last)]
        return found

    def in_file(self, path: Path, place: str | None = None) -> set[Finding]:
        """In a file's name and content.

        The values of a database, with those in its write-ahead log, are searched to the full
        depth; the files themselves, which hold old values too, less deep.
        """
        place = place or str(path)
        content = path.read_bytes()
        found = self.in_bytes(place.encode("utf-8", "surrogateescape"), f"{place} (name)")
        if content.startswith(_SQLITE):
            values = b"\n".join(_database_values(path))
            found |= self.in_bytes(values, f"{place} (values)")
        is_database = content.startswith(_SQLITE) or path.name.endswith(("-wal", "-journal"))
        return found | self.in_bytes(content, place, 2 if is_database else DEPTH)

    def in_folder(self, folder: Path, leave_out: Iterable[Path] = ()) -> set[Finding]:
        """In everything below ``folder`` but ``leave_out``: contents, and the names of all."""
        skipped, found = set(leave_out), set()
        for path in sorted(folder.rglob("*")):
            if skipped.isdisjoint([path, *path.parents]):
                place = str(path.relative_to(folder))
                if path.is_symlink() or not path.is_file():
                    found |= self.in_bytes(place.encode("utf-8", "surrogateescape"), place)
                else:
                    found |= self.in_file(path, place)
        return found


def squash(content: bytes) -> bytes:
    """ASCII letters in lower case, ASCII digits and all other bytes above 127; the rest is cut."""
    return content.translate(_LOWER, _DROPPED)


def _is_long(written: bytes) -> bool:
    """Whether enough is left of a text without its marks; else it is searched for as it is."""
    return len(squash(written)) >= SHORTEST


def _written(text: str) -> set[bytes]:
    """``text`` in each case and encoding."""
    folded = "".join(c for c in unicodedata.normalize("NFKD", text) if ord(c) < 128)
    spellings = {text, text.upper(), text.lower(), text.title(), text.casefold()}
    spellings |= {unicodedata.normalize("NFD", one) for one in spellings}
    if len(squash(folded.encode())) * 2 > len(text):
        spellings.add(folded)
    written = {one.encode(name) for one in spellings for name in _WIDE}
    for one in spellings:
        for name in _NARROW:
            with suppress(UnicodeEncodeError):
                written.add(one.encode(name))
    return written


def _unpacked(layer: bytes, last: str) -> Iterator[tuple[str, bytes]]:
    """What ``layer`` turns into when something in it is unpacked, ``last`` having made it.

    What only rewrites a part in its place is not done twice in a row.
    """
    for name, unpack in _UNPACKERS.items():
        if name == last and name in _REWRITERS:
            continue
        inner = unpack(layer)
        if inner and inner != layer:
            yield name, inner


def _base64(layer: bytes) -> bytes:
    """All runs of base64, at each of the four places a group can start."""
    joined = layer.translate(None, b"\r\n\t ").translate(bytes.maketrans(b"-_", b"+/"))
    decoded = []
    for run in re.findall(rb"[A-Za-z0-9+/]{12,}", joined):
        for start in range(4):
            part = run[start:]
            part = part[:-1] if len(part) % 4 == 1 else part
            decoded.append(binascii.a2b_base64(part + b"=" * (-len(part) % 4)))
    return b"\0".join(decoded)


def _hexadecimal(layer: bytes) -> bytes:
    decoded = []
    for run in re.findall(rb"[0-9a-fA-F]{12,}", layer):
        decoded.append(bytes.fromhex(run[: len(run) // 2 * 2].decode()))
        decoded.append(bytes.fromhex(run[1:][: (len(run) - 1) // 2 * 2].decode()))
    return b"\0".join(decoded)


def _quoted_printable(layer: bytes) -> bytes:
    return quopri.decodestring(layer) if re.search(rb"=[0-9A-Fa-f]{2}|=\r?\n", layer) else b""


def _percent(layer: bytes) -> bytes:
    if not re.search(rb"%[0-9A-Fa-f]{2}", layer):
        return b""
    return urllib.parse.unquote_to_bytes(layer)


def _backslashes(layer: bytes) -> bytes:
    r"""JSON's and Python's ``\u00e9``, ``\xc3`` and ``\n``."""
    if not re.search(rb"\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[nrt]", layer):
        return b""
    text = layer.replace(b"\\\\", b"\\").decode("latin-1")
    wide = re.sub(
        r"(?:\\u[0-9a-fA-F]{4})+",
        lambda run: json.loads(f'"{run[0]}"').encode("utf-8", "replace").decode("latin-1"),
        text,
    )
    narrow = re.sub(r"\\x([0-9a-fA-F]{2})", lambda one: chr(int(one[1], 16)), wide)
    return re.sub(r"\\[nrt]", "\n", narrow).encode("latin-1", "replace")


def _entities(layer: bytes) -> bytes:
    if not re.search(rb"&#?\w+;", layer):
        return b""
    return re.sub(rb"&#?\w+;", lambda one: html.unescape(one[0].decode("latin-1")).encode(), layer)


def _markup(layer: bytes) -> bytes:
    """Without tags, so that a word with a part in bold is whole."""
    return re.sub(rb"</?\w[^<>]{0,500}>", b"", layer)


def _deflated(layer: bytes) -> bytes:
    """Gzip, zlib and the members of zip files, wherever they start."""
    starts = [m.start() for m in re.finditer(rb"\x1f\x8b\x08|\x78[\x01\x5e\x9c\xda]", layer)]
    pieces = [_inflate(layer[start:], 47) for start in starts]
    for match in re.finditer(rb"PK\x03\x04", layer):
        lengths = layer[match.start() + 26 : match.start() + 30]
        if len(lengths) == 4:
            skipped = 30 + sum(struct.unpack("<HH", lengths))
            pieces.append(_inflate(layer[match.start() + skipped :], -15))
    return b"\0".join(piece for piece in pieces if piece)


def _inflate(content: bytes, window: int) -> bytes:
    """As much as can be had of a stream that may be cut short."""
    machine, inflated = zlib.decompressobj(window), b""
    with suppress(zlib.error):
        for start in range(0, len(content), 1024):
            inflated += machine.decompress(content[start : start + 1024], _LARGEST_UNPACKED)
            if machine.eof or len(inflated) > _LARGEST_UNPACKED:
                break
    return inflated


def _streams(layer: bytes) -> bytes:
    """Zstandard, bzip2 and xz."""
    pieces = []
    for match in re.finditer(rb"\x28\xb5\x2f\xfd|BZh[1-9]1AY|\xfd7zXZ\x00", layer):
        content = layer[match.start() :]
        with suppress(OSError, EOFError, lzma.LZMAError, ValueError):
            if content.startswith(b"BZh"):
                pieces.append(bz2.BZ2Decompressor().decompress(content))
            elif content.startswith(b"\xfd"):
                pieces.append(lzma.LZMADecompressor().decompress(content))
            else:
                pieces.append(pyarrow.CompressedInputStream(io.BytesIO(content), "zstd").read())
    return b"\0".join(pieces)


def _parquet(layer: bytes) -> bytes:
    if not (layer.startswith(b"PAR1") and layer.endswith(b"PAR1")):
        return b""
    with suppress(OSError, pyarrow.ArrowException):
        table = pyarrow.parquet.read_table(pyarrow.BufferReader(layer))
        columns = [f"{name}: {table.column(name).to_pylist()}" for name in table.column_names]
        return "\n".join([str(table.schema), *columns]).encode("utf-8", "surrogateescape")
    return b""


def _sqlite(layer: bytes) -> bytes:
    """Every value of a database: in the file, long ones are cut at the borders of pages."""
    if not layer.startswith(_SQLITE):
        return b""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "copy"
        path.write_bytes(layer)
        return b"\n".join(_database_values(path))


def _database_values(path: Path) -> Iterator[bytes]:
    """Every value of every table; the files stay as they are."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.db"
        for suffix in ("", "-wal"):
            source = path.with_name(path.name + suffix)
            if source.exists():
                copy.with_name(copy.name + suffix).write_bytes(source.read_bytes())
        with closing(sqlite3.connect(copy)) as connection, suppress(sqlite3.DatabaseError):
            connection.text_factory = bytes
            tables = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
            for name, sql in tables.fetchall():
                yield sql or b""
                with suppress(sqlite3.DatabaseError):
                    for row in connection.execute(f'SELECT * FROM "{name.decode()}"'):  # noqa: S608
                        yield from (v if isinstance(v, bytes) else str(v).encode() for v in row)


_UNPACKERS: dict[str, Callable[[bytes], bytes]] = {
    "base64": _base64,
    "hexadecimal": _hexadecimal,
    "quoted-printable": _quoted_printable,
    "percent": _percent,
    "escapes": _backslashes,
    "entities": _entities,
    "markup": _markup,
    "deflate": _deflated,
    "stream": _streams,
    "parquet": _parquet,
    "sqlite": _sqlite,
}
_REWRITERS = {"quoted-printable", "percent", "entities", "markup"}
