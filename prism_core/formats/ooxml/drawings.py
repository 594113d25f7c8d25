"""The text of shapes, charts and diagrams, which presentations and workbooks share."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Final

from lxml import etree

from prism_core.formats.ooxml.line import SIGNS, Paragraph
from prism_core.formats.ooxml.package import description_units, has_letter, local_name, namespace
from prism_core.formats.units import AttributeText, ElementText, Located, Unit, gather

_TYPE: Final = re.compile(
    r"drawingml\.(chart|diagram|chartshape)(?:Data|s)?\+xml"
    r"|ms-office\.(?:drawingml\.(diagram)Drawing|(chart)ex)\+xml"
)
_NAMESPACES: Final = ("/drawingml/2006/main", "/drawingml/main")
"""Transitional and strict; the ``p`` of other namespaces is no paragraph."""
_CACHES: Final = frozenset(("strCache", "multiLvlStrCache", "strLit", "strDim", "tx"))
_SIGN: Final = re.compile("(" + "|".join(SIGNS) + ")")
_NUMBERS: Final = frozenset(("numCache", "numLit", "numDim"))


_LINKS: Final = ("hlinkClick", "hlinkHover", "hlinkMouseOver")
_PLACES: Final = tuple(f"{{*}}{name}" for name in ("p", "cNvPr", "docPr", "v", "pt", *_LINKS))


@dataclass(frozen=True, slots=True)
class Drawn:
    """A text of a drawing; those with the same ``key`` that say the same are one segment.

    ``label`` marks what a chart copied from cells, or says where cells would say it.
    """

    unit: Unit
    kind: str
    key: Hashable = None
    label: bool = False


def drawing_role(content_type: str) -> str:
    """``chart``, ``diagram`` or ``chartshape``; empty for any other content type."""
    match = _TYPE.search(content_type)
    return next(filter(None, match.groups()), "") if match else ""


def read_drawing(root: etree._Element, in_diagram: bool = False) -> Iterator[Drawn]:
    """Every text below ``root`` in order.

    A diagram says its texts again in the drawing that stands in for it, as do the alternatives
    for older programs, and a chart its categories for every series.
    """
    for element in root.iter(*_PLACES):
        name = local_name(element)
        if name in ("cNvPr", "docPr"):
            for unit, kind in description_units(element):
                yield Drawn(unit, kind, alternatives(element))
        elif name in _LINKS:
            yield Drawn(AttributeText(element, "tooltip"), "caption", alternatives(element))
        elif name == "p" and namespace(element).endswith(_NAMESPACES):
            key = "diagram" if in_diagram else alternatives(element)
            if not _is_covered(element):
                yield Drawn(shape_paragraph(element), shape_kind(element), key)
        elif name in ("v", "pt") and _is_label(element):
            yield Drawn(ElementText(element), "caption", root, True)


def shape_paragraph(element: etree._Element) -> Paragraph:
    """The paragraph of a shape; tabs in its text become runs of their own, to be breaks."""
    for run in list(element.iterfind("{*}r")):
        _split_signs(run)
    return Paragraph(element, in_shape=True)


def shape_kind(paragraph: etree._Element) -> str:
    """``cell`` in a table, else ``textbox``."""
    inside = any(local_name(ancestor) == "tc" for ancestor in paragraph.iterancestors())
    return "cell" if inside else "textbox"


def alternatives(element: etree._Element) -> etree._Element | None:
    """The outermost choice between alternatives for programs that ``element`` stands in."""
    outer = None
    for ancestor in element.iterancestors("{*}AlternateContent"):
        outer = ancestor
    return outer


def gather_units(
    found: Iterable[tuple[Drawn, str]], wanted: Callable[[str], bool] = has_letter
) -> list[Located]:
    """Units of ``found``, pairs with their members, whose text is ``wanted``.

    They are in order, and equal texts of a key together.
    """
    groups: dict[Hashable, list[tuple[Unit, str, str]]] = {}
    for number, (drawn, member) in enumerate(found):
        text = drawn.unit.text
        if wanted(text):
            key = number if drawn.key is None else (drawn.key, text)
            groups.setdefault(key, []).append((drawn.unit, drawn.kind, member))
    return list(map(gather, groups.values()))


def _is_covered(paragraph: etree._Element) -> bool:
    """Whether it stands in a cell of a table that a neighbour was merged over."""
    cells = paragraph.iterancestors("{*}tc")
    return any(cell.get(merge) in ("1", "true") for cell in cells for merge in ("hMerge", "vMerge"))


def _is_label(element: etree._Element) -> bool:
    """Whether it is a word that a chart keeps (a category, a series name) and not a number."""
    if len(element):
        return False
    for ancestor in element.iterancestors():
        name = local_name(ancestor)
        if name in _NUMBERS:
            return False
        if name in _CACHES:
            return True
    return False


def _split_signs(run: etree._Element) -> None:
    """A run for each text between tabs and line breaks, and one for each of these."""
    element = run.find("{*}t")
    text = "" if element is None else element.text or ""
    pieces = [piece for piece in _SIGN.split(text) if piece]
    for piece in pieces[:-1]:
        twin = deepcopy(run)
        _set_text(twin, piece)
        run.addprevious(twin)
    if len(pieces) > 1:
        _set_text(run, pieces[-1])


def _set_text(run: etree._Element, text: str) -> None:
    for element in run.iterfind("{*}t"):
        element.text = text
