"""OpenDocument: texts (ODT), sheets (ODS), slides (ODP), drawings (ODG), templates, flat XML.

Entry: ``OdtFormat``; ``Sheets`` decides which cells are words to translate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fnmatch import translate
from pathlib import Path
from typing import Final

from lxml import etree

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import FormatOptions, file_errors, read_limited
from prism_core.formats.odt.language import name_target, set_script
from prism_core.formats.odt.line import OdtParagraph, add_comments, holder_of
from prism_core.formats.odt.text_slots import (
    CELLS,
    DC,
    DRAW,
    META,
    OFFICE,
    PRESENTATION,
    STYLE,
    SVG,
    TABLE,
    TEXT,
    Looks,
)
from prism_core.formats.packages import Parts, open_package, parse_xml, serialise
from prism_core.formats.text import has_letter, has_several_words
from prism_core.formats.text_units import (
    Comment,
    DocumentTexts,
    ElementText,
    LocatedUnit,
    Unit,
    UnitFormat,
)

_PARAGRAPHS: Final = (f"{TEXT}p", f"{TEXT}h")
_CAPTIONS: Final = (f"{SVG}title", f"{SVG}desc", f"{TABLE}title", f"{TABLE}desc")
_PROPERTIES: Final = (f"{DC}title", f"{DC}subject", f"{DC}description", f"{META}keyword")
_DECLARED: Final = (f"{PRESENTATION}header-decl", f"{PRESENTATION}footer-decl")
_KEPT: Final = frozenset(
    {f"{TEXT}tracked-changes", f"{TABLE}tracked-changes", f"{OFFICE}forms", f"{OFFICE}scripts"}
)
"""Elements whose text stays: deleted text of tracked changes, macros, the data of forms."""
_KINDS: Final = {
    f"{OFFICE}annotation": "comment",
    **dict.fromkeys(CELLS, "cell"),
    f"{DRAW}text-box": "textbox",
    f"{DRAW}object": "caption",
    f"{OFFICE}chart": "caption",
    **{f"{STYLE}{name}": name.split("-")[0] for name in (
        "header", "header-left", "header-first", "footer", "footer-left", "footer-first",
    )},
}  # fmt: skip
_MANIFEST: Final = "META-INF/manifest.xml"
_SEALED: Final = re.compile(rb"<(?:[\w.-]+:)?encryption-data[\s/>]")
_CHART: Final = re.compile(rb"<office:chart[\s/>]")
_OBJECT: Final = re.compile(r"[^/]+/content\.xml")
_ZIP_MAGIC: Final = b"PK"


class OdtFormat(UnitFormat):
    """OpenDocument files: reads all text, and rebuilds the file with everything else unchanged.

    In sheets only cells of text are read, but no formulas and no texts that formulas and filters
    look for; on slides no prompts of placeholders. In a changed paragraph, blanks may be written in
    another way that looks the same. Deleted text of tracked changes, hidden text and computed
    fields (dates, page numbers) stay as they are.
    """

    name = "odt"

    @contextmanager
    def open(self, path: Path) -> Iterator[DocumentTexts]:
        """Open the file and yield body, headers and footers, charts, properties.

        In a zip, the ``mimetype`` stays in its place, first and not compressed.

        Raises ``DocumentError``: bomb, too large, encrypted, signed or corrupt.
        """
        with file_errors(), path.open("rb") as file:
            zipped = file.read(2) == _ZIP_MAGIC
        if not zipped:
            trees = {"": parse_xml(read_limited(path))}  # one part, without a name
            yield _make_texts(lambda to, changed: to.write_bytes(serialise(changed[""])), trees, {})
            return
        with open_package(path, self._options) as package:
            if "content.xml" not in package.names:
                raise DocumentError(DocumentFailure.CORRUPT)
            if _MANIFEST in package.names and _SEALED.search(package.content(_MANIFEST)):
                raise DocumentError(DocumentFailure.ENCRYPTED)
            objects = [name for name in package.names if _OBJECT.fullmatch(name)]
            charts = [name for name in objects if _CHART.search(package.content(name))]
            parts = ("content.xml", "styles.xml", *charts, "meta.xml")
            trees = {name: package.parse(name) for name in parts if name in package.names}
            kept = {
                "embedded-files-untranslated": len(objects) - len(charts),
                "pictures-unread": package.count_pictures(),
            }
            yield _make_texts(package.save, trees, kept)


def _make_texts(
    save: Callable[[Path, Parts], object],
    trees: dict[str, etree._ElementTree],
    stays: Mapping[str, int],
) -> DocumentTexts:
    units, kept = list[LocatedUnit](), 0
    for part, tree in trees.items():
        root = tree.getroot()
        sheets = Sheets(root)
        found = ((unit, kind) for unit, kind in _read_units(root, sheets) if has_letter(unit.text))
        units += (LocatedUnit(unit, kind, members=(part,)) for unit, kind in found)
        kept += sheets.kept
    counts = {**stays, "cells-kept-for-formulas": kept}
    return OdtTexts(save, units, trees, counts)


class OdtTexts(DocumentTexts):
    """Texts whose styles name their language."""

    def can_comment(self, item: LocatedUnit) -> bool:
        """Return True for the main text, its tables and sheets, and slides."""
        unit, kinds = item.unit, ("paragraph", "heading", "cell", "textbox", "caption")
        return item.kind in kinds and isinstance(unit, OdtParagraph) and holder_of(unit) is not None

    def comment(self, comments: Sequence[Comment], changed: Parts) -> int:
        """Add annotations; see ``DocumentTexts``."""
        for number, comment in enumerate(comments, 1):
            unit = comment.item.unit
            assert isinstance(unit, OdtParagraph)  # noqa: S101 (``can_comment`` says so)
            add_comments(unit, comment.translation, f"prism{number}")
            changed |= {name: self.trees[name] for name in comment.item.members}
        return 0

    def name_language(self, units: Collection[LocatedUnit], options: FormatOptions) -> Parts:
        """Name the target language; nothing changes if only properties were translated."""
        new = {id(item.unit) for item in units if isinstance(item.unit, OdtParagraph)}
        if not new:
            return {}
        left: dict[str, list[etree._Element]] = {}
        for item in self.units:
            if isinstance(item.unit, OdtParagraph) and id(item.unit) not in new:
                left.setdefault(item.members[0], []).append(item.unit.element)
        changed = name_target(self.trees, left, options.source, options.target)
        changed |= set_script(self.trees, left, options)
        return {name: self.trees[name] for name in changed}


def _read_units(root: etree._Element, sheets: Sheets) -> Iterator[tuple[Unit, str]]:
    """Yield the texts of body, headers and footers, and the properties, each with its kind."""
    looks = Looks(root)
    for element in root.iter(*_PARAGRAPHS, *_CAPTIONS, *_PROPERTIES, *_DECLARED):
        if element.tag in _PROPERTIES:
            parent = element.getparent()
            if parent is not None and parent.tag == f"{OFFICE}meta":
                yield ElementText(element), "property"
        elif not (kind := _classify_text(element)):
            continue
        elif element.tag in _PARAGRAPHS:
            if not sheets.keeps(element):
                yield OdtParagraph(element, looks), kind
        elif has_several_words(element.text or ""):
            yield ElementText(element), "caption"


def _classify_text(element: etree._Element) -> str:
    """Return the kind of a text by its ancestors; empty for a text that stays as it is."""
    kind, in_placeholder = "", False
    for ancestor in element.iterancestors():
        tag = str(ancestor.tag)
        in_placeholder |= ancestor.get(f"{PRESENTATION}class") is not None
        if tag in _KEPT or (in_placeholder and tag == f"{OFFICE}master-styles"):
            return ""
        if tag == f"{TEXT}note" and not kind:
            endnote = ancestor.get(f"{TEXT}note-class") == "endnote"
            kind = "endnote" if endnote else "footnote"
        kind = kind or _KINDS.get(tag, "")
        if tag in (f"{OFFICE}body", f"{OFFICE}master-styles"):
            return kind or ("heading" if element.tag == f"{TEXT}h" else "paragraph")
    return ""


_COMPARING: Final = ("formula", "condition", "expression")
"""Attributes whose quoted strings are compared with texts of cells."""
_LOOKED_FOR: Final = {
    f"{TABLE}filter-condition": f"{TABLE}value",
    f"{TABLE}filter-set-item": f"{TABLE}value",
    f"{TABLE}data-pilot-field": f"{TABLE}source-field-name",
    f"{TABLE}data-pilot-member": f"{TABLE}name",
}
"""Attribute by element whose value is the text of a cell."""
_QUOTED: Final = re.compile(r'"((?:[^"]|"")*)"')
_OPERATOR: Final = re.compile(r"[<>=]+")


class Sheets:
    """Texts that formulas, filters and pivot tables of a spreadsheet look for in cells."""

    def __init__(self, root: etree._Element) -> None:
        self._is_spreadsheet = next(root.iter(f"{OFFICE}spreadsheet"), None) is not None
        self._sought: set[str] = set()
        self._patterns: dict[str, re.Pattern[str]] = {}
        self.kept = 0
        for element in root.iter() if self._is_spreadsheet else ():
            for name, value in element.attrib.items():
                if str(name).endswith(_COMPARING):
                    for literal in _QUOTED.findall(str(value)):
                        self._add_sought(literal.replace('""', '"'))
            if (name := _LOOKED_FOR.get(str(element.tag), "")) and element.get(name):
                self._add_sought(str(element.get(name)))

    def _add_sought(self, condition: str) -> None:
        operator = _OPERATOR.match(condition)
        text = condition[operator.end() :] if operator else condition
        if not text.strip("*?. "):
            return  # any text
        if "*" in text or "?" in text:
            shell = text.replace(".*", "*").replace("[", "[[]")
            self._patterns[shell] = re.compile(translate(shell), re.IGNORECASE)
        else:
            self._sought.add(text.strip().casefold())

    def keeps(self, element: etree._Element) -> bool:
        """Return True if the paragraph ``element`` stays: its cell is no text or is looked for."""
        cell = element.getparent() if self._is_spreadsheet else None
        if cell is None or cell.tag not in CELLS:
            return False
        computed = cell.get(f"{TABLE}formula") is not None
        if computed or cell.get(f"{OFFICE}value-type", "string") != "string":
            return True
        if cell.get(f"{OFFICE}string-value") is not None:  # its stored value would not change
            return True
        text = " ".join("".join(map(str, cell.itertext())).split())
        patterns = self._patterns.values()
        found = text.casefold() in self._sought or any(pattern.match(text) for pattern in patterns)
        self.kept += found
        return found
