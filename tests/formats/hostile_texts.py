"""Hostile texts in every format: without an end, too dense, too many, in disorder, unseen."""

from __future__ import annotations

import base64
from pathlib import Path

from tests.formats import docx_files, odt_files
from tests.formats.hostile_packages import TEXT, Maker, changed, deep, docx, odt

_WORDS = "the garden and the old house of the farmer with which a doctor went over to "
_RUN = docx_files.run
_PAGE = "<!DOCTYPE html><html><body>"
_MAIL = "From: ann@example.org\nTo: bob@example.org\nSubject: The garden\nMIME-Version: 1.0\n"
_EVENT = "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\n{}\nEND:VEVENT\nEND:VCALENDAR\n"
_UNSEEN = "\u200b\u200d\ufeff\u00ad\u2060\u202e\u2066"


def _text(content: str) -> Maker:
    return lambda path, _address: path.write_bytes(content.encode("utf-8", "surrogatepass"))


def _markdown(content: str) -> Maker:
    return _text(f"# The house\n\n**Bold** words.\n\n{content}\n")


def _sheet(cells: str) -> Maker:
    return changed(
        "xlsx",
        "xl/worksheets/sheet1.xml",
        b"</sheetData>",
        f'<row r="9">{cells}</row></sheetData>'.encode(),
    )


def _encoded(content: bytes) -> str:
    return base64.encodebytes(content).decode()


