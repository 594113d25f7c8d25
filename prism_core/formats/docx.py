"""Texts of a Word package that a reader sees, in a fixed order, as units to translate.

The text walk goes over the XML itself: python-docx does not reach notes, text boxes, content
controls, tracked insertions, charts and diagrams, which a quarter of real files use. Words in the
numbers of lists are units, too (``Article`` of ``Article 3``). Text that stays is counted.

Entry: ``DocxFormat``; then ``DocxTexts``: parts in their order -> the units of each part.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lxml import etree

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import FormatOptions, notices, script_of
from prism_core.formats.ooxml import (
    SHAPE_NAMESPACES,
    OoxmlTexts,
    count_embedded_documents,
    find_parts_by_role,
    gather_units,
    natural_sort_key,
    outermost_alternative,
    paragraphs_of,
    read_descriptions,
    read_drawing,
    read_properties,
    read_shape_text,
    relations_of,
)
from prism_core.formats.ooxml.comments import CommentParts, comment_word
from prism_core.formats.ooxml.language import (
    WORD_NAMESPACES,
    edit_styles,
    name_inherited_language,
    name_styles,
    set_looks,
)
from prism_core.formats.ooxml.line import OoxmlParagraph, is_hidden
from prism_core.formats.ooxml.revisions import has_revisions, settle_revisions
from prism_core.formats.packages import Package, Parts, open_package
from prism_core.formats.text import Loss, edges_of, has_letter, has_several_words, has_words
from prism_core.formats.text_units import Comment, ElementText, LocatedUnit, UnitFormat
from prism_core.safe_xml import local_name, namespace

_WORD_TYPE: Final = re.compile(
    r"(?:wordprocessingml\.|ms-word\.)"
    r"(?:document\.(glossary)"
    r"|(document|template|header|footer|footnotes|endnotes|comments|numbering)\b)"
)

_GLOSSARY: Final = "/glossary/"
"""Folder of building blocks, which no page shows until somebody inserts one."""
_PART_ORDER: Final = {
    role: place
    for place, roles in enumerate((
        "document template", "header", "footer", "footnotes", "endnotes", "comments", "numbering",
        "chart chartshape diagram", "core",
    ))
    for role in roles.split()
}  # fmt: skip
_PART_KINDS: Final = {
    "header": "header", "footer": "footer", "footnotes": "footnote", "endnotes": "endnote",
    "comments": "comment",
}  # fmt: skip
_DRAWINGS: Final = frozenset(("chart", "chartshape", "diagram"))
_TIPS: Final = {"hyperlink": "tooltip", "tblCaption": "val", "tblDescription": "val"}
"""Attributes that show when a reader points at a link, or are read out for a table."""
_MOST_TIP: Final = 255
_HEADING_STYLE: Final = re.compile(r"(heading|title|subtitle|titre|berschrift)", re.IGNORECASE)
_PLACE: Final = re.compile(r"(%\d)")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_ABSTRACT: Final = "{*}abstractNum/{*}lvl/{*}lvlText"
_OVERRIDE: Final = "{*}num/{*}lvlOverride/{*}lvl/{*}lvlText"
_BLOCKS: Final = "{*}docParts/{*}docPart"


class DocxFormat(UnitFormat):
    """Word documents: reads all text, and rebuilds the document with everything else unchanged.

    Deleted text of tracked changes stays as it is, unless the options settle them. Hidden text and
    building blocks that no page shows stay too, and the notices of the document count them.
    """

    name = "docx"

    @contextmanager
    def open(self, path: Path) -> Iterator[DocxTexts]:
        """Open the package and yield all text that a reader sees, part by part."""
        with open_package(path, self._options) as package:
            yield DocxTexts(package, self._options.tracked_changes)


class DocxTexts(OoxmlTexts):
    """Texts of a Word document; ``building_blocks`` are the members that hold building blocks."""

    def __init__(self, package: Package, tracked_changes: str = "keep") -> None:
        self.package = package
        self._main = ""
        trees: dict[str, etree._ElementTree] = {}
        parts = find_parts_by_role(package, _WORD_TYPE)
        self.building_blocks = [member for role, member in parts if role == "glossary"]
        shown = [part for part in parts if part[0] in _PART_ORDER and _GLOSSARY not in part[1]]
        if not any(role in ("document", "template") for role, _ in shown):
            raise DocumentError(DocumentFailure.CORRUPT)
        shown.sort(key=lambda part: (_PART_ORDER[part[0]], natural_sort_key(part[1])))
        found: list[tuple[LocatedUnit, str]] = []
        self._main = shown[0][1]
        settled: Parts = {}
        for role, member in shown:
            trees[member] = package.parse(member)
            root = trees[member].getroot()
            if tracked_changes != "keep" and has_revisions(root):
                if tracked_changes == "refuse":
                    raise DocumentError(DocumentFailure.TRACKED_CHANGES)
                settle_revisions(root, accept=tracked_changes == "final")
                settled[member] = trees[member]
            found += ((drawn, member) for drawn in _read_units(role, root))
        super().__init__(package.save, gather_units(found, has_words), trees, settled=settled)

    def notices(self) -> tuple[str, ...]:
        """Return counts of the text that stays, beside the units and within them."""
        looks = (look for tree in self.trees.values() for look in tree.getroot().iter("{*}rPr"))
        hidden = (
            look.getparent()
            for look in looks
            if look.find("{*}vanish") is not None and is_hidden(look)
        )
        glossaries = (self.package.parse(member).getroot() for member in self.building_blocks)
        blocks = (block for root in glossaries for block in root.iterfind(_BLOCKS))
        names = self.package.names
        return notices(
            {
                "hidden-texts-untranslated": sum(map(_has_letters, hidden)),
                "building-blocks-untranslated": sum(map(_has_letters, blocks)),
                "embedded-files-untranslated": count_embedded_documents(self.package),
                "pictures-unread": self.package.count_pictures(),
                "imported-chunks-untranslated": sum("afchunk" in name.lower() for name in names),
            }
        )

    def replace(
        self, wanted: Sequence[tuple[LocatedUnit, Translation]]
    ) -> tuple[Parts, tuple[str, ...]]:
        """Replace texts; see ``DocumentTexts``.

        All content controls of a changed part lose their binding to data, which would refill them:
        a form of which one half is bound and the other half is not confuses word processors.
        """
        changed, loss_notices = super().replace(wanted)
        for member in changed:
            for binding in list(self.trees[member].iterfind(".//{*}sdtPr/{*}dataBinding")):
                parent = binding.getparent()
                if parent is not None:
                    parent.remove(binding)
        return changed, loss_notices

    def can_comment(self, item: LocatedUnit) -> bool:
        """Return True for the main text, but not for notes, headers and footers."""
        return self._main in item.members and any(True for _ in paragraphs_of([item]))

    def comment(self, comments: Sequence[Comment], changed: Parts) -> int:
        """Add Word comments; see ``DocumentTexts``."""
        parts = CommentParts(self.package, changed, self.trees)
        return comment_word(parts, self._main, comments)

    def name_language(self, units: Collection[LocatedUnit], options: FormatOptions) -> Parts:
        """Name the target language in runs, styles and settings; name the old where text stays."""
        super().name_language(units, options)
        relations = relations_of(self.package, self._main).values()
        parts = {kind: part for kind, part in relations if kind in ("styles", "settings")}
        styles = parts.get("styles", "")
        edited = None
        if styles and not script_of(options.target):  # otherwise more has to change
            edited = edit_styles(self.package.content(styles), options)
        if edited is not None:
            content, language = edited
            changed: Parts = {styles: content} if language is not None else {}
        else:
            trees = {kind: self.package.parse(part) for kind, part in parts.items()}
            roots = {kind: tree.getroot() for kind, tree in trees.items()}
            language = name_styles(roots["styles"], options) if styles else None
            looks = {kind for kind, root in roots.items() if set_looks(root, options)}
            named = {"styles"} if language is not None else set()
            changed = {parts[kind]: trees[kind] for kind in parts if kind in named | looks}
        if language is not None:
            new, members = set(map(id, units)), {m for unit in units for m in unit.members}
            left = (u for u in self.units if id(u) not in new and members.intersection(u.members))
            name_inherited_language(paragraphs_of(left), language)
        return changed


def _read_units(role: str, root: etree._Element) -> Iterator[LocatedUnit]:
    """Yield the texts of a part in order; of patterns of lists, only words."""
    if role == "core":
        yield from read_properties(root)
    elif role in _DRAWINGS:
        yield from read_drawing(root, role == "diagram")
    elif role == "numbering":
        for element in (*root.iterfind(_ABSTRACT), *root.iterfind(_OVERRIDE)):
            for index, piece in enumerate(_split_pattern(element)):
                if _WORD.search(piece):
                    yield LocatedUnit(LabelText(element, index), "caption", "label")
    else:
        yield from _read_word_units(role, root)


def _read_word_units(role: str, root: etree._Element) -> Iterator[LocatedUnit]:
    for element in root.iter("{*}p", "{*}docPr", "{*}textpath", *map("{{*}}{}".format, _TIPS)):
        name, key = local_name(element), outermost_alternative(element)
        if name == "docPr":
            yield from read_descriptions(element)
        elif name == "textpath":
            yield LocatedUnit(ElementText(element, "string"), "caption", key)
        elif name in _TIPS:
            tip = ElementText(element, f"{{{namespace(element)}}}{_TIPS[name]}", _MOST_TIP)
            if has_several_words(tip.text):
                yield LocatedUnit(tip, "caption", key)
        elif namespace(element).endswith(WORD_NAMESPACES):
            yield LocatedUnit(OoxmlParagraph(element), _classify_paragraph(role, element), key)
        elif namespace(element).endswith(SHAPE_NAMESPACES):
            yield read_shape_text(element, key)


def _classify_paragraph(role: str, paragraph: etree._Element) -> str:
    if role in _PART_KINDS:
        return _PART_KINDS[role]
    for holder in paragraph.iterancestors("{*}txbxContent", "{*}tc"):
        return "cell" if local_name(holder) == "tc" else "textbox"
    for style in paragraph.iterfind("./{*}pPr/{*}pStyle"):
        value = " ".join(map(str, style.attrib.values()))
        if _HEADING_STYLE.search(value):
            return "heading"
        if "caption" in value.lower():
            return "caption"
    return "paragraph"


@dataclass(frozen=True, slots=True)
class LabelText:
    """Words on one side of the number in a list pattern such as ``Article %1.``."""

    element: etree._Element
    index: int

    @property
    def text(self) -> str:
        """Words without the white space around them."""
        return _split_pattern(self.element)[self.index].strip()

    def replace(self, translation: Translation) -> Loss:
        """Replace the words by ``translation``, unless it has a ``%``, which would add a number."""
        text = translation.text
        if "%" in text or not text.strip():
            return Loss(texts=1)
        pieces = _split_pattern(self.element)
        before, after = edges_of(pieces[self.index])
        pieces[self.index] = before + " ".join(text.split()) + after
        self.element.set(f"{{{namespace(self.element)}}}val", "".join(pieces))
        return Loss()


def _split_pattern(element: etree._Element) -> list[str]:
    """Split the pattern at its places for numbers."""
    return _PLACE.split(str(element.get(f"{{{namespace(element)}}}val", "")))


def _has_letters(element: etree._Element | None) -> bool:
    texts = () if element is None else element.iter("{*}t")
    return has_letter("".join(text.text or "" for text in texts))
