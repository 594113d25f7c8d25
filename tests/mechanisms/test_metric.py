"""Draws by distance: what is drawn how often, against formulas and loops that anyone can check."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from random import Random, SystemRandom

import numpy as np
import pytest

from prism_core.evaluation.near_words.word_draws import (
    Draws,
    NearestRow,
    NoisyNeighbour,
    TruncatedExponential,
    draw_fractions,
    draw_noise,
    draw_ranks,
    open_draws,
    stretch_of,
)
from tests.mechanisms.sampling import is_binomial, is_uniform

TRIALS = 20_000
ROWS = np.array([[0.0], [1.0], [1.5], [4.0]])
"""Four words on a line."""
BORDERS = [-math.inf, 0.5, 1.25, 2.75, math.inf]


@pytest.fixture(scope="module")
def rng() -> Random:
    return SystemRandom()


def on_the_line(row: int, epsilon: float) -> list[float]:
    """Pr of each of the four under Algorithm 1: the Laplace mass between its borders."""

    def below(border: float) -> float:
        away = epsilon * (border - ROWS[row, 0])
        return math.exp(away) / 2 if away < 0 else 1 - math.exp(-away) / 2

    return [below(high) - below(low) for low, high in pairwise(BORDERS)]


def follow(draws: Draws, row: int, chances: list[float], rng: Random) -> bool:
    drawn = Counter(draws.draw([row] * TRIALS, rng).tolist())
    return all(is_binomial(drawn[i], TRIALS, chance) for i, chance in enumerate(chances))


@pytest.mark.parametrize("row", range(4))
def test_a_word_is_drawn_as_often_as_noise_of_laplace_reaches_it(row: int, rng) -> None:
    chances = on_the_line(row, 2.0)
    assert follow(NoisyNeighbour(ROWS, 2.0), row, chances, rng)
    assert not follow(NoisyNeighbour(ROWS, 1.7), row, chances, rng), "too much noise is seen"
    assert not follow(NoisyNeighbour(ROWS, 2.4), row, chances, rng), "too little noise is seen"


def test_normal_noise_of_the_same_spread_is_seen(rng) -> None:
    class Normal(NoisyNeighbour):
        def _draw(self, rows, rng):
            noise = np.array([[rng.gauss(0, math.sqrt(2) / self.epsilon)] for _ in rows])
            return self._nearest.find(self.table[rows] + noise)

    assert not follow(Normal(ROWS, 2.0), 0, on_the_line(0, 2.0), rng)


@pytest.mark.parametrize("dimensions", [1, 2, 3, 4, 7])
def test_noise_has_a_gamma_length_and_an_even_direction(dimensions: int, rng) -> None:
    noise = draw_noise(rng, TRIALS, dimensions)
    lengths = np.linalg.norm(noise, axis=1)
    for at in (0.5, 1.0, 1.5):
        x = at * dimensions
        below = 1 - math.exp(-x) * sum(x**k / math.factorial(k) for k in range(dimensions))
        assert is_binomial(int((lengths < x).sum()), TRIALS, below)
    for part in (noise, noise[lengths > dimensions]):  # a long one has no direction of its own
        octants = Counter("".join("+-"[int(axis > 0)] for axis in point) for point in part)
        assert is_uniform(octants, map("".join, _signs(dimensions)))


def _signs(count: int) -> list[str]:
    return [""] if count == 0 else [sign + rest for rest in _signs(count - 1) for sign in "+-"]


def test_fractions_are_even_and_never_0_or_1(rng) -> None:
    class Extreme(Random):
        def randbytes(self, n: int) -> bytes:
            return bytes(n // 2) + b"\xff" * (n - n // 2)

    low, high = draw_fractions(Extreme(), 2)
    assert 0 < low < 1e-15
    assert 1 - 1e-15 < high < 1
    tenths = Counter(str(int(10 * fraction)) for fraction in draw_fractions(rng, TRIALS))
    assert is_uniform(tenths, map(str, range(10)))


def test_ranks_are_as_rare_as_they_should_be(rng) -> None:
    weights = [math.exp(-0.7 * rank) for rank in range(5)]
    drawn = Counter(draw_ranks(rng, TRIALS, 5, 0.7).tolist())
    chances = [weight / sum(weights) for weight in weights]
    assert all(is_binomial(drawn[k], TRIALS, chance) for k, chance in enumerate(chances))
    assert not all(is_binomial(drawn[k], TRIALS, 0.2) for k in range(5))


def test_the_neighbour_of_the_neighbour_reads_nothing_but_the_neighbour(rng) -> None:
    """Its distribution is Algorithm 1's, followed by a table from words to words."""
    order = [[0, 1, 2, 3], [1, 2, 0, 3], [2, 1, 0, 3], [3, 2, 1, 0]]
    weights = [math.exp(-0.25 * 2.0 * k) for k in range(4)]
    chances = [0.0] * 4
    for row, chance in enumerate(on_the_line(0, 2.0)):
        for k, other in enumerate(order[row]):
            chances[other] += chance * weights[k] / sum(weights)
    assert follow(open_draws(ROWS, 2.0, way="ranks", rank_decay=0.25), 0, chances, rng)
    assert not follow(NoisyNeighbour(ROWS, 2.0), 0, chances, rng)


@pytest.mark.parametrize("cutoff", [None, 1.2])
def test_the_truncated_exponential_mechanism_draws_by_its_formula(cutoff, rng) -> None:
    draws = TruncatedExponential(ROWS, 2.0, cutoff)
    near = [math.exp(-min(abs(x - 1.0), draws.cutoff)) for (x,) in ROWS.tolist()]
    chances = [weight / sum(near) for weight in near]
    assert draws.chances(np.array([1]))[0] == pytest.approx(chances)
    assert follow(draws, 1, chances, rng)
    assert not follow(TruncatedExponential(ROWS, 2.4, cutoff), 1, chances, rng)


