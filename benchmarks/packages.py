"""What stands in an office file, found by a walk over its zip that shares no code with the readers.

It knows every element that holds text, whatever part it stands in, and the few reasons for which
text may stay as it is. So it can say what a reader missed, and what a writer changed.

entry: `walk`; `compare` does so for a file and its copy with all letters `shifted` away.
"""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lxml import etree

_TEXTS: Final = re.compile(
    r"\{[^}]*/(?:wordprocessingml|drawingml|spreadsheetml)/(?:2006/)?main\}t\Z"
)
"""``w:t``, ``a:t`` and the ``t`` of workbooks, transitional and strict."""
_ODF: Final = "{urn:oasis:names:tc:opendocument:xmlns:"
_ODF_PARAGRAPHS: Final = (f"{_ODF}text:1.0}}p", f"{_ODF}text:1.0}}h")
_MODELS: Final = re.compile(r"/(?:slideLayout|slideMaster|notesMaster|handoutMaster)s/")
_ODF_KEPT: Final = {
    **dict.fromkeys(("title", "desc"), "description"),
    **dict.fromkeys(("creator", "date", "creator-initials", "date-string"), "who and when"),
    **dict.fromkeys(
        "time page-number page-count chapter file-name author-name author-initials subject "
        "sequence bibliography-mark drop-down note-citation expression variable-set".split(),
        "field",
    ),
    "ruby-text": "reading aid",
}
"""What stays in an OpenDocument paragraph, by its name."""
_BREAKS: Final = frozenset(("tab", "ptab", "br", "cr", "line-break"))
_HYPHENS: Final = frozenset(("noBreakHyphen", "softHyphen"))
ANCHORS: Final = frozenset(
    "tab ptab br cr sym drawing pict object footnoteReference endnoteReference commentReference "
    "footnoteRef endnoteRef annotationRef fldChar instrText fldSimple fld bookmarkStart "
    "bookmarkEnd commentRangeStart commentRangeEnd hyperlink sdt hlinkClick line-break note "
    "annotation bookmark frame a".split()
)
"""What stands between words and must stay exactly once."""
_SAID: Final = frozenset(("instrText", "delText", "delInstrText", "f"))
"""Elements whose text is none to translate, and must not change."""
_SEEN: Final = frozenset(
    "b i u strike dstrike caps smallCaps color sz highlight shd vertAlign baseline rStyle".split()
)
"""Properties of a run that a reader sees."""
_MASKED: Final = frozenset(("t", "rPr", "dataBinding", "s", *_HYPHENS))
_THROUGH: Final = frozenset(("r", "span"))
_DESCRIPTIONS: Final = frozenset(("descr", "title", "string", "tooltip", "space"))


_AWAY: Final = 0x20000
"""Rare Chinese characters, a plane above the letters of all other scripts: no file has them."""
_WORD: Final = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True)
class Text:
    """One element of text: what it says, and why it may stay as it is (empty: it may not)."""

    words: str
    reason: str


@dataclass(frozen=True, slots=True)
class Walked:
    """All XML parts of a file.

    ``paragraphs`` are the words of each paragraph, ``looks`` how each of its letters looks (in
    OOXML), ``skeleton`` every element and attribute in order but text and the borders of runs,
    ``anchors`` what stands between words, counted.
    """

    texts: tuple[Text, ...]
    paragraphs: tuple[tuple[str, ...], ...]
    looks: tuple[tuple[str, ...], ...]
    skeleton: tuple[str, ...]
    anchors: Counter[str]


