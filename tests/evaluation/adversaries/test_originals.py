"""Attacks: mechanisms that leak are found out, those that do not are not accused."""

from __future__ import annotations

from random import Random

import pytest

from prism_core.evaluation.adversaries.base import CandidatePool, Hidden
from prism_core.evaluation.adversaries.substitution import (
    DOCUMENT,
    DRAW,
    attack_order,
    attack_words,
    find_narrowed,
    locate_substitutes,
)
from prism_core.evaluation.further_mechanisms.prism_star_ratio import PrismStarRatio
from prism_core.evaluation.paper_procedures import WordDictionary
from prism_core.evaluation.paper_procedures import encode as encode_by_paper
from prism_core.mechanisms import Selection
from prism_core.mechanisms.kinds.prism_star import PrismStarThreshold
from prism_core.record import Replacement
from tests.words import dictionary, entry, nouns, sentence

SURE = 1 - 1e-6
WORDS = [one.word for one in nouns(30)]
CONFIDENCE = {word: 0.7 + 0.01 * ((7 * i) % 30) for i, word in enumerate(WORDS)}
ENTRIES = [entry(word, confidence=CONFIDENCE[word], score=CONFIDENCE[word]) for word in WORDS]
DICTIONARY = dictionary(*ENTRIES)
FREQUENCY = [1 / (1 + i) for i in range(len(WORDS))]
PUBLIC = CandidatePool(CONFIDENCE, prior={word: 30 - i for i, word in enumerate(WORDS)})
TWO = CandidatePool({"a": 0.9, "b": 0.8})
DOCUMENTS, SENTENCES, LENGTH = 20, 10, 5


def attacks(hidden):
    """Every attack on who stands behind a substitute, on links, and on order."""
    return [*attack_words(hidden), *attack_order(hidden, DRAW), *attack_order(hidden, DOCUMENT)]


def nothing(_word: str) -> bool:
    return False


class Honest(PrismStarThreshold):
    """The real mechanism, over the small dictionary."""

    def __init__(self) -> None:
        super().__init__(DICTIONARY, 0.7, 2, "source")


class NeverItself(Honest):
    def choose(self, one, identifiers, forbidden, rng):
        own = {token.text for token in one.tokens}
        return super().choose(one, identifiers, lambda word: word in own or forbidden(word), rng)


class InOrder(Honest):
    """Deals the drawn words out by confidence, as the paper's rule does."""

    def choose(self, one, identifiers, forbidden, rng):
        record = super().choose(one, identifiers, forbidden, rng).record
        drawn = sorted((r.substitute for r in record), key=CONFIDENCE.__getitem__)
        places = sorted(range(len(record)), key=lambda i: CONFIDENCE[record[i].word])
        given = dict(zip(places, drawn, strict=True))
        return Selection(tuple(sent_as(r, given[i]) for i, r in enumerate(record)))


class ByTable(Honest):
    """One word has one substitute in a sentence out of three, and a drawn one in the others."""

    def choose(self, one, identifiers, forbidden, rng):
        record = super().choose(one, identifiers, forbidden, rng).record
        if rng.randrange(3):
            return Selection(record)
        return Selection(tuple(sent_as(r, _next(r.word)) for r in record))


class Near(Honest):
    """Draws among the words that are about as confident."""

    def choose(self, one, identifiers, forbidden, rng):
        record = super().choose(one, identifiers, forbidden, rng).record
        return Selection(tuple(sent_as(r, _beside(r.word, rng)) for r in record))


def sent_as(one: Replacement, substitute: str) -> Replacement:
    return Replacement(one.position, one.length, one.word, substitute, one.kind, one.tag, one.pool)


def _next(word: str) -> str:
    return WORDS[(WORDS.index(word) + 11) % len(WORDS)]


def _beside(word: str, rng: Random) -> str:
    order = sorted(WORDS, key=CONFIDENCE.__getitem__)
    return order[(order.index(word) + rng.randrange(12)) % len(order)]


def archive(rng: Random):
    """Documents of sentences whose words are as uneven as those of a language."""
    for document in range(DOCUMENTS):
        for at in range(SENTENCES):
            words = rng.choices(WORDS, FREQUENCY, k=LENGTH)
            yield document, at, sentence(*(f"{word}/NN" for word in words))


def encoded(mechanism, seed: int = 1) -> list[Hidden]:
    rng = Random(seed)
    return [
        Hidden(document, (document, at), r.word, r.substitute, PUBLIC)
        for document, at, one in archive(Random(seed + 1000))
        for r in mechanism.choose(one, frozenset(), nothing, rng).record
    ]


def accused(hidden: list[Hidden], confidence: float = SURE) -> set[str]:
    return {one.attack for one in attacks(hidden) if one.differs_from_chance(confidence)}


