"""Pictures within documents: those that may show text are counted, as a place to look at."""

import io
import zipfile

import docx
import openpyxl
import pptx
import pytest
from openpyxl.drawing.image import Image as SheetPicture
from PIL import Image

from prism_core.formats import FormatOptions, detect, format_for
from prism_core.report import count_places
from tests.formats.odt_files import document, text_file


def picture(width: int, height: int) -> io.BytesIO:
    file = io.BytesIO()
    Image.new("L", (width, height), 255).save(file, "PNG")
    file.seek(0)
    return file


def add_to_docx(path, pictures):
    text = docx.Document()
    text.add_paragraph("the letter is below")
    for one in pictures:
        text.add_picture(one)
    text.save(path)


def add_to_pptx(path, pictures):
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "the letter is below"
    for one in pictures:
        slide.shapes.add_picture(one, 0, 0)
    presentation.save(path)


def add_to_xlsx(path, pictures):
    book = openpyxl.Workbook()
    book.active["A1"] = "the letter is below"
    for one in pictures:
        book.active.add_image(SheetPicture(one), "B2")
    book.save(path)


def add_to_odt(path, pictures):
    members = {f"Pictures/{n}.png": one.getvalue() for n, one in enumerate(pictures)}
    text_file(path, document("the letter is below"), members)


@pytest.mark.parametrize(
    ("name", "add"),
    [
        ("a.docx", add_to_docx),
        ("a.pptx", add_to_pptx),
        ("a.xlsx", add_to_xlsx),
        ("a.odt", add_to_odt),
    ],
)
def test_a_picture_of_the_size_of_a_page_is_a_place_to_look_at(tmp_path, name, add) -> None:
    path = tmp_path / name
    add(path, [picture(1240, 400), picture(800, 1100), picture(120, 60)])
    noticed = format_for(detect(path), FormatOptions()).read(path).notices
    assert "pictures-unread:2" in noticed
    assert count_places(noticed) == 2


def test_a_damaged_picture_does_not_stop_its_document(tmp_path) -> None:
    path = tmp_path / "a.docx"
    add_to_docx(path, [picture(1240, 400)])
    damaged = tmp_path / "b.docx"
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(damaged, "w") as package:
        for name in whole.namelist():
            content = whole.read(name)
            package.writestr(name, content[:20] if name.endswith(".png") else content)
    found = format_for(detect(damaged), FormatOptions()).read(damaged)
    assert "the letter is below" in [one.text for one in found.segments]
    assert not any("pictures" in one for one in found.notices)
