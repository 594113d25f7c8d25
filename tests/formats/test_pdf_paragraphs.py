"""Which lines of a page become one paragraph."""

from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.formats import format_for
from prism_core.formats.pdf.blocks import load_line_ends
from prism_core.languages import load_language
from tests.formats.pdf_samples import PROSE, drawn_pdf, lines, together


def read(path: Path, *pages) -> list[str]:
    return [segment.text for segment in format_for("pdf").read(drawn_pdf(path, *pages)).segments]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.pdf"


def test_a_word_broken_at_the_end_of_a_line_is_mended(path: Path) -> None:
    page = lines("The members decided that the com-", "mittee would meet again in the spring")
    assert read(path, page) == [
        "The members decided that the committee would meet again in the spring"
    ]


def test_a_compound_keeps_its_hyphen(path: Path) -> None:
    page = lines("They asked for a house that is well-", "known for its garden and its trees.")
    assert "well-known" in read(path, page)[0]


def test_how_lines_go_on_is_told_by_the_words_of_the_language_or_of_any() -> None:
    english = load_language("en").line_ends
    assert load_line_ends("en") == english
    assert {"of", "the"} <= english.leads_on
    assert "del" not in english.leads_on
    assert load_line_ends("") == load_line_ends("xx")
    assert {"of", "the", "del"} <= load_line_ends("").leads_on
    assert {"well", "self"} <= english.keeps_hyphen


def test_ligatures_become_letters(path: Path) -> None:
    from reportlab.pdfbase import pdfmetrics

    from prism_core.formats.pdf.style import Style, find_font

    font = find_font("ﬁ", Style())
    assert font in pdfmetrics.getRegisteredFontNames()
    assert read(path, lines("The ﬁrst ﬂoor", font=font)) == ["The first floor"]


def test_a_short_last_line_ends_its_paragraph(path: Path) -> None:
    page = lines(*PROSE, "Then it closed.", *PROSE)
    first, second = read(path, page)
    assert first.endswith("Then it closed.")
    assert second == " ".join(PROSE)


def test_brackets_go_on_to_their_end_however_short_the_lines(path: Path) -> None:
    page = lines("bidi (Complex", "Script", "Language)", "Next entry", "of (an open", "List")
    assert read(path, page)[:2] == ["bidi (Complex Script Language)", "Next entry"]


def test_numbered_lines_of_a_listing_stay_apart(path: Path) -> None:
    listing = ("7: key = derived(key, version, name", "8: key = mixed(key with the other key)")
    assert read(path, lines(*listing)) == list(listing)


def test_a_gap_parts_paragraphs(path: Path) -> None:
    page = together(lines(*PROSE, top=760), lines(*PROSE, top=760 - 3 * 14 - 6))
    assert len(read(path, page)) == 2


def test_a_heading_in_bold_stands_alone(path: Path) -> None:
    heading = lines("What the committee decided about the budget", font="Helvetica-Bold")
    assert read(path, together(heading, lines(*PROSE, top=746)))[0].startswith("What the")
    assert len(read(path, together(heading, lines(*PROSE, top=746)))) == 2


def test_items_of_a_list_stand_alone(path: Path) -> None:
    page = lines("1. The first of the items on the list", "2. The second of the items on the list")
    assert len(read(path, page)) == 2


def test_lines_of_an_address_stand_alone(path: Path) -> None:
    page = lines("Cupertino School District", "1309 Mary Avenue", "Sunnyvale, CA 94087")
    assert len(read(path, page)) == 3


def test_two_columns_are_read_one_after_the_other(path: Path) -> None:
    left = lines("The left column goes on", "and ends with these words")
    right = lines("The right column stands", "beside it on the same page", x=330)
    assert read(path, together(left, right)) == [
        "The left column goes on and ends with these words",
        "The right column stands beside it on the same page",
    ]


def test_rows_of_a_table_are_cells_not_a_paragraph(path: Path) -> None:
    names = lines("soybean oil of the first pressing", "soybean oil of the second pressing")
    prices = lines("30.02", "31.17", x=300)
    texts = read(path, together(names, prices))
    assert sorted(texts) == [
        "30.02",
        "31.17",
        "soybean oil of the first pressing",
        "soybean oil of the second pressing",
    ]


