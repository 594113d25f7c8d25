"""Reading and rebuilding PDFs, on small ones made on the spot."""

from __future__ import annotations

import pickle
import zlib
from dataclasses import replace
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name, String

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import format_for
from prism_core.formats.base import Document
from prism_core.formats.pdf.rebuild import refuse_remains
from tests.formats.aligned import wrap
from tests.formats.pdf_samples import (
    PROSE,
    drawn_pdf,
    edited,
    grey_image,
    lines,
    read_back,
    spanish,
    together,
    words,
)

PDF = format_for("pdf")


def texts(document: Document) -> list[str]:
    return [segment.text for segment in document.segments]


def rebuilt(document: Document, translations: list[str], folder: Path) -> tuple[Path, list[str]]:
    path = folder / "out.pdf"
    notices = PDF.write(document, wrap(translations), path)
    return path, list(notices)


def test_soft_line_wraps_are_joined_with_a_space(tmp_path: Path) -> None:
    path = drawn_pdf(tmp_path / "a.pdf", lines(*PROSE))
    assert texts(PDF.read(path)) == [" ".join(PROSE)]


def test_rebuilt_page_shows_the_translation_and_none_of_the_source(tmp_path: Path) -> None:
    document = PDF.read(drawn_pdf(tmp_path / "a.pdf", lines(*PROSE), lines("Second page here")))
    translations = spanish(texts(document))
    out, notices = rebuilt(document, translations, tmp_path)
    assert words(" ".join(read_back(out))) == words(" ".join(translations))
    assert b"committee" not in pikepdf_streams(out)
    assert not [notice for notice in notices if notice.startswith("page-unchanged")]


def pikepdf_streams(path: Path) -> bytes:
    """All streams of a PDF, unpacked."""
    with pikepdf.open(path) as pdf:
        streams = [obj for obj in pdf.objects if isinstance(obj, pikepdf.Stream)]
        return b"\n".join(stream.read_bytes() for stream in streams)


def test_an_unchanged_paragraph_keeps_its_own_drawing(tmp_path: Path) -> None:
    page = together(lines(*PROSE), lines("1,234.50", top=400, font="Times-Roman"))
    document = PDF.read(drawn_pdf(tmp_path / "a.pdf", page))
    out, _ = rebuilt(document, [*spanish(texts(document)[:1]), "1,234.50"], tmp_path)
    with pikepdf.open(out) as pdf:
        assert b"(1,234.50) Tj" in pdf.pages[0].Contents[0].read_bytes()
    assert "1,234.50" in read_back(out)[0]


def test_text_inside_a_form_xobject_is_replaced_too(tmp_path: Path) -> None:
    def page(canvas):
        canvas.beginForm("stamp")
        lines(*PROSE)(canvas)
        canvas.endForm()
        canvas.doForm("stamp")

    document = PDF.read(drawn_pdf(tmp_path / "a.pdf", page))
    assert texts(document) == [" ".join(PROSE)]
    out, _ = rebuilt(document, spanish(texts(document)), tmp_path)
    assert "committee" not in read_back(out)[0]
    assert b"committee" not in pikepdf_streams(out)
    assert "eettimmocción" in read_back(out)[0]


def test_a_form_shared_with_an_unchanged_page_keeps_its_text_there(tmp_path: Path) -> None:
    def page(text):
        def draw(canvas):
            if not canvas.hasForm("stamp"):
                canvas.beginForm("stamp")
                lines("Letterhead of the firm", top=800)(canvas)
                canvas.endForm()
            canvas.doForm("stamp")
            lines(text)(canvas)

        return draw

    document = PDF.read(drawn_pdf(tmp_path / "a.pdf", page("First"), page("Second")))
    source = texts(document)
    out, _ = rebuilt(document, [*spanish(source[:2]), *source[2:]], tmp_path)
    first, second = read_back(out)
    assert "Letterhead" not in first
    assert "Letterhead of the firm" in second


