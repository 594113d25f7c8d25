"""The file around an OpenDocument text: a zip of parts, or one XML file (``.fodt``)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol

from lxml import etree

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.zip_package import MOST_XML, Package, open_package, parse_xml, serialise

_MANIFEST: Final = "META-INF/manifest.xml"
_SEALED: Final = re.compile(rb"<(?:[\w.-]+:)?encryption-data[\s/>]")
_CHART: Final = re.compile(rb"<office:chart[\s/>]")
_OBJECT: Final = re.compile(r"[^/]+/content\.xml")
_ZIP_MAGIC: Final = b"PK"


class Container(Protocol):
    """The parts of a document that hold text, in the order of its segments."""

    parts: tuple[str, ...]
    untranslated: int
    """Documents within the document that stay as they are."""

    def parse(self, part: str) -> etree._ElementTree:
        """The XML tree of ``part``."""
        ...

    def save(self, path: Path, changed: Mapping[str, etree._ElementTree]) -> None:
        """Write the document to ``path`` with the ``changed`` parts; the others stay."""
        ...


class ZipContainer:
    """The usual form. The ``mimetype`` stays where it was, first and not compressed."""

    def __init__(self, package: Package) -> None:
        self._package = package
        if "content.xml" not in package.names:
            raise DocumentError(DocumentFailure.CORRUPT)
        if _MANIFEST in package.names and _SEALED.search(package.content(_MANIFEST)):
            raise DocumentError(DocumentFailure.ENCRYPTED)
        objects = [name for name in package.names if _OBJECT.fullmatch(name)]
        charts = [name for name in objects if _CHART.search(package.content(name))]
        main = ("content.xml", "styles.xml", *charts, "meta.xml")
        self.parts = tuple(name for name in main if name in package.names)
        self.untranslated = len(objects) - len(charts)

    def parse(self, part: str) -> etree._ElementTree:
        """See ``Container``."""
        return self._package.parse(part)

    def save(self, path: Path, changed: Mapping[str, etree._ElementTree]) -> None:
        """See ``Container``."""
        self._package.save(path, changed)


class FlatContainer:
    """A document in one XML file."""

    parts: tuple[str, ...] = ("",)
    untranslated = 0

    def __init__(self, path: Path) -> None:
        if path.stat().st_size > MOST_XML:
            raise DocumentError(DocumentFailure.TOO_LARGE)
        self._trees = {"": parse_xml(path.read_bytes())}

    def parse(self, part: str) -> etree._ElementTree:
        """See ``Container``; the one part is called by the empty name."""
        return self._trees[part]

    def save(self, path: Path, changed: Mapping[str, etree._ElementTree]) -> None:
        """See ``Container``; the one part is the whole file, so that it must be ``changed``."""
        path.write_bytes(serialise(changed[""]))


@contextmanager
def open_container(path: Path) -> Iterator[Container]:
    """Open the document at ``path``.

    Raises ``DocumentError``: bomb, too large, encrypted, signed or corrupt.
    """
    try:
        with path.open("rb") as file:
            zipped = file.read(2) == _ZIP_MAGIC
        flat = None if zipped else FlatContainer(path)
    except OSError:
        raise DocumentError(
            DocumentFailure.CORRUPT, "The file cannot be opened; check its permissions."
        ) from None
    if flat is not None:
        yield flat
        return
    with open_package(path) as package:
        yield ZipContainer(package)
