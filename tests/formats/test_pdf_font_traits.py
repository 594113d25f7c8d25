"""Weight and slant survive, however the font of the source says them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pikepdf import Array, Dictionary, Name

from prism_core.formats import format_for
from prism_core.formats.pdf.interpreter import interpret_pages
from tests.formats.aligned import wrap
from tests.formats.odd_pdfs import page_with
from tests.formats.pdf_samples import spanish

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
