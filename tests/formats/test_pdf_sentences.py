"""Sentences of a PDF stay whole over wide blanks, lines, columns and pages; cells stay apart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from prism_core.alignment import Match, Translation
from prism_core.formats import format_for
from prism_core.formats.pdf.block import PdfBlock
from prism_core.formats.pdf.chains import split_translation
from prism_core.formats.pdf.geometry import Box
from prism_core.formats.pdf.glyphs import Glyph
from prism_core.formats.pdf.interpreter import interpret_pages
from prism_core.formats.pdf.style import Style
from tests.formats.aligned import wrap
from tests.formats.odd_pdfs import page_with, private_bullets
from tests.formats.pdf_samples import (
    PROSE,
    drawn_pdf,
    edited,
    lines,
    read_back,
    spanish,
    together,
    words,
)

PDF = format_for("pdf")
CUT = (
    "The members asked the committee to look into the",
    "old matter of the lease, and to tell them in the",
)
REST = ("summer what it found in the papers of the former", "treasurer of the club.")


def texts(path: Path) -> list[str]:
    return [segment.text for segment in PDF.read(path).segments]


def justified(*rows: str, width: float = 260, top: float = 760, x: float = 72):
    """Draws words one by one with blanks between them that fill ``width``, but in the last row."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 11)
        for number, row in enumerate(rows):
            drawn = row.split()
            free = width - sum(canvas.stringWidth(word, "Helvetica", 11) for word in drawn)
            blank = free / (len(drawn) - 1) if number < len(rows) - 1 else 3
            place = x
            for word in drawn:
                canvas.drawString(place, top - 14 * number, word)
                place += canvas.stringWidth(word, "Helvetica", 11) + blank

    return draw


WIDE = (
    "The responsibilities of the committee, which are",
    "international notwithstanding appearances,",
    "are described by the statutes of all members",
    "and by the law.",
)


def test_wide_blanks_of_justified_lines_are_blanks(tmp_path):
    assert texts(drawn_pdf(tmp_path / "a.pdf", justified(*WIDE))) == [" ".join(WIDE)]


def test_a_value_beside_its_label_below_prose_stays_apart(tmp_path):
    page = together(lines(*PROSE), lines("Total", top=700), lines("30.50", x=300, top=700))
    assert texts(drawn_pdf(tmp_path / "a.pdf", page))[1:] == ["Total", "30.50"]


def test_a_rule_between_two_words_parts_them(tmp_path):
    page = together(lines("Name"), lines("Surname", x=107))
    assert texts(drawn_pdf(tmp_path / "a.pdf", page)) == ["Name Surname"]
    ruled = together(page, lambda canvas: canvas.line(105, 750, 105, 780))
    assert texts(drawn_pdf(tmp_path / "b.pdf", ruled)) == ["Name", "Surname"]


@pytest.mark.parametrize("leading", [16, 20, 26])
def test_lines_set_far_apart_are_one_paragraph(tmp_path, leading):
    assert texts(drawn_pdf(tmp_path / "a.pdf", lines(*PROSE, leading=leading))) == [" ".join(PROSE)]


@pytest.mark.parametrize("on_two_pages", [True, False])
def test_a_sentence_goes_on_in_the_next_column_or_on_the_next_page(tmp_path, on_two_pages):
    if on_two_pages:
        pages = [lines(*CUT, top=100), lines(*REST)]
    else:
        pages = [together(lines(*CUT, top=100), lines(*REST, x=330, top=760))]
    path = drawn_pdf(tmp_path / "a.pdf", *pages)
    whole = " ".join((*CUT, *REST))
    assert texts(path) == [whole]
    out = tmp_path / "out.pdf"
    PDF.write(PDF.read(path), wrap(spanish([whole])), out)
    assert words(" ".join(read_back(out))) == words(spanish([whole])[0])
    assert all(words(text) for text in read_back(out))


def test_what_begins_with_a_capital_on_the_next_page_is_another_text(tmp_path):
    path = drawn_pdf(tmp_path / "a.pdf", lines(*CUT, top=100), lines(*PROSE))
    assert texts(path) == [" ".join(CUT), " ".join(PROSE)]


def test_a_paragraph_over_two_pages_that_comes_back_unchanged_stays_as_it_was(tmp_path):
    path = drawn_pdf(tmp_path / "a.pdf", lines(*CUT, top=100), lines(*REST))
    document = PDF.read(path)
    out = tmp_path / "out.pdf"
    PDF.write(document, [Translation(segment.text) for segment in document.segments], out)
    assert read_back(out) == read_back(path)


def test_a_translation_is_shared_as_the_source_was():
    box = Box(0, 0, 100, 10)
    chain = tuple(PdfBlock(text, box, (box,), 2, 10, Style()) for text in ("a" * 30, "b" * 10))
    assert split_translation("one two three four", chain) == ["one two three", "four"]
    assert split_translation("", chain) == ["", ""]


