"""What styles of OpenDocument say of the target, once text was translated: language, direction.

Entry: ``name_target``; before styles change, ``_keep`` lets what stays name the source. Then
``set_script``: the looks of letters that have their own, and ``_turn`` where text runs from the
right (``_keep_direction`` for what stays).
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
"""The style of text that stays, and the end of the names of styles that are parted for it."""
_PARAGRAPH, _MODE = f"{STYLE}paragraph-properties", f"{STYLE}writing-mode"
_ALIGN: Final = f"{FO}text-align"
_LAYOUTS: Final = (f"{STYLE}page-layout-properties", f"{STYLE}table-properties")
_SIDES: Final = {"left": "right", "start": "right", "right": "left", "end": "left"}
"""Programs read ``start`` and ``end`` as sides, whichever way a paragraph runs."""
_LETTERS: Final = ("font-size", "font-style", "font-weight")
"""Of a text: said a second time, ``-complex``, for letters of complex scripts."""


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


def set_script(
    trees: Mapping[str, etree._ElementTree],
    left: Mapping[str, Sequence[etree._Element]],
    options: FormatOptions,
) -> set[str]:
    """Let styles in ``trees`` say of the letters of the target what they say of others, and let
    text run from the right where the target does, but for the paragraphs ``left``.

    Gives the names of the trees that changed.
    """
    script, tag = script_of(options.target), language_tag(options.target)
    changed = set[str]()
    for name, tree in trees.items() if script else ():
        root = tree.getroot()
        defaults = list(root.iter(f"{STYLE}default-style"))
        for default in defaults:
            looks = _properties(default, _PROPERTIES)
            language, _, country = tag.partition("-")
            looks.set(f"{STYLE}language-{script}", language)
            looks.set(f"{STYLE}country-{script}", country or "none")
        twins = script == "complex" and _add_twins(root)
        turned = turns_round(options) and _turn(root, left.get(name, ()))
        if defaults or twins or turned:
            changed.add(name)
    return changed


def _add_twins(root: etree._Element) -> bool:
    changed = False
    for look in root.iter(_PROPERTIES):
        for name in _LETTERS:
            value, twin = look.get(f"{FO}{name}"), f"{STYLE}{name}-complex"
            if value and twin not in look.attrib:
                look.set(twin, value)
                changed = True
    return changed


def _turn(root: etree._Element, left: Sequence[etree._Element]) -> bool:
    """Let pages, tables and paragraphs below ``root`` run from the right; whether any do."""
    for default in root.iter(f"{STYLE}default-style"):
        if default.get(_FAMILY) in ("paragraph", "graphic"):
            _properties(default, _PARAGRAPH)
    found = list(root.iter(*_LAYOUTS, _PARAGRAPH))
    for look in found:
        look.set(_MODE, "rl-tb")
    aligned = [look for look in root.iter(_PARAGRAPH) if look.get(_ALIGN) in _SIDES]
    for look in aligned:
        look.set(_ALIGN, _SIDES[str(look.get(_ALIGN))])
    _keep_direction(root, left)
    return bool(found or aligned or left)


def _keep_direction(root: etree._Element, paragraphs: Sequence[etree._Element]) -> None:
    """Give ``paragraphs`` styles that run from the left."""
    automatic = root.find(_AUTOMATIC)
    if automatic is None:
        return
    styles = {str(one.get(_NAME)): one for one in automatic if one.get(_FAMILY) == "paragraph"}
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
            look = _properties(made, _PARAGRAPH)
            look.set(_MODE, "lr-tb")
            look.set(_ALIGN, _SIDES.get(str(look.get(_ALIGN, "right")), str(look.get(_ALIGN))))
            automatic.append(made)
            styles[name] = made
        paragraph.set(_STYLE_NAME, name)


def _properties(style: etree._Element, tag: str) -> etree._Element:
    """The properties ``tag`` of ``style``; those of its text stand last."""
    found = style.find(tag)
    if found is None:
        found = etree.Element(tag)
        text = style.find(_PROPERTIES)
        style.insert(len(style) if text is None else style.index(text), found)
    return found
