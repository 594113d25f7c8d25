"""Accept or reject the tracked changes of a Word part, as the user's policy says."""

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
    return next(_find_revisions(root), None) is not None


def _find_revisions(root: etree._Element) -> Iterator[etree._Element]:
    return (change for change in root.iter(*_ALL) if "wordprocessingml" in namespace(change))


def settle_revisions(root: etree._Element, *, accept: bool) -> None:
    """Make ``root`` what it is with every tracked change accepted, or rejected."""
    joined: list[etree._Element] = []  # paragraphs that lose their mark
    for element in list(_find_revisions(root)):
        properties, name = next(element.iterancestors()), local_name(element)
        is_dropped = name in (_REMOVED if accept else _ADDED)
        if name in _LOOKS and not accept:
            first = [child for child in properties if local_name(child) in _FIRST]
            last = [child for child in properties if local_name(child) in _LAST]
            properties[:] = [*first, *(child for old in element for child in old), *last]
            continue
        is_mark = local_name(properties) in ("rPr", "trPr", "tcPr")
        if name in (*_ADDED, *_REMOVED) and not is_mark and not is_dropped:
            at = properties.index(element)
            properties[at:at] = list(element)
        _remove(element)
        if is_mark and is_dropped:
            holder = next(properties.iterancestors())
            if local_name(properties) != "rPr":  # a row or cell
                _remove(holder)
            elif local_name(holder) == "pPr":
                joined.append(next(holder.iterancestors()))
    for paragraph in joined:  # with the next one, whose properties stay
        following = paragraph.getnext()
        if following is not None and local_name(following) == "p":
            start = 0 if following.find("{*}pPr") is None else 1
            following[start:start] = [child for child in paragraph if local_name(child) != "pPr"]
            _remove(paragraph)
    for element in root.iter(*(f"{{*}}{name}" for name in _LIVE_NAMES)):
        element.tag = f"{{{namespace(element)}}}{_LIVE_NAMES[local_name(element)]}"


def _remove(element: etree._Element) -> None:
    if (parent := element.getparent()) is not None:
        parent.remove(element)
