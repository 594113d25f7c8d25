"""What Office formats have in common: names, parts and their relations, properties, descriptions.

The names of elements are told without their namespaces, which differ between editions of OOXML.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from lxml import etree

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.ooxml.line import SIGNS, OoxmlParagraph
from prism_core.formats.units import (
    AttributeText,
    ElementText,
    Located,
    Unit,
    gather,
    has_letter,
    in_words,
)
from prism_core.formats.zip_package import Package
from prism_core.safe_xml import local_name, namespace

_TYPES: Final = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_PROPERTIES: Final = frozenset(("title", "subject", "description", "keywords"))


def parts_by_role(package: Package, role: Callable[[str], str]) -> list[tuple[str, str]]:
    """``(role, member)`` of every part whose content type has a role, sorted by member.

    ``role`` gives the role of a content type, empty for none.
    """
    types = package.member("/[Content_Types].xml")
    if types is None:
        raise DocumentError(DocumentFailure.CORRUPT)
    content_types = _content_types(package, package.parse(types).getroot())
    parts = {(found, member) for member, name in content_types if (found := role(name))}
    return sorted(parts, key=lambda part: natural(part[1]))


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


def natural(name: str) -> list[tuple[int, str]]:
    """Sorts header2 before header10."""
    return [(int(digits[-18:] or 0), text) for text, digits in re.findall(r"(\D*)(\d*)", name)]


def relations_of(package: Package, member: str) -> dict[str, tuple[str, str]]:
    """The relations of ``member`` by their ids: ``(last word of the type, target member)``."""
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


def property_units(root: etree._Element) -> Iterator[tuple[Unit, str]]:
    """The properties in words: title, subject, description, keywords."""
    for child in root:
        if local_name(child) in _PROPERTIES:
            yield ElementText(child), "property"


def description_units(element: etree._Element) -> Iterator[tuple[Unit, str]]:
    """The alternative text of a drawing, where it is in words."""
    for attribute in ("descr", "title"):
        if in_words(str(element.get(attribute, ""))):
            yield AttributeText(element, attribute), "caption"


def embedded_files(package: Package) -> int:
    """How many other documents the package carries within it."""
    return sum("/embeddings/" in name for name in package.names)


_TYPE: Final = re.compile(
    r"drawingml\.(chart|diagram|chartshape)(?:Data|s)?\+xml"
    r"|ms-office\.(?:drawingml\.(diagram)Drawing|(chart)ex)\+xml"
)
_NAMESPACES: Final = ("/drawingml/2006/main", "/drawingml/main")
"""Transitional and strict; the ``p`` of other namespaces is no paragraph."""
_CACHES: Final = frozenset(("strCache", "multiLvlStrCache", "strLit", "strDim", "tx"))
_SIGN: Final = re.compile("(" + "|".join(SIGNS) + ")")
_NUMBERS: Final = frozenset(("numCache", "numLit", "numDim"))


_LINKS: Final = ("hlinkClick", "hlinkHover", "hlinkMouseOver")
_PLACES: Final = tuple(f"{{*}}{name}" for name in ("p", "cNvPr", "docPr", "v", "pt", *_LINKS))


@dataclass(frozen=True, slots=True)
class Drawn:
    """A text of a drawing; those with the same ``key`` that say the same are one segment.

    ``label`` marks what a chart copied from cells, or says where cells would say it.
    """

    unit: Unit
    kind: str
    key: Hashable = None
    label: bool = False


def drawing_role(content_type: str) -> str:
    """``chart``, ``diagram`` or ``chartshape``; empty for any other content type."""
    match = _TYPE.search(content_type)
    return next(filter(None, match.groups()), "") if match else ""


def read_drawing(root: etree._Element, in_diagram: bool = False) -> Iterator[Drawn]:
    """Every text below ``root`` in order.

    A diagram says its texts again in the drawing that stands in for it, as do the alternatives
    for older programs, and a chart its categories for every series.
    """
    for element in root.iter(*_PLACES):
        name = local_name(element)
        if name in ("cNvPr", "docPr"):
            for unit, kind in description_units(element):
                yield Drawn(unit, kind, alternatives(element))
        elif name in _LINKS:
            yield Drawn(AttributeText(element, "tooltip"), "caption", alternatives(element))
        elif name == "p" and namespace(element).endswith(_NAMESPACES):
            key = "diagram" if in_diagram else alternatives(element)
            if not _is_covered(element):
                yield Drawn(shape_paragraph(element), shape_kind(element), key)
        elif name in ("v", "pt") and _is_label(element):
            yield Drawn(ElementText(element), "caption", root, True)


def shape_paragraph(element: etree._Element) -> OoxmlParagraph:
    """The paragraph of a shape; tabs in its text become runs of their own, to be breaks."""
    for run in list(element.iterfind("{*}r")):
        _split_signs(run)
    return OoxmlParagraph(element, in_shape=True)


def shape_kind(paragraph: etree._Element) -> str:
    """``cell`` in a table, else ``textbox``."""
    inside = any(local_name(ancestor) == "tc" for ancestor in paragraph.iterancestors())
    return "cell" if inside else "textbox"


def alternatives(element: etree._Element) -> etree._Element | None:
    """The outermost choice between alternatives for programs that ``element`` stands in."""
    outer = None
    for ancestor in element.iterancestors("{*}AlternateContent"):
        outer = ancestor
    return outer


def gather_units(
    found: Iterable[tuple[Drawn, str]], wanted: Callable[[str], bool] = has_letter
) -> list[Located]:
    """Units of ``found``, pairs with their members, whose text is ``wanted``.

    They are in order, and equal texts of a key together.
    """
    groups: dict[Hashable, list[tuple[Unit, str, str]]] = {}
    for number, (drawn, member) in enumerate(found):
        text = drawn.unit.text
        if wanted(text):
            key = number if drawn.key is None else (drawn.key, text)
            groups.setdefault(key, []).append((drawn.unit, drawn.kind, member))
    return list(map(gather, groups.values()))


def _is_covered(paragraph: etree._Element) -> bool:
    """Whether it stands in a cell of a table that a neighbour was merged over."""
    cells = paragraph.iterancestors("{*}tc")
    return any(cell.get(merge) in ("1", "true") for cell in cells for merge in ("hMerge", "vMerge"))


def _is_label(element: etree._Element) -> bool:
    """Whether it is a word that a chart keeps (a category, a series name) and not a number."""
    if len(element):
        return False
    for ancestor in element.iterancestors():
        name = local_name(ancestor)
        if name in _NUMBERS:
            return False
        if name in _CACHES:
            return True
    return False


def _split_signs(run: etree._Element) -> None:
    """A run for each text between tabs and line breaks, and one for each of these."""
    element = run.find("{*}t")
    text = "" if element is None else element.text or ""
    pieces = [piece for piece in _SIGN.split(text) if piece]
    for piece in pieces[:-1]:
        twin = deepcopy(run)
        _set_text(twin, piece)
        run.addprevious(twin)
    if len(pieces) > 1:
        _set_text(run, pieces[-1])


def _set_text(run: etree._Element, text: str) -> None:
    for element in run.iterfind("{*}t"):
        element.text = text
