"""A PDF written as a Word file that flows."""

import re
from collections import Counter
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import docx
import pytest
from pikepdf import Array

from prism_core.formats import detect, output_suffix, read_document, write_document
from prism_core.formats.base import FormatOptions
from tests.formats.aligned import wrap
from tests.formats.pdf_samples import PROSE, drawn_pdf, edited, grey_image, lines, together
from tests.shared_data import shared

REAL = (
    "pdfplumber__scotus-transcript-p1.pdf",
    "pdfplumber__ag-energy-round-up-2017-02-24.pdf",
    "pdfplumber__senate-expenditures.pdf",
    "tika__contract.pdf",
    "pdfplumber__issue-53-example.pdf",
)
FLOWING = FormatOptions(pdf_output="docx")
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def flowed(path: Path, translate=lambda text: text) -> tuple[Path, tuple[str, ...]]:
    """``path`` written as a Word file, and the notices."""
    document = read_document(path, FLOWING)
    out = path.with_suffix(".docx")
    texts = [translate(segment.text) for segment in document.segments]
    return out, write_document(document, wrap(texts), out, FLOWING)


def said(path: Path) -> list[str]:
    """The paragraphs of the body of a Word file, those of tables too."""
    body = docx.Document(path).element.body
    texts = ["".join(t.text or "" for t in p.iter(f"{WORD}t")) for p in body.iter(f"{WORD}p")]
    return [text for text in texts if text]


def words(texts) -> list[str]:
    return [word for text in texts for word in re.findall(r"\w+", text)]


def story(*texts, foot="Page {} of 3"):
    """A page with a running header, text and a page number."""

    def page(number):
        return together(
            lines("Agreement of the Parties", top=810, size=9),
            lines(*texts[number - 1], top=700),
            lines(foot.format(number), x=280, top=30, size=9),
        )

    return [page(number) for number in range(1, len(texts) + 1)]


def test_the_segments_are_those_of_the_pdf(tmp_path):
    path = drawn_pdf(tmp_path / "a.pdf", lines("Heading of it", size=20, top=800), lines(*PROSE))
    assert read_document(path, FLOWING) == read_document(path)
    assert output_suffix("pdf", FLOWING) == ".docx"


def test_unchanged_texts_are_all_there_once_and_in_order(tmp_path):
    path = drawn_pdf(
        tmp_path / "a.pdf",
        together(lines("A Heading", size=20, top=800), lines(*PROSE)),
        together(lines("1. First thing to do", "2. Second thing to do"), lines("End.", top=300)),
        title="Annual report",
    )
    out, notices = flowed(path)
    assert detect(out) == "docx"
    read = [segment.text for segment in read_document(out).segments]
    assert words(read) == words(segment.text for segment in read_document(path).segments)
    assert notices == ()


def test_translations_take_the_place_of_the_source(tmp_path):
    path = drawn_pdf(tmp_path / "a.pdf", lines(*PROSE), title="Annual report")
    out, _ = flowed(path, str.upper)
    assert said(out) == [" ".join(PROSE).upper()]
    assert docx.Document(out).core_properties.title == "ANNUAL REPORT"


def test_the_same_bytes_come_out_each_time(tmp_path):
    path = drawn_pdf(tmp_path / "a.pdf", together(lines(*PROSE), grey_image(100, 100, 90, 90)))
    assert flowed(path)[0].read_bytes() == flowed(path)[0].read_bytes()


def test_headings_and_looks_are_kept(tmp_path):
    def coloured(canvas):
        canvas.setFillColorRGB(0.8, 0, 0)
        lines("Warning in red words", top=500, font="Helvetica-BoldOblique")(canvas)

    path = drawn_pdf(
        tmp_path / "a.pdf",
        together(lines("Agreement", size=20, top=800), lines(*PROSE), coloured),
    )
    heading, _, warning = docx.Document(flowed(path)[0]).paragraphs
    assert heading.style.name == "Heading 1"
    assert heading.runs[0].font.size.pt == 20
    font = warning.runs[0].font
    assert (font.bold, font.italic, str(font.color.rgb)) == (True, True, "CC0000")