def test_rotated_pages_and_rotated_text_are_translated_where_they_stood(tmp_path: Path) -> None:
    def page(canvas):
        canvas.saveState()
        canvas.rotate(90)
        canvas.drawString(200, -100, "Sideways heading")
        canvas.restoreState()
        lines("Upright words")(canvas)

    path = edited(
        drawn_pdf(tmp_path / "a.pdf", page), lambda pdf: pdf.pages[0].rotate(90, relative=False)
    )
    document = PDF.read(path)
    assert sorted(texts(document)) == ["Sideways heading", "Upright words"]
    out, notices = rebuilt(document, spanish(texts(document)), tmp_path)
    assert notices == []
    again = PDF.read(out)
    assert sorted(texts(again)) == sorted(spanish(texts(document)))


def test_bold_italic_and_colour_survive(tmp_path: Path) -> None:
    def page(canvas):
        canvas.setFillColorRGB(0.8, 0, 0)
        lines("A heading", font="Times-BoldItalic", size=18)(canvas)

    document = PDF.read(drawn_pdf(tmp_path / "a.pdf", page))
    out, _ = rebuilt(document, ["Un título"], tmp_path)
    with pikepdf.open(out) as pdf:
        fonts = {str(o.BaseFont) for o in pdf.objects if is_font(o)}
    assert any("LiberationSerif-BoldItalic" in name for name in fonts)
    assert b".8 0 0 rg" in pikepdf_streams(out)


def is_font(obj: pikepdf.Object) -> bool:
    return isinstance(obj, Dictionary) and obj.get(Name.Type) == Name.Font


def test_a_translation_that_is_too_long_shrinks_and_says_so(tmp_path: Path) -> None:
    page = together(lines(*PROSE), lines("Next paragraph right below it", top=713))
    document = PDF.read(drawn_pdf(tmp_path / "a.pdf", page))
    first, second = texts(document)
    out, notices = rebuilt(document, [f"{first} {first}", second], tmp_path)
    assert "blocks-shrunk:1" in notices
    assert words(read_back(out)[0]).count("committee") == 2


def test_letters_no_font_has_leave_the_page_in_the_source_language(tmp_path: Path) -> None:
    document = PDF.read(drawn_pdf(tmp_path / "a.pdf", lines(*PROSE), lines("Second page")))
    out, notices = rebuilt(document, ["คณะกรรมการประชุมวันจันทร์", "Otra"], tmp_path)
    assert "page-unchanged:1" in notices
    assert "committee" in read_back(out)[0]
    assert words(read_back(out)[1]) == ["Otra"]


def test_a_title_bookmark_or_note_that_stayed_is_found_by_a_second_library(tmp_path: Path) -> None:
    def add(pdf: pikepdf.Pdf) -> None:
        with pdf.open_outline() as outline:
            outline.root.append(pikepdf.OutlineItem("Chapter one", 0))
        note = Dictionary(Type=Name.Annot, Subtype=Name.Text, Contents=String("Ask Böll"))
        note.Rect = Array([0, 0, 9, 9])
        pdf.pages[0].obj.Annots = pdf.make_indirect(Array([pdf.make_indirect(note)]))

    path = edited(drawn_pdf(tmp_path / "a.pdf", lines(*PROSE), title="Annual report"), add)
    data = path.read_bytes()
    for stayed in ("Annual report", "Chapter one", "Ask Böll"):
        with pytest.raises(DocumentError):
            refuse_remains(data, [stayed], ["Informe anual"])
        refuse_remains(data, [stayed], [stayed])
    refuse_remains(data, ["Chapter two"], [])
    refuse_remains(b"no PDF at all", ["Chapter one"], [])


