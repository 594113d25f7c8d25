"""Zips of XML parts: opened with checks, and saved with some parts replaced.

Entry: ``open_package``, which checks sizes; ``Package.save`` copies members that did not change.
"""

from __future__ import annotations

import re
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from lxml import etree
from PIL import Image

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import DEFAULT_OPTIONS, MOST_BYTES, FormatOptions, refuse_more
from prism_core.safe_xml import local_name, namespace

_MOST_MEMBERS: Final = 20_000
_MOST_UNPACKED: Final = 2_000_000_000
"""Limit in bytes of all members together; a long illustrated report unpacks to a tenth of it."""
_BOMB_RATIO: Final = 150
"""Suspicious compression ratio.

Real XML shrinks to 1:50 at most; blank pictures shrink further, but take no memory here.
"""
_BOMB_XML: Final = 20_000_000
_BOMB_TOTAL: Final = 200_000_000
"""Sizes in bytes below which no ratio is suspicious, for one XML part and for all members."""
_MOST_COPIED: Final = 64_000_000
"""Size in bytes up to which a member is copied in memory; a larger one is copied in pieces."""
_BLOCK: Final = 4096
"""Number of packed bytes that are unpacked at a time, to a thousand times as many."""
_OWNERS_ALONE: Final = 0o600 << 16
"""Permissions that zipfile writes for an entry that states none."""
_SMALL: Final = 5_000_000
"""Size in bytes below which a part has never too many texts."""
_COUNTED: Final = frozenset(("p", "h", "si", "is"))
_TEXTS: Final = tuple(f"{{*}}{name}" for name in (*_COUNTED, "tr", "row", "table-row"))
"""Elements that are a text of their own, and those around them that would be many."""
_REPEATED: Final = ("/wordprocessingml/2006/main", "/wordprocessingml/main", "/drawingml/2006/main")
"""Namespaces in which every paragraph is a text, equal or not."""
_SEVERAL_WORDS: Final = re.compile(r"[^\W\d_]{2,}\s.*?[^\W\d_]{2,}")
_MOST_ELEMENTS: Final = 2_000_000
"""Greatest number of paragraphs, strings and rows of a part."""
_SIGNATURES: Final = ("_xmlsignatures/", "meta-inf/documentsignatures.xml")
_PICTURE: Final = re.compile(
    r"(?:.+/media|pictures)/[^/]+\.(?:bmp|gif|jpe?g|png|tiff?|webp)", re.IGNORECASE
)
_LEAST_PICTURE: Final = 100_000
"""Number of pixels from which a picture may show lines of text; a smaller one is an ornament."""
_OLE_MAGIC: Final = b"\xd0\xcf\x11\xe0"
_ZIP_MAGIC: Final = b"PK\x03\x04"
_ENCRYPTED_FLAG: Final = 0x1
_DTD_ADVICE: Final = "It declares XML entities, as no word processor does; check its origin."
Parts = dict[str, etree._ElementTree | bytes]
"""Changed parts of a document, as trees or already serialised."""