def test_accents_that_are_drawn_apart_are_put_to_their_letters(tmp_path):
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 11)
        canvas.drawString(72, 760, "V\u00b4")
        canvas.drawString(72 + canvas.stringWidth("V", "Helvetica", 11) - 1, 760, "aclav wrote it")

    assert texts(drawn_pdf(tmp_path / "a.pdf", page)) == ["V\u00e1clav wrote it"]


def test_a_label_in_bold_begins_a_line_of_its_own(tmp_path):
    def page(canvas: Canvas) -> None:
        for row, (label, value) in enumerate(
            (("Office:", "Veterans of war"), ("Agent:", "Veterans of peace"))
        ):
            canvas.setFont("Helvetica-Bold", 11)
            canvas.drawString(72, 760 - 13 * row, label)
            canvas.setFont("Helvetica", 11)
            canvas.drawString(115, 760 - 13 * row, value)

    assert texts(drawn_pdf(tmp_path / "a.pdf", page)) == [
        "Office: Veterans of war",
        "Agent: Veterans of peace",
    ]
    out = tmp_path / "out.pdf"
    PDF.write(PDF.read(tmp_path / "a.pdf"), wrap(["Oficina: Veteranos", "Agente: Paz"]), out)
    assert words(read_back(out)[0]) == ["Oficina", "Veteranos", "Agente", "Paz"]
    (found,) = interpret_pages(out.read_bytes())
    bold = "".join(glyph.text for glyph in found.frames[0] if glyph.style.bold)
    assert bold == "Oficina:Agente:"


def test_words_keep_their_looks_where_they_come_to_stand(tmp_path):
    def page(canvas: Canvas) -> None:
        writer = canvas.beginText(72, 760)
        for text, font, blue, rise in (
            ("The old ", "Helvetica", 0, 0),
            ("house", "Helvetica-Bold", 0, 0),
            (" is very ", "Helvetica", 0, 0),
            ("green", "Times-Italic", 1, 0),
            (" today", "Helvetica", 0, 0),
            ("7", "Helvetica", 0, 4),
        ):
            writer.setFont(font, 7 if rise else 11)
            writer.setFillColorRGB(0, 0, blue)
            writer.setRise(rise)
            writer.textOut(text)
        canvas.drawText(writer)

    source = drawn_pdf(tmp_path / "a.pdf", page)
    document, text = PDF.read(source), "Muy verde es hoy7 la casa vieja"
    (segment,) = document.segments
    pairs = {
        "house": "casa",
        "is": "es",
        "green": "verde",
        "very": "Muy",
        "old": "vieja",
        "today7": "hoy7",
    }

    def span(word: str, within: str) -> tuple[int, int]:
        return within.index(word), within.index(word) + len(word)

    matches = [Match(span(word, segment.text), span(new, text)) for word, new in pairs.items()]
    out = tmp_path / "out.pdf"
    PDF.write(document, [Translation(text, matches)], out)
    (found,) = interpret_pages(out.read_bytes())
    glyphs = found.frames[0]

    def those(wanted: Callable[[Glyph], bool]) -> str:
        return "".join(glyph.text for glyph in glyphs if wanted(glyph)).strip()

    assert those(lambda glyph: glyph.style.bold) == "casa"
    assert those(lambda glyph: glyph.style.italic) == "verde"
    assert those(lambda glyph: glyph.style.colour == (0, 0, 1)) == "verde"
    assert those(lambda glyph: glyph.style.family == "serif") == "verde"
    level = min(glyph.baseline for glyph in glyphs)
    assert those(lambda glyph: glyph.baseline > level + 2) == "7"


def test_a_bold_name_within_a_sentence_and_a_ground_behind_a_word_cut_no_sentence(tmp_path):
    def page(canvas: Canvas) -> None:
        canvas.setFillColorRGB(1, 1, 0)
        canvas.rect(95, 757, 24, 12, stroke=0, fill=1)
        canvas.setFillColorRGB(0, 0, 0)
        canvas.setFont("Helvetica", 11)
        canvas.drawString(72, 760, "This year there was one paper about")
        canvas.setFont("Helvetica-Bold", 11)
        canvas.drawString(72, 746, "Committees of long standing")

    assert texts(drawn_pdf(tmp_path / "a.pdf", page)) == [
        "This year there was one paper about Committees of long standing"
    ]


def test_a_bullet_nobody_can_read_begins_an_item(tmp_path):
    content = b"BT /F1 11 Tf 13 TL 60 700 Td (for lists of items, table rows and notes) Tj "
    content += b"-12 -13 Td (\200) Tj 12 0 Td (for lists of items, table rows and words) Tj ET"
    path = edited(page_with(tmp_path / "a.pdf", content), private_bullets)
    assert texts(path) == [
        "for lists of items, table rows and notes",
        "for lists of items, table rows and words",
    ]
