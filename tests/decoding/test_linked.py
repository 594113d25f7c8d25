"""Decoding by what the translator says of its own words, and by nothing that it cannot mean."""

from __future__ import annotations

import pytest

from prism_core.alignment import Match, Span, Translation
from prism_core.decoding import Decoded, SearchStrategy, decode, link_places
from prism_core.decoding.linked import place_of
from prism_core.record import Encoded, Kind, Replacement
from tests.words import dictionary, entry

WORDS = [
    entry("house", forms=["casa"]),
    entry("book", forms=["libro", "libros"]),
    entry("dog", forms=["perro", "perros"]),
    entry("cat", forms=["gato", "gatos"]),
]
SOURCE = "The house and the book."
SENT = "The dog and the cat."
ENCODED = Encoded(
    SENT,
    (
        Replacement(1, 1, "house", "dog", Kind.WORD, "NN"),
        Replacement(4, 1, "book", "cat", Kind.WORD, "NN"),
    ),
    (),
)


def span(text: str, word: str) -> Span:
    start = text.index(word)
    return start, start + len(word)


def decoded(answer: str, **links: str) -> Decoded:
    """``answer`` to ``SENT``, in which each word of it is said to be what is given."""
    matches = [Match(span(SENT, word), span(answer, shown)) for word, shown in links.items()]
    told = Translation(answer, matches)
    return decode(ENCODED, answer, dictionary(*WORDS), link_places(SOURCE, ENCODED, told))


def test_a_word_that_no_dictionary_has_is_found_where_the_translator_says() -> None:
    result = decoded("El can y el minino.", dog="can", cat="minino")
    assert result.text == "El casa y el libro."
    assert (result.restored, result.fallback, result.unrestored) == (2, 0, 0)
    assert set(result.strategies.values()) == {SearchStrategy.ALIGNMENT}


def test_without_links_all_is_as_it_was() -> None:
    result = decoded("El perro y el minino.")
    assert (result.restored, result.unrestored) == (1, 1)
    assert result.strategies == {1: SearchStrategy.FORM}


def test_several_words_for_one_are_replaced_as_a_whole() -> None:
    assert decoded("El mejor amigo y el gato.", dog="mejor amigo", cat="gato").text == (
        "El casa y el libro."
    )


def test_of_a_link_that_takes_the_article_along_the_known_word_is_replaced() -> None:
    assert decoded("El perro y el gato.", dog="El perro", cat="el gato").text == (
        "El casa y el libro."
    )


def test_a_known_form_is_replaced_where_the_link_is_and_not_where_it_stands_first() -> None:
    told = Translation("Los perros, el perro, el gato", [Match((4, 7), (15, 20))])
    places = link_places(SOURCE, ENCODED, told)
    result = decode(ENCODED, told.text, dictionary(*WORDS), places)
    assert result.text == "Los perros, el casa, el libro"


def test_a_link_to_what_stands_for_another_substitute_is_not_believed() -> None:
    result = decoded("El perro y el gato.", dog="gato", cat="perro")
    assert result.text == "El casa y el libro."
    result = decoded("El can y el gato.", dog="gato")
    assert (result.text, result.unrestored) == ("El can y el libro.", 1)


def test_a_link_to_what_stands_for_a_kept_word_is_not_believed() -> None:
    source, sent = "The house and a cat.", "The dog and a cat."
    encoded = Encoded(sent, (Replacement(1, 1, "house", "dog", Kind.WORD, "NN"),), ())
    told = Translation("El can y un gato.", [Match(span(sent, "dog"), (12, 16))])
    result = decode(encoded, told.text, dictionary(*WORDS), link_places(source, encoded, told))
    assert (result.text, result.unrestored) == (told.text, 1)


def test_a_word_that_was_left_in_a_translated_sentence_is_found() -> None:
    assert decoded("El dog y el gato.").text == "El casa y el libro."


def test_a_link_to_the_word_as_it_was_sent_is_not_believed() -> None:
    result = decoded("The dog and the cat.", dog="dog", cat="cat")
    assert result.unrestored == 2


def test_a_form_elsewhere_that_nothing_else_claims_speaks_against_a_link() -> None:
    assert decoded("El perro y tal gato.", dog="tal").text == "El casa y tal libro."


def test_a_form_elsewhere_that_another_link_claims_does_not() -> None:
    """*perro* is what the translator made of *cat*."""
    assert decoded("El can y el perro.", dog="can", cat="perro").unrestored == 1


ANSWER = "Kapitel II macht gemütlich, weiter."


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ((17, 22), "the end of a word is outside"),
        ((19, 26), "its beginning is"),
        ((10, 10), "nothing"),
        ((10, 11), "a blank"),
        ((30, 90), "behind the end"),
        ((-3, 2), "before the beginning"),
        ((16, 27), "with a comma"),
    ],
)
def test_a_place_that_is_no_whole_words_is_not_taken(target: Span, why: str) -> None:
    assert place_of((4, 7), [Match((4, 7), target)], ANSWER) is None, why


def test_a_place_is_taken_only_of_the_one_link_to_exactly_that_substitute() -> None:
    place = span(ANSWER, "gemütlich")
    link = Match((4, 7), place)
    assert place_of((4, 7), [link], ANSWER) == place
    assert place_of((4, 8), [link], ANSWER) is None
    assert place_of((4, 6), [link], ANSWER) is None
    assert place_of((4, 7), [link, Match((4, 7), (0, 7))], ANSWER) is None
    assert place_of((4, 7), [link, Match((9, 12), (11, 20))], ANSWER) is None
    assert place_of((4, 7), [link, Match((9, 12), (0, 7))], ANSWER) == place


def test_numbers_and_codes_are_known_by_themselves_whatever_a_link_says() -> None:
    record = (Replacement(1, 1, "1987", "2014", Kind.NUMBER, "CD"),)
    encoded = Encoded("In 2014", record, ())
    result = decode(encoded, "En 2014 y 2020", dictionary(*WORDS), {1: (10, 14)})
    assert result.text == "En 1987 y 2020"


def test_a_name_and_an_unknown_word_are_put_where_the_link_is() -> None:
    record = (
        Replacement(0, 1, "Quibble", "Keller", Kind.NAME, "SURNAME"),
        Replacement(1, 1, "gyred", "dog", Kind.UNKNOWN, "VBD"),
    )
    encoded = Encoded("Keller dog", record, ())
    told = Translation("Kellerova ladró", [Match((0, 6), (0, 9)), Match((7, 10), (10, 15))])
    places = link_places("Quibble gyred", encoded, told)
    assert decode(encoded, told.text, dictionary(*WORDS), places).text == "Quibble gyred"