def test_running_lines_stand_once_in_the_header_and_footer(tmp_path):
    path = drawn_pdf(
        tmp_path / "a.pdf",
        *story(["It begins here."], ["It goes on."], ["It ends here at last."]),
    )
    out, notices = flowed(path)
    section = docx.Document(out).sections[0]
    assert said(out) == ["It begins here.", "It goes on.", "It ends here at last."]
    assert [p.text for p in section.header.paragraphs] == ["Agreement of the Parties"]
    footer = section.footer.paragraphs[0]._p
    assert [f.get(f"{WORD}instr") for f in footer.iter(f"{WORD}fldSimple")] == ["PAGE", "NUMPAGES"]
    assert notices == ()


def test_numbers_stamped_on_pages_are_left_out_and_counted(tmp_path):
    pages = story(["One."], ["Two."], ["Three."], foot="ACME00000{}")
    out, notices = flowed(drawn_pdf(tmp_path / "a.pdf", *pages))
    assert said(out) == ["One.", "Two.", "Three."]
    assert notices == ("page-marks-left-out:3",)


def test_a_sentence_cut_by_the_end_of_a_page_is_one_paragraph(tmp_path):
    cut = [
        [*PROSE, "The members were told of it, and"],
        ["they agreed to all of it. Then they", "left."],
    ]
    out, _ = flowed(drawn_pdf(tmp_path / "a.pdf", *story(*cut, foot="{}")))
    (whole,) = said(out)
    assert "and they agreed" in whole


def test_a_sentence_that_ends_with_its_page_is_not_joined(tmp_path):
    cut = [[*PROSE], ["They agreed to all of it."]]
    assert len(said(flowed(drawn_pdf(tmp_path / "a.pdf", *story(*cut)))[0])) == 2


def test_a_grid_of_lines_becomes_a_table_with_its_merged_cells(tmp_path):
    def grid(canvas):
        canvas.grid([72, 200, 350], [600, 630, 660])
        canvas.line(72, 690, 350, 690)
        canvas.line(72, 660, 72, 690)
        canvas.line(350, 660, 350, 690)
        canvas.drawString(80, 670, "Fees of both parties")
        for x, y, text in (
            (80, 640, "Name"),
            (210, 640, "Amount"),
            (80, 610, "Smith"),
            (210, 610, "1,000"),
        ):
            canvas.drawString(x, y, text)

    out, _ = flowed(drawn_pdf(tmp_path / "a.pdf", together(lines(*PROSE), grid)))
    (table,) = docx.Document(out).tables
    read = [[cell.text for cell in row.cells] for row in table.rows]
    assert read == [["Fees of both parties"] * 2, ["Name", "Amount"], ["Smith", "1,000"]]


def test_columns_without_lines_become_a_table(tmp_path):
    def columns(canvas):
        for row, cells in enumerate((("Item", "Price"), ("Roof", "250"), ("Door", "75"))):
            for x, text in zip((72, 300), cells, strict=True):
                canvas.drawString(x, 600 - 20 * row, text)

    out, _ = flowed(drawn_pdf(tmp_path / "a.pdf", columns))
    (table,) = docx.Document(out).tables
    read = [[cell.text for cell in row.cells] for row in table.rows]
    assert read == [["Item", "Price"], ["Roof", "250"], ["Door", "75"]]


def test_a_line_drawn_last_stands_where_it_is_seen(tmp_path):
    page = together(lines(*PROSE, top=500), lines("Drawn last of all here.", top=700))
    out, _ = flowed(drawn_pdf(tmp_path / "a.pdf", page))
    assert said(out) == ["Drawn last of all here.", " ".join(PROSE)]


def test_columns_are_read_one_after_the_other(tmp_path):
    column = [f"line {number} of the column goes on" for number in range(12)]
    page = together(
        lines("The left one begins here,", *column, x=60),
        lines("and the right one", *column, x=320),
    )
    out, _ = flowed(drawn_pdf(tmp_path / "a.pdf", page))
    assert words(said(out)) == words(
        ["The left one begins here,", *column, "and the right one", *column]
    )


def test_numbers_of_lines_are_left_out_and_counted(tmp_path):
    numbers = [str(number) for number in range(1, 26)]
    page = together(lines(*numbers, x=40), lines(*PROSE, x=72))
    out, notices = flowed(drawn_pdf(tmp_path / "a.pdf", page))
    assert words(said(out)) == words(PROSE)
    assert notices == ("page-marks-left-out:25",)


