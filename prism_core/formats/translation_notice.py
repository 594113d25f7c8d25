"""Notices in written documents that a machine translated them, where other programs look for it.

They stand in the properties of Office and PDF files, in a header of a mail, and in metadata of web
pages, RTF and calendars. Plain text, Markdown and mailboxes have no such place.

Entry: ``add_notice``.
"""

from __future__ import annotations

import html
import re
import zipfile
from collections.abc import Callable, Mapping
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
_HEAD: Final = re.compile(rb"<head(?:\s[^>]*)?>", re.IGNORECASE)
_BEFORE_HEAD: Final = re.compile(rb"(?:\s*<!doctype[^>]*>)?(?:\s*<html[^>]*>)?", re.IGNORECASE)
_FOLDED: Final = 70
"""Most characters of a line of a calendar."""


def add_notice(path: Path, name: str, text: str) -> None:
    """Add the notice ``text`` (ASCII) to the document at ``path``, written in the format ``name``.

    Nothing is added in a format that has no place for it. Raises ``DocumentError``.
    """
    if change := _CHANGES.get(name):
        change(path, text)


def _mark_office(path: Path, text: str) -> None:
    """Set the status of the content (``cp:contentStatus``), which Office calls *Status*."""

    def change(package: Package) -> Parts:
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
            etree.SubElement(
                relations.getroot(),
                f"{{{_RELATIONS}}}Relationship",
                {"Id": "prismCore", "Type": _CORE_RELATION, "Target": part},
            )
            member = package.member("/[Content_Types].xml") or ""
            types = package.parse(member)
            etree.SubElement(
                types.getroot(),
                f"{{{_TYPES}}}Override",
                {"PartName": f"/{part}", "ContentType": _CORE_TYPE},
            )
            changed = {part: core, relations_member: relations, member: types}
        status = core.getroot().find(f"{{{_CORE}}}contentStatus")
        if status is None:
            status = etree.SubElement(core.getroot(), f"{{{_CORE}}}contentStatus")
        status.text = text
        return changed

    _change_package(path, change)


def _mark_opendocument(path: Path, text: str) -> None:
    """Add a property of the user; a single-file document has it in its only part."""

    def change(package: Package) -> Parts:
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

    if zipfile.is_zipfile(path):
        _change_package(path, change)
    else:
        tree = parse_xml(path.read_bytes())
        _add_field(tree.getroot(), text)
        path.write_bytes(serialise(tree))


def _add_field(root: etree._Element, text: str) -> None:
    holder = root.find(f"{{{_OFFICE}}}meta")
    if holder is None:
        holder = etree.Element(f"{{{_OFFICE}}}meta")
        root.insert(0, holder)
    field = etree.SubElement(holder, f"{{{_META}}}user-defined", {f"{{{_META}}}name": NAME})
    field.text = text


def _change_package(path: Path, change: Callable[[Package], Parts]) -> None:
    made = path.with_name(f"{path.name}.noticed")
    with open_package(path) as package:
        package.save(made, change(package))
    made.replace(path)


def _mark_mail(path: Path, text: str) -> None:
    """Add the header of RFC 8255, which says no more than how it was translated, and the rest."""
    data = path.read_bytes()
    end = b"\r\n" if b"\r\n" in data[:1000] else b"\n"
    headers = (b"Content-Translation-Type: automated", f"X-{NAME}: {text}".encode("ascii"))
    path.write_bytes(end.join((*headers, data)))


def _mark_page(path: Path, text: str) -> None:
    data = path.read_bytes()
    tag = f'<meta name="{NAME}" content="{html.escape(text)}">'.encode("ascii")
    found = _HEAD.search(data) or _BEFORE_HEAD.match(data)
    place = found.end() if found else 0
    if b"\0" not in data[:100]:  # UTF-16 would need another tag
        path.write_bytes(data[:place] + tag + data[place:])


def _mark_rtf(path: Path, text: str) -> None:
    data = path.read_bytes()
    plain = re.sub(r"[\\{}]", "", text)
    group = rf"{{\*\userprops {{\propname {NAME}}}\proptype30{{\staticval {plain}}}}}"
    place = data.find(b"{", 1)
    if place > 0:
        path.write_bytes(data[:place] + group.encode("ascii") + data[place:])


def _mark_calendar(path: Path, text: str) -> None:
    line = f"X-MACHINE-TRANSLATION:{text}"
    folded = "\r\n ".join(line[n : n + _FOLDED] for n in range(0, len(line), _FOLDED))
    begin, end, rest = path.read_bytes().partition(b"BEGIN:VCALENDAR\r\n")
    path.write_bytes(begin + end + (folded.encode("ascii") + b"\r\n" if end else b"") + rest)


def _mark_pdf(path: Path, text: str) -> None:
    from prism_core.formats.pdf.properties import mark_translation  # its libraries take time

    mark_translation(path, NAME, text)


_CHANGES: Final[Mapping[str, Callable[[Path, str], None]]] = {
    **dict.fromkeys(("docx", "pptx", "xlsx"), _mark_office),
    "eml": _mark_mail,
    "html": _mark_page,
    "ics": _mark_calendar,
    "odt": _mark_opendocument,
    "pdf": _mark_pdf,
    "rtf": _mark_rtf,
}