def test_title_bookmarks_notes_and_form_values_are_translated(tmp_path: Path) -> None:
    def add(pdf: pikepdf.Pdf) -> None:
        with pdf.open_outline() as outline:
            outline.root.append(pikepdf.OutlineItem("Chapter one", 0))
        note = Dictionary(
            Type=Name.Annot,
            Subtype=Name.Text,
            Rect=[0, 0, 20, 20],
            Contents=String("Please check"),
            T=String("Anna"),
        )
        field = Dictionary(
            Type=Name.Annot,
            Subtype=Name.Widget,
            FT=Name.Tx,
            T=String("answer"),
            V=String("Very satisfied"),
            Rect=[50, 50, 200, 70],
        )
        field = pdf.make_indirect(field)
        pdf.pages[0].Annots = Array([pdf.make_indirect(note), field])
        pdf.Root.AcroForm = Dictionary(Fields=Array([field]))

    path = edited(drawn_pdf(tmp_path / "a.pdf", lines(*PROSE), title="Annual report"), add)
    document = PDF.read(path)
    expected = ["Annual report", "Chapter one", "Please check", "Very satisfied"]
    assert texts(document)[1:] == expected
    out, _ = rebuilt(document, spanish(texts(document)), tmp_path)
    assert texts(PDF.read(out))[1:] == spanish(expected)
    raw = out.read_bytes() + pikepdf_streams(out)
    assert not [text for text in expected if text.encode() in raw]


