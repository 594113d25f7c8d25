"""Workbooks: texts are read and can be replaced; numbers, formulas and what they need stay."""

import re
import zipfile

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from prism_core.alignment import Match, Translation
from prism_core.errors import DocumentFailure
from prism_core.formats.text import Loss
from prism_core.formats.xlsx.cells import RichText
from tests.formats.aligned import aligned, in_order, labelled
from tests.formats.docx_files import member
from tests.formats.office_files import edit, workbook
from tests.formats.rewriting import failure_of, found, texts, translated
from tests.formats.workbooks import (
    FORMAT,
    SHEET,
    STRINGS,
    X,
    book,
    values,
)


def full(tmp_path):
    path = tmp_path / "source.xlsx"
    with workbook(path) as made:
        sheet = made.add_worksheet("Budget of May")
        sheet.write("A1", "A cell")
        sheet.write("A2", 12.5)
        sheet.write_formula("A3", "=A2*2", None, 25)
        sheet.set_header("&LThe header")
        sheet.set_footer("&RThe footer")
        sheet.data_validation(
            "A9", {"validate": "whole", "criteria": ">", "value": 1, "input_message": "Count them"}
        )
        sheet.write_url("B1", "https://example.com", string="A link", tip="Follow it")
        sheet.write_comment("A1", "A note.", {"author": "Ann"})
        sheet.insert_textbox("D1", "A box.", {"description": "What it looks like"})
        chart = made.add_chart({"type": "line"})
        chart.add_series({"values": "='Budget of May'!$A$2:$A$3", "name": "A series"})
        chart.set_title({"name": "A chart"})
        sheet.insert_chart("D9", chart)
        made.set_properties({"title": "A title", "author": "Ann"})
        made.define_name("Rate", "=0.5")
    return path


EVERYTHING = [
    ("cell", "A cell"),
    ("cell", "A link"),
    ("header", "The header"),
    ("footer", "The footer"),
    ("caption", "Follow it"),
    ("comment", "Count them"),
    ("comment", "A note."),
    ("caption", "What it looks like"),
    ("textbox", "A box."),
    ("textbox", "A chart"),
    ("caption", "A series"),
    ("property", "A title"),
]


def test_everything_that_is_shown_is_read_once_with_its_kind(tmp_path):
    source = full(tmp_path)
    assert found(source) == EVERYTHING
    assert FORMAT.read(source).notices == ("sheet-names-kept:1",)


def test_translations_are_seen_by_another_reader_and_nothing_else_is_changed(tmp_path):
    target, notices = translated(tmp_path, full(tmp_path), str.upper)
    assert notices == ()
    assert texts(target) == [text.upper() for _, text in EVERYTHING]
    made = openpyxl.load_workbook(target)
    sheet = made["Budget of May"]
    assert values(target) == [["A CELL", "A LINK"], [12.5], ["=A2*2"]]
    assert sheet["A1"].comment.text == "A NOTE."
    assert sheet["A1"].comment.author == "Ann"
    assert sheet["B1"].hyperlink.target == "https://example.com"
    assert sheet.oddHeader.left.text == "THE HEADER"
    assert (made.properties.title, made.properties.creator) == ("A TITLE", "Ann")
    assert "Rate" in made.defined_names


def test_unchanged_translations_give_the_same_bytes(tmp_path):
    source = full(tmp_path)
    target, notices = translated(tmp_path, source, lambda text: text)
    assert target.read_bytes() == source.read_bytes()
    assert notices == ()


def test_members_without_changes_keep_their_bytes(tmp_path):
    source = full(tmp_path)
    target, _ = translated(tmp_path, source, lambda text: "Celda" if text == "A cell" else text)
    with zipfile.ZipFile(source) as before, zipfile.ZipFile(target) as after:
        assert before.namelist() == after.namelist()
        changed = [name for name in before.namelist() if before.read(name) != after.read(name)]
    assert changed == [STRINGS]


def test_strict_workbooks_are_read_and_stay_strict(tmp_path):
    strict = "http://purl.oclc.org/ooxml/spreadsheetml/main"
    source = book(tmp_path, A1="A strict text.")
    for name in (SHEET, STRINGS, "xl/workbook.xml"):
        edit(source, (name, lambda xml: xml.replace(X, strict)))
    target, _ = translated(tmp_path, source, str.upper)
    assert texts(target) == ["A STRICT TEXT."]
    assert strict in member(target, STRINGS)


# Cells


