"""Files that attack their reader: bombs, entities, cycles, depth, links, tricks with names, damage.

``CRAFTED`` has a maker for each. A maker is given the path, and an address of this machine that no
reader may ever open.
"""

from __future__ import annotations

import zlib
from pathlib import Path

from tests.formats.hostile_packages import LAUGHS, PACKAGES, TEXT, Maker, bomb, deep
from tests.formats.hostile_texts import TEXTS


def _bytes(content: bytes) -> Maker:
    return lambda path, address: path.write_bytes(content.replace(b"@", address.encode()))


def _text(content: str) -> Maker:
    return _bytes(content.encode())


def _pdf(*objects: bytes, root: int = 1) -> Maker:
    """A PDF of these objects, numbered from 1."""

    def make(path: Path, address: str) -> None:
        content, places = b"%PDF-1.7\n", []
        for number, body in enumerate(objects, 1):
            places.append(len(content))
            if b"/FlateDecode" not in body:
                body = body.replace(b"@", address.encode())
            content += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        table = len(content)
        content += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
        content += b"".join(b"%010d 00000 n \n" % place for place in places)
        content += b"trailer << /Size %d /Root %d 0 R >>\n" % (len(objects) + 1, root)
        path.write_bytes(content + b"startxref\n%d\n%%%%EOF" % table)

    return make


def _stream(content: bytes, more: bytes = b"") -> bytes:
    packed = zlib.compress(content, 9)
    head = b"<< /Length %d /Filter /FlateDecode %s >>" % (len(packed), more)
    return head + b"\nstream\n" + packed + b"\nendstream"


_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
_SHOWN = b"BT /F1 12 Tf 72 700 Td (The garden is green again.) Tj ET"


def _page(contents: bytes, more: bytes = b"", resources: bytes = b"") -> tuple[bytes, ...]:
    """A catalog, pages, one page and its contents; ``more`` joins the catalog."""
    return (
        b"<< /Type /Catalog /Pages 2 0 R %s >>" % more,
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> %s >> >>" % resources,
        contents,
        _FONT,
    )


def _mail(headers: str, body: str = TEXT) -> Maker:
    start = "From: ann@example.org\nTo: bob@example.org\nSubject: The garden\nMIME-Version: 1.0\n"
    return _text(f"{start}{headers}\n\n{body}\n")


def _nested_mail(depth: int) -> Maker:
    content = f"Content-Type: text/plain\n\n{TEXT}\n"
    for level in range(depth):
        mark = f"b{level}"
        content = (
            f'Content-Type: multipart/mixed; boundary="{mark}"\n\n--{mark}\n{content}--{mark}--\n'
        )
    return _text(f"From: a@b.c\nTo: c@d.e\nSubject: x\nMIME-Version: 1.0\n{content}")


def _attached(kind: str) -> Maker:
    """A message with a hostile file attached: it must not take the message along."""

    def make(path: Path, address: str) -> None:
        from email.message import EmailMessage

        bomb(kind)(path, address)
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = "a@b.c", "c@d.e", "The garden"
        message.set_content(TEXT)
        message.add_attachment(
            path.read_bytes(), maintype="application", subtype="octet-stream", filename="a.docx"
        )
        path.write_bytes(bytes(message))

    return make


_PAGE_START = "<!DOCTYPE html><html><head><title>The house</title></head><body>"

