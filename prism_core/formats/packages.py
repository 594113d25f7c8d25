"""Documents made of XML parts: opened with care, their texts replaced where they stand, saved.

Entry: ``UnitFormat``, of which a format is one that opens its documents as ``DocumentTexts``, most
often of a zip (``open_package``). Writing: units whose text changes -> ``DocumentTexts.replace`` ->
the package saved, copied with only changed parts new.
"""

from __future__ import annotations

import re
import shutil
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, NamedTuple, Protocol, TypeVar

from lxml import etree

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import (
    DEFAULT_OPTIONS,
    Document,
    FormatOptions,
    Formats,
    Segment,
    notices,
)
from prism_core.formats.marks import is_mark, marks_of, plain_of
from prism_core.formats.text import Loss, Placed, TextRun, clean

_MOST_MEMBERS: Final = 20_000
_MOST_UNPACKED: Final = 2_000_000_000
"""Bytes of all members together; a long illustrated report unpacks to a tenth of it."""
MOST_XML: Final = 60_000_000
"""Bytes of one XML part; parsed, it takes about ten times as much memory."""
_BOMB_RATIO: Final = 150
"""Real XML shrinks to 1:50 at most; blank pictures shrink further, but take no memory here."""
_BOMB_XML: Final = 20_000_000
_BOMB_TOTAL: Final = 200_000_000
"""Bytes below which no ratio is suspicious, for one XML part and for all members together."""
_SIGNATURES: Final = ("_xmlsignatures/", "meta-inf/documentsignatures.xml")
_OLE_MAGIC: Final = b"\xd0\xcf\x11\xe0"
_ZIP_MAGIC: Final = b"PK\x03\x04"
_ENCRYPTED_FLAG: Final = 0x1
_DTD_ADVICE: Final = "It declares XML entities, as no word processor does; see where it came from."
_WORDS: Final = re.compile(r"[^\W\d_]{2,}.*\s")
"""Alternative text in words, unlike the file names that programs put there."""


R = TypeVar("R", bound=TextRun)


class Package:
    """An open package of parts. Raises ``DocumentError`` for everything that is wrong with it."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._members = {info.filename: info for info in archive.infolist()}
        self._by_part = {_part_name(name): name for name in self._members}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the members as the zip has them."""
        return tuple(self._members)

    def member(self, part: str) -> str | None:
        """The member that holds ``part`` (``/word/document.xml``), whatever its case or slashes."""
        return self._by_part.get(_part_name(part))

    def parse(self, name: str) -> etree._ElementTree:
        """The XML tree of member ``name``; without entities, network or giant nodes."""
        return parse_xml(self.content(name))

    def content(self, name: str) -> bytes:
        """The bytes of the XML member ``name``; raises ``DocumentError``: too large, corrupt."""
        info = self._members[name]
        if info.file_size > MOST_XML:
            raise DocumentError(DocumentFailure.TOO_LARGE)
        with _zip_errors(), self._open(info) as member:
            return member.read()

    def holds_package(self, name: str) -> bool:
        """Whether member ``name`` is another document, as files of Office have within them."""
        with _zip_errors(), self._open(self._members[name]) as member:
            return member.read(len(_ZIP_MAGIC)) == _ZIP_MAGIC

    def _open(self, info: zipfile.ZipInfo) -> IO[bytes]:
        """The content of a member, whatever its checksum says: programs repair that one."""
        member = self._archive.open(info)
        member._expected_crc = None  # type: ignore[attr-defined] # zipfile has no other way
        return member

    def save(self, path: Path, changed: Parts) -> None:
        """Write the package to ``path`` with the ``changed`` members, new ones last; the others
        stay."""
        with _zip_errors(), zipfile.ZipFile(path, "w") as output:
            for name, info in self._members.items():
                copy = zipfile.ZipInfo(info.filename, info.date_time)  # the same entry
                copy.compress_type, copy.external_attr = info.compress_type, info.external_attr
                copy.create_system, copy.comment = info.create_system, info.comment
                if name in changed:
                    output.writestr(copy, serialise(changed[name]))
                elif info.is_dir():
                    output.writestr(copy, b"")
                else:
                    with self._open(info) as source, output.open(copy, "w") as sink:
                        shutil.copyfileobj(source, sink, 1 << 20)
            for name in sorted(changed.keys() - self._members.keys()):
                added = zipfile.ZipInfo(name)  # dated 1980, so that it is the same each time
                added.compress_type = zipfile.ZIP_DEFLATED
                output.writestr(added, serialise(changed[name]))