def test_numbers_codes_addresses_and_file_names_stay(tmp_path):
    codes = ["12.5", "2024-05-01", "AB-123", "x", "—", "SKU_blue", "ann@example.com", "plan.docx"]
    codes += ["https://example.com/a", "C:\\data", "customerId", "12 %"]
    words = ["Total", "and/or", "step-by-step", "2 boxes", "年", "é", "Box 7"]
    source = book(tmp_path, **{f"A{n}": text for n, text in enumerate(codes + words, 1)})
    assert texts(source) == words


def test_cells_that_say_the_same_are_one_segment_and_stay_alike(tmp_path):
    source = book(tmp_path, A1="Blue", A2="Red", A3="Blue")
    inline = '<c r="B1" t="inlineStr"><is><t>Blue</t></is></c></row>'
    edit(source, (SHEET, lambda xml: xml.replace("</row>", inline, 1)))
    assert texts(source) == ["Blue", "Red"]
    target, _ = translated(tmp_path, source, {"Blue": "Azul", "Red": "Rojo"}.get)
    assert values(target) == [["Azul", "Azul"], ["Rojo"], ["Azul"]]


PLACES_OF_ROWS = {
    "as they are": lambda xml: xml,
    "with a comment that looks like rows": lambda xml: xml.replace(
        "<sheetData>", "<!-- <sheetData> --><sheetData>"
    ),
    "with one that looks like their end": lambda xml: xml.replace(
        "</worksheet>", "<!-- </sheetData> --></worksheet>"
    ),
    "with a prefix": lambda xml: re.sub(
        r"<(/?)(?=\w)", r"<\1x:", xml.replace('xmlns="http', 'xmlns:x="http', 1)
    ),
    "with no row": lambda xml: re.sub("<sheetData>.*</sheetData>", "<sheetData/>", xml),
    "in another encoding": lambda xml: xml.replace("UTF-8", "ISO-8859-1"),
}


@pytest.mark.parametrize("what", PLACES_OF_ROWS)
def test_rows_stay_when_something_around_them_changes(tmp_path, what):
    path = tmp_path / "source.xlsx"
    with workbook(path) as made:
        sheet = made.add_worksheet()
        sheet.write_row("A1", ["A cell", 2, 3])
        sheet.write_formula("A2", "=B1*2", None, 4)
        sheet.set_header("&LThe header")
    if what != "as they are":
        edit(path, (SHEET, PLACES_OF_ROWS[what]))
    target, _ = translated(tmp_path, path, lambda t: "El título" if t == "The header" else t)
    pattern = r"<(?:x:)?row.*</(?:x:)?row>"
    kept = [re.findall(pattern, member(file, SHEET), re.S) for file in (path, target)]
    assert kept[0] == kept[1]
    assert values(target) == values(path)
    assert texts(target)[-1] == "El título"


STRINGS_IN_CELLS = """<row r="1" ><c r="A1"  t="inlineStr"><is><t>One &amp; all</t></is>
</c><c r="B1" t="n"><v>2</v></c><c r="C1" t="inlineStr"><is/></c>{comment}
<c r="D1" t="inlineStr"><is><r><t>Two </t></r><r><rPr><b/></rPr><t>words</t></r></is></c></row>"""


@pytest.mark.parametrize("prefix", ["", "x:"])
@pytest.mark.parametrize("comment", ["", "<!-- <is><t>No text</t></is> -->"])
def test_strings_that_stand_in_cells_change_alone(tmp_path, prefix, comment):
    source = book(tmp_path, A1="A shared text")
    rows = STRINGS_IN_CELLS.format(comment=comment)
    edit(source, (SHEET, lambda xml: re.sub("<row.*</row>", rows, xml, flags=re.S)))
    if prefix:
        edit(source, (SHEET, PLACES_OF_ROWS["with a prefix"]))
        rows = re.sub(r"<(/?)(?=\w)", r"<\1x:", rows)
    assert texts(source) == ["One & all", "Two words"]
    target, _ = translated(tmp_path, source, lambda t: t.replace("One & all", "Todos <y>"))
    assert texts(target) == ["Todos <y>", "Two words"]
    written = rows.replace("One &amp; all", "Todos &lt;y&gt;")
    if comment:  # such a sheet is written anew as a whole
        assert "<!-- <" in member(target, SHEET)
    else:
        assert written in member(target, SHEET)


