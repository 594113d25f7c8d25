"""Content controls that show data of the package: what they say is in the data, not in the text.

A word processor fills them anew when it opens the file, so a file made by a program may hold other
text than anybody ever sees. The text is brought up to date before it is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from lxml import etree

from prism_core.errors import DocumentError
from prism_core.formats.ooxml.package import local_name, namespace, relations_of
from prism_core.formats.zip_package import Package

_STEP: Final = re.compile(r"/(?:([\w.-]+):)?([\w.-]+)(?:\[(\d{1,6})\])?")
_PATH: Final = re.compile(rf"(?:{_STEP.pattern})+(?:/text\(\))?(?:\[1\])?")
_MAPPING: Final = re.compile(r"xmlns:([\w.-]+)\s*=\s*(?:'([^']*)'|\"([^\"]*)\")")

Stores = Mapping[str, etree._Element]
"""Data by its id."""


def stores(package: Package, main: str) -> Stores:
    """The data that belongs to the part ``main``; what cannot be read is left out."""
    found: dict[str, etree._Element] = {}
    for kind, item in relations_of(package, main).values():
        if kind == "customXml":
            try:
                for name, properties in relations_of(package, item).values():
                    if name == "customXmlProps":
                        known = _attribute(package.parse(properties).getroot(), "itemID")
                        found[known.lower()] = package.parse(item).getroot()
            except DocumentError:
                continue
    return found


def show_data(root: etree._Element, known: Stores) -> None:
    """Let the plain text controls below ``root`` say what the data says, if it says anything."""
    for control in root.iter("{*}sdt") if known else ():
        properties, content = control.find("{*}sdtPr"), control.find("{*}sdtContent")
        if properties is None or content is None:
            continue
        binding = properties.find("{*}dataBinding")
        plain = properties.find("{*}text") is not None
        if binding is None or not plain or properties.find("{*}showingPlcHdr") is not None:
            continue
        store = known.get(_attribute(binding, "storeItemID").lower())
        value = None if store is None else _value(store, binding)
        if value and not re.search(r"[\t\r\n]", value):
            _say(content, value)


def _attribute(element: etree._Element, name: str) -> str:
    return str(element.get(f"{{{namespace(element)}}}{name}", ""))


def _value(store: etree._Element, binding: etree._Element) -> str | None:
    """What the path of ``binding`` leads to, None unless it is plain steps to a leaf."""
    path = _attribute(binding, "xpath")
    if not _PATH.fullmatch(path):
        return None
    mappings = _MAPPING.findall(_attribute(binding, "prefixMappings"))
    prefixes = {prefix: one or other for prefix, one, other in mappings}
    found: etree._Element | None = None
    for prefix, name, place in _STEP.findall(path.partition("/text()")[0]):
        tag = f"{{{prefixes.get(prefix, '')}}}{name}" if prefix else name
        above = [store] if found is None else [child for child in found if child.tag == tag]
        index = int(place or 1) - 1
        if not 0 <= index < len(above) or above[index].tag != tag:
            return None
        found = above[index]
    return None if found is None or len(found) else (found.text or "").strip()


def _say(content: etree._Element, value: str) -> None:
    """Put ``value`` into the one text of ``content``, unless it holds more than text."""
    texts = list(content.iter("{*}t"))
    if "".join(text.text or "" for text in texts).strip() == value:
        return
    inner = {local_name(element) for element in content.iter()}
    if texts and inner <= {"sdtContent", "p", "pPr", "r", "rPr", "t", *_properties(content)}:
        texts[0].text = value
        for text in texts[1:]:
            text.text = ""


def _properties(content: etree._Element) -> set[str]:
    """The names of everything that says how runs and paragraphs look."""
    looks = (holder for name in ("pPr", "rPr") for holder in content.iter(f"{{*}}{name}"))
    return {local_name(element) for holder in looks for element in holder.iter()}
