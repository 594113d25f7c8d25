"""Everything in a Word package that a reader reads, in a fixed order, as units to translate.

The text walk goes over the XML itself: python-docx does not reach notes, text boxes, content
controls, tracked insertions, charts and diagrams, which a quarter of real files use. Words in the
numbers of lists are units, too (``Article`` of ``Article 3``); what stays is counted.

Entry: ``Content``; parts in their order -> the units of each, drawings among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lxml import etree

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.docx.bound import show_data, stores
from prism_core.formats.notices import notices
from prism_core.formats.ooxml.drawings import (
    Drawn,
    alternatives,
    drawing_role,
    gather_units,
    read_drawing,
    shape_kind,
    shape_paragraph,
)
from prism_core.formats.ooxml.line import Paragraph, is_hidden
from prism_core.formats.ooxml.package import (
    description_units,
    embedded_files,
    has_letter,
    in_words,
    local_name,
    namespace,
    natural,
    parts_by_role,
    property_units,
)
from prism_core.formats.text import Loss
from prism_core.formats.units import AttributeText
from prism_core.formats.zip_package import Package

_WORD_TYPE: Final = re.compile(
    r"(?:wordprocessingml\.|ms-word\.)"
    r"(?:document\.(glossary)"
    r"|(document|template|header|footer|footnotes|endnotes|comments|numbering)\b)"
)
_CORE_TYPE: Final = "core-properties+xml"
_GLOSSARY: Final = "/glossary/"
"""The folder of building blocks, which no page shows until somebody puts one in."""
_PART_ORDER: Final = {
    "document": 0,
    "template": 0,
    "header": 1,
    "footer": 2,
    "footnotes": 3,
    "endnotes": 4,
    "comments": 5,
    "numbering": 6,
    "chart": 7,
    "chartshape": 7,
    "diagram": 7,
    "property": 8,
}
_PART_KINDS: Final = {
    "header": "header",
    "footer": "footer",
    "footnotes": "footnote",
    "endnotes": "endnote",
    "comments": "comment",
}
_DRAWINGS: Final = frozenset(("chart", "chartshape", "diagram"))
_WORD_NAMESPACES: Final = ("/wordprocessingml/2006/main", "/wordprocessingml/main")
_SHAPE_NAMESPACES: Final = ("/drawingml/2006/main", "/drawingml/main")
"""Transitional and strict; the ``p`` of other namespaces is no paragraph."""
_TIPS: Final = {"hyperlink": "tooltip", "tblCaption": "val", "tblDescription": "val"}
"""Attributes that show when a reader points at a link, or are read out for a table."""
_MOST_TIP: Final = 255
_HEADING_STYLE: Final = re.compile(r"(heading|title|subtitle|titre|berschrift)", re.IGNORECASE)
_PLACE: Final = re.compile(r"(%\d)")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_ABSTRACT: Final = "{*}abstractNum/{*}lvl/{*}lvlText"
_OVERRIDE: Final = "{*}num/{*}lvlOverride/{*}lvl/{*}lvlText"
_BLOCKS: Final = "{*}docParts/{*}docPart"


class Content:
    """The units of a package, and the trees they stand in."""

    def __init__(self, package: Package) -> None:
        self.trees: dict[str, etree._ElementTree] = {}
        parts = parts_by_role(package, _role)
        self.glossaries = tuple(member for role, member in parts if role == "glossary")
        """The members that hold building blocks."""
        self.units = gather_units(self._found(package, _text_parts(parts)), _says_something)

    def _found(
        self, package: Package, parts: Sequence[tuple[str, str]]
    ) -> Iterator[tuple[Drawn, str]]:
        known = stores(package, parts[0][1])
        for role, member in parts:
            tree = self.trees[member] = package.parse(member)
            show_data(tree.getroot(), known)
            for drawn in _units(role, tree.getroot()):
                yield drawn, member


def _says_something(text: str) -> bool:
    return any(map(str.isalnum, text))


def _text_parts(parts: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Those of ``parts`` that hold text which is shown, the main document first."""
    wanted = [part for part in parts if part[0] in _PART_ORDER and _GLOSSARY not in part[1]]
    if not any(role in ("document", "template") for role, _ in wanted):
        raise DocumentError(DocumentFailure.CORRUPT)
    return sorted(wanted, key=lambda part: (_PART_ORDER[part[0]], natural(part[1])))


