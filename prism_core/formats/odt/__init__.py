"""OpenDocument texts: ODT, their templates (OTT), and both in one XML file (FODT).

Entry: ``OdtFormat``; then its zip or its one XML file -> every text a reader reads, in a fixed
order -> each unit replaced where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from lxml import etree

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import FormatOptions, file_errors, read_limited
from prism_core.formats.odt.language import name_target
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
from prism_core.formats.packages import (
    MOST_XML,
    DocumentTexts,
    ElementText,
    Located,
    Parts,
    Unit,
    UnitFormat,
    has_letter,
    open_package,
    parse_xml,
    says_words,
    serialise,
)

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
_MANIFEST: Final = "META-INF/manifest.xml"
_SEALED: Final = re.compile(rb"<(?:[\w.-]+:)?encryption-data[\s/>]")
_CHART: Final = re.compile(rb"<office:chart[\s/>]")
_OBJECT: Final = re.compile(r"[^/]+/content\.xml")
_ZIP_MAGIC: Final = b"PK"


class OdtFormat(UnitFormat):
    """Reads all text of an OpenDocument text; rebuilds it with everything else as it was.

    In a changed paragraph, blanks may be written in another way that shows the same. Deleted text
    of tracked changes, hidden text and what fields compute (dates, page numbers) stay as they are.
    """

    name = "odt"

    @contextmanager
    def open(self, path: Path) -> Iterator[DocumentTexts]:
        """Body, headers and footers, charts, properties.

        In a zip, the ``mimetype`` stays where it was, first and not compressed.

        Raises ``DocumentError``: bomb, too large, encrypted, signed or corrupt.
        """
        with file_errors(), path.open("rb") as file:
            zipped = file.read(2) == _ZIP_MAGIC
        if not zipped:
            trees = {"": parse_xml(read_limited(path, MOST_XML))}  # one part, without a name
            yield _texts(lambda to, changed: to.write_bytes(serialise(changed[""])), trees)
            return
        with open_package(path) as package:
            if "content.xml" not in package.names:
                raise DocumentError(DocumentFailure.CORRUPT)
            if _MANIFEST in package.names and _SEALED.search(package.content(_MANIFEST)):
                raise DocumentError(DocumentFailure.ENCRYPTED)
            objects = [name for name in package.names if _OBJECT.fullmatch(name)]
            charts = [name for name in objects if _CHART.search(package.content(name))]
            parts = ("content.xml", "styles.xml", *charts, "meta.xml")
            trees = {name: package.parse(name) for name in parts if name in package.names}
            yield _texts(package.save, trees, len(objects) - len(charts))


def _texts(
    save: Callable[[Path, Parts], object], trees: dict[str, etree._ElementTree], embedded: int = 0
) -> DocumentTexts:
    units = [
        Located(unit, kind, members=(part,))
        for part, tree in trees.items()
        for unit, kind in _units(tree.getroot())
        if has_letter(unit.text)
    ]
    return OdtTexts(save, units, trees, embedded)


class OdtTexts(DocumentTexts):
    """Texts whose styles name their language."""

    def name_language(self, units: Collection[Located], options: FormatOptions) -> Parts:
        """See ``DocumentTexts``; if only properties change, what the body says is untouched."""
        new = {id(item.unit) for item in units if isinstance(item.unit, OdtParagraph)}
        if not new:
            return {}
        left: dict[str, list[etree._Element]] = {}
        for item in self.units:
            if isinstance(item.unit, OdtParagraph) and id(item.unit) not in new:
                left.setdefault(item.members[0], []).append(item.unit.element)
        changed = name_target(self.trees, left, options.source, options.target)
        return {name: self.trees[name] for name in changed}


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
        elif kind and says_words(element.text or ""):
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
