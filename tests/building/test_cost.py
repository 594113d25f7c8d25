from prism_core.building.builder import DictionaryBuilder
from prism_core.building.estimates import estimate_entries
from prism_core.dictionary import read_names
from prism_core.resources import shipped_names
from prism_core.translators import Limits
from tests.building.test_builder import PLAN, carriers, vocabulary
from tests.words import ENGLISH


class Parrot:
    """Gives every text back in capitals, and counts; so it knows no word."""

    def __init__(self) -> None:
        self.texts = self.characters = 0

    def __call__(self, texts):
        self.texts += len(texts)
        self.characters += sum(map(len, texts))
        return [text.upper() for text in texts]


def test_a_build_sends_no_more_than_estimated_and_not_much_less_than_the_least() -> None:
    parrot = Parrot()
    DictionaryBuilder(parrot, ENGLISH, PLAN).build(vocabulary(), carriers())
    expected = estimate_entries(vocabulary(), carriers(), ENGLISH, PLAN, Limits(1, 1000), None)
    assert expected.least_texts / 2 < parrot.texts < expected.texts
    assert parrot.characters < expected.characters


ASKED_FOR_NAMES = 2298
"""Texts that the Firefox model en-pt was asked for the names that ship, 8 sentences a text."""


def test_names_are_expected_to_cost_what_a_neural_translator_was_asked() -> None:
    names = read_names(shipped_names())
    with_names, without = (
        estimate_entries(vocabulary(), carriers(), ENGLISH, PLAN, Limits(1, 1000), None, given)
        for given in (names, ())
    )
    assert abs(with_names.texts - without.texts - ASKED_FOR_NAMES) < ASKED_FOR_NAMES / 10
