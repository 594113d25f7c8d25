"""Workbooks: texts are read and can be replaced; numbers, formulas and what they need stay."""

import re
import zipfile

import openpyxl
import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.xlsx import XlsxFormat
from tests.formats.docx_files import member
from tests.formats.office_files import declare, edit, workbook

FORMAT = XlsxFormat()
SHEET = "xl/worksheets/sheet1.xml"
STRINGS = "xl/sharedStrings.xml"
X = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def found(path):
    return [(segment.kind, segment.text) for segment in FORMAT.read(path).segments]


def texts(path):
    return [text for _, text in found(path)]


def translated(tmp_path, source, translate):
    read = FORMAT.read(source)
    target = tmp_path / "translated.xlsx"
    answers = [translate(segment.text) for segment in read.segments]
    return target, FORMAT.write(read, answers, target)


def book(tmp_path, **cells):
    """A workbook of one sheet with ``cells``."""
    path = tmp_path / "source.xlsx"
    with workbook(path) as made:
        sheet = made.add_worksheet()
        for place, value in cells.items():
            sheet.write(place, value)
    return path


def values(path, sheet=0):
    rows = openpyxl.load_workbook(path).worksheets[sheet].iter_rows(values_only=True)
    return [[value for value in row if value is not None] for row in rows]


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


# What depends on cells


def test_what_a_formula_compares_a_cell_with_stays(tmp_path):
    source = book(tmp_path, A1="Yes", A2="no", A3="Maybe later", B1='=IF(A1="yes",1,"Good")')
    with_list = '<dataValidations><dataValidation type="list" sqref="C1"><formula1>"No,Both"'
    with_list += "</formula1></dataValidation></dataValidations><pageMargins "
    edit(source, (SHEET, lambda xml: xml.replace("<pageMargins ", with_list)))
    assert texts(source) == ["Maybe later"]
    assert FORMAT.read(source).notices == ("cells-kept-for-formulas:2",)


def test_formulas_that_show_text_are_worked_out_anew_on_opening(tmp_path):
    path = tmp_path / "source.xlsx"
    with workbook(path) as made:
        sheet = made.add_worksheet()
        sheet.write("A1", "Garden")
        sheet.write_formula("A2", '=A1&"!"', None, "Garden party")
    assert FORMAT.read(path).notices == ("formula-texts-untranslated:1",)
    edit(path, ("xl/workbook.xml", lambda xml: re.sub(r"<calcPr[^>]*>", "", xml)))
    target, _ = translated(tmp_path, path, str.upper)
    main = member(target, "xl/workbook.xml")
    assert re.search(r'</sheets><calcPr fullCalcOnLoad="1"/>', main)
    assert "<v>Garden party</v>" in member(target, SHEET)


def table(tmp_path, headers, **options):
    path = tmp_path / "source.xlsx"
    with workbook(path) as made:
        sheet = made.add_worksheet()
        columns = [{"header": header} for header in headers]
        sheet.add_table(2, 1, 5, len(headers), {"columns": columns} | options)
        sheet.write("J1", "=SUM(Table1[Amount])")
    return path


def heads(path):
    sheet = openpyxl.load_workbook(path).worksheets[0]
    (made,) = sheet.tables.values()
    cells = sheet[made.ref][0]
    return [column.name for column in made.tableColumns], [cell.value for cell in cells]


def test_columns_of_tables_are_called_what_their_heads_say(tmp_path):
    source = table(tmp_path, ["First name", "Town of birth"])
    target, _ = translated(tmp_path, source, {"First name": "Nombre", "Town of birth": "Lugar"}.get)
    assert heads(target) == (["Nombre", "Lugar"],) * 2


def test_columns_that_would_be_called_the_same_are_told_apart(tmp_path):
    source = table(tmp_path, ["Sum", "Total", "Suma"])
    target, _ = translated(tmp_path, source, {"Sum": "Suma", "Total": "SUMA", "Suma": "Suma"}.get)
    names, cells = heads(target)
    assert names == cells == ["Suma2", "SUMA3", "Suma"]


