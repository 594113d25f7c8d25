"""Reads and rebuilds small workbooks for the tests of that format."""

import openpyxl

from prism_core.formats.xlsx import XlsxFormat
from tests.formats.office_files import workbook

FORMAT = XlsxFormat()
SHEET = "xl/worksheets/sheet1.xml"
STRINGS = "xl/sharedStrings.xml"
X = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def book(tmp_path, **cells):
    """A workbook of one sheet with ``cells``."""
    path = tmp_path / "source.xlsx"
    with workbook(path) as made:
        sheet = made.add_worksheet()
        for place, value in cells.items():
            sheet.write(place, value)
    return path


def values(path, sheet=0):
    """What another reader finds in the cells of one sheet, row by row."""
    rows = openpyxl.load_workbook(path).worksheets[sheet].iter_rows(values_only=True)
    return [[value for value in row if value is not None] for row in rows]
