"""Everything in a Word package that a reader reads, in a fixed order, as units to translate.

The text walk goes over the XML itself: python-docx does not reach notes, text boxes, content
controls, tracked insertions, charts and diagrams, which a quarter of real files use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from lxml import etree

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.docx.names import local_name, namespace
from prism_core.formats.docx.paragraph import Paragraph
from prism_core.formats.pieces import Loss
from prism_core.formats.zip_package import Package

_TYPES: Final = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_WORD_TYPE: Final = re.compile(
    r"(?:wordprocessingml\.|ms-word\.)"
    r"(document|template|header|footer|footnotes|endnotes|comments)\b"
)
_DRAWING_TYPE: Final = re.compile(
    r"drawingml\.(chart|diagramData|chartshapes)\+xml|ms-office\.drawingml\.diagramDrawing\+xml"
)
_CORE_TYPE: Final = "core-properties+xml"
_PART_ORDER: Final = {
    "document": 0,
    "template": 0,
    "header": 1,
    "footer": 2,
    "footnotes": 3,
    "endnotes": 4,
    "comments": 5,
    "drawing": 6,
    "property": 7,
}
_PART_KINDS: Final = {
    "header": "header",
    "footer": "footer",
    "footnotes": "footnote",
    "endnotes": "endnote",
    "comments": "comment",
}
_TEXT_NAMESPACES: Final = (
    "/wordprocessingml/2006/main",
    "/wordprocessingml/main",
    "/drawingml/2006/main",
    "/drawingml/main",
)
"""Transitional and strict; the ``p`` of other namespaces is no paragraph."""
_PROPERTIES: Final = frozenset(("title", "subject", "description", "keywords"))
_HEADING_STYLE: Final = re.compile(r"(heading|title|subtitle|titre|berschrift)", re.IGNORECASE)
_WORDS: Final = re.compile(r"[^\W\d_]{2,}.*\s")
"""Alternative text in words, unlike the file names that programs put there."""


class Unit(Protocol):
    """One text of the document that can be replaced where it stands."""

    @property
    def element(self) -> etree._Element:
        """Where it stands."""
        ...

    @property
    def text(self) -> str:
        """The text as the segment shows it."""
        ...

    def replace(self, translation: str) -> Loss:
        """Put ``translation`` in its place."""
        ...


@dataclass(frozen=True, slots=True)
class ElementText:
    """The whole text of one element: a document property, a label in a chart's cache."""

    element: etree._Element

    @property
    def text(self) -> str:
        """The text without the white space around it."""
        return (self.element.text or "").strip()

    def replace(self, translation: str) -> Loss:
        """Put ``translation`` in its place."""
        self.element.text = translation
        return Loss()


@dataclass(frozen=True, slots=True)
class AttributeText:
    """A text kept in an attribute: alternative text of a picture, a watermark."""

    element: etree._Element
    name: str

    @property
    def text(self) -> str:
        """The value without the white space around it."""
        return str(self.element.get(self.name, "")).strip()

    def replace(self, translation: str) -> Loss:
        """Put ``translation`` in its place."""
        self.element.set(self.name, translation)
        return Loss()


@dataclass(frozen=True, slots=True)
class Located:
    """A unit, the kind of segment it is, and the member of the package it stands in."""

    unit: Unit
    kind: str
    member: str


class Content:
    """The units of a package, and the trees they stand in."""

    def __init__(self, package: Package) -> None:
        self.trees: dict[str, etree._ElementTree] = {}
        self.units: list[Located] = []
        for role, member in _text_parts(package):
            tree = package.parse(member)
            self.trees[member] = tree
            self.units += [
                Located(unit, kind, member)
                for unit, kind in _units(role, tree.getroot())
                if any(character.isalnum() for character in unit.text)
            ]


