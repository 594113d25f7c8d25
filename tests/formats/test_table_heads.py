"""What stands at the head of a column, or to the left, goes with the cells of every table."""

from pathlib import Path

import pytest

from prism_core.formats import read_document
from prism_core.formats.plain import split_plain
from prism_core.formats.table_heads import heads
from tests.formats import docx_files, odt_files
from tests.formats.aligned import wrap

ROWS = [["Patient", "Record no."], ["Anna", "H-4711"]]
HTML = "<table>{}</table>"
ODT = "<table:table>{}</table:table>"


def _rows(row: str, cell: str) -> str:
    return "".join(row.format("".join(cell.format(text) for text in texts)) for texts in ROWS)


def _docx(path: Path) -> Path:
    table = _rows("<w:tr>{}</w:tr>", "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>")
    return docx_files.word_file(path, docx_files.document(f"<w:tbl>{table}</w:tbl>"))


def _odt(path: Path) -> Path:
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    table = ODT.format(_rows("<table:table-row>{}</table:table-row>", cell))
    return odt_files.text_file(path, odt_files.document(table))


def _written(content: str):
    def write(path: Path) -> Path:
        path.write_text(content, "utf-8")
        return path

    return write


FILES = {
    "a.docx": _docx,
    "a.odt": _odt,
    "a.html": _written(HTML.format(_rows("<tr>{}</tr>", "<td>{}</td>"))),
    "a.md": _written("| Patient | Record no. |\n| --- | --- |\n| Anna | H-4711 |\n"),
    "tabs.txt": _written("Patient\tRecord no.\nAnna\tH-4711\n"),
    "bars.txt": _written("| Patient | Record no. |\n|---|---|\n| Anna | H-4711 |\n"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_cell_comes_with_the_head_of_its_column(name: str, tmp_path: Path) -> None:
    document = read_document(FILES[name](tmp_path / name))
    (cell,) = [one for one in document.segments if one.text == "H-4711"]
    assert cell.heads[0] == "Record no."


def test_a_row_without_a_head_row_is_told_by_its_left_neighbour() -> None:
    assert heads(["Serial", "X4711"], 1, ["Owner 1", "Bo"]) == ("Serial",)
    assert heads(["Room 2", "X4711"], 1, ["Owner 1", "Bo"]) == ()


def test_bars_stay_where_they_were() -> None:
    text = "| Patient | Record no. |\n|---|---|\n| Anna | H-4711 |\n"
    layout = split_plain(text)
    assert layout.join(wrap(["Paciente largo", *layout.texts[1:]])).count("|") == text.count("|")


def test_a_table_ends_where_its_rows_have_other_numbers_of_cells() -> None:
    segments = split_plain("Name\tPlate\nBo\tX1-22\n\nNo.\tTown\tCode\nBo\tYork\tX1-33\n").segments
    assert [one.heads[0] for one in segments if one.text.startswith("X1")] == ["Plate", "Code"]
