import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.identifiers.base import Identifier
from prism_core.identifiers.surrogate_shapes import code_like, number_like
from prism_core.identifiers.surrogates import NoSurrogateError, Surrogates, name_class
from prism_core.mechanisms.base import Kind
from tests.words import dictionary, entry, sentence

seeds = st.integers(0, 2**32)


@given(st.from_regex(r"[0-9]{1,4}([.,/-][0-9]{1,4}){0,3}", fullmatch=True), seeds)
def test_a_number_keeps_its_shape(number, seed) -> None:
    drawn = number_like(number, 0, Random(seed))
    assert re.sub(r"\d", "9", drawn) == re.sub(r"\d", "9", number)


@given(seeds)
def test_years_clocks_and_ordinals_stay_plausible(seed) -> None:
    rng = Random(seed)
    assert 1900 <= int(number_like("2024", 0, rng)) < 2100
    hour, minute = number_like("10:30", 0, rng).split(":")
    assert (int(hour), int(minute)) <= (23, 59)
    assert re.fullmatch(r"\d?1st|\d?2nd|\d?3rd|\d+th", number_like("21st", 0, rng))


@given(st.from_regex(r"[A-Z]{2,4}-[0-9]{3,6}-[a-z]", fullmatch=True), seeds)
def test_a_code_keeps_its_shape(code, seed) -> None:
    def shape(text: str) -> str:
        return re.sub(r"[a-z]", "a", re.sub(r"[A-Z]", "A", re.sub(r"\d", "9", text)))

    assert shape(code_like(code, "CODE", 0, Random(seed))) == shape(code)


def test_addresses_point_to_the_reserved_domain() -> None:
    assert code_like("jo@firm.com", "EMAIL", 0, Random(1)).endswith("@example.org")
    assert code_like("https://firm.com/x", "URL", 0, Random(1)).startswith("https://example.org/")


def _nothing(text: str) -> bool:
    return False


def test_the_day_of_a_month_stays_one() -> None:
    words = sentence("on/IN", "14/CD", "June/NNP")
    surrogates = Surrogates(dictionary(entry("june", "MONTH")))
    one = Identifier(1, 1, "NUMBER", Kind.NUMBER)
    drawings = (
        surrogates.for_sentence(words, bytes([i % 256, i >> 8]), _nothing) for i in range(300)
    )
    drawn = {drawing.draw(one, "14") for drawing in drawings}
    assert drawn == {str(day) for day in range(10, 29)} - {"14"}


def draw(forbidden) -> str:
    sent = sentence("Kovacs/NNP/PER", "left/VBD")
    identifier = Identifier(0, 1, "PERSON", Kind.NAME)
    return Surrogates(dictionary()).for_sentence(sent, b"2", forbidden).draw(identifier, "Kovacs")


def test_a_name_is_replaced_by_a_public_one_that_is_not_forbidden() -> None:
    assert draw(lambda name: name != "Quinn") == "Quinn"


def _everything(name: str) -> bool:
    return True


def test_no_free_surrogate_is_an_error_not_a_leak() -> None:
    with pytest.raises(NoSurrogateError):
        draw(_everything)


def test_a_place_of_several_words_gets_no_two_places() -> None:
    one = sentence("in/IN", "York/NNP/LOC", "in/IN").tokens
    two = sentence("in/IN", "New/NNP/LOC", "York/NNP/LOC").tokens
    article = sentence("the/DT/LOC", "Netherlands/NNP/LOC").tokens
    assert name_class(one, 1) == "PLACE"
    assert [name_class(two, 1), name_class(two, 2)] == ["GIVEN", "SURNAME"]
    assert name_class(article, 1) == "PLACE"
