"""Target language in texts of Office: its name, and the settings for its script.

Office keeps separate formatting and languages for complex and East Asian letters, and treats a text
as running from the right only where its paragraph and runs say so.

Entry: ``set_paragraph`` for a translated text, ``set_looks`` and ``turn_levels`` for inherited
settings. ``edit_styles`` names the language in the styles of Word, or ``name_styles`` where they
have to be parsed; then ``name_inherited_language``. Styles are the largest part of most documents,
and only their language changes: where they have the usual form, it is found in their bytes, and the
rest is neither parsed nor written anew.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from copy import deepcopy
from typing import Final

from lxml import etree

from prism_core.formats.base import FormatOptions, apply_edits, language_tag, script_of, turns_round
from prism_core.formats.packages import parse_xml
from prism_core.safe_xml import local_name, namespace

_BEHIND: Final = {
    "pPr/bidi": "adjustRightInd snapToGrid spacing ind contextualSpacing mirrorIndents "
    "suppressOverlap jc textDirection textAlignment textboxTightWrap outlineLvl divId cnfStyle "
    "rPr sectPr pPrChange",
    "rPr/rtl": "cs em lang eastAsianLayout specVanish oMath rPrChange",
    "tblPr/bidiVisual": "tblStyleRowBandSize tblStyleColBandSize tblW jc tblCellSpacing tblInd "
    "tblBorders shd tblLayout tblCellMar tblLook tblCaption tblDescription tblPrChange",
    "sectPr/bidi": "rtlGutter docGrid printerSettings sectPrChange",
}
"""Elements that follow a new property, by the element of Word and the property."""
_TWINS: Final = {"b": "bCs", "i": "iCs", "sz": "szCs"}
"""Properties, and their counterparts for complex letters."""
_LANGUAGES: Final = {"complex": "bidi", "asian": "eastAsia"}
_SIDES: Final = {"l": "r", "r": "l"}


def set_paragraph(paragraph: etree._Element, options: FormatOptions) -> None:
    """Set direction and formatting of ``paragraph`` for the letters of the target."""
    turned, in_word = turns_round(options), "wordprocessingml" in namespace(paragraph)
    if not in_word:
        if turned:
            look = ensure_look(paragraph, "pPr")
            look.set("rtl", "1")
            _turn_side(look)
        return
    if turned:
        _switch_on(ensure_look(paragraph, "pPr"), "bidi")
    for run in paragraph.iter("{*}r"):
        is_direct = next(run.iterancestors("{*}p"), None) is paragraph  # not in a box
        if is_direct and script_of(options.target) == "complex":
            look = ensure_look(run, "rPr")
            _add_twins(look)
            text = "".join(text.text or "" for text in run.iter("{*}t"))
            kinds = set(map(unicodedata.bidirectional, text))
            if turned and (kinds & {"R", "AL"} or "L" not in kinds):  # so numbers do, too
                _switch_on(look, "rtl")


def turn_around(paragraphs: Collection[etree._Element], options: FormatOptions) -> None:
    """Mirror the tables around ``paragraphs``, and in Word the columns of pages."""
    if not turns_round(options):
        return
    for table in {table for p in paragraphs for table in p.iterancestors("{*}tbl")}:
        look = ensure_look(table, "tblPr")
        if "wordprocessingml" in namespace(table):
            _switch_on(look, "bidiVisual")
        else:
            look.set("rtl", "1")
    for root in {paragraph.getroottree().getroot() for paragraph in paragraphs}:
        for section in root.iter("{*}sectPr"):
            _switch_on(section, "bidi")


def set_looks(root: etree._Element, options: FormatOptions) -> bool:
    """Copy formatting to the letters of the target below ``root``; return True if any changed."""
    script = script_of(options.target)
    if not script:
        return False
    before = etree.tostring(root)
    for named in root.iter("{*}lang", "{*}themeFontLang"):
        inherited = next(named.iterancestors("{*}style"), None) is None
        if inherited or named.get(f"{{{namespace(named)}}}val") == language_tag(options.target):
            name = f"{{{namespace(named)}}}{_LANGUAGES[script]}"
            named.set(name, language_tag(options.target))
    for look in root.iter("{*}rPr") if script == "complex" else ():
        _add_twins(look)
    return etree.tostring(root) != before


def turn_levels(root: etree._Element) -> bool:
    """Make text levels of a presentation run from the right; return True if there are any."""
    holders = root.iter("{*}lstStyle", "{*}defaultTextStyle", "{*}notesStyle", "{*}titleStyle",
                        "{*}bodyStyle", "{*}otherStyle")  # fmt: skip
    levels = [level for holder in holders for level in holder if local_name(level).endswith("pPr")]
    for level in levels:
        level.set("rtl", "1")
        holder = level.getparent()
        if holder is not None and local_name(holder) != "lstStyle":
            level.set("algn", level.get("algn", "l"))
        _turn_side(level)
    return bool(levels)


def _turn_side(look: etree._Element) -> None:
    """Mirror the alignment: shapes are aligned to a side, where Word means beginning or end."""
    if (side := look.get("algn")) in _SIDES:
        look.set("algn", _SIDES[str(side)])


def _add_twins(look: etree._Element) -> None:
    for child in list(look):
        twin = _TWINS.get(local_name(child), "")
        if twin and look.find(f"{{{namespace(look)}}}{twin}") is None:
            made = deepcopy(child)
            made.tag = f"{{{namespace(look)}}}{twin}"
            child.addnext(made)


def ensure_look(element: etree._Element, name: str) -> etree._Element:
    """Return the properties ``name`` of ``element``, which come first in it; made if missing."""
    look = element.find(f"{{{namespace(element)}}}{name}")
    if look is None:
        look = etree.Element(f"{{{namespace(element)}}}{name}")
        element.insert(0, look)
    return look


def _switch_on(look: etree._Element, name: str) -> None:
    """Switch on the Word property ``name`` in ``look``, at its place in the order."""
    tag = f"{{{namespace(look)}}}{name}"
    for old in look.findall(tag):
        look.remove(old)
    behind = _BEHIND[f"{local_name(look)}/{name}"].split()
    place = next((n for n, child in enumerate(look) if local_name(child) in behind), len(look))
    look.insert(place, etree.Element(tag))


_START: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:<\?xml\s(?:(?!encoding)[^<>?])*"
    rb"(?:encoding\s*=\s*[\"'](?i:utf-8|us-ascii)[\"'][^<>?]*)?\?>)?\s*(?=<[\w.-]+:)"
)
"""Start of a part in UTF-8."""
_LANGUAGE: Final = re.compile(
    rb"<(?P<prefix>[\w.-]+):lang\s+(?:[\w:.-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*')\s+)*?"
    rb"(?P=prefix):val\s*=\s*"
    rb"(?P<quote>[\"'])(?P<tag>[^<>\"']*)(?P=quote)[^<>]*>"
)
_SPACE: Final = rb"\sxmlns:%s\s*=\s*[\"']([^<>\"'&]+)[\"']"
_BEHIND_LANGUAGE: Final = ("eastAsianLayout", "specVanish", "oMath", "rPrChange")
"""Properties of a run that follow its language."""
WORD_NAMESPACES: Final = ("/wordprocessingml/2006/main", "/wordprocessingml/main")
"""Transitional and strict namespaces; the ``p`` of other namespaces is no paragraph."""


def edit_styles(
    styles: bytes, options: FormatOptions
) -> tuple[bytes, etree._Element | None] | None:
    """Return ``styles`` with the target language for the source, and the first such element.

    The element is as it was before, or None where nothing named the source.

    Returns None for styles that have to be parsed: in another encoding, or with comments or
    instructions, which may contain something that looks like an element.
    """
    start = _START.match(styles)
    if start is None or b"<!" in styles or b"<?" in styles[start.end() :]:
        return None
    source = options.source.encode()
    named = [m for m in _LANGUAGE.finditer(styles) if m["tag"].partition(b"-")[0].lower() == source]
    if not named:
        return styles, None
    first = named[0]
    space = re.search(_SPACE % re.escape(first["prefix"]), styles[: first.start()])
    if space is None:
        return None
    target = language_tag(options.target).encode()
    edited = apply_edits(styles, [(*match.span("tag"), target) for match in named])
    end = b"" if first[0].endswith(b"/>") else b"</%s:lang>" % first["prefix"]
    whole = b'<a xmlns:%s="%s">%s%s</a>' % (first["prefix"], space[1], first[0], end)
    return edited, parse_xml(whole).getroot()[0]


def name_styles(styles: etree._Element, options: FormatOptions) -> etree._Element | None:
    """Make parsed ``styles`` that name the source name the target; return the first as it was."""
    named = [
        element
        for element in styles.iter("{*}lang")
        if str(element.get(f"{{{namespace(element)}}}val", "")).partition("-")[0].lower()
        == options.source
    ]
    first = deepcopy(named[0]) if named else None
    for element in named:
        element.set(f"{{{namespace(element)}}}val", language_tag(options.target))
    return first


def name_inherited_language(paragraphs: Iterable[etree._Element], language: etree._Element) -> None:
    """Make runs of ``paragraphs`` that name no language name the inherited ``language``."""
    for run in (run for paragraph in paragraphs for run in paragraph.iter("{*}r")):
        if not namespace(run).endswith(WORD_NAMESPACES):
            continue
        look = ensure_look(run, "rPr")
        if look.find("{*}lang") is None:
            behind = [child for child in look if local_name(child) in _BEHIND_LANGUAGE]
            look.insert(look.index(behind[0]) if behind else len(look), deepcopy(language))
