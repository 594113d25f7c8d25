"""What Office formats have in common: names, parts and their relations, properties, descriptions.

The names of elements are told without their namespaces, which differ between editions of OOXML.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import unquote

from lxml import etree

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.units import AttributeText, ElementText, Unit
from prism_core.formats.zip_package import Package

_TYPES: Final = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_PROPERTIES: Final = frozenset(("title", "subject", "description", "keywords"))
_WORDS: Final = re.compile(r"[^\W\d_]{2,}.*\s")
"""Alternative text in words, unlike the file names that programs put there."""


def local_name(element: etree._Element | None) -> str:
    """The element's name without its namespace; empty for comments and the like."""
    tag = None if element is None else element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def namespace(element: etree._Element) -> str:
    """The element's namespace, empty when it has none."""
    tag = element.tag
    return tag[1:].partition("}")[0] if isinstance(tag, str) and tag.startswith("{") else ""


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


def in_words(text: str) -> bool:
    """Whether a description or tip says something, unlike names of files and addresses."""
    return _WORDS.search(text) is not None


def has_letter(text: str) -> bool:
    """Whether ``text`` has anything to translate at all, unlike numbers and bullets."""
    return any(map(str.isalpha, text))


def embedded_files(package: Package) -> int:
    """How many other documents the package carries within it."""
    return sum("/embeddings/" in name for name in package.names)
