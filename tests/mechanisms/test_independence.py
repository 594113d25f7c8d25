"""PRISM* by threshold: the substitutes say nothing of the originals, given their pool. Exactly."""

from itertools import permutations

import pytest

from prism_core.mechanisms.kinds.prism_star import PrismStarThreshold
from tests.mechanisms.walking import distribution
from tests.words import dictionary, entry, nouns, sentence

POOL = nouns(4)
OTHERS = [entry("run", "VB"), entry("eat", "VB"), entry("kept", confidence=0.1)]
MECHANISM = PrismStarThreshold(dictionary(*POOL, *OTHERS), 0.7, 2, "source")


def substitutes(*words: str, forbidden=lambda _: False):
    """The joint distribution of what stands for ``words``."""
    one = sentence(*words)

    def drawn(rng) -> tuple[str, ...]:
        draft = MECHANISM.choose(one, frozenset(), forbidden, rng)
        return tuple(r.substitute for r in draft.record)

    return distribution(drawn)


@pytest.mark.parametrize("word", [one.word for one in POOL])
def test_one_word_has_the_same_substitutes_as_any_other_of_its_pool(word) -> None:
    assert substitutes(f"{word}/NN") == substitutes(f"{POOL[0].word}/NN")


def test_two_words_have_jointly_the_same_substitutes_as_any_other_two() -> None:
    pairs = [(a.word, b.word) for a, b in permutations(POOL, 2)] + [(POOL[0].word, POOL[0].word)]
    first, *others = [substitutes(f"{a}/NN", "run/VB", f"{b}/NN") for a, b in pairs]
    assert all(other == first for other in others)


def test_a_kept_word_changes_the_draws_of_all_words_alike() -> None:
    beside = [substitutes("kept/NN", f"{one.word}/NN") for one in POOL]
    assert all(other == beside[0] for other in beside)


def test_a_draw_that_leaves_the_original_out_would_be_found_out() -> None:
    leaving_out = [
        substitutes(f"{one.word}/NN", forbidden=lambda w, own=one.word: w == own) for one in POOL
    ]
    assert leaving_out[0] != leaving_out[1]


def test_a_sentence_with_a_word_twice_is_as_one_with_two_words_in_all_that_is_sent() -> None:
    one, other = (word.word for word in POOL[:2])
    twice = substitutes(f"{one}/NN", "run/VB", f"{one}/NN")
    assert twice == substitutes(f"{one}/NN", "run/VB", f"{other}/NN")
    sent = [one for one in twice if one]  # else withheld: not one draw of a hundred was free
    assert sent
    assert all(first != last for first, _, last in sent)
