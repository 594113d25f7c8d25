"""What depends on cells stays true, and what stands around them is read and replaced."""

import re

import openpyxl
import pytest

from tests.formats.docx_files import member
from tests.formats.office_files import declare, edit, workbook
from tests.formats.rewriting import found, texts, translated
from tests.formats.workbooks import (
    FORMAT,
    SHEET,
    STRINGS,
    X,
    book,
)

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
