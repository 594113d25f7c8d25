"""Content streams are read as pdfminer's own parser reads them, whatever they hold."""

from __future__ import annotations

import pytest
from pdfminer.pdfinterp import PDFContentParser
from pdfminer.pdftypes import PDFStream
from pdfminer.psexceptions import PSEOF

from prism_core.formats.pdf.operators import parse_objects

PLAIN = b"q 1 0 0 -1 .5 -.25 cm BT /F1 11 Tf (words) Tj [(a) -20 <4142> 3.] TJ ET Q"


def by_pdfminer(*contents: bytes) -> list[object]:
    parser, found = PDFContentParser([PDFStream({}, content) for content in contents]), []
    try:
        while True:
            found.append(parser.nextobject()[1])
    except PSEOF:
        return found


def by_us(*contents: bytes) -> list[object]:
    return list(parse_objects([PDFStream({}, content) for content in contents]))


def shown(objects: list[object]) -> list[object]:
    return [
        (sorted(map(repr, one.attrs.items())), one.rawdata) if isinstance(one, PDFStream) else one
        for one in objects
    ]


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        rb"(a\(b\)c\\ \101\7\nd\q\
e) Tj (nested (brackets) here) ' (unfinished",
        rb"<48 65 6> Tj <> Tj <<>> BDC /Span <</ActualText (x) /MCID 3>> BDC /P <</MCID 1>>BDC",
        b"/P <</MCID 0/Lang (x-none)>> BDC /Span<</Lang(en)/MCID 12 /MCID 7 >>BDC EMC "
        b"/P <</A 1.5 /B /C>> BDC /P <</A(b\\)c)>> BDC",
        b"- . + 1 -. +. 12-3 " + b"9" * 120 + b" -" + b"7" * 5000 + b" Td",
        b"BI /W 2 /H 1 /BPC 8 /CS /G ID \x01) EI Q (after) Tj BI /W 1 ID EI",
        rb"/Na#6de gs /\xc3\xa4 gs /\xff gs / gs % a comment ) ( [" + b"\n(seen) Tj",
        b"1.2.3 --5 - . +7 1e5 true false null T* 12 34\x00 56 Td",
        b"[(a) [1 2] (b) true] TJ ] Tj [1 x 2] TJ { add } def [(no end) 1",
        b"   \n\t ",
        b"",
    ],
)
def test_objects_are_those_of_pdfminer(content):
    assert shown(by_us(content)) == shown(by_pdfminer(content))


def test_a_token_ends_where_its_stream_ends():
    parts = (b"BT /F1 1", b"2 Tf (w", b"ords) Tj")
    assert shown(by_us(*parts)) == shown(by_pdfminer(*parts))


@pytest.mark.parametrize("sign", [b" ", b"(", b"<", b"[", b"\\(", b"<<", b"-", b"/#", b"%"])
def test_no_content_takes_more_than_its_length(sign):
    assert len(by_us(sign * 20_000)) <= 40_000
