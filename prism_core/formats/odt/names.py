"""The names of OpenDocument elements and attributes, as lxml writes them."""

from __future__ import annotations

from typing import Final

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
