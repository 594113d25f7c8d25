"""Two answers to two encodings of one sentence are put together, or refused."""

import pytest

from prism_core.decoding import AnsweredDraw, Decoded, SearchStrategy, decode, decode_draws
from prism_core.decoding.joining import join
from prism_core.record import Encoded, Kind, Replacement
from tests.words import dictionary, entry

ENTRIES = [
    entry("doctor", forms=["médico"]),
    entry("garden", forms=["jardín"]),
    entry("valley", forms=["valle"]),
    entry("house", forms=["casa"]),
    entry("book", forms=["libro"]),
    entry("dog", forms=["perro"]),
    entry("bridge", forms=["puente"]),
    entry("window", forms=["ventana"]),
    entry("bottle", forms=["botella"]),
]
WORDS = dictionary(*ENTRIES)
SURER = frozenset(SearchStrategy) - {SearchStrategy.ELIMINATION}
FUNCTION_FORMS = frozenset({"el", "la", "un", "una", "de", "del", "en", "ve"})


def encoding(*pairs: tuple[str, str], text: str = "") -> Encoded:
    made = [Replacement(i, 1, word, sub, Kind.WORD, "NN") for i, (word, sub) in enumerate(pairs)]
    return Encoded(text, tuple(made), ())


FIRST = encoding(("doctor", "house"), ("garden", "dog"), ("valley", "bridge"))
SECOND = encoding(("doctor", "book"), ("garden", "window"), ("valley", "bottle"))


def joined(first: str, second: str, *, other: Encoded = SECOND) -> Decoded | None:
    pairs = [decode(FIRST, first, WORDS), decode(other, second, WORDS)]
    return join(FIRST, other, *pairs, FUNCTION_FORMS)


def test_what_each_answer_has_lost_is_taken_from_the_other() -> None:
    result = joined(
        "el hogar ve un perro en el puente.",  # the first substitute came back as another word
        "el libro ve un ventanal en la botella.",  # and here the second
    )
    assert result is not None
    assert result.text == "el médico ve un jardín en el valle."
    assert (result.restored, result.fallback, result.unrestored) == (2, 1, 0)
    assert result.strategies == {
        0: SearchStrategy.JOINED,
        1: SearchStrategy.FORM,
        2: SearchStrategy.FORM,
    }
    assert [result.text[slice(*result.places[i])] for i in range(3)] == [
        "médico",
        "jardín",
        "valle",
    ]
    assert not result.is_unsure


def test_a_word_that_came_back_as_several_is_replaced_whole() -> None:
    result = joined("la casa grande mayor ve un perro en el puente", "x")
    assert result is None  # nothing was found in the second
    result = joined("el gran hogar antiguo ve un perro en el puente", "el libro ve un xx en la xx")
    assert result is not None
    assert result.text == "el médico ve un jardín en el valle"


def test_articles_go_with_the_word_that_follows_them() -> None:
    result = joined("una morada ve un perro en el puente", "el libro ve una xx en la botella")
    assert result is not None
    assert result.text == "el médico ve un jardín en el valle"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("el xx ve un perro en el puente", "el libro mira un xx en la botella"),  # another verb
        ("el xx ve un perro en el puente", "el libro ve en la botella un xx"),  # another order
        ("el xx ve un perro en el puente", "el libro no ve un xx en la botella"),  # a word more
        ("el xx ve un perro en el puente", "el libro ve, un xx en la botella"),  # a mark more
        ("el xx ve un perro en el puente", "el libro ve un en la botella"),  # dropped, not lost
        ("el xx ve un yy en el puente", "el libro ve un yy en la botella"),  # lost in both
        ("el a b c d e ve un perro en el puente", "el libro ve un xx en la botella"),  # too much
    ],
)
def test_answers_that_differ_otherwise_are_never_mixed(first: str, second: str) -> None:
    assert joined(first, second) is None


def test_encodings_that_hide_other_words_are_never_mixed() -> None:
    other = encoding(("doctor", "book"), ("valley", "window"), ("garden", "bottle"))
    first, second = "el xx ve un perro en el puente", "el libro ve un xx en la botella"
    assert joined(first, second) is not None
    assert joined(first, second, other=other) is None


def test_a_place_that_could_be_either_of_two_is_refused() -> None:
    first, second = encoding(("doctor", "house")), encoding(("doctor", "book"))
    both = (
        Decoded("roja verde", 0, 0, 1, 0),
        Decoded("médico", 1, 0, 0, 0, {0: (0, 6)}, {0: SearchStrategy.FORM}),
    )
    assert join(first, second, *both, FUNCTION_FORMS) is not None
    odd = Decoded("xx roja yy", 0, 0, 1, 0)
    found = Decoded("roja médico roja", 1, 0, 0, 0, {0: (5, 11)}, {0: SearchStrategy.FORM})
    assert join(first, second, odd, found, FUNCTION_FORMS) is None


def test_the_draws_of_a_sentence_are_decoded_together() -> None:
    draws = [
        AnsweredDraw(FIRST, "Ana xx 1 perro 2 puente"),
        AnsweredDraw(SECOND, "Ana libro 1 yy 2 botella"),
    ]
    encoded, result = decode_draws(draws, WORDS, strategies=SURER)
    assert encoded == SECOND
    assert (result.text, result.unrestored) == ("Ana médico 1 jardín 2 valle", 0)
    assert result.strategies[1] is SearchStrategy.JOINED
    _, alone = decode_draws(draws[:1], WORDS, strategies=SURER)
    assert alone.unrestored == 1
