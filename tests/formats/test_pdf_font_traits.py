"""Weight and slant survive, however the source says them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from pikepdf import Array, Dictionary, Name
from reportlab.pdfgen.canvas import Canvas

from prism_core.formats import format_for
from prism_core.formats.pdf.interpreter import interpret_pages
from prism_core.formats.pdf.style import BLACK, Colour
from tests.formats.aligned import wrap
from tests.formats.odd_pdfs import page_with
from tests.formats.pdf_samples import drawn_pdf, spanish

PDF = format_for("pdf")
BOLD = [
    *("NimbusRomNo9L-Medi", "CMSSBX10", "CMB10", "LinLibertineTB", "LinLibertineTZ", "lmbx10"),
    *("SFSX1095", "ecbx1000", "GaramondPremrPro-Smbd", "HelveticaNeue-BdCn", "Gotham-Ultra"),
    *("StoneSans-Semi", "Frutiger-Black", "AvantGarde-Demi", "Arial,Bold", "HiraMinProN-W6"),
]
ITALIC = [
    *("NimbusRomNo9L-ReguItal", "MyriadPro-It", "LinLibertineTI", "CMSSI10", "CMTI10", "lmri10"),
    *("ecti1000", "SFSL1000", "Univers-Obl", "TimesNewRomanPS-ItalicMT", "URWPalladioL-Ital"),
]
BOTH = ["MyriadPro-BoldIt", "NimbusRomNo9L-MediItal", "CMBXTI10", "LinLibertineTZI", "SFBI1000"]
NEITHER = [
    *("NimbusRomNo9L-Regu", "CMR10", "CMSS10", "LinLibertineT", "SFRM1000", "MyriadPro-Regular"),
    *("Blackadder", "Meditech", "DemiLight", "Titillium", "Italiana", "OpenSans-SemiLight"),
]
NAMED = [
    *((name, (True, False)) for name in BOLD),
    *((name, (False, True)) for name in ITALIC),
    *((name, (True, True)) for name in BOTH),
    *((name, (False, False)) for name in NEITHER),
]
DESCRIBED: list[tuple[dict[str, Any], tuple[bool, bool]]] = [
    ({"StemV": 140}, (True, False)),
    ({"StemV": 85}, (False, False)),
    ({"StemV": 231, "FontWeight": 500}, (False, False)),
    ({"StemV": 50, "FontWeight": 700}, (True, False)),
    ({"Flags": 4 | 1 << 18}, (True, False)),
    ({"Flags": 4 | 1 << 6}, (False, True)),
    ({"ItalicAngle": -12}, (False, True)),
]


def written(tmp_path: Path, name: str, **described: Any) -> tuple[bool, bool]:
    """Weight and slant in the written file of a line in the font ``name``, not embedded."""
    descriptor = {
        "Type": Name.FontDescriptor,
        "FontName": Name(f"/ABCDEF+{name}"),
        "Flags": 4,
        "ItalicAngle": 0,
        "Ascent": 700,
        "Descent": -200,
        "FontBBox": Array([-100, -200, 1000, 900]),
        **described,
    }
    font = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type1,
        BaseFont=Name(f"/ABCDEF+{name}"),
        Encoding=Name.WinAnsiEncoding,
        FirstChar=32,
        LastChar=126,
        Widths=Array([500] * 95),
        FontDescriptor=Dictionary({f"/{key}": value for key, value in descriptor.items()}),
    )
    source = page_with(
        tmp_path / "a.pdf", b"BT /F1 12 Tf 72 700 Td (The river) Tj ET", {"F1": font}
    )
    document = PDF.read(source)
    translations = wrap(spanish([segment.text for segment in document.segments]))
    PDF.write(document, translations, tmp_path / "b.pdf")
    page = next(interpret_pages((tmp_path / "b.pdf").read_bytes()))
    assert page
    (style,) = {glyph.style for glyph in page.frames[0]}
    return style.bold, style.italic


@pytest.mark.parametrize(("name", "look"), NAMED)
def test_a_name_says_weight_and_slant(tmp_path, name, look):
    assert written(tmp_path, name) == look


@pytest.mark.parametrize(("described", "look"), DESCRIBED)
def test_a_descriptor_says_them_where_the_name_does_not(tmp_path, described, look):
    assert written(tmp_path, "TT1", **described) == look


def test_stems_do_not_contradict_a_name(tmp_path):
    assert written(tmp_path, "SFRM0900", StemV=155) == (False, False)


WORDS = "The hall is still full of little lilies"
RED, GREY = (1, 0, 0), (0.7, 0.7, 0.7)


def looks(path: Path, draw: Callable[[Canvas], object]) -> list[tuple[str, bool, Colour]]:
    """Each stretch of letters of one look in what is written for a page, in drawing order."""
    document = PDF.read(drawn_pdf(path, draw))
    assert [segment.text for segment in document.segments] == [WORDS]
    written = path.with_suffix(".new.pdf")
    PDF.write(document, wrap([WORDS.upper()]), written)
    page = next(interpret_pages(written.read_bytes()))
    assert page
    alike = groupby(page.frames[0], key=lambda glyph: (glyph.style.bold, glyph.style.colour))
    return [("".join(glyph.text for glyph in glyphs), *look) for look, glyphs in alike]


@pytest.mark.parametrize("size", [5, 8, 11, 13, 24])
@pytest.mark.parametrize(
    "steps",
    [[(0.3, 0)], [(0.9, 0)], [(0, 0.4)], [(-0.4, -0.3)], [(0.3, 0), (0.6, 0)]],
)
@pytest.mark.parametrize("by_word", [False, True])
@pytest.mark.parametrize("top", [700, 700.6])
def test_words_drawn_again_a_little_aside_are_bold_and_read_once(
    tmp_path, size, steps, by_word, top
):
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", size)
        x = 72.0
        for word in WORDS.split(" ") if by_word else [WORDS]:
            for dx, dy in [(0, 0), *steps]:
                canvas.drawString(x + dx, top + dy, word)
            x += canvas.stringWidth(word + " ")

    assert looks(tmp_path / "a.pdf", draw) == [(WORDS.upper(), True, BLACK)]


@pytest.mark.parametrize(
    ("beside", "colours", "look"),
    [
        (0, (BLACK, BLACK), (False, BLACK)),
        (0.8, (GREY, BLACK), (False, BLACK)),
        (0.8, (BLACK, RED), (False, RED)),
    ],
)
def test_a_shadow_and_a_copy_at_one_place_are_no_bold(tmp_path, beside, colours, look):
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 11)
        for row, colour in enumerate(colours):
            canvas.setFillColorRGB(*colour)
            canvas.drawString(72 + beside * (1 - row), 700 - beside * (1 - row), WORDS)

    assert looks(tmp_path / "a.pdf", draw) == [(WORDS.upper(), *look)]


@pytest.mark.parametrize(
    ("mode", "width", "stroke", "bold"),
    [
        *((2, 0.08, BLACK, True), (2, None, BLACK, True), (6, 0.4, BLACK, True)),
        *((2, 0.3, RED, False), (2, 0.02, BLACK, False), (0, 0.3, BLACK, False)),
    ],
)
def test_letters_filled_and_stroked_in_one_colour_are_bold(tmp_path, mode, width, stroke, bold):
    def draw(canvas: Canvas) -> None:
        if width is not None:
            canvas.setLineWidth(width)
        canvas.setStrokeColorRGB(*stroke)
        canvas.setFillColorRGB(*BLACK)
        writer = canvas.beginText(72, 700)
        writer.setFont("Helvetica", 11)
        writer.setTextRenderMode(mode)
        writer.textOut(WORDS)
        canvas.drawText(writer)

    assert looks(tmp_path / "a.pdf", draw) == [(WORDS.upper(), bold, BLACK)]
