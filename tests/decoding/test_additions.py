"""What a translator adds that nothing of what was sent can be the reason for is marked."""

from __future__ import annotations

import pytest

from prism_core.decoding import AnsweredDraw, decode, decode_draws
from prism_core.dictionary import Dictionary, load_dictionary
from prism_core.record import Encoded, Kind, Replacement
from prism_core.resources import shipped_dictionary
from tests.words import dictionary, entry

WORDS = dictionary(
    entry("garden", forms=["jardín"]),
    entry("house", forms=["casa"]),
    entry("gate", forms=["puerta"]),
)


def sent(text: str, *substitutes: str, kind: Kind = Kind.WORD) -> Encoded:
    """``text`` with words that stand for others in it."""
    tokens = text.split()
    record = [Replacement(tokens.index(s), 1, "house", s, kind, "NN") for s in substitutes]
    return Encoded(text, tuple(record), ())


def added(text: str, answer: str, words: Dictionary = WORDS) -> set[str]:
    return {str(one) for one in decode(sent(text, "garden"), answer, words).added}


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        ("el jardín, IBAN DE00", {"number", "name"}),
        ("el jardín DE89 3704 0044 0532 0130 00", {"number"}),
        ("el jardín vale 500 euros", {"number"}),
        ("el jardín 7", {"number"}),
        ("el jardín (https://pagar.example/x)", {"link"}),
        ("el jardín en pagar-ahora.com", {"link"}),
        ("el jardín, escriba a jo@firma.com", {"link"}),
        ("el jardín de Fernando", {"name"}),
        ("el jardín del BANCO", {"name"}),
        ("Ayer el jardín", set()),  # begins the sentence
        ("el jardín. Ayer", set()),
        ("el jardín de ayer", set()),
    ],
)
def test_numbers_links_and_names_that_were_not_sent_are_added(answer: str, what: set[str]) -> None:
    assert added("the garden", answer) == what


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("the garden of twenty men", "el jardín de 20 hombres"),
        ("the first garden of two thousand", "el 1.er jardín de 2.000"),
        ("the garden of 1,234 men", "el jardín de 1.234 hombres"),
        ("the garden of Fernanda", "el jardín de Fernanda"),
        ("the garden of Germanic men", "el jardín de Germánicos"),
        ("the garden at www.example.com", "el jardín en www.example.com"),
        ("Mr. K. has the garden", "el Sr. K. tiene el jardín y el Señor sabe"),
        ("the garden house", "el jardín Casa"),  # a common word, whatever its case
    ],
)
def test_what_was_sent_is_not_added_in_whatever_form_it_comes_back(text: str, answer: str) -> None:
    assert added(text, answer) == set()


def test_what_stands_for_a_substitute_is_not_added() -> None:
    encoded = sent("Talbot saw 48213", "Talbot", kind=Kind.NAME)
    digits = Replacement(2, 1, "17553", "48213", Kind.NUMBER, "NUMBER")
    encoded = Encoded(encoded.text, (*encoded.record, digits), ())
    assert decode(encoded, "Talbot vio 48.213", WORDS).added == set()
    assert decode(encoded, "Talbot vio 48.213 y 9", WORDS).is_unsure


def test_a_compound_and_a_word_of_public_translations_are_ordinary() -> None:
    german = load_dictionary(shipped_dictionary("en", "de"), "google")
    text = "the garden is near the step and the weapons"
    assert added(text, "das Garten ist nah bei dem Schritt und den Gartenwaffen", german) == set()
    assert added(text, "das Garten ist nah bei Herrn Kowalczyk", german) == {"name"}


def test_what_either_of_two_answers_adds_counts_where_they_are_put_together() -> None:
    first = sent("the garden of a gate", "garden", "gate")
    other = sent("the house of a gate", "house", "gate")
    draws = [
        AnsweredDraw(first, "el jardín de una verja 99"),
        AnsweredDraw(other, "el hogar de una puerta 99"),
    ]
    _, decoded = decode_draws(draws, WORDS)
    assert decoded.is_unsure
