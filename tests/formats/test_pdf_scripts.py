"""Translations in Arabic, Hebrew, Chinese, Japanese and Korean, drawn into PDFs and read again."""

from __future__ import annotations

import ctypes
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pypdfium2
import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import FormatOptions, format_for
from prism_core.formats.pdf.bidi import order_runs, order_words
from prism_core.formats.pdf.shaping import cut_word, list_fonts
from prism_core.formats.pdf.style import find_font
from tests.formats.aligned import wrap
from tests.formats.pdf_samples import PROSE, drawn_pdf, lines

ARABIC = (
    "قررت المحكمة في 14 مارس 2025 أن تدفع شركة Acme مبلغ 1,250.50 (انظر البند 4.2)؛ "
    "القضية 2026-CV-03318، الهاتف +44 20 7946 0958."
)
HEBREW = "בית המשפט קבע ביום 14 במרץ 2025 כי החברה (Acme) תשלם 1,250.50 לתובעת."
JAPANESE = (
    "裁判所は、二〇二五年三月十四日、被告に対し「Acme」社の契約第4.2条に基づく支払いを命じた。"
    "コンピューターの記録は、患者の同意（書面）により、office@example.orgへ送付された。"
)
CHINESE = "法院于2025年3月14日判决，被告应当支付货款（见第4.2条）；双方均未上诉。"
KOREAN = "법원은 2025년 3월 14일 피고에게 계약 제4.2조에 따라 대금을 지급하라고 명령하였다."


def draw(folder: Path, target: str, *texts: str, page: tuple[str, ...] = PROSE) -> Path:
    """A PDF of one paragraph (or a heading) with the translation ``texts``."""
    form = format_for("pdf", FormatOptions(source="en", target=target))
    document = form.read(drawn_pdf(folder / "a.pdf", lines(*page)))
    out = folder / "out.pdf"
    told = form.write(document, wrap(list(texts)), out)
    assert not [notice for notice in told if "unchanged" in notice], told
    return out


class Letter(NamedTuple):
    char: str
    left: float
    right: float
    baseline: int


def drawn_letters(path: Path) -> list[Letter]:
    """The letters that pdfium sees on the first page, and where."""
    x, y = ctypes.c_double(), ctypes.c_double()
    found = []
    with pypdfium2.PdfDocument(path) as document:
        page = document[0].get_textpage()
        for index in range(page.count_chars()):
            char = chr(pypdfium2.raw.FPDFText_GetUnicode(page, index))
            pypdfium2.raw.FPDFText_GetCharOrigin(page, index, x, y)
            left, _, right, _ = page.get_charbox(index)
            if char.strip():
                found.append(Letter(char, left, right, round(y.value)))
    return found


def rows_of(found: list[Letter]) -> dict[int, str]:
    """What each line says, from left to right."""
    rows: dict[int, str] = {}
    for letter in sorted(found, key=lambda letter: letter.left):
        rows[letter.baseline] = rows.get(letter.baseline, "") + letter.char
    return rows


def read(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as document:
        return document[0].get_textpage().get_text_range()


@pytest.mark.parametrize(
    ("target", "text"),
    [("ar", ARABIC), ("he", HEBREW), ("ja", JAPANESE), ("zh", CHINESE), ("ko", KOREAN)],
)
def test_the_letters_on_the_page_are_those_of_the_translation(
    tmp_path: Path, target: str, text: str
) -> None:
    found = read(draw(tmp_path, target, text))
    assert sorted(filter(str.isalnum, found)) == sorted(filter(str.isalnum, text))


def test_arabic_begins_on_the_right_and_its_letters_are_joined(tmp_path: Path) -> None:
    path = draw(tmp_path, "ar", "محكمة", page=("Court",))
    word = sorted(drawn_letters(path), key=lambda letter: -letter.left)
    assert "".join(letter.char for letter in word) == "محكمة"
    with pypdfium2.PdfDocument(path) as document:
        picture = document[0].render(scale=4, grayscale=True).to_numpy().squeeze() < 128
    columns = picture.any(axis=0)
    pieces = sum(columns[1:] & ~columns[:-1])
    assert pieces == 1, "five letters that join without a gap"


def test_a_paragraph_from_the_right_is_flush_right(tmp_path: Path) -> None:
    found = drawn_letters(draw(tmp_path, "ar", f"{ARABIC} {ARABIC}"))
    ends = {row: max(x.right for x in found if x.baseline == row) for row in rows_of(found)}
    assert len(ends) > 2
    assert max(ends.values()) - min(ends.values()) < 2


@pytest.mark.parametrize("code", ["2026-CV-03318", "+44 20 7946 0958", "office@example.org"])
def test_codes_keep_their_order_within_arabic(code: str) -> None:
    line = f"القضية {code} في"
    runs = order_words(line, from_right=True)
    seen = "".join("".join(line[place] for place in places) for places, _ in runs)
    assert code in seen


def test_an_arabic_name_in_a_text_from_the_left_does_not_turn_it_round(tmp_path: Path) -> None:
    path = draw(tmp_path, "es", "El nombre محكمة es árabe", page=("Its name is Arabic",))
    places = {letter.char: letter.left for letter in drawn_letters(path)}
    assert places["E"] < places["ة"] < places["م"] < places["b"]


def test_no_line_of_japanese_begins_with_a_stop_or_ends_with_an_opening_bracket(
    tmp_path: Path,
) -> None:
    rows = rows_of(drawn_letters(draw(tmp_path, "ja", JAPANESE * 3))).values()
    assert len(rows) > 3
    assert not [row for row in rows if row[0] in "、。」）ー" or row[-1] in "「（"]


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("契約、「甲」は。", ["契", "約、", "「甲」", "は。"]),
        ("コンピューター", ["コ", "ン", "ピュー", "ター"]),
        ("第4.2条", ["第", "4.2", "条"]),
        ("계약", ["계약"]),
        ("e-mail", ["e-mail"]),
    ],
)
def test_where_east_asian_words_may_be_cut(word: str, pieces: list[str]) -> None:
    assert cut_word(word) == pieces


