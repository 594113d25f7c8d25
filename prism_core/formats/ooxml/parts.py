"""The parts of a package by their content types, and the relations between them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import unquote

from lxml import etree

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.ooxml.names import local_name
from prism_core.formats.zip_package import Package

_TYPES: Final = "{http://schemas.openxmlformats.org/package/2006/content-types}"


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


def related(package: Package, member: str) -> dict[str, tuple[str, str]]:
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
