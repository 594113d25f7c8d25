"""The words of a file's name: what is sent of it, and what may come back as a name."""

from __future__ import annotations

import pytest

from prism_core.file_names import find_words, fit_name, number_name, rename


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("annual_report.docx", "annual report"),
        ("letters/to the bank/Letter to Ann.odt", "Letter to Ann"),
        ("2024-03-01_quarterly-report_v2.pdf", "quarterly report"),
        ("2024-03-01-annual-report-17.pdf", "annual report"),
        ("follow-up_meeting.txt", "follow-up meeting"),
        ("contract (draft).docx", "contract (draft)"),
        ("(draft) contract.docx", "(draft) contract"),
        ("minutes", "minutes"),
        (".notes.txt", "notes"),
        ("Report v1.2 final", "Report v1.2 final"),
        ("ANNUAL_REPORT_2024.docx", "ANNUAL REPORT"),
        ("children's drawings.txt", "children's drawings"),
        ("informe_año.txt", "informe año"),
    ],
)
def test_the_words_of_a_name_are_read_with_blanks_between_them(path: str, text: str) -> None:
    name = find_words(path)
    assert name is not None
    assert name.text == text


@pytest.mark.parametrize(
    "path",
    [
        "2024-03-01.pdf",
        "IMG_2034.docx",
        "17.txt",
        "NDA-7.docx",
        "A1_B2.xlsx",
        "_-_.txt",
        "x.txt",
        "caf\udce9 report.txt",
        "words only in the folder/0001.eml",
    ],
)
def test_codes_dates_and_numbers_are_no_words(path: str) -> None:
    assert find_words(path) is None


@pytest.mark.parametrize(
    ("path", "translation", "output"),
    [
        ("annual_report.docx", "informe anual", "informe_anual.docx"),
        ("a/2024-03-01_annual-report_v2.pdf", "informe anual", "a/2024-03-01_informe-anual_v2.pdf"),
        ("a/2024-03-01-annual-report-v2.pdf", "informe anual", "a/2024-03-01-informe-anual-v2.pdf"),
        ("letter to Ann.txt", "carta a Ann.", "carta a Ann.txt"),
        (".notes.txt", "notas", ".notas.txt"),
        ("note.msg", "nota", "nota.msg"),
        ("notes", "notas", "notas"),
        ("note.txt", "note", "note.txt"),
        ("note.txt", " ... ", "note.txt"),
    ],
)
def test_words_come_back_joined_as_they_were(path: str, translation: str, output: str) -> None:
    name = find_words(path)
    assert name is not None
    assert rename(path, name, translation) == output


@pytest.mark.parametrize(
    ("translation", "output"),
    [
        ("../../etc/passwd", "d/etc passwd.txt"),
        ("a/b\\c", "d/a b c.txt"),
        ("..", "d/first note.txt"),
        (".hidden note", "d/hidden note.txt"),
        ("-rf note", "d/rf note.txt"),
        ("~root", "d/root.txt"),
        ("one\0two\nthree\x1b[31m", "d/one two three [31m.txt"),
        ('a: "b" <c> | d? *', "d/a b c d.txt"),
        ("evil\u202etxt.exe", "d/eviltxt.exe.txt"),
        ("zero\u200bwidth", "d/zerowidth.txt"),
        ("CON", "d/CON_.txt"),
        ("nul.zip", "d/nul_.zip.txt"),
        ("com¹", "d/com¹_.txt"),
        ("cafe\u0301", "d/café.txt"),
        ("line\u2028break\u00a0blank", "d/line break blank.txt"),
        ("end. ", "d/end.txt"),
        ("", "d/first note.txt"),
    ],
)
def test_what_comes_back_cannot_leave_its_folder_or_hide(translation: str, output: str) -> None:
    path = "d/first note.txt"
    name = find_words(path)
    assert name is not None
    assert rename(path, name, translation) == output


@pytest.mark.parametrize("letter", ["a", "ñ", "語", "e\u0323\u0302", "𝒜"])
def test_a_name_has_no_more_bytes_than_there_is_room_for(letter: str) -> None:
    name = find_words("d/2024_note_1.docx")
    assert name is not None
    for output in (
        rename("d/2024_note_1.docx", name, letter * 300),
        "d/" + fit_name(letter * 300 + ".docx"),
        number_name(f"d/{letter * 84}.docx", 12),
        number_name(f"d/{letter * 300}.docx", 3),
    ):
        last = output.rpartition("/")[2]
        assert len(last.encode()) <= 255
        assert last.endswith(".docx")
        last.encode().decode()  # no letter is cut in two


def test_a_name_begins_with_a_capital_where_it_did_or_the_language_wants_it() -> None:
    name, other = find_words("annual_report.docx"), find_words("Annual report to Ann.docx")
    assert name is not None
    assert other is not None
    assert rename("annual_report.docx", name, "Informe anual") == "informe_anual.docx"
    german = rename("annual_report.docx", name, "Jahresbericht", capital_nouns=True)
    assert german == "Jahresbericht.docx"
    assert rename("Annual report to Ann.docx", other, "Informe a Ann") == "Informe a Ann.docx"
    letter = find_words("letter of Ann.docx")
    assert letter is not None
    assert rename("letter of Ann.docx", letter, "Ann letter") == "Ann letter.docx"


def test_a_number_goes_before_the_suffix() -> None:
    assert number_name("a/contract.docx", 2) == "a/contract (2).docx"
    assert number_name("a.b/contract", 3) == "a.b/contract (3)"
    assert number_name("note.msg.eml", 2) == "note.msg (2).eml"
    assert number_name(".hidden", 2) == ".hidden (2)"
    assert number_name("a/contract.docx", 1) == "a/contract.docx"
