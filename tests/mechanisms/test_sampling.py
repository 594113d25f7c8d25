"""The real generator through the real mechanisms; each test rejects samplers that are wrong."""

from collections import Counter
from random import Random, SystemRandom

import pytest

from prism_core.evaluation.further_mechanisms.mixture import Mixture, make_table
from prism_core.language import Sentence
from prism_core.mechanisms import PoolMechanism, Vocabulary
from prism_core.mechanisms.kinds.prism_r import PrismR
from prism_core.mechanisms.kinds.prism_star import PrismStarThreshold
from tests.mechanisms.public_words import NO_MARKS
from tests.mechanisms.sampling import is_binomial, is_uniform
from tests.words import dictionary, nouns, sentence

WORDS = dictionary(*nouns(24))
V = Vocabulary(WORDS, 0.7, 2, NO_MARKS)
ORIGINAL = "baak"
DRAWS = 12_000
R, BETA = 0.5, 0.2


def shown(mechanism, rng: Random, word: str = ORIGINAL) -> Counter[str]:
    """What ``word`` became, in many draws."""
    one = sentence(f"{word}/NN")
    found: Counter[str] = Counter()
    for _ in range(DRAWS):
        forbidden = [lambda _: False] if isinstance(mechanism, PoolMechanism) else []
        record = mechanism.choose(one, frozenset(), *forbidden, rng).record
        found[record[0].substitute if record else word] += 1
    return found


def is_prism_r(mechanism, rng: Random, r: float = R) -> bool:
    inside = shown(mechanism, rng)
    others = Counter({word: n for word, n in inside.items() if word != ORIGINAL})
    return (
        is_binomial(inside[ORIGINAL], DRAWS, 1 - r + r / len(V))
        and is_uniform(others, set(V.words) - {ORIGINAL})
        and is_uniform(shown(mechanism, rng, "Kovacs"), V.words)
    )


class Skewed(Random):
    """Draws the first half of the words a little too often."""

    def randrange(self, start, *_):
        return super().randrange(start // 2 if super().random() < 0.1 else start)


class TooEven(Random):
    """Goes round in turn: uniform on the whole, and not random."""

    turn = 0

    def randrange(self, start, *_):
        self.turn += 1
        return self.turn % start


class NeverItself(PrismR):
    """Draws again when a word would stand for itself."""

    def draw(self, one: Sentence, always, rng):
        sent = super().draw(one, always, rng)
        while any(one.tokens[i].text == it.word for i, it in sent.items()):
            sent = super().draw(one, always | sent.keys(), rng)
        return sent


class KeepsUnknown(PrismR):
    """Keeps a token outside V now and then, like one of V."""

    def draw(self, one: Sentence, always, rng):
        outside = one.tokens[0].text not in V
        return {} if outside and rng.random() < 0.01 else super().draw(one, always, rng)


def test_prism_r_replaces_with_probability_r_and_draws_uniformly() -> None:
    assert is_prism_r(PrismR(WORDS, V, R), Random(11))
    assert is_prism_r(PrismR(WORDS, V, 1.0), Random(12), r=1.0)


def test_entropy_of_the_operating_system_does_as_well() -> None:
    assert is_prism_r(PrismR(WORDS, V, R), SystemRandom())


@pytest.mark.parametrize(
    ("mechanism", "rng", "r"),
    [
        (PrismR(WORDS, V, R + 0.04), Random(1), R),
        (PrismR(WORDS, V, R - 0.04), Random(2), R),
        (PrismR(WORDS, V, R), Skewed(3), R),
        (PrismR(WORDS, V, R), TooEven(4), R),
        (NeverItself(WORDS, V, 1.0), Random(5), 1.0),
        (KeepsUnknown(WORDS, V, R), Random(6), R),
    ],
    ids=["too often", "too rarely", "skewed", "too even", "never itself", "keeps unknown words"],
)
def test_a_wrong_sampler_is_found_out(mechanism, rng, r) -> None:
    assert not is_prism_r(mechanism, rng, r)


def is_mixture(mechanism: Mixture, rng: Random) -> bool:
    found, turned = shown(mechanism, rng), make_table(V)[ORIGINAL]
    rest = Counter({w: n for w, n in found.items() if w not in (ORIGINAL, turned)})
    share = (1 - BETA) * R / len(V)
    return (
        is_binomial(found[turned], DRAWS, BETA + share)
        and is_binomial(found[ORIGINAL], DRAWS, (1 - BETA) * (1 - R) + share)
        and is_uniform(rest, set(V.words) - {ORIGINAL, turned})
    )


def test_the_mixture_asks_its_table_with_probability_beta() -> None:
    assert is_mixture(Mixture(WORDS, V, R, BETA), Random(21))


@pytest.mark.parametrize(("r", "beta"), [(R, BETA + 0.03), (R, BETA - 0.03), (R + 0.05, BETA)])
def test_a_mixture_of_other_probabilities_is_found_out(r, beta) -> None:
    assert not is_mixture(Mixture(WORDS, V, r, beta), Random(22))


def is_threshold(rng: Random) -> bool:
    found = shown(PrismStarThreshold(WORDS, 0.7, 2, "source"), rng)
    return is_uniform(found, V.words)


def test_prism_star_draws_uniformly_from_the_pool() -> None:
    assert is_threshold(Random(31))


@pytest.mark.parametrize("rng", [Skewed(32), TooEven(33)], ids=["skewed", "too even"])
def test_a_wrong_draw_from_the_pool_is_found_out(rng) -> None:
    assert not is_threshold(rng)
