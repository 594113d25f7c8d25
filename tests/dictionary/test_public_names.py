"""The public names that stay as they are in any translation."""

import pytest

from prism_core.dictionary import Dictionary, load_dictionary, read_names
from prism_core.dictionary.preference import unchanged_names
from prism_core.resources import SHIPPED_NAMES, shipped_dictionary
from tests.words import entry


def test_there_are_so_many_names_that_one_that_is_missing_means_nothing() -> None:
    names = load_dictionary(shipped_dictionary("en", "fr"), "deepl").names
    least = {"SURNAME": 10_000, "GIVEN": 3_000, "PLACE": 5_000}
    assert all(len(names[tag]) >= count for tag, count in least.items())


def test_an_unchanged_name_is_one_plain_word_and_no_word_of_a_dictionary() -> None:
    words = load_dictionary(shipped_dictionary("en", "de"))
    asked = {name for name, _ in read_names(SHIPPED_NAMES)}
    for name, _ in read_names(SHIPPED_NAMES / "unchanged"):
        assert name.isascii() and name.isalpha() and name.istitle(), name  # noqa: PT018
        assert not words.knows(name), name
        assert name not in asked, name


def test_a_translator_by_rule_is_given_the_names_that_it_knows_alone() -> None:
    listed, known = (unchanged_names("en", "es", one) for one in ("deepl", "apertium"))
    for tag, names in known.items():
        assert 30 < len(names) < len(listed[tag])
        assert set(names) < set(listed[tag])
    assert not any(unchanged_names("en", "es", "fake").values())


@pytest.mark.parametrize(("source", "target"), [("en", "ru"), ("xx", "es")])
def test_nobody_claims_that_names_stay_in_a_language_that_was_not_looked_at(source, target) -> None:
    assert not any(unchanged_names(source, target, "deepl").values())


def test_a_name_that_is_a_word_of_a_dictionary_is_no_public_name_of_it() -> None:
    unchanged = {"SURNAME": ["Abel", "Quorx"]}
    words = [entry("quorx"), entry("Nash", "SURNAME")]
    made = Dictionary(words, {}, "d", unchanged=lambda: unchanged)
    assert made.names["SURNAME"] == ("Abel", "Nash")