class Package:
    """Open package of parts. Raises ``DocumentError`` for every fault of the package."""

    def __init__(self, archive: zipfile.ZipFile, options: FormatOptions = DEFAULT_OPTIONS) -> None:
        self._archive = archive
        self._options = options
        self._members = {info.filename: info for info in archive.infolist()}
        self._by_part = {_part_name(name): name for name in self._members}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the members as the zip has them."""
        return tuple(self._members)

    def member(self, part: str) -> str | None:
        """Return the member that holds ``part`` (``/word/document.xml``) in any case or slashes."""
        return self._by_part.get(_part_name(part))

    def parse(self, name: str) -> etree._ElementTree:
        """Parse the XML member ``name`` without entities, network or giant nodes."""
        return parse_xml(self.content(name))

    def content(self, name: str) -> bytes:
        """Return the bytes of a member; raise ``DocumentError``: corrupt, too large."""
        info = self._members[name]
        if info.file_size > MOST_BYTES:
            raise DocumentError(DocumentFailure.TOO_LARGE)
        if info.file_size > _SMALL:
            with _zip_errors(), self._open(info) as member:
                refuse_more_texts(member, self._options)
        with _zip_errors(), self._open(info) as member:
            return member.read()

    def holds_package(self, name: str) -> bool:
        """Return True if member ``name`` is another document, embedded as Office files do."""
        with _zip_errors(), self._open(self._members[name]) as member:
            return member.read(len(_ZIP_MAGIC)) == _ZIP_MAGIC

    def count_pictures(self) -> int:
        """Count the pictures that may show text, such as a scanned page; none of them is read."""
        names = filter(_PICTURE.fullmatch, self.names)
        return sum(map(self._may_show_text, names))

    def _may_show_text(self, name: str) -> bool:
        try:
            with _zip_errors():
                member = self._open(self._members[name])
                with member, Image.open(member) as picture:  # reads the head alone
                    return picture.width * picture.height >= _LEAST_PICTURE
        except Image.DecompressionBombError:  # very large
            return True
        except (DocumentError, OSError, SyntaxError):
            return False

    def _open(self, info: zipfile.ZipInfo) -> IO[bytes]:
        """Open a member without checking its checksum: other programs accept wrong ones."""
        member = self._archive.open(info)
        member._expected_crc = None  # type: ignore[attr-defined] # zipfile has no other way
        return member

    def _read_packed(self, info: zipfile.ZipInfo) -> bytes | None:
        """Return a packed member, None if it is large or holds other data than its entry says."""
        if max(info.compress_size, info.file_size) > _MOST_COPIED:
            return None
        with self._archive.open(info) as member:
            packed: bytes = member._fileobj.read(info.compress_size)  # type: ignore[attr-defined]
        size, checksum = len(packed), zlib.crc32(packed)
        is_whole = info.compress_type == zipfile.ZIP_STORED
        if info.compress_type == zipfile.ZIP_DEFLATED:
            unpacker, size, checksum = zlib.decompressobj(-zlib.MAX_WBITS), 0, 0
            try:
                for start in range(0, len(packed), _BLOCK):  # the whole would waste memory
                    content = unpacker.decompress(packed[start : start + _BLOCK])
                    size, checksum = size + len(content), zlib.crc32(content, checksum)
                    if size > info.file_size:
                        return None
            except zlib.error:
                return None
            is_whole = unpacker.eof and not unpacker.unused_data
        matches_entry = size == info.file_size and checksum == info.CRC
        return packed if is_whole and matches_entry else None

    def save(self, path: Path, changed: Parts) -> None:
        """Write the package to ``path`` with the ``changed`` members, new ones last.

        The others stay.

        A trial only reads the members that stay, and raises ``DocumentError`` for their faults.
        """
        if self._options.is_trial:
            stays = [info for name, info in self._members.items() if name not in changed]
            with _zip_errors():
                for info in stays:
                    if not info.is_dir() and self._read_packed(info) is None:
                        with self._open(info) as source:
                            while source.read(1 << 20):
                                pass
            return
        with _zip_errors(), zipfile.ZipFile(path, "w") as output:
            for name, info in self._members.items():
                copy = zipfile.ZipInfo(info.filename, info.date_time)  # the same entry
                copy.compress_type, copy.external_attr = info.compress_type, info.external_attr
                copy.create_system, copy.comment = info.create_system, info.comment
                if name in changed:
                    output.writestr(copy, serialise(changed[name]))
                elif info.is_dir():
                    output.writestr(copy, b"")
                elif (packed := self._read_packed(info)) is not None:
                    _add_packed(output, copy, info, packed)
                else:
                    with self._open(info) as source, output.open(copy, "w") as sink:
                        shutil.copyfileobj(source, sink, 1 << 20)
            for name in sorted(changed.keys() - self._members.keys()):
                added = zipfile.ZipInfo(name)  # dated 1980, so that the output is reproducible
                added.compress_type = zipfile.ZIP_DEFLATED
                output.writestr(added, serialise(changed[name]))


def _add_packed(
    output: zipfile.ZipFile, entry: zipfile.ZipInfo, info: zipfile.ZipInfo, packed: bytes
) -> None:
    """Add data that is ``packed`` as ``info`` says under ``entry``; zipfile can only pack."""
    entry.CRC, entry.file_size, entry.compress_size = info.CRC, info.file_size, len(packed)
    entry.external_attr = entry.external_attr or _OWNERS_ALONE
    file = output.fp
    assert file is not None  # noqa: S101 (it is open)
    entry.header_offset = file.seek(output.start_dir)
    file.write(entry.FileHeader())
    file.write(packed)
    output.filelist.append(entry)
    output.NameToInfo[entry.filename] = entry
    output.start_dir = file.tell()
    output._didModify = True  # type: ignore[attr-defined]


def parse_xml(content: bytes) -> etree._ElementTree:
    """Parse XML without entities, network or giant nodes; raise ``DocumentError`` (corrupt)."""
    # duplicate ids, which programs leave behind, are no reason to refuse
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, huge_tree=False, collect_ids=False
    )
    try:
        tree = etree.fromstring(content, parser).getroottree()
    except (etree.XMLSyntaxError, ValueError):
        raise DocumentError(DocumentFailure.CORRUPT) from None
    refuse_dtd(tree)
    return tree


def refuse_more_texts(file: IO[bytes], options: FormatOptions) -> None:
    """Raise ``DocumentError`` (too large) for too many texts or elements; build no tree."""
    parsed = etree.iterparse(
        file, ("end",), tag=_TEXTS, resolve_entities=False, no_network=True, collect_ids=False
    )
    count, known = 0, set[int]()
    try:
        for number, (_, element) in enumerate(parsed):
            if number > _MOST_ELEMENTS:
                raise DocumentError(DocumentFailure.TOO_LARGE)
            counted = local_name(element) in _COUNTED
            text = "".join(map(str, element.itertext())) if counted else ""
            if namespace(element).endswith(_REPEATED):
                count += any(map(str.isalnum, text))
            elif _SEVERAL_WORDS.search(text):
                known.add(hash(text))
            refuse_more(count + len(known), options)
            element.clear()
            above = element.getparent()
            while above is not None and above[0] is not element:
                del above[0]
    except (etree.XMLSyntaxError, ValueError):
        raise DocumentError(DocumentFailure.CORRUPT) from None


def refuse_dtd(tree: etree._ElementTree) -> None:
    """Raise ``DocumentError`` (corrupt) when ``tree`` declares a document type."""
    if tree.docinfo.internalDTD is not None:
        raise DocumentError(DocumentFailure.CORRUPT, _DTD_ADVICE)


@contextmanager
def open_package(path: Path, options: FormatOptions = DEFAULT_OPTIONS) -> Iterator[Package]:
    """Open an office file; raise ``DocumentError``: bomb, large, encrypted, signed, corrupt."""
    with _zip_errors():
        try:
            archive = zipfile.ZipFile(path)
        except zipfile.BadZipFile:
            with path.open("rb") as file:
                encrypted = file.read(4) == _OLE_MAGIC
            failure = DocumentFailure.ENCRYPTED if encrypted else DocumentFailure.CORRUPT
            raise DocumentError(failure) from None
    with archive:
        members = archive.infolist()
        if len(members) > _MOST_MEMBERS:
            raise DocumentError(DocumentFailure.BOMB)
        for info in members:
            if info.flag_bits & _ENCRYPTED_FLAG:
                raise DocumentError(DocumentFailure.ENCRYPTED)
            if info.filename.lower().startswith(_SIGNATURES):
                raise DocumentError(DocumentFailure.SIGNED)
            is_xml = info.filename.lower().endswith((".xml", ".rels"))
            if is_xml and info.file_size > max(_BOMB_XML, info.compress_size * _BOMB_RATIO):
                raise DocumentError(DocumentFailure.BOMB)
        unpacked = sum(info.file_size for info in members)
        packed = sum(info.compress_size for info in members)
        if unpacked > max(_BOMB_TOTAL, packed * _BOMB_RATIO):
            raise DocumentError(DocumentFailure.BOMB)
        if unpacked > _MOST_UNPACKED:
            raise DocumentError(DocumentFailure.TOO_LARGE)
        yield Package(archive, options)


@contextmanager
def _zip_errors() -> Iterator[None]:
    """Map the errors that zipfile raises on damaged archives to classes of ``DocumentError``."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError):
        raise DocumentError(DocumentFailure.CORRUPT) from None
    except NotImplementedError:
        raise DocumentError(DocumentFailure.UNSUPPORTED) from None
    except RuntimeError:  # zipfile's word for "a password is required"
        raise DocumentError(DocumentFailure.ENCRYPTED) from None


def _part_name(name: str) -> str:
    return "/" + name.replace("\\", "/").lstrip("/").lower()


def serialise(tree: etree._ElementTree | bytes) -> bytes:
    """Return the bytes of a changed tree, which may be serialised already."""
    if isinstance(tree, bytes):
        return tree
    return etree.tostring(
        tree,
        xml_declaration=True,
        encoding="UTF-8",
        standalone=tree.docinfo.standalone is not False,
    )