def _role(content_type: str) -> str:
    word = _WORD_TYPE.search(content_type)
    if word:
        return word[1] or word[2]
    return "property" if content_type.endswith(_CORE_TYPE) else drawing_role(content_type)


def _units(role: str, root: etree._Element) -> Iterator[Drawn]:
    if role == "property":
        yield from (Drawn(unit, kind) for unit, kind in property_units(root))
    elif role == "numbering":
        yield from (Drawn(unit, "caption", "label") for unit in label_units(root))
    elif role in _DRAWINGS:
        yield from read_drawing(root, role == "diagram")
    else:
        yield from _word_units(role, root)


def _word_units(role: str, root: etree._Element) -> Iterator[Drawn]:
    """The texts of a part with paragraphs; the copies of a text box for older programs follow."""
    for element in root.iter("{*}p", "{*}docPr", "{*}textpath", *map("{{*}}{}".format, _TIPS)):
        name, key = local_name(element), alternatives(element)
        if name == "docPr":
            for unit, kind in description_units(element):
                yield Drawn(unit, kind, key)
        elif name == "textpath":
            yield Drawn(AttributeText(element, "string"), "caption", key)
        elif name in _TIPS:
            tip = AttributeText(element, f"{{{namespace(element)}}}{_TIPS[name]}", _MOST_TIP)
            if in_words(tip.text):
                yield Drawn(tip, "caption", key)
        elif namespace(element).endswith(_WORD_NAMESPACES):
            yield Drawn(Paragraph(element), _kind(role, element), key)
        elif namespace(element).endswith(_SHAPE_NAMESPACES):
            yield Drawn(shape_paragraph(element), shape_kind(element), key)


def _kind(role: str, paragraph: etree._Element) -> str:
    if role in _PART_KINDS:
        return _PART_KINDS[role]
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


@dataclass(frozen=True, slots=True)
class LabelText:
    """The words on one side of the places for numbers in a pattern such as ``Article %1.``."""

    element: etree._Element
    index: int

    @property
    def text(self) -> str:
        """The words without the white space around them."""
        return _pieces(self.element)[self.index].strip()

    def replace(self, translation: Translation) -> Loss:
        """Put ``translation`` in their place; a place for a number in it would make a new one."""
        text = translation.text
        if "%" in text or not text.strip():
            return Loss(texts=1)
        pieces = _pieces(self.element)
        piece = pieces[self.index]
        start = len(piece) - len(piece.lstrip())
        words = " ".join(text.split())
        pieces[self.index] = piece[:start] + words + piece[start + len(piece.strip()) :]
        self.element.set(_value(self.element), "".join(pieces))
        return Loss()


def label_units(root: etree._Element) -> Iterator[LabelText]:
    """The words in the patterns of all lists; signs and single letters are none."""
    for pattern in (_ABSTRACT, _OVERRIDE):
        for element in root.iterfind(pattern):
            for index, piece in enumerate(_pieces(element)):
                if _WORD.search(piece):
                    yield LabelText(element, index)


def _pieces(element: etree._Element) -> list[str]:
    """The pattern, cut at its places for numbers."""
    return _PLACE.split(str(element.get(_value(element), "")))


def _value(element: etree._Element) -> str:
    return f"{{{namespace(element)}}}val"


def kept_notices(
    package: Package, shown: Iterable[etree._ElementTree], glossaries: Iterable[str]
) -> tuple[str, ...]:
    """Notices for what stays beside the ``shown`` trees and within them.

    ``glossaries`` are the members that hold building blocks.
    """
    blocks = (
        block
        for member in glossaries
        for block in package.parse(member).getroot().iterfind(_BLOCKS)
        if _says_words(block)
    )
    return notices(
        {
            "hidden-texts-untranslated": sum(map(_hidden_runs, shown)),
            "building-blocks-untranslated": sum(1 for _ in blocks),
            "embedded-files-untranslated": embedded_files(package),
            "imported-chunks-untranslated": sum("afchunk" in n.lower() for n in package.names),
        }
    )


def _hidden_runs(tree: etree._ElementTree) -> int:
    properties = tree.getroot().iter("{*}rPr")
    hidden = (p.getparent() for p in properties if p.find("{*}vanish") is not None and is_hidden(p))
    return sum(run is not None and _says_words(run) for run in hidden)


def _says_words(element: etree._Element) -> bool:
    return has_letter("".join(text.text or "" for text in element.iter("{*}t")))
