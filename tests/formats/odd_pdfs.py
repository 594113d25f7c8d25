"""PDFs whose text is easily lost: fonts without sizes, hidden layers, maps of their own, damage."""

from __future__ import annotations

import re
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name


def page_with(
    path: Path, content: bytes, fonts: dict[str, pikepdf.Object] | None = None, pages: int = 1
) -> Path:
    """A PDF whose pages draw ``content``."""
    pdf = pikepdf.new()
    for _ in range(pages):
        page = pdf.add_blank_page(page_size=(595, 842))
        given = {
            f"/{name}": pdf.make_indirect(font)
            for name, font in (fonts or {"F1": helvetica()}).items()
        }
        page.obj.Resources = Dictionary(Font=Dictionary(given))
        page.obj.Contents = pdf.make_stream(content)
    pdf.save(path)
    return path


def helvetica() -> pikepdf.Object:
    """A font that every reader has."""
    return Dictionary(
        Type=Name.Font,
        Subtype=Name.Type1,
        BaseFont=Name.Helvetica,
        Encoding=Name.WinAnsiEncoding,
    )


def private_bullets(pdf: pikepdf.Pdf) -> None:
    """Let code 128 of the first page's font be a bullet that no reader has a meaning for."""
    font = pdf.pages[0].Resources.Font.F1
    del font.Encoding
    font.ToUnicode = pdf.make_stream(
        b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange "
        b"1 beginbfchar <80> <f0b7> endbfchar endcmap"
    )


def tiny_type3(path: Path, text: str, mute: str = "") -> Path:
    """``text`` in letters (boxes) that are drawn in points, in a font of size .24.

    Behind it, begun where it ends, stands what no reader can read: as many boxes as in ``mute``.
    """
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(595, 842))
    letters = sorted(set(text))
    codes = [*map(ord, letters), *range(0x80, 0x9A)]
    box, blank = (pdf.make_stream(b"25 0 0 0 22 35 d1 " + ink) for ink in (b"2 0 20 30 re f", b""))
    differences = [part for code in codes for part in (code, Name(f"/g{code}"))]
    mapped = "".join(f"<{ord(letter):02x}> <{ord(letter):04x}>\n" for letter in letters)
    font = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type3,
        FontBBox=Array([0, 0, 0, 0]),
        FontMatrix=Array([1, 0, 0, 1, 0, 0]),
        FirstChar=0,
        LastChar=255,
        Widths=Array([25] * 256),
        CharProcs=Dictionary({f"/g{code}": blank if code == 32 else box for code in codes}),
        Encoding=Dictionary(Type=Name.Encoding, Differences=Array(differences)),
        ToUnicode=pdf.make_stream(
            b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange\n"
            + f"{len(letters)} beginbfchar\n{mapped}endbfchar endcmap".encode()
        ),
    )
    page.obj.Resources = Dictionary(Font=Dictionary(F1=pdf.make_indirect(font)))
    unread = "80" * len(mute)
    page.obj.Contents = pdf.make_stream(
        f"BT /F1 .24 Tf 72 700 Td ({text}) Tj <{unread}> Tj ET".encode("latin-1")
    )
    pdf.save(path)
    return path


def hidden_layer(path: Path, text: str) -> Path:
    """A picture over the page, and ``text`` over it: invisible, with white letters."""
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(595, 842))
    picture = pdf.make_stream(b"\xf0" * 64)
    picture[Name.Type], picture[Name.Subtype] = Name.XObject, Name.Image
    picture[Name.Width] = picture[Name.Height] = picture[Name.BitsPerComponent] = 8
    picture[Name.ColorSpace] = Name.DeviceGray
    page.obj.Resources = Dictionary(
        Font=Dictionary(F1=helvetica()), XObject=Dictionary(Scan=picture)
    )
    page.obj.Contents = pdf.make_stream(
        b"q 595 0 0 842 0 0 cm /Scan Do Q BT 1 g 3 Tr /F1 12 Tf 72 700 Td "
        + f"({text}) Tj ET".encode("latin-1")
    )
    pdf.save(path)
    return path


def open_pages(path: Path, text: str) -> Path:
    """Pages in clear in a document whose attached files alone may be read with a password only."""
    page_with(path, f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET".encode("latin-1"))
    with pikepdf.open(path) as pdf:
        sealed = path.with_suffix(".sealed")
        pdf.save(sealed, encryption=pikepdf.Encryption(owner="o", user="u", R=6))
        pdf.save(path.with_suffix(".plain"), object_stream_mode=pikepdf.ObjectStreamMode.disable)
    seal = re.search(rb"<< /CF .*?>>\s*endobj", sealed.read_bytes(), re.DOTALL)
    assert seal is not None
    words = seal[0].removesuffix(b"endobj").replace(b"/StmF /StdCF", b"/EFF /StdCF /StmF /Identity")
    words = words.replace(b"/StrF /StdCF", b"/StrF /Identity")
    plain = path.with_suffix(".plain").read_bytes()
    path.write_bytes(plain.replace(b"trailer <<", b"trailer << /Encrypt " + words, 1))
    return path