def parse_xml(content: bytes) -> etree._ElementTree:
    """The tree of an XML part; without entities, network or giant nodes. Else corrupt."""
    # ids that occur twice, as programs leave them, are no reason to refuse
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, huge_tree=False, collect_ids=False
    )
    try:
        tree = etree.fromstring(content, parser).getroottree()
    except (etree.XMLSyntaxError, ValueError):
        raise DocumentError(DocumentFailure.CORRUPT) from None
    refuse_dtd(tree)
    return tree


def refuse_dtd(tree: etree._ElementTree) -> None:
    """Raise ``DocumentError`` (corrupt) when ``tree`` declares a document type."""
    if tree.docinfo.internalDTD is not None:
        raise DocumentError(DocumentFailure.CORRUPT, _DTD_ADVICE)


@contextmanager
def open_package(path: Path) -> Iterator[Package]:
    """Open the office file at ``path`` after checking its sizes.

    Raises ``DocumentError``: bomb, too large, encrypted, signed or corrupt.
    """
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
        yield Package(archive)


@contextmanager
def _zip_errors() -> Iterator[None]:
    """What zipfile raises on damaged archives, as the class of failure it means."""
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
    """The bytes of a changed tree, which may be bytes already."""
    if isinstance(tree, bytes):
        return tree
    return etree.tostring(
        tree,
        xml_declaration=True,
        encoding="UTF-8",
        standalone=tree.docinfo.standalone is not False,
    )


class Unit(Protocol):
    """One text of the document that can be replaced where it stands."""

    @property
    def text(self) -> str:
        """The text as the segment shows it."""
        ...

    def replace(self, translation: Translation) -> Loss:
        """Put ``translation`` in its place."""
        ...


@dataclass(frozen=True, slots=True)
class ElementText:
    """The whole text of an element, or of its attribute ``name``: a property, alternative text …

    What would be longer than ``most`` characters is not written, and counted as lost.
    """

    element: etree._Element
    name: str = ""
    most: int | None = None

    @property
    def text(self) -> str:
        """The text without the white space around it."""
        said = self.element.get(self.name) if self.name else self.element.text
        return str(said or "").strip()

    def replace(self, translation: Translation) -> Loss:
        """Put ``translation`` in its place."""
        if self.most is not None and len(translation.text) > self.most:
            return Loss(texts=1)
        if self.name:
            self.element.set(self.name, translation.text)
        else:
            self.element.text = translation.text
        return Loss()


@dataclass(frozen=True, slots=True)
class RepeatedText:
    """One text that stands in several places, all of which get the same translation."""

    units: tuple[Unit, ...]

    @property
    def text(self) -> str:
        """The text that all of them show."""
        return self.units[0].text

    def replace(self, translation: Translation) -> Loss:
        """Put ``translation`` in every place; the losses are those of all together."""
        return sum((unit.replace(translation) for unit in self.units), Loss())


@dataclass(frozen=True, slots=True)
class Located:
    """A unit, the kind of segment it is, the parts of the document it stands in.

    Units with the same ``key`` that say the same are one segment.
    """

    unit: Unit
    kind: str
    key: Hashable = None
    members: tuple[str, ...] = ()


def says_words(text: str) -> bool:
    """Whether a description or tip says something, unlike names of files and addresses."""
    return _WORDS.search(text) is not None


def has_letter(text: str) -> bool:
    """Whether ``text`` has anything to translate at all, unlike numbers and bullets."""
    return any(map(str.isalpha, text))


def add_beside(
    changes: Iterable[Placed[R]],
    split: Callable[[R, bool], etree._Element],
    make: Callable[[R, str], etree._Element],
) -> None:
    """Add an element for each text beside a group of ``changes``.

    ``split`` gives the element of a run, parted from what stands before it or (True) behind it;
    ``make`` one for a text that looks like a run.
    """
    for placed in changes:
        if placed.ahead:
            first = split(placed.group.runs[0], False)
            for text, like in placed.ahead:
                first.addprevious(make(like, text))
        if placed.behind:
            last = split(placed.group.runs[-1], True)
            for text, like in reversed(placed.behind):
                last.addnext(make(like, text))


Parts = dict[str, etree._ElementTree | bytes]
"""Changed parts of a document, as trees or written already."""


class Comment(NamedTuple):
    """What is to be said of a place: ``source`` is what the unit of ``item`` said, ``said`` its
    translation, with the marks."""

    item: Located
    source: str
    said: Translation


