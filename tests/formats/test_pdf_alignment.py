"""A line grows to the side that the lines around it show, not where it happens to have room."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from prism_core.formats import format_for
from prism_core.formats.pdf.interpreter import interpret_pages
from tests.formats.aligned import wrap
from tests.formats.pdf_samples import PROSE, drawn_pdf, lines, together

PDF = format_for("pdf")
LINE, LONGER = "themembers", "themembersofthesociety"
MIDDLE = 595.2756 / 2
Draw = Callable[[Canvas], object]


def centred(text: str, y: float, x: float = MIDDLE) -> Draw:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 11)
        canvas.drawCentredString(x, y, text)

    return draw


def place(path: Path, text: str) -> tuple[float, float]:
    """Where ``text``, which is a word, begins and ends on the first page."""
    page = next(interpret_pages(path.read_bytes()))
    assert page
    glyphs = page.frames[0]
    start = "".join(glyph.text for glyph in glyphs).index(text)
    return glyphs[start].x0, glyphs[start + len(text) - 1].x1


def find_fixed_side(tmp_path: Path, *parts: Draw) -> str:
    """The side of the line that stays where it was when the line gets longer."""
    source = drawn_pdf(tmp_path / "a.pdf", together(*parts))
    document = PDF.read(source)
    texts = [segment.text.replace(LINE, LONGER) for segment in document.segments]
    PDF.write(document, wrap(texts), tmp_path / "b.pdf")
    (left, right), (new_left, new_right) = (
        place(source, LINE),
        place(tmp_path / "b.pdf", LONGER),
    )
    if abs(left - new_left) < 1:
        return "left"
    if abs(right - new_right) < 1:
        return "right"
    return "center" if abs(left - new_left + right - new_right) < 2 else ""


def cell(canvas: Canvas) -> None:
    canvas.grid([100, 200], [690, 710])


def cells(canvas: Canvas) -> None:
    canvas.grid([100, 200], [670, 690, 710])


@pytest.mark.parametrize(
    ("parts", "side"),
    [
        ([centred(LINE, 780), lines(*PROSE, top=740)], "center"),
        ([centred(LINE, 780), centred("Another title", 760)], "center"),
        ([centred(LINE, 696, x=150), cell, lines("left", x=104, top=676)], "center"),
        ([*(centred(LINE, y, x=150) for y in (696, 676)), cells], "center"),
        (
            [
                *(centred(LINE, 696, x=150), centred("wide heading", 676, x=150), cells),
                lines("A line that begins as the word does by chance", x=119.4, top=500),
            ],
            "center",
        ),
        ([*(lines(LINE, x=112, top=y) for y in (696, 676)), cells], "left"),
        ([lines("•", x=238, top=700), centred(LINE, 700)], "left"),
        ([centred(LINE, 700, x=250), lines(*PROSE, top=740)], "left"),
        ([centred(LINE, 700), lines(LINE.upper(), x=250, top=686)], "center"),
    ],
)
def test_a_line_grows_where_the_lines_around_it_do(tmp_path, parts, side):
    assert find_fixed_side(tmp_path, *parts) == side


def test_a_line_centred_by_chance_stays_at_its_edge(tmp_path):
    wide = lines("x" * 60, x=30, top=740)  # the room left of the line is that on its right
    between = together(lines("a", x=200, top=700), lines("b", x=420, top=700))
    line = lines(LINE, x=286, top=700)
    assert find_fixed_side(tmp_path, wide, between, line) == "left"


def test_a_date_at_the_right_edge_of_the_text_stays_there(tmp_path):
    def date(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 11)
        canvas.drawRightString(577, 780, LINE)

    assert find_fixed_side(tmp_path, date, lines(*PROSE, top=740)) == "right"
