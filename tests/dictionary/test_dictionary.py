from itertools import permutations

from prism_core.dictionary import Dictionary
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
