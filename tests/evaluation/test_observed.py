"""What the inference benchmark hands to the attacks: pools, places and guesses that are true."""

from random import Random

from benchmarks.inference.guesses import best_ranked, by_score, by_threshold
from benchmarks.inference.observed import Observed, Watched
from benchmarks.inference.pools import RatioPools, ThresholdPools

from prism_core.encoder import Encoder
from prism_core.mechanisms import PrismStarRatio, PrismStarThreshold
from tests.words import dictionary, entry, nouns, sentence

NOUNS = nouns(30)
WEAK = entry("weak", confidence=0.1, score=1.0)
DICTIONARY = dictionary(*NOUNS, WEAK, entry("run", "VB"), entry("eat", "VB"))
FIRST, SECOND = NOUNS[0].word, NOUNS[1].word
DOCUMENTS = [
    [sentence("the/DT", f"{FIRST}/NN", "and/CC", f"{SECOND}/NN", "./.")],
    [
        sentence("the/DT", "weak/NN", f"{FIRST}/NN", "./."),
        sentence("the/DT", f"{FIRST}/NN", "and/CC", f"{SECOND}/NN", "./."),
    ],
]


def by_the_threshold() -> Observed:
    watched = Watched(PrismStarThreshold(DICTIONARY, 0.7, 2, "source"))
    observed = Observed()
    observed.observe(
        DOCUMENTS,
        Encoder(DICTIONARY, watched),
        watched,
        Random(1),
        ThresholdPools(DICTIONARY, 0.7, 2, {}),
        by_threshold(DICTIONARY, 0.7),
    )
    return observed


def test_replaced_words_are_noted_once_for_equal_sentences() -> None:
    observed = by_the_threshold()
    assert [(one.document, one.word) for one in observed.hidden] == [
        (0, FIRST),
        (0, SECOND),
        (1, FIRST),
    ]
    assert observed.replaced == {(0, 0, 1), (0, 0, 3), (1, 0, 2)}
    assert (observed.tokens, observed.documents) == (9, 2)


def test_the_pool_of_a_substitute_is_that_it_was_drawn_from() -> None:
    hidden = by_the_threshold().hidden
    assert {frozenset(one.pool.order) for one in hidden} == {frozenset(n.word for n in NOUNS)}
    assert all(one.substitute in one.pool.order for one in hidden)
    assert all(one.rivals == (one.pool,) for one in hidden)


def test_the_places_of_the_threshold_are_guessed_from_what_is_sent() -> None:
    observed = by_the_threshold()
    assert observed.guessed == observed.replaced


def test_the_places_of_the_ratio_are_guessed_by_score() -> None:
    figures = {"a": 3.0, "b": 2.0, "c": 1.0}
    assert best_ranked([["c", "a"], ["b", "x"]], lambda t: figures.get(t, 0.0), 0.5) == [
        (0, 1),
        (1, 0),
    ]
    watched = Watched(PrismStarRatio(DICTIONARY, 0.4, 2, "source"))
    observed = Observed()
    pools, guess = RatioPools(DICTIONARY, 2, {}), by_score(DICTIONARY, 0.4)
    encoder = Encoder(DICTIONARY, watched)
    observed.observe(DOCUMENTS[:1], encoder, watched, Random(1), pools, guess)
    assert observed.guessed == observed.replaced == {(0, 0, 1), (0, 0, 3)}
