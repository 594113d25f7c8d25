"""Surrogates of numbers with check digits: wrong ones by default, right ones on demand."""

from __future__ import annotations

import pytest

from prism_core.identifiers import checksums
from prism_core.identifiers.base import Identifier
from prism_core.identifiers.scopes import KeyedRandom
from prism_core.identifiers.surrogates import (
    SentenceSurrogates,
    Surrogates,
)
from prism_core.record import Kind
from tests.words import dictionary, sentence

NUMBERS = [
    ("GB82 WEST 1234 5698 7654 32", "IBAN", checksums.iban),
    ("ES9121000418450200051332", "IBAN", checksums.iban),
    ("4111 1111 1111 1111", "CARD", checksums.luhn),
    ("219-09-9999", "NATIONAL_ID", checksums.us_social_security),
    ("12345678Z", "NATIONAL_ID", checksums.spanish_id),
    ("X1234567L", "NATIONAL_ID", checksums.spanish_id),
    ("RSSMRA85T10A562S", "NATIONAL_ID", checksums.italian_fiscal),
    ("86095742719", "NATIONAL_ID", checksums.german_tax),
    ("111222333", "NATIONAL_ID", checksums.dutch_citizen),
    ("1HGCM82633A004352", "VIN", checksums.vehicle),
]


def drawn(number: str, label: str, check_digits, seeds: int = 25) -> list[str]:
    kind = Kind.CODE if any(map(str.isalpha, number)) else Kind.NUMBER
    surrogates = Surrogates(dictionary(), check_digits)
    words = sentence("it/PRP")
    return [
        SentenceSurrogates(
            surrogates, words, KeyedRandom(bytes([seed])).restart_for, lambda _: False
        ).draw(Identifier(0, 1, label, kind), number)
        for seed in range(seeds)
    ]


@pytest.mark.parametrize(("number", "label", "check"), NUMBERS)
def test_surrogates_have_the_check_digits_that_are_asked_for(number, label, check) -> None:
    assert check(number)
    assert not any(map(check, drawn(number, label, "fail")))
    assert all(map(check, drawn(number, label, "pass", seeds=6)))


@pytest.mark.parametrize(("number", "label", "check"), NUMBERS)
def test_surrogates_are_different_and_as_long(number, label, check) -> None:
    found = drawn(number, label, "fail")
    assert len(set(found)) > 20
    assert {len(one) for one in found} == {len(number)}
    assert number not in found
