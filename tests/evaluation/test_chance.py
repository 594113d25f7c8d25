"""Exact intervals, and what they call different from chance."""

import pytest

from prism_core.evaluation.chance import Finding, exact_interval, share


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [
        (0, 10, 0.0, 0.3085),
        (5, 10, 0.1871, 0.8129),
        (10, 10, 0.6915, 1.0),
        (81, 263, 0.2527, 0.3676),
        (0, 0, 0.0, 1.0),
    ],
)
def test_the_interval_is_that_of_clopper_and_pearson(hits, trials, low, high) -> None:
    assert exact_interval(hits, trials, 0.95) == pytest.approx((low, high), abs=5e-5)


def test_a_figure_above_or_below_chance_differs_and_one_near_it_does_not() -> None:
    assert share("a", 130, 0.1, 1000).differs_from_chance()
    assert share("a", 70, 0.1, 1000).differs_from_chance()
    assert not share("a", 110, 0.1, 1000).differs_from_chance()


def test_dependent_cases_make_the_interval_wider() -> None:
    assert share("a", 130, 0.1, 1000).differs_from_chance()
    assert not share("a", 130, 0.1, 1000, trials=100).differs_from_chance()


def test_a_correlation_is_judged_by_its_spread_under_chance() -> None:
    assert Finding("a", 0.2, 0.0, 50, spread=0.1).differs_from_chance()
    assert not Finding("a", 0.19, 0.0, 50, spread=0.1).differs_from_chance()
    assert Finding("a", 0.9, 0.0, 50, spread=0.2).interval()[1] == 1.0


def test_an_attack_without_a_case_is_no_finding() -> None:
    nothing = share("a", 0, 0.0, 0)
    assert nothing.interval() == (0.0, 1.0)
    assert not nothing.differs_from_chance()
