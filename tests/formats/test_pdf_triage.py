"""What a PDF that cannot be handled is called, and what is said about one that can."""

from __future__ import annotations

import zlib
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String
from reportlab.pdfgen.canvas import Canvas

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import format_for
from prism_core.formats.pdf import libraries, style
from tests.formats.aligned import wrap
from tests.formats.odd_pdfs import open_pages, page_with
from tests.formats.pdf_samples import PROSE, drawn_pdf, edited, grey_image, lines, read_back
from tests.shared_data import shared

PDF = format_for("pdf")


@pytest.fixture
def prose(tmp_path: Path) -> Path:
    return drawn_pdf(tmp_path / "a.pdf", lines(*PROSE))


def failure(path: Path) -> DocumentFailure:
    with pytest.raises(DocumentError) as caught:
        PDF.read(path)
    return caught.value.failure


def locked(path: Path, user: str, **allowed: bool) -> Path:
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        rights = pikepdf.Permissions(**allowed)
        pdf.save(path, encryption=pikepdf.Encryption(owner="o", user=user, allow=rights))
    return path


def test_a_password_is_asked_for(prose: Path) -> None:
    assert failure(locked(prose, "secret")) is DocumentFailure.ENCRYPTED


def test_instructions_around_an_encrypted_document_are_not_the_document() -> None:
    path = shared("documents/pdf/tika__testMicrosoftIRMServices.pdf")
    with pytest.raises(DocumentError, match="the program that protects it") as caught:
        PDF.read(path)
    assert caught.value.failure is DocumentFailure.ENCRYPTED


def test_the_authors_ban_on_extraction_is_respected(prose: Path) -> None:
    assert failure(locked(prose, "", extract=False)) is DocumentFailure.RESTRICTED


def test_an_empty_password_opens_what_may_be_extracted(prose: Path, tmp_path: Path) -> None:
    document = PDF.read(locked(prose, "", extract=True))
    assert document.notices == ("encryption-removed",)
    PDF.write(document, wrap(["Otro texto"]), tmp_path / "out.pdf")
    assert "Otro texto" in read_back(tmp_path / "out.pdf")[0]


def test_noise_is_corrupt(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 20)
    assert failure(path) is DocumentFailure.CORRUPT


def test_a_blank_page_is_empty_even_with_a_title(tmp_path: Path) -> None:
    path = drawn_pdf(tmp_path / "a.pdf", lines(), title="A title")
    assert failure(path) is DocumentFailure.EMPTY


def test_an_image_of_a_page_is_a_scan(tmp_path: Path) -> None:
    path = drawn_pdf(tmp_path / "a.pdf", grey_image(0, 0, 595, 842))
    assert failure(path) is DocumentFailure.SCAN


def test_scanned_pages_among_others_are_counted(tmp_path: Path) -> None:
    scan = grey_image(0, 0, 595, 842)
    path = drawn_pdf(tmp_path / "a.pdf", lines(*PROSE), scan, scan)
    assert PDF.read(path).notices == ("scan-pages:2",)


def test_a_content_stream_that_explodes_is_a_bomb(
    prose: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libraries, "MAX_CONTENT_BYTES", 1_000_000)
    packed = zlib.compress(zlib.compress(b" " * 5_000_000))
    assert len(packed) < 1000

    def arm(pdf: pikepdf.Pdf) -> None:
        stream = pikepdf.Stream(pdf, b"")
        stream.write(packed, filter=Array([Name.FlateDecode, Name.FlateDecode]))
        pdf.pages[0].Contents = pdf.make_indirect(stream)

    with pikepdf.open(prose, allow_overwriting_input=True) as pdf:
        arm(pdf)
        pdf.save(prose, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
    assert failure(prose) is DocumentFailure.BOMB


def test_too_many_pages_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libraries, "MAX_PAGES", 2)
    path = drawn_pdf(tmp_path / "a.pdf", *[lines("x")] * 3)
    assert failure(path) is DocumentFailure.TOO_LARGE


def test_too_large_a_file_is_refused(prose: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libraries, "MAX_FILE_BYTES", 100)
    assert failure(prose) is DocumentFailure.TOO_LARGE