def test_a_long_sheet_is_read_and_written_whole(tmp_path):
    names = [f"Name {'abcdefghij'[n // 100 % 10]}{'klmnopqrst'[n // 10 % 10]}" for n in range(3000)]
    source = book(tmp_path, **{f"A{n}": name for n, name in enumerate(names, 1)})
    target, _ = translated(tmp_path, source, str.upper)
    assert texts(source) == list(dict.fromkeys(names))
    assert values(target) == [[name.upper()] for name in names]


def test_strings_that_no_cell_shows_are_not_text(tmp_path):
    source = book(tmp_path, A1="Shown.")
    edit(source, (STRINGS, lambda x: x.replace("</sst>", "<si><t>A remain.</t></si></sst>")))
    assert texts(source) == ["Shown."]


def test_formatting_inside_a_cell_stays_on_its_words_line_by_line(tmp_path):
    path = tmp_path / "source.xlsx"
    with workbook(path) as made:
        bold = made.add_format({"bold": True})
        parts = [bold, "Name:", " the patient\nof ", bold, "Dr Jones", " today"]
        made.add_worksheet().write_rich_string("A1", *parts)
    assert texts(path) == ["Name: the patient\nof Dr Jones today"]
    target, notices = translated(tmp_path, path, lambda _: "Nombre: el paciente\nde Dr Jones hoy")
    runs = openpyxl.load_workbook(target, rich_text=True).worksheets[0]["A1"].value
    assert [(str(run), bool(getattr(getattr(run, "font", None), "b", False))) for run in runs] == [
        *[("Nombre:", True), (" el paciente\nde ", False), ("Dr Jones", True), (" hoy", False)]
    ]
    assert notices == ()


@pytest.mark.parametrize("answer", ["Uno dos", "Uno\n\ndos\ntres", "Uno"])
def test_a_cell_of_several_formats_says_exactly_its_translation(tmp_path, answer):
    path = tmp_path / "source.xlsx"
    with workbook(path) as made:
        bold = made.add_format({"bold": True})
        made.add_worksheet().write_rich_string("A1", "One\n", bold, "two\n\n", "three\n", "\n four")
    target, notices = translated(tmp_path, path, lambda _: answer)
    assert texts(target) == [answer]
    assert "breaks-moved:1" in notices


def test_escapes_of_the_format_are_read_and_written(tmp_path):
    source = book(tmp_path, A1="Press the key")
    edit(source, (STRINGS, lambda x: x.replace("the", "_x0009_the_x000D_\n_x005F_x0041_")))
    assert texts(source) == ["Press \tthe\n_x0041_ key"]
    target, _ = translated(tmp_path, source, lambda _: "La tecla _x0041_\x00 & <más>")
    assert texts(target) == ["La tecla _x0041_ & <más>"]
    assert "_x005F_x0041_" in member(target, STRINGS)


def test_readings_of_words_that_went_go_with_them(tmp_path):
    source = book(tmp_path, A1="Tokyo")
    reading = '</t><rPh sb="0" eb="1"><t>reading</t></rPh><phoneticPr fontId="1"/>'
    edit(source, (STRINGS, lambda x: x.replace("</t>", reading, 1)))
    assert texts(source) == ["Tokyo"]
    target, _ = translated(tmp_path, source, lambda _: "Tokio")
    assert "reading" not in member(target, STRINGS)


def test_a_text_that_no_cell_can_hold_is_not_written(tmp_path):
    source = book(tmp_path, A1="A cell")
    target, notices = translated(tmp_path, source, lambda _: "a " * 20_000)
    assert values(target) == [["A cell"]]
    assert notices == ("texts-too-long:1",)


# What is refused