CONFORMANCE = """
0061 0062 0063 0020 0028 0064 0065 0066 0020 0627 0628 062C 0029 0020 05D0 05D1 05D2;1;16 15 14 13 12 11 10 9 8 5 6 7 4 3 0 1 2
05D0 05D1 0028 05D2 05D3 005B 0026 0065 0066 005D 002E 0029 0067 0068;0;1 0 2 4 3 5 6 7 8 9 10 11 12 13
05D0 05D1 0028 05D2 05D3 005B 0026 0065 0066 005D 002E 0029 0067 0068;1;12 13 11 10 9 7 8 6 5 4 3 2 1 0
0627 0628 062C 0020 0062 006F 006F 006B 0028 0073 0029;0;2 1 0 3 4 5 6 7 8 9 10
0627 0628 062C 0020 0062 006F 006F 006B 0028 0073 0029;1;4 5 6 7 8 9 10 3 2 1 0
"""  # noqa: E501
"""Of Unicode's BidiCharacterTest.txt: letters, direction of the line, order in which they stand."""


@pytest.mark.parametrize("case", CONFORMANCE.split("\n")[1:-1])
def test_letters_stand_in_the_order_of_unicode(case: str) -> None:
    letters, direction, order = case.split(";")
    line = "".join(chr(int(code, 16)) for code in letters.split())
    seen: list[int] = []
    for places, from_right in order_runs(line, direction == "1"):
        seen += places[::-1] if from_right else places
    assert seen == [int(place) for place in order.split()]


@pytest.mark.parametrize("target", ["th", "hi"])
def test_letters_that_cannot_be_drawn_are_refused_when_a_pdf_is_read(
    tmp_path: Path, target: str
) -> None:
    path = drawn_pdf(tmp_path / "a.pdf", lines(*PROSE))
    with pytest.raises(DocumentError, match="--pdf-output docx") as refused:
        format_for("pdf", FormatOptions(source="en", target=target)).read(path)
    assert refused.value.failure is DocumentFailure.UNREBUILDABLE
    format_for("pdf", FormatOptions(source="en", target=target, pdf_output="docx")).read(path)


@pytest.fixture
def no_fonts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine without fontconfig."""
    monkeypatch.setenv("PATH", "/nowhere")
    list_fonts.cache_clear()
    find_font.cache_clear()
    yield
    list_fonts.cache_clear()
    find_font.cache_clear()


@pytest.mark.usefixtures("no_fonts")
@pytest.mark.parametrize("target", ["ja", "zh", "ko"])
def test_without_a_font_a_pdf_is_refused_when_it_is_read(tmp_path: Path, target: str) -> None:
    path = drawn_pdf(tmp_path / "a.pdf", lines(*PROSE))
    with pytest.raises(DocumentError, match="fonts-droid-fallback"):
        format_for("pdf", FormatOptions(source="en", target=target)).read(path)


@pytest.mark.usefixtures("no_fonts")
def test_arabic_and_hebrew_need_no_font_of_the_machine(tmp_path: Path) -> None:
    assert unicodedata.normalize("NFKC", "بيت") in unicodedata.normalize(
        "NFKC", read(draw(tmp_path, "ar", "بيت", page=("House",)))
    )
