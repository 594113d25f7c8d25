"""What is not text stays: the XML of zipped formats, the pictures of a PDF, the parts of a mail."""

import email
import mailbox
from collections import Counter

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from benchmarks.packages import compare, shifted, walk
from prism_core.formats import read_document, write_document
from tests.formats.aligned import word_by_word, wrap
from tests.formats.pdf_samples import drawn_pdf, grey_image, lines, together
from tests.formats.rewriting import texts, translated
from tests.formats.samples import SAMPLES

ZIPPED = ("docx", "odt", "pptx", "xlsx", "long docx", "long odt")
NEW_EACH_TIME = {"pdf", "msg"}
"""What is written is a document of another make, even where no text changes."""


@pytest.mark.parametrize("name", ZIPPED)
def test_all_text_goes_away_and_comes_back_and_nothing_else_changes(sources, tmp_path, name):
    target, _ = translated(tmp_path, sources[name], lambda text: word_by_word(text, shifted(text)))
    counts, _ = compare(walk(sources[name]), walk(target))
    assert +counts == Counter()


@pytest.mark.parametrize("name", sorted(set(SAMPLES) - NEW_EACH_TIME))
def test_writing_what_a_written_document_says_gives_its_bytes(sources, tmp_path, name):
    target, _ = translated(tmp_path, sources[name], str.upper)
    document = read_document(target)
    write_document(
        document,
        wrap([segment.text for segment in document.segments]),
        tmp_path / "again",
    )
    assert (tmp_path / "again").read_bytes() == target.read_bytes()


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_texts_that_changed_and_changed_back_are_those_of_the_source(sources, tmp_path, name):
    wanted = texts(sources[name])
    changed, _ = translated(tmp_path, sources[name], str.upper)
    document = read_document(changed)
    back = tmp_path / f"back{changed.suffix}"
    write_document(document, wrap(wanted), back)
    assert texts(back) == wanted


def pictures_of(path):
    """Where each picture of a PDF stands, page by page."""
    document = pypdfium2.PdfDocument(path)
    kinds = [pypdfium2.raw.FPDF_PAGEOBJ_IMAGE]
    return [
        [[round(side) for side in picture.get_bounds()] for picture in page.get_objects(kinds)]
        for page in document
    ]


def test_pages_pictures_and_drawings_of_a_pdf_stay(tmp_path):
    def frame(canvas: Canvas) -> None:
        canvas.rect(60, 400, 200, 100)

    pictures = together(grey_image(100, 100, 50, 50), grey_image(300, 100, 80, 40))
    source = drawn_pdf(
        tmp_path / "source.pdf",
        together(lines("The garden is green."), pictures, frame),
        together(lines("The roof is not."), grey_image(100, 300, 50, 50)),
        grey_image(100, 100, 50, 50),
    )
    target, _ = translated(tmp_path, source, str.upper)
    assert pictures_of(target) == pictures_of(source)
    assert [len(page) for page in pictures_of(target)] == [2, 1, 1]


def tree_of(message):
    """Types, names, dispositions and headers of all parts of a message, less its subject."""
    return [
        (
            part.get_content_type(),
            part.get_filename(),
            part.get_content_disposition(),
            part.get_boundary(),
            [(k, v) for k, v in part.items() if k.lower() not in CHANGING],
        )
        for part in message.walk()
    ]


CHANGING = ("subject", "content-type", "content-transfer-encoding", "content-length")
"""The text of a subject; the letters that a part is written in when new ones come."""


def messages(path):
    if path.suffix == ".mbox":
        return [email.message_from_bytes(bytes(one)) for one in mailbox.mbox(path)]
    return [email.message_from_bytes(path.read_bytes())]


@pytest.mark.parametrize("name", ["eml", "mbox"])
@pytest.mark.parametrize("change", [str.upper, lambda text: text + " \N{SNOWMAN}"])
def test_the_tree_of_a_mail_stays(sources, tmp_path, name, change):
    target, _ = translated(tmp_path, sources[name], change)
    before, after = (list(map(tree_of, messages(path))) for path in (sources[name], target))
    assert after == before
    assert [len(tree) for tree in after] == {"eml": [5], "mbox": [5, 1]}[name]
