"""Letters of a PDF that are set apart are read as words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from prism_core.formats import format_for
from tests.formats.pdf_samples import PROSE, drawn_pdf, lines, together

PDF = format_for("pdf")
SIZE = 14.0
FONT = "Helvetica-Bold"
Draw = Callable[[Canvas], None]


def by_operator(text: str, tracking: float) -> Draw:
    """Draws ``text`` with a character spacing of ``tracking`` font sizes."""

    def draw(canvas: Canvas) -> None:
        writer = canvas.beginText(72, 800)
        writer.setFont(FONT, SIZE)
        writer.setCharSpace(tracking * SIZE)
        writer.textLine(text)
        writer.setCharSpace(0)
        canvas.drawText(writer)

    return draw


def by_place(text: str, tracking: float) -> Draw:
    """Draws each letter by itself, and nothing for a space."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont(FONT, SIZE)
        x = 72.0
        for letter in text:
            if letter != " ":
                canvas.drawString(x, 800, letter)
            x += stringWidth(letter, FONT, SIZE) + tracking * SIZE

    return draw


def read(path: Path, *parts: Draw) -> list[str]:
    return [segment.text for segment in PDF.read(drawn_pdf(path, together(*parts))).segments]


@pytest.mark.parametrize("draw", [by_operator, by_place])
@pytest.mark.parametrize("tracking", [0.125, 0.18, 0.24, 0.3])
@pytest.mark.parametrize("text", ["Report of the medical board", "ANNUAL REPORT 2024"])
def test_letters_set_apart_are_words(tmp_path, draw, tracking, text):
    heading, body = read(tmp_path / "a.pdf", draw(text, tracking), lines(*PROSE))
    assert heading == text
    assert body == " ".join(PROSE)


def test_a_heading_set_apart_before_plain_text_on_its_line_is_a_word(tmp_path):
    def draw(canvas: Canvas) -> None:
        writer = canvas.beginText(72, 800)
        for text, spacing in (("REPORT", 2.0), (" The board met.", 0.0)):
            writer.setFont("Helvetica", 11)
            writer.setCharSpace(spacing)
            writer.textOut(text)
        canvas.drawText(writer)

    assert read(tmp_path / "a.pdf", draw) == ["REPORT The board met."]


def test_words_of_one_letter_stay_words(tmp_path):
    text = "I ask if x or y or a is a part of it"
    assert read(tmp_path / "a.pdf", by_place(text, 0.0)) == [text]


@pytest.mark.parametrize(("tracking", "issued"), [(0.3, ()), (0.6, ("letters-apart:1",))])
def test_letters_too_far_apart_are_noticed(tmp_path, tracking, issued):
    page = together(by_operator("Report of the board", tracking), lines(*PROSE))
    assert PDF.read(drawn_pdf(tmp_path / "a.pdf", page)).notices == issued


@pytest.mark.parametrize("tracking", [0.05, 0.1, 0.125, 0.2, 0.3])
@pytest.mark.parametrize("size", [9, 11, 14])
@pytest.mark.parametrize("font", ["Helvetica", "Courier"])
def test_initials_and_gaps_as_wide_as_the_least_between_words_are_none(
    tmp_path, font, size, tracking
):
    texts = ("Dr. Smith, M.D.", "What is to be done now?", "INVOICE No. 5531")

    def draw(canvas: Canvas) -> None:
        canvas.setFont(font, size)
        for row, text in enumerate(texts):
            canvas.drawString(72, 780 - 40 * row, text, charSpace=tracking * size)

    assert read(tmp_path / "a.pdf", draw) == [*texts]
