from __future__ import annotations

from random import Random

import pytest

from benchmarks.planted import PLANTERS, reliability
from prism_core.evaluation.error_classes import ERRORS, ErrorClass, classes_of, errors_of
from prism_core.evaluation.surviving import GoldNames

SOURCE = "The little girl saw Hannah with 12 black dogs in the house."
DIRECT = "La chica pequeña vio a Hannah con 12 perros negros en la casa."
NAMES = GoldNames(frozenset({"Hannah"}), frozenset())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (DIRECT.replace("negros", "negras"), {ErrorClass.AGREEMENT: 1}),
        (DIRECT.replace("La chica", "El chica"), {ErrorClass.AGREEMENT: 1}),
        (DIRECT.replace("casa", "house"), {ErrorClass.UNTRANSLATED: 1}),
        (DIRECT.replace(" pequeña", ""), {ErrorClass.LOST: 1}),
        (DIRECT.replace("vio", "vio vio"), {ErrorClass.DUPLICATED: 1}),
        (DIRECT.replace("vio", "vio ayer"), {ErrorClass.ADDED: 1}),
        (DIRECT.replace("Hannah", "Wanda"), {ErrorClass.NAME: 1}),
        (DIRECT.replace(" a Hannah", " a"), {ErrorClass.NAME: 1}),
        (DIRECT.replace("12", "17"), {ErrorClass.NUMBER: 1}),
        (DIRECT.replace("vio", "Vio"), {ErrorClass.CASE: 1}),
        (DIRECT.replace("12 perros negros", "12 negros perros"), {ErrorClass.ORDER: 1}),
        (DIRECT.replace("chica", "muchacha"), {ErrorClass.OTHER_WORD: 1}),
        (DIRECT, {}),
    ],
)
def test_one_error_is_named_by_its_class(text: str, expected: dict[ErrorClass, int]) -> None:
    assert classes_of(SOURCE, text, DIRECT, NAMES) == expected


def test_a_name_as_the_source_has_it_is_right_whatever_t_makes_of_it() -> None:
    assert not classes_of("We saw Hannah.", "Vimos Hannah.", "Vimos Ana.", NAMES)


def test_a_sentence_that_was_left_has_as_many_errors_as_words_that_t_translates() -> None:
    found = classes_of(SOURCE, SOURCE, DIRECT, NAMES)
    assert found[ErrorClass.UNTRANSLATED] >= 4
    assert found[ErrorClass.NAME] == found[ErrorClass.NUMBER] == 0


def test_an_equal_translation_has_no_error_and_columns_follow_the_classes() -> None:
    assert not errors_of(SOURCE, DIRECT, DIRECT, NAMES)
    assert set(errors_of(SOURCE, "Nada.", DIRECT, NAMES)) <= set(ERRORS)


def test_planted_errors_are_found_and_called_by_their_name() -> None:
    found = reliability([(SOURCE, DIRECT)] * 20, NAMES, Random(1))
    assert set(found) == set(PLANTERS)
    for one in found.values():
        assert one.planted == 20
        assert one.recall >= 0.8
        assert one.precision >= 0.8


def test_rules_that_see_nothing_are_found_out(monkeypatch) -> None:
    monkeypatch.setattr("benchmarks.planted.classes_of", lambda *_: {})
    found = reliability([(SOURCE, DIRECT)], NAMES, Random(1))
    assert {one.recall for one in found.values()} == {0}