DTD = '<!DOCTYPE sst [<!ENTITY a "b">]>'
REFUSED = {
    "no text": (lambda xml: xml.replace("A text.", "12"), DocumentFailure.EMPTY),
    "broken XML": (lambda xml: xml[:-9], DocumentFailure.CORRUPT),
    "a document type": (lambda xml: xml.replace("<sst", DTD + "<sst"), DocumentFailure.CORRUPT),
    "a bomb": (lambda xml: xml + " " * 30_000_000, DocumentFailure.BOMB),
    "deep nesting": (
        lambda xml: xml.replace("<si>", "<si>" * 999).replace("</si>", "</si>" * 999),
        DocumentFailure.CORRUPT,
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_must_not_be_opened_is_refused(tmp_path, what):
    change, expected = REFUSED[what]
    source = edit(book(tmp_path, A1="A text."), (STRINGS, change))
    assert failure_of(FORMAT.read, source) is expected


def test_a_signed_workbook_is_refused(tmp_path):
    source = edit(book(tmp_path, A1="A text."), _xmlsignatures__sig1="<a/>")
    assert failure_of(FORMAT.read, source) is DocumentFailure.SIGNED


NONSENSE = {
    "an index beyond the strings": lambda xml: xml.replace("<v>0</v>", "<v>99</v>"),
    "an endless index": lambda xml: xml.replace("<v>0</v>", f"<v>{'9' * 9999}</v>"),
    "no index": lambda xml: xml.replace("<v>0</v>", ""),
    "a word for an index": lambda xml: xml.replace("<v>0</v>", "<v>one</v>"),
}


@pytest.mark.parametrize("what", NONSENSE)
def test_cells_that_point_nowhere_show_nothing(tmp_path, what):
    source = edit(book(tmp_path, A1="Lost.", A2="Kept."), (SHEET, NONSENSE[what]))
    assert texts(source) == ["Kept."]


def rich(*runs):
    """An ``si`` of ``(text, element of its properties)``."""
    inner = "".join(
        f'<r><rPr><{look}/><sz val="9"/></rPr><t xml:space="preserve">{text}</t></r>'
        for text, look in runs
    )
    return etree.fromstring(f'<si xmlns="{X}">{inner}</si>')


def said(entry):
    """Text and look of every run."""
    return [(run.findtext("{*}t"), etree.QName(run.find("{*}rPr")[0]).localname) for run in entry]


@pytest.mark.parametrize(
    ("runs", "translation", "pairs", "expected"),
    [
        (
            [("Red", "b"), (" house", "i")],
            "Casa roja",
            "Red=roja house=Casa",
            [("Casa ", "i"), ("roja", "b")],
        ),
        (
            [("The ", "x"), ("red", "b"), (" house\nof ", "x"), ("Ann", "i")],
            "La casa roja\nde Ana",
            "red=roja house=casa Ann=Ana",
            [("La casa ", "x"), ("roja\n", "b"), ("de ", "x"), ("Ana", "i")],
        ),
    ],
)
def test_looks_in_a_cell_go_where_their_words_go(runs, translation, pairs, expected):
    entry = rich(*runs)
    cell = RichText(entry)
    assert cell.replace(aligned(cell.text, translation, pairs)) == Loss()
    assert said(entry) == expected


def test_the_name_before_a_note_stays_where_it_is():
    entry = rich(("Ann:", "b"), ("\nRed ", "x"), ("house", "i"))
    note = RichText(entry, "Ann:")
    assert note.text == "Red house"
    note.replace(aligned("Red house", "Casa roja", "Red=roja house=Casa"))
    assert said(entry) == [("Ann:", "b"), ("\n", "x"), ("Casa", "i"), (" roja", "x")]


WORDS = "ab cd éf gh ij kl mn op".split()


@settings(deadline=None)
@given(st.lists(st.sampled_from("bix"), min_size=8, max_size=8), st.permutations(WORDS))
def test_every_word_in_a_cell_keeps_its_look_wherever_it_goes(looks, order):
    entry = rich(*((f"{word} ", look) for word, look in zip(WORDS, looks, strict=True)))
    before, cell = labelled(said(entry)), RichText(entry)
    translation = in_order(cell.text, order)
    assert cell.replace(translation) == Loss()
    assert RichText(entry).text == translation.text
    assert labelled(said(entry)) == before


@settings(deadline=None)
@given(st.data())
def test_a_cell_says_its_translation_whatever_is_aligned(data):
    line = st.text("ab é1\n.(", max_size=8)
    runs = data.draw(st.lists(st.tuples(line, st.sampled_from("bix")), min_size=1, max_size=5))
    entry, translation = rich(*runs), data.draw(line).strip()
    cell = RichText(entry)
    sizes = (len(cell.text), len(cell.text), len(translation), len(translation))
    spans = st.tuples(*(st.integers(0, size) for size in sizes))
    matches = [
        Match((min(a, b), max(a, b)), (min(c, d), max(c, d)))
        for a, b, c, d in data.draw(st.lists(spans, max_size=4))
    ]
    cell.replace(Translation(translation, matches))
    assert RichText(entry).text == translation


def test_a_word_with_a_number_is_no_code(tmp_path):
    source = book(tmp_path, A1="Header1", A2="Quarter 4", A3="AB12", A4="a_1", A5="X1")
    assert texts(source) == ["Header1", "Quarter 4"]
