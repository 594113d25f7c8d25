"""Scanned pages with OCR: what is read, what the page shows afterwards, and what is refused."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from prism_core.cat.jobs.reviewing import export_review, import_review
from prism_core.errors import ConfigurationError, DocumentError, DocumentFailure
from prism_core.formats import read_document, write_document
from prism_core.formats.base import FormatOptions
from prism_core.formats.pdf import scans
from prism_core.formats.pdf.geometry import Box
from prism_core.formats.pdf.scans import ScannedWord, build_scanned_lines
from prism_core.formats.sandbox import Sandbox
from prism_core.formats.tesseract import check_tesseract, quarter_turns, read_words
from prism_core.jobs import translate
from prism_core.record import DOUBTFUL
from prism_core.settings import Job, Settings, TranslatorSettings
from tests.formats.aligned import wrap
from tests.formats.pdf_samples import drawn_pdf
from tests.shared_data import shared

run = Sandbox().call

OCR = FormatOptions(source="en", target="es", ocr=True)
TEXTS = ["The tenant pays the rent every month.", "The landlord repairs the roof."]
TRANSLATED = ["El inquilino paga la renta cada mes.", "El propietario repara el tejado."]


def picture_of(pdf: Path, turns: int = 0) -> Image.Image:
    page = pypdfium2.PdfDocument(pdf)[0]
    return page.render(scale=150 / 72).to_pil().convert("L").rotate(90 * turns, expand=True)


def scanned(path: Path, *texts: str, turns: int = 0) -> Path:
    """A PDF with one page that is a picture of ``texts``, turned by ``turns`` quarters."""

    def write(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 18)
        for number, text in enumerate(texts):
            canvas.drawString(72, 700 - 120 * number, text)

    whole = picture_of(drawn_pdf(path.with_suffix(".text.pdf"), write))
    written = whole.crop((0, 0, whole.width, whole.height * 2 // 3))  # less to read
    picture = written.rotate(90 * turns, expand=True)
    width, height = picture.width * 72 / 150, picture.height * 72 / 150
    canvas = Canvas(str(path), pagesize=(width, height), invariant=1)
    canvas.setTitle("")
    canvas.setSubject("")
    canvas.drawImage(ImageReader(picture), 0, 0, width, height)
    canvas.showPage()
    canvas.save()
    return path


def seen(pdf: Path) -> str:
    """What a person sees on the page, as far as OCR does."""
    page = pypdfium2.PdfDocument(pdf)[0]
    picture = np.array(page.render(scale=200 / 72).to_pil().convert("L"))
    return " ".join(word.text for word in read_words(picture, "en"))


@pytest.fixture(autouse=True, scope="module")
def _each_picture_is_read_once() -> Iterator[None]:
    """Tesseract is asked once of each picture, however many tests read and write the same page."""
    said: dict[tuple[object, ...], object] = {}

    def ask_once(ask: Callable[..., object], picture: np.ndarray, *language: str) -> object:
        key = (ask, picture.shape, picture.tobytes(), *language)
        if key not in said:
            said[key] = ask(picture, *language)
        return said[key]

    with pytest.MonkeyPatch.context() as patch:
        for ask in (read_words, quarter_turns):
            patch.setattr(scans, ask.__name__, partial(ask_once, ask))
        yield


@pytest.fixture(scope="module")
def scan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return scanned(tmp_path_factory.mktemp("scan") / "scan.pdf", *TEXTS)


def test_the_words_of_a_picture_are_read_and_their_place_is_painted_over(
    scan: Path, tmp_path: Path
) -> None:
    document = read_document(scan, OCR)
    assert [segment.text for segment in document.segments] == TEXTS
    assert document.notices == ("pages-read-by-ocr:1",)
    target = tmp_path / "target.pdf"
    assert write_document(document, wrap(TRANSLATED), target, OCR) == ()
    shown = seen(target)
    assert "inquilino" in shown
    assert "tejado" in shown
    assert not {"tenant", "landlord", "rent", "roof"} & set(shown.replace(".", "").split())
    with pikepdf.open(target) as pdf:
        pictures = [obj for obj in pdf.objects if obj.get("/Subtype") == "/Image"]
        assert len(pictures) == 1
    texts = pypdfium2.PdfDocument(target)[0].get_textpage().get_text_range().split("\n")
    assert [text.strip() for text in texts] == TRANSLATED


def test_a_page_whose_text_does_not_change_stays_the_picture_it_was(
    scan: Path, tmp_path: Path
) -> None:
    document = read_document(scan, OCR)
    target = tmp_path / "target.pdf"
    write_document(document, wrap([segment.text for segment in document.segments]), target, OCR)
    with pikepdf.open(scan) as before, pikepdf.open(target) as after:
        [one], [other] = [
            [obj.read_bytes() for obj in pdf.objects if obj.get("/Subtype") == "/Image"]
            for pdf in (before, after)
        ]
        assert one == other


def test_a_page_on_its_side_is_read_and_written_on_its_side(tmp_path: Path) -> None:
    long = [f"{text} {other}" for text, other in zip(TEXTS, TEXTS[::-1], strict=True)]
    source = scanned(tmp_path / "side.pdf", *long, *long[::-1], turns=1)
    document = read_document(source, OCR)
    assert "The tenant pays the rent" in document.segments[0].text
    given = ["Otro texto de la casa." for _ in document.segments]
    write_document(document, wrap(given), tmp_path / "out.pdf", OCR)
    upright = np.array(picture_of(tmp_path / "out.pdf", turns=-1))
    words = {word.text.strip(".") for word in read_words(upright, "en")}
    assert {"Otro", "texto"} <= words
    assert not {"tenant", "landlord"} & words


def test_without_ocr_a_scan_is_reported_as_one(scan: Path) -> None:
    with pytest.raises(DocumentError) as caught:
        read_document(scan)
    assert caught.value.failure is DocumentFailure.SCAN


def test_a_picture_without_text_is_still_a_scan_and_the_advice_says_why(tmp_path: Path) -> None:
    with pytest.raises(DocumentError) as caught:
        read_document(scanned(tmp_path / "blank.pdf", ""), OCR)
    assert caught.value.failure is DocumentFailure.SCAN
    assert "OCR found no text" in caught.value.advice


def test_a_small_picture_of_text_on_an_empty_page_is_read(scan: Path, tmp_path: Path) -> None:
    def paste(canvas: Canvas) -> None:
        picture = picture_of(scan)
        words = picture.crop((100, 220, 800, 320))
        canvas.drawImage(ImageReader(words), 100, 500, 280, 40)

    path = drawn_pdf(tmp_path / "small.pdf", paste)
    assert [segment.text for segment in read_document(path, OCR).segments] == TEXTS[:1]
    with pytest.raises(DocumentError) as caught:
        read_document(path)
    assert caught.value.failure is DocumentFailure.EMPTY
    assert "--ocr" in caught.value.advice


def test_ocr_works_within_the_limits_of_a_document_and_leaves_no_file(
    scan: Path, tmp_path: Path
) -> None:
    before = set(Path(tempfile.gettempdir()).glob("tess*"))
    document = run(read_document, scan, OCR)
    assert [segment.text for segment in document.segments] == TEXTS
    run(write_document, document, wrap(TRANSLATED), tmp_path / "out.pdf", OCR)
    assert set(Path(tempfile.gettempdir()).glob("tess*")) == before


def test_what_ocr_needs_is_checked_before_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_tesseract("en")
    with pytest.raises(ConfigurationError, match="apt-get install tesseract-ocr tesseract-ocr-xx"):
        check_tesseract("xx")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigurationError, match="tesseract is not installed"):
        check_tesseract("en")


def test_a_real_scan_is_read_and_written(tmp_path: Path) -> None:
    source = shared("documents/pdf/pikepdf__congress-gray.pdf")
    document = read_document(source, OCR)
    texts = [segment.text for segment in document.segments]
    assert any("I transmit herewith, for the consideration of Congress" in text for text in texts)
    assert any(DOUBTFUL in text for text in texts)
    write_document(document, wrap(["Un texto." for _ in texts]), tmp_path / "out.pdf", OCR)
    shown = seen(tmp_path / "out.pdf").lower()
    assert "transmit" not in shown
    assert "communicating" not in shown


def test_an_unsure_word_is_marked_and_not_left_out() -> None:
    def word(text: str, left: float, row: int, confidence: float = 95.0) -> ScannedWord:
        box = Box(left, 700.0 - 14 * row, left + 50, 709.0 - 14 * row)
        return ScannedWord(text, confidence, box, block=1, line=(1, row))

    for confidence, text in ((95.0, "she cannot exclude"), (30.0, "she cannot⍰ exclude")):
        words = [word("she", 100, 0), word("cannot", 155, 0, confidence), word("exclude", 210, 0)]
        (line,) = build_scanned_lines(words)
        assert line.line.text == text
        assert line.is_read
    (end,) = build_scanned_lines([word("for", 100, 0), word("today.)", 155, 0, 30.0)])
    assert end.line.text == "for today⍰.)"
    (scrawl,) = build_scanned_lines([word("she", 100, 0, 30.0), word("left", 155, 0)])
    assert not scrawl.is_read
    (dash,) = build_scanned_lines(
        [word("she", 100, 0), word("-", 155, 0, 20.0), word("left", 210, 0)]
    )
    assert dash.is_read


def blotted(path: Path) -> Path:
    """Draw a paragraph with a blot on one word of its second sentence, one, and one struck out."""
    drawn = path.with_suffix(".drawn")
    canvas = Canvas(str(drawn), pagesize=(400, 300))
    canvas.setFont("Helvetica", 14)
    lines = ["The doctor saw her on Monday.", "She cannot exclude an infection of", "the lung."]
    for row, line in enumerate(lines):
        canvas.drawString(40, 240 - 18 * row, line)
    canvas.drawString(40, 120, TEXTS[0])
    canvas.drawString(40, 60, "Stop warfarin today.")
    for left in range(42, 160, 9):  # a pen went through it
        canvas.line(left, 58, left + 14, 72)
    canvas.save()
    picture = np.array(picture_of(drawn))
    drawn.unlink()
    top, bottom, left, right = (round(n * 150 / 72) for n in (66, 84, 62, 110))
    blot = np.random.default_rng(3).integers(0, 2, picture[top:bottom, left:right].shape)
    picture[top:bottom, left:right] //= (1 + blot).astype(np.uint8) * 2
    page = Canvas(str(path), pagesize=(400, 300))
    page.drawImage(ImageReader(Image.fromarray(picture)), 0, 0, 400, 300)
    page.save()
    return path


def test_sentences_that_ocr_could_hardly_read_wait_for_a_person(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    blotted(tmp_path / "in/letter.pdf")
    settings = Settings(
        target="pt", translator=TranslatorSettings.choose(name="firefox"), documents={"ocr": True}
    )
    job = Job(input=tmp_path / "in", output=tmp_path / "out", settings=settings)
    summary = translate(job)
    assert (summary.documents_partly, summary.sentences_withheld) == (1, 2)
    shown = seen(tmp_path / "out/letter.pdf")
    assert "médico a viu na segunda" in shown.replace("-feira", "")
    assert "paga o aluguel" in shown
    assert "[?]" in shown
    review = tmp_path / "review.tsv"
    assert export_review(job, review).units == 2
    listed = review.read_text("utf-8-sig")
    assert listed.count("withheld: unread") == 2
    assert "⍰ exclude an infection of the lung." in listed
    heading, *rows = [line.split("\t") for line in listed.splitlines()]
    for row in rows:
        is_word = "infection" in row[heading.index("source")]
        row[heading.index("translation")] = (
            "Ela não pode excluir uma infecção do pulmão." if is_word else "Suspender a varfarina."
        )
    written = "\n".join("\t".join(cells) for cells in (heading, *rows)) + "\n"
    review.write_text(written, "utf-8")
    import_review(job, review, "M. Ortega")
    shown = seen(tmp_path / "out/letter.pdf")
    assert "excluir uma" in shown
    assert "Suspender a varfarina" in shown
    assert "[?]" not in shown
    again = translate(job)
    assert (again.documents_partly, again.sentences_withheld) == (0, 0)


def test_a_line_that_nobody_could_read_stays_a_picture_in_a_word_file(tmp_path: Path) -> None:
    options = FormatOptions(source="en", target="pt", ocr=True, pdf_output="docx")
    document = read_document(blotted(tmp_path / "letter.pdf"), options)
    texts = [segment.text for segment in document.segments]
    unread = texts[2]
    assert unread.endswith(DOUBTFUL)
    assert "ocr-lines-unread:1" in document.notices

    def write(text: str) -> tuple[str, int]:
        path = tmp_path / "letter.docx"
        write_document(document, wrap([*texts[:2], text, *texts[3:]]), path, options)
        with zipfile.ZipFile(path) as file:
            pictures = sum(item.file_size for item in file.infolist() if "media" in item.filename)
            return file.read("word/document.xml").decode(), pictures

    left, picture = write(unread)
    typed, rest = write("Suspender a varfarina.")
    assert unread not in left
    assert "Suspender a varfarina." in typed
    assert picture > rest