def test_source_wording_in_tags_and_xmp_does_not_survive(tmp_path: Path) -> None:
    def tag(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[0]
        page.contents_add(b"/Span << /ActualText (hidden wording) >> BDC\n", prepend=True)
        page.contents_add(b"\nEMC")
        pdf.Root.StructTreeRoot = Dictionary(Alt=String("hidden wording"))
        pdf.Root.PieceInfo = Dictionary(Private=String("hidden wording"))
        with pdf.open_metadata() as xmp:
            xmp["dc:title"] = "hidden wording"

    path = edited(drawn_pdf(tmp_path / "a.pdf", lines(*PROSE)), tag)
    document = PDF.read(path)
    out, _ = rebuilt(document, spanish(texts(document)), tmp_path)
    assert b"hidden wording" not in out.read_bytes() + pikepdf_streams(out)


def test_old_revisions_do_not_survive(tmp_path: Path) -> None:
    path = drawn_pdf(tmp_path / "a.pdf", lines(*PROSE), title="Annual report")
    appended = b"\n% an older revision: hidden wording\n"
    path.write_bytes(path.read_bytes() + appended)
    document = PDF.read(path)
    out, _ = rebuilt(document, spanish(texts(document)), tmp_path)
    assert b"hidden wording" not in out.read_bytes()


def test_links_images_and_page_sizes_stay(tmp_path: Path) -> None:
    def page(canvas):
        grey_image(100, 100, 80, 80)(canvas)
        lines(*PROSE)(canvas)
        canvas.linkURL("https://example.org/report", (72, 750, 200, 770))

    path = drawn_pdf(tmp_path / "a.pdf", page)
    document = PDF.read(path)
    out, _ = rebuilt(document, spanish(texts(document)), tmp_path)
    with pikepdf.open(path) as before, pikepdf.open(out) as after:
        assert after.pages[0].mediabox == before.pages[0].mediabox
        assert str(after.pages[0].Annots[0].A.URI) == "https://example.org/report"
        assert len(after.pages[0].get_images()) == len(before.pages[0].get_images()) == 1


def test_a_scan_with_a_text_layer_is_covered_and_readable(tmp_path: Path) -> None:
    def page(canvas):
        grey_image(0, 0, 595, 842)(canvas)
        writer = canvas.beginText(72, 700)
        writer.setTextRenderMode(3)
        writer.textLine("Words that only the recogniser sees")
        canvas.drawText(writer)

    document = PDF.read(drawn_pdf(tmp_path / "a.pdf", page))
    assert document.notices == ("ocr-pages:1",)
    out, _ = rebuilt(document, spanish(texts(document)), tmp_path)
    with pikepdf.open(out) as pdf:
        drawing = pdf.pages[0].Resources.XObject.Translation1.read_bytes()
    assert b"3 Tr" not in drawing
    assert drawing.index(b"1 1 1 rg") < drawing.index(b"Tj")


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    path = drawn_pdf(tmp_path / "a.pdf", lines(*PROSE))
    document = PDF.read(path)
    drawn_pdf(path, lines("Something else"))
    with pytest.raises(DocumentError) as caught:
        PDF.write(document, wrap(texts(document)), tmp_path / "out.pdf")
    assert caught.value.failure is DocumentFailure.UNREBUILDABLE


def test_a_document_without_changes_keeps_its_pages(tmp_path: Path) -> None:
    path = drawn_pdf(tmp_path / "a.pdf", lines(*PROSE))
    document = PDF.read(path)
    out, notices = rebuilt(document, texts(document), tmp_path)
    assert notices == []
    assert read_back(out) == read_back(path)


def test_rebuilding_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    document = PDF.read(drawn_pdf(tmp_path / "a.pdf", lines(*PROSE), title="Annual report"))
    translations = spanish(texts(document))
    first = rebuilt(document, translations, tmp_path)[0].read_bytes()
    assert rebuilt(document, translations, tmp_path)[0].read_bytes() == first


def test_source_text_found_after_stripping_keeps_the_page_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = PDF.read(drawn_pdf(tmp_path / "a.pdf", lines(*PROSE), lines("Second page")))
    monkeypatch.setattr("prism_core.formats.pdf.strip.SHOWS_TEXT", frozenset())
    out, notices = rebuilt(document, spanish(texts(document)), tmp_path)
    assert notices == ["page-unchanged:1-2"]
    assert "committee met on Monday" in read_back(out)[0]


def test_the_drawing_of_a_form_value_shows_the_translation(tmp_path: Path) -> None:
    def add(pdf: pikepdf.Pdf) -> None:
        drawing = pikepdf.Stream(pdf, b"BT (Very satisfied) Tj ET")
        drawing.stream_dict = Dictionary(Subtype=Name.Form, BBox=[0, 0, 150, 20])
        field = Dictionary(
            Type=Name.Annot,
            Subtype=Name.Widget,
            FT=Name.Tx,
            T=String("answer"),
            V=String("Very satisfied"),
            DA=String("0 0 1 rg /Helv 10 Tf"),
            Rect=[50, 50, 200, 70],
            AP=Dictionary(N=pdf.make_indirect(drawing)),
        )
        pdf.pages[0].Annots = Array([pdf.make_indirect(field)])
        pdf.Root.AcroForm = Dictionary(Fields=pdf.pages[0].Annots)

    document = PDF.read(edited(drawn_pdf(tmp_path / "a.pdf", lines(*PROSE)), add))
    assert document.notices == ()
    out, _ = rebuilt(document, ["Uno", "Muy satisfecho"], tmp_path)
    with pikepdf.open(out) as pdf:
        shown = pdf.pages[0].Annots[0].AP.N.read_bytes()
    assert b"0 0 1 rg" in shown
    assert b"Tj" in shown
    assert b"satisfied" not in pikepdf_streams(out)


def test_words_drawn_on_a_stamp_are_reported(tmp_path: Path) -> None:
    def add(pdf: pikepdf.Pdf) -> None:
        drawing = pikepdf.Stream(pdf, b"BT (CONFIDENTIAL) Tj ET")
        drawing.stream_dict = Dictionary(Subtype=Name.Form, BBox=[0, 0, 150, 20])
        stamp = Dictionary(
            Type=Name.Annot,
            Subtype=Name.Stamp,
            Rect=[50, 50, 200, 70],
            AP=Dictionary(N=pdf.make_indirect(drawing)),
        )
        pdf.pages[0].Annots = Array([pdf.make_indirect(stamp)])

    document = PDF.read(edited(drawn_pdf(tmp_path / "a.pdf", lines(*PROSE)), add))
    assert document.notices == ("annotation-text-untranslated:1",)


@pytest.mark.parametrize(
    "content",
    [
        b"BT /F1 12 Tf 14 TL 72 700 Td (Some words) ' (-----) ' ET",
        b"BT /F1 12 Tf 14 TL 72 700 Td 2 1 (Some words) \" (-----) ' ET",
        b"BT /F1 12 Tf 72 700 Td (Some words) Tj [-6000 (-----)] TJ ET",
    ],
)
def test_what_stays_beside_replaced_text_does_not_move(content: bytes, tmp_path: Path) -> None:
    def replace(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].Contents = pdf.make_stream(content)

    path = edited(drawn_pdf(tmp_path / "a.pdf", lines("x")), replace)
    document = PDF.read(path)
    before = dash_boxes(path)
    out, _ = rebuilt(
        document, [text.replace("words", "Wörter") for text in texts(document)], tmp_path
    )
    assert dash_boxes(out) == pytest.approx(before, abs=4)


def dash_boxes(path: Path) -> list[float]:
    """Left and bottom of the first dash on the first page."""
    page = pypdfium2.PdfDocument(path)[0].get_textpage()
    return list(page.get_charbox(page.get_text_range().index("-"))[:2])


def test_text_after_a_moved_form_is_found_where_it_stands(tmp_path: Path) -> None:
    def add(pdf: pikepdf.Pdf) -> None:
        form = pikepdf.Stream(pdf, b"0 0 10 10 re f")
        form.stream_dict = Dictionary(
            Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 9, 9], Matrix=[1, 0, 0, 1, 0, -300]
        )
        page = pdf.pages[0]
        page.Resources.XObject = Dictionary(Box=pdf.make_indirect(form))
        page.Contents = pdf.make_stream(b"/Box Do BT /F1 12 Tf 72 700 Td (-- Some words) Tj ET")

    path = edited(drawn_pdf(tmp_path / "a.pdf", lines("x")), add)
    out, _ = rebuilt(PDF.read(path), ["-- Otras"], tmp_path)
    assert dash_boxes(out) == pytest.approx(dash_boxes(path), abs=2)


