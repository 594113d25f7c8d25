"""OpenDocument texts: ODT, their templates (OTT), and both in one XML file (FODT).

Entry: ``OdtFormat``; then ``open_container`` -> ``OdtTexts``, every text a reader reads, in a fixed
order -> each unit replaced where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol

from lxml import etree

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import notices
from prism_core.formats.odt.line import (
    DC,
    DRAW,
    META,
    OFFICE,
    STYLE,
    SVG,
    TABLE,
    TEXT,
    Looks,
    OdtParagraph,
)
from prism_core.formats.units import DocumentTexts, ElementText, Located, Unit, UnitFormat
from prism_core.formats.zip_package import MOST_XML, Package, open_package, parse_xml, serialise

_PARAGRAPHS: Final = (f"{TEXT}p", f"{TEXT}h")
_CAPTIONS: Final = (f"{SVG}title", f"{SVG}desc", f"{TABLE}title", f"{TABLE}desc")
_PROPERTIES: Final = (f"{DC}title", f"{DC}subject", f"{DC}description", f"{META}keyword")
_KEPT: Final = frozenset({f"{TEXT}tracked-changes", f"{OFFICE}forms", f"{OFFICE}scripts"})
"""Elements whose text stays: deleted text of tracked changes, macros, the data of forms."""
_KINDS: Final = {
    f"{OFFICE}annotation": "comment",
    f"{TABLE}table-cell": "cell",
    f"{TABLE}covered-table-cell": "cell",
    f"{DRAW}text-box": "textbox",
    f"{DRAW}object": "caption",
    f"{OFFICE}chart": "caption",
    **{f"{STYLE}{name}": name.split("-")[0] for name in (
        "header", "header-left", "header-first", "footer", "footer-left", "footer-first",
    )},
}  # fmt: skip
_WORDS: Final = re.compile(r"[^\W\d_]{2,}.*\s")
"""Alternative text in words, unlike the file names that programs put there."""


class OdtFormat(UnitFormat):
    """Reads all text of an OpenDocument text; rebuilds it with everything else as it was.

    In a changed paragraph, blanks may be written in another way that shows the same. Deleted text
    of tracked changes, hidden text and what fields compute (dates, page numbers) stay as they are.
    """

    name = "odt"

    @contextmanager
    def open(self, path: Path) -> Iterator[OdtTexts]:
        """Body, headers and footers, charts, properties."""
        with open_container(path) as container:
            yield OdtTexts(container)


class OdtTexts(DocumentTexts):
    """The texts of an OpenDocument text, part by part."""

    package: Container

    def __init__(self, container: Container) -> None:
        trees = {part: container.parse(part) for part in container.parts}
        units = [
            Located(unit, kind, (part,))
            for part, tree in trees.items()
            for unit, kind in _units(tree.getroot())
            if any(map(str.isalpha, unit.text))
        ]
        super().__init__(container, units, trees)

    def notices(self) -> tuple[str, ...]:
        """How many other documents it carries."""
        return notices({"embedded-files-untranslated": self.package.untranslated})


def _units(root: etree._Element) -> Iterator[tuple[Unit, str]]:
    """The text of the body, of headers and footers, and the properties, as far as there are any.

    Each with its kind.
    """
    looks = Looks(root)
    for element in root.iter(*_PARAGRAPHS, *_CAPTIONS, *_PROPERTIES):
        if element.tag in _PROPERTIES:
            parent = element.getparent()
            if parent is not None and parent.tag == f"{OFFICE}meta":
                yield ElementText(element), "property"
        elif (kind := _kind(element)) and element.tag in _PARAGRAPHS:
            yield OdtParagraph(element, looks), kind
        elif kind and _WORDS.search(element.text or ""):
            yield ElementText(element), "caption"


def _kind(element: etree._Element) -> str:
    """The kind of a text by what is around it; empty for one that stays as it is."""
    kind = ""
    for ancestor in element.iterancestors():
        tag = str(ancestor.tag)
        if tag in _KEPT:
            return ""
        if tag == f"{TEXT}note" and not kind:
            endnote = ancestor.get(f"{TEXT}note-class") == "endnote"
            kind = "endnote" if endnote else "footnote"
        kind = kind or _KINDS.get(tag, "")
        if tag in (f"{OFFICE}body", f"{OFFICE}master-styles"):
            return kind or ("heading" if element.tag == f"{TEXT}h" else "paragraph")
    return ""


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

    def save(self, path: Path, changed: Mapping[str, etree._ElementTree | bytes]) -> None:
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

    def save(self, path: Path, changed: Mapping[str, etree._ElementTree | bytes]) -> None:
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

    def save(self, path: Path, changed: Mapping[str, etree._ElementTree | bytes]) -> None:
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
