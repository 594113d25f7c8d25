import math
from fractions import Fraction
from itertools import permutations

import pytest

from prism_core.accounting import compose, epsilon_of_sends, epsilon_prism_r
from prism_core.evaluation.further_mechanisms.mixture import epsilon_mixture

SIZES = [2, 3, 7]
PROBABILITIES = [0.125, 0.5, 0.875, 1.0]


def rows(size: int, r: float, beta: float, table: dict[int, int]) -> list[list[Fraction]]:
    """Pr[s | w] for every word w of V, and last for a token outside it."""
    chance, table_chance = Fraction(r), Fraction(beta)
    drawn = (1 - table_chance) * chance / size
    kept = (1 - table_chance) * (1 - chance)
    inside = [
        [drawn + kept * (s == w) + table_chance * (s == table[w]) for s in range(size)]
        for w in range(size)
    ]
    return [*inside, [Fraction(1, size)] * size]


def largest_loss(matrix: list[list[Fraction]]) -> float:
    """The largest ratio over all pairs of neighbours and all outputs, by brute force."""
    return max(
        math.log(p / q) if q else math.inf
        for one, other in permutations(matrix, 2)
        for p, q in zip(one, other, strict=True)
        if p
    )


def turn(size: int) -> dict[int, int]:
    return {w: (w + 1) % size for w in range(size)}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("r", PROBABILITIES)
def test_epsilon_of_prism_r_is_the_largest_loss_of_any_two_tokens(size, r) -> None:
    exact = largest_loss(rows(size, r, 0.0, turn(size)))
    assert epsilon_prism_r(size, r) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("size", [3, 7])
@pytest.mark.parametrize("r", PROBABILITIES)
@pytest.mark.parametrize("beta", [0.0, 0.0625, 0.25, 0.75])
def test_epsilon_of_the_mixture_is_the_largest_loss_of_any_two_tokens(size, r, beta) -> None:
    exact = largest_loss(rows(size, r, beta, turn(size)))
    assert epsilon_mixture(size, r, beta) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("r", PROBABILITIES)
@pytest.mark.parametrize("beta", [0.0, 0.25, 0.75])
def test_a_table_that_keeps_words_costs_the_sum_of_both(r, beta) -> None:
    keeping = {0: 0, 1: 2, 2: 1}
    exact = largest_loss(rows(3, r, beta, keeping))
    assert epsilon_mixture(3, r, beta, keeps=True) == pytest.approx(exact, abs=1e-12)
    assert epsilon_mixture(3, r, beta) <= exact + 1e-12


@pytest.mark.parametrize("beta", [0.0, 0.3, 0.9])
@pytest.mark.parametrize("r", PROBABILITIES)
def test_two_words_are_within_the_bound_too(r, beta) -> None:
    assert largest_loss(rows(2, r, beta, turn(2))) <= epsilon_mixture(2, r, beta) + 1e-12


@pytest.mark.parametrize(("r", "epsilon"), [(0.5, 9.21), (0.9, 7.01), (0.99, 4.63), (0.999, 2.40)])
def test_the_worked_examples_of_the_documentation(r, epsilon) -> None:
    assert epsilon_prism_r(10_000, r) == pytest.approx(epsilon, abs=0.005)


def test_the_worked_examples_of_the_mixture() -> None:
    assert epsilon_mixture(10_000, 0.5, 0.25) == epsilon_prism_r(10_000, 0.5)
    assert epsilon_mixture(10_000, 0.5, 0.5) == pytest.approx(9.90, abs=0.005)


@pytest.mark.parametrize("r", [0.1, 0.5, 0.9])
def test_a_table_costs_nothing_up_to_one_less_r_over_two_less_r(r) -> None:
    free = (1 - r) / (2 - r)
    assert epsilon_mixture(1000, r, free * 0.999) == epsilon_prism_r(1000, r)
    assert epsilon_mixture(1000, r, free * 1.01) > epsilon_prism_r(1000, r)


def test_certainty_and_impossibility_are_exact() -> None:
    assert epsilon_prism_r(1000, 1.0) == 0.0
    assert epsilon_prism_r(1000, 0.0) == math.inf
    assert epsilon_mixture(1000, 1.0, 0.0) == 0.0
    assert epsilon_mixture(1000, 0.5, 1.0) == math.inf
    assert epsilon_mixture(1000, 0.0, 0.5) == math.inf


@pytest.mark.parametrize(
    ("size", "r", "beta"), [(0, 0.5, 0.0), (3, -0.1, 0.0), (3, 1.1, 0.0), (3, 0.5, 1.5)]
)
def test_what_is_no_probability_is_refused(size, r, beta) -> None:
    with pytest.raises(ValueError, match=r"\[0, 1\]|at least one"):
        epsilon_mixture(size, r, beta)


def test_losses_add_up_over_words_sends_and_sentences() -> None:
    assert epsilon_of_sends(2.0, 10, 3) == 60.0
    assert epsilon_of_sends(math.inf, 10, 0) == 0.0
    assert epsilon_of_sends(math.inf, 1, 1) == math.inf
    assert compose([1.5, 2.5]) == 4.0
    assert compose([1.0, math.inf]) == math.inf
    assert compose([]) == 0.0
    with pytest.raises(ValueError, match="negative"):
        epsilon_of_sends(1.0, -1, 1)
