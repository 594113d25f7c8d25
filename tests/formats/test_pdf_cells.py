"""Cells of ruled tables in a PDF are whole, whichever way the page or the table is turned."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, Table

from prism_core.formats import format_for
from tests.formats.aligned import wrap
from tests.formats.pdf_samples import drawn_pdf, read_back, spanish, words

PDF = format_for("pdf")
ROWS = (
    ("Service", "What it does for the patient", "Price in Euro"),
    ("Home Visit of a Nurse", "A nurse comes twice a week and changes the dressing", "120.50"),
    ("Exercises after an Operation", "They begin on the day after it, and go on at home", "1,040"),
    ("Transport", "An ambulance takes the patient home", "75"),
)
HEADS = (("Number of Home", "Visits a Month"), ("Median Cost of", "Transport (km)"))
DRUGS = ("Zinc", "Iron", "Folic acid", "Ibuprofen", "Aspirin")
TURNS = {0: (0, 0), 90: (595, 0), 270: (0, 842), 180: (595, 842)}


def turned(angle: int, draw: Callable[[Canvas], object]) -> Callable[[Canvas], None]:
    """What ``draw`` draws, turned on the page."""

    def draw_turned(canvas: Canvas) -> None:
        canvas.translate(*TURNS[angle])
        canvas.rotate(angle)
        draw(canvas)

    return draw_turned


def draw_table(canvas: Canvas) -> None:
    style = ParagraphStyle("cell", fontSize=9, leading=11)
    cells = [[Paragraph(text, style) for text in row] for row in ROWS]
    table = Table(cells, colWidths=[90, 150, 70], style=[("GRID", (0, 0), (-1, -1), 0.5, "black")])
    table.wrapOn(canvas, 500, 500)
    table.drawOn(canvas, 60, 200)


def texts_of(path: Path) -> list[str]:
    return [segment.text for segment in PDF.read(path).segments]


@pytest.mark.parametrize("angle", TURNS)
def test_a_turned_table_has_the_cells_of_an_upright_one(tmp_path, angle):
    path = drawn_pdf(tmp_path / "a.pdf", turned(angle, draw_table))
    assert texts_of(path) == [text for row in ROWS for text in row]


@pytest.mark.parametrize("angle", TURNS)
def test_a_cell_whose_words_all_have_capitals_wraps_as_one_text(tmp_path, angle):
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 9)
        for column, head in enumerate(HEADS):
            for row, text in enumerate(head):
                canvas.drawString(104 + 80 * column, 300 - 10 * row, text)
            canvas.rect(100 + 80 * column, 282, 80, 30)

    path = drawn_pdf(tmp_path / "a.pdf", turned(angle, draw))
    assert texts_of(path) == [" ".join(head) for head in HEADS]


def test_entries_of_a_list_in_a_cell_stay_apart(tmp_path):
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 9)
        for row, text in enumerate(DRUGS):
            canvas.drawString(104, 300 - 10 * row, text)
        canvas.rect(100, 252, 80, 60)

    assert texts_of(drawn_pdf(tmp_path / "a.pdf", draw)) == [*DRUGS]


@pytest.mark.parametrize("angle", TURNS)
def test_a_translated_cell_stays_in_its_cell(tmp_path, angle):
    path = drawn_pdf(tmp_path / "a.pdf", turned(angle, draw_table))
    document = PDF.read(path)
    translations = spanish([segment.text for segment in document.segments])
    notices = PDF.write(document, wrap(translations), tmp_path / "b.pdf")
    assert not [notice for notice in notices if not notice.startswith("blocks-shrunk")]
    assert sorted(words(read_back(tmp_path / "b.pdf")[0])) == sorted(words(" ".join(translations)))