TEXTS: dict[str, Maker] = {
    "txt: a line without an end": _text(_WORDS * 12_000),
    "txt: lines without an end": _text(f"{_WORDS}\n" * 12_000),
    "txt: hyphens at ends": _text("the gar-\nden of the house is behind the old farm-\n" * 9_000),
    "txt: one letter a line": _text("a\n\n" * 6_000),
    "txt: commas": _text("a, " * 100_000),
    "txt: stops": _text("." * 500_000 + " a"),
    "txt: stops and letters": _text("a. " * 50_000),
    "txt: quotes": _text('"' * 200_000 + TEXT),
    "txt: brackets": _text("(" * 200_000 + TEXT + ")" * 200_000),
    "txt: quoted deep": _text("> " * 5_000 + TEXT + "\n"),
    "txt: bullets": _text("- " * 50_000 + TEXT + "\n"),
    "txt: gaps": _text("a    " * 10_000 + "\n"),
    "txt: bars": _text("a | " * 10_000 + "\n"),
    "txt: tabs": _text("a\t" * 10_000 + "\n"),
    "txt: returns": _text("The garden is green.\r" * 5_000),
    "txt: every break": _text("The garden\x0b\x0c\x1c\x85\u2028\u2029is green.\n" * 2_000),
    "txt: armour that opens": _text("-----BEGIN A-----\n" * 5_000),
    "txt: uuencode that opens": _text("begin 644 a\n" * 10_000),
    "txt: unseen": _text(_UNSEEN * 5_000 + TEXT),
    "txt: unseen in words": _text(f"The gar{_UNSEEN}den is green.\n" * 500),
    "txt: marks above": _text("The garde" + "\u0301\u0308" * 50_000 + "n is green.\n"),
    "txt: wide letters": _text("Ｔｈｅ ｇａｒｄｅｎ ｉｓ ｇｒｅｅｎ.\n" * 1_000),
    "txt: half pairs": _text("The \ud83d garden \ude00 is green.\n" * 500),
    "txt: emoji": _text("👩‍👩‍👧‍👦" * 20_000),
    "txt: numbers": _text("a1000000000 " * 30_000),
    "txt: one long number": _text("The number is " + "9" * 400_000 + ".\n"),
    "txt: addresses": _text("a@example.org " * 20_000),
    "txt: control": _text("The\x1b[31m garden\x07 is green.\n" * 20),
    "md: open brackets": _markdown("[" * 300_000 + TEXT),
    "md: open links": _markdown("[a](" * 75_000 + TEXT),
    "md: links in a row": _markdown("[a](b) " * 40_000),
    "md: pictures": _markdown("![a](b) " * 40_000),
    "md: emphasis": _markdown("*a **a " * 40_000),
    "md: underscores": _markdown("_a __a " * 40_000),
    "md: strikes": _markdown("~~a ~a " * 40_000),
    "md: tags": _markdown("<a><b " * 40_000),
    "md: entities": _markdown("&amp" * 60_000),
    "md: backslashes": _markdown("\\" * 300_000 + TEXT),
    "md: cells of brackets": _markdown("|a|b|\n|-|-|\n|" + "[" * 200_000 + "|b|"),
    "md: labels": _markdown("\n".join(f"[{n}]: a{n}" for n in range(5_000)) + "\n\n[1] [2]"),
    "md: notes": _markdown("\n".join(f"[^{n}]: a note {n}" for n in range(3_000))),
    "md: rules": _markdown("---\n" * 20_000),
    "md: fences": _markdown("```\n" * 20_001),
    "md: front matter": _text("---\n" + "title: The garden\n" * 4_000),
    "html: one paragraph": _text(f"{_PAGE}<p>{_WORDS * 6_000}"),
    "html: breaks": _text(f"{_PAGE}<p>" + "a<br>" * 6_000),
    "html: bold words": _text(f"{_PAGE}<p>" + "<b>a</b> <i>b</i> " * 5_000),
    "html: open quotes": _text(f'{_PAGE}<p title="' + "<p>a" * 10_000),
    "html: unseen": _text(f"{_PAGE}<p>The{'&shy;&zwnj;' * 20_000} garden</p>"),
    "html: options": _text(f"{_PAGE}<select>" + "<option>a" * 4_000),
    "docx: a paragraph without an end": docx(docx_files.paragraph(_WORDS * 6_000)),
    "docx: tabs and breaks": docx("<w:p>" + (_RUN("a") + docx_files.TAB) * 2_000 + "</w:p>"),
    "docx: bold letters": docx(
        "<w:p>" + (_RUN("a", docx_files.BOLD) + _RUN("b ")) * 2_000 + "</w:p>"
    ),
    "docx: boxes in boxes": docx(
        deep("<w:p><w:r><w:pict><v:shape><v:textbox><w:txbxContent>",
             "</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>",
             25, docx_files.paragraph(TEXT))
    ),
    "docx: fields that open": docx(
        "<w:p>" + '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' * 3_000 + _RUN(TEXT) + "</w:p>"
    ),
    "odt: a paragraph without an end": odt(odt_files.paragraph(_WORDS * 6_000)),
    "odt: an id again and again": odt('<text:p xml:id="a">The garden</text:p>' * 2_000),
    "odt: spans in a row": odt(
        "<text:p>" + "<text:span>a</text:span><text:tab/>" * 3_000 + "</text:p>"
    ),
    "xlsx: a long cell": _sheet(
        f'<c r="A9" t="inlineStr"><is><t>{_WORDS * 6_000}</t></is></c>'
    ),
    "xlsx: cells beside each other": _sheet(
        '<c t="inlineStr"><is><t>The cell</t></is></c>' * 9_000
    ),
    "xlsx: escapes": _sheet(
        f'<c r="A9" t="inlineStr"><is><t>The cell {"_x000A_" * 20_000}</t></is></c>'
    ),
    "rtf: a paragraph without an end": _text("{\\rtf1\\ansi " + _WORDS * 6_000 + "}"),
    "rtf: letters by number": _text("{\\rtf1\\ansi " + "\\u116 ?" * 30_000 + "}"),
    "rtf: looks": _text("{\\rtf1\\ansi " + "{\\b a}{\\i b} " * 5_000 + "}"),
    "eml: a line without an end": _text(f"{_MAIL}\n{_WORDS * 12_000}\n"),
    "eml: encoded words": _text(
        f"{_MAIL}Comments: " + "=?utf-8?q?a?= " * 20_000 + f"\n\n{TEXT}\n"
    ),
    "eml: a subject without an end": _text(
        _MAIL.replace("The garden", "=?utf-8?b?VGhlIGdhcmRlbg==?= " * 5_000) + f"\n{TEXT}\n"
    ),
    "eml: text in base64": _text(
        f"{_MAIL}Content-Transfer-Encoding: base64\n\n{_encoded((_WORDS * 6_000).encode())}"
    ),
    "eml: flowed": _text(
        f"{_MAIL}Content-Type: text/plain; format=flowed\n\n" + f"{_WORDS}\n" * 6_000
    ),
    "eml: quoted deep": _text(f"{_MAIL}\n" + ">" * 50_000 + f" {TEXT}\n"),
    "ics: a line without an end": _text(_EVENT.format("SUMMARY:" + _WORDS * 3_000)),
    "ics: folded": _text(_EVENT.format("DESCRIPTION:a" + "\n b" * 30_000)),
    "ics: escapes": _text(_EVENT.format("SUMMARY:" + "\\n\\," * 50_000)),
}  # fmt: skip
"""More makers, like those of ``hostile_files``."""


def make_all(folder: Path) -> None:
    """A file of each in ``folder``, called by its place in ``TEXTS`` and its type."""
    for number, (name, make) in enumerate(TEXTS.items()):
        make(folder / f"{number}.{name.partition(':')[0]}", "http://localhost")
