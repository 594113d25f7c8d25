"""Items of a list in a PDF are never joined over their bullet or number."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from prism_core.formats import format_for
from prism_core.formats.pdf.glyphs import Glyph
from prism_core.formats.pdf.interpreter import interpret_pages
from prism_core.formats.pdf.list_markers import is_marker
from prism_core.formats.pdf.style import Style, find_font
from tests.formats.aligned import wrap
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
    ("№ 1", "№ 2", "№ 3"),
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


LEADERS = [". . . . . . . . . .", "............", "……………", "· · · · · · · ·"]


@pytest.mark.parametrize("hang", [0, 6, 14])
@pytest.mark.parametrize("apart", [0, 9])
@pytest.mark.parametrize("leaders", LEADERS)
def test_an_entry_goes_on_to_the_line_with_leaders_which_are_no_text(
    tmp_path, leaders, hang, apart
):
    def draw(canvas: Canvas) -> None:
        canvas.setFont(find_font(leaders, Style()) or "", 8)
        for row, (entry, figure) in enumerate(zip(ENTRIES, ENTRY_FIGURES, strict=True)):
            canvas.drawString(72, 760 - 22 * row, entry[0])
            canvas.drawString(
                72 + hang, 750 - 22 * row, f"{entry[1]} {leaders}{' ' * apart}{figure}"
            )
        canvas.drawString(72, 690, "other drugs and their salts are named in the next section")

    wanted = [f"{head}{'' if head.endswith('-') else ' '}{tail}" for head, tail in ENTRIES]
    found = [text for text in read(tmp_path / "a.pdf", draw) if text not in ENTRY_FIGURES]
    assert found[:3] == wanted


@pytest.mark.parametrize(
    "change", [lambda text: text[:9], lambda text: f"{text} and its other salts"]
)
@pytest.mark.parametrize("leaders", LEADERS)
@pytest.mark.parametrize("figure", ["17", "xiv", "A-3", ""])
def test_leaders_run_from_a_translated_entry_to_its_figure(tmp_path, leaders, figure, change):
    entries = ("Introduction to the method", "Results of the second year")

    def draw(canvas: Canvas) -> None:
        canvas.setFont(find_font(leaders, Style()) or "", 9)
        for row, entry in enumerate(entries):
            dots = leaders[0] + " " * (leaders[1] == " ")
            line = f"{entry} {dots * int(200 / canvas.stringWidth(dots))}{figure}"
            canvas.drawString(72, 760 - 14 * row, line)

    source, target = drawn_pdf(tmp_path / "a.pdf", draw), tmp_path / "b.pdf"
    document = PDF.read(source)
    assert [segment.text for segment in document.segments] == [*entries]
    notices = PDF.write(document, wrap([*map(change, entries)]), target)
    assert notices == ()
    before, after = (_find_rows(path) for path in (source, target))
    for row, entry in enumerate(entries):
        text, ends = after[row]
        assert text.startswith(change(entry))
        assert text.endswith(figure)
        assert set(text.removeprefix(change(entry)).removesuffix(figure)) <= {leaders[0], " "}
        assert text.count(leaders[0]) >= 5
        assert abs(ends - before[row][1]) < 3


def _find_rows(path: Path) -> list[tuple[str, float]]:
    """Text of each row of a page, and where it ends."""
    page = next(interpret_pages(path.read_bytes()))
    assert page
    rows: dict[int, list[Glyph]] = {}
    for glyph in page.frames[0]:
        rows.setdefault(round(glyph.baseline), []).append(glyph)
    found = (
        sorted(row, key=lambda glyph: glyph.x0) for _, row in sorted(rows.items(), reverse=True)
    )
    return [("".join(glyph.text for glyph in row).strip(), row[-1].x1) for row in found]


@pytest.mark.parametrize("text", ["A", "12 years", "a", "©", "The", "x.y", "vitamin A.", ""])
def test_words_are_no_markers(text):
    assert not is_marker(text)