def test_the_threshold_mechanism_is_not_accused() -> None:
    for seed in range(5):
        assert accused(encoded(Honest(), seed)) == set()


def test_the_intervals_hold_chance_as_often_as_they_say() -> None:
    missed = [len(accused(encoded(Honest(), seed), 0.9)) for seed in range(30)]
    attacks_made = len(list(attacks(encoded(Honest()))))
    assert 0.02 < sum(missed) / (30 * attacks_made) < 0.16


def test_a_mechanism_that_never_draws_the_word_itself_is_found_out() -> None:
    assert "who-itself" in accused(encoded(NeverItself()))


def test_a_mechanism_that_keeps_the_order_of_confidence_is_found_out() -> None:
    found = accused(encoded(InOrder()))
    assert {"order@draw", "who-strong@draw"} <= found


def test_a_mechanism_that_goes_by_a_table_is_found_out() -> None:
    assert {"who-learned", "linkage-substitute"} <= accused(encoded(ByTable()))


def test_a_mechanism_that_draws_words_of_like_confidence_is_found_out() -> None:
    found = accused(encoded(Near()))
    assert {"order@draw", "order@document", "who-strong@document"} <= found


def test_the_ratio_mechanism_is_found_out() -> None:
    hidden = encoded(PrismStarRatio(DICTIONARY, 1.0, 2, "source"))
    assert {"order@draw", "who-strong@draw", "who-learned"} <= accused(hidden)


def test_the_papers_procedure_is_found_out() -> None:
    figures = {(word, "NN"): [(word, value)] for word, value in CONFIDENCE.items()}
    rng = Random(5)
    hidden = []
    for document in range(DOCUMENTS):
        words = rng.choices(WORDS, FREQUENCY, k=25)
        text = [sentence(*(f"{word}/NN" for word in words))]
        _, history = encode_by_paper(text, WordDictionary(figures), 0.8)
        hidden += [Hidden(document, document, h.word, h.substitute, PUBLIC) for h in history]
    assert {"order@draw", "who-strong@draw", "linkage-rank@draw"} <= accused(hidden)


def test_a_word_that_alone_draws_from_a_wide_pool_is_named_by_what_only_it_draws() -> None:
    small = CandidatePool(dict.fromkeys("abc", 0.9))
    wide = CandidatePool(dict.fromkeys("abcd", 0.9), hides=frozenset("d"))
    hidden = [Hidden(0, i, "d", "d", wide, (wide,)) for i in range(20)]
    hidden += [Hidden(0, i, "d", "a", wide, (small, wide)) for i in range(60)]
    found = {one.attack: one for one in [*attacks(hidden), find_narrowed(hidden)]}
    assert (found["who-weak"].value, found["who-weak"].chance) == (0.25, 0.25)
    assert found["who-narrowed"].value == 0.25
    assert found["who-narrowed"].differs_from_chance(SURE)


def test_the_guess_by_frequency_is_that_of_public_text() -> None:
    pool = CandidatePool({"a": 0.9, "b": 0.9, "c": 0.9}, prior={"b": 5, "c": 1})
    hidden = [Hidden(0, i, word, "c", pool) for i, word in enumerate("abbb")]
    frequent = next(one for one in attacks(hidden) if one.attack == "who-frequent")
    assert (frequent.value, frequent.chance, frequent.n) == (0.75, 0.75, 4)


def test_words_that_no_pool_has_are_not_to_be_named() -> None:
    hidden = [Hidden(0, i, "zorgle", WORDS[i], PUBLIC) for i in range(9)]
    found = {one.attack: one.n for one in attacks(hidden)}
    assert found["who-itself"] == found["who-strong@document"] == 0


def test_places_are_compared_with_as_many_blind_guesses() -> None:
    precision, recall = locate_substitutes({1, 2, 3, 4}, {3, 4, 5}, tokens=10)
    assert (precision.value, precision.chance, precision.n) == (0.5, 0.3, 4)
    assert (recall.value, recall.chance, recall.n) == (pytest.approx(2 / 3), 0.4, 3)


def test_what_was_learned_of_a_document_is_tried_on_others_alone() -> None:
    hidden = [Hidden(document, (document, 0), "a", "b", TWO) for document in (0, 0, 2)]
    learned = next(one for one in attacks(hidden) if one.attack == "who-learned")
    assert learned.n == 0
    own = [Hidden(1, (1, i), word, word, TWO) for i, word in enumerate("ab")]
    learned = next(one for one in attacks(own) if one.attack == "who-learned")
    assert learned.n == 0
    both = [Hidden(d, (d, i), word, word, TWO) for d in (0, 1) for i, word in enumerate("ab")]
    learned = next(one for one in attacks(both) if one.attack == "who-learned")
    assert (learned.value, learned.chance, learned.n) == (1.0, 0.5, 2)