def test_columns_that_formulas_name_stay(tmp_path):
    source = table(tmp_path, ["Amount", "Region"])
    assert texts(source) == ["Region"]
    target, _ = translated(tmp_path, source, str.upper)
    assert heads(target) == (["Amount", "REGION"],) * 2


def test_heads_of_several_lines_are_columns_too(tmp_path):
    source = table(tmp_path, ["Name", "Town"])
    edit(
        source,
        (STRINGS, lambda xml: xml.replace("Name", "First\nname")),
        ("xl/tables/table1.xml", lambda xml: xml.replace('"Name"', '"First_x000a_name"')),
    )
    target, _ = translated(tmp_path, source, str.upper)
    assert 'name="FIRST_x000a_NAME"' in member(target, "xl/tables/table1.xml")


def test_labels_of_charts_and_values_of_filters_follow_their_cells(tmp_path):
    path = tmp_path / "source.xlsx"
    with workbook(path) as made:
        sheet = made.add_worksheet()
        for row, (label, number) in enumerate([("East side", 1), ("West side", 2)]):
            sheet.write_row(row, 0, [label, number])
        chart = made.add_chart({"type": "pie"})
        chart.add_series({"categories": "=Sheet1!$A$1:$A$2", "values": "=Sheet1!$B$1:$B$2"})
        sheet.insert_chart("D1", chart)
        sheet.autofilter("A1:B2")
        sheet.filter_column_list("A", ["West side"])
    assert texts(path) == ["East side", "West side"]
    target, _ = translated(tmp_path, path, {"East side": "Este", "West side": "Oeste"}.get)
    labels = re.findall(r"<c:v>([^<]*)<", member(target, "xl/charts/chart1.xml"))
    assert labels == ["Este", "Oeste", "1", "2"]
    assert '<filter val="Oeste"/>' in member(target, SHEET)


def test_names_of_fields_of_pivot_tables_stay(tmp_path):
    source = book(tmp_path, A1="Region", A2="East side")
    cache = f'<pivotCacheDefinition xmlns="{X}"><cacheFields><cacheField name="Region"/>'
    name = "xl/pivotCache/pivotCacheDefinition1.xml"
    office = "application/vnd.openxmlformats-officedocument.spreadsheetml.pivotCacheDefinition+xml"
    part = cache + "</cacheFields></pivotCacheDefinition>"
    edit(source, declare(name, office), **{name[:-4].replace("/", "__"): part})
    assert texts(source) == ["East side"]
    assert FORMAT.read(source).notices == (
        "cells-kept-for-formulas:1",
        "pivot-tables-untranslated:1",
    )


# Around cells


HEADERS = {
    "a number": ("&CPage &P", "Page 1", "Página 1", "&CPágina &P"),
    "two numbers": ("&CPage &P of &N", "Page 1 of 2", "Página 1 de 2", "&CPágina &P de &N"),
    "turned numbers": ("&CPage &P of &N", "Page 1 of 2", "De 2, la 1", None),
    "lost numbers": ("&CPage &P of &N", "Page 1 of 2", "Una página", None),
    "a font and a size": ('&L&"Arial,Bold"&12Plan', "Plan", "El plan", '&L&"Arial,Bold"&12El plan'),
    "a digit behind a size": ("&L&12Plan", "Plan", "2 planes", "&L&12 2 planes"),
    "an ampersand": ("&RR&&D plan", "R&D plan", "plan de I&D", "&Rplan de I&&D"),
    "a colour": ("&C&K01+034A &KFF0000red&K000000", "A red", "Un rojo", None),
    "no section": ("Plan", "Plan", "El plan", "El plan"),
    "a date": ("&LPrinted on &D", "Printed on", "Impreso el", "&LImpreso el &D"),
}


