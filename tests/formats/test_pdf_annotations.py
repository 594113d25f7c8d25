"""Fields and notes that show text on a page look as they did, and no text runs under them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name, String
from PIL import Image

from prism_core.formats import format_for
from prism_core.formats.pdf.interpreter import interpret_pages
from tests.formats.aligned import wrap
from tests.formats.pdf_samples import drawn_pdf, edited, lines

PDF = format_for("pdf")
BLUE, YELLOW, RED = (0, 0, 255), (255, 255, 0), (255, 0, 0)
DRAWN = (
    b"1 1 0 rg 0 0 120 40 re f 0 0 1 RG 2 w 1 1 118 38 re s /Tx BMC q BT 1 0 0 rg /Helv 9 Tf "
    b"1 0 0 1 4 14 Tm (Very satisfied) Tj ET Q EMC"
)
KINDS: dict[str, Callable[[], dict[str, Any]]] = {
    "field": lambda: {
        "Subtype": Name.Widget,
        "FT": Name.Tx,
        "T": String("a"),
        "V": String("Very satisfied"),
        "MK": Dictionary(BC=[0, 0, 1], BG=[1, 1, 0]),
    },
    "note": lambda: {
        "Subtype": Name.FreeText,
        "Contents": String("Very satisfied"),
        "C": Array([1, 1, 0]),
    },
}


def page_with_annotation(path: Path, kind: str, drawing: bytes, **more: Any) -> Path:
    """A page with a label and a field or note beside it, which ``drawing`` draws."""

    def add(pdf: pikepdf.Pdf) -> None:
        facts = {
            "Type": Name.Annot,
            "Rect": Array([150, 690, 270, 730]),
            "BS": Dictionary(W=2),
            "DA": String("1 0 0 rg /Helv 9 Tf"),
            **KINDS[kind](),
            **more,
        }
        annotation = Dictionary({f"/{key}": value for key, value in facts.items()})
        if drawing:
            stream = pikepdf.Stream(pdf, drawing)
            stream.stream_dict = Dictionary(Subtype=Name.Form, BBox=[0, 0, 120, 40])
            annotation.AP = Dictionary(N=pdf.make_indirect(stream))
        pdf.pages[0].Annots = Array([pdf.make_indirect(annotation)])
        if kind == "field":
            pdf.Root.AcroForm = Dictionary(Fields=pdf.pages[0].Annots)

    return edited(drawn_pdf(path, lines("Date of birth:", top=705)), add)


def translated(source: Path, tmp_path: Path) -> Path:
    known = {"Date of birth:": "Data de nascimento do paciente:", "Very satisfied": "Satisfeito"}
    document = PDF.read(source)
    texts = [known.get(segment.text, segment.text) for segment in document.segments]
    PDF.write(document, wrap(texts), tmp_path / "out.pdf")
    return tmp_path / "out.pdf"


def picture(path: Path) -> Image.Image:
    """The rendered field or note, four pixels a point."""
    document = pypdfium2.PdfDocument(path)
    document.init_forms()
    page = document[0].render(scale=4).to_pil().convert("RGB")
    height = page.height
    return page.crop((600, height - 4 * 730, 1080, height - 4 * 690))


@pytest.mark.parametrize("drawing", [DRAWN, b""])
@pytest.mark.parametrize("kind", KINDS)
def test_border_background_and_colour_stay(tmp_path, kind, drawing):
    # a note names the colour of its text alone
    edge = RED if kind == "note" and not drawing else BLUE
    out = translated(page_with_annotation(tmp_path / "a.pdf", kind, drawing), tmp_path)
    shown = picture(out)
    assert shown.getpixel((4, 80)) == edge
    assert shown.getpixel((476, 80)) == edge
    assert shown.getpixel((400, 40)) == YELLOW
    inside = shown.crop((16, 16, 464, 144))
    assert (255, 0, 0) in {colour for _, colour in inside.getcolors(10_000)}
    with pikepdf.open(out) as pdf:
        assert b"satisfied" not in pdf.pages[0].Annots[0].AP.N.read_bytes()


@pytest.mark.parametrize(("align", "least", "most"), [(0, 0, 60), (1, 120, 220), (2, 250, 340)])
def test_text_of_a_field_stays_where_it_was_aligned(tmp_path, align, least, most):
    source = page_with_annotation(tmp_path / "a.pdf", "field", b"", Q=align)
    inside = picture(translated(source, tmp_path)).crop((12, 12, 468, 148))
    red = [x for x in range(456) for y in range(136) if inside.getpixel((x, y))[1] < 128]
    assert least < min(red) < most


def test_a_size_left_to_the_viewer_is_that_of_the_old_drawing(tmp_path):
    source = page_with_annotation(tmp_path / "a.pdf", "field", DRAWN, DA=String("0 g /Helv 0 Tf"))
    with pikepdf.open(translated(source, tmp_path)) as pdf:
        assert b" 9 Tf" in pdf.pages[0].Annots[0].AP.N.read_bytes()


@pytest.mark.parametrize("hidden", [False, True])
def test_a_label_does_not_run_under_the_field_beside_it(tmp_path, hidden):
    source = page_with_annotation(tmp_path / "a.pdf", "field", DRAWN, F=2 if hidden else 4)
    page = next(interpret_pages(translated(source, tmp_path).read_bytes()))
    assert page
    assert (max(glyph.x1 for glyph in page.frames[0]) > 150) == hidden
