from itertools import permutations

import pytest

from prism_core.dictionary import DRAWN_FROM, Dictionary
from prism_core.settings import MechanismSettings
from tests.words import dictionary, entry, names

SENSES = [
    entry("round", "NN", confidence=0.5),
    entry("round", "VB", confidence=0.9),
    entry("round", "JJ", confidence=0.7),
    entry("round", "RB", confidence=0.7),
]


def test_senses_come_in_decreasing_confidence_and_equal_ones_as_they_were_given() -> None:
    for given in permutations(SENSES):
        found = dictionary(*given, entry("house")).senses("Round")
        assert list(found) == sorted(given, key=lambda one: -one.confidence)


def test_names_and_words_that_are_left_are_no_ordinary_words() -> None:
    left = entry("podcast", "LEFT-NN")
    book = Dictionary(iter([left, *SENSES, *names()]), {}, "test")
    assert list(book) == SENSES
    assert book.left == {"NN": (left,)}
    assert book.names["PLACE"] == ("Denver", "Leeds", "Perth")
    assert not book.knows("podcast")
    assert not book.knows("Denver")


@pytest.mark.parametrize(
    ("stated", "is_asked", "said", "from_where"),
    [
        ({}, False, None, 0.95),
        ({DRAWN_FROM: "0.881"}, False, None, 0.881),
        ({DRAWN_FROM: "0.881"}, True, None, 0.0),
        ({DRAWN_FROM: "0.881"}, False, 0.97, 0.97),
    ],
)
def test_words_are_drawn_from_where_the_settings_say_or_else_the_dictionary(
    stated: dict[str, str], is_asked: bool, said: float | None, from_where: float
) -> None:
    book = Dictionary(iter(SENSES), stated, "test", is_asked=is_asked)
    settings = MechanismSettings.choose(draw_from=said)
    assert settings.drawn_from(book.draw_from) == from_where