def test_a_form_without_pages_of_its_own_is_unsupported_with_advice(prose: Path) -> None:
    def make_dynamic(pdf: pikepdf.Pdf) -> None:
        pdf.Root.AcroForm = Dictionary(XFA=String("<xdp/>"), Fields=Array([]))
        pdf.Root.NeedsRendering = True

    with pytest.raises(DocumentError, match="print it to PDF") as caught:
        PDF.read(edited(prose, make_dynamic))
    assert caught.value.failure is DocumentFailure.UNSUPPORTED


def test_a_translated_copy_says_that_the_signature_is_void_and_looks_unsigned(
    prose: Path, tmp_path: Path
) -> None:
    def sign(pdf: pikepdf.Pdf) -> None:
        signature = Dictionary(Type=Name.Sig, Name=String("Anna Example"))
        field = pdf.make_indirect(
            Dictionary(FT=Name.Sig, T=String("s"), V=pdf.make_indirect(signature))
        )
        pdf.Root.AcroForm = Dictionary(Fields=Array([field]), SigFlags=3)

    document = PDF.read(edited(prose, sign))
    assert document.notices == ("signature-void",)
    PDF.write(document, wrap(["Otro texto"]), tmp_path / "out.pdf")
    assert b"Anna Example" not in (tmp_path / "out.pdf").read_bytes()


def test_attachments_are_translated_by_their_own_format(prose: Path, tmp_path: Path) -> None:
    inner = drawn_pdf(tmp_path / "inner.pdf", lambda c: c.drawString(72, 700, "Words within."))

    def attach(pdf: pikepdf.Pdf) -> None:
        pdf.attachments["note.txt"] = b"attached words"
        pdf.attachments["inner.pdf"] = inner.read_bytes()
        pdf.attachments["data.bin"] = bytes(range(256))

    document = PDF.read(edited(prose, attach))
    assert document.notices == ("attachment:unsupported",)
    texts = [segment.text for segment in document.segments]
    assert texts[-2:] == ["Words within.", "attached words"]
    given = [*texts[:-2], "Palabras dentro.", "palabras anexas"]
    PDF.write(document, wrap(given), tmp_path / "out.pdf")
    with pikepdf.open(tmp_path / "out.pdf") as pdf:
        files = {name: pdf.attachments[name].get_file().read_bytes() for name in pdf.attachments}
    assert files["note.txt"] == b"palabras anexas"
    assert files["data.bin"] == bytes(range(256))
    (tmp_path / "again.pdf").write_bytes(files["inner.pdf"])
    again = PDF.read(tmp_path / "again.pdf").segments
    assert [segment.text for segment in again] == ["Palabras dentro."]


def test_a_page_without_words_may_carry_files_that_have_some(tmp_path: Path) -> None:
    blank = drawn_pdf(tmp_path / "blank.pdf", lambda c: c.rect(72, 700, 50, 50))

    def attach(pdf: pikepdf.Pdf) -> None:
        pdf.attachments["note.txt"] = b"attached words"

    document = PDF.read(edited(blank, attach))
    assert [segment.text for segment in document.segments] == ["attached words"]


def test_files_within_files_end_somewhere(prose: Path, tmp_path: Path) -> None:
    content, holder = prose.read_bytes(), prose
    for level in range(8):
        holder = tmp_path / f"level{level}.pdf"
        with pikepdf.open(prose) as pdf:
            pdf.attachments["inner.pdf"] = content
            pdf.save(holder)
        content = holder.read_bytes()
    document = PDF.read(holder)
    assert document.notices == ("attachment:too-large",)
    assert len(document.segments) == 6 * len(PDF.read(prose).segments)


def test_named_places_are_put_where_links_name_them(prose: Path, tmp_path: Path) -> None:
    def name(pdf: pikepdf.Pdf) -> None:
        tree = pikepdf.NameTree.new(pdf)
        tree["Secret chapter"] = Dictionary(D=Array([pdf.pages[0].obj, Name.Fit]))
        pdf.Root.Names = Dictionary(Dests=tree.obj)
        action = Dictionary(S=Name.GoTo, D=String("Secret chapter"))
        link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=[0, 0, 9, 9], A=action)
        direct = Dictionary(
            Type=Name.Annot, Subtype=Name.Link, Rect=[0, 0, 9, 9], Dest=String("Secret chapter")
        )
        pdf.pages[0].obj.Annots = Array([link, direct])

    document = PDF.read(edited(prose, name))
    PDF.write(document, wrap(["Otro texto"]), tmp_path / "out.pdf")
    with pikepdf.open(tmp_path / "out.pdf") as pdf:
        link, direct = pdf.pages[0].obj.Annots
        assert link.A.D[0].objgen == direct.Dest[0].objgen == pdf.pages[0].obj.objgen
        assert Name.Dests not in pdf.Root.Names
    assert b"Secret chapter" not in (tmp_path / "out.pdf").read_bytes()