def _text_parts(package: Package) -> list[tuple[str, str]]:
    """``(role, member)`` of the parts that hold text, the main document first."""
    types = package.member("/[Content_Types].xml")
    if types is None:
        raise DocumentError(DocumentFailure.CORRUPT)
    parts = [
        (role, member)
        for member, content_type in _content_types(package, package.parse(types).getroot())
        if (role := _role(content_type)) and "/glossary/" not in member
    ]
    if not any(role in ("document", "template") for role, _ in parts):
        raise DocumentError(DocumentFailure.CORRUPT)
    return sorted(set(parts), key=lambda part: (_PART_ORDER[part[0]], _natural(part[1])))


def _content_types(package: Package, root: etree._Element) -> Iterator[tuple[str, str]]:
    """``(member, content type)``: each part's own, or that of its extension."""
    own = {
        member: str(override.get("ContentType", ""))
        for override in root.iter(f"{_TYPES}Override")
        if (member := package.member(str(override.get("PartName", ""))))
    }
    yield from own.items()
    for default in root.iter(f"{_TYPES}Default"):
        suffix = "." + str(default.get("Extension", "")).lower()
        for name in package.names:
            if name.lower().endswith(suffix) and name not in own:
                yield name, str(default.get("ContentType", ""))


def _role(content_type: str) -> str:
    word = _WORD_TYPE.search(content_type)
    if word:
        return word[1]
    if _DRAWING_TYPE.search(content_type):
        return "drawing"
    return "property" if content_type.endswith(_CORE_TYPE) else ""


def _natural(name: str) -> list[tuple[int, str]]:
    """Sorts header2 before header10."""
    return [(int(digits or 0), text) for text, digits in re.findall(r"(\D*)(\d*)", name)]


def _units(role: str, root: etree._Element) -> Iterator[tuple[Unit, str]]:
    if role == "property":
        for child in root:
            if local_name(child) in _PROPERTIES:
                yield ElementText(child), "property"
        return
    for element in root.iter("{*}p", "{*}docPr", "{*}textpath", "{*}v"):
        name = local_name(element)
        if name == "p":
            if _is_text_paragraph(element):
                yield Paragraph(element), _kind(role, element)
        elif name in ("docPr", "textpath"):
            yield from _attributes(element, name)
        elif name == "v" and local_name(element.getparent()) == "pt" and _in_label(element):
            yield ElementText(element), "caption"


def _is_text_paragraph(element: etree._Element) -> bool:
    return namespace(element).endswith(_TEXT_NAMESPACES)


def _attributes(element: etree._Element, name: str) -> Iterator[tuple[Unit, str]]:
    for attribute in ("string",) if name == "textpath" else ("descr", "title"):
        value = str(element.get(attribute, ""))
        if name == "textpath" or _WORDS.search(value):
            yield AttributeText(element, attribute), "caption"


def _in_label(element: etree._Element) -> bool:
    """Whether a chart's cached value is a word (a category, a series name) and not a number."""
    return any(local_name(ancestor) == "strCache" for ancestor in element.iterancestors())


def _kind(role: str, paragraph: etree._Element) -> str:
    if role in _PART_KINDS:
        return _PART_KINDS[role]
    if role == "drawing":
        return "textbox"
    for ancestor in paragraph.iterancestors():
        name = local_name(ancestor)
        if name == "txbxContent":
            return "textbox"
        if name == "tc":
            return "cell"
    return _style_kind(paragraph)


def _style_kind(paragraph: etree._Element) -> str:
    for style in paragraph.iterfind("./{*}pPr/{*}pStyle"):
        value = " ".join(map(str, style.attrib.values()))
        if _HEADING_STYLE.search(value):
            return "heading"
        if "caption" in value.lower():
            return "caption"
    return "paragraph"


def drop_data_bindings(tree: etree._ElementTree) -> None:
    """Cut the content controls of a part loose from data that would refill them with the source.

    All of them, because half a form bound to its data and half not confuses word processors.
    """
    for binding in list(tree.iterfind(".//{*}sdtPr/{*}dataBinding")):
        parent = binding.getparent()
        if parent is not None:
            parent.remove(binding)