class DocumentTexts:
    """The texts of an open document in order, ``units``, and the ``trees`` they stand in.

    ``save`` writes it to a path with the parts that changed; the others stay. ``embedded`` counts
    the documents within it, which stay as they are.
    """

    def __init__(
        self,
        save: Callable[[Path, Parts], object],
        units: Sequence[Located],
        trees: dict[str, etree._ElementTree],
        embedded: int = 0,
    ) -> None:
        self.save = save
        self.units = units
        self.trees = trees
        self._embedded = embedded

    def notices(self) -> tuple[str, ...]:
        """What the document holds that stays in its language, for the report."""
        return notices({"embedded-files-untranslated": self._embedded})

    def replace(
        self, wanted: Sequence[tuple[Located, Translation]]
    ) -> tuple[Parts, tuple[str, ...]]:
        """Put every translation in its place; the parts that change, and the notices of losses."""
        losses = (item.unit.replace(clean(translation)) for item, translation in wanted)
        told = sum(losses, Loss()).notices
        return {member: self.trees[member] for item, _ in wanted for member in item.members}, told

    def name_language(self, _units: Collection[Located], _options: FormatOptions) -> Parts:
        """Name the target where the language of units that were replaced is named; gives further
        parts that change."""
        return {}

    def can_comment(self, _item: Located) -> bool:
        """Whether ``comment`` can put a comment where the text of a unit stands."""
        return False

    def comment(self, _comments: Sequence[Comment], _changed: Parts) -> int:
        """Put comments beside their texts, which are translated by now, into the trees or parts
        that have ``changed`` and further ones; gives how many have no place."""
        return 0


class UnitFormat(ABC):
    """A format whose texts are replaced where they stand; everything else stays as it was.

    Members of the zip that hold no translated text keep their bytes, and unchanged texts give the
    same file.
    """

    name: str

    def __init__(self, formats: Formats | None = None) -> None:
        self._options = DEFAULT_OPTIONS if formats is None else formats.options

    @abstractmethod
    def open(self, path: Path) -> AbstractContextManager[DocumentTexts]:
        """The texts of the document at ``path`` while it is open. Raises ``DocumentError``."""

    def read(self, path: Path) -> Document:
        """The texts of ``path`` in their order. Raises ``DocumentError``."""
        with self.open(path) as texts:
            if not _own(texts.units):
                raise DocumentError(DocumentFailure.EMPTY)
            segments = tuple(
                Segment(item.unit.text, item.kind, getattr(item.unit, "looks", ()))
                for item in _own(texts.units)
            )
            return Document(path, self.name, segments, texts.notices())

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Rebuild the document at ``path``; the notices count what could not be kept.

        ``formatting-simplified:N`` changes of formatting inside texts were given up,
        ``breaks-moved:N`` texts came back with other tabs or line breaks, ``texts-too-long:N``
        stay in the source language because they would not fit where they stand. A place to be
        marked gets a comment, or else it is said in the text; where neither can be, it is counted:
        ``marks-left-out:N``.
        """
        with self.open(document.path) as texts:
            units = _own(texts.units)
            found = [item.unit.text for item in units]
            if found != [segment.text for segment in document.segments]:
                raise DocumentError(DocumentFailure.UNREBUILDABLE)
            triples = list(zip(units, found, translations, strict=True))
            comments = [Comment(*one) for one in triples if marks_of(one[2])]
            beside = [comment for comment in comments if texts.can_comment(comment.item)]
            taken = {id(comment.item) for comment in beside}
            others = [c.item for c in comments if id(c.item) not in taken]
            within = {id(item) for item in others if _can_hold(item)}
            said = ((i, old, new if id(i) in within else plain_of(new)) for i, old, new in triples)
            wanted = [(item, new) for item, text, new in said if text != new.text]
            if not wanted and not beside:
                shutil.copyfile(document.path, path)
                return notices({"marks-left-out": len(comments)})
            changed, told = texts.replace(wanted)
            if self._options.target and wanted:
                changed |= texts.name_language([item for item, _ in wanted], self._options)
            left = len(others) - len(within) + texts.comment(beside, changed)
            texts.save(path, changed)
            return (*told, *notices({"marks-left-out": left}))


def _own(units: Sequence[Located]) -> list[Located]:
    """``units`` without the comments that are our marks."""
    return [item for item in units if not is_mark(item.kind, item.unit.text)]


def _can_hold(item: Located) -> bool:
    """Whether a mark may stand in the text of ``item``: a paragraph, and no name or label."""
    one = item.unit.units[0] if isinstance(item.unit, RepeatedText) else item.unit
    return hasattr(one, "looks") and item.kind != "property"
