"""Presentations: PPTX, PPTM, POTX, POTM, PPSX, PPSM, transitional and strict.

Entry: ``PptxFormat``; all text that readers see, in the order of the slides.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from lxml import etree

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import FormatOptions, turns_round
from prism_core.formats.ooxml import (
    OoxmlTexts,
    count_embedded_documents,
    find_parts_by_role,
    gather_units,
    natural_sort_key,
    read_drawing,
    read_properties,
    relations_of,
)
from prism_core.formats.ooxml.comments import CommentParts, comment_slides
from prism_core.formats.ooxml.language import turn_levels
from prism_core.formats.ooxml.line import OoxmlParagraph
from prism_core.formats.packages import Package, Parts, open_package
from prism_core.formats.text_units import Comment, ElementText, LocatedUnit, UnitFormat

_TYPE: Final = re.compile(
    r"(?:presentationml|ms-powerpoint)\."
    r"(?:(presentation|template|slideshow)\.(?:main|macroEnabled\.main)"
    r"|(slide|notesSlide|comments|slideLayout|slideMaster|notesMaster|handoutMaster))\+xml"
)
_MAIN: Final = frozenset(("presentation", "template", "slideshow"))
_ORDER: Final = {
    role: place
    for place, roles in enumerate((
        "slide", "notesSlide", "comments", "chart chartshape diagram", "slideLayout",
        "slideMaster notesMaster handoutMaster", "core",
    ))
    for role in roles.split()
}  # fmt: skip
_MODELS: Final = frozenset(("slideLayout", "slideMaster", "notesMaster", "handoutMaster"))
"""Parts whose placeholders only name the content that slides put in their place."""
_SHARED: Final = frozenset(("slideLayout", "slideMaster", "slide"))
"""Relations of a slide to parts that it shares with others."""
_PLACEHOLDER_KINDS: Final = {
    "title": "heading",
    "ctrTitle": "heading",
    "ftr": "footer",
    "hdr": "header",
}


class PptxFormat(UnitFormat):
    """Presentations; prompts, unused layouts, numbers, dates and names of shapes stay."""

    name = "pptx"

    @contextmanager
    def open(self, path: Path) -> Iterator[OoxmlTexts]:
        """Open the presentation and yield all text that readers see, the slides first."""
        with open_package(path, self._options) as package:
            parts = _find_text_parts(package)
            trees = {member: package.parse(member) for _, member in parts}
            found = (
                (drawn, member)
                for role, member in parts
                for drawn in _read_units(role, trees[member].getroot())
            )
            yield PptxTexts(package, gather_units(found), trees)


class PptxTexts(OoxmlTexts):
    """Texts of a presentation, and the slides that show them."""

    def __init__(
        self, package: Package, units: Sequence[LocatedUnit], trees: dict[str, etree._ElementTree]
    ) -> None:
        kept = {
            "embedded-files-untranslated": count_embedded_documents(package),
            "pictures-unread": package.count_pictures(),
        }
        super().__init__(package.save, units, trees, kept)
        self._package = package
        parts = find_parts_by_role(package, _TYPE)
        self._main = next(member for role, member in parts if role in _MAIN)
        self._slides: dict[str, str] = {}
        for slide in (member for role, member in parts if role == "slide"):
            for kind, target in relations_of(package, slide).values():
                if kind not in _SHARED:
                    self._slides[target] = slide
            self._slides[slide] = slide

    def name_language(self, units: Collection[LocatedUnit], options: FormatOptions) -> Parts:
        """Name the target language, and turn levels that slides inherit."""
        super().name_language(units, options)
        if not turns_round(options):
            return {}
        trees = {**self.trees, self._main: self._package.parse(self._main)}
        return {name: tree for name, tree in trees.items() if turn_levels(tree.getroot())}

    def can_comment(self, item: LocatedUnit) -> bool:
        """Return True for all text that a slide shows, except its comments."""
        return item.kind != "comment" and not self._slides.keys().isdisjoint(item.members)

    def comment(self, comments: Sequence[Comment], changed: Parts) -> int:
        """Add comments to slides; see ``DocumentTexts``."""
        parts = CommentParts(self._package, changed, self.trees)
        return comment_slides(parts, self._main, self._slides, comments)


def _find_text_parts(package: Package) -> list[tuple[str, str]]:
    """Return ``(role, member)`` of the parts that hold visible text, the slides in their order."""
    parts = find_parts_by_role(package, _TYPE)
    main = next((member for role, member in parts if role in _MAIN), None)
    if main is None:
        raise DocumentError(DocumentFailure.CORRUPT)
    targets = relations_of(package, main)
    listed = package.parse(main).getroot().iterfind("{*}sldIdLst/{*}sldId")
    named = ((str(name), str(value)) for slide in listed for name, value in slide.attrib.items())
    slides = [targets[key][1] for name, key in named if name.endswith("}id") and key in targets]
    places = {member: place for place, member in enumerate(slides)}
    layouts = _related_parts(package, [m for role, m in parts if role == "slide"], "slideLayout")
    shown = layouts | _related_parts(package, layouts, "slideMaster")
    wanted = [
        (role, member)
        for role, member in parts
        if role in _ORDER and (role not in ("slideLayout", "slideMaster") or member in shown)
    ]
    last = len(places)
    return sorted(
        wanted,
        key=lambda part: (_ORDER[part[0]], places.get(part[1], last), natural_sort_key(part[1])),
    )


def _related_parts(package: Package, members: Iterable[str], kind: str) -> set[str]:
    """Return the parts that ``members`` have relations of ``kind`` with."""
    found = (pair for member in members for pair in relations_of(package, member).values())
    return {target for name, target in found if name == kind}


def _read_units(role: str, root: etree._Element) -> Iterator[LocatedUnit]:
    if role == "core":
        yield from read_properties(root)
        return
    if role == "comments":
        for element in root.iterfind("{*}cm/{*}text"):
            yield LocatedUnit(ElementText(element), "comment")
    for drawn in read_drawing(root, role == "diagram"):
        unit = drawn.unit
        if not isinstance(unit, OoxmlParagraph):
            yield drawn
        elif role == "comments":
            yield LocatedUnit(unit, "comment")
        else:
            shape = next(unit.element.iterancestors("{*}sp"), None)
            mark = None if shape is None else shape.find("{*}nvSpPr/{*}nvPr/{*}ph")
            if mark is None:
                yield drawn
            elif role not in _MODELS:  # the shape fills a placeholder
                kind = _PLACEHOLDER_KINDS.get(str(mark.get("type")), "paragraph")
                yield LocatedUnit(unit, kind, drawn.key)
