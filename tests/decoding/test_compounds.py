"""What x_pub says in several words and the answer in one: German compounds."""

from __future__ import annotations

import pytest

from prism_core.decoding import STRONG, Decoded, SearchStrategy, decode
from prism_core.dictionary import Dictionary, Entry, Form
from prism_core.record import Encoded, Kind, Replacement
from tests.words import dictionary, entry

WORDS = [
    entry("winter", forms=["Winter"]),
    entry("crisis", forms=["Krise"]),
    entry("package", forms=["Paket"]),
    entry("government", forms=["Regierung"]),
    entry("group", forms=["Gruppe"]),
    entry("technological", "JJ", forms=["technologische"]),
    entry("dog", forms=["Hund"]),
    entry("house", forms=["Haus"]),
    entry("book", forms=["Buch"]),
    entry("green", "JJ", forms=["grünes"]),
    entry("of", "FUNCTION", forms=["von"]),
]
TAGS = {word.word: word.tag for word in WORDS}


def undo(x_pub: str, answer: str, hidden: dict[str, str], **strategies) -> Decoded:
    """``answer`` to ``x_pub`` undone, in which the keys of ``hidden`` stand for its values."""
    record = tuple(
        Replacement(at, 1, hidden[word], word, Kind.WORD, TAGS[hidden[word]])
        for at, word in enumerate(x_pub.split())
        if word in hidden
    )
    return decode(Encoded(x_pub, record, ()), answer, dictionary(*WORDS), **strategies)


@pytest.mark.parametrize(
    ("x_pub", "answer", "hidden", "restored"),
    [
        (
            "the government crisis",
            "die Regierungskrise",
            {"government": "dog", "crisis": "house"},
            "die Hund-Haus",
        ),
        (
            "a winter crisis package",
            "ein Winterkrisenpaket",
            {"winter": "dog", "crisis": "house", "package": "book"},
            "ein Hund-Haus-Buch",
        ),
        (
            "the package of government",
            "das Regierungspaket",
            {"package": "house", "government": "dog"},
            "das Hund-Haus",
        ),
        (
            "a technological crisis",
            "eine Technologiekrise",
            {"technological": "green", "crisis": "house"},
            "eine grünes Haus",
        ),
    ],
)
def test_neighbours_that_came_back_as_one_word_are_put_back_apart(
    x_pub, answer, hidden, restored
) -> None:
    result = undo(x_pub, answer, hidden)
    assert result.text == restored
    assert set(result.strategies.values()) == {SearchStrategy.NEAR}
    assert result.unrestored == 0


def test_what_one_part_proves_alone_is_a_guess() -> None:
    hidden = {"winter": "dog", "group": "house"}
    result = undo("the winter group", "der Winterkonzern", hidden)
    assert result.text == "der Hund-Haus"
    assert set(result.strategies.values()) == {SearchStrategy.ELIMINATION}
    assert undo("the winter group", "der Winterkonzern", hidden, strategies=STRONG).unrestored == 2


@pytest.mark.parametrize(
    ("x_pub", "answer"),
    [
        ("the winter and then group", "der Winterkonzern"),
        ("the winter group", "der Winterkonzern, ein Winterkonzert"),
        ("the winter group", "der winterlichen Zeit"),
        ("the winter group", "Winterzeiten"),
    ],
)
def test_words_apart_or_several_that_would_do_are_no_compound(x_pub, answer) -> None:
    result = undo(
        x_pub, answer, {"winter": "dog", "group": "house"}, strategies=[SearchStrategy.ELIMINATION]
    )
    assert result.unrestored == 2
    assert result.text == answer


NOUNS = {"election": "Wahl", "campaign": "Wahlkampf", "edge": "Rand", "pool": "Becken"} | {
    "fight": "Kampf",
    "meadow": "Liegewiese",
    "dog": "Hund",
    "house": "Haus",
}


def undo_german(
    x_pub: str, answer: str, hidden: dict[str, str], target="de", **strategies
) -> Decoded:
    nouns = [
        Entry(word, "NN", (Form(text, 9, ("noun",)),), "", 0.9, 1) for word, text in NOUNS.items()
    ] + [entry("the", "FUNCTION", forms=["der"])]
    record = tuple(
        Replacement(at, 1, hidden[word], word, Kind.WORD, "NN")
        for at, word in enumerate(x_pub.split())
        if word in hidden
    )
    known = Dictionary(nouns, {"target": target}, "test")
    return decode(Encoded(x_pub, record, ()), answer, known, **strategies)


def test_a_lost_word_begins_the_word_that_its_neighbour_was_found_as() -> None:
    hidden = {"election": "dog", "campaign": "house"}
    result = undo_german("the election campaign", "der Wahlkampf", hidden)
    assert result.text == "der Hund-Haus"
    assert set(result.strategies.values()) == {SearchStrategy.FORM, SearchStrategy.NEAR}


@pytest.mark.parametrize(
    ("x_pub", "restored"),
    [
        ("the campaign of election", "der Hund-Haus"),
        ("the campaign and election", None),
    ],
)
def test_a_lost_word_is_part_of_the_word_that_it_is_linked_to(x_pub, restored) -> None:
    result = undo_german(x_pub, "der Wahlkampf", {"election": "dog", "campaign": "house"})
    assert (result.text if result.unrestored == 0 else None) == restored


def test_no_lost_word_is_part_of_a_name() -> None:
    record = (
        Replacement(1, 1, "dog", "pool", Kind.WORD, "NN"),
        Replacement(2, 1, "Miller", "Beckenbauer", Kind.NAME, "NNP"),
    )
    pool = Entry("pool", "NN", (Form("Becken", 9, ("noun",)),), "", 0.9, 1)
    known = Dictionary([pool], {"target": "de"}, "test")
    sent = Encoded("the pool Beckenbauer", record, ())
    result = decode(sent, "der Beckenbauer", known, strategies=STRONG)
    assert (result.text, result.unrestored) == ("der Miller", 1)


@pytest.mark.parametrize(
    ("lost", "answer", "restored"),
    [
        ("edge", "der Beckenrand", "der Becken-Hund"),
        ("pool", "der Beckenwahlkampf", "der Hund-Wahlkampf"),
        ("pool", "der Beckenswahlkampf", "der Hund-Wahlkampf"),
    ],
)
def test_a_lost_word_is_part_of_a_noun_of_which_the_rest_is_known(lost, answer, restored) -> None:
    result = undo_german(f"the {lost}", answer, {lost: "dog"})
    assert result.text == restored
    assert set(result.strategies.values()) == {SearchStrategy.ELIMINATION}
    assert undo_german(f"the {lost}", answer, {lost: "dog"}, strategies=STRONG).unrestored == 1


@pytest.mark.parametrize(
    "answer",
    [
        "der Beckenquarzite singt",
        "der Beckenwahlkampf am Beckenliegewiese",
        "der beckenwahlkampf singt",
    ],
)
def test_a_part_alone_or_in_two_words_or_in_small_letters_is_none(answer) -> None:
    assert undo_german("the pool", answer, {"pool": "dog"}).unrestored == 1


def test_compounds_are_cut_in_a_language_alone_that_writes_nouns_with_capitals() -> None:
    hidden = {"election": "dog", "campaign": "house"}
    found = undo_german("the election campaign", "der Wahlkampf singt", hidden, "es")
    assert found.unrestored == 1
