"""Words of one sentence that may be translated by the same forms: which place is whose."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from prism_core.alignment import Span
from prism_core.decoding import Decoded, SearchStrategy, decode
from prism_core.dictionary import Entry, Form
from prism_core.record import Encoded, Kind, Replacement
from tests.words import dictionary, entry

SMALL = ("pequenos", "pequenas")
ENTRIES = [
    entry("small", "JJ", SMALL),
    entry("red", "JJ", ("vermelhos", "vermelhas")),
    entry("old", "JJ", ("velhos", "velhas")),
    entry("worked", "VBD", ("trabalhou",)),
    entry("work", "NN", ("trabalho",)),
    entry("work", "VBP", ("trabalhou",), confidence=0.8),
    entry("ran", "VBD", ("correu",)),
    entry("book", "NN", ("livro",)),
]
TWICE = "Small houses and small books."
CHANGED = "Casas pequenas e livros pequenos."
"""The form that the dictionary has first stands last."""


def undo(
    sent: str,
    answer: str,
    originals: list[str],
    linked: Mapping[int, Span] | None = None,
    tags: Mapping[str, str] | None = None,
) -> Decoded:
    """Decode ``answer``; ``originals`` are pairs of substitute and original, in order."""
    record = []
    for position, pair in enumerate(originals):
        substitute, original = pair.split("=")
        kind = Kind.KEPT if substitute == original else Kind.WORD
        tag = (tags or {}).get(substitute, "JJ")
        record.append(Replacement(position, 1, original, substitute, kind, tag))
    return decode(Encoded(sent, tuple(record), ()), answer, dictionary(*ENTRIES), linked)


def test_equal_substitutes_come_back_in_their_order_and_are_marked() -> None:
    result = undo(TWICE, CHANGED, ["Small=Red", "small=old"])
    assert result.text == "Casas vermelhas e livros velhos."
    assert (result.unrestored, result.is_unsure) == (0, True)
    assert result.strategies == {0: SearchStrategy.ORDER, 1: SearchStrategy.FORM}


def test_a_link_decides_and_leaves_no_doubt() -> None:
    last, first = (CHANGED.index(form) for form in SMALL)
    links = {0: (last, last + 8), 1: (first, first + 8)}
    result = undo(TWICE, CHANGED, ["Small=Red", "small=old"], links)
    assert result.text == "Casas velhas e livros vermelhos."
    assert not result.is_unsure


def test_a_link_of_one_leaves_no_doubt_of_the_other() -> None:
    last = CHANGED.index("pequenos")
    result = undo(TWICE, CHANGED, ["Small=Red", "small=old"], {0: (last, last + 8)})
    assert result.text == "Casas velhas e livros vermelhos."
    assert not result.is_unsure


def test_equal_substitutes_of_equal_words_leave_no_doubt() -> None:
    result = undo(TWICE, CHANGED, ["Small=Red", "small=red"])
    assert result.text == "Casas vermelhas e livros vermelhos."
    assert not result.is_unsure


@pytest.mark.parametrize("kept", [["small=small"], []])
def test_a_kept_word_that_looks_like_a_substitute_is_marked(kept: list[str]) -> None:
    result = undo(TWICE, CHANGED, ["Small=Red", *kept])
    assert (result.text, result.is_unsure) == ("Casas vermelhas e livros pequenos.", True)


def test_a_word_that_stands_where_the_other_cannot_leaves_no_doubt() -> None:
    tags = {"worked": "VBD", "work": "NN"}
    originals = ["worked=ran", "work=book"]
    result = undo("He worked, the work.", "Ele trabalhou, o trabalho.", originals, tags=tags)
    assert (result.text, result.is_unsure) == ("Ele correu, o livro.", False)


def test_where_places_are_missing_the_surest_form_is_taken_and_marked() -> None:
    result = undo(TWICE, "Casas e livros pequenos.", ["small=old"])
    assert (result.text, result.is_unsure) == ("Casas e livros velhos.", True)


def test_a_part_of_a_longer_form_is_no_place() -> None:
    low = Entry("low", "JJ", (Form("baixa", 9), Form("baixos", 8)), "", 0.9, 1)
    lower = Entry("lower", "JJR", (Form("mais baixos", 9), Form("baixos", 8)), "", 0.9, 1)
    tall = Entry("tall", "JJ", (Form("alta", 9), Form("altos", 8)), "", 0.9, 1)
    known = dictionary(low, lower, tall)
    record = (Replacement(0, 1, "tall", "low", Kind.WORD, "JJ"),)
    answer = "renda baixa, custos mais baixos"
    result = decode(Encoded("low income, lower costs", record, ()), answer, known)
    assert result.text == "renda alta, custos mais baixos"
