import re
from dataclasses import replace
from functools import partial

from prism_core.building.builder import DictionaryBuilder
from prism_core.building.estimates import estimate_entries
from prism_core.dictionary import read_names
from prism_core.resources import SHIPPED_NAMES
from prism_core.translators import Limits
from tests.building.test_builder import PLAN, carriers, vocabulary
from tests.words import ENGLISH


class Counting:
    """Translator with other words and no genders, which counts what it is sent."""

    def __init__(self) -> None:
        self.texts = self.characters = 0

    def __call__(self, texts):
        self.texts += len(texts)
        self.characters += sum(map(len, texts))
        return [re.sub(r"\b([a-z]+)", r"z\1", text) for text in texts]


def test_a_build_by_rule_sends_what_was_estimated() -> None:
    translator = Counting()
    source = replace(ENGLISH, frames=replace(ENGLISH.frames, agreement={}))
    DictionaryBuilder(translator, source, PLAN).build(vocabulary(), carriers())
    estimate = partial(estimate_entries, vocabulary(), carriers(), source, PLAN, Limits(1, 1000))
    expected = estimate(None, translator="apertium")
    assert expected.least_texts == expected.texts
    assert abs(translator.texts - expected.texts) <= expected.texts / 10
    assert abs(translator.characters - expected.characters) <= expected.characters / 10


def test_a_translator_of_unknown_habits_has_a_range() -> None:
    expected = estimate_entries(vocabulary(), carriers(), ENGLISH, PLAN, Limits(1, 1000), None)
    assert expected.least_texts < expected.texts


ASKED_FOR_NAMES = 2298
"""Texts that the Firefox model en-pt was asked for the names that ship, 8 sentences a text."""


def test_names_are_expected_to_cost_what_a_neural_translator_was_asked() -> None:
    names = read_names(SHIPPED_NAMES)
    with_names, without = (
        estimate_entries(vocabulary(), carriers(), ENGLISH, PLAN, Limits(1, 1000), None, given)
        for given in (names, ())
    )
    assert abs(with_names.texts - without.texts - ASKED_FOR_NAMES) < ASKED_FOR_NAMES / 10