@pytest.mark.parametrize("what", HEADERS)
def test_codes_of_headers_stay_around_their_text(tmp_path, what):
    before, text, answer, after = HEADERS[what]
    path = tmp_path / "source.xlsx"
    with workbook(path) as made:
        made.add_worksheet().set_header(before)
    assert found(path) == [("header", text)]
    target, _ = translated(tmp_path, path, lambda _: answer)
    header = re.search(r"<oddHeader>(.*)</oddHeader>", member(target, SHEET))[1]
    header = header.replace("&amp;", "&")
    codes = re.compile(r'&(?!&)(?:"[^"]*"|\d+|K[\dA-F]{6}|K\d\d[+-]\d{3}|[A-Z])')
    assert codes.findall(header.replace("&&", "")) == codes.findall(before.replace("&&", ""))
    assert after is None or header == after


def test_parts_of_a_header_are_texts_of_their_own_alike_on_all_sheets(tmp_path):
    path = tmp_path / "source.xlsx"
    with workbook(path) as made:
        for _ in range(2):
            made.add_worksheet().set_header("&LLeft&CMiddle&RRight &A")
    assert texts(path) == ["Left", "Middle", "Right"]
    target, _ = translated(tmp_path, path, str.upper)
    for number in (1, 2):
        xml = member(target, f"xl/worksheets/sheet{number}.xml")
        assert "&amp;LLEFT&amp;CMIDDLE&amp;RRIGHT &amp;A<" in xml


@pytest.mark.parametrize("long", ["header", "prompt"])
def test_what_would_be_too_long_for_its_place_is_not_written(tmp_path, long):
    path = tmp_path / "source.xlsx"
    with workbook(path) as made:
        sheet = made.add_worksheet()
        if long == "header":
            sheet.set_header("&LShort")
        else:
            sheet.data_validation("A1", {"validate": "any", "input_title": "Short"})
    target, notices = translated(tmp_path, path, lambda _: "very long " * 40)
    assert notices == ("texts-too-long:1",)
    assert texts(target) == ["Short"]


def test_the_author_before_a_note_is_no_text(tmp_path):
    path = tmp_path / "source.xlsx"
    with workbook(path) as made:
        made.add_worksheet().write_comment("A1", "Ann Smith:\nCheck it.", {"author": "Ann Smith"})
    assert texts(path) == ["Check it."]
    target, _ = translated(tmp_path, path, lambda _: "Compruébelo.")
    assert "Ann Smith:\nCompruébelo." in member(target, "xl/comments1.xml")


def test_a_thread_is_read_once_and_the_note_that_stands_in_for_it_follows(tmp_path):
    path = tmp_path / "source.xlsx"
    note = "[Threaded comment]\n\nYour version is old.\n\nComment:\n    Is it?\nReply:\n    It is."
    with workbook(path) as made:
        made.add_worksheet().write_comment("A1", note, {"author": "tc={1}"})
    comments = (
        '<ThreadedComments xmlns="t"><threadedComment ref="A1" id="{1}"><text>Is it?</text>'
        '</threadedComment><threadedComment ref="A1" id="{2}" parentId="{1}"><text>It is.</text>'
        "</threadedComment></ThreadedComments>"
    )
    office = "application/vnd.ms-excel.threadedcomments+xml"
    name = "xl/threadedComments/threadedComment1.xml"
    edit(path, declare(name, office), **{name[:-4].replace("/", "__"): comments})
    assert found(path) == [("comment", "Is it?"), ("comment", "It is.")]
    target, _ = translated(tmp_path, path, {"Is it?": "¿Lo es?", "It is.": "Lo es."}.get)
    assert "Comment:\n    ¿Lo es?\nReply:\n    Lo es." in member(target, "xl/comments1.xml")


# What is refused


def failure_of(call, *args):
    with pytest.raises(DocumentError) as caught:
        call(*args)
    assert caught.value.__cause__ is None
    return caught.value.failure


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
