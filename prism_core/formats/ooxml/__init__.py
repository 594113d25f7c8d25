"""Common base of Office formats: names, parts and their relations, properties, descriptions.

Elements are recognised without their namespaces, which differ between editions of OOXML.

Entry: ``find_parts_by_role`` for parts; ``read_properties``, ``read_drawing`` -> ``gather_units``.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from copy import deepcopy
from typing import Final
from urllib.parse import unquote

from lxml import etree

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import FormatOptions, language_tag
from prism_core.formats.ooxml.language import set_paragraph, turn_around
from prism_core.formats.ooxml.line import SIGNS, OoxmlParagraph
from prism_core.formats.packages import Package, Parts
from prism_core.formats.text import has_letter, has_several_words
from prism_core.formats.text_units import DocumentTexts, ElementText, LocatedUnit, RepeatedText
from prism_core.safe_xml import local_name, namespace

_TYPES: Final = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_PROPERTIES: Final = frozenset(("title", "subject", "description", "keywords"))
_TYPE: Final = re.compile(
    r"drawingml\.(chart|diagram|chartshape)(?:Data|s)?\+xml"
    r"|ms-office\.(?:drawingml\.(diagram)Drawing|(chart)ex)\+xml"
    r"|(core)-properties\+xml\Z"
)
SHAPE_NAMESPACES: Final = ("/drawingml/2006/main", "/drawingml/main")
"""Transitional and strict namespaces; the ``p`` of other namespaces is no paragraph."""
_CACHES: Final = frozenset(("strCache", "multiLvlStrCache", "strLit", "strDim", "tx"))
_SIGN: Final = re.compile("(" + "|".join(SIGNS) + ")")
_NUMBERS: Final = frozenset(("numCache", "numLit", "numDim"))
_LINKS: Final = ("hlinkClick", "hlinkHover", "hlinkMouseOver")
_PLACES: Final = tuple(f"{{*}}{name}" for name in ("p", "cNvPr", "docPr", "v", "pt", *_LINKS))


def find_parts_by_role(package: Package, pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """Return ``(role, member)`` by ``pattern``, or a role of all Office files, in order."""
    types = package.member("/[Content_Types].xml")
    if types is None:
        raise DocumentError(DocumentFailure.CORRUPT)
    root = package.parse(types).getroot()
    names = {
        member: str(override.get("ContentType", ""))
        for override in root.iter(f"{_TYPES}Override")
        if (member := package.member(str(override.get("PartName", ""))))
    }
    content_types = list(names.items())
    for default in root.iter(f"{_TYPES}Default"):  # by extension, for parts without an override
        suffix, name = f".{default.get('Extension', '')}".lower(), default.get("ContentType", "")
        members = (m for m in package.names if m.lower().endswith(suffix) and m not in names)
        content_types += ((member, str(name)) for member in members)
    matches = (
        (pattern.search(name) or _TYPE.search(name), member) for member, name in content_types
    )
    parts = {(next(filter(None, match.groups())), m) for match, m in matches if match}
    parts = {part for part in parts if not package.holds_package(part[1])}
    return sorted(parts, key=lambda part: natural_sort_key(part[1]))


def natural_sort_key(name: str) -> list[tuple[int, str]]:
    """Return a key that sorts header2 before header10."""
    return [(int(digits[-18:] or 0), text) for text, digits in re.findall(r"(\D*)(\d*)", name)]


def relations_of(package: Package, member: str) -> dict[str, tuple[str, str]]:
    """Return the relations of ``member`` by id: ``(last word of the type, target member)``."""
    folder, name = posixpath.split(member)
    relations = package.member(posixpath.join(folder, "_rels", f"{name}.rels"))
    if relations is None:
        return {}
    found = {}
    for relation in package.parse(relations).getroot():
        target = posixpath.join("/", folder, unquote(str(relation.get("Target", ""))))
        part = package.member(posixpath.normpath(target))
        if local_name(relation) == "Relationship" and part is not None:
            kind = str(relation.get("Type", "")).rpartition("/")[2]
            found[str(relation.get("Id", ""))] = (kind, part)
    return found


def read_properties(root: etree._Element) -> Iterator[LocatedUnit]:
    """Yield the properties in words: title, subject, description, keywords."""
    for child in root:
        if local_name(child) in _PROPERTIES:
            yield LocatedUnit(ElementText(child), "property")


def read_descriptions(element: etree._Element) -> Iterator[LocatedUnit]:
    """Yield the alternative text of a drawing, where it is in words."""
    for attribute in ("descr", "title"):
        if has_several_words(str(element.get(attribute, ""))):
            yield LocatedUnit(
                ElementText(element, attribute), "caption", outermost_alternative(element)
            )


def count_embedded_documents(package: Package) -> int:
    """Return the number of documents embedded in the package."""
    return sum("/embeddings/" in name for name in package.names)


def read_drawing(root: etree._Element, in_diagram: bool = False) -> Iterator[LocatedUnit]:
    """Yield every text below ``root`` in order; repeated texts share a key."""
    for element in root.iter(*_PLACES):
        name = local_name(element)
        if name in ("cNvPr", "docPr"):
            yield from read_descriptions(element)
        elif name in _LINKS:
            yield LocatedUnit(
                ElementText(element, "tooltip"), "caption", outermost_alternative(element)
            )
        elif name == "p" and namespace(element).endswith(SHAPE_NAMESPACES):
            cells = element.iterancestors("{*}tc")
            merges = (cell.get(merge) for cell in cells for merge in ("hMerge", "vMerge"))
            if not any(merge in ("1", "true") for merge in merges):
                yield read_shape_text(
                    element, "diagram" if in_diagram else outermost_alternative(element)
                )
        elif name in ("v", "pt") and not len(element):  # in a chart: a word, or a number?
            around = (local_name(ancestor) for ancestor in element.iterancestors())
            if next((n for n in around if n in _CACHES or n in _NUMBERS), "") in _CACHES:
                yield LocatedUnit(ElementText(element), "caption", root)


def read_shape_text(element: etree._Element, key: Hashable) -> LocatedUnit:
    """Return the paragraph of a shape; tabs and breaks in its text become runs of their own."""
    for run in list(element.iterfind("{*}r")):
        text = run.findtext("{*}t") or ""
        *before, last = [piece for piece in _SIGN.split(text) if piece] or [text]
        runs = [(deepcopy(run), piece) for piece in before]
        for twin, _ in runs:
            run.addprevious(twin)
        for made, piece in [*runs, (run, last)] if before else ():
            for inner in made.iterfind("{*}t"):
                inner.text = piece
    in_cell = next(element.iterancestors("{*}tc"), None) is not None
    return LocatedUnit(
        OoxmlParagraph(element, in_shape=True), "cell" if in_cell else "textbox", key
    )


def outermost_alternative(element: etree._Element) -> etree._Element | None:
    """Return the outermost choice between alternatives for programs that contains ``element``."""
    outer = None
    for ancestor in element.iterancestors("{*}AlternateContent"):
        outer = ancestor
    return outer


def paragraphs_of(units: Iterable[LocatedUnit]) -> Iterator[etree._Element]:
    """Yield the paragraphs among ``units``."""
    for unit in (located.unit for located in units):
        for single in unit.units if isinstance(unit, RepeatedText) else [unit]:
            if isinstance(single, OoxmlParagraph):
                yield single.element


class OoxmlTexts(DocumentTexts):
    """Texts of Office, whose runs may name their language."""

    def name_language(self, units: Collection[LocatedUnit], options: FormatOptions) -> Parts:
        """Name the target language in runs, and mark text that now runs from the right."""
        tag, paragraphs = language_tag(options.target), list(paragraphs_of(units))
        turn_around(paragraphs, options)
        for paragraph in paragraphs:
            set_paragraph(paragraph, options)
            for element in paragraph.iter("{*}lang", "{*}rPr", "{*}endParaRPr"):
                in_word = local_name(element) == "lang"
                name = f"{{{namespace(element)}}}val" if in_word else "lang"
                is_direct = next(element.iterancestors("{*}p"), None) is paragraph  # not in a box
                if is_direct and element.get(name):
                    element.set(name, tag)
        return {}


def gather_units(
    found: Iterable[tuple[LocatedUnit, str]], wanted: Callable[[str], bool] = has_letter
) -> list[LocatedUnit]:
    """Return units with ``wanted`` text in order, those of equal key and text as one."""
    groups: dict[Hashable, list[tuple[LocatedUnit, str]]] = {}
    for number, (drawn, member) in enumerate(found):
        text = drawn.unit.text
        if wanted(text):
            key = number if drawn.key is None else (drawn.key, text)
            groups.setdefault(key, []).append((drawn, member))
    units = []
    for group in groups.values():
        drawn, members = group[0][0], tuple(dict.fromkeys(member for _, member in group))
        same = RepeatedText(tuple(drawn.unit for drawn, _ in group))
        units.append(
            LocatedUnit(same if len(group) > 1 else drawn.unit, drawn.kind, members=members)
        )
    return units
