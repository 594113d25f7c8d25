"""Items of a list in a PDF are never joined over their bullet or number."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from prism_core.formats import format_for
from prism_core.formats.pdf.list_markers import is_marker
from prism_core.formats.pdf.style import Style, find_font
from tests.formats.pdf_samples import PROSE, drawn_pdf, grey_image, lines

PDF = format_for("pdf")
HEAD = "The following people may use the garden"
ITEMS = (
    ("the owner of the house and all of the members of the", "family who live with them"),
    ("every person who lives in the house at the time of the", "sale of the house"),
    ("their children and the other heirs as far as they", "are known to the court"),
)
MARKERS = [
    ("•", "•", "•"),
    ("–", "–", "–"),
    ("·", "·", "·"),
    ("✓", "✓", "✓"),
    ("①", "②", "③"),
    ("1.", "2.", "3."),
    ("a)", "b)", "c)"),
    ("(iv)", "(v)", "(vi)"),
    ("XV.", "XVI.", "XVII."),
    ("2.1", "2.2", "2.3"),
    ("[9]", "[10]", "[11]"),
    ("а)", "б)", "в)"),
    ("α)", "β)", "γ)"),
    ("١-", "٢-", "٣-"),
]


def read(path: Path, *pages) -> list[str]:
    return [segment.text for segment in PDF.read(drawn_pdf(path, *pages)).segments]


@pytest.mark.parametrize("leading", [13, 18])
@pytest.mark.parametrize("hangs", [True, False])
@pytest.mark.parametrize("markers", MARKERS)
def test_items_without_stops_stay_apart(tmp_path, markers, hangs, leading):
    def draw(canvas: Canvas) -> None:
        canvas.setFont(find_font(HEAD + "".join(markers), Style()) or "DejaVuSans", 10)
        canvas.drawString(72, 760, HEAD)
        y = 760
        for marker, rows in zip(markers, ITEMS, strict=True):
            for number, row in enumerate(rows):
                y -= leading
                if hangs:
                    canvas.drawString(102, y, row)
                    if number == 0:
                        canvas.drawString(72, y, marker)
                else:
                    canvas.drawString(72, y, row if number else f"{marker} {row}")

    found = read(tmp_path / "a.pdf", draw)
    for item in map(" ".join, ITEMS):
        assert sum(text.endswith(item) for text in found) == 1


def test_a_sentence_goes_on_with_a_capital_that_looks_like_a_number(tmp_path):
    page = (
        "The doctors agreed that all of the patients need vitamin",
        "A. Then they went home in the rain of the evening, and",
        "none of them came back to the house in the next week.",
    )
    assert read(tmp_path / "a.pdf", lines(*page)) == [" ".join(page)]


def _draw_star(canvas: Canvas, x: float, y: float) -> None:
    path = canvas.beginPath()
    path.moveTo(x, y - 2)
    for dx, dy in ((2, 2), (0, 1), (-2, 2)):
        path.lineTo(x + dx, y + dy)
    path.close()
    canvas.drawPath(path, fill=1, stroke=0)


def _draw_image(canvas: Canvas, x: float, y: float) -> None:
    grey_image(x - 3, y - 3, 6, 6)(canvas)


DRAWN = {
    "dot": lambda canvas, x, y: canvas.circle(x, y, 1.5, fill=1, stroke=0),
    "ring": lambda canvas, x, y: canvas.circle(x, y, 2.5, fill=0),
    "square": lambda canvas, x, y: canvas.rect(x - 2, y - 2, 4, 4, fill=1, stroke=0),
    "box": lambda canvas, x, y: canvas.rect(x - 4, y - 4, 8, 8, fill=0),
    "dash": lambda canvas, x, y: canvas.line(x - 3, y, x + 3, y),
    "arrow": _draw_star,
    "picture": _draw_image,
}
"""Bullets that are no text, around a point."""


FULL = (
    (
        "drink two glasses of water before you leave for the",
        "hospital, and another one when you are back in bed",
    ),
    ("Ask the nurse for the papers that the doctor has signed",),
    ("bring the medicines of the last week with you in a bag",),
    ("Nobody may eat in the six hours before the operation",),
)
"""Items that all end as far on the right as the others."""


@pytest.mark.parametrize("angle", [0, 90])
@pytest.mark.parametrize("leading", [13, 18])
@pytest.mark.parametrize("hangs", [True, False])
@pytest.mark.parametrize("shape", DRAWN)
def test_items_behind_drawn_bullets_stay_apart(tmp_path, shape, hangs, leading, angle):
    def draw(canvas: Canvas) -> None:
        if angle:
            canvas.translate(595, 0)
            canvas.rotate(angle)
        canvas.setFont("Helvetica", 10)
        canvas.drawString(72, 560, HEAD)
        y = 560
        for rows in FULL:
            for number, row in enumerate(rows):
                y -= leading
                canvas.drawString(90 if hangs or not number else 84, y, row)
                if number == 0:
                    DRAWN[shape](canvas, 80, y + 3)

    assert read(tmp_path / "a.pdf", draw) == [HEAD, *map(" ".join, FULL)]


@pytest.mark.parametrize("row", [1, 2])
@pytest.mark.parametrize(
    ("x", "y", "width", "height"),
    [(71, -2, 8, 10), (72, -1.5, 7, 0.5), (72, 3, 7, 0.5), (60, -8, 0.5, 14), (20, 0, 3, 3)],
)
def test_paths_that_are_no_bullets_cut_no_sentence(tmp_path, x, y, width, height, row):
    """Grounds and underlines of a letter, letters struck out, rules and signs in the margin."""

    def draw(canvas: Canvas) -> None:
        canvas.setFillGray(0.8)
        canvas.rect(x, 760 - 14 * row + y, width, height, stroke=0, fill=1)
        canvas.setFillGray(0)
        lines(*PROSE)(canvas)

    assert read(tmp_path / "a.pdf", draw) == [" ".join(PROSE)]


ENTRY_FIGURES = ("1100", "1105", "1724")
ENTRIES = (
    ("(1) Amphetamine, its salts, optical isomers, and salts", "of its optical isomers"),
    ("(2) 3-Methylfentanyl (N-[3-methyl-1-(2-phenylethyl)-4-", "piperidyl]-N-propanamide)"),
    ("(3) Phenmetrazine and each of its salts that a pharmacist", "sells"),
)


@pytest.mark.parametrize("hang", [0, 6, 14])
@pytest.mark.parametrize("leaders", [". . . . . . . . . .", "............", "……………"])
def test_an_entry_goes_on_to_the_line_with_its_leaders_and_ends_there(tmp_path, leaders, hang):
    def draw(canvas: Canvas) -> None:
        canvas.setFont(find_font(leaders, Style()) or "", 8)
        for row, (entry, figure) in enumerate(zip(ENTRIES, ENTRY_FIGURES, strict=True)):
            canvas.drawString(72, 760 - 22 * row, entry[0])
            canvas.drawString(72 + hang, 750 - 22 * row, f"{entry[1]} {leaders} {figure}")
        canvas.drawString(72, 690, "other drugs and their salts are named in the next section")

    wanted = [
        f"{head}{'' if head.endswith('-') else ' '}{tail} {leaders} {figure}"
        for (head, tail), figure in zip(ENTRIES, ENTRY_FIGURES, strict=True)
    ]
    assert read(tmp_path / "a.pdf", draw)[:3] == wanted


@pytest.mark.parametrize("text", ["A", "12 years", "a", "©", "The", "x.y", "vitamin A.", ""])
def test_words_are_no_markers(text):
    assert not is_marker(text)
