"""What was not translated is marked in the document, where it stands, and changes no text of it."""

import re
import zipfile
from pathlib import Path

import openpyxl
import pikepdf
import pytest
from docx import Document as WordDocument
from openpyxl.comments import Comment

from prism_core.alignment import Match, Translation
from prism_core.formats import Mark, mark_places, read_document, write_document
from tests.formats.docx_files import document, paragraph, run, word_file
from tests.formats.rewriting import texts
from tests.formats.samples import SAMPLES

WITHHELD = "Not translated. The translator refuses it."
WITH_COMMENTS = ("docx", "odt", "pdf", "pptx", "rtf", "xlsx")
IN_BRACKETS = re.compile(r"\[Not translated\.[^\]]*\]\s+")


def stayed(text: str) -> Translation:
    return Translation(text, [Match((0, len(text)), (0, len(text)))])


def marked(text: str) -> Translation:
    """``text``, whose last sentence is marked."""
    cut = text.rfind(". ") + 2 if ". " in text else 0
    return mark_places(stayed(text), [Mark((cut, len(text)), WITHHELD)])


def write(source: Path, target: Path) -> int:
    """Write ``source`` with everything in it marked; gives how many places could not be."""
    read = read_document(source)
    said = write_document(read, [marked(segment.text) for segment in read.segments], target)
    return sum(int(n.partition(":")[2]) for n in said if n.startswith("marks-left-out"))


def comments_in(path: Path) -> int:
    """How many comments of ours the file holds, however its format has them."""
    if path.read_bytes()[:4] == b"%PDF":
        with pikepdf.open(path) as pdf:
            notes = [note for page in pdf.pages for note in page.obj.get("/Annots", [])]
            return sum(str(note.get("/T")) == "PRISM" for note in notes)
    if not zipfile.is_zipfile(path):
        return path.read_bytes().count(b"[PRISM] ")
    with zipfile.ZipFile(path) as package:
        return sum(package.read(name).count(b">[PRISM] ") for name in package.namelist())


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_every_place_is_marked_and_no_text_changes(name: str, tmp_path: Path) -> None:
    source, target = tmp_path / "sample", tmp_path / "marked"
    SAMPLES[name](source)
    before = [segment.text for segment in read_document(source).segments]
    left = write(source, target)
    after = texts(target)
    assert [IN_BRACKETS.sub("", text).split() for text in after] == [t.split() for t in before]
    in_text = sum(len(IN_BRACKETS.findall(text)) for text in after)
    beside = comments_in(target)
    assert in_text + beside + left == len(before)
    assert (beside > 0) == (name in WITH_COMMENTS)
    write(source, tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == target.read_bytes()


def test_a_comment_in_word_stands_on_its_sentence_alone(tmp_path: Path) -> None:
    source, target = tmp_path / "a.docx", tmp_path / "b.docx"
    first = paragraph("It is well. The ", run("garden", "<w:b/>"), " is green.")
    word_file(source, document(first, "The roof is not."))
    assert write(source, target) == 0
    write(target, tmp_path / "c.docx")  # beside the comments that are there
    made = WordDocument(str(tmp_path / "c.docx"))
    assert len({comment.comment_id for comment in made.comments}) == 4
    body = made.element.body.xml
    around = re.findall(r'<w:commentRangeStart w:id="(\d+)"/>(.*?)<w:commentRangeEnd', body, re.S)
    shown = {number: "".join(re.findall(r"<w:t\b[^>]*>([^<]*)<", said)) for number, said in around}
    assert [shown["0"], shown["1"]] == ["The garden is green.", "The roof is not."]
    assert [run.text for run in made.paragraphs[0].runs if run.bold] == ["garden"]
    assert texts(target) == texts(source) == texts(tmp_path / "c.docx")
    assert {comment.text for comment in made.comments} == {f"[PRISM] {WITHHELD}"}


def test_notes_of_cells_stand_beside_those_of_people(tmp_path: Path) -> None:
    target = tmp_path / "b.xlsx"
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["A1"] = sheet["B2"] = "The roof is not."
    sheet["A2"] = "The garden is green."
    sheet["A2"].comment = Comment("By a person", "Ann")
    book.create_sheet("More")["C3"] = "The roof is not."
    book.save(tmp_path / "a.xlsx")
    assert write(tmp_path / "a.xlsx", target) == 1, "one cell has a note of a person"
    made = openpyxl.load_workbook(target)
    said = {
        (sheet.title, cell.coordinate): cell.comment.text
        for sheet in made
        for row in sheet
        for cell in row
        if cell.comment
    }
    ours = f"[PRISM] {WITHHELD}"
    assert said.pop(("Sheet", "A2")).endswith("By a person")
    assert said == {("Sheet", "A1"): ours, ("Sheet", "B2"): ours, ("More", "C3"): ours}


def test_what_is_said_in_brackets_has_one_look_and_leaves_those_of_words(tmp_path: Path) -> None:
    plain = Translation("Uno dos. Tres: no.", [Match((0, 3), (0, 3)), Match((9, 14), (9, 13))])
    said = mark_places(plain, [Mark((9, 18), "Unsure: 1.")])
    assert said.text == "Uno dos. [Unsure: 1.] Tres: no."
    shown = [said.text[slice(*match.target)] for match in said.matches]
    assert shown == ["Uno", "[Unsure: 1.]", "Tres"]
    assert mark_places(plain, []) is plain
    (tmp_path / "a.html").write_text("<p>A <i>b: <b>c.</b></i> d</p>")
    read = read_document(tmp_path / "a.html")
    text = read.segments[0].text
    matches = [Match((at, at + 1), (at, at + 1)) for at in (0, 2, 5, 8)]
    wanted = mark_places(Translation(text.upper(), matches), [Mark((0, len(text)), "Unsure: 1.")])
    write_document(read, [wanted], tmp_path / "b.html")
    assert (tmp_path / "b.html").read_text() == "<p>[Unsure: 1.] A <i>B: <b>C.</b></i> D</p>"