def test_layers_and_subjects_of_notes_are_text_and_private_facts_go(
    prose: Path, tmp_path: Path
) -> None:
    def describe(pdf: pikepdf.Pdf) -> None:
        layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Floor plan")))
        pdf.Root.OCProperties = Dictionary(OCGs=Array([layer]), D=Dictionary())
        note = Dictionary(
            Type=Name.Annot, Subtype=Name.Text, Rect=[0, 0, 9, 9], Subj=String("A doubt")
        )
        pdf.pages[0].obj.Annots = Array([note])
        pdf.docinfo["/Client"] = "Miller"

    document = PDF.read(edited(prose, describe))
    texts = [segment.text for segment in document.segments]
    assert {"Floor plan", "A doubt"} <= set(texts)
    PDF.write(document, wrap([text.upper() for text in texts]), tmp_path / "out.pdf")
    with pikepdf.open(tmp_path / "out.pdf") as pdf:
        assert str(pdf.Root.OCProperties.OCGs[0].Name) == "FLOOR PLAN"
        assert str(pdf.pages[0].obj.Annots[0].Subj) == "A DOUBT"
        assert "/Client" not in pdf.docinfo


def test_words_drawn_several_times_at_one_place_are_read_once_and_all_of_them_go(
    tmp_path: Path,
) -> None:
    def draw(canvas: Canvas) -> None:
        for _ in range(3):
            canvas.drawString(72, 700, "A bold heading")

    source = drawn_pdf(tmp_path / "bold.pdf", draw)
    document = PDF.read(source)
    assert [segment.text for segment in document.segments] == ["A bold heading"]
    PDF.write(document, wrap(["Un título"]), tmp_path / "out.pdf")
    assert read_back(tmp_path / "out.pdf") == ["Un título"]


def test_errors_of_the_libraries_do_not_escape_or_speak(
    prose: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise pikepdf.PdfError("words of the document")

    document = PDF.read(prose)
    monkeypatch.setattr("prism_core.formats.pdf.rebuild.remove_stale_parts", fail)
    with pytest.raises(DocumentError) as caught:
        PDF.write(document, wrap(["Otro texto"]), tmp_path / "out.pdf")
    assert caught.value.failure is DocumentFailure.UNREBUILDABLE
    assert caught.value.__suppress_context__
    monkeypatch.setattr("prism_core.formats.pdf.content.find_properties", fail)
    assert failure(prose) is DocumentFailure.CORRUPT


def test_a_missing_font_is_said(
    prose: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = PDF.read(prose)
    style._load_font.cache_clear()
    style.find_font.cache_clear()
    monkeypatch.setattr(style, "_FOLDER", tmp_path)
    with pytest.raises(DocumentError, match="data/fonts"):
        PDF.write(document, wrap(["Otro texto"]), tmp_path / "out.pdf")


def test_open_pages_are_read_where_attached_files_alone_are_encrypted(tmp_path):
    path = open_pages(tmp_path / "a.pdf", "The committee met")
    document = PDF.read(path)
    assert [segment.text for segment in document.segments] == ["The committee met"]
    assert document.notices == ("only-pages-readable",)


@pytest.mark.parametrize(
    "show", [b"/F1 999999 Tf", b"/F1 -99999 Tf", b"/F1 9 Tf 99999 0 0 99999 0 0 Tm"]
)
def test_a_letter_larger_than_the_page_takes_no_memory(tmp_path, show):
    content = b"BT /F1 12 Tf 72 500 Td (Some words) Tj ET BT " + show + b" (Hello) Tj ET"
    document = PDF.read(page_with(tmp_path / "a.pdf", content))
    assert [segment.text for segment in document.segments] == ["Some words"]
