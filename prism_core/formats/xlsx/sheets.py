"""One sheet: which strings its cells show, and the texts it holds itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from lxml import etree

from prism_core.formats.ooxml.names import local_name
from prism_core.formats.ooxml.units import AttributeText, Unit
from prism_core.formats.xlsx.headers import HeaderText, split_sections
from prism_core.formats.xlsx.strings import RichText, decoded

_PROMPTS: Final = {"promptTitle": 32, "prompt": 255, "errorTitle": 32, "error": 255}
"""The messages of checked cells, and how long they may be."""
_MOST_TOOLTIP: Final = 255
_MOST_HEADER: Final = 2000
"""Characters; programs allow 255, codes included, and would not show what is longer."""


@dataclass(slots=True)
class Cells:
    """What the cells of all sheets show.

    ``shared`` are the entries of the shared strings that are in use, ``inline`` the strings that
    stand in cells, with their members, ``results`` the texts that formulas gave.
    """

    shared: set[int] = field(default_factory=set)
    inline: list[tuple[RichText, str]] = field(default_factory=list)
    results: list[str] = field(default_factory=list)

    def read(self, root: etree._Element, member: str) -> None:
        """Take in the cells of the sheet ``root``."""
        for cell in root.iter("{*}c"):
            kind = cell.get("t")
            if kind == "s":
                index = cell.findtext("{*}v", "")
                if index.isdecimal():
                    self.shared.add(int(index[:9]))
            elif kind == "inlineStr":
                self.inline += [(RichText(text), member) for text in cell.iterfind("{*}is")]
            elif kind == "str":
                self.results.append(decoded(cell.findtext("{*}v", "")))


def sheet_units(root: etree._Element) -> Iterator[tuple[Unit, str]]:
    """Headers and footers, tips of links and the messages of checked cells."""
    for header in root.iterfind("{*}headerFooter/*"):
        kind = "header" if local_name(header).endswith("Header") else "footer"
        if len(header.text or "") <= _MOST_HEADER:
            for section in range(0, len(split_sections(header)), 2):
                yield HeaderText(header, section), kind
    for link in root.iterfind("{*}hyperlinks/{*}hyperlink"):
        yield AttributeText(link, "tooltip", _MOST_TOOLTIP), "caption"
    for check in root.iter("{*}dataValidation"):
        for name, most in _PROMPTS.items():
            yield AttributeText(check, name, most), "comment"
