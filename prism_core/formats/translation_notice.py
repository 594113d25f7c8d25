"""Notices in written documents that a machine translated them, where other programs look for it.

They stand in the properties of Office and PDF files, in a header of a mail, and in metadata of web
pages, RTF and calendars. Plain text, Markdown and mailboxes have no such place.
"""

from __future__ import annotations

import html
import re
import zipfile
from pathlib import Path
from typing import Final

from lxml import etree

from prism_core.formats.packages import Package, Parts, open_package, parse_xml, serialise

NAME: Final = "MachineTranslation"
"""Name of the property, where the format has none for it."""
_CORE: Final = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
_CORE_RELATION: Final = (
    "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
)
_CORE_TYPE: Final = "application/vnd.openxmlformats-package.core-properties+xml"
_RELATIONS: Final = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPES: Final = "http://schemas.openxmlformats.org/package/2006/content-types"
_META: Final = "urn:oasis:names:tc:opendocument:xmlns:meta:1.0"
_OFFICE: Final = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
_PLACES: Final = {
    "eml": re.compile(rb""),
    "html": re.compile(  # not in UTF-16, which would need another tag
        rb"(?is)(?!.{0,99}?\0)(?:.*?<head(?:\s[^>]*)?>|(?:\s*<!doctype[^>]*>)?(?:\s*<html[^>]*>)?)"
    ),
    "ics": re.compile(rb"(?s).*?BEGIN:VCALENDAR\r\n"),
    "rtf": re.compile(rb"(?s).[^{]*(?=\{)"),
}
"""Content before the notice in formats of text."""
_FOLDED: Final = 70
"""Most characters of a line of a calendar."""


def add_notice(path: Path, name: str, text: str) -> None:
    """Add ``text`` (ASCII) where the format ``name`` has a place; raise ``DocumentError``."""
    if name == "pdf":
        from prism_core.formats.pdf.properties import mark_translation  # its libraries take time

        mark_translation(path, NAME, text)
    elif name == "odt" and not zipfile.is_zipfile(path):  # a single-file document
        tree = parse_xml(path.read_bytes())
        _add_field(tree.getroot(), text)
        path.write_bytes(serialise(tree))
    elif name in ("docx", "odt", "pptx", "xlsx"):
        made = path.with_name(f"{path.name}.noticed")
        with open_package(path) as package:
            mark = _mark_opendocument if name == "odt" else _mark_office
            package.save(made, mark(package, text))
        made.replace(path)
    elif name in _PLACES:
        data = path.read_bytes()
        if found := _PLACES[name].match(data):
            inserted = _write_notice(name, text, "\r\n" if b"\r\n" in data[:1000] else "\n")
            path.write_bytes(found[0] + inserted.encode("ascii") + data[found.end() :])


def _mark_office(package: Package, text: str) -> Parts:
    """Set the status of the content (``cp:contentStatus``), which Office calls *Status*."""
    relations_member = package.member("/_rels/.rels") or ""
    relations = package.parse(relations_member)
    targets = {
        relation.get("Type"): f"/{str(relation.get('Target')).lstrip('/')}"
        for relation in relations.getroot()
    }
    part = package.member(targets.get(_CORE_RELATION, ""))
    if part is not None:
        core = package.parse(part)
        changed: Parts = {part: core}
    else:
        part = "docProps/prism-core.xml"
        core = etree.ElementTree(etree.Element(f"{{{_CORE}}}coreProperties"))
        relation = {"Id": "prismCore", "Type": _CORE_RELATION, "Target": part}
        etree.SubElement(relations.getroot(), f"{{{_RELATIONS}}}Relationship", relation)
        member = package.member("/[Content_Types].xml") or ""
        types = package.parse(member)
        override = {"PartName": f"/{part}", "ContentType": _CORE_TYPE}
        etree.SubElement(types.getroot(), f"{{{_TYPES}}}Override", override)
        changed = {part: core, relations_member: relations, member: types}
    status = core.getroot().find(f"{{{_CORE}}}contentStatus")
    if status is None:
        status = etree.SubElement(core.getroot(), f"{{{_CORE}}}contentStatus")
    status.text = text
    return changed


def _mark_opendocument(package: Package, text: str) -> Parts:
    changed: Parts = {}
    if (member := package.member("/meta.xml")) is not None:
        tree = package.parse(member)
    else:
        member = "meta.xml"
        tree = etree.ElementTree(etree.Element(f"{{{_OFFICE}}}document-meta"))
        listed = package.member("/META-INF/manifest.xml") or ""
        changed[listed] = manifest = package.parse(listed)
        space = etree.QName(manifest.getroot()).namespace
        entry = {"full-path": member, "media-type": "text/xml"}
        attributes = {f"{{{space}}}{key}": value for key, value in entry.items()}
        etree.SubElement(manifest.getroot(), f"{{{space}}}file-entry", attributes)
    _add_field(tree.getroot(), text)
    return changed | {member: tree}


def _add_field(root: etree._Element, text: str) -> None:
    holder = root.find(f"{{{_OFFICE}}}meta")
    if holder is None:
        holder = etree.Element(f"{{{_OFFICE}}}meta")
        root.insert(0, holder)
    field = etree.SubElement(holder, f"{{{_META}}}user-defined", {f"{{{_META}}}name": NAME})
    field.text = text


def _write_notice(name: str, text: str, newline: str) -> str:
    """Return the notice as a format of text has it; RFC 8255 has the header of a mail."""
    if name == "eml":
        return f"Content-Translation-Type: automated{newline}X-{NAME}: {text}{newline}"
    if name == "html":
        return f'<meta name="{NAME}" content="{html.escape(text)}">'
    if name == "rtf":
        plain = re.sub(r"[\\{}]", "", text)
        return rf"{{\*\userprops {{\propname {NAME}}}\proptype30{{\staticval {plain}}}}}"
    line = f"X-MACHINE-TRANSLATION:{text}"
    return "\r\n ".join(re.findall(f".{{1,{_FOLDED}}}", line)) + "\r\n"
