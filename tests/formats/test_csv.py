"""Tables as text: which cells are translated, and that everything else stays byte for byte."""

import csv
import io

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import FormatOptions, detect, format_for
from tests.formats.aligned import wrap

TABLE = (
    "\ufeffid;Name;Comment;Score\r\n"
    '1;"Ann Smith";"The food was ""cold""; and late.";1,5\r\n'
    "2;Bob Jones;the staff was very kind;2,5\r\n"
    '3;Cy Young;"Two lines\r\nof one text.";\r\n'
    "4;Dee Hill;=A1;1,0"
)


def translate(path, content, change=str.upper, **options):
    """Write ``path`` with ``content``; return its texts, its notices and the changed bytes."""
    path.write_bytes(content)
    form = format_for(detect(path), FormatOptions(**options))
    document = form.read(path)
    target = path.with_name("target")
    form.write(document, wrap([change(one.text) for one in document.segments]), target)
    return [one.text for one in document.segments], document.notices, target.read_bytes()


def test_the_columns_of_prose_are_translated_and_all_else_stays(tmp_path):
    texts, notices, written = translate(tmp_path / "a.csv", TABLE.encode())
    assert texts == [
        'The food was "cold"; and late.', "the staff was very kind", "Two lines\nof one text.",
    ]  # fmt: skip
    assert notices == ("columns-kept:1", "column-names-kept:4")
    expected = TABLE
    for text in ('The food was ""cold""; and late.', "the staff was very kind",
                 "Two lines\r\nof one text."):  # fmt: skip
        expected = expected.replace(text, text.upper())
    assert written == expected.encode()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_a_table_that_does_not_change_keeps_every_byte(tmp_path, separator, encoding):
    rows = [("id", "note"), ("7", "the café was closed"), ("8", f"one{separator} and then two")]
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\r").writerows(rows)
    content = text.getvalue().encode(encoding)
    texts, _, written = translate(tmp_path / "a.csv", content, str)
    assert texts == [note for _, note in rows[1:]]
    assert written == content


@pytest.mark.parametrize("chosen", [("name", 4), ("NAME ", "score")])
def test_a_setting_chooses_the_columns_by_name_or_number(tmp_path, chosen):
    texts, notices, _ = translate(tmp_path / "a.csv", TABLE.encode(), csv_columns=chosen)
    assert texts == ["Ann Smith", "Bob Jones", "Cy Young", "Dee Hill"]
    assert notices == ("columns-kept:1", "column-names-kept:4")


@pytest.mark.parametrize(
    ("options", "advice"),
    [({}, "documents.csv_columns"), ({"csv_columns": ("diagnosis",)}, "none of the columns")],
)
def test_a_table_without_such_a_column_is_empty_and_the_advice_says_why(tmp_path, options, advice):
    with pytest.raises(DocumentError, match=advice) as caught:
        translate(tmp_path / "a.csv", b"name,age,town\nAnn,7,Bath\nBob,8,York\n", **options)
    assert caught.value.failure is DocumentFailure.EMPTY


@pytest.mark.parametrize(
    "value", ["0xbf24142a", "deposition-note.txt", "Ann de Marco", "2024-03-01 to 2024-04-01",
              "https://example.org/a-page/for-us", "12 High Street, Bath", "A-1 b-2 c-3"],
)  # fmt: skip
def test_codes_names_dates_and_addresses_are_no_prose(tmp_path, value) -> None:
    with pytest.raises(DocumentError) as caught:
        translate(tmp_path / "a.csv", f'id,value\n1,"{value}"\n2,"{value}"\n'.encode())
    assert caught.value.failure is DocumentFailure.EMPTY


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "id,note,end\n1,the dog was here\n2,the cat was here,x\n3,the cow was here\n"),
        ("a.tsv", "# a list, of notes, and ids\n1\tthe dog was here\n2\tthe cat was here\n"),
    ],
)
def test_rows_may_lack_cells_and_the_name_of_a_file_tells_of_tabs(tmp_path, name, content) -> None:
    texts, _, written = translate(tmp_path / name, content.encode())
    assert "the dog was here" in texts
    assert written.decode().count("\t") == content.count("\t")


def test_a_first_row_that_names_the_columns_stays_as_a_whole(tmp_path):
    rows = b"Ward,Reason for visit\nA&E,the wound was not healing\nICU,chest pain since noon\n"
    texts, notices, _ = translate(tmp_path / "a.csv", rows)
    assert texts == ["the wound was not healing", "chest pain since noon"]
    assert "column-names-kept:2" in notices


def test_a_first_row_of_data_is_translated(tmp_path):
    rows = b"1,the dog was not here,2020-01-01\n2,the cat slept all day,2020-01-02\n"
    texts, _, _ = translate(tmp_path / "a.csv", rows)
    assert texts == ["the dog was not here", "the cat slept all day"]


def test_a_row_that_excel_reads_the_separator_from_decides_and_stays(tmp_path):
    content = b"sep=|\nid|note\n1|the first, thing we saw\n2|the last, thing we saw\n"
    texts, _, written = translate(tmp_path / "a.csv", content)
    assert texts == ["the first, thing we saw", "the last, thing we saw"]
    assert written.startswith(b"sep=|\nid|note\n1|THE FIRST")


def test_quote_marks_behind_a_backslash_are_written_so(tmp_path):
    content = b'id,note\n1,"he said \\"no\\", and left"\n2,"she said \\"yes\\" all day"\n'
    texts, _, written = translate(tmp_path / "a.csv", content)
    assert texts == ['he said "no", and left', 'she said "yes" all day']
    assert written == content.replace(b"he said", b"HE SAID").replace(b"sHE", b"SHE").replace(
        b"no\\", b"NO\\").replace(b"and left", b"AND LEFT").replace(
        b"yes\\", b"YES\\").replace(b"all day", b"ALL DAY")  # fmt: skip


def test_a_translation_that_needs_quote_marks_gets_them(tmp_path):
    content = b"id,note\n1,the dog was here\n2,the cat was here\n"
    _, _, written = translate(tmp_path / "a.csv", content, lambda text: f'{text}, "so"')
    assert [row[1] for row in csv.reader(io.StringIO(written.decode()))] == [
        "note", 'the dog was here, "so"', 'the cat was here, "so"',
    ]  # fmt: skip


def test_no_translation_becomes_a_formula(tmp_path):
    content = b"id,note\n1,the dog was here\n2,- the cat was here\n"
    _, _, written = translate(tmp_path / "a.csv", content, lambda text: f"={text}"[-18:])
    assert b"1,'=the dog was here\n" in written
    assert b"2,- the cat was here\n" in written


def test_rows_without_a_separator_in_common_are_refused(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("Dear sir,\n\nThank you, which I read, and liked.\nYours, Ann\nof Bath\n" * 3)
    with pytest.raises(DocumentError, match="no separator in common"):
        detect(path)
