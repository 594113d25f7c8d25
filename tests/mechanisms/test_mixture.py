from fractions import Fraction
from itertools import product

import pytest

from prism_core.evaluation.further_mechanisms.mixture import make_table
from prism_core.identifiers import DenyList
from tests.mechanisms.public_words import INSIDE, OUTSIDE, encoder, mixture, vocabulary, words
from tests.mechanisms.walking import distribution, loss
from tests.words import sentence


def sent(mechanism, word: str, names=()) -> dict[str, Fraction]:
    made = encoder(mechanism, names)
    one = sentence(f"{word}/NN")
    return distribution(lambda rng: made.encode(one, DenyList(), rng).text)


@pytest.mark.parametrize("r", [0.25, 0.5, 1.0])
@pytest.mark.parametrize("beta", [0.0, 0.125, 0.75])
def test_epsilon_is_the_largest_loss_over_all_pairs_of_words(r, beta) -> None:
    mechanism = mixture(r, beta)
    known = [sent(mechanism, word) for word in (*INSIDE, *OUTSIDE)]
    largest = max(loss(one, other) for one, other in product(known, repeat=2))
    assert largest == pytest.approx(mechanism.epsilon_word, abs=1e-12)


def test_each_way_has_its_probability() -> None:
    word, table = "cat", make_table(vocabulary(words()))
    share = Fraction(3, 4) * Fraction(1, 2) / len(INSIDE)
    expected = dict.fromkeys(INSIDE, share)
    expected[word] += Fraction(3, 4) * Fraction(1, 2)
    expected[table[word]] += Fraction(1, 4)
    assert sent(mixture(0.5, 0.25), word) == expected


def test_tokens_outside_v_and_listed_names_are_uniform_whatever_beta_is() -> None:
    uniform = dict.fromkeys(INSIDE, Fraction(1, len(INSIDE)))
    mechanism = mixture(0.25, 0.75)
    assert all(sent(mechanism, word) == uniform for word in OUTSIDE)
    assert sent(mechanism, "cat", names=["cat"]) == uniform
