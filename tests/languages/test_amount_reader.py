"""Amounts are read as one unit, and words that only look like them are left alone."""

from __future__ import annotations

import pytest

from prism_core.languages import amount_reader, load_language

AMOUNTS = [
    ("en", "paid two thousand euros", "two thousand", "AMOUNT", "2000"),
    ("en", "three hundred and fifty of them", "three hundred and fifty", "AMOUNT", "350"),
    ("en", "one hundred and two hundred", "one hundred", "AMOUNT", "100"),
    ("en", "A hundred people", "A hundred", "AMOUNT", "100"),
    ("en", "half a million men", "half a million", "AMOUNT", "500000"),
    ("en", "half a dozen eggs", "half a dozen", "AMOUNT", "6"),
    ("en", "a dozen eggs", "a dozen", "AMOUNT", "12"),
    ("en", "worth $2.5 million now", "2.5 million", "AMOUNT", "2.5"),
    ("en", "four and a half hours", "four and a half", "AMOUNT", "4.5"),
    ("en", "thirty-two percent of all", "thirty-two percent", "PERCENT", "32"),
    ("en", "by 1.5 per cent in May", "1.5 per cent", "PERCENT", "1.5"),
    ("en", "the twenty-first century", "twenty-first", "ORDINAL", "21"),
    ("en", "two thirds of them", "two thirds", "FRACTION", "2/3"),
    ("en", "at half past two", "half past two", "CLOCK", "2:30"),
    ("en", "at a quarter to one", "a quarter to one", "CLOCK", "12:45"),
    ("en", "left at five to seven and went", "five to seven", "CLOCK", "6:55"),
    ("en", "at 7 o'clock", "7 o'clock", "CLOCK", "7:00"),
    ("es", "dos mil euros", "dos mil", "AMOUNT", "2000"),
    ("es", "doscientas cincuenta y seis casas", "doscientas cincuenta y seis", "AMOUNT", "256"),
    ("es", "mil novecientos", "mil novecientos", "AMOUNT", "1900"),
    ("es", "dos mil millones de euros", "dos mil millones de", "AMOUNT", "2000000000"),
    ("es", "2.193,46 millones.", "2.193,46 millones", "AMOUNT", "2193.46"),
    ("es", "medio millón de votos", "medio millón de", "AMOUNT", "500000"),
    ("es", "el veinte por ciento", "veinte por ciento", "PERCENT", "20"),
    ("es", "a las tres y veinte", "tres y veinte", "CLOCK", "3:20"),
    ("es", "a las nueve menos cuarto", "nueve menos cuarto", "CLOCK", "8:45"),
    ("fr", "deux cents personnes", "deux cents", "AMOUNT", "200"),
    ("fr", "quatre-vingt-dix-sept ans", "quatre-vingt-dix-sept", "AMOUNT", "97"),
    ("fr", "2,5 millions d'euros", "2,5 millions d'", "AMOUNT", "2.5"),
    ("fr", "de 7.4 pour cent", "7.4 pour cent", "PERCENT", "7.4"),
    ("fr", "à deux heures et demie", "deux heures et demie", "CLOCK", "2:30"),
    ("de", "zweitausend Euro", "zweitausend", "AMOUNT", "2000"),
    ("de", "zwei Millionen Menschen", "zwei Millionen", "AMOUNT", "2000000"),
    ("de", "um halb drei", "halb drei", "CLOCK", "2:30"),
]


@pytest.mark.parametrize(("language", "text", "whole", "kind", "digits"), AMOUNTS)
def test_an_amount_is_one_unit(
    language: str, text: str, whole: str, kind: str, digits: str
) -> None:
    reader = amount_reader(load_language(language))
    first, *_ = reader.find(text)
    assert (text[first.start : first.end], first.kind, first.digits) == (whole, kind, digits)
    alone = reader.read(whole, kind)
    assert alone is not None
    assert (alone.digits, alone.unit) == (first.digits, first.unit)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "one should never do that"),
        ("en", "wait a second"),
        ("en", "a twenty second delay"),
        ("en", "a couple of hours, hundreds of people"),
        ("en", "one or two of the three"),
        ("en", "he heard Twenty-One Pilots"),
        ("en", "the third party has one third-class ticket"),
        ("en", "at the half mile run, from ten to twelve"),
        ("es", "miles de personas y un centenar"),
        ("es", "las dos casas y las tres niñas"),
        ("es", "18 mil 969"),
        ("es", "dará comienzo a las 20,30 horas"),
        ("es", "una película de dos horas y media"),
        ("fr", "à deux heures de route, réduit à 2 heures 40 minutes"),
        ("de", "die halbe Stadt, das erste Viertel"),
    ],
)
def test_other_words_are_left_alone(language: str, text: str) -> None:
    assert not amount_reader(load_language(language)).find(text)
