"""The names of OpenDocument elements, and how its text styles look.

A program makes a style for every language and every session of editing; many look alike.
"""

from __future__ import annotations

from typing import Final

from lxml import etree

_OASIS: Final = "urn:oasis:names:tc:opendocument:xmlns:"
TEXT: Final = f"{{{_OASIS}text:1.0}}"
TABLE: Final = f"{{{_OASIS}table:1.0}}"
DRAW: Final = f"{{{_OASIS}drawing:1.0}}"
OFFICE: Final = f"{{{_OASIS}office:1.0}}"
STYLE: Final = f"{{{_OASIS}style:1.0}}"
META: Final = f"{{{_OASIS}meta:1.0}}"
SVG: Final = f"{{{_OASIS}svg-compatible:1.0}}"
LOEXT: Final = "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}"
"""LibreOffice's own, before a name becomes a standard's."""
DC: Final = "{http://purl.org/dc/elements/1.1/}"
_NOISE: Final = ("rsid", "language", "country", "script", "rfc-language-tag", "-asian", "-complex")
"""Ends of the names of text properties that a reader cannot see, or hardly."""


class Looks:
    """The automatic text styles of one part: which of them look alike, and which hide text."""

    def __init__(self, root: etree._Element) -> None:
        self._looks: dict[str, str] = {}
        self._hidden: set[str] = set()
        for style in root.iterfind(f"{OFFICE}automatic-styles/{STYLE}style"):
            if style.get(f"{STYLE}family") == "text":
                self._add(style)

    def of(self, span: etree._Element) -> str:
        """Equal for spans that look alike; empty for one that looks like the text around it."""
        name = str(span.get(f"{TEXT}style-name", ""))
        return self._looks.get(name, name)

    def hides(self, span: etree._Element) -> bool:
        """Whether the text of ``span`` is hidden from the reader."""
        return span.get(f"{TEXT}style-name", "") in self._hidden

    def _add(self, style: etree._Element) -> None:
        name = str(style.get(f"{STYLE}name", ""))
        look = [str(style.get(f"{STYLE}parent-style-name", ""))]
        for properties in style.iterfind(f"{STYLE}text-properties"):
            if properties.get(f"{TEXT}display") == "none":
                self._hidden.add(name)
            values = {str(key): str(value) for key, value in properties.attrib.items()}
            look += [f"{k}={v}" for k, v in sorted(values.items()) if not k.endswith(_NOISE)]
        self._looks[name] = ";".join(part for part in look if part)