@pytest.mark.parametrize("way", ["noise", "truncated"])
def test_no_word_is_told_from_another_by_more_than_their_distance(way: str) -> None:
    """The bound itself, over every pair of words and every result, by the exact chances."""
    tem = TruncatedExponential(ROWS, 2.0, 1.2)
    exact: Callable[[int], list[float]] = {
        "noise": lambda row: on_the_line(row, 2.0),
        "truncated": lambda row: tem.chances(np.array([row]))[0].tolist(),
    }[way]
    for one in range(4):
        for other in range(4):
            apart = abs(ROWS[one, 0] - ROWS[other, 0])
            counted = min(apart, 1.2) if way == "truncated" else apart
            ratios = [a / b for a, b in zip(exact(one), exact(other), strict=True)]
            assert math.log(max(ratios)) <= 2.0 * counted + 1e-12


def test_the_default_cutoff_leaves_hardly_a_chance_to_what_is_beyond() -> None:
    table = np.concatenate([np.zeros((1, 2)), np.full((999, 2), 1e6)])
    beyond = 1 - TruncatedExponential(table, 3.0).chances(np.array([0]))[0, 0]
    assert 0.0005 < beyond <= 0.001


def test_cosine_counts_directions_and_no_lengths(rng) -> None:
    table = np.array([[1.0, 0.0], [50.0, 0.0], [0.0, 1.0]])
    drawn = Counter(open_draws(table, 40.0, "cosine").draw([1] * 2000, rng).tolist())
    assert drawn[2] < 10
    assert drawn[0] > 1900, "one of two that are the same by this distance: the first"


def test_mahalanobis_noise_follows_the_spread_of_the_words(rng) -> None:
    """Where words spread ten times as far, noise goes farther; by its shape it is even again."""
    table = np.array([[10.0, 0.0], [-10.0, 0.0], [0.0, 1.0], [0.0, -1.0]] * 5)
    shape = stretch_of(table)
    spread = np.array([[100.0, 0.0], [0.0, 1.0]]) / 50.5
    assert shape @ shape == pytest.approx(0.2 * spread + 0.8 * np.eye(2))
    noise = draw_noise(rng, TRIALS, 2) @ shape
    assert np.std(noise[:, 0]) > 1.05 * np.std(noise[:, 1])


def brute(table, points):
    return [int(((table - point) ** 2).sum(1).argmin()) for point in points]


def test_the_nearest_row_is_that_of_a_loop_over_all() -> None:
    make = np.random.default_rng(3)
    table = make.normal(size=(700, 20))
    points = table[make.integers(0, 700, 1300)] + make.normal(size=(1300, 20))
    assert NearestRow(table).find(points).tolist() == brute(table, points)


def test_what_single_precision_cannot_tell_apart_is_told_apart() -> None:
    """Rows that differ by less than it resolves, among which products alone would choose anyhow."""
    table = 1000 + np.arange(64.0)[:, None] * 1e-6 + np.zeros((64, 3))
    points = table + 2e-7
    assert NearestRow(table).find(points).tolist() == list(range(64))
    screened = np.argmax(
        points.astype(np.float32) @ table.astype(np.float32).T
        - (table.astype(np.float32) ** 2).sum(1) / 2,
        axis=1,
    )
    assert screened.tolist() != list(range(64))


def test_of_equal_rows_the_first_is_nearest() -> None:
    table = np.array([[2.0, 2.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]])
    assert NearestRow(table).find(np.array([[1.0, 0.1], [5.0, 5.0]])).tolist() == [1, 0]


@pytest.mark.parametrize("size", [1e-30, 1e-19, 1.0, 1e19, 1e30])
@pytest.mark.parametrize("away", [0.1, 1e3, 1e60, 1e200])
def test_the_nearest_row_is_exact_at_any_size_and_from_any_distance(size, away) -> None:
    """Products would vanish or be infinite in single precision, or all look alike."""
    make = np.random.default_rng(5)
    table = (make.normal(size=(200, 6)) * size).astype(np.float32)
    points = table + make.normal(size=(200, 6)) * size * away
    exact = [
        int(
            np.argmin(
                [
                    sum((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(row, point, strict=True))
                    for row in table.tolist()
                ]
            )
        )
        for point in points[:4].tolist()
    ]
    found = NearestRow(table).find(points)
    if away < 1e10:  # beyond, double precision itself cannot tell the rows apart
        assert found[:4].tolist() == exact
    assert len(set(found.tolist())) > 20


def test_a_table_of_nothing_but_zeros_has_a_nearest_row() -> None:
    assert NearestRow(np.zeros((5, 3))).find(np.array([[0.0, 1, 2], [0, 0, 0]])).tolist() == [0, 0]


def test_words_that_are_all_one_point_are_drawn_alike(rng) -> None:
    for table in (np.ones((4, 3)), np.zeros((4, 3))):
        for distance in ("euclidean", "cosine", "mahalanobis"):
            drawn = open_draws(table, 1.0, distance, "truncated").draw([0] * 4000, rng)
            assert is_uniform(Counter(drawn.tolist()), range(4))


@pytest.mark.parametrize("size", [1e-37, 1e37])
def test_the_cosine_does_not_depend_on_the_length_of_vectors(size: float, rng) -> None:
    table = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]], dtype=np.float32)
    chances = open_draws(table, 1.0, "cosine", "truncated").chances(np.arange(3))
    scaled = open_draws(table * np.float32(size), 1.0, "cosine", "truncated").chances(np.arange(3))
    assert scaled == pytest.approx(chances, rel=1e-6)
