"""Numbers within ranges and measures: found in another form, written with the target's marks."""

import pytest

from prism_core.decoding import decode
from prism_core.decoding.restored_numbers import find_number
from prism_core.decoding.target_text import TargetText
from prism_core.dictionary import Dictionary
from prism_core.record import Kind
from tests.decoding.test_decode import record
from tests.decoding.test_target_text import shown
from tests.words import ENGLISH


def test_a_range_is_found_where_a_word_stands_for_its_dash() -> None:
    for surrogate, text, expected in (
        ("45–22", "caiu para 45 a 22%", "45 a 22"),
        ("1.8-6.4", "(1,8 bis 6,4)", "1,8 bis 6,4"),
        ("45–22", "de 145 a 22", None),
        ("(555-0132)", "o número (555 e 0132)", "(555 e 0132)"),
        ("+351-22", "de 351 a 22", None),
    ):
        assert shown(text, find_number(surrogate, TargetText(text), ENGLISH.numbers)) == expected


@pytest.mark.parametrize(
    ("original", "expected"),
    [
        ("1.040 mg", "1,040 mg"),
        ("12,5 mg/8 h", "12.5 mg/8 h"),
        ("1,5 x 2,5 cm", "1.5 x 2.5 cm"),
        ("0,125 mg", "0.125 mg"),
        ("1,250 g", "1,250 g"),  # a fraction, or written as in English
        ("704.555(a)", "704.555(a)"),
        ("art. 1.255", "art. 1.255"),
    ],
)
def test_a_measure_has_the_marks_of_the_target(original: str, expected: str) -> None:
    english = Dictionary([], {"source": "es", "target": "en"}, "test")
    sent = record((original, "873"), kind=Kind.CODE, tag="PIECE")
    assert decode(sent, "dose 873.", english).text == f"dose {expected}."


def test_a_measure_keeps_its_marks_where_those_of_a_language_are_not_stated() -> None:
    sent = record(("1.040 mg", "873"), kind=Kind.CODE, tag="PIECE")
    for pair in ({"source": "es", "target": "de"}, {"source": "de", "target": "en"}):
        assert decode(sent, "873.", Dictionary([], pair, "test")).text == "1.040 mg."
    english = record(("1,040 mg", "873"), kind=Kind.CODE, tag="PIECE")
    pair = {"source": "en", "target": "es"}
    assert decode(english, "873.", Dictionary([], pair, "test")).text == "1,040 mg."