def test_a_rule_between_lines_parts_them(path: Path) -> None:
    def rule(canvas):
        canvas.line(60, 756.5, 400, 756.5)

    rows = lines("the first cell of a table row", "the other cell of a table row")
    assert len(read(path, rows)) == 1
    assert len(read(path, together(rows, rule))) == 2


def test_letters_drawn_twice_to_look_bold_are_read_once(path: Path) -> None:
    page = together(lines("Very important"), lines("Very important", x=72.3))
    assert read(path, page) == ["Very important"]


def test_raised_letters_stay_in_their_word(path: Path) -> None:
    def page(canvas):
        writer = canvas.beginText(72, 700)
        writer.setFont("Helvetica", 12)
        writer.textOut("On the 4")
        writer.setFont("Helvetica", 7)
        writer.setRise(4)
        writer.textOut("th")
        writer.setFont("Helvetica", 12)
        writer.setRise(0)
        writer.textOut(" of July we met")
        canvas.drawText(writer)

    assert read(path, page) == ["On the 4th of July we met"]


def test_a_row_of_spaces_parts_columns(path: Path) -> None:
    page = lines("Make and model        Where it was found", font="Courier")
    assert read(path, page) == ["Make and model", "Where it was found"]


_SPOKEN = (
    (30, "Q.  And when you went back that evening, did you see"),
    (0, "whether the door at the side was open, or was it closed"),
    (0, "the way you had left it in the morning?"),
    (30, "A.  I did not see it. I was on the other side of the"),
    (0, "street with Mrs. Bannerman, who had come up from the"),
    (0, "Hastings train with my sister, and it was dark by then."),
    (90, "THE COURT:  I think that we had better stop at"),
    (0, "this point and come back to it tomorrow."),
) * 2


@pytest.mark.parametrize("drawn", ["line by line", "numbers first", "as one string"])
def test_the_numbers_of_the_lines_of_a_transcript_do_not_cut_its_sentences(path, drawn) -> None:
    def page(canvas):
        canvas.setFont("Courier", 10)
        rows = [(740 - 24 * row, row + 1, *spoken) for row, spoken in enumerate(_SPOKEN)]
        for top, number, indent, text in rows:
            if drawn == "as one string":
                canvas.drawString(72, top, f"{number:2}   {' ' * (indent // 6)}{text}")
            else:
                canvas.drawRightString(84, top, str(number))
                if drawn == "line by line":
                    canvas.drawString(102 + indent, top, text)
        for top, _, indent, text in rows if drawn == "numbers first" else ():
            canvas.drawString(102 + indent, top, text)

    texts = [" ".join(text.split()) for text in read(path, page)]
    whole = [" ".join(text for _, text in _SPOKEN[a:b]) for a, b in ((0, 3), (3, 6), (6, 8))]
    for text in whole:
        assert texts.count(" ".join(text.split())) == 2
    assert {str(number) for number in range(1, 17)} <= set(texts)


def test_the_numbers_of_entries_are_no_numbers_of_lines(path) -> None:
    entries = [f"{n}  The {n}th member of the whole committee, in room {n}" for n in range(1, 21)]
    assert read(path, lines(*entries, leading=24)) == [" ".join(e.split()) for e in entries]


def test_a_line_above_one_with_leaders_is_full_where_its_text_ends(path: Path) -> None:
    entry = ("(1) Medicine that is given to the patient, its salts and salts", "of its forms")
    page = together(
        lines("(2) Any salt of these drugs and the preparations that hold", top=732),
        lines(
            "it in part ............................................................ 4410", top=718
        ),
        lines(entry[0], top=760),
        lines(entry[1] + " " + "." * 86 + " 4411", top=746),
    )
    assert any(text.startswith(" ".join(entry)) for text in read(path, page))


def test_figures_in_the_next_column_make_no_cell_of_prose(path: Path) -> None:
    figures = together(
        *(lines(str(1000 + row), x=400, top=760 - 11 * row) for row in range(4)),
        *(lines(str(2000 + row), x=470, top=760 - 11 * row) for row in range(4)),
    )
    assert " ".join(PROSE) in read(path, together(lines(*PROSE), figures))