CRAFTED: dict[str, Maker] = {
    **PACKAGES,
    **TEXTS,
    "empty": _bytes(b""),
    "blanks": _bytes(b" \n" * 100_000),
    "zeros": _bytes(bytes(1_000_000)),
    "zeros in text": _bytes(b"The garden\0is green.\n" * 1000),
    "one line": _bytes(b"The garden is green again. " * 100_000),
    "many lines": _bytes(b"a\n" * 20_000),
    "one word": _bytes(b"a" * 2_000_000),
    "half of utf-16": _bytes(b"\xff\xfe" + TEXT.encode("utf-16-le") + b"\x00"),
    "broken utf-8": _bytes((TEXT + " ñ").encode() * 50 + b"\xc3\x28\xf0\x28\x8c\xbc"),
    "marks of direction": _text("\u202eThe garden\u202c is \u2066green\u2069.\n" * 200),
    "accents": _text("The garden is gr" + "e\u0301" * 100_000 + "n.\n"),
    "flat: laughs": _bytes(
        LAUGHS + b"]><office:document office:mimetype='application/vnd.oasis.opendocument.text'/>"
    ),
    "html: links": _text(
        _PAGE_START + "<link rel=stylesheet href=@/a.css><script src=@/a.js></script>"
        "<img src=@/a.png><iframe src=@/a.html></iframe><base href=@/><p>The garden.</p>"
    ),
    "html: depth": _text(_PAGE_START + deep("<div>", "</div>", 20_000)),
    "html: bold": _text(_PAGE_START + deep("<b><p>", "", 3_000)),
    "html: brackets": _text(_PAGE_START + "<" * 500_000),
    "html: comment": _text(_PAGE_START + "<!--" * 200_000),
    "html: attributes": _text(_PAGE_START + "<p " + "a=b " * 200_000 + ">The garden</p>"),
    "html: entities": _text(_PAGE_START + "&#" * 300_000 + "<p>The garden</p>"),
    "html: cells": _text(_PAGE_START + "<table>" + "<tr><td>a" * 5_000),
    "md: quotes": _text("# The house\n\n" + ">" * 50_000 + " The garden\n"),
    "md: lists": _text("# The house\n\n" + "".join("  " * n + "- a\n" for n in range(1_000))),
    "md: brackets": _text("# The house\n\n" + "[" * 50_000 + "\n"),
    "md: stars": _text("# The house\n\n" + "*a _b " * 30_000 + "\n"),
    "md: ticks": _text("# The house\n\n" + "".join("`" * n + " " for n in range(1_000)) + "\n"),
    "md: links": _text("# The house\n\n" + "[a](" * 30_000 + "\n\n![x](@/x.png)\n"),
    "md: cells": _text("# The house\n\n|a|b|\n|-|-|\n" + "|" * 50_000 + "\n"),
    "rtf: depth": _text("{\\rtf1 " + "{" * 100_000 + TEXT + "}" * 100_000 + "}"),
    "rtf: open": _text("{\\rtf1\\ansi " + "{\\b a" * 100_000),
    "rtf: closed": _text("{\\rtf1\\ansi The garden}" + "}" * 100_000),
    "rtf: links": _text(
        '{\\rtf1\\ansi{\\*\\template @/x.dot}{\\field{\\*\\fldinst INCLUDEPICTURE "@/x.png"}'
        "{\\fldrslt The garden}}{\\*\\htmltag <img src=@/x>}\\par}"
    ),
    "rtf: bytes": _text("{\\rtf1\\ansi \\bin2000000000 The garden}"),
    "rtf: numbers": _text("{\\rtf1\\ansi \\uc" + "9" * 5_000 + " \\u99999999999999 a\\par b}"),
    "rtf: hexadecimal": _text("{\\rtf1\\ansi " + "\\'" * 100_000 + "}"),
    "eml: parts": _nested_mail(30),
    "eml: deep parts": _nested_mail(3_000),
    "eml: long header": _mail("X-A: " + "a" * 5_000_000),
    "eml: many headers": _mail("X-A: b\n" * 40_000 + "X-B: c"),
    "eml: folded header": _mail("References: " + "<a@b.c>\n " * 100_000 + "<d@e.f>"),
    "eml: body elsewhere": _mail(
        'Content-Type: message/external-body; access-type=URL; URL="@/x"', "Content-Type: a/b\n"
    ),
    "eml: remote picture": _mail("Content-Type: text/html", "<img src='@/x.png'><p>The garden</p>"),
    "eml: boundaries": _mail('Content-Type: multipart/mixed; boundary=""', "--\n--\n" * 100_000),
    "eml: base64": _mail("Content-Transfer-Encoding: base64", "=" * 1_000_000),
    "eml: charset": _mail("Content-Type: text/plain; charset=../../x", "caf\u00e9"),
    "eml: utf-7": _mail("Content-Type: text/plain; charset=utf-7", "+" * 300_000),
    "eml: bomb attached": _attached("docx"),
    "mbox: many": _text(
        "From a@b.c Wed Jul  1 16:42:07 2026\nFrom: a@b.c\nTo: d@e.f\n\na\n\n" * 100
    ),
    "pdf: pages in pages": _pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>"
    ),
    "pdf: many pages": _pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count 20000 /Kids [" + b"3 0 R " * 20_000 + b"] >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
    ),
    "pdf: said to be long": _pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>",
    ),
    "pdf: bomb": lambda path, address: _pdf(*_page(_stream(_SHOWN + b" " * 250_000_000)))(
        path, address
    ),
    "pdf: text bomb": lambda path, address: _pdf(
        *_page(_stream(b"BT /F1 9 Tf (a) Tj ET " * 2_000_000))
    )(path, address),
    "pdf: filters": _pdf(
        *_page(
            b"<< /Length 4 /Filter [" + b"/FlateDecode " * 10_000 + b"] >>\nstream\nabcd\nendstream"
        )
    ),
    "pdf: form in itself": _pdf(
        *_page(_stream(_SHOWN + b" /X Do"), resources=b"/XObject << /X 6 0 R >>"),
        _stream(
            b"/X Do /X Do",
            b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] "
            b"/Resources << /XObject << /X 6 0 R >> >>",
        ),
    ),
    "pdf: depth": _pdf(*_page(_stream(_SHOWN), b"/X " + b"[" * 100_000 + b"]" * 100_000)),
    "pdf: saves": _pdf(*_page(_stream(b"q " * 50_000 + _SHOWN))),
    "pdf: outlines": _pdf(
        *_page(_stream(_SHOWN), b"/Outlines 6 0 R"),
        b"<< /Type /Outlines /First 7 0 R /Last 7 0 R >>",
        b"<< /Title (The garden) /Parent 6 0 R /Next 7 0 R /First 7 0 R >>",
    ),
    "pdf: fields": _pdf(
        *_page(_stream(_SHOWN), b"/AcroForm << /Fields [6 0 R] >>"),
        b"<< /FT /Tx /T (a) /V (The garden) /Kids [6 0 R] /Parent 6 0 R >>",
    ),
    "pdf: large page": _pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 1e30 1e30] >>",
        b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        _stream(_SHOWN),
        _FONT,
    ),
    "pdf: actions": _pdf(
        *_page(
            _stream(_SHOWN),
            b"/OpenAction << /S /URI /URI (@/open) >> /AA << /WC << /S /SubmitForm /F (@/s) >> >>"
            b" /Names << /EmbeddedFiles << /Names [(a) << /F (@/f) /FS /URL >>] >> >>",
        )
    ),
    "pdf: contents elsewhere": _pdf(
        *_page(b"<< /Length 0 /F << /FS /URL /F (@/contents) >> >>\nstream\n\nendstream")
    ),
}