def test_a_drawing_becomes_a_picture_and_its_labels_text(tmp_path):
    def chart(canvas):
        canvas.line(100, 400, 300, 550)
        canvas.line(300, 550, 400, 420)
        canvas.drawString(180, 500, "Losses")

    out, notices = flowed(drawn_pdf(tmp_path / "a.pdf", together(lines(*PROSE), chart)))
    assert len(docx.Document(out).inline_shapes) == 1
    assert "Losses" in said(out)
    assert notices == ()


def test_white_letters_of_a_dark_box_can_be_read(tmp_path):
    def page(canvas):
        canvas.rect(60, 740, 400, 40, fill=1)
        canvas.setFillColorRGB(1, 1, 1)
        lines("White on black", top=755)(canvas)

    out, _ = flowed(drawn_pdf(tmp_path / "a.pdf", page))
    assert docx.Document(out).paragraphs[0].runs[0].font.color.rgb is None


def test_items_of_a_list_hang_behind_their_number(tmp_path):
    page = lines("1. The first thing that is to be done", "2. The second thing that is to be done")
    first, second = docx.Document(flowed(drawn_pdf(tmp_path / "a.pdf", page))[0]).paragraphs
    assert first.text == "1.\tThe first thing that is to be done"
    assert second.paragraph_format.first_line_indent < 0


def test_a_page_of_no_size_makes_a_file_that_can_be_read(tmp_path):
    def shrink(pdf):
        pdf.pages[0].MediaBox = Array([0, 0, 20, 800])

    path = edited(drawn_pdf(tmp_path / "a.pdf", lines("Small", x=0)), shrink)
    assert said(flowed(path)[0]) == ["Small"]


def test_the_file_names_the_language_of_the_translation(tmp_path):
    path = drawn_pdf(tmp_path / "a.pdf", lines(*PROSE))
    options = FormatOptions(source="en", target="es", pdf_output="docx")
    write_document(read_document(path, options), wrap(["Hola"]), tmp_path / "out.docx", options)
    styles = docx.Document(tmp_path / "out.docx").styles.element
    assert [lang.get(f"{WORD}val") for lang in styles.iter(f"{WORD}lang")] == ["es-ES"]


def test_attachments_are_left_out_and_counted(tmp_path):
    def attach(pdf):
        pdf.attachments["a.txt"] = b"The roof is broken and must be mended."

    path = edited(drawn_pdf(tmp_path / "a.pdf", lines(*PROSE)), attach)
    out, notices = flowed(path)
    assert "attachments-left-out:1" in notices
    assert said(out) == [" ".join(PROSE)]


def test_a_pdf_in_a_mail_stays_one(tmp_path):
    inner = drawn_pdf(tmp_path / "inner.pdf", lines(*PROSE)).read_bytes()
    mail = EmailMessage()
    mail["Subject"], mail["From"] = "The report", "a@example.com"
    mail.set_content("See below.\n")
    mail.add_attachment(inner, maintype="application", subtype="pdf", filename="inner.pdf")
    path = tmp_path / "a.eml"
    path.write_bytes(mail.as_bytes())
    document = read_document(path, FLOWING)
    out = tmp_path / "out.eml"
    write_document(document, wrap([s.text.upper() for s in document.segments]), out, FLOWING)
    (attached,) = message_from_bytes(out.read_bytes(), policy=policy.default).iter_attachments()
    assert attached.get_filename() == "inner.pdf"
    assert attached.get_content().startswith(b"%PDF")
    assert output_suffix("pdf") == ""


@pytest.mark.parametrize("name", REAL)
def test_what_a_real_document_loses_has_a_notice(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(shared(f"documents/pdf/{name}").read_bytes())
    document = read_document(path, FLOWING)
    out, notices = flowed(path)
    got = Counter(words(segment.text for segment in read_document(out).segments))
    want = Counter(words(segment.text for segment in document.segments))
    assert not got - want
    assert notices or got == want


def test_leaders_and_their_figure_follow_the_translated_entry(tmp_path):
    entries = ("Introduction to the method", "Results of the second year")
    rows = [f"{entry} {'.' * 60} {page}" for entry, page in zip(entries, (7, 12), strict=True)]
    out, _ = flowed(drawn_pdf(tmp_path / "a.pdf", lines(*rows)), str.upper)
    assert said(out) == [row.upper() for row in rows]
