"""No two substitutes of a sentence may be translated by the same form; this tells nothing."""

from itertools import permutations
from random import Random

from prism_core.dictionary import Entry
from prism_core.mechanisms.kinds.prism_star import PrismStarThreshold
from tests.words import dictionary, entry, sentence

ALIKE = [
    Entry("work", "NN", entry("work", forms=["trabalho"]).forms, "g", 0.95, 1),
    Entry("labour", "NN", entry("labour", forms=["mão"]).forms, "g", 0.95, 1),
    # Another reading of a drawn word, which decoding searches for as well.
    Entry("labour", "VB", entry("labour", forms=["trabalho"]).forms, "", 0.1, 1),
]
OTHERS = [entry("dog", forms=["cão"]), entry("cat", forms=["gato"])]
MECHANISM = PrismStarThreshold(dictionary(*ALIKE, *OTHERS), 0.7, 2, "source")
WORDS = ("work", "labour", "dog", "cat")


def substitutes(*words: str) -> list[tuple[str, ...]]:
    """What stands for ``words``, by one seed after the other."""
    text = sentence(*(f"{word}/NN" for word in words))
    drafts = (
        MECHANISM.choose(text, frozenset(), lambda _: False, Random(seed)) for seed in range(200)
    )
    return [tuple(replacement.substitute for replacement in draft.record) for draft in drafts]


def test_two_words_with_a_form_in_common_are_not_drawn_for_one_sentence() -> None:
    sent = substitutes("dog", "cat")
    assert {word for pair in sent for word in pair} == {*WORDS}
    assert not any({"work", "labour"} <= {*pair} for pair in sent)


def test_the_same_chance_draws_the_same_whatever_words_are_hidden() -> None:
    first, *others = [substitutes(*pair) for pair in permutations(WORDS, 2)]
    assert all(other == first for other in others)
