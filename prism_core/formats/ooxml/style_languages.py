"""The language that the styles of a Word document name, and what took it from them.

Styles are the largest part of most documents, and only this of them changes: where they are written
as programs write them, it is found in their bytes, and the rest is neither parsed nor written anew.

Entry: ``edit_styles``, or ``name_styles`` for what has to be parsed; then ``name_own``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import deepcopy
from typing import Final

from lxml import etree

from prism_core.formats.base import FormatOptions, apply_edits, language_tag
from prism_core.formats.packages import parse_xml
from prism_core.safe_xml import local_name, namespace

_START: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:<\?xml\s(?:(?!encoding)[^<>?])*"
    rb"(?:encoding\s*=\s*[\"'](?i:utf-8|us-ascii)[\"'][^<>?]*)?\?>)?\s*(?=<[\w.-]+:)"
)
"""How a part begins that is in UTF-8."""
_LANGUAGE: Final = re.compile(
    rb"<(?P<prefix>[\w.-]+):lang\s+(?:[\w:.-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*')\s+)*?"
    rb"(?P=prefix):val\s*=\s*"
    rb"(?P<quote>[\"'])(?P<tag>[^<>\"']*)(?P=quote)[^<>]*>"
)
_SPACE: Final = rb"\sxmlns:%s\s*=\s*[\"']([^<>\"'&]+)[\"']"
_BEHIND: Final = ("eastAsianLayout", "specVanish", "oMath", "rPrChange")
"""Properties of a run that follow its language."""
_WORD_NAMESPACES: Final = ("/wordprocessingml/2006/main", "/wordprocessingml/main")


def edit_styles(
    styles: bytes, options: FormatOptions
) -> tuple[bytes, etree._Element | None] | None:
    """``styles`` with the target named where the source was, and the first element that named it,
    None where nothing did.

    None for styles that have to be parsed: in another encoding, or with comments or instructions,
    in which something may stand that looks like an element.
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
    edited = apply_edits(styles, [(*one.span("tag"), target) for one in named])
    end = b"" if first[0].endswith(b"/>") else b"</%s:lang>" % first["prefix"]
    whole = b'<a xmlns:%s="%s">%s%s</a>' % (first["prefix"], space[1], first[0], end)
    return edited, parse_xml(whole).getroot()[0]


def name_styles(styles: etree._Element, options: FormatOptions) -> etree._Element | None:
    """Let parsed ``styles`` that name the source name the target; the first that did, as it was."""
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


def name_own(paragraphs: Iterable[etree._Element], language: etree._Element) -> None:
    """Let the runs of ``paragraphs`` name their ``language``, which they took from the styles,
    unless they name one, or are of a drawing."""
    for run in (run for paragraph in paragraphs for run in paragraph.iter("{*}r")):
        if not namespace(run).endswith(_WORD_NAMESPACES):
            continue
        look = run.find("{*}rPr")
        if look is None:
            look = etree.Element(f"{{{namespace(run)}}}rPr")
            run.insert(0, look)
        if look.find("{*}lang") is None:
            behind = [child for child in look if local_name(child) in _BEHIND]
            look.insert(look.index(behind[0]) if behind else len(look), deepcopy(language))
