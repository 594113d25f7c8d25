"""Everything in a Word package that a reader reads, in a fixed order, as units to translate.

The text walk goes over the XML itself: python-docx does not reach notes, text boxes, content
controls, tracked insertions, charts and diagrams, which a quarter of real files use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.ooxml.names import local_name, namespace
from prism_core.formats.ooxml.paragraph import Paragraph
from prism_core.formats.ooxml.parts import natural, parts_by_role
from prism_core.formats.ooxml.units import description_units, property_units
from prism_core.formats.units import AttributeText, ElementText, Located, Unit
from prism_core.formats.zip_package import Package

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
_HEADING_STYLE: Final = re.compile(r"(heading|title|subtitle|titre|berschrift)", re.IGNORECASE)


class Content:
    """The units of a package, and the trees they stand in."""

    def __init__(self, package: Package) -> None:
        self.trees: dict[str, etree._ElementTree] = {}
        self.units: list[Located] = []
        for role, member in _text_parts(package):
            tree = package.parse(member)
            self.trees[member] = tree
            self.units += [
                Located(unit, kind, (member,))
                for unit, kind in _units(role, tree.getroot())
                if any(character.isalnum() for character in unit.text)
            ]


def _text_parts(package: Package) -> list[tuple[str, str]]:
    """``(role, member)`` of the parts that hold text, the main document first."""
    parts = [
        (role, member)
        for role, member in parts_by_role(package, _role)
        if "/glossary/" not in member
    ]
    if not any(role in ("document", "template") for role, _ in parts):
        raise DocumentError(DocumentFailure.CORRUPT)
    return sorted(parts, key=lambda part: (_PART_ORDER[part[0]], natural(part[1])))


def _role(content_type: str) -> str:
    word = _WORD_TYPE.search(content_type)
    if word:
        return word[1]
    if _DRAWING_TYPE.search(content_type):
        return "drawing"
    return "property" if content_type.endswith(_CORE_TYPE) else ""


def _units(role: str, root: etree._Element) -> Iterator[tuple[Unit, str]]:
    if role == "property":
        yield from property_units(root)
        return
    for element in root.iter("{*}p", "{*}docPr", "{*}textpath", "{*}v"):
        name = local_name(element)
        if name == "p":
            if _is_text_paragraph(element):
                yield Paragraph(element), _kind(role, element)
        elif name == "docPr":
            yield from description_units(element)
        elif name == "textpath":
            yield AttributeText(element, "string"), "caption"
        elif name == "v" and local_name(element.getparent()) == "pt" and _in_label(element):
            yield ElementText(element), "caption"


def _is_text_paragraph(element: etree._Element) -> bool:
    return namespace(element).endswith(_TEXT_NAMESPACES)


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
