"""Amounts come back in the words of the target language, beside the noun that they count."""

from __future__ import annotations

import pytest

from prism_core.decoding import decode
from prism_core.dictionary import Dictionary, Entry, Form
from prism_core.languages import load_language
from prism_core.record import Encoded, Fate, Kind, Replacement
from tests.words import names


def noun(word: str, form: str, gender: str) -> Entry:
    features = (f"Gender={gender}", "Number=Plur", "noun")
    return Entry(word, "NNS", (Form(form, 9, features),), "", 0.9, 1)


def back(
    answer: str,
    amount: str,
    substitute: str,
    *,
    tag: str = "AMOUNT",
    counted: tuple[str, str, str] | None = None,
    pair: str = "en-es",
) -> str:
    """Decode ``answer``: an amount, and the noun it counts, as (original, form, gender)."""
    source, _, target = pair.partition("-")
    entries = [noun("dogs", "perros", "Masc"), *names()]
    record = [Replacement(0, 2, amount, substitute, Kind.NUMBER, tag)]
    if counted:
        entries.append(noun(*counted))
        record.append(Replacement(2, 1, counted[0], "dogs", Kind.WORD, "NNS"))
    made = Dictionary(entries, {"target": target}, "test", load_language(source))
    fates = (Fate.IDENTIFIER, Fate.IDENTIFIER, Fate.REPLACED if counted else Fate.KEPT)
    return decode(Encoded("", tuple(record), fates), answer, made).text


@pytest.mark.parametrize(
    ("pair", "amount", "answer", "expected"),
    [
        ("en-es", "two thousand", "43 euros", "dos mil euros"),
        ("en-fr", "two thousand", "43 euros", "deux mille euros"),
        ("en-de", "two thousand", "43 Euro", "zweitausend Euro"),
        ("en-pt", "a hundred", "43 euros", "cem euros"),
        ("es-en", "dos mil", "43 euros", "two thousand euros"),
        ("en-es", "two million", "43 euros", "dos millones de euros"),
        ("en-fr", "two million", "43 euros", "deux millions d'euros"),
        ("en-de", "2.5 million", "43 Euro", "2,5 Millionen Euro"),
        ("en-pt", "1.5 million", "43 euros", "1,5 milhão de euros"),
        ("en-es", "2.5 billion", "43 euros", "2.500 millones de euros"),
        ("es-en", "2.500 millones de", "43 euros", "2,500 million euros"),
        ("en-es", "300 thousand", "43 euros", "300.000 euros"),
        ("en-es", "two and a half", "43 euros", "2,5 euros"),
        ("en-es", "A hundred", "43 euros", "Cien euros"),
    ],
)
def test_an_amount_has_the_words_of_the_target(
    pair: str, amount: str, answer: str, expected: str
) -> None:
    assert back(answer, amount, "43", pair=pair) == expected


@pytest.mark.parametrize(
    ("counted", "expected"),
    [
        (("apples", "manzanas", "Fem"), "doscientas manzanas"),
        (("books", "libros", "Masc"), "doscientos libros"),
        (("things", "cosas", "None"), "200 cosas"),
    ],
)
def test_it_agrees_with_its_noun_or_is_in_digits(
    counted: tuple[str, str, str], expected: str
) -> None:
    assert back("43 perros", "two hundred", "43", counted=counted) == expected


def test_no_link_stands_before_what_is_no_noun() -> None:
    record = (Replacement(0, 2, "two million", "43", Kind.NUMBER, "AMOUNT"),)
    made = Dictionary(names(), {"target": "es"}, "test", load_language("en"))
    encoded = Encoded("", record, (Fate.IDENTIFIER, Fate.IDENTIFIER, Fate.GRAMMAR))
    assert decode(encoded, "43 en 2012", made).text == "dos millones en 2012"


@pytest.mark.parametrize(
    ("tag", "original", "substitute", "answer", "expected"),
    [
        ("PERCENT", "thirty-two percent", "47%", "el 47% o más", "el 32% o más"),
        ("PERCENT", "1.5 percent", "47%", "el 47 % o más", "el 1,5 % o más"),
        ("CLOCK", "half past two", "17:43", "a las 17:43.", "a las 2:30."),
        ("CLOCK", "a quarter to six", "17:43", "a las 17.43.", "a las 5.45."),
        ("FRACTION", "two thirds", "5/7", "5/7 de ellos", "2/3 de ellos"),
        ("ORDINAL", "twenty-first", "47th", "el siglo 47", "el siglo 21"),
    ],
)
def test_other_units_keep_their_value(
    tag: str, original: str, substitute: str, answer: str, expected: str
) -> None:
    assert back(answer, original, substitute, tag=tag) == expected


def test_a_number_word_is_restored_by_rule_though_the_dictionary_lacks_it() -> None:
    siete = Entry("siete", "CD", (Form("seven", 9, ("f0",)),), "", 0.9, 1)
    record = (Replacement(0, 1, "Dos", "Siete", Kind.WORD, "CD"),)
    made = Dictionary([siete, *names()], {"target": "en"}, "test", load_language("es"))
    assert decode(Encoded("", record, ()), "Seven months later", made).text == "Two months later"


@pytest.mark.parametrize(("form", "gender"), [("dois anos", "Book"), ("duas casas", "House")])
def test_a_numeral_agrees_where_the_genders_are_called_by_nouns(form: str, gender: str) -> None:
    rows = [
        Form(text, 9, (f"Gender={named}", "Number=Plur", "Initial=abcdefghijklmnopqrstuvwxyz"))
        for text, named in (("dois", "Book"), ("duas", "House"))
    ]
    entries = [
        Entry("dois", "BEFORE", rows, "", 0, 0),
        Entry("two", "CD", [Form("duas", 9)], "", 0.9, 1),
        Entry("four", "CD", [Form("quatro", 9)], "", 0.9, 1),
        noun("those", form.split()[1], gender),
        noun("dogs", "cachorros", "Book"),
    ]
    record = (
        Replacement(0, 1, "two", "four", Kind.WORD, "CD"),
        Replacement(1, 1, "those", "dogs", Kind.WORD, "NNS"),
    )
    made = Dictionary(entries, {"target": "pt"}, "test", load_language("en"))
    fates = (Fate.REPLACED, Fate.REPLACED)
    assert decode(Encoded("", record, fates), "quatro cachorros", made).text == form
