"""What holds for English holds for every source: the leak check, and what a run would restore."""

from __future__ import annotations

import pytest

from prism_core.evaluation import read_answered, role_row
from prism_core.identifiers import DenyList, LeakCheck
from prism_core.language import LanguageModel
from prism_core.languages import load_language
from prism_core.settings import load_settings
from tests.shared_data import shared

NUMBERS = {
    "en": "The number is five five seven, they say.",
    "es": "Dicen que el número es cinco cinco siete.",
    "fr": "On dit que le numéro est cinq cinq sept.",
    "de": "Die Nummer ist, so heißt es, fünf fünf sieben.",
}
LINES = 60


@pytest.mark.parametrize("code", sorted(NUMBERS))
def test_a_number_in_words_and_a_name_of_the_archive_are_leaks(code: str) -> None:
    check, known = LeakCheck(load_language(code)), DenyList()
    known.add("Zurbarrena")

    def leaks(text: str, numbers: list[str]) -> bool:
        return bool(check.find_leaks(text, numbers, known, lambda _word: False))

    assert leaks(NUMBERS[code], ["557"])
    assert not leaks(NUMBERS[code], ["558"])
    assert leaks(f"{NUMBERS[code]} ZURBARRENA", [])
    assert not leaks(NUMBERS[code], [])


@pytest.mark.parametrize(
    ("code", "words", "digits"),
    [
        ("es", "veintitrés dieciséis", "2316"),
        ("fr", "zéro un zéro deux", "0102"),
        ("de", "zwölf fünfunddreißig", "1235"),
        ("de", "dreihundertfünfzig", "350"),
        ("de", "neunzehnhundertachtzig", "1980"),
        ("de", "zweitausendneunzehn", "2019"),
        ("de", "neuntausendneunhundertneunundneunzig", "9999"),
        ("de", "hunderttausendundeins", "100001"),
    ],
)
def test_number_words_with_accents_and_compounds_are_read(
    code: str, words: str, digits: str
) -> None:
    check = LeakCheck(load_language(code))
    assert check.find_leaks(f"so {words} .", [digits], DenyList(), lambda _word: False)
    assert not check.find_leaks(f"so {words} .", ["4711"], DenyList(), lambda _word: False)


@pytest.mark.parametrize("code", ["es", "fr", "de"])
def test_most_words_of_what_a_translator_wrote_are_found_again(code: str) -> None:
    folder = shared(f"wmt/{code}-en")
    text = read_answered(
        folder / f"wmt13.{code}", folder / "wmt13.google.en", LanguageModel.load(code), most=LINES
    )
    flags = {"source": code, "target": "en"}
    row = role_row(load_settings(flags=flags, asks_nobody=True), text, "google")
    assert row["words_found"] > 0.75
    assert 0.55 < row["expected_first_send"] < row["expected_three_draws"] <= 1
