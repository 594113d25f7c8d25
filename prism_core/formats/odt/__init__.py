"""OpenDocument texts: ODT, their templates (OTT), and both in one XML file (FODT).

Entry: ``OdtFormat``; then ``open_container`` -> ``Content``, every text a reader reads, in a fixed
order -> each unit replaced where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from lxml import etree

from prism_core.alignment import Translation
from prism_core.formats.base import Document
from prism_core.formats.notices import notices
from prism_core.formats.odt.container import Container, open_container
from prism_core.formats.odt.line import Paragraph
from prism_core.formats.odt.looks import DC, DRAW, META, OFFICE, STYLE, SVG, TABLE, TEXT, Looks
from prism_core.formats.units import ElementText, Located, Unit, replace_texts, save, segments

_PARAGRAPHS: Final = (f"{TEXT}p", f"{TEXT}h")
_CAPTIONS: Final = (f"{SVG}title", f"{SVG}desc", f"{TABLE}title", f"{TABLE}desc")
_PROPERTIES: Final = (f"{DC}title", f"{DC}subject", f"{DC}description", f"{META}keyword")
_KEPT: Final = frozenset({f"{TEXT}tracked-changes", f"{OFFICE}forms", f"{OFFICE}scripts"})
"""Elements whose text stays: deleted text of tracked changes, macros, the data of forms."""
_KINDS: Final = {
    f"{OFFICE}annotation": "comment",
    f"{TABLE}table-cell": "cell",
    f"{TABLE}covered-table-cell": "cell",
    f"{DRAW}text-box": "textbox",
    f"{DRAW}object": "caption",
    f"{OFFICE}chart": "caption",
    **{f"{STYLE}{name}": name.split("-")[0] for name in (
        "header", "header-left", "header-first", "footer", "footer-left", "footer-first",
    )},
}  # fmt: skip
_WORDS: Final = re.compile(r"[^\W\d_]{2,}.*\s")
"""Alternative text in words, unlike the file names that programs put there."""


class OdtFormat:
    """Reads all text of an OpenDocument text; rebuilds it with everything else as it was.

    Parts that hold no translated text keep their bytes; unchanged texts give the same file. In a
    changed paragraph, blanks may be written in another way that shows the same. Deleted text of
    tracked changes, hidden text and what fields compute (dates, page numbers) stay as they are.
    """

    name = "odt"

    def read(self, path: Path) -> Document:
        """Body, headers and footers, charts, properties. Raises ``DocumentError``."""
        with open_container(path) as container:
            content = Content(container)
            told = notices({"embedded-files-untranslated": container.untranslated})
            return Document(path, self.name, segments(content.units), told)

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Rebuild the document at ``path``; the notices count what could not be kept.

        ``formatting-simplified:N`` changes of formatting inside paragraphs were given up,
        ``breaks-moved:N`` paragraphs came back with other tabs or line breaks.
        """
        with open_container(document.path) as container:
            content = Content(container)
            trees, told = replace_texts(content.units, content.trees, document, translations)
            save(container, trees, document, path)
            return told


class Content:
    """The units of a document, and the trees they stand in."""

    def __init__(self, container: Container) -> None:
        self.trees: dict[str, etree._ElementTree] = {}
        self.units: list[Located] = []
        for part in container.parts:
            tree = container.parse(part)
            self.trees[part] = tree
            self.units += [
                Located(unit, kind, (part,))
                for unit, kind in _units(tree.getroot())
                if any(map(str.isalpha, unit.text))
            ]


def _units(root: etree._Element) -> Iterator[tuple[Unit, str]]:
    """The text of the body, of headers and footers, and the properties, as far as there are any.

    Each with its kind.
    """
    looks = Looks(root)
    for element in root.iter(*_PARAGRAPHS, *_CAPTIONS, *_PROPERTIES):
        if element.tag in _PROPERTIES:
            parent = element.getparent()
            if parent is not None and parent.tag == f"{OFFICE}meta":
                yield ElementText(element), "property"
        elif (kind := _kind(element)) and element.tag in _PARAGRAPHS:
            yield Paragraph(element, looks), kind
        elif kind and _WORDS.search(element.text or ""):
            yield ElementText(element), "caption"


def _kind(element: etree._Element) -> str:
    """The kind of a text by what is around it; empty for one that stays as it is."""
    kind = ""
    for ancestor in element.iterancestors():
        tag = str(ancestor.tag)
        if tag in _KEPT:
            return ""
        if tag == f"{TEXT}note" and not kind:
            endnote = ancestor.get(f"{TEXT}note-class") == "endnote"
            kind = "endnote" if endnote else "footnote"
        kind = kind or _KINDS.get(tag, "")
        if tag in (f"{OFFICE}body", f"{OFFICE}master-styles"):
            return kind or ("heading" if element.tag == f"{TEXT}h" else "paragraph")
    return ""
