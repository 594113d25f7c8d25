import pytest

from prism_core.dictionary import FUNCTION_TAG
from prism_core.errors import ConfigurationError
from prism_core.evaluation.further_mechanisms.mixture import make_table
from prism_core.mechanisms import Vocabulary
from prism_core.mechanisms.vocabulary import MARKS
from tests.mechanisms.public_words import NO_MARKS
from tests.words import dictionary, entry, nouns


def test_v_holds_words_in_lower_case_function_words_in_both_and_marks() -> None:
    words = dictionary(
        entry("cat"),
        entry("cat", "VB"),
        entry("the", FUNCTION_TAG),
        entry("i", FUNCTION_TAG),
        entry("n't", FUNCTION_TAG),
        entry("june", "MONTH"),
        entry("monday", "WEEKDAY"),
        entry("weak", confidence=0.3),
        entry("ice cream"),
    )
    found = set(Vocabulary(words, 0.7).words)
    assert found == {"cat", "the", "The", "I", "n't"} | MARKS


def test_each_surface_is_in_v_once_whatever_its_tags() -> None:
    words = Vocabulary(dictionary(entry("cat"), entry("cat", "VB"), entry("dog")), 0.7, 2, NO_MARKS)
    assert words.words == ("cat", "dog")


def test_a_function_word_that_cannot_be_undone_is_outside() -> None:
    assert "the" not in Vocabulary(dictionary(*nouns(3)), 0.7)


def test_a_function_word_with_an_entry_of_another_tag_is_no_content_word() -> None:
    assert "like" not in Vocabulary(dictionary(*nouns(3), entry("like", "VB")), 0.7)


@pytest.mark.parametrize(("entries", "minimum"), [(0, 2), (5, 500)])
def test_too_small_a_set_is_refused_with_what_to_do(entries, minimum) -> None:
    with pytest.raises(ConfigurationError, match=r"mechanism\.threshold"):
        Vocabulary(dictionary(*nouns(entries)), 0.7, minimum)


@pytest.fixture(scope="module")
def mixed() -> Vocabulary:
    adjectives = [entry(f"j{c}", "JJ", agreement=f"class {i}") for i, c in enumerate("abcdefg")]
    grammar = [entry(word, FUNCTION_TAG) for word in ("the", "of", "i")]
    return Vocabulary(
        dictionary(*nouns(9), *nouns(0), entry("zz", agreement="rare"), *adjectives, *grammar), 0.7
    )


def test_the_table_is_a_permutation_that_keeps_no_word(mixed) -> None:
    assert sorted(make_table(mixed)) == sorted(make_table(mixed).values()) == sorted(mixed.words)
    assert all(word != turned for word, turned in make_table(mixed).items())


def test_the_table_stays_in_the_slot_where_the_slot_has_another_word(mixed) -> None:
    slots = [mixed.slot(word) for word in mixed.words]
    for word, turned in make_table(mixed).items():
        if slots.count(mixed.slot(word)) > 1 and slots.count(mixed.slot(turned)) > 1:
            assert mixed.slot(word) == mixed.slot(turned)
    assert mixed.slot(make_table(mixed)["baak"]) == mixed.slot("baak")


def test_everyone_has_the_same_table(mixed) -> None:
    again = Vocabulary(dictionary(*reversed(nouns(9))), 0.7)
    assert make_table(Vocabulary(dictionary(*nouns(9)), 0.7)) == make_table(again)


@pytest.mark.parametrize("count", [2, 3])
def test_the_smallest_sets_have_a_table_too(count) -> None:
    agreements = [entry(c, agreement=c) for c in "xyz"[:count]]
    table = make_table(Vocabulary(dictionary(*agreements), 0.7, 2, NO_MARKS))
    assert len(table) == count
    assert all(word != turned for word, turned in table.items())
