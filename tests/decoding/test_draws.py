"""Two encodings that differ in one substitute show where that stands in their answers."""

import pytest

from prism_core.decoding import AnsweredDraw, SearchStrategy, decode_draws, find_lost, find_redrawn
from prism_core.decoding.draws import find_difference
from prism_core.record import Encoded, Kind, Replacement
from tests.words import dictionary, entry

WORDS = dictionary(
    entry("doctor", forms=["médico"]),
    entry("garden", forms=["jardín"]),
    entry("house", forms=["casa"]),
    entry("book", forms=["libro"]),
    entry("dog", forms=["perro"]),
)
SURER = frozenset(SearchStrategy) - {SearchStrategy.ELIMINATION}
FORMS = frozenset({"el", "la", "un", "una", "de"})


def encoding(*pairs: tuple[str, str], kind: Kind = Kind.WORD) -> Encoded:
    made = [Replacement(i, 1, word, sub, kind, "NN") for i, (word, sub) in enumerate(pairs)]
    return Encoded(" ".join(sub for _, sub in pairs), tuple(made), ())


FIRST = encoding(("doctor", "house"), ("garden", "dog"))
SECOND = encoding(("doctor", "book"), ("garden", "dog"))


def test_the_place_where_two_answers_differ_is_that_of_what_was_drawn_anew() -> None:
    draws = [AnsweredDraw(FIRST, "Hogares y perro"), AnsweredDraw(SECOND, "Tomos y perro")]
    encoded, result = decode_draws(draws, WORDS, strategies=SURER)
    assert encoded == SECOND
    assert result.text == "Médico y jardín"
    assert result.strategies == {0: SearchStrategy.PAIR, 1: SearchStrategy.FORM}
    assert result.is_unsure


def test_what_was_drawn_anew_and_has_its_form_is_found_by_it() -> None:
    draws = [AnsweredDraw(FIRST, "Hogares y perro"), AnsweredDraw(SECOND, "Libro y perro")]
    _, result = decode_draws(draws, WORDS, strategies=SURER)
    assert result.strategies == {0: SearchStrategy.FORM, 1: SearchStrategy.FORM}


def test_a_difference_on_the_place_of_another_word_is_refused() -> None:
    draws = [AnsweredDraw(FIRST, "aquí perro"), AnsweredDraw(SECOND, "aquí otro perro grande")]
    assert decode_draws(draws, WORDS, strategies=SURER)[1].unrestored


def test_encodings_that_differ_in_more_than_one_substitute_are_no_pair() -> None:
    other = encoding(("doctor", "book"), ("garden", "house"))
    draws = [AnsweredDraw(FIRST, "Hogares y perro"), AnsweredDraw(other, "Tomos y casa")]
    _, result = decode_draws(draws, WORDS, strategies=SURER)
    assert SearchStrategy.PAIR not in result.strategies.values()


@pytest.mark.parametrize(
    ("first", "second", "place"),
    [
        ("veo la morada roja", "veo el tomo roja", "morada"),  # articles follow the word
        ("veo cada vez más aquí", "veo siempre aquí", "cada vez más"),
        ("una flor", "un tomo", "flor"),
    ],
)
def test_the_difference_is_one_place_of_a_few_words(first: str, second: str, place: str) -> None:
    found = find_difference(first, second, FORMS)
    assert found is not None
    assert first[slice(*found[0])] == place


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("veo flores aquí", "veo flores aquí"),  # no difference
        ("veo flores aquí", "veo aquí"),  # dropped in one
        ("nada", "no"),  # nothing in common
        ("a b c d e f", "x b c d e y"),  # in two places
        ("veo rosas, y aquí", "veo tomos aquí"),  # a mark
        ("veo la casa", "veo una casa"),  # function words alone
    ],
)
def test_any_other_difference_is_refused(first: str, second: str) -> None:
    assert find_difference(first, second, FORMS) is None


def test_what_was_lost_is_what_the_answer_alone_does_not_show() -> None:
    assert find_lost(AnsweredDraw(FIRST, "hogar perro"), WORDS) == {0}
    assert find_lost(AnsweredDraw(FIRST, "hogar can"), WORDS) == {0, 1}
    assert find_lost(AnsweredDraw(FIRST, "casa perro"), WORDS) == set()
    names = encoding(("Ana", "Eva"), ("Leo", "Max"), kind=Kind.NAME)
    assert find_lost(AnsweredDraw(names, "Eva"), WORDS) == {1}


def test_what_was_drawn_anew_is_counted_over_all_that_was_sent() -> None:
    third = encoding(("doctor", "book"), ("garden", "house"))
    draws = [AnsweredDraw(encoded, "") for encoded in (FIRST, SECOND, third)]
    assert [find_redrawn(draws[:sent]) for sent in range(4)] == [set(), set(), {0}, {0, 1}]
