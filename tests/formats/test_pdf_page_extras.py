"""A PDF written as a Word file: pictures, links, forms and signatures beside the text."""

import docx
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name, String
from PIL import Image
from reportlab.lib.utils import ImageReader

from prism_core.formats import read_document, write_document
from prism_core.formats.base import FormatOptions
from tests.formats.aligned import wrap
from tests.formats.pdf_samples import PROSE, drawn_pdf, edited, lines, together
from tests.formats.test_pdf_flowing import WORD, flowed, said


def test_a_picture_stands_between_the_paragraphs_where_it_was(tmp_path):
    page = together(
        lines("Above the picture."), photo(100, 500, 200, 150), lines("Below it.", top=400)
    )
    out, notices = flowed(drawn_pdf(tmp_path / "a.pdf", page))
    paragraphs = docx.Document(out).paragraphs
    drawn = [bool(list(p._p.iter(f"{WORD}drawing"))) for p in paragraphs]
    assert drawn == [False, True, False]
    (shape,) = docx.Document(out).inline_shapes
    assert shape.width.pt == pytest.approx(200, abs=1)
    assert notices == ()


def photo(x, y, width, height):
    """Draws a picture of more than one colour."""

    def draw(canvas):
        picture = Image.linear_gradient("L").resize((60, 60))
        canvas.drawImage(ImageReader(picture), x, y, width, height)

    return draw


def test_a_picture_shows_no_text_of_the_source(tmp_path):
    plain = together(lines(*PROSE), photo(100, 400, 200, 150))
    over = together(plain, lines("Words over it", x=120, top=450, size=30))
    images = []
    for name, page in (("plain", plain), ("over", over)):
        out, _ = flowed(drawn_pdf(tmp_path / f"{name}.pdf", page))
        parts = docx.Document(out).part.package.iter_parts()
        images.append([part.blob for part in parts if part.partname.startswith("/word/media")])
    assert images[0] == images[1]


def test_a_picture_under_the_text_of_a_page_is_left_out_and_counted(tmp_path):
    page = together(photo(0, 0, 595, 842), lines(*PROSE))
    out, notices = flowed(drawn_pdf(tmp_path / "a.pdf", page))
    assert notices == ("pictures-left-out:1",)
    assert said(out) == [" ".join(PROSE)]


def test_what_stands_beside_the_text_of_a_scan_is_a_picture_without_its_words(tmp_path):
    def page(canvas):
        lines("The tenant pays the rent every month.", size=18)(canvas)
        canvas.setLineWidth(6)
        canvas.line(100, 100, 300, 220)
        canvas.line(100, 220, 300, 100)

    picture = pypdfium2.PdfDocument(drawn_pdf(tmp_path / "text.pdf", page))[0].render(scale=2)

    def scan(canvas):
        canvas.drawImage(ImageReader(picture.to_pil()), 0, 0, 595, 842)

    options = FormatOptions(source="en", target="es", ocr=True, pdf_output="docx")
    document = read_document(drawn_pdf(tmp_path / "a.pdf", scan), options)
    out = tmp_path / "out.docx"
    notices = write_document(document, wrap(["El inquilino paga."]), out, options)
    assert said(out) == ["El inquilino paga."]
    (shape,) = docx.Document(out).inline_shapes
    assert shape.height.pt < 200
    assert notices == ()


def test_a_link_leads_where_it_led(tmp_path):
    def page(canvas):
        lines("See example.com for more.")(canvas)
        canvas.linkURL("https://example.com/a", (94, 755, 160, 772))

    out, notices = flowed(drawn_pdf(tmp_path / "a.pdf", page))
    (link,) = docx.Document(out).paragraphs[0].hyperlinks
    assert (link.address, link.text) == ("https://example.com/a", "example.com")
    assert notices == ()


def test_a_link_to_no_web_page_is_dropped(tmp_path):
    def page(canvas):
        lines("See example.com for more.")(canvas)
        canvas.linkURL("file:///etc/passwd", (94, 755, 160, 772))

    out, _ = flowed(drawn_pdf(tmp_path / "a.pdf", page))
    assert not docx.Document(out).paragraphs[0].hyperlinks
    assert b"passwd" not in out.read_bytes()


def test_values_of_forms_stand_in_the_text_and_notes_beside_it(tmp_path):
    def add(pdf):
        note = Dictionary(
            Type=Name.Annot,
            Subtype=Name.Text,
            Rect=Array([300, 750, 320, 770]),
            Contents=String("Ask him first"),
        )
        field = Dictionary(
            Type=Name.Annot,
            Subtype=Name.Widget,
            FT=Name.Tx,
            T=String("a"),
            Rect=Array([200, 755, 300, 772]),
            V=String("John Smith"),
            TU=String("The name"),
        )
        box = Dictionary(
            Type=Name.Annot,
            Subtype=Name.Widget,
            FT=Name.Btn,
            T=String("b"),
            Rect=Array([72, 655, 84, 667]),
            AS=Name.Yes,
        )
        found = [pdf.make_indirect(each) for each in (note, field, box)]
        pdf.pages[0].Annots = Array(found)
        pdf.Root.AcroForm = Dictionary(Fields=Array(found[1:]))

    page = together(lines("Your name:"), lines("I agree to it all", x=90, top=657))
    out, notices = flowed(edited(drawn_pdf(tmp_path / "a.pdf", page), add))
    assert said(out) == ["Your name:", "John Smith", "\u2612", "I agree to it all"]
    assert [comment.text for comment in docx.Document(out).comments] == ["Ask him first"]
    assert notices == ("properties-left-out:1",)


def test_a_signature_drawn_by_hand_comes_along_as_a_picture(tmp_path):
    def sign(pdf):
        drawing = pdf.make_stream(b"1 0 0 rg 0 0 50 40 re f")
        drawing.Type, drawing.Subtype = Name.XObject, Name.Form
        drawing.BBox = Array([0, 0, 100, 40])
        ink = Dictionary(
            Type=Name.Annot,
            Subtype=Name.Ink,
            Rect=Array([100, 300, 200, 340]),
            AP=Dictionary(N=drawing),
            F=4,
        )
        pdf.pages[0].Annots = Array([pdf.make_indirect(ink)])

    out, _ = flowed(edited(drawn_pdf(tmp_path / "a.pdf", lines(*PROSE)), sign))
    assert len(docx.Document(out).inline_shapes) == 1