def test_text_off_the_page_is_neither_read_nor_left_behind(tmp_path: Path) -> None:
    page = together(lines(*PROSE), lines("Draft number seven", x=-400, top=300))
    document = PDF.read(drawn_pdf(tmp_path / "a.pdf", page))
    assert texts(document) == [" ".join(PROSE)]
    out, notices = rebuilt(document, spanish(texts(document)), tmp_path)
    assert notices == []
    assert b"Draft" not in pikepdf_streams(out)


def test_what_was_parsed_writes_the_same_file_and_that_of_another_is_not_used(tmp_path):
    path = drawn_pdf(tmp_path / "a.pdf", lines(*PROSE), title="A quiet village")
    other = PDF.read(drawn_pdf(tmp_path / "b.pdf", lines(PROSE[0])))
    document = PDF.read(path)
    assert document.parsed
    written = set()
    for parsed in (document.parsed, b"", other.parsed, document.parsed[:-9], b"x"):
        given = replace(document, parsed=parsed)
        out, notices = rebuilt(given, spanish(texts(document)), tmp_path)
        written.add((out.read_bytes(), tuple(notices)))
    assert len(written) == 1


def test_what_was_parsed_may_name_no_type_but_those_of_the_formats(tmp_path):
    document = PDF.read(drawn_pdf(tmp_path / "a.pdf", lines(*PROSE)))
    hostile = zlib.compress(pickle.dumps((b"", Path("/").joinpath, print)))
    out, _ = rebuilt(replace(document, parsed=hostile), spanish(texts(document)), tmp_path)
    assert read_back(out)
