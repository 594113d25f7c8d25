"""The language that styles of OpenDocument name: the target, once text was translated.

Entry: ``name_target``; before styles change, ``_keep`` lets what stays name the source.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Final

from lxml import etree

from prism_core.formats.base import language_tag
from prism_core.formats.odt.line import DC, FO, OFFICE, SPAN, STYLE, TEXT

_PROPERTIES: Final = f"{STYLE}text-properties"
_LANGUAGE, _COUNTRY = f"{FO}language", f"{FO}country"
_NAME, _FAMILY, _STYLE_NAME = f"{STYLE}name", f"{STYLE}family", f"{TEXT}style-name"
_AUTOMATIC: Final = f"{OFFICE}automatic-styles"
_STAYS: Final = "In_source_language"
"""The style of text that stays, and the end of the names of styles that are parted for it."""


def name_target(
    trees: Mapping[str, etree._ElementTree],
    left: Mapping[str, Sequence[etree._Element]],
    source: str,
    target: str,
) -> set[str]:
    """Let styles and properties in ``trees`` that name ``source`` name ``target``.

    The paragraphs ``left`` of each tree stay, and name ``source`` themselves then, unless their
    style names a third language. Gives the names of the trees that changed.
    """
    found = {
        name: [p for p in tree.iter(_PROPERTIES) if p.get(_LANGUAGE) == source]
        for name, tree in trees.items()
    }
    styles = [properties for own in found.values() for properties in own]
    changed = {name for name, own in found.items() if own}
    if styles:
        country = str(styles[0].get(_COUNTRY, ""))
        changed |= {n for n, own in left.items() if _keep(trees[n].getroot(), own, source, country)}
    for name, tree in trees.items():
        for element in tree.iter(f"{DC}language"):
            if (element.text or "").partition("-")[0].lower() == source:
                element.text = language_tag(target)
                changed.add(name)
    for properties in styles:
        _name(properties, language_tag(target))
    return changed


def _name(properties: etree._Element, tag: str) -> None:
    language, _, country = tag.partition("-")
    properties.set(_LANGUAGE, language)
    if _COUNTRY in properties.attrib:
        properties.set(_COUNTRY, country or "none")
    for name in (f"{FO}script", f"{STYLE}rfc-language-tag"):
        properties.attrib.pop(name, "")


def _keep(
    root: etree._Element, paragraphs: Sequence[etree._Element], source: str, country: str
) -> bool:
    """Put a span that names ``source`` around what ``paragraphs`` say; whether one was needed."""
    automatic = root.find(_AUTOMATIC)
    styles = {(one.get(_FAMILY), one.get(_NAME)): one for one in root.iter(f"{STYLE}style")}
    left = [
        paragraph
        for paragraph in paragraphs
        if _language(styles.get(("paragraph", paragraph.get(_STYLE_NAME)))) in ("", source)
    ]
    if automatic is None or not left:
        return False
    made = etree.SubElement(automatic, f"{STYLE}style", {_NAME: _STAYS, _FAMILY: "text"})
    etree.SubElement(made, _PROPERTIES, {_LANGUAGE: source, _COUNTRY: country or "none"})
    for span in (span for paragraph in left for span in paragraph.iter(SPAN)):
        style = styles.get(("text", span.get(_STYLE_NAME)))
        if style is None or style.getparent() is not automatic or _language(style) != source:
            continue
        name = f"{style.get(_NAME)}_{_STAYS}"
        if ("text", name) not in styles:
            twin = styles["text", name] = deepcopy(style)
            twin.set(_NAME, name)
            automatic.append(twin)
        span.set(_STYLE_NAME, name)
    for paragraph in left:
        around = etree.Element(SPAN, {_STYLE_NAME: _STAYS})
        around.text, paragraph.text = paragraph.text, None
        around.extend(list(paragraph))
        paragraph.append(around)
    return True


def _language(style: etree._Element | None) -> str:
    """What an automatic or a common style of this part names itself, empty where nothing."""
    properties = None if style is None else style.find(_PROPERTIES)
    return "" if properties is None else str(properties.get(_LANGUAGE, ""))
