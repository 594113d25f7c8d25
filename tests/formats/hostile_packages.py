"""Hostile Office and OpenDocument files: bombs, entities, links, cycles, depth, odd names."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

from tests.formats import docx_files, odt_files
from tests.formats.samples import SAMPLES

Maker = Callable[[Path, str], object]

ZIPPED = ("docx", "odt", "pptx", "xlsx")
_PARTS = {
    "docx": "word/document.xml",
    "odt": "content.xml",
    "pptx": "ppt/slides/slide1.xml",
    "xlsx": "xl/worksheets/sheet1.xml",
}
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
TEXT = "The garden is green again."


def _repacked(path: Path, kind: str, **parts: bytes) -> Path:
    """The sample of ``kind`` with further or other members."""
    SAMPLES[kind](path)
    with zipfile.ZipFile(path) as package:
        members = {info.filename: package.read(info) for info in package.infolist()}
    return _packed(path, members | parts)


def _packed(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in members.items():
            package.writestr(name, content)
    return path


def _member(path: Path, name: str) -> bytes:
    with zipfile.ZipFile(path) as package:
        return package.read(name)


def changed(kind: str, part: str, old: bytes, new: bytes) -> Maker:
    """The sample of ``kind`` with the first ``old`` of a part replaced; ``@`` is the address."""

    def make(path: Path, address: str) -> None:
        SAMPLES[kind](path)
        content = _member(path, part)
        assert old in content, (kind, part)
        there = address.encode()
        _repacked(path, kind, **{part: content.replace(old, new.replace(b"@", there), 1)})

    return make


def bomb(kind: str) -> Maker:
    """Sixty megabytes of nothing in a part, packed into as many kilobytes."""

    def make(path: Path, _address: str) -> None:
        SAMPLES[kind](path)
        with (
            zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as package,
            package.open("huge/" + _PARTS[kind], "w", force_zip64=True) as member,
        ):
            for _ in range(60):
                member.write(bytes(1_000_000))

    return make


def _bomb_beside(kind: str) -> Maker:
    """Many large members that are no text; and one that holds a package of the same sort."""

    def make(path: Path, _address: str) -> None:
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as package:
            package.writestr("a.bin", bytes(50_000_000))
        blobs = {f"word/media/image{n}.bin": inner.getvalue() for n in range(10)}
        _repacked(path, kind, **blobs, **{"word/media/blank.bin": bytes(250_000_000)})

    return make


def _long_attribute(kind: str) -> Maker:
    def make(path: Path, _address: str) -> None:
        SAMPLES[kind](path)
        content = _member(path, _PARTS[kind])
        place = content.index(b">", content.index(b"xmlns"))
        long = b' prism:a="' + b"&lt;" * 2_500_000 + b'" xmlns:prism="urn:x"'
        _repacked(path, kind, **{_PARTS[kind]: content[:place] + long + content[place:]})

    return make


LAUGHS = b"<!DOCTYPE x [<!ENTITY a0 'ha'>" + b"".join(
    b"<!ENTITY a%d '%s'>" % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 12)
)
_DTD = {
    "laughs": LAUGHS + b"]>",
    "file": b"<!DOCTYPE x [<!ENTITY a11 SYSTEM 'file:///etc/passwd'>]>",
    "network": b"<!DOCTYPE x [<!ENTITY a11 SYSTEM '@/entity'>]>",
    "parameter": b"<!DOCTYPE x [<!ENTITY % b SYSTEM '@/dtd'> %b;]>",
    "public": b"<!DOCTYPE x PUBLIC '-//X//Y' '@/external.dtd'>",
    "quadratic": b"<!DOCTYPE x [<!ENTITY a11 '" + b"x" * 100_000 + b"'>]>",
}


def _entities(kind: str, dtd: str) -> Maker:
    def make(path: Path, address: str) -> None:
        SAMPLES[kind](path)
        content = _member(path, _PARTS[kind])
        start = content.index(b"?>") + 2 if content.startswith(b"<?xml") else 0
        here = _DTD[dtd].replace(b"@", address.encode())
        used = content[start:].replace(b"green", b"&a11;" * (500 if dtd == "quadratic" else 1))
        _repacked(path, kind, **{_PARTS[kind]: content[:start] + here + used})

    return make


def _related(kind: str, part: str, relation: str, target: str, external: bool = True) -> Maker:
    """The sample with one more relationship of ``part``; ``@`` is the address."""
    folder, _, name = part.rpartition("/")
    rels = f"{folder}/_rels/{name}.rels"

    def make(path: Path, address: str) -> None:
        SAMPLES[kind](path)
        with zipfile.ZipFile(path) as package:
            there = package.read(rels).decode() if rels in package.namelist() else ""
        mode = ' TargetMode="External"' if external else ""
        added = (
            f'<Relationship Id="rIdEvil" Type="{_OFFICE}{relation}" '
            f'Target="{target.replace("@", address)}"{mode}/></Relationships>'
        )
        empty = (
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            "</Relationships>"
        )
        whole = (there or empty).replace("</Relationships>", added).encode()
        _repacked(path, kind, **{rels: whole})

    return make


def _names(kind: str) -> Maker:
    """Members whose names lead elsewhere, twice the same, too long, or no text."""

    def make(path: Path, _address: str) -> None:
        names = ("../../../evil.xml", "/etc/evil.xml", "C:\\evil.xml", "a" * 60_000, "x/\x01\x1b")
        _repacked(path, kind, **dict.fromkeys(names, b"<evil/>"))
        with zipfile.ZipFile(path, "a") as package:
            package.writestr(_PARTS[kind], b"<evil/>")

    return make


def docx(*paragraphs: str, **extra: bytes) -> Maker:
    return lambda path, _address: docx_files.word_file(
        path, docx_files.document(*paragraphs), dict(extra)
    )


def odt(*paragraphs: str) -> Maker:
    return lambda path, _address: odt_files.text_file(path, odt_files.document(*paragraphs))


def deep(opening: str, closing: str, depth: int, text: str = TEXT) -> str:
    return opening * depth + text + closing * depth


_W_P = docx_files.paragraph(TEXT)
_T_P = odt_files.paragraph(TEXT)
_LIST = "<text:list><text:list-item>", "</text:list-item></text:list>"
_TABLE = "<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"

PACKAGES: dict[str, Maker] = {
    "zip of zips": lambda path, _address: _packed(
        path, {f"{n}.zip": _packed(path, {"a": bytes(10_000_000)}).read_bytes() for n in range(9)}
    ),
    **{f"{kind}: bomb": bomb(kind) for kind in ZIPPED},
    **{f"{kind}: bombs beside": _bomb_beside(kind) for kind in ("docx",)},
    **{f"{kind}: long attribute": _long_attribute(kind) for kind in ZIPPED},
    **{f"{kind}: {dtd}": _entities(kind, dtd) for kind in ZIPPED for dtd in _DTD},
    **{f"{kind}: names": _names(kind) for kind in ZIPPED},
    "docx: remote template": _related("docx", "word/document.xml", "attachedTemplate", "@/x.dotm"),
    "docx: remote picture": _related("docx", "word/document.xml", "image", "@/x.png"),
    "docx: local picture": _related("docx", "word/document.xml", "image", "file:///etc/passwd"),
    "docx: outside": _related("docx", "word/document.xml", "header", "../../../etc/passwd", False),
    "docx: itself": _related("docx", "word/document.xml", "header", "document.xml", False),
    "docx: nowhere": _related("docx", "word/document.xml", "header", "nothing.xml", False),
    "xlsx: remote book": _related("xlsx", "xl/workbook.xml", "externalLink", "@/x.xlsx"),
    "xlsx: itself": _related("xlsx", "xl/worksheets/sheet1.xml", "drawing", "sheet1.xml", False),
    "pptx: remote media": _related("pptx", "ppt/slides/slide1.xml", "video", "@/x.mp4"),
    "pptx: itself": _related("pptx", "ppt/slides/slide1.xml", "notesSlide", "slide1.xml", False),
    "docx: tables": docx(deep(*_TABLE, 60, _W_P)),
    "docx: deep tables": docx(deep(*_TABLE, 20_000, _W_P)),
    "docx: boxes": docx(deep("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>", 90, _W_P)),
    "docx: many runs": docx("<w:p>" + docx_files.run("a ") * 10_000 + "</w:p>"),
    "docx: many paragraphs": docx(*["<w:p><w:r><w:t>a</w:t></w:r></w:p>"] * 10_000),
    "odt: lists": odt(
        deep("<text:list><text:list-item>", "</text:list-item></text:list>", 90, _T_P)
    ),
    "odt: spans": odt("<text:p>" + deep("<text:span>", "</text:span>", 50_000) + "</text:p>"),
    "odt: blanks": odt('<text:p>a<text:s text:c="2000000000"/>b</text:p>'),
    "odt: repeated": odt(
        "<table:table><table:table-row table:number-rows-repeated='1000000'><table:table-cell "
        "table:number-columns-repeated='16384'><text:p>The garden</text:p></table:table-cell>"
        "</table:table-row></table:table>"
    ),
    "xlsx: far cell": changed(
        "xlsx", "xl/worksheets/sheet1.xml", b'ref="A1:B2"', b'ref="A1:XFD1048576"'
    ),
    "xlsx: no such string": changed("xlsx", "xl/worksheets/sheet1.xml", b"<v>0</v>", b"<v>9</v>"),
    "xlsx: below zero": changed("xlsx", "xl/worksheets/sheet1.xml", b"<v>0</v>", b"<v>-1</v>"),
    "xlsx: long number": changed(
        "xlsx", "xl/worksheets/sheet1.xml", b"<v>0</v>", b"<v>" + b"9" * 100_000 + b"</v>"
    ),
}