def walk(path: Path) -> Walked:
    """Walk over all XML parts of the office file ``path``, sorted by name."""
    texts: list[Text] = []
    paragraphs: list[tuple[str, ...]] = []
    looks: list[tuple[str, ...]] = []
    skeleton: list[str] = []
    anchors: Counter[str] = Counter()
    for name, root in roots(path):
        texts += _texts(name, root)
        paragraphs += paragraphs_of(root)
        looks += (tuple(_looks(paragraph)) for paragraph in root.iter("{*}p", "{*}si"))
        skeleton += [name, *_skeleton(root)]
        anchors.update(local for e in root.iter() if (local := _local(e)) in ANCHORS)
    return Walked(tuple(texts), tuple(paragraphs), tuple(looks), tuple(skeleton), anchors)


def roots(path: Path) -> Iterator[tuple[str, etree._Element]]:
    """Name and tree of each XML part of ``path``, sorted by name."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if name.lower().endswith(".xml"):
                try:
                    yield name, etree.fromstring(archive.read(name), parser)
                except etree.XMLSyntaxError:
                    continue  # a part that no program shows


def _texts(member: str, root: etree._Element) -> Iterator[Text]:
    fields: list[str] = []
    for element in root.iter():
        if _local(element) == "fldChar":
            _turn(fields, next((v for k, v in element.items() if k.endswith("}fldCharType")), ""))
        elif isinstance(element.tag, str) and _TEXTS.match(element.tag):
            reason = _reason(member, element) or ("instruction" if "begin" in fields else "")
            yield Text(element.text or "", reason)
        elif element.tag in _ODF_PARAGRAPHS:
            reason = _reason(member, element)
            yield from (Text(text, reason or why) for text, why in _own(element) if text)


def _turn(fields: list[str], mark: str) -> None:
    """Follow the fields that are open, each as far as it has come."""
    if mark == "begin":
        fields.append(mark)
    elif fields:
        fields.pop()
        if mark == "separate":
            fields.append(mark)


def _own(element: etree._Element, reason: str = "") -> Iterator[tuple[str, str]]:
    """The text of an OpenDocument paragraph but that of paragraphs within it; why it may stay."""
    yield element.text or "", reason
    for child in element:
        name = _local(child)
        if name in _BREAKS or name == "s":
            yield " ", ""
        elif name and child.tag not in _ODF_PARAGRAPHS:
            yield from _own(child, _ODF_KEPT.get(name, reason))
        yield child.tail or "", reason


def _reason(member: str, element: etree._Element) -> str:
    """Why its text may stay as it is: nobody sees it, or it is deleted."""
    if "/glossary/" in member:
        return "building block"
    if _MODELS.search(member):
        return "model of slides"
    if "/" in member and element.tag in _ODF_PARAGRAPHS:
        chart = f"{_ODF}office:1.0}}chart"
        return "" if next(element.getroottree().iter(chart), None) is not None else "embedded"
    around = [_local(ancestor) for ancestor in element.iterancestors()]
    if {"del", "moveFrom", "tracked-changes"}.intersection(around):
        return "deleted"
    if "rt" in around:
        return "reading aid"
    if "fld" in around:
        return "field"
    parent = element.getparent()
    if parent is not None and any(map(_is_on, parent.iterfind("{*}rPr/{*}vanish"))):
        return "hidden"
    return ""


def _is_on(mark: etree._Element) -> bool:
    return not {"0", "false", "off"}.intersection(map(str, mark.attrib.values()))


def paragraphs_of(root: etree._Element) -> Iterator[tuple[str, ...]]:
    """The words of each paragraph, less those of paragraphs within it."""
    for paragraph in root.iter("{*}p", "{*}h", "{*}si"):
        yield tuple("".join(_said(paragraph)).split())


def _said(element: etree._Element) -> Iterator[str]:
    if element.tag in _ODF_PARAGRAPHS:
        yield from (text for text, _ in _own(element))
        return
    for child in element:
        name = _local(child)
        if isinstance(child.tag, str) and _TEXTS.match(child.tag):
            yield child.text or ""
        elif name in _BREAKS:
            yield " "
        elif name == "noBreakHyphen":
            yield "-"
        elif name not in ("p", "h", "rt"):
            yield from _said(child)


def _looks(element: etree._Element, look: str = "") -> Iterator[str]:
    """How each letter and digit of a paragraph looks, in order, but of paragraphs within it."""
    for child in element:
        name = _local(child)
        if isinstance(child.tag, str) and _TEXTS.match(child.tag):
            yield from (look for character in child.text or "" if character.isalnum())
        elif name not in ("p", "rt"):
            yield from _looks(child, _look(child) if name == "r" else look)


def _look(run: etree._Element) -> str:
    """What a reader sees of the properties of ``run``."""
    properties = run.find("{*}rPr")
    if properties is None:
        return ""
    marks = [f"{key} {properties.get(key)}" for key in _SEEN if properties.get(key)]
    seen = (child for child in properties if _local(child) in _SEEN)
    marks += (f"{_local(child)} {sorted(map(str, child.attrib.values()))}" for child in seen)
    return ";".join(sorted(marks))


def _skeleton(element: etree._Element) -> Iterator[str]:
    name = _local(element)
    if name in _MASKED or not name:
        return
    if name not in _THROUGH:
        pairs = (pair for pair in element.attrib.items() if _bare(pair[0]) not in _DESCRIPTIONS)
        kept = (f"{key}={_masked(name, str(value))}" for key, value in pairs)
        said = element.text or "" if name in _SAID else ""
        yield f"<{name} {sorted(kept)}>{said}"
    for child in element:
        yield from _skeleton(child)
    if name not in _THROUGH:
        yield f"</{name}>"


def _masked(name: str, value: str) -> str:
    """``value``; of the pattern for the numbers of a list only the places for numbers."""
    if name in ("tblCaption", "tblDescription"):
        return ""
    return "".join(re.findall(r"%\d", value)) if name == "lvlText" else value


def _local(element: etree._Element) -> str:
    return _bare(element.tag) if isinstance(element.tag, str) else ""


def _bare(name: object) -> str:
    return str(name).rpartition("}")[2]


def shifted(text: str) -> str:
    """``text`` with every letter replaced by one of a script that no document uses."""
    return "".join(chr(ord(c) + _AWAY) if _is_letter(c) else c for c in text)


def unshifted(text: str) -> str:
    """What ``shifted`` made ``text`` from."""
    return "".join(chr(ord(c) - _AWAY) if ord(c) >= _AWAY else c for c in text)


def _is_letter(character: str) -> bool:
    there = ord(character) + _AWAY
    return character.isalpha() and ord(character) < 0x10000 and chr(there).isalpha()


def compare(before: Walked, after: Walked) -> tuple[Counter[str], Counter[str]]:
    """What differs between a file and its copy in the other script, and letters that may stay.

    Both are counts, the second by the reason; nothing in the first is as it should be.
    """
    counts: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    for text in after.texts:
        letters = sum(map(_is_letter, text.words))
        if text.reason:
            kept[text.reason] += letters
        else:
            counts["letters missed"] += letters
            counts["words left"] += len(_WORD.findall("".join(_known(text.words))))
    words = [tuple(map(unshifted, paragraph)) for paragraph in after.paragraphs]
    counts["paragraphs changed"] = _unequal(before.paragraphs, words)
    looks = zip(before.looks, after.looks, strict=False)
    counts["letters that look otherwise"] = sum(_unequal(a, b) for a, b in looks)
    counts["structure"] = _unequal(before.skeleton, after.skeleton)
    anchors = (before.anchors - after.anchors) + (after.anchors - before.anchors)
    counts["anchors"] = anchors.total()
    return counts, kept


def _known(text: str) -> Iterator[str]:
    """``text`` with a gap for every letter of the other script."""
    return (c if ord(c) < _AWAY else " " for c in text)


def _unequal(first: Sequence[object], second: Sequence[object]) -> int:
    """How many items differ, one by one."""
    different = sum(a != b for a, b in zip(first, second, strict=False))
    return different + abs(len(first) - len(second))
