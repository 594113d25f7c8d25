"""Target language and direction in the styles of OpenDocument, after text was translated.

Entry: ``name_target``, then ``set_script``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Final

from lxml import etree

from prism_core.formats.base import FormatOptions, language_tag, script_of, turns_round
from prism_core.formats.odt.text_slots import DC, FO, OFFICE, SPAN, STYLE, TEXT

_PROPERTIES: Final = f"{STYLE}text-properties"
_LANGUAGE, _COUNTRY = f"{FO}language", f"{FO}country"
_NAME, _FAMILY, _STYLE_NAME = f"{STYLE}name", f"{STYLE}family", f"{TEXT}style-name"
_AUTOMATIC: Final = f"{OFFICE}automatic-styles"
_STAYS: Final = "In_source_language"
"""Style of text that stays, and the suffix of styles that are copied for it."""
_PARAGRAPH, _MODE = f"{STYLE}paragraph-properties", f"{STYLE}writing-mode"
_ALIGN: Final = f"{FO}text-align"
_LAYOUTS: Final = (f"{STYLE}page-layout-properties", f"{STYLE}table-properties")
_SIDES: Final = {"left": "right", "start": "right", "right": "left", "end": "left"}
"""Opposite sides; programs read ``start`` and ``end`` as sides, whatever the direction."""
_LETTERS: Final = ("font-size", "font-style", "font-weight")
"""Text properties that are repeated, as ``-complex``, for letters of complex scripts."""


def name_target(
    trees: Mapping[str, etree._ElementTree],
    left: Mapping[str, Sequence[etree._Element]],
    source: str,
    target: str,
) -> set[str]:
    """Make what names ``source`` name ``target``, but for ``left``; return the changed trees."""
    found = {
        name: [p for p in tree.iter(_PROPERTIES) if p.get(_LANGUAGE) == source]
        for name, tree in trees.items()
    }
    styles = [properties for in_tree in found.values() for properties in in_tree]
    changed = {name for name, in_tree in found.items() if in_tree}
    if styles:
        country = str(styles[0].get(_COUNTRY, ""))
        changed |= {
            n for n, kept in left.items() if _keep_source(trees[n].getroot(), kept, source, country)
        }
    for name, tree in trees.items():
        for element in tree.iter(f"{DC}language"):
            if (element.text or "").partition("-")[0].lower() == source:
                element.text = language_tag(target)
                changed.add(name)
    language, _, country = language_tag(target).partition("-")
    for properties in styles:
        properties.set(_LANGUAGE, language)
        if _COUNTRY in properties.attrib:
            properties.set(_COUNTRY, country or "none")
        for name in (f"{FO}script", f"{STYLE}rfc-language-tag"):
            properties.attrib.pop(name, "")
    return changed


def _keep_source(
    root: etree._Element, paragraphs: Sequence[etree._Element], source: str, country: str
) -> bool:
    """Put a span that names ``source`` around ``paragraphs``; return True if one was needed."""
    automatic = root.find(_AUTOMATIC)
    styles = {
        (styled.get(_FAMILY), styled.get(_NAME)): styled for styled in root.iter(f"{STYLE}style")
    }
    left = [
        paragraph
        for paragraph in paragraphs
        if _get_language(styles.get(("paragraph", paragraph.get(_STYLE_NAME)))) in ("", source)
    ]
    if automatic is None or not left:
        return False
    made = etree.SubElement(automatic, f"{STYLE}style", {_NAME: _STAYS, _FAMILY: "text"})
    etree.SubElement(made, _PROPERTIES, {_LANGUAGE: source, _COUNTRY: country or "none"})
    for span in (span for paragraph in left for span in paragraph.iter(SPAN)):
        style = styles.get(("text", span.get(_STYLE_NAME)))
        if style is None or style.getparent() is not automatic or _get_language(style) != source:
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


def _get_language(style: etree._Element | None) -> str:
    """Return the language that a style of this part names, empty where it names none."""
    properties = None if style is None else style.find(_PROPERTIES)
    return "" if properties is None else str(properties.get(_LANGUAGE, ""))


def set_script(
    trees: Mapping[str, etree._ElementTree],
    left: Mapping[str, Sequence[etree._Element]],
    options: FormatOptions,
) -> set[str]:
    """Set script and direction, but for ``left``; return the names of changed trees."""
    script, tag = script_of(options.target), language_tag(options.target)
    changed = set[str]()
    for name, tree in trees.items() if script else ():
        root = tree.getroot()
        defaults = list(root.iter(f"{STYLE}default-style"))
        for default in defaults:
            looks = _ensure_properties(default, _PROPERTIES)
            language, _, country = tag.partition("-")
            looks.set(f"{STYLE}language-{script}", language)
            looks.set(f"{STYLE}country-{script}", country or "none")
        twins = False
        for look in root.iter(_PROPERTIES) if script == "complex" else ():
            for letters in _LETTERS:
                value, twin = look.get(f"{FO}{letters}"), f"{STYLE}{letters}-complex"
                if value and twin not in look.attrib:
                    look.set(twin, value)
                    twins = True
        turned = turns_round(options) and _turn_direction(root, left.get(name, ()))
        if defaults or twins or turned:
            changed.add(name)
    return changed


def _turn_direction(root: etree._Element, left: Sequence[etree._Element]) -> bool:
    """Make pages, tables and paragraphs run from the right; return True if there are any."""
    for default in root.iter(f"{STYLE}default-style"):
        if default.get(_FAMILY) in ("paragraph", "graphic"):
            _ensure_properties(default, _PARAGRAPH)
    found = list(root.iter(*_LAYOUTS, _PARAGRAPH))
    for look in found:
        look.set(_MODE, "rl-tb")
    aligned = [look for look in root.iter(_PARAGRAPH) if look.get(_ALIGN) in _SIDES]
    for look in aligned:
        look.set(_ALIGN, _SIDES[str(look.get(_ALIGN))])
    automatic = root.find(_AUTOMATIC)
    if automatic is not None:
        _keep_direction(automatic, left)
    return bool(found or aligned or left)


def _keep_direction(automatic: etree._Element, paragraphs: Sequence[etree._Element]) -> None:
    """Give ``paragraphs`` styles that run from the left."""
    styles = {
        str(style_element.get(_NAME)): style_element
        for style_element in automatic
        if style_element.get(_FAMILY) == "paragraph"
    }
    for paragraph in paragraphs:
        style = str(paragraph.get(_STYLE_NAME, "Standard"))
        name = f"{style}_{_STAYS}"
        if name not in styles:
            parent = {_FAMILY: "paragraph", f"{STYLE}parent-style-name": style}
            made = (
                deepcopy(styles[style])
                if style in styles
                else etree.Element(f"{STYLE}style", parent)
            )
            made.set(_NAME, name)
            look = _ensure_properties(made, _PARAGRAPH)
            look.set(_MODE, "lr-tb")
            look.set(_ALIGN, _SIDES.get(str(look.get(_ALIGN, "right")), str(look.get(_ALIGN))))
            automatic.append(made)
            styles[name] = made
        paragraph.set(_STYLE_NAME, name)


def _ensure_properties(style: etree._Element, tag: str) -> etree._Element:
    """Return the properties ``tag`` of ``style``, made if missing; those of its text come last."""
    found = style.find(tag)
    if found is None:
        found = etree.Element(tag)
        text = style.find(_PROPERTIES)
        style.insert(len(style) if text is None else style.index(text), found)
    return found
