"""Accept or reject the tracked changes of a Word part, as the user's policy says.

Entry: ``has_revisions`` and ``settle_revisions``: insertions, deletions and moves of text, of
paragraph marks, rows and cells, and changes of formatting.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lxml import etree

from prism_core.safe_xml import local_name, namespace

_ADDED: Final = ("ins", "moveTo", "cellIns")
_REMOVED: Final = ("del", "moveFrom", "cellDel")
_LOOKS: Final = tuple(
    f"{name}Change"
    for name in "rPr pPr sectPr tblPr tblPrEx tblGrid trPr tcPr numbering cellMerge".split()
)
_MOVES: Final = ("moveFrom", "moveTo")
_RANGES: Final = tuple(
    f"{name}Range{end}"
    for name in (*_MOVES, *(f"customXml{kind}" for kind in ("Ins", "Del", "MoveFrom", "MoveTo")))
    for end in ("Start", "End")
)
_LIVE_NAMES: Final = {"delText": "t", "delInstrText": "instrText"}
_FIRST: Final = (*_ADDED, *_REMOVED, "headerReference", "footerReference")
_LAST: Final = ("rPr", "sectPr")
"""Children of properties that a change of formatting does not record, before and after others."""
_ALL: Final = tuple(f"{{*}}{name}" for name in (*_ADDED, *_REMOVED, *_LOOKS, "cellMerge", *_RANGES))


def has_revisions(root: etree._Element) -> bool:
    """Return True if anything below ``root`` is a tracked change."""
    return any("wordprocessingml" in namespace(element) for element in root.iter(*_ALL))


def settle_revisions(root: etree._Element, *, accept: bool) -> None:
    """Make ``root`` what it is with every tracked change accepted, or rejected."""
    joined: list[etree._Element] = []
    found = [e for e in root.iter(*_ALL) if "wordprocessingml" in namespace(e)]
    for element in found:
        properties, name = next(element.iterancestors()), local_name(element)
        is_dropped = name in (_REMOVED if accept else _ADDED)
        if name in _LOOKS and not accept:
            _restore_look(properties, element)
        elif name not in (*_ADDED, *_REMOVED):
            _remove(element)
        elif local_name(properties) not in ("rPr", "trPr", "tcPr"):
            (_remove if is_dropped else _unwrap)(element)
        else:
            _remove(element)
            if is_dropped:
                joined += _drop_holder(properties)
    for paragraph in joined:
        _join_with_next(paragraph)
    for element in root.iter(*(f"{{*}}{name}" for name in _LIVE_NAMES)):
        element.tag = f"{{{namespace(element)}}}{_LIVE_NAMES[local_name(element)]}"


def _drop_holder(properties: etree._Element) -> Iterator[etree._Element]:
    """Remove the row or cell that has ``properties``; yield a paragraph whose mark has them."""
    holder = next(properties.iterancestors())
    if local_name(properties) != "rPr":
        _remove(holder)
    elif local_name(holder) == "pPr":
        yield next(holder.iterancestors())


def _remove(element: etree._Element) -> None:
    if (parent := element.getparent()) is not None:
        parent.remove(element)


def _unwrap(element: etree._Element) -> None:
    for child in list(element):
        element.addprevious(child)
    _remove(element)


def _restore_look(properties: etree._Element, change: etree._Element) -> None:
    """Give ``properties`` the children that ``change`` recorded of them."""
    first = [child for child in properties if local_name(child) in _FIRST]
    last = [child for child in properties if local_name(child) in _LAST]
    properties[:] = [*first, *(child for old in change for child in old), *last]


def _join_with_next(paragraph: etree._Element) -> None:
    """Join a paragraph without its mark with the next one, whose properties stay."""
    following = paragraph.getnext()
    if following is None or local_name(following) != "p":
        return
    properties = following.find("{*}pPr")
    start = 0 if properties is None else 1
    following[start:start] = [child for child in paragraph if local_name(child) != "pPr"]
    _remove(paragraph)
