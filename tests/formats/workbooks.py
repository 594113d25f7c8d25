"""Reads and rebuilds small workbooks for the tests of that format."""

import openpyxl

from prism_core.formats.xlsx import XlsxFormat
from tests.formats.office_files import workbook

FORMAT = XlsxFormat()
SHEET = "xl/worksheets/sheet1.xml"
STRINGS = "xl/sharedStrings.xml"
X = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def found(path):
    """Kind and text of every segment."""
    return [(segment.kind, segment.text) for segment in FORMAT.read(path).segments]


def texts(path):
    """The texts of the segments."""
    return [text for _, text in found(path)]


def translated(tmp_path, source, translate):
    """The written file, and the notices; ``translate`` maps a text to its translation."""
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
    """What another reader finds in the cells of one sheet, row by row."""
    rows = openpyxl.load_workbook(path).worksheets[sheet].iter_rows(values_only=True)
    return [[value for value in row if value is not None] for row in rows]
