from __future__ import annotations

from collections.abc import Sequence

import pytest

from prism_core.building.paper import PaperBuilder, PaperPlan
from prism_core.building.word_candidates import WordCandidate
from tests.words import sentence

WORDS = {"the": "la", "house": "casa", "dog": "perro", "saw": "vio", "cat": "gato", "big": "gran"}


def translate(texts: Sequence[str]) -> list[str]:
    """Word by word."""
    return [" ".join(WORDS.get(word, word) for word in text.lower().split()) for text in texts]


SENTENCES = [
    sentence("The/DT", "dog/NN", "saw/VBD", "the/DT", "house/NN"),
    sentence("The/DT", "cat/NN", "saw/VBD", "the/DT", "dog/NN", "dog/NN"),
    sentence("The/DT", "house/NN", "saw/VBD", "the/DT", "cat/NN"),
    sentence("It/PRP", "rained/VBD"),
]


def test_the_ratio_is_that_of_sentences_that_have_the_word_not_of_tokens() -> None:
    builder = PaperBuilder(translate, PaperPlan(calls=10))
    (made,) = builder.build([WordCandidate("dog", "NN", 3)], SENTENCES)
    best = made.forms[0]
    assert best.text == "perro"
    # In all three sentences with the word, in two of the three without: 1 / (2/3).
    assert best.score == pytest.approx(1.5)
    assert made.score == max(form.score for form in made.forms), "eq. 15"


def test_a_word_that_untouched_text_never_has_counts_as_seen_in_half_a_sentence() -> None:
    (made,) = PaperBuilder(translate, PaperPlan(calls=10)).build(
        [WordCandidate("big", "NN", 1)], SENTENCES
    )
    assert made.forms[0].text == "gran"
    assert made.forms[0].score == pytest.approx(6.0)
    assert made.confidence == 1.0


def test_an_entry_costs_a_call_for_each_sentence_and_each_tag_its_own_once() -> None:
    asked: list[str] = []

    def noted(texts: Sequence[str]) -> list[str]:
        asked.extend(texts)
        return translate(texts)

    builder = PaperBuilder(noted, PaperPlan(calls=2))
    words = [WordCandidate("dog", "NN", 3), WordCandidate("cat", "NN", 2)]
    made = builder.build(words, SENTENCES)
    assert [entry.calls for entry in made] == [2, 2]
    assert len(asked) == 2 + 2 * 2


def test_only_words_of_the_tag_are_replaced_and_a_word_whose_tag_never_occurs_has_no_entry() -> (
    None
):
    asked: list[str] = []

    def noted(texts: Sequence[str]) -> list[str]:
        asked.extend(texts)
        return translate(texts)

    words = [WordCandidate("horse", "NN", 1), WordCandidate("red", "JJ", 1)]
    (made,) = PaperBuilder(noted, PaperPlan(calls=10)).build(words, SENTENCES)
    assert made.word == "horse"
    replaced = [text.split() for text in asked if "horse" in text]
    assert len(replaced) == 3
    assert all(text.count("horse") == 1 and text[0] == "The" for text in replaced)


def test_the_same_seed_asks_the_same() -> None:
    def run() -> list[str]:
        asked: list[str] = []
        PaperBuilder(lambda t: asked.extend(t) or translate(t), PaperPlan(calls=2)).build(
            [WordCandidate("dog", "NN", 3)], SENTENCES
        )
        return asked

    assert run() == run()
