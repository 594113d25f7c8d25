"""What a Word document holds that stays in its language, counted for the report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lxml import etree

from prism_core.formats.notices import notices
from prism_core.formats.ooxml.line import is_hidden
from prism_core.formats.ooxml.units import embedded_files, has_letter
from prism_core.formats.zip_package import Package

_BLOCKS: Final = "{*}docParts/{*}docPart"


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
